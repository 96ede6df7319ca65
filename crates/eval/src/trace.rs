use crate::tapered::{bishop_pair, tempo};
use crate::{Phase, Score, Value, endgame, weights};
use std::fmt;
use tabiya_core::{Color, PieceType};
use tabiya_movegen::Position;

/// A reason for which the main evaluation gives or takes points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Term {
    /// The pieces of one kind by themselves.
    Material(PieceType),
    /// Where the pieces of one kind stand.
    Squares(PieceType),
    /// Two bishops.
    BishopPair,
    /// The right to move.
    Tempo,
}

/// `pawn material`, `pawn squares`, ..., `bishop pair`, `tempo`.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Material(piece_type) => f.pad(&format!("{piece_type} material")),
            Term::Squares(piece_type) => f.pad(&format!("{piece_type} squares")),
            Term::BishopPair => f.pad("bishop pair"),
            Term::Tempo => f.pad("tempo"),
        }
    }
}

/// One term with what each side has for it, each from that side's own point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TermTrace {
    /// Which term it is.
    pub term: Term,
    /// White's points.
    pub white: Score,
    /// Black's points.
    pub black: Score,
}

/// How the main evaluation comes to its value: every term, and the steps from their sum to the
/// result. [`evaluate`](crate::evaluate) computes the same without keeping the parts.
///
/// Its `Display` is a table for people.
///
/// ```
/// use tabiya_eval::{evaluate, trace};
/// use tabiya_movegen::Position;
///
/// let position = Position::startpos();
/// let trace = trace(&position);
/// assert_eq!(trace.value, evaluate(&position));
/// assert!(trace.to_string().contains("pawn squares"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Every term, in a fixed order.
    pub terms: Vec<TermTrace>,
    /// All of White's terms less all of Black's.
    pub sum: Score,
    /// How much of the middle game is left.
    pub phase: Phase,
    /// `sum` as one number for this phase, White's point of view.
    pub tapered: Value,
    /// The part of it, in 64ths, that the material on the board can win with.
    pub scale: Value,
    /// The side to move.
    pub side_to_move: Color,
    /// The result in centipawns, White's point of view.
    pub white_value: Value,
    /// The result in centipawns, from the point of view of the side to move.
    pub value: Value,
}

/// Evaluates like [`evaluate`](crate::evaluate) and says how.
pub fn trace(position: &Position) -> Trace {
    let board = position.board();
    let mut terms = Vec::new();
    let mut add = |term, of: &dyn Fn(Color) -> Score| {
        terms.push(TermTrace { term, white: of(Color::White), black: of(Color::Black) });
    };
    for piece_type in PieceType::ALL {
        add(Term::Material(piece_type), &|color| {
            weights::MATERIAL[piece_type.index()] * board.pieces(color, piece_type).count() as i32
        });
    }
    for piece_type in PieceType::ALL {
        let on_square = weights::square_weights(piece_type);
        add(Term::Squares(piece_type), &|color| {
            board
                .pieces(color, piece_type)
                .into_iter()
                .fold(Score::ZERO, |sum, square| sum + on_square[square.relative_to(color).index()])
        });
    }
    add(Term::BishopPair, &|color| bishop_pair(board, color));
    add(Term::Tempo, &|color| tempo(board, color));

    let sum = terms.iter().fold(Score::ZERO, |sum, term| sum + term.white - term.black);
    let phase = Phase::of(board);
    let tapered = phase.taper(sum);
    let scale = endgame::scale(position, tapered);
    let white_value = tapered * scale / endgame::FULL;
    let side_to_move = board.side_to_move();
    let value = if side_to_move == Color::White { white_value } else { -white_value };
    Trace { terms, sum, phase, tapered, scale, side_to_move, white_value, value }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<16} {:>13} {:>13} {:>13}", "middle/end game", "white", "black", "difference")?;
        for TermTrace { term, white, black } in &self.terms {
            writeln!(f, "{term:<16} {white:>13} {black:>13} {:>13}", *white - *black)?;
        }
        writeln!(f, "{:<16} {:>41}", "sum", self.sum)?;
        writeln!(f, "{:<16} {:>41}", "phase", self.phase.to_string())?;
        writeln!(f, "{:<16} {:>41}", "for this phase", self.tapered)?;
        writeln!(f, "{:<16} {:>41}", "winnable part", format!("{} of {}", self.scale, endgame::FULL))?;
        writeln!(f, "{:<16} {:>41}", "white's view", self.white_value)?;
        write!(f, "{:<16} {:>41}", format!("{} to move", self.side_to_move), self.value)
    }
}
