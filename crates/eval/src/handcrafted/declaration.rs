//! The macro that declares the weights, and derives the tuner's flat list from the declarations.

use super::score::{Score, Tapered};
use super::term::Term;

/// Declares the weights, grouped by term: the struct `Weights`, its value `WEIGHTS` and the list of
/// declarations.
macro_rules! declare_weights {
    ($( $term:ident {
        $( $(#[$doc:meta])* $name:ident: $type:ty = $value:expr; )*
    } )*) => {
        /// All weights. Fields are laid out in the order of their declaration, so that the offset of a weight
        /// is its index in the flat list.
        #[repr(C)]
        pub(super) struct Weights {
            $( $( $(#[$doc])* pub(super) $name: $type, )* )*
        }

        /// The weights in use.
        pub(super) static WEIGHTS: Weights = Weights { $( $( $name: $value, )* )* };

        /// The declarations of all fields of [`Weights`], in order.
        pub(super) fn declarations() -> Vec<$crate::handcrafted::declaration::Declaration> {
            vec![ $( $( $crate::handcrafted::declaration::Declaration::new(
                stringify!($name),
                $crate::handcrafted::term::Term::$term,
                ::core::mem::offset_of!(Weights, $name) / $crate::handcrafted::declaration::WEIGHT_SIZE,
                &WEIGHTS.$name,
            ), )* )* ]
        }
    };
}
pub(super) use declare_weights;

/// The size of one weight, in bytes. It is the same for all units.
pub(super) const WEIGHT_SIZE: usize = size_of::<Score>();

/// One field of the weights: a weight, an array of weights or an array of such arrays.
pub(super) struct Declaration {
    /// The name of the field.
    pub(super) name: &'static str,
    /// The term that the field belongs to.
    pub(super) term: Term,
    /// The index of the field's first weight in the flat list.
    pub(super) start: usize,
    /// The field's weights, as middlegame and endgame halves.
    pub(super) weights: Vec<[i32; 2]>,
    /// The length of the inner arrays; 0 if there are none.
    #[cfg_attr(not(feature = "tuning"), allow(dead_code, reason = "only `tuning::render` uses it"))]
    pub(super) row: usize,
    /// The subscript of each weight, such as `[1][2]`.
    pub(super) subscripts: Vec<String>,
}

impl Declaration {
    pub(super) fn new(name: &'static str, term: Term, start: usize, field: &impl Flatten) -> Declaration {
        let mut declaration =
            Declaration { name, term, start, weights: Vec::new(), row: field.row(), subscripts: Vec::new() };
        field.flatten(String::new(), &mut declaration);
        declaration
    }

    /// Returns true if the field is a piece-square table, written with [`half_boards`] or [`boards`].
    pub(super) fn is_psqt(&self) -> bool {
        self.name.ends_with("_psqt")
    }
}

/// A weight or an array of weights, which can be flattened into a list.
pub(super) trait Flatten {
    /// Appends all weights to `into`, with subscripts that begin with `subscript`.
    fn flatten(&self, subscript: String, into: &mut Declaration);

    /// The length of the inner arrays; 0 if there are none.
    fn row(&self) -> usize {
        0
    }
}

impl<U> Flatten for Tapered<U> {
    fn flatten(&self, subscript: String, into: &mut Declaration) {
        into.weights.push([self.mg(), self.eg()]);
        into.subscripts.push(subscript);
    }
}

impl<T: Flatten, const N: usize> Flatten for [T; N] {
    fn flatten(&self, subscript: String, into: &mut Declaration) {
        for (index, item) in self.iter().enumerate() {
            let subscript = if into.is_psqt() {
                let files = N / 8;
                format!("[{}{}]", (b'a' + (index % files) as u8) as char, 8 - index / files)
            } else {
                format!("{subscript}[{index}]")
            };
            item.flatten(subscript, into);
        }
    }

    fn row(&self) -> usize {
        if size_of::<T>() > WEIGHT_SIZE { size_of::<T>() / WEIGHT_SIZE } else { 0 }
    }
}

/// Shorthand for [`Tapered::new`] in the declarations.
pub(super) const fn s<U>(mg: i16, eg: i16) -> Tapered<U> {
    Tapered::new(mg, eg)
}

/// The left halves of two boards, middlegame and endgame, a8 first.
pub(super) const fn half_boards(mg: [i16; 32], eg: [i16; 32]) -> [Score; 32] {
    boards(mg, eg)
}

/// Two boards, middlegame and endgame, a8 first.
pub(super) const fn boards<const SQUARES: usize>(mg: [i16; SQUARES], eg: [i16; SQUARES]) -> [Score; SQUARES] {
    let mut scores = [Score::ZERO; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        scores[index] = Score::new(mg[index], eg[index]);
        index += 1;
    }
    scores
}
