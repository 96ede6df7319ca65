mod parse;

pub use parse::{EpdError, EpdErrorKind};

use crate::Board;
use crate::notation::San;
use crate::quoting::Quoted;
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

/// A position with remarks about it: one line of an EPD file (extended position description).
///
/// The first four fields of a FEN are followed by operations, each an opcode with operands and a
/// semicolon. The opcodes `hmvc` and `fmvn` are the counters of the board and nothing else: they
/// are read into [`Epd::board`] and written from it.
///
/// Reading is forgiving: a FEN of six fields may stand in front; the last semicolon may be missing,
/// and superfluous ones are no harm; strings need quotes only if they have a semicolon in them.
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
    /// What is said about it, in the order it is written.
    pub operations: Vec<EpdOperation>,
}

/// An operation of an [`Epd`].
///
/// All opcodes of the standard but `hmvc` and `fmvn` have their own variant; any other is kept as
/// it is.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EpdOperation {
    /// `acd`: how deep an analysis looked, in plies.
    AnalysisDepth(u32),
    /// `acn`: how many nodes it saw.
    AnalysisNodes(u64),
    /// `acs`: how many seconds it took.
    AnalysisSeconds(u64),
    /// `am`: the moves to be avoided.
    AvoidMoves(Vec<San>),
    /// `bm`: the best moves.
    BestMoves(Vec<San>),
    /// `c0` to `c9`: a comment, or with `None` that there is none any more.
    Comment(EpdRegister, Option<String>),
    /// `ce`: the value in centipawns for the side to move; more than 32000 either way is a mate.
    CentipawnEvaluation(i32),
    /// `dm`: the side to move mates in so many moves.
    DirectMate(u32),
    /// `draw_accept`: the draw that was offered is accepted.
    DrawAccept,
    /// `draw_claim`: a draw is claimed.
    DrawClaim,
    /// `draw_offer`: a draw is offered.
    DrawOffer,
    /// `draw_reject`: the draw that was offered is rejected.
    DrawReject,
    /// `eco`: the opening's code in the *Encyclopaedia of Chess Openings*.
    Eco(String),
    /// `id`: the name of the position in its suite.
    Id(String),
    /// `nic`: the opening's code in *New in Chess*.
    Nic(String),
    /// `noop`: nothing, with any operands.
    Noop(Vec<EpdOperand>),
    /// `pm`: the move that is expected.
    PredictedMove(San),
    /// `pv`: the moves that are expected.
    PredictedVariation(Vec<San>),
    /// `rc`: how often the position has occurred.
    RepetitionCount(u32),
    /// `resign`: the side to move resigns.
    Resign,
    /// `sm`: the move that is made.
    SuppliedMove(San),
    /// `tcgs`: which of several games between two partners by mail this is.
    GameSelector(u32),
    /// `tcri`: address and name of who gets the record.
    Receiver(String, String),
    /// `tcsi`: address and name of who sends the record.
    Sender(String, String),
    /// `v0` to `v9`: the name of a variation, or with `None` that there is none any more.
    VariationName(EpdRegister, Option<String>),
    /// An opcode that is not in the standard.
    Other {
        /// A word that starts with a letter.
        opcode: String,
        /// What follows it.
        operands: Vec<EpdOperand>,
    },
}

/// Which of the ten comments or variation names: the digit of `c0` to `c9` and `v0` to `v9`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EpdRegister(u8);

impl EpdRegister {
    /// The register with this number; `None` if it is more than 9.
    pub const fn new(number: u8) -> Option<EpdRegister> {
        if number < 10 { Some(EpdRegister(number)) } else { None }
    }

    /// The number, 0 to 9.
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// An operand of an opcode that is not in the standard.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum EpdOperand {
    /// A word without quotes around it: a move, a number, anything. It has no blanks, quotes or
    /// semicolons in it; if it has, it is written as a string.
    Word(String),
    /// A text with quotes around it.
    String(String),
}

impl Epd {
    /// A position about which nothing is said yet.
    pub const fn new(board: Board) -> Epd {
        Epd { board, operations: Vec::new() }
    }

    /// The records of an EPD file with their line numbers, the first being 1. Empty lines and
    /// lines that start with `#` are left out.
    ///
    /// ```
    /// use tabiya_core::Epd;
    ///
    /// let file = "# two kings\n8/8/3k4/8/8/3K4/8/8 w - - id one;\n\n8/8/3k4/8/8/3K4/8/8 b - - id 2; dm x;\n";
    /// let mut records = Epd::parse_lines(file);
    /// assert!(matches!(records.next(), Some((2, Ok(epd))) if epd.id() == Some("one")));
    /// let (line, error) = records.next().unwrap();
    /// assert_eq!(line, 4);
    /// assert_eq!(error.unwrap_err().to_string(), "bad EPD, at byte 35: dm needs a whole number, from 0 to 4294967295");
    /// ```
    pub fn parse_lines(text: &str) -> impl Iterator<Item = (usize, Result<Epd, EpdError>)> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let is_record = |line: &str| !line.trim_start().is_empty() && !line.trim_start().starts_with('#');
        (1..)
            .zip(text.lines())
            .filter(move |(_, line)| is_record(line))
            .map(|(number, line)| (number, line.parse()))
    }

    /// The first operation with this opcode.
    pub fn operation(&self, opcode: &str) -> Option<&EpdOperation> {
        self.operations.iter().find(|operation| operation.opcode() == opcode)
    }

    /// The best moves (`bm`); none if there is no such operation.
    pub fn best_moves(&self) -> &[San] {
        match self.operation("bm") {
            Some(EpdOperation::BestMoves(moves)) => moves,
            _ => &[],
        }
    }

    /// The moves to be avoided (`am`); none if there is no such operation.
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

    /// One of the comments `c0` to `c9`.
    pub fn comment(&self, number: u8) -> Option<&str> {
        self.operations.iter().find_map(|operation| match operation {
            EpdOperation::Comment(register, text) if register.number() == number => text.as_deref(),
            _ => None,
        })
    }

    /// In how many moves the side to move mates (`dm`).
    pub fn direct_mate(&self) -> Option<u32> {
        match self.operation("dm") {
            Some(&EpdOperation::DirectMate(moves)) => Some(moves),
            _ => None,
        }
    }

    /// The value in centipawns for the side to move (`ce`).
    pub fn centipawn_evaluation(&self) -> Option<i32> {
        match self.operation("ce") {
            Some(&EpdOperation::CentipawnEvaluation(value)) => Some(value),
            _ => None,
        }
    }
}

impl EpdOperation {
    /// The opcode, as it is written.
    pub fn opcode(&self) -> Cow<'_, str> {
        Cow::Borrowed(match self {
            EpdOperation::AnalysisDepth(_) => "acd",
            EpdOperation::AnalysisNodes(_) => "acn",
            EpdOperation::AnalysisSeconds(_) => "acs",
            EpdOperation::AvoidMoves(_) => "am",
            EpdOperation::BestMoves(_) => "bm",
            EpdOperation::Comment(register, _) => return Cow::Owned(format!("c{}", register.number())),
            EpdOperation::CentipawnEvaluation(_) => "ce",
            EpdOperation::DirectMate(_) => "dm",
            EpdOperation::DrawAccept => "draw_accept",
            EpdOperation::DrawClaim => "draw_claim",
            EpdOperation::DrawOffer => "draw_offer",
            EpdOperation::DrawReject => "draw_reject",
            EpdOperation::Eco(_) => "eco",
            EpdOperation::Id(_) => "id",
            EpdOperation::Nic(_) => "nic",
            EpdOperation::Noop(_) => "noop",
            EpdOperation::PredictedMove(_) => "pm",
            EpdOperation::PredictedVariation(_) => "pv",
            EpdOperation::RepetitionCount(_) => "rc",
            EpdOperation::Resign => "resign",
            EpdOperation::SuppliedMove(_) => "sm",
            EpdOperation::GameSelector(_) => "tcgs",
            EpdOperation::Receiver(..) => "tcri",
            EpdOperation::Sender(..) => "tcsi",
            EpdOperation::VariationName(register, _) => {
                return Cow::Owned(format!("v{}", register.number()));
            }
            EpdOperation::Other { opcode, .. } => opcode,
        })
    }
}

/// The operation with its semicolon: `bm Qg6;`.
impl fmt::Display for EpdOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode())?;
        match self {
            EpdOperation::AnalysisDepth(number)
            | EpdOperation::DirectMate(number)
            | EpdOperation::RepetitionCount(number)
            | EpdOperation::GameSelector(number) => write!(f, " {number}")?,
            EpdOperation::AnalysisNodes(number) | EpdOperation::AnalysisSeconds(number) => {
                write!(f, " {number}")?;
            }
            EpdOperation::CentipawnEvaluation(value) => write!(f, " {value}")?,
            EpdOperation::AvoidMoves(moves)
            | EpdOperation::BestMoves(moves)
            | EpdOperation::PredictedVariation(moves) => {
                moves.iter().try_for_each(|san| write!(f, " {san}"))?;
            }
            EpdOperation::PredictedMove(san) | EpdOperation::SuppliedMove(san) => write!(f, " {san}")?,
            EpdOperation::Comment(_, text) | EpdOperation::VariationName(_, text) => {
                text.iter().try_for_each(|text| write!(f, " {}", Quoted(text)))?;
            }
            EpdOperation::Eco(text) | EpdOperation::Id(text) | EpdOperation::Nic(text) => {
                write!(f, " {}", Quoted(text))?
            }
            EpdOperation::Receiver(address, name) | EpdOperation::Sender(address, name) => {
                write!(f, " {} {}", Quoted(address), Quoted(name))?;
            }
            EpdOperation::Noop(operands) | EpdOperation::Other { operands, .. } => {
                operands.iter().try_for_each(|operand| match operand {
                    EpdOperand::Word(word) if is_word(word) => write!(f, " {word}"),
                    EpdOperand::Word(text) | EpdOperand::String(text) => write!(f, " {}", Quoted(text)),
                })?;
            }
            EpdOperation::DrawAccept
            | EpdOperation::DrawClaim
            | EpdOperation::DrawOffer
            | EpdOperation::DrawReject
            | EpdOperation::Resign => {}
        }
        f.write_str(";")
    }
}

/// Can it be read again as a word?
fn is_word(text: &str) -> bool {
    !text.is_empty()
        && !text.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | ';'))
}

/// The four fields of the position and the operations in their order; then `hmvc` and `fmvn`, unless
/// the counters are 0 and 1. The alternate form, `{:#}`, writes castling as Shredder-FEN does.
impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = if f.alternate() { format!("{:#}", self.board) } else { self.board.to_string() };
        let counters = fen.rmatch_indices(' ').nth(1).map_or(fen.len(), |(at, _)| at);
        f.write_str(&fen[..counters])?;
        self.operations.iter().try_for_each(|operation| write!(f, " {operation}"))?;
        if self.board.halfmove_clock() != 0 {
            write!(f, " hmvc {};", self.board.halfmove_clock())?;
        }
        if self.board.fullmove_number() != 1 {
            write!(f, " fmvn {};", self.board.fullmove_number())?;
        }
        Ok(())
    }
}
