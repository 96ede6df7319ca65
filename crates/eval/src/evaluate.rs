//! The interface between the search and an evaluation.

use tabiya_core::{Color, Move, Value};
use tabiya_movegen::Position;

/// A static evaluation together with the state that makes it fast, such as caches or accumulators.
///
/// Each search thread owns one evaluator. State may only save time: the value of a position must not depend
/// on the positions evaluated before it, nor on whether the search reported them by the methods below.
///
/// # Incremental updates
/// An evaluation that is updated incrementally, such as a neural network with accumulators (NNUE), returns
/// true from [`is_incremental`](Evaluate::is_incremental) and is then notified of every position that the
/// search visits:
///
/// - [`set_root`](Evaluate::set_root) once at the start of a search, which drops any moves made before;
/// - [`make_move`](Evaluate::make_move) or [`make_null_move`](Evaluate::make_null_move) for each move made;
/// - [`unmake_move`](Evaluate::unmake_move) for each move or null move unmade, the last one first.
///
/// During a search, `evaluate` is only called with the position that these calls lead to. Most positions are
/// never evaluated, so an implementation usually stores the [`DirtyPieces`](crate::DirtyPieces) of each move
/// on a stack and updates its accumulators in `evaluate`. Outside a search, `evaluate` may be called with any
/// position; comparing its key with that of the position on top of the stack distinguishes the two cases.
///
/// The defaults do nothing, and the search skips all calls but `set_root` if `is_incremental` returns false.
///
/// ```
/// use tabiya_core::Value;
/// use tabiya_eval::{Evaluate, Evaluation};
/// use tabiya_movegen::Position;
///
/// /// Counts legal moves.
/// struct Mobility;
///
/// impl Evaluate for Mobility {
///     fn evaluate(&mut self, position: &Position) -> Value {
///         position.count_legal_moves() as Value
///     }
/// }
///
/// assert_eq!(Mobility.evaluate(&Position::startpos()), 20);
/// assert!(Evaluation::Handcrafted.evaluator().evaluate(&Position::startpos()) > 0);
/// ```
pub trait Evaluate: Send {
    /// Returns the value of a position in centipawns from the point of view of the side to move, strictly
    /// between `-TB_WIN_IN_MAX_PLY` and `TB_WIN_IN_MAX_PLY`. The search never calls it in check.
    fn evaluate(&mut self, position: &Position) -> Value;

    /// Clears all cached state, so that a search can be reproduced exactly.
    fn clear(&mut self) {}

    /// Returns true if the evaluator must be notified of the root and of the moves made and unmade. The search
    /// calls this once, before [`set_root`](Evaluate::set_root).
    fn is_incremental(&self) -> bool {
        false
    }

    /// Called at the start of a search with its root position.
    fn set_root(&mut self, _root: &Position) {}

    /// Called after the move `mv` from the current position, `before`, to `after`.
    ///
    /// [`DirtyPieces::of`](crate::DirtyPieces::of) returns the pieces that `mv` adds and removes.
    fn make_move(&mut self, _before: &Position, _mv: Move, _after: &Position) {}

    /// Called after a null move to `after`: only the side to move and the en-passant square change.
    fn make_null_move(&mut self, _after: &Position) {}

    /// Called after the last move or null move was unmade.
    fn unmake_move(&mut self) {}
}
/// Converts a value of White to one of `color`, or back.
#[inline(always)]
pub(crate) fn relative_to(color: Color, value: Value) -> Value {
    match color {
        Color::White => value,
        Color::Black => -value,
    }
}
