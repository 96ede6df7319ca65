//! Who listens while the terms are added up.
//!
//! The terms are written once, over a [`Tracer`]. With [`Silent`] nothing is left of it in the machine
//! code; with [`Recorder`] the same code writes down which weight counted how often for whom, from which
//! both the table for people and the tuner's coefficients are made. So they cannot drift apart.

use crate::numbers::Numbers;
use crate::side::{Black, White};
use crate::terms::pawns::Pawns;
use crate::terms::shelter::shelter;
use tabiya_core::Color;

/// Hears of each weight that counts.
pub(crate) trait Tracer {
    /// Does it listen at all?
    const ON: bool;

    /// The weight at `index` of the flat list counts `count` times for `color`.
    fn add(&mut self, color: Color, index: usize, count: i32);
}

/// Hears nothing and costs nothing.
pub(crate) struct Silent;

impl Tracer for Silent {
    const ON: bool = false;

    #[inline(always)]
    fn add(&mut self, _color: Color, _index: usize, _count: i32) {}
}

/// One thing heard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Heard {
    pub(crate) color: Color,
    pub(crate) index: usize,
    pub(crate) count: i32,
}

/// Writes everything down.
#[derive(Default)]
pub(crate) struct Recorder {
    pub(crate) heard: Vec<Heard>,
}

impl Tracer for Recorder {
    const ON: bool = true;

    fn add(&mut self, color: Color, index: usize, count: i32) {
        if count != 0 {
            self.heard.push(Heard { color, index, count });
        }
    }
}

/// Adds a weight to a score, and tells the tracer: `count!(tracer, Us, score, weight[index] * times)`.
macro_rules! count {
    (@index $name:ident) => { 0 };
    (@index $name:ident [$index:expr]) => { $index };
    (@index $name:ident [$index:expr] [$second:expr]) => {
        $index * $crate::weights::WEIGHTS.$name[0].len() + $second
    };
    ($tracer:expr, $side:ident, $score:expr, $name:ident $([$index:expr])* $(* $times:expr)?) => {{
        let weight = $crate::weights::WEIGHTS.$name $([$index])*;
        #[allow(unused_variables, reason = "some count once")]
        let times: i32 = 1;
        $( let times: i32 = $times as i32; )?
        $score += weight * times;
        if T::ON {
            let index = core::mem::offset_of!($crate::weights::Weights, $name) / size_of::<$crate::Score>()
                + count!(@index $name $([$index])*);
            $tracer.add($side::US, index, times);
        }
    }};
}
pub(crate) use count;

/// Everything that counts in a position, and what it adds up to.
pub(crate) fn record(
    board: &tabiya_core::Board,
    numbers: &Numbers,
) -> (Vec<Heard>, crate::main_evaluation::Sums) {
    let mut recorder = Recorder::default();
    let pawns = Pawns::of(board, &mut recorder);
    let shelters = [
        shelter::<White, _>(board, board.king(Color::White), &mut recorder),
        shelter::<Black, _>(board, board.king(Color::Black), &mut recorder),
    ];
    let sums = crate::main_evaluation::add_up(board, numbers, &pawns, &shelters, &mut recorder);
    (recorder.heard, sums)
}
