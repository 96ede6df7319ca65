//! Opening books: for a position, the moves to play without thinking, and how often each.
//!
//! Three kinds are known:
//! - [Polyglot](PolyglotBook) files (`.bin`), which every chess program reads;
//! - [text](TextBook): a position and its reply on each line, as the guide that Tabiya grew out of has it (two
//!   FENs, before the reply and after), or as EPD with the best moves;
//! - the [main lines](Book::main_lines) of the common openings, our own, which are built in.
//!
//! [`PolyglotBuilder`] makes a book from games.
//!
//! ```
//! use tabiya_movegen::Position;
//! use tabiya_book::Book;
//!
//! let book = Book::main_lines();
//! let start = Position::startpos();
//! assert!(book.moves(&start).iter().any(|reply| start.san(reply.mv).to_string() == "e4"));
//! assert!(book.choose(&start, 12345).is_some());
//! ```

mod builder;
mod error;
mod polyglot;
mod random;
#[cfg(test)]
mod tests;
mod text;

pub use builder::PolyglotBuilder;
pub use error::{BookError, LineProblem, TextProblem};
pub use polyglot::{PolyglotBook, polyglot_key, polyglot_move};
pub use text::TextBook;

use std::fs;
use std::path::Path;
use tabiya_core::Move;
use tabiya_movegen::Position;

/// A reply from a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// A legal move.
    pub mv: Move,
    /// How often it is to be played, compared with the others; 0 is never.
    pub weight: u32,
}

/// A book of any kind.
#[derive(Clone, Debug)]
pub enum Book {
    /// From a Polyglot file.
    Polyglot(PolyglotBook),
    /// From text.
    Text(TextBook),
}

impl Book {
    /// Opens a file: a Polyglot book if its name ends in `.bin`, else text.
    ///
    /// # Errors
    /// If the file cannot be read, or what is in it is no book.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let bytes = fs::read(path).map_err(|error| BookError::Io { path: path.to_owned(), error })?;
        let is_polyglot = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bin"));
        let book = if is_polyglot {
            PolyglotBook::from_bytes(&bytes).map(Book::Polyglot)
        } else {
            let text = String::from_utf8(bytes).map_err(|_| BookError::Encoding { path: path.to_owned() })?;
            TextBook::parse(&text).map(Book::Text)
        };
        book.map_err(|error| BookError::Content { path: path.to_owned(), error: Box::new(error) })
    }

    /// The book that is built in: main lines of the common openings, of our own making.
    pub fn main_lines() -> Book {
        // The text is a part of the program, and the tests read it.
        Book::Text(TextBook::from_lines(include_str!("main_lines.txt")).unwrap_or_default())
    }

    /// The replies to a position, the most frequent first; none where the book does not know it. Never
    /// any in Chess960, whose castling the formats cannot tell apart.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        if !position.has_standard_castling() {
            return Vec::new();
        }
        let mut moves = match self {
            Book::Polyglot(book) => book.moves(position),
            Book::Text(book) => book.moves(position),
        };
        moves.sort_by_key(|reply| std::cmp::Reverse(reply.weight));
        moves
    }

    /// One of the replies, each as often as its weight says: any number decides which.
    pub fn choose(&self, position: &Position, random: u64) -> Option<Move> {
        let moves = self.moves(position);
        let total: u64 = moves.iter().map(|reply| u64::from(reply.weight)).sum();
        // Neighbouring numbers, as clocks give them, are to lead to different moves.
        let mixed = (random ^ (random >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut place = mixed.checked_rem(total)?;
        for reply in moves {
            match place.checked_sub(reply.weight.into()) {
                Some(rest) => place = rest,
                None => return Some(reply.mv),
            }
        }
        None
    }

    /// How many pairs of a position and a reply there are.
    pub fn len(&self) -> usize {
        match self {
            Book::Polyglot(book) => book.len(),
            Book::Text(book) => book.len(),
        }
    }

    /// Is there nothing in it?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
