//! How weights are declared: once, in readable shape, and as a flat list for those who count them.

use crate::Score;

/// Declares the weights, term by term: the struct `Weights`, its one value `WEIGHTS`, the enum [`Term`]
/// and the list of what was declared.
///
/// [`Term`]: crate::Term
macro_rules! declare_weights {
    ($( $(#[$term_doc:meta])* $term:ident {
        $( $(#[$doc:meta])* $name:ident: $type:ty = $value:expr; )*
    } )*) => {
        /// All weights. Fields lie in the order of their declaration, so that where one lies is its
        /// place in the flat list.
        #[repr(C)]
        pub(crate) struct Weights {
            $( $( $(#[$doc])* pub(crate) $name: $type, )* )*
        }

        /// The weights that play.
        pub(crate) static WEIGHTS: Weights = Weights { $( $( $name: $value, )* )* };

        /// A reason for which the main evaluation gives or takes points.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum Term {
            $( $(#[$term_doc])* $term, )*
        }

        impl Term {
            /// All terms, in the order in which they are shown.
            pub const ALL: &[Term] = &[ $( Term::$term, )* ];

            /// What the term is called in tables.
            pub const fn name(self) -> &'static str {
                match self { $( Term::$term => stringify!($term), )* }
            }
        }

        /// Every field of [`Weights`], in order.
        pub(crate) fn declarations() -> Vec<$crate::declaration::Declaration> {
            vec![ $( $( $crate::declaration::Declaration::new(
                stringify!($name),
                Term::$term,
                core::mem::offset_of!(Weights, $name) / size_of::<Score>(),
                &WEIGHTS.$name,
            ), )* )* ]
        }
    };
}
pub(crate) use declare_weights;

/// One field of the weights.
pub(crate) struct Declaration {
    /// The field's name.
    pub(crate) name: &'static str,
    /// The term that it belongs to.
    pub(crate) term: crate::Term,
    /// Where its first score lies in the flat list.
    pub(crate) start: usize,
    /// Its scores.
    pub(crate) scores: Vec<Score>,
    /// How long each of its lists is; 0 for one that is no list of lists.
    #[cfg_attr(not(feature = "tuning"), allow(dead_code, reason = "only rendering asks"))]
    pub(crate) row: usize,
    /// Each score's index as it is written, like `[1][2]`.
    pub(crate) subscripts: Vec<String>,
}

impl Declaration {
    pub(crate) fn new(name: &'static str, term: crate::Term, start: usize, of: &impl Flat) -> Declaration {
        let mut declaration =
            Declaration { name, term, start, scores: Vec::new(), row: of.row(), subscripts: Vec::new() };
        of.flatten(String::new(), &mut declaration);
        declaration
    }

    /// Is it a board drawn by [`half_boards`] or [`boards`]?
    pub(crate) fn is_board(&self) -> bool {
        self.name.ends_with("_squares")
    }
}

/// What can be written as a list of scores.
pub(crate) trait Flat {
    fn flatten(&self, subscript: String, into: &mut Declaration);

    fn row(&self) -> usize {
        0
    }
}

impl Flat for Score {
    fn flatten(&self, subscript: String, into: &mut Declaration) {
        into.scores.push(*self);
        into.subscripts.push(subscript);
    }
}

impl<T: Flat, const N: usize> Flat for [T; N] {
    fn flatten(&self, subscript: String, into: &mut Declaration) {
        for (index, item) in self.iter().enumerate() {
            let here = if into.is_board() {
                let files = N / 8;
                format!("[{}{}]", (b'a' + (index % files) as u8) as char, 8 - index / files)
            } else {
                format!("{subscript}[{index}]")
            };
            item.flatten(here, into);
        }
    }

    fn row(&self) -> usize {
        if size_of::<T>() > size_of::<Score>() { size_of::<T>() / size_of::<Score>() } else { 0 }
    }
}

/// A score, in few letters: there are a thousand of them.
pub(crate) const fn s(middle_game: i16, end_game: i16) -> Score {
    Score::new(middle_game, end_game)
}

/// The left halves of two boards, middle game and end game, as drawn.
pub(crate) const fn half_boards(middle_game: [i16; 32], end_game: [i16; 32]) -> [Score; 32] {
    boards(middle_game, end_game)
}

/// Two boards, middle game and end game, as drawn.
pub(crate) const fn boards<const SQUARES: usize>(
    middle_game: [i16; SQUARES],
    end_game: [i16; SQUARES],
) -> [Score; SQUARES] {
    let mut scores = [Score::ZERO; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        scores[index] = Score::new(middle_game[index], end_game[index]);
        index += 1;
    }
    scores
}
