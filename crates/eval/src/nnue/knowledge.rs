//! Endgame knowledge of the handcrafted evaluation, applied to a network's values.

use super::network::Network;
use crate::evaluate::relative_to;
use crate::handcrafted::endgame;
use tabiya_core::Value;
use tabiya_movegen::Position;

/// Computes the tables that [`known_value`] uses.
pub(super) fn prepare() {
    endgame::prepare();
}

/// Returns the value of an ending with a known result in centipawns from the point of view of the side to move: a dead draw, KPK, a
/// win against a bare king, bishop and rook pawn with the wrong corner, a lone pawn or rook against
/// a lone piece, and the fortress of rook and pawn against a queen.
/// Values of at least `KNOWN_WIN` also show progress towards mate, which those of a network need not.
#[inline]
pub(super) fn known_value(position: &Position) -> Option<Value> {
    endgame::known_value(position).map(|value| relative_to(position.side_to_move(), value))
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
    known_value(position).unwrap_or_else(|| network.evaluate(position))
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
        assert_eq!(evaluate(&network, &unknown), network.evaluate(&unknown));
    }
}
