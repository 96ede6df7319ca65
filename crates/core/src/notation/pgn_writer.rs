//! [`PgnWriter`]: writes games in PGN export format.

use crate::Color;
use crate::notation::tags::{SEVEN_TAG_ROSTER, Tags, check_tag_name};
use crate::notation::{GameResult, Nag, San};
use crate::quoting::Quoted;
use core::fmt::Write as _;
use std::io::{self, Write};

/// The maximum line width: the standard allows fewer than 80 characters.
const LINE_WIDTH: usize = 79;

/// Writes games in PGN export format, one element at a time.
///
/// For each game, write the tags in any order, then moves, glyphs, comments and variations in the order of
/// the text, then call [`finish`](PgnWriter::finish). The writer sorts the tags, numbers the moves, and
/// breaks lines before the 80th character. It does not check that the moves are legal.
///
/// ```
/// use tabiya_core::notation::{GameResult, Nag, PgnWriter};
///
/// let mut pgn = PgnWriter::new(Vec::new());
/// pgn.write_tag("White", "Anderssen")?;
/// pgn.write_move("e4".parse()?)?;
/// pgn.write_nag(Nag::GOOD_MOVE)?;
/// pgn.begin_variation()?;
/// pgn.write_move("d4".parse()?)?;
/// pgn.end_variation()?;
/// pgn.write_move("e5".parse()?)?;
/// pgn.write_comment("and so on")?;
/// pgn.finish(GameResult::Unknown)?;
/// let text = String::from_utf8(pgn.into_inner())?;
/// assert!(text.contains("[White \"Anderssen\"]\n[Black \"?\"]\n[Result \"*\"]\n\n"));
/// assert!(text.ends_with("\n1. e4 $1 (1. d4) 1... e5 { and so on } *\n\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PgnWriter<W: Write> {
    out: W,
    /// The tags of the game, collected until the movetext begins.
    tags: Tags,
    in_moves: bool,
    /// The number and side of the next move.
    next: Turn,
    /// The number and side of the last move.
    previous: Turn,
    /// True if a move by Black needs its number, because it starts a line or follows an annotation.
    number_due: bool,
    /// For each open variation, `previous` and `next` of the line it interrupts.
    interrupted: Vec<(Turn, Turn)>,
    /// The number of characters on the current line.
    column: usize,
    /// The last word, held back because a closing parenthesis may have to be appended to it.
    word: String,
    /// The number of opening parentheses to write before the next word.
    opening: usize,
}

/// A move number and the side that makes the move.
#[derive(Clone, Copy, Debug)]
struct Turn {
    number: u16,
    color: Color,
}

impl Turn {
    const FIRST: Turn = Turn { number: 1, color: Color::White };

    fn next(self) -> Turn {
        match self.color {
            Color::White => Turn { color: Color::Black, ..self },
            Color::Black => Turn { color: Color::White, number: self.number.saturating_add(1) },
        }
    }

    /// The side to move and move number of a FEN, with defaults for missing fields.
    fn from_fen(fen: &str) -> Turn {
        // Control characters will be written as spaces, so treat them as such here.
        let mut fields = fen.split(|c: char| c == ' ' || c.is_control()).filter(|field| !field.is_empty());
        let color = if fields.nth(1) == Some("b") { Color::Black } else { Color::White };
        let number: Option<u32> = fields.nth(3).and_then(|text| text.parse().ok());
        // Limited as that of a board.
        let number = number.map_or(1, |number| u16::try_from(number).unwrap_or(u16::MAX).max(1));
        Turn { color, number }
    }
}

impl<W: Write> PgnWriter<W> {
    /// Creates a writer to `out`, which should be buffered because the writes are small.
    pub fn new(out: W) -> PgnWriter<W> {
        PgnWriter {
            out,
            tags: Tags::new(),
            in_moves: false,
            next: Turn::FIRST,
            previous: Turn::FIRST,
            number_due: true,
            interrupted: Vec::new(),
            column: 0,
            word: String::new(),
            opening: 0,
        }
    }

    /// Sets a tag of the game that is being written; a second value for a tag replaces the first.
    ///
    /// The tags are written before the first move: the Seven Tag Roster, with `?` for missing values, then
    /// the others in alphabetical order. The tag `FEN` determines the number and side of the first move.
    ///
    /// # Errors
    /// Returns an error of kind `InvalidInput` if the name is empty or contains white space, a quote, a
    /// bracket or a control character, or if the movetext of the game has begun.
    pub fn write_tag(&mut self, name: &str, value: &str) -> io::Result<()> {
        check_tag_name(name).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        if self.in_moves {
            let message = format!("cannot write the tag {name}: the movetext of the game has begun");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        if name == "FEN" {
            self.next = Turn::from_fen(value);
            self.previous = self.next;
        }
        self.tags.set(name, value);
        Ok(())
    }

    /// Writes a move of the side to move.
    ///
    /// # Errors
    /// Returns the errors of the underlying writer.
    pub fn write_move(&mut self, san: San) -> io::Result<()> {
        self.begin_moves()?;
        let Turn { number, color } = self.next;
        match color {
            Color::White => self.write_word(format_args!("{number}."))?,
            Color::Black if self.number_due => self.write_word(format_args!("{number}..."))?,
            Color::Black => {}
        }
        self.write_word(format_args!("{san}"))?;
        self.number_due = false;
        self.previous = self.next;
        self.next = self.next.next();
        Ok(())
    }

    /// Writes a numeric annotation glyph for the last move, such as `$1`.
    ///
    /// # Errors
    /// Returns the errors of the underlying writer.
    pub fn write_nag(&mut self, nag: Nag) -> io::Result<()> {
        self.begin_moves()?;
        self.write_word(format_args!("{nag}"))
    }

    /// Writes a comment after the last move, or before the first move of a line.
    ///
    /// Braces become parentheses, because no comment in braces can contain them and some programs do not know comments after
    /// semicolons. A line break becomes an empty line, which [`PgnReader`](super::PgnReader) reads as a line break; other programs
    /// read both as white space. Other control characters become spaces. An empty comment is omitted.
    ///
    /// # Errors
    /// Returns the errors of the underlying writer.
    pub fn write_comment(&mut self, text: &str) -> io::Result<()> {
        self.begin_moves()?;
        let text = writable_comment(text);
        let text = text.trim_matches([' ', '\n']);
        if text.is_empty() {
            return Ok(());
        }
        let mut lines = text.split('\n').map(|line| line.trim_matches(' ')).peekable();
        let mut before = "{ ";
        while let Some(line) = lines.next() {
            if line.is_empty() {
                self.break_line()?;
                continue;
            }
            let mut words = breakable_words(line).peekable();
            while let Some(word) = words.next() {
                let is_last = words.peek().is_none() && lines.peek().is_none();
                let after = if is_last { " }" } else { "" };
                self.write_word(format_args!("{before}{word}{after}"))?;
                before = "";
            }
            if let Some(next) = lines.peek() {
                self.flush_word()?;
                self.break_line()?;
                self.break_line()?;
                // With a space before it, this has no special meaning at the start of a line.
                before = if is_special_at_line_start(next) { " " } else { "" };
            }
        }
        self.number_due = true;
        Ok(())
    }

    /// Begins a variation: an alternative to the last move.
    ///
    /// # Errors
    /// Returns the errors of the underlying writer.
    pub fn begin_variation(&mut self) -> io::Result<()> {
        self.begin_moves()?;
        self.interrupted.push((self.previous, self.next));
        self.next = self.previous;
        self.opening += 1;
        self.number_due = true;
        Ok(())
    }

    /// Ends the variation and returns to the line it interrupted. Does nothing if no variation is open.
    ///
    /// # Errors
    /// Returns the errors of the underlying writer.
    pub fn end_variation(&mut self) -> io::Result<()> {
        let Some((previous, next)) = self.interrupted.pop() else { return Ok(()) };
        if self.opening > 0 {
            // The variation is empty: omit it.
            self.opening -= 1;
        } else if self.word.is_empty() {
            self.write_word(format_args!(")"))?;
        } else {
            self.word.push(')');
        }
        (self.previous, self.next) = (previous, next);
        self.number_due = true;
        Ok(())
    }

    /// Ends the game: closes its variations and writes the result and an empty line. The result should be
    /// that of the tag `Result`.
    ///
    /// # Errors
    /// Returns the errors of the underlying writer.
    pub fn finish(&mut self, result: GameResult) -> io::Result<()> {
        self.begin_moves()?;
        while !self.interrupted.is_empty() {
            self.end_variation()?;
        }
        self.write_word(format_args!("{result}"))?;
        self.flush_word()?;
        self.break_line()?;
        self.out.write_all(b"\n")?;
        self.in_moves = false;
        (self.previous, self.next) = (Turn::FIRST, Turn::FIRST);
        self.number_due = true;
        Ok(())
    }

    /// Flushes the underlying writer. Part of an unfinished game may remain buffered in this writer.
    ///
    /// # Errors
    /// Returns the errors of the underlying writer.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Returns the underlying writer.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Writes the tags, unless the movetext has already begun.
    fn begin_moves(&mut self) -> io::Result<()> {
        if self.in_moves {
            return Ok(());
        }
        self.in_moves = true;
        let tags = core::mem::take(&mut self.tags);
        for (name, unknown) in SEVEN_TAG_ROSTER {
            writeln!(self.out, "[{name} {}]", Quoted(tags.get(name).unwrap_or(unknown)))?;
        }
        let is_other = |name: &str| SEVEN_TAG_ROSTER.iter().all(|(roster, _)| *roster != name);
        let mut others: Vec<_> = tags.entries().iter().filter(|(name, _)| is_other(name)).collect();
        others.sort_unstable();
        for (name, value) in others {
            writeln!(self.out, "[{name} {}]", Quoted(value))?;
        }
        self.out.write_all(b"\n")
    }

    /// Writes the word that was held back, and holds back this one.
    fn write_word(&mut self, text: core::fmt::Arguments<'_>) -> io::Result<()> {
        self.flush_word()?;
        for _ in 0..core::mem::take(&mut self.opening) {
            self.word.push('(');
        }
        // Writing to a string cannot fail.
        let _ = self.word.write_fmt(text);
        Ok(())
    }

    fn flush_word(&mut self) -> io::Result<()> {
        if self.word.is_empty() {
            return Ok(());
        }
        let width = self.word.chars().count();
        if self.column > 0 {
            if self.column + 1 + width > LINE_WIDTH {
                self.break_line()?;
            } else {
                self.out.write_all(b" ")?;
                self.column += 1;
            }
        }
        self.out.write_all(self.word.as_bytes())?;
        self.column += width;
        self.word.clear();
        Ok(())
    }

    fn break_line(&mut self) -> io::Result<()> {
        self.column = 0;
        self.out.write_all(b"\n")
    }
}

/// The text of a comment with line feeds as its only control characters, and without braces.
fn writable_comment(text: &str) -> String {
    let writable = |c: char| match c {
        '\n' | '\r' => '\n',
        '{' => '(',
        '}' => ')',
        _ if c.is_control() => ' ',
        _ => c,
    };
    text.replace("\r\n", "\n").chars().map(writable).collect()
}

/// Returns true if the text has a special meaning at the start of a line: `%` starts an escape, and `[` a tag unless it
/// starts a command.
fn is_special_at_line_start(text: &str) -> bool {
    text.starts_with('%') || text.starts_with('[') && !text.starts_with("[%")
}

/// Splits a comment where a line may be broken.
///
/// Only single spaces are used, because a reader turns a line break and the white space around it into one
/// space. A break must not precede text that has a special meaning at the start of a line.
fn breakable_words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    core::iter::from_fn(move || {
        let current = rest?;
        let bytes = current.as_bytes();
        let at = (1..bytes.len().saturating_sub(1)).find(|&at| {
            bytes[at] == b' '
                && bytes[at - 1] != b' '
                && bytes[at + 1] != b' '
                && !is_special_at_line_start(&current[at + 1..])
        });
        match at {
            Some(at) => {
                rest = Some(&current[at + 1..]);
                Some(&current[..at])
            }
            None => {
                rest = None;
                Some(current)
            }
        }
    })
}
