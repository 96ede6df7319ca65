//! What a chess position is worth.
//!
//! Two evaluations stand side by side and can be exchanged at run time ([`Evaluation`]):
//!
//! - the **main** one, [`evaluate`]: everything a hand-written evaluation is known to need, tapered and tuned;
//!   the one that plays;
//! - the **classic** one, [`classic::evaluate`]: the evaluation of the tutorial engine that Tabiya
//!   grew out of, number for number, the yardstick for everything newer.
//!
//! Both return centipawns from the point of view of the side to move, always strictly between
//! `-MATE_IN_MAX_PLY` and `MATE_IN_MAX_PLY`, and both can say how they came to their number:
//! [`trace()`] and [`classic::trace()`].
//!
//! ```
//! use tabiya_eval::{Evaluation, trace};
//! use tabiya_movegen::Position;
//!
//! let position = Position::from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")?;
//! let value = Evaluation::Handcrafted.evaluate(&position);
//! assert_eq!(trace(&position).value, value);
//! # Ok::<(), tabiya_core::FenError>(())
//! ```
//!
//! # Rooms, and what they are called in the guide
//!
//! | room | what it holds | in the guide |
//! |---|---|---|
//! | `score` | [`Score`]: a middle-game and an end-game value in one word | - |
//! | `phase` | [`Phase`]: how much of the middle game is left | the end-game flag |
//! | `weights` | every number of the main evaluation, boards drawn as they are read | piece values, piece-square tables |
//! | `declaration` | how they are declared once, and laid out flat | - |
//! | `squares` | material and boards joined into one table at compile time | piece-square table |
//! | `distance`, `numbers` | steps between squares; how many pieces of each kind there are | - |
//! | `attack_map` | who attacks what, gathered once | attack boards |
//! | `terms/...` | one room for each term: pawns, shelter, pieces, danger, threats, passed pawns, space, ... | piece evaluation |
//! | `pawn_cache` | what was found out about pawns | - |
//! | `processor` | the same code, compiled for processors that count bits | - |
//! | `endgame/...` | known results, and advantages that cannot be won with | insufficient material |
//! | `main_evaluation` | [`evaluate`] and [`HandcraftedEvaluator`]: all of it put together | board evaluation |
//! | `tracer`, `trace` | the same code, listened to: [`trace()`], and the tuner's coefficients | - |
//! | [`classic`] | the guide's evaluation itself | piece values and action values, valid moves with attack boards, piece evaluation, board evaluation |
//!
//! # Features
//!
//! - `tuning`: `tuning`, all weights as a flat list with names, and each position as coefficients, for a
//!   trainer.

#![deny(missing_docs)]

mod attack_map;
pub mod classic;
mod declaration;
mod dirty_pieces;
mod distance;
mod endgame;
mod evaluate;
mod evaluation;
mod main_evaluation;
mod numbers;
mod pawn_cache;
mod phase;
mod picture;
mod processor;
mod score;
mod side;
mod squares;
mod terms;
mod trace;
mod tracer;
#[cfg(feature = "tuning")]
pub mod tuning;
mod weights;

pub use dirty_pieces::DirtyPieces;
pub use evaluate::Evaluate;
pub use evaluation::{Evaluation, ParseEvaluationError};
pub use main_evaluation::{HandcraftedEvaluator, evaluate};
pub use phase::Phase;
pub use score::Score;
pub use trace::{TermTrace, Trace, WeightTrace, trace};
pub use weights::Term;

/// Tests what the README shows.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
