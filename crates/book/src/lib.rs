//! Chess opening books: Polyglot files, books as text, and a built-in book of main lines.
//!
//! ```
//! use tabiya_book::Book;
//! use tabiya_movegen::Position;
//!
//! let book = Book::main_lines();
//! let start = Position::startpos();
//! assert!(book.moves(&start).iter().any(|reply| start.san(reply.mv).to_string() == "e4"));
//! assert!(book.choose(&start, 12345).is_some());
//! ```
//!
//! | Task | Item |
//! | --- | --- |
//! | Open a file of either format, or the built-in book | [`Book::open`], [`Book::main_lines`] |
//! | List the replies to a position, or choose one by weight | [`Book::moves`], [`Book::choose`] |
//! | Read a Polyglot file (`.bin`) | [`PolyglotBook`] |
//! | Read positions with replies (EPD, or FEN pairs), or lines of moves | [`TextBook`] |
//! | Make a Polyglot file from games | [`PolyglotBuilder`] |
//! | List the entries of Polyglot files, merge them, write own weights | [`PolyglotEntry`] |
//! | Compute keys and moves of the Polyglot format | [`polyglot_key`], [`polyglot_move`] |
//! | Name the opening of a game (feature `opening-names`) | `Opening` |
//!
//! Polyglot books are for standard chess: a position with castling rights of Chess960 has no replies in them.
//!
//! # Features
//!
//! - `opening-names`: the names of openings.
//! - `serde`: `Serialize` and `Deserialize` for books and their moves, and `Serialize` for openings.

#![deny(missing_debug_implementations, missing_docs)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod book;
mod book_move;
mod builder;
mod error;
#[cfg(feature = "opening-names")]
mod opening;
mod polyglot;
mod random;
#[cfg(feature = "serde")]
mod serialization;
#[cfg(test)]
mod tests;
mod text;

pub use book::Book;
pub use book_move::BookMove;
pub use builder::PolyglotBuilder;
pub use error::{BookError, LineError, LineErrorKind};
#[cfg(feature = "opening-names")]
pub use opening::Opening;
pub use polyglot::{PolyglotBook, PolyglotEntry, polyglot_key, polyglot_move};
pub use text::TextBook;

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
