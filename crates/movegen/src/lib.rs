//! Legal chess moves: attack tables, move generation, positions, games and game trees, SEE and perft.
//! Standard chess, Chess960 and double Chess960 are supported throughout; other variants are not, and PGN games of
//! other variants are reported as such.
//!
//! A [`Position`] is a board that is known to be legal, together with its checkers and pinned pieces. A
//! [`Game`] is a position with the history that the repetition and fifty-move rules need. Boards, moves,
//! FEN, SAN and PGN syntax come from [`tabiya_core`].
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
//!
//! | Task | Items |
//! | --- | --- |
//! | generate legal moves | [`Position::legal`], or [`Position::legal_moves`] in performance-critical code |
//! | generate captures, or the moves of one piece | [`Position::moves`] with a [`Filter`] |
//! | receive moves without a list | [`Position::generate`], [`Sink`] |
//! | parse and write moves | [`Position::parse_san`], [`Position::parse_uci`], [`Position::san`] |
//! | find attacks, pins and checks | [`Position::attackers`], [`Position::blockers`], [`Position::gives_check`], [`CheckInfo`], [`Threats`], [`attacks`] |
//! | evaluate exchanges (SEE) | [`see`] |
//! | read a position or moves as people copy them | `Position::from_text`, `Game::from_text` |
//! | play a game with draw rules and results | [`Game`], [`Outcome`] |
//! | parse, walk, edit and write a game with variations | [`GameTree`] |
//! | merge games into one tree, with counts | [`GameTree::merge`], [`MergedGames`] |
//! | stream through a PGN file | `Replay`, `GameVisitor` |
//! | set up Chess960 | [`Position::chess960`], [`Position::double_chess960`] |
//! | count the leaves of the game tree | [`perft`](perft()) |
//!
//! For tasks that you know from another library, see the page "coming from shakmaty, cozy-chess, python-chess": the module
//! `coming_from` of this documentation.
//!
//! # Features
//!
//! - `std` (default): parsing games from a stream, `pgn` and `text`. Without it the crate is `no_std` and needs `alloc`.
//! - `pgn` (default): games from PGN in memory and back, and game trees; their text needs `std`. Without it the crate takes half of the time to compile.
//! - `text` (default): positions and games from text as people copy it, EPD among it.
//! - `serde`: [`Serialize`](https://docs.rs/serde) and `Deserialize` for positions (as FEN), games (as start
//!   position, SAN moves and outcome), game trees (as PGN), outcomes, filters, piece values, and the types of `tabiya-core`.
//! - `svg`: `Board::svg` of `tabiya-core`.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_debug_implementations, missing_docs)]
#![warn(clippy::alloc_instead_of_core, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

extern crate alloc;

mod after;
pub mod attacks;
mod check_info;
mod chess960;
mod count;
/// The same tasks with shakmaty, cozy-chess, python-chess and Tabiya.
#[cfg(any(doc, doctest))]
#[doc = include_str!("coming_from.md")]
pub mod coming_from {}
mod filter;
#[cfg(feature = "text")]
mod from_text;
mod game;
mod game_counts;
#[cfg(feature = "pgn")]
mod game_tree;
mod generate;
mod is_legal;
mod legal_move;
mod legality;
mod outcome;
mod perft;
mod position;
mod queries;
#[cfg(feature = "std")]
mod replay;
#[cfg(feature = "pgn")]
mod replay_error;
mod resolve;
pub mod see;
#[cfg(feature = "serde")]
mod serialization;
mod tables;
mod threats;
#[cfg(feature = "pgn")]
mod variant;

pub use check_info::CheckInfo;
pub use filter::Filter;
#[cfg(feature = "text")]
pub use from_text::{TextError, TextNote};
pub use game::Game;
#[cfg(feature = "std")]
pub use game::{BrokenGame, GameBuilder};
pub use game_counts::GameCounts;
#[cfg(feature = "std")]
pub use game_tree::{BrokenGameTree, GameTreeBuilder};
#[cfg(feature = "pgn")]
pub use game_tree::{GameNode, GameTree, MergeError, MergedGames};
pub use generate::{Sink, pawn_origin};
pub use legal_move::{LegalMove, LegalMoves};
pub use outcome::{DrawReason, Outcome, ParseOutcomeError, WinReason};
pub use perft::{perft, perft_divide};
pub use position::{IllegalMove, Position};
#[cfg(feature = "std")]
pub use replay::{GameVisitor, Replay};
#[cfg(feature = "pgn")]
pub use replay_error::{ReplayError, ReplayErrorKind};
pub use resolve::{ResolveSanError, ResolveUciError};
pub use threats::Threats;

/// Runs the README's examples as doc tests.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
