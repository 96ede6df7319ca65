//! Text books: positions with replies, or lines of moves.

use crate::book_move::BookMove;
use crate::error::{BookError, LineError, LineErrorKind};
use std::collections::HashMap;
use tabiya_core::{Epd, Key, Move};
use tabiya_movegen::Position;

/// A book read from text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextBook {
    /// At least one reply for each position, each reply once.
    pub(super) replies: HashMap<Key, Vec<BookMove>>,
}

impl TextBook {
    /// Parses a position and its replies from each line. Empty lines and lines that begin with `#` are skipped.
    ///
    /// A line is either an EPD position with one or more replies as the operation `bm`, or two FENs, before and after the reply, with
    /// `->` between them. Each repetition of a reply adds 1 to its weight. [`from_lines`](TextBook::from_lines) reads lines of moves.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    /// use tabiya_book::TextBook;
    ///
    /// let book = TextBook::parse("\
    /// rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4;
    /// rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -> \
    /// rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
    /// ")?;
    /// let replies = book.moves(&Position::startpos());
    /// assert_eq!(replies.len(), 2);
    /// assert_eq!(replies.iter().map(|reply| reply.weight).max(), Some(2));
    /// # Ok::<(), tabiya_book::BookError>(())
    /// ```
    ///
    /// # Errors
    /// If a line is invalid.
    pub fn parse(text: &str) -> Result<TextBook, BookError> {
        let mut book = TextBook::default();
        for (number, line) in lines(text) {
            let result = match line.split_once("->") {
                // An arrow in the text of an EPD operation follows a quotation mark.
                Some((before, after)) if !before.contains('"') => book.add_pair(before.trim(), after.trim()),
                _ => book
                    .add_epd(line)
                    .map_err(|error| if is_game(line) { LineErrorKind::Moves } else { error }),
            };
            result.map_err(|kind| BookError::Line(LineError { line: number, kind }))?;
        }
        Ok(book)
    }

    /// Parses lines of SAN moves from the start position, such as `e4 e5 Nf3`.
    ///
    /// Each move of a line is a reply to the position before it, weighted by the number of lines that have it. Move numbers, text after
    /// a `;`, empty lines and lines that begin with `#` are skipped.
    ///
    /// # Errors
    /// If a move is illegal, ambiguous or malformed.
    pub fn from_lines(text: &str) -> Result<TextBook, BookError> {
        let mut book = TextBook::default();
        for (number, line) in lines(text) {
            let mut position = Position::startpos();
            let moves = line.split(';').next().unwrap_or_default();
            for word in moves.split_whitespace().map(without_number).filter(|word| !word.is_empty()) {
                let mv = position.parse_san(word).map_err(|error| {
                    let kind = LineErrorKind::Move { text: word.to_owned(), error };
                    BookError::Line(LineError { line: number, kind })
                })?;
                book.add(&position, mv);
                position.play_unchecked(mv);
            }
        }
        Ok(book)
    }

    /// Adds a reply, or adds 1 to its weight. The move must be legal.
    fn add(&mut self, position: &Position, mv: Move) {
        let replies = self.replies.entry(position.key()).or_default();
        match replies.iter_mut().find(|reply| reply.mv == mv) {
            Some(reply) => reply.weight = reply.weight.saturating_add(1),
            None => replies.push(BookMove { mv, weight: 1 }),
        }
    }

    fn add_pair(&mut self, before: &str, after: &str) -> Result<(), LineErrorKind> {
        let before = Position::from_fen(before).map_err(LineErrorKind::Fen)?;
        let after = Position::from_fen(after).map_err(LineErrorKind::Fen)?;
        let mv = before
            .legal_moves()
            .into_iter()
            .find(|&mv| {
                let mut next = before.clone();
                next.play_unchecked(mv);
                // Compare keys: the move counters may be missing or wrong.
                next.key() == after.key()
            })
            .ok_or(LineErrorKind::NoMove)?;
        self.add(&before, mv);
        Ok(())
    }

    fn add_epd(&mut self, line: &str) -> Result<(), LineErrorKind> {
        let epd: Epd = line.parse().map_err(LineErrorKind::Epd)?;
        if epd.best_moves().is_empty() {
            return Err(LineErrorKind::NoReply);
        }
        let position = Position::from_fen(&epd.board.to_string()).map_err(LineErrorKind::Fen)?;
        for &san in epd.best_moves() {
            let resolved = position.resolve_san(san);
            let mv = resolved.map_err(|error| LineErrorKind::Move { text: san.to_string(), error })?;
            self.add(&position, mv);
        }
        Ok(())
    }

    /// Returns the replies to a position, in the order of the text.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let replies = self.replies.get(&position.key()).cloned().unwrap_or_default();
        replies.into_iter().filter(|reply| position.is_legal(reply.mv)).collect()
    }

    /// Returns the number of pairs of a position and a reply.
    pub fn len(&self) -> usize {
        self.replies.values().map(Vec::len).sum()
    }

    /// Returns true if the book has no replies.
    pub fn is_empty(&self) -> bool {
        self.replies.is_empty()
    }
}

/// Returns true for a tag of a PGN, and for text that starts with a legal first move of a game.
fn is_game(line: &str) -> bool {
    let start = Position::startpos();
    let first = line.split_whitespace().map(without_number).find(|word| !word.is_empty());
    let is_move = |word: &str| start.parse_san(word).is_ok() || start.parse_uci(word).is_ok();
    line.starts_with('[') || first.is_some_and(is_move)
}

/// Returns the word without a move number before it, as in `1.e4` or `1...e5`.
fn without_number(word: &str) -> &str {
    match word.split_once('.') {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            rest.trim_start_matches('.')
        }
        _ => word,
    }
}

/// Returns the lines that are neither empty nor comments, numbered from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}
