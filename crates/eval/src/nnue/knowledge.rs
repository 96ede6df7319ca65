//! Endgame knowledge of the handcrafted evaluation, applied to a network's values.

use super::network::Network;
use crate::handcrafted::{MaterialCounts, endgame};
use tabiya_core::{Color, Value};
use tabiya_movegen::Position;

/// Replaces the value of an ending with a known result: a dead draw, KPK, a win against a bare king and a pawn against a
/// piece. Values of at least `KNOWN_WIN` also show progress towards mate, which a network need not.
const KNOWN_ENDINGS: bool = true;

/// Scales values down by the material left to win with, as the handcrafted evaluation does in the endgame. A network
/// learns most of it from the results of games.
const SCALE_FACTORS: bool = false;

/// Computes the tables that [`known_value`] uses.
pub(super) fn prepare() {
    if KNOWN_ENDINGS {
        endgame::prepare();
    }
}

/// Returns the value of an ending with a known result in centipawns from the point of view of the side to move.
#[inline]
pub(super) fn known_value(position: &Position) -> Option<Value> {
    if !KNOWN_ENDINGS {
        return None;
    }
    let white_value = endgame::known_value(position)?;
    Some(if position.side_to_move() == Color::White { white_value } else { -white_value })
}

/// Returns a network's value, adjusted to the material left.
#[inline]
pub(super) fn scaled(value: Value, position: &Position) -> Value {
    if !SCALE_FACTORS {
        return value;
    }
    let us = position.side_to_move();
    let stronger = if value > 0 { us } else { !us };
    let board = position.board();
    value * endgame::scale_factor(board, &MaterialCounts::of(board), stronger) / endgame::FULL_SCALE
}

/// Returns the value of a position in centipawns from the point of view of the side to move, strictly between
/// `-TB_WIN_IN_MAX_PLY` and `TB_WIN_IN_MAX_PLY`.
///
/// This is the network's [value](Network::evaluate), unless the ending has a known result. An [`Evaluator`](super::Evaluator)
/// computes the same value faster.
///
/// ```
/// use tabiya_eval::nnue::{self, Architecture, KingBuckets, Network, Parameters};
/// use tabiya_movegen::Position;
///
/// let architecture = Architecture::new(32, KingBuckets::single(), 1, 400)?;
/// let network = Network::new(architecture.clone(), "random", &Parameters::random(&architecture, 1))?;
/// let start = Position::startpos();
/// assert_eq!(nnue::evaluate(&network, &start), network.evaluate(&start));
/// // A draw, whatever the network says.
/// assert_eq!(nnue::evaluate(&network, &Position::from_fen("8/8/4k3/8/8/3KN3/8/8 w - - 0 1")?), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate(network: &Network, position: &Position) -> Value {
    known_value(position).unwrap_or_else(|| scaled(network.evaluate(position), position))
}
