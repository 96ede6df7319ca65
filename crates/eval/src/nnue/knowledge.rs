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

/// Returns a network's value in the scale of the search: with [`SCALE_FACTORS`], adjusted to the material left.
#[inline]
pub(super) fn scaled(value: Value, position: &Position) -> Value {
    if SCALE_FACTORS { scaled_by_material(value, position) } else { value }
}

/// Returns a value times the scale factor of the side that is ahead.
fn scaled_by_material(value: Value, position: &Position) -> Value {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Evaluate;
    use crate::handcrafted;
    use crate::nnue::test_data::random_network;
    use crate::nnue::{Architecture, Evaluator, KingBuckets};
    use std::sync::Arc;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    #[test]
    fn known_endings_have_the_handcrafted_values() {
        let architecture = Architecture::new(32, KingBuckets::single(), 1, 400).expect("valid sizes");
        let network = Arc::new(random_network(architecture, 1));
        let mut evaluator = Evaluator::new(Arc::clone(&network));
        for fen in [
            "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1",
            "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
            "8/8/8/4k3/8/8/8/KR6 b - - 0 1",
        ] {
            let position = position(fen);
            let expected = handcrafted::evaluate(&position);
            assert_eq!(
                (evaluate(&network, &position), evaluator.evaluate(&position)),
                (expected, expected),
                "{fen}"
            );
        }
        let unknown = position("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1");
        assert_eq!(evaluate(&network, &unknown), scaled(network.evaluate(&unknown), &unknown));
    }

    #[test]
    fn scale_factor_is_that_of_the_side_ahead() {
        // White, without pawns and a knight ahead, can hardly win; Black could with the pawn.
        for (fen, sign) in
            [("4k3/4p3/2n5/8/8/2N5/4N3/4K3 w - - 0 1", 1), ("4k3/4p3/2n5/8/8/2N5/4N3/4K3 b - - 0 1", -1)]
        {
            let position = position(fen);
            let ahead = scaled_by_material(sign * 300, &position).abs();
            let behind = scaled_by_material(sign * -300, &position).abs();
            assert!(ahead < 100 && behind > 200, "{ahead}, {behind}");
        }
        assert_eq!(scaled_by_material(50, &Position::startpos()), 50);
    }
}
