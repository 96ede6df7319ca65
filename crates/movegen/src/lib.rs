//! Which moves are legal: attack tables, legal move generation, positions, games, perft.
//!
//! A [`Position`] is a board that is known to be legal, together with what decides the legality of
//! moves in it: the pieces giving check and the pieces that are pinned. A [`Game`] is a position
//! with the history that repetition and the fifty-move rule need.
//!
//! ```
//! use tabiya_movegen::Position;
//!
//! let position = Position::startpos();
//! assert_eq!(position.legal_moves().len(), 20);
//!
//! let mv = position.parse_san("Nf3")?;
//! let position = position.play(mv)?;
//! assert_eq!(position.to_string(), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod attacks;
mod chess960;
mod game;
mod generate;
mod is_legal;
mod legal_move;
mod legality;
mod outcome;
mod perft;
mod position;
mod queries;
mod replay;
mod replay_error;
mod resolve;
mod tables;

pub use game::Game;
pub use legal_move::{LegalMove, LegalMoves};
pub use outcome::{DrawReason, Outcome, ParseOutcomeError, WinReason};
pub use perft::{perft, perft_divide};
pub use position::{IllegalMove, Position};
pub use replay::{GameVisitor, Replay};
pub use replay_error::{ReplayError, ReplayErrorKind};
pub use resolve::{ResolveSanError, ResolveUciError};
