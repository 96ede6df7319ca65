use super::piece::{self, PieceTerm, PieceTrace};
use super::side::{self, SideTrace};
use super::tables::MATE_SCORE;
use super::{View, verdict};
use std::fmt;
use tabiya_core::{Color, File, VALUE_DRAW, Value};
use tabiya_movegen::Position;

/// A reason why the terms do not matter: the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// The side to move is mated.
    Checkmate {
        /// The other side.
        winner: Color,
    },
    /// The side to move has no move and is not in check.
    Stalemate,
    /// A hundred half-moves without a capture or a pawn move.
    FiftyMoves,
    /// No pawn, rook or queen, at most one bishop and at most one knight on the whole board.
    InsufficientMaterial,
}

impl Verdict {
    /// The guide's score for it, white minus black: 0, or [`MATE_SCORE`] with its sign.
    pub const fn white_value(self) -> Value {
        match self {
            Verdict::Checkmate { winner: Color::White } => MATE_SCORE,
            Verdict::Checkmate { winner: Color::Black } => -MATE_SCORE,
            Verdict::Stalemate | Verdict::FiftyMoves | Verdict::InsufficientMaterial => VALUE_DRAW,
        }
    }

    /// A short name in `snake_case`.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Checkmate { .. } => "checkmate",
            Verdict::Stalemate => "stalemate",
            Verdict::FiftyMoves => "fifty_moves",
            Verdict::InsufficientMaterial => "insufficient_material",
        }
    }
}

/// The [short name](Verdict::name).
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How the guide's evaluation comes to its value: every piece, both sides, and the result.
///
/// Its `Display` is a table for people.
///
/// ```
/// use tabiya_eval::classic::{self, PieceTerm};
/// use tabiya_core::Square;
/// use tabiya_movegen::Position;
///
/// let trace = classic::trace(&Position::startpos());
/// let knight = trace.pieces.iter().find(|piece| piece.square == Square::B1).unwrap();
/// assert_eq!(knight.get(PieceTerm::Value), 320);
/// assert_eq!(knight.get(PieceTerm::Defended), 2, "by the rook");
/// assert_eq!(knight.get(PieceTerm::Mobility), 2);
/// assert_eq!(trace.white_value, 10);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Are fewer than ten pieces left?
    pub end_game: bool,
    /// Every piece, White's first and each side's foremost first.
    pub pieces: Vec<PieceTrace>,
    /// What each side counts beyond its pieces, by [`Color::index`].
    pub sides: [SideTrace; 2],
    /// The sum of all terms, white minus black.
    pub sum: Value,
    /// What decides the result whatever the terms say.
    pub verdict: Option<Verdict>,
    /// The result as the guide has it: white minus black ([`white_value`](super::white_value)).
    pub white_value: Value,
    /// The result from the point of view of the side to move ([`evaluate`](super::evaluate)).
    pub value: Value,
}

/// Evaluates like [`evaluate`](super::evaluate) and says how.
pub fn trace(position: &Position) -> Trace {
    let view = View::of(position);
    let mut pieces = Vec::with_capacity(32);
    let files = piece::each(&view, |piece| pieces.push(piece));
    let sides = Color::ALL.map(|color| side::evaluate(&view, &files, color));
    let sum = pieces.iter().map(PieceTrace::white_total).sum::<Value>() + sides[0].total() - sides[1].total();
    let verdict = verdict(position);
    Trace {
        end_game: view.end_game,
        pieces,
        sides,
        sum,
        verdict,
        white_value: verdict.map_or(sum, Verdict::white_value),
        value: super::evaluate(position),
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<5}", "piece")?;
        for term in PieceTerm::ALL {
            write!(f, " {term:>9}")?;
        }
        writeln!(f, " {:>9}", "total")?;
        for piece in &self.pieces {
            write!(f, "{:<5}", format!("{} {}", piece.piece, piece.square))?;
            for (_, value) in piece.terms() {
                write!(f, " {value:>9}")?;
            }
            writeln!(f, " {:>9}", piece.total())?;
        }
        for (color, side) in Color::ALL.into_iter().zip(&self.sides) {
            writeln!(f)?;
            writeln!(
                f,
                "{color:<5} check {}, castled {}, to move {}; total {}",
                side.check,
                side.castled,
                side.to_move,
                side.total()
            )?;
            for (name, values) in [("isolated pawns", side.isolated), ("passed files", side.passed)] {
                write!(f, "      {name}:")?;
                for (file, value) in File::ALL.into_iter().zip(values) {
                    write!(f, " {file} {value}")?;
                }
                writeln!(f)?;
            }
        }
        writeln!(f)?;
        writeln!(f, "{}", if self.end_game { "end game" } else { "opening or middle game" })?;
        writeln!(f, "sum, white minus black   {:>6}", self.sum)?;
        if let Some(verdict) = self.verdict {
            writeln!(f, "decided by {verdict}")?;
        }
        writeln!(f, "value, white minus black {:>6}", self.white_value)?;
        write!(f, "value for side to move   {:>6}", self.value)
    }
}
