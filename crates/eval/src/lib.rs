//! What a chess position is worth.
//!
//! Two evaluations stand side by side and can be exchanged at run time ([`Evaluation`]):
//!
//! - the **main** one, [`evaluate`]: tapered material and piece-square values, the one that plays;
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
//! let value = Evaluation::Main.evaluate(&position);
//! assert_eq!(trace(&position).value, value);
//! # Ok::<(), tabiya_core::FenError>(())
//! ```
//!
//! # Rooms, and what they are called in the guide
//!
//! | room | what it holds | in the guide |
//! |---|---|---|
//! | `value` | [`Value`], mate values, limits | the signed board score |
//! | `score` | [`Score`]: a middle-game and an end-game value in one word | - |
//! | `phase` | [`Phase`]: how much of the middle game is left | the end-game flag |
//! | `weights` | every number of the main evaluation, boards drawn as they are read | piece values, piece-square tables |
//! | `psqt` | material and boards joined into one table at compile time | piece-square table |
//! | `endgame` | advantages that cannot be won with | insufficient material |
//! | `tapered`, `trace` | [`evaluate`] and [`trace()`] | chess board evaluation |
//! | [`classic`] | the guide's evaluation itself | piece values and action values, valid moves with attack boards, piece evaluation, board evaluation |

pub mod classic;
mod endgame;
mod evaluation;
mod phase;
mod picture;
mod psqt;
mod score;
mod tapered;
mod trace;
mod value;
mod weights;

pub use evaluation::{Evaluate, Evaluation, ParseEvaluationError};
pub use phase::Phase;
pub use score::Score;
pub use tapered::evaluate;
pub use trace::{Term, TermTrace, Trace, trace};
pub use value::{INFINITE, MATE, MATE_IN_MAX_PLY, MAX_PLY, VALUE_DRAW, Value, mate_in, mated_in};
