use crate::numbers::Numbers;
use crate::terms::danger::cost;
use crate::tracer::record;
use crate::weights::{Term, declarations};
use crate::{Phase, Score, endgame};
use std::fmt;
use tabiya_core::{Color, Value};
use tabiya_movegen::Position;

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One term with what each side has for it, each from that side's own point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TermTrace {
    /// Which term it is.
    pub term: Term,
    /// White's points. Winnability stretches the difference of all others: it stands here as seen by White.
    pub white: Score,
    /// Black's points.
    pub black: Score,
}

/// One weight that counts in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightTrace {
    /// The term that it belongs to.
    pub term: Term,
    /// What it is called, like `knight_mobility[4]`.
    pub name: String,
    /// What it is worth: points, for [`Term::Danger`] units of danger to the own king, for [`Term::Winnability`] per cent.
    pub weight: Score,
    /// How often it counts for White.
    pub white: i32,
    /// How often it counts for Black.
    pub black: i32,
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
/// assert!(trace.to_string().contains("Mobility"));
/// assert!(trace.weights.iter().any(|weight| weight.name == "knight_mobility[2]" && weight.white == 2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Every term, in a fixed order.
    pub terms: Vec<TermTrace>,
    /// Every weight that counts, in the order of their declaration.
    pub weights: Vec<WeightTrace>,
    /// All of White's terms less all of Black's.
    pub sum: Score,
    /// How much of the middle game is left.
    pub phase: Phase,
    /// The part of the end game's half, in 64ths, that the material on the board can win with.
    pub scale: Value,
    /// The result, White's point of view, if the end game is a known one: then the terms do not matter.
    pub known: Option<Value>,
    /// The side to move.
    pub side_to_move: Color,
    /// The result in centipawns, White's point of view.
    pub white_value: Value,
    /// The result in centipawns, from the point of view of the side to move.
    pub value: Value,
}

/// Evaluates like [`evaluate`](crate::evaluate) and says how.
pub fn trace(position: &Position) -> Trace {
    let numbers = Numbers::of(position.board());
    let (heard, sums) = record(position.board(), &numbers);
    let mut weights = Vec::new();
    for declaration in declarations() {
        for (offset, &weight) in declaration.scores.iter().enumerate() {
            let times = |color| -> i32 {
                heard
                    .iter()
                    .filter(|heard| heard.color == color && heard.index == declaration.start + offset)
                    .map(|heard| heard.count)
                    .sum()
            };
            let (white, black) = (times(Color::White), times(Color::Black));
            if white != 0 || black != 0 {
                let name = format!("{}{}", declaration.name, declaration.subscripts[offset]);
                weights.push(WeightTrace { term: declaration.term, name, weight, white, black });
            }
        }
    }
    let (middle_game, end_game, scale) = sums.halves(position.board(), &numbers);
    let stretched = Score::new(middle_game as i16, end_game as i16) - sums.score;
    let terms: Vec<TermTrace> = Term::ALL
        .iter()
        .map(|&term| {
            let total = |times: fn(&WeightTrace) -> i32| {
                let of_term = weights.iter().filter(|weight| weight.term == term);
                of_term.fold(Score::ZERO, |sum, weight| sum + weight.weight * times(weight))
            };
            let (white, black) = (total(|weight| weight.white), total(|weight| weight.black));
            match term {
                Term::Danger => TermTrace { term, white: -cost(white), black: -cost(black) },
                Term::Winnability => TermTrace { term, white: stretched, black: Score::ZERO },
                _ => TermTrace { term, white, black },
            }
        })
        .collect();
    let known = endgame::known(position);
    let white_value = known.unwrap_or_else(|| sums.value(position.board(), &numbers));
    let side_to_move = position.side_to_move();
    Trace {
        sum: terms.iter().fold(Score::ZERO, |sum, term| sum + term.white - term.black),
        terms,
        weights,
        phase: numbers.phase(),
        scale,
        known,
        side_to_move,
        white_value,
        value: if side_to_move == Color::White { white_value } else { -white_value },
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<16} {:>13} {:>13} {:>13}", "middle/end game", "white", "black", "difference")?;
        for TermTrace { term, white, black } in &self.terms {
            writeln!(f, "{term:<16} {white:>13} {black:>13} {:>13}", *white - *black)?;
        }
        writeln!(f, "{:<16} {:>41}", "sum", self.sum)?;
        writeln!(f, "{:<16} {:>41}", "phase", self.phase.to_string())?;
        writeln!(f, "{:<16} {:>41}", "winnable part", format!("{} of {}", self.scale, endgame::FULL))?;
        if self.known.is_some() {
            writeln!(f, "{:<16} {:>41}", "known end game", "the result, whatever the terms say")?;
        }
        writeln!(f, "{:<16} {:>41}", "white's view", self.white_value)?;
        write!(f, "{:<16} {:>41}", format!("{} to move", self.side_to_move), self.value)
    }
}
