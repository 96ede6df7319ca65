//! Chess boards, moves and notation, without the rules.
//!
//! This crate stores positions, applies moves to them, and reads and writes positions, moves and games:
//! FEN, EPD, SAN, UCI moves and PGN, of chess and Chess960 and of no other variant. It does not know which moves are legal; the crate `tabiya-movegen`,
//! which builds on it, does.
//!
//! ```
//! use tabiya_core::{Board, Color, Piece, Square};
//!
//! let board: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
//! assert_eq!(board.side_to_move(), Color::White);
//! assert_eq!(board.piece_on(Square::H1), Some(Piece::WhiteRook));
//! assert_eq!(board.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
//! # Ok::<(), tabiya_core::FenError>(())
//! ```
//!
//! | Task | Item |
//! | --- | --- |
//! | Read and write a position | [`Board`] (FEN, X-FEN, Shredder-FEN), `Epd` |
//! | Store a position in 24 bytes, or use it as a key | [`PackedBoard`] |
//! | Set up a position piece by piece, list its errors | [`BoardBuilder`] |
//! | Draw a board as text or picture | [`Board::diagram`], `Board::svg` |
//! | Exchange the colours | [`Board::mirror`] |
//! | Play a move on a board | [`Move`], [`Board::make_move`] |
//! | Work with sets of squares | [`Bitboard`], [`Square`] |
//! | Parse a move | [`San`](notation::San), [`UciMove`](notation::UciMove) |
//! | Read PGN of any size | `PgnReader` in [`notation`] |
//! | Store, edit and write a game in PGN | [`PgnGame`](notation::PgnGame), `PgnWriter` in [`notation`] |
//! | Share a scale of values between evaluation and search | [`Value`], [`Bound`], [`mate_in`], [`is_decisive`] |
//! | Generate reproducible random numbers | [`SplitMix64`] |
//!
//! # Modules
//!
//! - [`notation`]: SAN, UCI moves, PGN.
//! - [`zobrist`]: the numbers from which Zobrist keys are computed.
//!
//! Everything else is at the root of the crate.
//!
//! # Features
//!
//! - `std` (default): PGN streams, which use `std::io`, `pgn` and `epd`. Without it the crate is `no_std` and needs `alloc`.
//! - `epd` (default): EPD records.
//! - `pgn` (default): PGN games in memory; reading and writing their text needs `std`. Without it the crate takes half of the time to compile.
//! - `serde`: [`Serialize`](https://docs.rs/serde) and `Deserialize`, as text (FEN, SAN, square names) in
//!   human-readable formats and as numbers in others. A [`Move`] is text with its kind, as in `e2e4 double-push`, and a
//!   [`PackedBoard`] 48 hexadecimal digits, so that both can be keys of a map. A [`BoardBuilder`] is a struct with its pieces as in a FEN.
//! - `svg`: boards as SVG pictures.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_debug_implementations, missing_docs)]
#![warn(clippy::alloc_instead_of_core, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

extern crate alloc;

mod ascii_buffer;
mod bitboard;
mod board;
mod castling;
mod color;
#[cfg(feature = "epd")]
mod epd;
mod fen;
mod move_list;
mod moves;
pub mod notation;
mod parse_error;
mod piece;
#[cfg(feature = "epd")]
mod quoting;
mod random;
#[cfg(feature = "serde")]
mod serialization;
mod square;
mod value;
pub mod zobrist;

pub use bitboard::{Bitboard, BitboardIter, ParseBitboardError};
pub use board::{
    Board, BoardBuilder, BoardError, BoardObserver, NoObserver, PackedBoard, TextDiagram, UnpackError,
};
#[cfg(feature = "svg")]
pub use board::{PIECE_SYMBOLS, SvgDiagram};
pub use castling::{CastlingRights, CastlingSide, ParseCastlingRightsError, ParseCastlingSideError};
pub use color::{Color, ParseColorError};
#[cfg(feature = "epd")]
pub use epd::{Epd, EpdError, EpdErrorKind, EpdOperand, EpdOperation, EpdRegister};
pub use fen::{FenError, FenErrorKind, FenField};
pub use move_list::{MoveList, MoveListIter};
pub use moves::{Move, MoveKind, ParseMoveKindError};
pub use piece::{ParsePieceError, ParsePieceTypeError, Piece, PieceType};
pub use random::SplitMix64;
pub use square::{File, ParseFileError, ParseRankError, ParseSquareError, Rank, Square};
pub use value::{
    Bound, INFINITE, KNOWN_WIN, MATE, MATE_IN_MAX_PLY, MAX_PLY, TB_WIN, TB_WIN_IN_MAX_PLY, VALUE_DRAW, Value,
    is_decisive, is_loss, is_win, mate_in, mated_in,
};
pub use zobrist::Key;

/// Runs the examples of the README as doctests.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
