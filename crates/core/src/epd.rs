//! Reads and writes Extended Position Description (EPD).

mod parse;

pub use parse::{EpdError, EpdErrorKind};

use crate::Board;
use crate::notation::San;
use crate::quoting::Quoted;
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A position with annotations: one line of an EPD (Extended Position Description) file.
///
/// The first four fields of a FEN are followed by operations, each an opcode with operands and a semicolon.
/// The opcodes `hmvc` and `fmvn` are the counters of the board: they are read into [`Epd::board`], do not appear in
/// [`Epd::operations`], and are written by [`Epd::with_counters`] only.
///
/// Parsing is lenient: the record may start with a FEN of six fields; the last semicolon may be missing and
/// extra ones are ignored; strings need quotes only if they contain a semicolon.
///
/// ```
/// use tabiya_core::Epd;
///
/// let line = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";";
/// let epd: Epd = line.parse()?;
/// assert_eq!(epd.best_moves().len(), 1);
/// assert_eq!(epd.best_moves()[0].to_string(), "Qg6");
/// assert_eq!(epd.id(), Some("WAC.001"));
/// assert_eq!(epd.to_string(), line);
/// # Ok::<(), tabiya_core::EpdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position.
    pub board: Board,
    /// The operations, in the order of the text.
    pub operations: Vec<EpdOperation>,
}

/// An operation of an [`Epd`].
///
/// The opcodes that test suites consist of have variants of their own. All others, of the standard or not, are stored in
/// [`EpdOperation::Other`] and written as they were read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum EpdOperation {
    /// `am`: the moves to avoid.
    AvoidMoves(Vec<San>),
    /// `bm`: the best moves.
    BestMoves(Vec<San>),
    /// `c0` to `c9`: a comment; `None` clears it.
    Comment(EpdRegister, Option<String>),
    /// `ce`: the evaluation in centipawns, from the side to move's point of view. A magnitude above 32000
    /// is a mate score.
    CentipawnEvaluation(i32),
    /// `dm`: the number of moves in which the side to move mates.
    DirectMate(u32),
    /// `id`: the name of the position.
    Id(String),
    /// Any other opcode.
    Other {
        /// The opcode: a word that starts with a letter.
        opcode: String,
        /// Its operands.
        operands: Vec<EpdOperand>,
    },
}

/// The number of a comment: the digit of `c0` to `c9`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EpdRegister(u8);

impl EpdRegister {
    /// Creates the register with this number, or returns `None` if it is above 9.
    pub const fn new(number: u8) -> Option<EpdRegister> {
        if number < 10 { Some(EpdRegister(number)) } else { None }
    }

    /// The number, 0 to 9.
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// An operand of an [`EpdOperation::Other`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum EpdOperand {
    /// An unquoted word: a move, a number or anything else. One that contains white space, quotes or
    /// semicolons is written as a string.
    Word(String),
    /// A quoted string.
    String(String),
}

impl Epd {
    /// Creates a record without operations.
    pub const fn new(board: Board) -> Epd {
        Epd { board, operations: Vec::new() }
    }

    /// Iterates over the records of an EPD file with their line numbers, starting at 1. Empty lines and lines
    /// that start with `#` are skipped.
    ///
    /// ```
    /// use tabiya_core::Epd;
    ///
    /// let file = "# two kings\n8/8/3k4/8/8/3K4/8/8 w - - id one;\n\n8/8/3k4/8/8/3K4/8/8 b - - id 2; dm x;\n";
    /// let mut records = Epd::parse_lines(file);
    /// assert!(matches!(records.next(), Some((2, Ok(epd))) if epd.id() == Some("one")));
    /// let (line, error) = records.next().unwrap();
    /// assert_eq!(line, 4);
    /// assert_eq!(error.unwrap_err().to_string(), "invalid EPD, byte 35: dm needs a whole number from 0 to 4294967295");
    /// ```
    pub fn parse_lines(text: &str) -> impl Iterator<Item = (usize, Result<Epd, EpdError>)> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let is_record = |line: &str| !line.trim_start().is_empty() && !line.trim_start().starts_with('#');
        (1..)
            .zip(text.lines())
            .filter(move |(_, line)| is_record(line))
            .map(|(number, line)| (number, line.parse()))
    }

    /// Splits a line into its position, a FEN of four to six fields, and the text that follows, such as operations.
    ///
    /// The second part starts with a letter if it consists of operations; other formats have results or scores there.
    ///
    /// ```
    /// use tabiya_core::Epd;
    ///
    /// let position = "8/8/3k4/8/8/3K4/8/8 w - -";
    /// assert_eq!(Epd::split("8/8/3k4/8/8/3K4/8/8 w - - id one;"), (position, "id one;"));
    /// assert_eq!(Epd::split("8/8/3k4/8/8/3K4/8/8 w - - 0 1 [0.5]"), ("8/8/3k4/8/8/3K4/8/8 w - - 0 1", "[0.5]"));
    /// assert_eq!(Epd::split(position), (position, ""));
    /// ```
    pub fn split(line: &str) -> (&str, &str) {
        parse::split(line)
    }

    /// Returns the text of the record with the counters of the board: `hmvc` and `fmvn` follow the operations unless they are 0
    /// and 1.
    ///
    /// ```
    /// use tabiya_core::{Board, Epd};
    ///
    /// let epd = Epd::new(Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 8 40")?);
    /// assert_eq!(epd.to_string(), "4k3/8/8/8/8/8/8/4K2R w K -");
    /// assert_eq!(epd.with_counters().to_string(), "4k3/8/8/8/8/8/8/4K2R w K - hmvc 8; fmvn 40;");
    /// # Ok::<(), tabiya_core::FenError>(())
    /// ```
    pub fn with_counters(&self) -> impl fmt::Display {
        WithCounters(self)
    }

    /// The first operation with this opcode.
    pub fn operation(&self, opcode: &str) -> Option<&EpdOperation> {
        self.operations.iter().find(|operation| operation.opcode() == opcode)
    }

    /// The best moves (`bm`), empty if there is no such operation.
    pub fn best_moves(&self) -> &[San] {
        match self.operation("bm") {
            Some(EpdOperation::BestMoves(moves)) => moves,
            _ => &[],
        }
    }

    /// The moves to avoid (`am`), empty if there is no such operation.
    pub fn avoid_moves(&self) -> &[San] {
        match self.operation("am") {
            Some(EpdOperation::AvoidMoves(moves)) => moves,
            _ => &[],
        }
    }

    /// The name of the position (`id`).
    pub fn id(&self) -> Option<&str> {
        match self.operation("id") {
            Some(EpdOperation::Id(id)) => Some(id),
            _ => None,
        }
    }

    /// The comment with this number (`c0` to `c9`), as the last such operation sets or clears it.
    pub fn comment(&self, number: u8) -> Option<&str> {
        let text = self.operations.iter().rev().find_map(|operation| match operation {
            EpdOperation::Comment(register, text) if register.number() == number => Some(text),
            _ => None,
        });
        text?.as_deref()
    }

    /// The number of moves in which the side to move mates (`dm`).
    pub fn direct_mate(&self) -> Option<u32> {
        match self.operation("dm") {
            Some(&EpdOperation::DirectMate(moves)) => Some(moves),
            _ => None,
        }
    }

    /// The evaluation in centipawns, from the side to move's point of view (`ce`).
    pub fn centipawn_evaluation(&self) -> Option<i32> {
        match self.operation("ce") {
            Some(&EpdOperation::CentipawnEvaluation(value)) => Some(value),
            _ => None,
        }
    }
}

impl EpdOperation {
    /// The opcode as it appears in the text.
    pub fn opcode(&self) -> Cow<'_, str> {
        Cow::Borrowed(match self {
            EpdOperation::AvoidMoves(_) => "am",
            EpdOperation::BestMoves(_) => "bm",
            EpdOperation::Comment(register, _) => return Cow::Owned(format!("c{}", register.number())),
            EpdOperation::CentipawnEvaluation(_) => "ce",
            EpdOperation::DirectMate(_) => "dm",
            EpdOperation::Id(_) => "id",
            EpdOperation::Other { opcode, .. } => opcode,
        })
    }
}

/// Writes the operation with its semicolon, such as `bm Qg6;`.
impl fmt::Display for EpdOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode())?;
        match self {
            EpdOperation::AvoidMoves(moves) | EpdOperation::BestMoves(moves) => {
                moves.iter().try_for_each(|san| write!(f, " {san}"))?;
            }
            EpdOperation::Comment(_, text) => {
                text.iter().try_for_each(|text| write!(f, " {}", Quoted(text)))?;
            }
            EpdOperation::CentipawnEvaluation(value) => write!(f, " {value}")?,
            EpdOperation::DirectMate(moves) => write!(f, " {moves}")?,
            EpdOperation::Id(text) => write!(f, " {}", Quoted(text))?,
            EpdOperation::Other { operands, .. } => {
                operands.iter().try_for_each(|operand| match operand {
                    EpdOperand::Word(word) if is_word(word) => write!(f, " {word}"),
                    EpdOperand::Word(text) | EpdOperand::String(text) => write!(f, " {}", Quoted(text)),
                })?;
            }
        }
        f.write_str(";")
    }
}

/// Returns true if the text can be parsed again as an unquoted word.
fn is_word(text: &str) -> bool {
    !text.is_empty()
        && !text.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | ';'))
}

/// Writes the four fields of the position and the operations in order, but not the counters; see [`Epd::with_counters`]. The
/// alternate form, `{:#}`, writes castling rights as in Shredder-FEN.
impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.board.write_epd(f)?;
        self.operations.iter().try_for_each(|operation| write!(f, " {operation}"))
    }
}

/// The text of [`Epd::with_counters`].
struct WithCounters<'a>(&'a Epd);

impl fmt::Display for WithCounters<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.0, f)?;
        let board = &self.0.board;
        if board.halfmove_clock() != 0 {
            write!(f, " hmvc {};", board.halfmove_clock())?;
        }
        if board.fullmove_number() != 1 {
            write!(f, " fmvn {};", board.fullmove_number())?;
        }
        Ok(())
    }
}
