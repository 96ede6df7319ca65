//! The scale of values: centipawns, mate distances, tablebase results and bounds.
//!
//! Evaluation, search and tablebases share this scale; this crate assigns no value to any position.
//!
//! | range | meaning |
//! |---|---|
//! | up to [`TB_WIN_IN_MAX_PLY`], exclusive | an evaluation, in centipawns |
//! | [`TB_WIN_IN_MAX_PLY`] to [`TB_WIN`] | a tablebase win, [`TB_WIN`] less the plies to it |
//! | [`MATE_IN_MAX_PLY`] to [`MATE`] | a forced mate, [`MATE`] less the plies to it |
//!
//! Losses are the negatives of wins.

/// A value for one side, in centipawns, or a win or loss by tablebase or mate.
pub type Value = i32;

/// The value of a draw.
pub const VALUE_DRAW: Value = 0;

/// The length of the longest line that a search follows, in plies.
pub const MAX_PLY: Value = 250;

/// The value of a position in which the opponent is checkmated; see [`mate_in`].
pub const MATE: Value = 32_000;

/// The smallest value of a forced mate.
pub const MATE_IN_MAX_PLY: Value = MATE - MAX_PLY;

/// The value of a tablebase win at the root: below every mate, above every evaluation.
pub const TB_WIN: Value = MATE_IN_MAX_PLY - 1;

/// The smallest value of a proven win, by tablebase or mate. Evaluations lie strictly between `-TB_WIN_IN_MAX_PLY` and this.
pub const TB_WIN_IN_MAX_PLY: Value = MATE_IN_MAX_PLY - MAX_PLY;

/// The smallest evaluation of a known win, in centipawns: of a won ending against a bare king, or of a queen that wins against a pawn.
///
/// Above it, differences measure only the progress towards mate. So the search neither applies its correction history to such an
/// evaluation nor scales it down with the half-move clock.
pub const KNOWN_WIN: Value = 6000;

/// A bound above every value: the window from `-INFINITE` to `INFINITE` contains them all.
pub const INFINITE: Value = 32_001;

/// Returns the value for the side that mates `ply` plies from the root.
///
/// ```
/// use tabiya_core::{MATE, MATE_IN_MAX_PLY, MAX_PLY, mate_in, mated_in};
///
/// assert!(mate_in(1) > mate_in(3));
/// assert_eq!(mate_in(3), -mated_in(3));
/// assert_eq!(mate_in(MAX_PLY), MATE_IN_MAX_PLY);
/// ```
#[inline]
pub const fn mate_in(ply: Value) -> Value {
    MATE - ply
}

/// Returns the value for the side that is mated `ply` plies from the root.
#[inline]
pub const fn mated_in(ply: Value) -> Value {
    ply - MATE
}

/// Returns true if the value is a proven win, by tablebase or mate.
///
/// ```
/// use tabiya_core::{TB_WIN_IN_MAX_PLY, is_decisive, is_loss, is_win, mated_in};
///
/// assert!(is_win(TB_WIN_IN_MAX_PLY) && !is_win(TB_WIN_IN_MAX_PLY - 1));
/// assert!(is_loss(mated_in(7)) && is_decisive(mated_in(7)));
/// assert!(!is_decisive(2_000));
/// ```
#[inline]
pub const fn is_win(value: Value) -> bool {
    value >= TB_WIN_IN_MAX_PLY
}

/// Returns true if the value is a proven loss, by tablebase or mate.
#[inline]
pub const fn is_loss(value: Value) -> bool {
    value <= -TB_WIN_IN_MAX_PLY
}

/// Returns true if the value is a proven win or loss, by tablebase or mate.
#[inline]
pub const fn is_decisive(value: Value) -> bool {
    is_win(value) || is_loss(value)
}

/// The relation of a stored or reported value to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The value is exact (from a PV node).
    Exact = 1,
    /// The true value is at least this (from a cut node, which failed high).
    Lower = 2,
    /// The true value is at most this (from an all node, which failed low).
    Upper = 3,
}
