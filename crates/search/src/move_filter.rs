//! Moves that a search is not to see, for play like a person's.

use tabiya_core::Move;
use tabiya_movegen::Position;

/// A predicate on the moves of a search tree. A search with a filter overlooks some moves, as a weak player does.
///
/// The search calls [`sees`](MoveFilter::sees) below the root for each legal move of a side that is not in check. A node
/// where no move is seen has its static evaluation as value. The root moves are limited by
/// [`Limits::search_moves`](crate::Limits::search_moves) instead.
///
/// ```
/// use std::sync::Arc;
/// use tabiya_core::Move;
/// use tabiya_movegen::{Game, Position};
/// use tabiya_search::{Engine, Limits, MoveFilter, Options};
///
/// /// A player who never expects a capture.
/// struct Careless;
///
/// impl MoveFilter for Careless {
///     fn sees(&self, _: &Position, mv: Move, _: usize) -> bool {
///         !mv.is_capture()
///     }
/// }
///
/// let mut engine = Engine::new(Options::default())?;
/// engine.set_move_filter(Some(Arc::new(Careless)));
/// assert!(engine.go(&Game::new(), Limits::depth(3)).answer().best.is_some());
/// # Ok::<(), tabiya_search::EngineError>(())
/// ```
pub trait MoveFilter: Send + Sync {
    /// Returns false if the search is to overlook `mv`, a legal move of `position`, which is `ply` plies below the root. The
    /// same arguments must always give the same result.
    fn sees(&self, position: &Position, mv: Move, ply: usize) -> bool;
}
