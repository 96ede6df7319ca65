//! The incrementally updated evaluator.

use super::accumulators::Accumulators;
use super::block::Block;
use super::features::Perspective;
use super::kernel::Kernel;
use super::knowledge;
use super::network::Network;
use super::refresh_cache::RefreshCache;
use super::threat_layer;
use crate::dirty_pieces::DirtyPieces;
use crate::evaluate::Evaluate;
use std::fmt;
use std::sync::Arc;
use tabiya_core::{Color, Move, Value};
use tabiya_movegen::Position;

/// Evaluates positions by a network, for one thread. Any number of evaluators can share the network.
///
/// The values are those of [`evaluate`](super::evaluate). In a search, accumulators are updated along the line, and only where a position is
/// evaluated. Outside, the pieces that differ from the last position evaluated are exchanged.
///
/// ```
/// use std::sync::Arc;
/// use tabiya_eval::Evaluate;
/// use tabiya_eval::nnue::{Architecture, Evaluator, KingBuckets, Network, Parameters};
/// use tabiya_movegen::Position;
///
/// let architecture = Architecture::new(32, KingBuckets::single(), 1, 400)?;
/// let parameters = Parameters::random(&architecture, 1);
/// let network = Arc::new(Network::new(architecture, "random", &parameters)?);
///
/// let mut evaluator = Evaluator::new(Arc::clone(&network));
/// for mv in Position::startpos().legal() {
///     let after = mv.play();
///     assert_eq!(evaluator.evaluate(&after), network.evaluate(&after));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Evaluator {
    network: Arc<Network>,
    kernel: Kernel,
    line: Accumulators,
    cache: RefreshCache,
    /// The accumulators of a position outside the line.
    outside: Vec<Block>,
}

impl Evaluator {
    /// Creates an evaluator with the fastest kernel.
    pub fn new(network: Arc<Network>) -> Evaluator {
        Evaluator::with_kernel(network, Kernel::best())
    }

    /// Creates an evaluator with a given kernel. The values do not depend on it.
    pub fn with_kernel(network: Arc<Network>, kernel: Kernel) -> Evaluator {
        knowledge::prepare();
        Evaluator {
            kernel,
            line: Accumulators::new(&network),
            cache: RefreshCache::new(&network),
            outside: vec![Block::ZERO; 2 * network.feature_bias().len()],
            network,
        }
    }

    fn network_value(&mut self, position: &Position) -> Value {
        let Evaluator { network, kernel, line, cache, outside } = self;
        let (network, kernel) = (&**network, *kernel);
        let board = position.board();
        let us = board.side_to_move();
        let buckets = network.architecture().king_buckets();
        // For the threats and outside the line; an accumulator of the line knows its own.
        let perspectives = || [us, !us].map(|color| Perspective::new(buckets, color, board.king(color)));
        let accumulators = if line.is_current(board) {
            let [white, black] = line.compute(network, kernel, cache, board);
            if us == Color::White { [white, black] } else { [black, white] }
        } else {
            let (own, enemy) = outside.split_at_mut(network.feature_bias().len());
            for (perspective, target) in perspectives().into_iter().zip([&mut *own, &mut *enemy]) {
                cache.refresh(network, kernel, board, perspective, target);
            }
            [&*own, &*enemy]
        };
        let bucket = network.architecture().output_bucket(board.occupied().count() as usize);
        let weights = network.output_weights(bucket);
        // The neurons with threats are the first.
        let (threat_sums, sums) = split(accumulators, network.threat_blocks());
        let (threat_weights, weights) = split(weights, network.threat_blocks());
        let mut sum = kernel.output(sums, weights);
        if network.threat_blocks() > 0 {
            sum += threat_layer::output(network, kernel, board, perspectives(), threat_sums, threat_weights);
        }
        network.value(sum, bucket)
    }
}

/// Splits both of two rows at a block.
#[inline]
fn split([own, enemy]: [&[Block]; 2], index: usize) -> ([&[Block]; 2], [&[Block]; 2]) {
    let (own, enemy) = (own.split_at(index), enemy.split_at(index));
    ([own.0, enemy.0], [own.1, enemy.1])
}

impl fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("Evaluator");
        text.field("network", &self.network).field("kernel", &self.kernel).finish_non_exhaustive()
    }
}

impl Evaluate for Evaluator {
    fn evaluate(&mut self, position: &Position) -> Value {
        if let Some(value) = knowledge::known_value(position) {
            return value;
        }
        let value = self.network_value(position);
        // The computation from scratch takes most of the time of a debug build, so it is made for one position in 64.
        debug_assert!(
            !position.key().is_multiple_of(64) || value == self.network.evaluate(position),
            "{position}"
        );
        value
    }

    fn clear(&mut self) {
        self.line.clear();
        self.cache = RefreshCache::new(&self.network);
    }

    fn is_incremental(&self) -> bool {
        true
    }

    fn set_root(&mut self, root: &Position) {
        self.line.clear();
        self.line.push(&self.network, root, None);
    }

    fn make_move(&mut self, before: &Position, mv: Move, after: &Position) {
        self.line.push(&self.network, after, Some(DirtyPieces::of(before, mv)));
    }

    fn make_null_move(&mut self, after: &Position) {
        self.line.push(&self.network, after, None);
    }

    fn unmake_move(&mut self) {
        self.line.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::test_data::random_network;
    use crate::nnue::{Architecture, KingBuckets};
    use tabiya_core::{MoveKind, SplitMix64};

    /// A random network with a small hidden layer, 8 king buckets and 4 output buckets.
    fn network() -> Arc<Network> {
        network_with(buckets())
    }

    fn buckets() -> KingBuckets {
        let map = std::array::from_fn(|square| (square / 4) as u8);
        KingBuckets::new(map).expect("eight buckets")
    }

    fn network_with(buckets: KingBuckets) -> Arc<Network> {
        network_with_threats(buckets, 0)
    }

    fn network_with_threats(buckets: KingBuckets, threat_neurons: usize) -> Arc<Network> {
        let plain = Architecture::new(64, buckets, 4, 400).expect("valid sizes");
        Arc::new(random_network(plain.with_threats(threat_neurons).expect("at most all neurons"), 11))
    }

    /// Moves along a random line as a search does: forwards, sometimes back, with null moves, and evaluates some positions.
    struct RandomSearch {
        random: SplitMix64,
        line: Vec<Position>,
        castlings: usize,
        refreshes: usize,
    }

    impl RandomSearch {
        fn new(start: Position, seed: u64) -> RandomSearch {
            RandomSearch { random: SplitMix64::new(seed), line: vec![start], castlings: 0, refreshes: 0 }
        }

        fn current(&self) -> &Position {
            self.line.last().expect("the root is never removed")
        }

        fn step(&mut self, evaluator: &mut Evaluator) {
            let before = self.current().clone();
            let moves = before.legal_moves();
            let choice = self.random.below(16);
            if self.line.len() > 1 && (choice < 4 || moves.is_empty()) {
                for _ in 0..=self.random.below(3).min(self.line.len() - 2) {
                    self.line.pop();
                    evaluator.unmake_move();
                }
                return;
            }
            let mut after = before.clone();
            if choice == 5 && !before.in_check() {
                after.play_null();
                evaluator.make_null_move(&after);
            } else if !moves.is_empty() {
                // Castling, if possible, to see it often.
                let castling = (&moves).into_iter().find(|mv| matches!(mv.kind(), MoveKind::Castle(_)));
                let mv = castling.unwrap_or_else(|| moves[self.random.below(moves.len())]);
                self.castlings += usize::from(castling.is_some());
                after.play_unchecked(mv);
                evaluator.make_move(&before, mv, &after);
                self.refreshes += usize::from(before.king(Color::White) != after.king(Color::White));
            } else {
                return;
            }
            self.line.push(after);
        }
    }

    #[test]
    fn incremental_values_equal_those_from_scratch() {
        let networks = [
            network_with(buckets()),
            network_with(buckets().without_mirroring()),
            network_with_threats(buckets(), 32),
            network_with_threats(buckets().without_mirroring(), 64),
        ];
        let kernels = Kernel::available();
        let games = if cfg!(miri) { 1 } else { 10_000 };
        let (mut evaluations, mut castlings, mut refreshes) = (0, 0, 0);
        for game in 0..games {
            let kernel = kernels[game % kernels.len()];
            let network = &networks[game / kernels.len() % networks.len()];
            let mut evaluator = Evaluator::with_kernel(Arc::clone(network), kernel);
            let start = Position::chess960((game % 960) as u16).expect("a number below 960");
            let mut search = RandomSearch::new(start, game as u64);
            evaluator.set_root(search.current());
            for _ in 0..100 {
                search.step(&mut evaluator);
                if search.random.below(3) != 0 {
                    let (position, expected) = (search.current(), network.evaluate(search.current()));
                    assert_eq!(evaluator.network_value(position), expected, "{kernel}: {position}");
                    evaluations += 1;
                }
            }
            castlings += search.castlings;
            refreshes += search.refreshes;
        }
        assert!(evaluations > 60 * games, "{evaluations}");
        assert!(cfg!(miri) || castlings > games / 2 && refreshes > games, "{castlings}, {refreshes}");
    }

    #[test]
    fn positions_outside_the_line_are_evaluated_too() {
        let network = network();
        let mut evaluator = Evaluator::new(Arc::clone(&network));
        let other =
            Position::from_fen("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1").expect("a legal position");
        assert_eq!(evaluator.evaluate(&other), network.evaluate(&other), "before any root");
        let root = Position::startpos();
        evaluator.set_root(&root);
        for position in [&other, &root, &other, &root] {
            assert_eq!(evaluator.evaluate(position), network.evaluate(position));
        }
        evaluator.clear();
        assert_eq!(evaluator.evaluate(&root), network.evaluate(&root));
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow")]
    fn lines_may_be_longer_than_those_of_the_search() {
        let network = network();
        let mut evaluator = Evaluator::new(Arc::clone(&network));
        let mut position = Position::startpos();
        evaluator.set_root(&position);
        for ply in 0..600 {
            let before = position.clone();
            // Knights move out and back.
            let text = ["g1f3", "g8f6", "f3g1", "f6g8"][ply % 4];
            let mv = before.parse_uci(text).expect("a legal move");
            position.play_unchecked(mv);
            evaluator.make_move(&before, mv, &position);
        }
        assert_eq!(evaluator.evaluate(&position), network.evaluate(&position));
    }
}
