//! Tracers: observers of the weights that count in a position.
//!
//! The terms are generic over a [`Tracer`]. With [`Silent`] the compiler removes all tracing; with
//! [`Recorder`] the same code records how often each weight counts for each side, from which the trace table
//! and the tuner's coefficients are made. Evaluation, table and tuner therefore cannot disagree.

use super::score::Tapered;
use tabiya_core::Color;

/// An observer of the weights that count in a position.
pub(super) trait Tracer {
    /// True if the tracer records anything.
    const ON: bool;

    /// Records that the weight at `index` of the flat list counts `times` times for `color`.
    fn add(&mut self, color: Color, index: usize, times: i32);
}

/// A tracer that does nothing, at no cost.
pub(super) struct Silent;

impl Tracer for Silent {
    const ON: bool = false;

    #[inline(always)]
    fn add(&mut self, _color: Color, _index: usize, _times: i32) {}
}

/// The number of times a weight counts for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Count {
    pub(super) color: Color,
    /// The weight's index in the flat list.
    pub(super) index: usize,
    pub(super) times: i32,
}

/// A tracer that records all counts. A weight can have several entries.
#[derive(Default)]
pub(super) struct Recorder {
    pub(super) counts: Vec<Count>,
}

impl Tracer for Recorder {
    const ON: bool = true;

    fn add(&mut self, color: Color, index: usize, times: i32) {
        if times != 0 {
            self.counts.push(Count { color, index, times });
        }
    }
}

/// Adds `times` times the weight at `index` of the flat list to a sum, and notifies the tracer.
#[inline(always)]
pub(super) fn add_weight<T: Tracer, U>(
    tracer: &mut T,
    color: Color,
    sum: &mut Tapered<U>,
    weight: Tapered<U>,
    index: usize,
    times: i32,
) {
    *sum += weight * times;
    if T::ON {
        tracer.add(color, index, times);
    }
}

/// Adds a weight to a sum and notifies the tracer: `count!(tracer, S, sum, weight[index] * times)`, where `S` is
/// the [`Side`](super::side::Side) that it counts for. The index (none, one or two) and `* times` are
/// optional.
macro_rules! count {
    (@times) => { 1 };
    (@times $times:expr) => { $times as i32 };
    (@start $weight:ident) => {
        ::core::mem::offset_of!($crate::handcrafted::weights::Weights, $weight)
            / ::core::mem::size_of::<$crate::handcrafted::score::Score>()
    };
    (@add $tracer:expr, $side:ty, $sum:expr, $value:expr, $index:expr, $times:expr) => {
        $crate::handcrafted::tracer::add_weight(
            $tracer,
            <$side as $crate::handcrafted::side::Side>::US,
            &mut $sum,
            $value,
            $index,
            $times,
        )
    };
    ($tracer:expr, $side:ty, $sum:expr, $weight:ident $(* $times:expr)?) => {{
        let value = $crate::handcrafted::weights::WEIGHTS.$weight;
        let index = $crate::handcrafted::tracer::count!(@start $weight);
        let times = $crate::handcrafted::tracer::count!(@times $($times)?);
        $crate::handcrafted::tracer::count!(@add $tracer, $side, $sum, value, index, times)
    }};
    ($tracer:expr, $side:ty, $sum:expr, $weight:ident[$index:expr] $(* $times:expr)?) => {{
        let index: usize = $index;
        let value = $crate::handcrafted::weights::WEIGHTS.$weight[index];
        let index = $crate::handcrafted::tracer::count!(@start $weight) + index;
        let times = $crate::handcrafted::tracer::count!(@times $($times)?);
        $crate::handcrafted::tracer::count!(@add $tracer, $side, $sum, value, index, times)
    }};
    ($tracer:expr, $side:ty, $sum:expr, $weight:ident[$row:expr][$index:expr] $(* $times:expr)?) => {{
        let (row, index): (usize, usize) = ($row, $index);
        let rows = &$crate::handcrafted::weights::WEIGHTS.$weight;
        let value = rows[row][index];
        let index = $crate::handcrafted::tracer::count!(@start $weight) + row * rows[0].len() + index;
        let times = $crate::handcrafted::tracer::count!(@times $($times)?);
        $crate::handcrafted::tracer::count!(@add $tracer, $side, $sum, value, index, times)
    }};
}
pub(super) use count;
