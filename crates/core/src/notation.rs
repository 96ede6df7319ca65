//! Notation for moves and games: SAN, UCI moves and PGN.
//!
//! This module covers syntax only. `tabiya-movegen` finds the legal move that a text denotes, and the
//! notation of a legal move in its position.
//!
//! - Moves: [`San`] (Standard Algebraic Notation) and [`UciMove`].
//! - Games in memory: [`PgnGame`], a tree of moves with variations, comments and glyphs ([`Nag`]).
//! - Reading Portable Game Notation: [`PgnReader`] streams a text of any size to a [`PgnVisitor`], or yields a [`PgnGame`] per
//!   game with [`PgnReader::games`].
//! - Writing PGN: [`PgnWriter`].
//! - Commands in comments, such as `[%clk 0:05:00]`: [`annotations`].

#[cfg(feature = "pgn")]
mod annotation;
#[cfg(feature = "std")]
mod broken;
mod decode;
mod game_result;
mod nag;
#[cfg(feature = "pgn")]
mod pgn_error;
#[cfg(feature = "pgn")]
mod pgn_game;
#[cfg(feature = "std")]
mod pgn_reader;
#[cfg(feature = "std")]
mod pgn_writer;
mod san;
#[cfg(feature = "pgn")]
mod tags;
mod uci_move;

#[cfg(feature = "pgn")]
pub use annotation::{Annotation, PgnScore, annotations, without_annotations};
#[cfg(feature = "std")]
pub use broken::Broken;
pub use decode::decode;
pub use game_result::{GameResult, ParseGameResultError};
pub use nag::{Nag, ParseNagError};
#[cfg(feature = "pgn")]
pub use pgn_error::{Excerpt, Location, PgnError, PgnErrorKind};
#[cfg(feature = "std")]
pub use pgn_game::{BrokenPgnGame, PgnGameBuilder, PgnGames, ReadGameError};
#[cfg(feature = "pgn")]
pub use pgn_game::{NodeId, PgnGame, PgnNode};
#[cfg(feature = "std")]
pub use pgn_reader::{CommentToken, Next, PgnReader, PgnVisitor, SanToken, TagToken};
#[cfg(feature = "std")]
pub use pgn_writer::PgnWriter;
pub use san::{ParseSanError, San, SanMove, SanSuffix};
#[cfg(feature = "pgn")]
pub use tags::{SEVEN_TAG_ROSTER, TagError};
pub use uci_move::{ParseUciMoveError, UciMove};
