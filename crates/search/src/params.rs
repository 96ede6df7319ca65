//! What the search does beyond plain alpha-beta, and how it may be told not to.

/// Parts of the search that can be switched off, to compare the rest with a simpler search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Features {
    /// Use the transposition table: for cut-offs, and for the move to try first.
    pub(crate) table: bool,
    /// Cut off on entries that were searched deeper than the node asks for, too. Their values are
    /// better than the ones asked for, but not the same.
    pub(crate) deeper_entries: bool,
    /// Score repetitions as draws. The value of a position then depends on how it was reached, which
    /// the table knows nothing of.
    pub(crate) repetitions: bool,
}

impl Features {
    /// How games are played.
    pub(crate) const ALL: Features = Features { table: true, deeper_entries: true, repetitions: true };
}
