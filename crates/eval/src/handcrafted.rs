//! The handcrafted evaluation (HCE), tuned on positions from games.
//!
//! Tabiya plays with its network ([`nnue`](crate::nnue)), which uses the endgame knowledge of this evaluation. The option
//! `Evaluation` selects this one, and a build without an embedded network plays with it.
//!
//! Every term gives a middlegame and an endgame number ([`Score`]); the [`Phase`] of the game blends the two
//! sums. The threats to a king are added up in king-danger units, and the middlegame penalty grows with the square
//! of their sum. The endgame half is adjusted by the complexity of the position and scaled down where the material is insufficient to
//! win, and the simplest endgames are evaluated exactly.
//!
//! [`evaluate`] computes the value, an [`Evaluator`] computes it faster, and [`trace()`] shows every [`Term`] of
//! it.
//!
//! ```
//! use tabiya_eval::handcrafted::{evaluate, trace};
//! use tabiya_movegen::Position;
//!
//! let position = Position::from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")?;
//! assert_eq!(trace(&position).value, evaluate(&position));
//! # Ok::<(), tabiya_core::FenError>(())
//! ```

mod attack_map;
mod declaration;
mod distance;
pub(crate) mod endgame;
mod material_counts;
mod pawn_cache;
mod phase;
mod processor;
mod psqt;
mod score;
mod side;
mod sum;
mod term;
mod terms;
#[cfg(test)]
mod test_board;
mod trace;
mod tracer;
#[cfg(feature = "tuning")]
pub mod tuning;
mod weights;

pub use phase::Phase;
pub use score::{Centipawns, DangerUnits, EndgamePercent, KingDanger, Percent, Score, Tapered};
pub use term::{Term, Unit};
pub use trace::{TermTrace, Trace, WeightTrace, trace};

use crate::evaluate::{Evaluate, relative_to};
use pawn_cache::PawnCache;
use std::fmt;
use tabiya_core::Value;
use tabiya_movegen::Position;

/// Returns the value of a position in centipawns from the point of view of the side to move, strictly between
/// `-TB_WIN_IN_MAX_PLY` and `TB_WIN_IN_MAX_PLY`.
///
/// Mate, stalemate, repetition and the fifty-move rule are left to the search.
///
/// This function analyses the pawns in each call; an [`Evaluator`] caches them and returns the same
/// values.
///
/// ```
/// use tabiya_eval::handcrafted::evaluate;
/// use tabiya_movegen::Position;
///
/// let start = Position::startpos();
/// assert!(evaluate(&start) > 0, "the side to move is slightly better");
/// let rook_up = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 b - - 0 1")?;
/// assert!(evaluate(&rook_up) < -300, "Black is to move");
/// # Ok::<(), tabiya_core::FenError>(())
/// ```
pub fn evaluate(position: &Position) -> Value {
    relative_to(position.side_to_move(), processor::value(position, &mut PawnCache::with_one_slot()))
}

/// The handcrafted evaluation with a pawn cache, for one thread.
///
/// ```
/// use tabiya_eval::Evaluate;
/// use tabiya_eval::handcrafted::{Evaluator, evaluate};
/// use tabiya_movegen::Position;
///
/// let mut evaluator = Evaluator::new();
/// let position = Position::startpos();
/// assert_eq!(evaluator.evaluate(&position), evaluate(&position));
/// ```
pub struct Evaluator {
    pawns: PawnCache,
}

impl Evaluator {
    /// Creates an evaluator with an empty cache, which takes less than a megabyte.
    pub fn new() -> Evaluator {
        endgame::prepare();
        Evaluator { pawns: PawnCache::new() }
    }
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

impl fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluator").finish_non_exhaustive()
    }
}

impl Evaluate for Evaluator {
    fn evaluate(&mut self, position: &Position) -> Value {
        relative_to(position.side_to_move(), processor::value(position, &mut self.pawns))
    }

    fn clear(&mut self) {
        self.pawns.clear();
    }
}
