//! The evaluation of one position in detail.

use super::piece::{self, PieceTerm, PieceTrace};
use super::side::{self, SideTrace};
use super::tables::MATE_SCORE;
use super::{Context, verdict};
use std::fmt;
use tabiya_core::{Color, File, VALUE_DRAW, Value};
use tabiya_movegen::Position;

/// A rule that ends the game and overrides the terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Verdict {
    /// The side to move is mated.
    Checkmate {
        /// The side that has given mate.
        winner: Color,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// A hundred plies without a capture or pawn move.
    FiftyMoves,
    /// No pawn, rook or queen, at most one bishop and at most one knight on the whole board.
    InsufficientMaterial,
}

impl Verdict {
    /// The tutorial's value, White minus Black: [`MATE_SCORE`] or its negative for checkmate, 0 for a draw.
    pub const fn white_value(self) -> Value {
        match self {
            Verdict::Checkmate { winner: Color::White } => MATE_SCORE,
            Verdict::Checkmate { winner: Color::Black } => -MATE_SCORE,
            Verdict::Stalemate | Verdict::FiftyMoves | Verdict::InsufficientMaterial => VALUE_DRAW,
        }
    }

    /// The short name, in `snake_case`.
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

/// The tutorial's evaluation of a position in detail: every piece, both sides, and the value.
///
/// `Display` writes a table.
///
/// ```
/// use tabiya_eval::classic::{self, PieceTerm};
/// use tabiya_core::Square;
/// use tabiya_movegen::Position;
///
/// let trace = classic::trace(&Position::startpos());
/// let knight = trace.pieces.iter().find(|piece| piece.square == Square::B1).unwrap();
/// assert_eq!(knight.get(PieceTerm::Value), 320);
/// assert_eq!(knight.get(PieceTerm::Defended), 2, "the rook defends it");
/// assert_eq!(knight.get(PieceTerm::Mobility), 2);
/// assert_eq!(trace.white_value, 10);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Trace {
    /// True if fewer than ten pieces are left.
    pub end_game: bool,
    /// All pieces, White's first and each side's foremost first.
    pub pieces: Vec<PieceTrace>,
    /// The terms of each side besides its pieces, by [`Color::index`].
    pub sides: [SideTrace; 2],
    /// The sum of all terms, White minus Black.
    pub sum: Value,
    /// The rule that overrides the terms, if any.
    pub verdict: Option<Verdict>,
    /// The value as the tutorial defines it, White minus Black ([`white_value`](super::white_value)).
    pub white_value: Value,
    /// The value from the point of view of the side to move ([`evaluate`](super::evaluate)).
    pub value: Value,
}

/// Evaluates a position like [`evaluate`](super::evaluate) and returns all details.
pub fn trace(position: &Position) -> Trace {
    let context = Context::of(position);
    let mut pieces = Vec::with_capacity(32);
    let files = piece::evaluate_all(&context, |piece| pieces.push(piece));
    let sides = Color::ALL.map(|color| side::evaluate(&context, &files, color));
    let sum = pieces.iter().map(PieceTrace::white_total).sum::<Value>() + sides[0].total() - sides[1].total();
    let verdict = verdict(position);
    Trace {
        end_game: context.end_game,
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
        writeln!(f, "{}", if self.end_game { "endgame" } else { "middlegame" })?;
        writeln!(f, "sum, white minus black   {:>6}", self.sum)?;
        if let Some(verdict) = self.verdict {
            writeln!(f, "decided by {verdict}")?;
        }
        writeln!(f, "value, white minus black {:>6}", self.white_value)?;
        write!(f, "value for side to move   {:>6}", self.value)
    }
}
