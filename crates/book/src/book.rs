//! [`Book`]: a book of either format.

use crate::book_move::BookMove;
use crate::error::BookError;
use crate::polyglot::PolyglotBook;
use crate::text::TextBook;
use std::path::Path;
use tabiya_core::{Move, SplitMix64};
use tabiya_files::input;
use tabiya_movegen::Position;

/// The size limit of a book file, in bytes: 1 GiB. The largest published Polyglot books have a few hundred MiB.
const MAX_FILE_SIZE: u64 = 1 << 30;

/// A book of either format, Polyglot or text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Book {
    /// A Polyglot book.
    Polyglot(PolyglotBook),
    /// A book read from text.
    Text(TextBook),
}

impl Book {
    /// Opens a file: a Polyglot book if its extension is `bin`, otherwise text ([`TextBook::parse`]): positions with
    /// replies. A text of lines of moves is read by [`TextBook::from_lines`] instead, and PGN is made into a book by
    /// [`PolyglotBuilder`](crate::PolyglotBuilder).
    ///
    /// # Errors
    /// If the file cannot be read, is not a regular file, is larger than 1 GiB, or is not a valid book.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let bytes = input::read(path, MAX_FILE_SIZE)
            .map_err(|error| BookError::Io { path: path.to_owned(), error })?;
        let is_polyglot = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bin"));
        let book = if is_polyglot {
            PolyglotBook::from_bytes(&bytes).map(Book::Polyglot)
        } else {
            let text = String::from_utf8(bytes).map_err(|_| BookError::Encoding { path: path.to_owned() })?;
            TextBook::parse(&text).map(Book::Text)
        };
        book.map_err(|error| BookError::Content { path: path.to_owned(), error: Box::new(error) })
    }

    /// Returns the built-in book: main lines of the common openings.
    pub fn main_lines() -> Book {
        // A test parses the embedded text.
        Book::Text(TextBook::from_lines(include_str!("main_lines.txt")).unwrap_or_default())
    }

    /// Returns the replies to a position, the most frequent first. Empty if the position is not in the book. A Polyglot book has none for
    /// castling rights that are not those of standard chess, as [`PolyglotBook::moves`] explains.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let mut moves = match self {
            Book::Polyglot(book) => book.moves(position),
            Book::Text(book) => book.moves(position),
        };
        moves.sort_by_key(|reply| std::cmp::Reverse(reply.weight));
        moves
    }

    /// Chooses a reply at random, with probability in proportion to its weight. `random` may be any number, such as the time.
    pub fn choose(&self, position: &Position, random: u64) -> Option<Move> {
        let moves = self.moves(position);
        let total: u64 = moves.iter().map(|reply| u64::from(reply.weight)).sum();
        // Hashed, so that consecutive numbers, such as those of a clock, choose different moves.
        let mut remaining = SplitMix64::hash(random).checked_rem(total)?;
        for reply in moves {
            match remaining.checked_sub(reply.weight.into()) {
                Some(difference) => remaining = difference,
                None => return Some(reply.mv),
            }
        }
        None
    }

    /// Returns the number of pairs of a position and a reply.
    pub fn len(&self) -> usize {
        match self {
            Book::Polyglot(book) => book.len(),
            Book::Text(book) => book.len(),
        }
    }

    /// Returns true if the book has no replies.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
