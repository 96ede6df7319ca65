//! How moves and games are written: UCI coordinates, standard algebraic notation and PGN.
//!
//! What is here is syntax. Which legal move a text means, and how a move is written in the
//! position it is played in, is resolved by `tabiya-movegen`.

mod annotation;
mod game_result;
mod nag;
mod pgn_error;
mod pgn_game;
#[cfg(feature = "std")]
mod pgn_reader;
#[cfg(feature = "std")]
mod pgn_writer;
mod san;
mod uci_move;

pub use annotation::{Annotation, PgnScore, annotations, without_annotations};
pub use game_result::{GameResult, ParseGameResultError};
pub use nag::{Nag, ParseNagError};
pub use pgn_error::{PgnError, PgnErrorKind, Place};
#[cfg(feature = "std")]
pub use pgn_game::{BrokenGame, PgnGameBuilder, PgnGames, ReadGameError};
pub use pgn_game::{NodeId, PgnGame, PgnNode, SEVEN_TAG_ROSTER};
#[cfg(feature = "std")]
pub use pgn_reader::{CommentToken, Next, PgnReader, PgnVisitor, SanToken, TagToken};
#[cfg(feature = "std")]
pub use pgn_writer::PgnWriter;
pub use san::{ParseSanError, San, SanMove, SanSuffix};
pub use uci_move::{ParseUciMoveError, UciMove};
