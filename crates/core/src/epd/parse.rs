//! The EPD parser and its errors.

use super::{Epd, EpdOperand, EpdOperation, EpdRegister};
use crate::notation::{ParseSanError, San};
use crate::quoting::unescape;
use crate::{Board, FenError};
use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// The reason why a text is not an EPD record, with its byte position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EpdError {
    /// The position of the error in the line, in bytes from its start.
    pub position: usize,
    /// The kind of error.
    pub kind: EpdErrorKind,
}

/// The kind of an [`EpdError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EpdErrorKind {
    /// The position is invalid. The byte position in this error is relative to the start of the FEN.
    Fen(FenError),
    /// An operation does not start with a letter.
    InvalidOpcode,
    /// This opcode needs an operand, or one more.
    MissingOperand(&'static str),
    /// This opcode has too many operands.
    UnexpectedOperand(&'static str),
    /// An operand of this opcode is not a move.
    InvalidMove(&'static str, ParseSanError),
    /// The operand of this opcode is not a whole number between these two bounds, inclusive.
    InvalidNumber(&'static str, i64, i64),
    /// A string has no closing quote.
    UnterminatedString,
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid EPD, byte {}: ", self.position)?;
        match self.kind {
            EpdErrorKind::Fen(error) => fmt::Display::fmt(&error, f),
            EpdErrorKind::InvalidOpcode => {
                f.write_str("expected an operation, which starts with a letter, as in bm e4;")
            }
            EpdErrorKind::MissingOperand(opcode) => write!(f, "{opcode} needs another operand"),
            EpdErrorKind::UnexpectedOperand(opcode) => {
                write!(f, "{opcode} has too many operands (a semicolon may be missing)")
            }
            EpdErrorKind::InvalidMove(opcode, error) => {
                write!(f, "invalid move after {opcode}: {error}")
            }
            EpdErrorKind::InvalidNumber(opcode, min, max) => {
                write!(f, "{opcode} needs a whole number from {min} to {max}")
            }
            EpdErrorKind::UnterminatedString => f.write_str("the closing quote is missing"),
        }
    }
}

impl core::error::Error for EpdError {}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(line: &str) -> Result<Epd, EpdError> {
        let line = line.trim_end();
        let (fen, operations) = split(line);
        let start = line.len() - line.trim_start().len();
        let at = line.len() - operations.len();
        let mut cursor = Cursor { line, at, no_more_quotes: false };
        let board = Board::from_fen(fen)
            .map_err(|error| EpdError { position: start + error.position, kind: EpdErrorKind::Fen(error) })?;

        let mut epd = Epd::new(board);
        let mut builder = epd.board.to_builder();
        while let Some(opcode) = cursor.opcode()? {
            match opcode {
                "hmvc" => builder.halfmove_clock = cursor.operands("hmvc").number(0, u16::MAX)?,
                "fmvn" => {
                    let number = cursor.operands("fmvn").number(0, MAX_FULLMOVE_NUMBER)?;
                    builder.fullmove_number = u16::try_from(number).unwrap_or(u16::MAX).max(1);
                }
                _ => epd.operations.push(operation(opcode, &mut cursor)?),
            }
        }
        // The counters do not affect validity, so building cannot fail.
        if let Ok(board) = builder.build() {
            epd.board = board;
        }
        Ok(epd)
    }
}

/// Maximum move number that is read. The board's is limited to `u16::MAX`, as that of a FEN is.
const MAX_FULLMOVE_NUMBER: u32 = 999_999_999;

/// Splits a line into a FEN of four to six fields and the text that follows.
pub(super) fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    let mut end = 0;
    for index in 0..6 {
        let start = line.len() - line[end..].trim_start().len();
        let ends = |c: char| c.is_whitespace() || c == ';';
        let length = line[start..].find(ends).unwrap_or(line.len() - start);
        // An opcode does not start with a digit, so numbers after the first four fields are the counters of a FEN.
        if index >= 4 && !line[start..start + length].bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        end = start + length;
    }
    (line[..end].trim_end(), line[end..].trim_start())
}

/// Parses the operands of `opcode`.
fn operation(opcode: &str, cursor: &mut Cursor<'_>) -> Result<EpdOperation, EpdError> {
    Ok(match opcode {
        "am" => EpdOperation::AvoidMoves(cursor.operands("am").moves()?),
        "bm" => EpdOperation::BestMoves(cursor.operands("bm").moves()?),
        "ce" => EpdOperation::CentipawnEvaluation(cursor.operands("ce").number(i32::MIN, i32::MAX)?),
        "dm" => EpdOperation::DirectMate(cursor.operands("dm").number(0, u32::MAX)?),
        "id" => EpdOperation::Id(cursor.operands("id").text()?),
        _ => match *opcode.as_bytes() {
            [b'c', digit @ b'0'..=b'9'] => {
                EpdOperation::Comment(EpdRegister(digit - b'0'), cursor.operands("").optional_text()?)
            }
            _ => EpdOperation::Other { opcode: opcode.to_owned(), operands: cursor.operands("").raw()? },
        },
    })
}

/// A position in the line.
struct Cursor<'a> {
    line: &'a str,
    at: usize,
    /// True once no quote without a backslash before it follows, so that a line of such strings is read in linear time.
    no_more_quotes: bool,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    fn skip_white_space(&mut self) {
        self.at = self.line.len() - self.rest().trim_start().len();
    }

    /// Consumes everything before the first character for which `ends` is true.
    fn until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(ends).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Consumes the next opcode; `None` at the end of the line.
    fn opcode(&mut self) -> Result<Option<&'a str>, EpdError> {
        self.at =
            self.line.len() - self.rest().trim_start_matches(|c: char| c.is_whitespace() || c == ';').len();
        let position = self.at;
        let opcode = self.until(|c| c.is_whitespace() || matches!(c, ';' | '"'));
        match opcode.chars().next() {
            None if self.rest().is_empty() => Ok(None),
            Some(first) if first.is_ascii_alphabetic() && !opcode.contains(char::is_control) => {
                Ok(Some(opcode))
            }
            _ => Err(EpdError { position, kind: EpdErrorKind::InvalidOpcode }),
        }
    }

    fn operands(&mut self, opcode: &'static str) -> Operands<'_, 'a> {
        Operands { cursor: self, opcode }
    }

    /// Consumes a quoted string, whose opening quote is the next character, and returns it unescaped.
    fn string(&mut self) -> Result<Cow<'a, str>, EpdError> {
        let position = self.at;
        let text = &self.rest()[1..];
        let mut escaped = false;
        let searched = if self.no_more_quotes { "" } else { text };
        for (length, c) in searched.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    self.at += length + 2;
                    return Ok(unescape(Cow::Borrowed(&text[..length])));
                }
                _ => {}
            }
        }
        self.no_more_quotes = true;
        // No closing quote: the last backslash was meant literally, as in `"C:\"`, and the quote after it
        // closes the string.
        match text.find("\\\"") {
            Some(length) => {
                self.at += length + 3;
                Ok(unescape(Cow::Borrowed(&text[..=length])))
            }
            None => Err(EpdError { position, kind: EpdErrorKind::UnterminatedString }),
        }
    }
}

/// The operands of one operation, up to its semicolon.
struct Operands<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    opcode: &'static str,
}

/// One operand; `text` is unescaped if it was quoted.
struct Operand<'a> {
    position: usize,
    text: Cow<'a, str>,
    quoted: bool,
}

impl<'a> Operands<'_, 'a> {
    fn next(&mut self) -> Result<Option<Operand<'a>>, EpdError> {
        let cursor = &mut *self.cursor;
        cursor.skip_white_space();
        if cursor.rest().starts_with(';') || cursor.rest().is_empty() {
            return Ok(None);
        }
        let position = cursor.at;
        let quoted = cursor.rest().starts_with('"');
        let text = if quoted {
            cursor.string()?
        } else {
            Cow::Borrowed(cursor.until(|c| c.is_whitespace() || matches!(c, ';' | '"')))
        };
        // Control characters could write lines of their own, or change a terminal's state.
        let has_control = text.contains(char::is_control);
        let text = if has_control { text.replace(char::is_control, " ").into() } else { text };
        // A word with a space is a string.
        Ok(Some(Operand { position, text, quoted: quoted || has_control }))
    }

    fn required(&mut self) -> Result<Operand<'a>, EpdError> {
        let missing = EpdErrorKind::MissingOperand(self.opcode);
        self.next()?.ok_or(EpdError { position: self.cursor.at, kind: missing })
    }

    /// A whole number between these bounds, the only operand.
    fn number<T: TryFrom<i64> + Into<i64> + Copy>(&mut self, min: T, max: T) -> Result<T, EpdError> {
        let Operand { position, text, .. } = self.required()?;
        let invalid = EpdErrorKind::InvalidNumber(self.opcode, min.into(), max.into());
        let number = text.parse().ok().and_then(|number: i64| T::try_from(number).ok());
        let number = number.ok_or(EpdError { position, kind: invalid })?;
        match self.next()? {
            None => Ok(number),
            Some(Operand { position, .. }) => {
                Err(EpdError { position, kind: EpdErrorKind::UnexpectedOperand(self.opcode) })
            }
        }
    }

    fn san(&self, operand: &Operand<'_>) -> Result<San, EpdError> {
        operand.text.trim_end_matches(',').parse().map_err(|error| EpdError {
            position: operand.position,
            kind: EpdErrorKind::InvalidMove(self.opcode, error),
        })
    }

    fn moves(&mut self) -> Result<Vec<San>, EpdError> {
        let mut moves = Vec::new();
        while let Some(operand) = self.next()? {
            moves.push(self.san(&operand)?);
        }
        Ok(moves)
    }

    /// A string; unquoted words are joined by spaces.
    fn optional_text(&mut self) -> Result<Option<String>, EpdError> {
        let Some(first) = self.next()? else { return Ok(None) };
        let mut text = first.text.into_owned();
        while let Some(operand) = self.next()? {
            text.push(' ');
            text.push_str(&operand.text);
        }
        Ok(Some(text))
    }

    fn text(&mut self) -> Result<String, EpdError> {
        let missing = EpdErrorKind::MissingOperand(self.opcode);
        self.optional_text()?.ok_or(EpdError { position: self.cursor.at, kind: missing })
    }

    /// All operands, uninterpreted.
    fn raw(&mut self) -> Result<Vec<EpdOperand>, EpdError> {
        let mut operands = Vec::new();
        while let Some(Operand { text, quoted, .. }) = self.next()? {
            let text = text.into_owned();
            operands.push(if quoted { EpdOperand::String(text) } else { EpdOperand::Word(text) });
        }
        Ok(operands)
    }
}
