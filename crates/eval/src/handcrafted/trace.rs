//! The evaluation of one position in detail.

use super::endgame;
use super::material_counts::MaterialCounts;
use super::phase::Phase;
use super::score::{KingDanger, Score};
use super::sum::{Halves, record};
use super::term::{Term, Unit};
use super::terms::king_safety::penalty;
use super::weights::declarations;
use crate::evaluate::relative_to;
use std::fmt;
use tabiya_core::{Color, Value};
use tabiya_movegen::Position;

/// The value of one term for each side, in centipawns from that side's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TermTrace {
    /// The term.
    pub term: Term,
    /// White's value. [`Term::Complexity`] adjusts the sum of all other terms, so its whole effect is listed
    /// here.
    pub white: Score,
    /// Black's value.
    pub black: Score,
}

/// One weight that counts in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WeightTrace {
    /// The term that the weight belongs to.
    pub term: Term,
    /// The name of the weight, such as `knight_mobility[4]`.
    pub name: String,
    /// The middlegame half of the weight, in the [unit](Term::unit) of its term.
    pub mg: i32,
    /// The endgame half of the weight, in the [unit](Term::unit) of its term.
    pub eg: i32,
    /// The number of times the weight counts for White.
    pub white: i32,
    /// The number of times the weight counts for Black.
    pub black: i32,
}

/// The handcrafted evaluation of a position in detail: every term, and the steps from their sum to the value.
///
/// `Display` writes a table.
///
/// ```
/// use tabiya_eval::handcrafted::{evaluate, trace};
/// use tabiya_movegen::Position;
///
/// let position = Position::startpos();
/// let trace = trace(&position);
/// assert_eq!(trace.value, evaluate(&position));
/// assert!(trace.to_string().contains("Mobility"));
/// assert!(trace.weights.iter().any(|weight| weight.name == "knight_mobility[2]" && weight.white == 2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Trace {
    /// All terms, in the order of [`Term::ALL`].
    pub terms: Vec<TermTrace>,
    /// All weights that count, in the order of their declaration.
    pub weights: Vec<WeightTrace>,
    /// The sum of all terms, White minus Black.
    pub total: Score,
    /// The phase of the game.
    pub phase: Phase,
    /// The scale factor of the endgame half, in 64ths.
    pub scale_factor: Value,
    /// The value in centipawns from White's point of view if the ending has a known result, which overrides
    /// the terms.
    pub known: Option<Value>,
    /// The side to move.
    pub side_to_move: Color,
    /// The value in centipawns, from White's point of view.
    pub white_value: Value,
    /// The value in centipawns, from the point of view of the side to move.
    pub value: Value,
}

/// Evaluates a position like [`evaluate`](super::evaluate) and returns all details.
pub fn trace(position: &Position) -> Trace {
    let board = position.board();
    let material = MaterialCounts::of(board);
    let (counts, sums) = record(board, &material);
    let mut weights = Vec::new();
    for declaration in declarations() {
        for (offset, &[mg, eg]) in declaration.weights.iter().enumerate() {
            let times = |color| -> i32 {
                counts
                    .iter()
                    .filter(|count| count.color == color && count.index == declaration.start + offset)
                    .map(|count| count.times)
                    .sum()
            };
            let (white, black) = (times(Color::White), times(Color::Black));
            if white != 0 || black != 0 {
                let name = format!("{}{}", declaration.name, declaration.subscripts[offset]);
                weights.push(WeightTrace { term: declaration.term, name, mg, eg, white, black });
            }
        }
    }
    let Halves { mg, eg, scale_factor } = sums.halves(board, &material);
    // Only with extreme material can the adjusted half exceed 16 bits.
    let adjusted = Score::new(mg as i16, eg.clamp(i16::MIN.into(), i16::MAX.into()) as i16);
    let adjustment = adjusted - sums.score;
    let terms: Vec<TermTrace> = Term::ALL
        .iter()
        .map(|&term| {
            let total = |times: fn(&WeightTrace) -> i32| {
                let of_term = weights.iter().filter(|weight| weight.term == term);
                of_term.fold((0, 0), |(mg, eg), weight| {
                    (mg + weight.mg * times(weight), eg + weight.eg * times(weight))
                })
            };
            let sides = [total(|weight| weight.white), total(|weight| weight.black)];
            let [white, black] = match term.unit() {
                Unit::Centipawns => sides.map(|(mg, eg)| Score::new(mg as i16, eg as i16)),
                Unit::KingDanger => sides.map(|(mg, eg)| -penalty(KingDanger::new(mg as i16, eg as i16))),
                Unit::Percent => [adjustment, Score::ZERO],
            };
            TermTrace { term, white, black }
        })
        .collect();
    let known = endgame::known_value(position);
    let white_value = known.unwrap_or_else(|| sums.value(board, &material));
    let side_to_move = position.side_to_move();
    Trace {
        total: terms.iter().fold(Score::ZERO, |sum, term| sum + term.white - term.black),
        terms,
        weights,
        phase: material.phase(),
        scale_factor,
        known,
        side_to_move,
        white_value,
        value: relative_to(side_to_move, white_value),
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let halves = |score: Score| format!("{:>6} {:>6}", score.mg(), score.eg());
        writeln!(f, "{:<14} | {:^13} | {:^13} | {:>9}", "Term", "White", "Black", "Total")?;
        writeln!(
            f,
            "{:<14} | {:>6} {:>6} | {:>6} {:>6} | {:>6} {:>6}",
            "", "mg", "eg", "mg", "eg", "mg", "eg"
        )?;
        let rule = format!("{0:-<15}+{0:-<15}+{0:-<15}+{0:-<14}", "");
        writeln!(f, "{rule}")?;
        for TermTrace { term, white, black } in &self.terms {
            writeln!(
                f,
                "{term:<14} | {} | {} | {}",
                halves(*white),
                halves(*black),
                halves(*white - *black)
            )?;
        }
        writeln!(f, "{rule}")?;
        writeln!(f, "{:<14} | {:13} | {:13} | {}", "Total", "", "", halves(self.total))?;
        writeln!(f)?;
        writeln!(f, "{:<24} {:>8}", "Phase", self.phase.to_string())?;
        let scale_factor = format!("{}/{}", self.scale_factor, endgame::FULL_SCALE);
        writeln!(f, "{:<24} {scale_factor:>8}", "Endgame scale factor")?;
        if let Some(known) = self.known {
            writeln!(f, "{:<24} {known:>8} (overrides the terms)", "Known endgame")?;
        }
        writeln!(f, "{:<24} {:>8}", "Value for White", self.white_value)?;
        write!(f, "{:<24} {:>8}", format!("Value for {} to move", self.side_to_move), self.value)
    }
}
