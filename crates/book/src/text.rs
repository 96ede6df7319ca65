//! Books as text.

use crate::{BookError, BookMove, LineProblem, TextProblem};
use std::collections::HashMap;
use tabiya_core::{Epd, Key, Move};
use tabiya_movegen::Position;

/// A book in memory that came from text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextBook {
    replies: HashMap<Key, Vec<BookMove>>,
}

impl TextBook {
    /// Reads a position and its reply from each line. Empty lines, and those that begin with `#`, are
    /// passed over.
    ///
    /// A line is either a pair of FENs, before the reply and after, with `->` between them, or a position in
    /// EPD with one or more replies as `bm`. The same pair given again makes the reply more frequent.
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
    /// If a line cannot be understood.
    pub fn parse(text: &str) -> Result<TextBook, BookError> {
        let mut book = TextBook::default();
        for (number, line) in lines(text) {
            let read = match line.split_once("->") {
                Some((before, after)) => book.add_pair(before.trim(), after.trim()),
                None => book.add_epd(line),
            };
            read.map_err(|problem| BookError::Line(LineProblem { line: number, problem }))?;
        }
        Ok(book)
    }

    /// Reads lines of moves from the start position: `e4 e5 Nf3`. Every position of a line gets the move
    /// that follows as its reply, once for each line that has it. Numbers of moves, and what follows a `;`, are
    /// passed over, as are empty lines and those that begin with `#`.
    ///
    /// # Errors
    /// If a move cannot be played.
    pub fn from_lines(text: &str) -> Result<TextBook, BookError> {
        let mut book = TextBook::default();
        for (number, line) in lines(text) {
            let mut position = Position::startpos();
            let moves = line.split(';').next().unwrap_or_default();
            for word in moves.split_whitespace().filter(|word| !word.ends_with('.')) {
                let mv = position.parse_san(word).map_err(|error| {
                    let problem = TextProblem::Move { text: word.to_owned(), error };
                    BookError::Line(LineProblem { line: number, problem })
                })?;
                book.add(&position, mv);
                position.play_unchecked(mv);
            }
        }
        Ok(book)
    }

    /// Adds a reply, or makes it more frequent. The move must be legal.
    fn add(&mut self, position: &Position, mv: Move) {
        let replies = self.replies.entry(position.key()).or_default();
        match replies.iter_mut().find(|reply| reply.mv == mv) {
            Some(reply) => reply.weight = reply.weight.saturating_add(1),
            None => replies.push(BookMove { mv, weight: 1 }),
        }
    }

    fn add_pair(&mut self, before: &str, after: &str) -> Result<(), TextProblem> {
        let before = Position::from_fen(before).map_err(TextProblem::Fen)?;
        let after = Position::from_fen(after).map_err(TextProblem::Fen)?;
        let mv = before
            .legal_moves()
            .into_iter()
            .find(|&mv| {
                let mut next = before.clone();
                next.play_unchecked(mv);
                // The counters may be left out, and often are wrong.
                next.key() == after.key()
            })
            .ok_or(TextProblem::NoMove)?;
        self.add(&before, mv);
        Ok(())
    }

    fn add_epd(&mut self, line: &str) -> Result<(), TextProblem> {
        let epd: Epd = line.parse().map_err(TextProblem::Epd)?;
        if epd.best_moves().is_empty() {
            return Err(TextProblem::NoReply);
        }
        let moves = epd.best_moves().to_vec();
        let position = Position::from_fen(&epd.board.to_string()).map_err(TextProblem::Fen)?;
        for san in moves {
            let resolved = position.resolve_san(san);
            let mv = resolved.map_err(|error| TextProblem::Move { text: san.to_string(), error })?;
            self.add(&position, mv);
        }
        Ok(())
    }

    /// The replies to a position, in the order they were read.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let replies = self.replies.get(&position.key()).cloned().unwrap_or_default();
        replies.into_iter().filter(|reply| position.is_legal(reply.mv)).collect()
    }

    /// How many pairs of a position and a reply there are.
    pub fn len(&self) -> usize {
        self.replies.values().map(Vec::len).sum()
    }

    /// Is there nothing in it?
    pub fn is_empty(&self) -> bool {
        self.replies.is_empty()
    }
}

/// The lines with something on them, numbered from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}
