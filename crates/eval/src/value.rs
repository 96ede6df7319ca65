//! What a position is worth, as a number.

/// The worth of a position in centipawns, or the distance to mate beyond
/// [`MATE_IN_MAX_PLY`]. Positive is good for the side whose point of view it is.
pub type Value = i32;

/// A drawn game.
pub const VALUE_DRAW: Value = 0;

/// The deepest line that the search can follow, in plies.
pub const MAX_PLY: Value = 250;

/// Having given mate on the board; mate `n` plies away is worth `n` less ([`mate_in`]).
pub const MATE: Value = 32_000;

/// Values from here up (or down from its negative) mean a forced mate. Every evaluation stays
/// strictly between the two.
pub const MATE_IN_MAX_PLY: Value = MATE - MAX_PLY;

/// What the main evaluation gives, at least, to an end game that is won by pieces against a bare king. What comes
/// on top only says how to go about it: a search should take an evaluation of so much as it is.
pub const KNOWN_WIN: Value = 6000;

/// More than any value: a window between `-INFINITE` and `INFINITE` is wide open.
pub const INFINITE: Value = 32_001;

/// The value for the side that mates `ply` half-moves from the root.
///
/// ```
/// use tabiya_eval::{MATE, MATE_IN_MAX_PLY, MAX_PLY, mate_in, mated_in};
///
/// assert!(mate_in(1) > mate_in(3));
/// assert_eq!(mate_in(3), -mated_in(3));
/// assert_eq!(mate_in(MAX_PLY), MATE_IN_MAX_PLY);
/// ```
#[inline]
pub const fn mate_in(ply: Value) -> Value {
    MATE - ply
}

/// The value for the side that is mated `ply` half-moves from the root.
#[inline]
pub const fn mated_in(ply: Value) -> Value {
    ply - MATE
}
