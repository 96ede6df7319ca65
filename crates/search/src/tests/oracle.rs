//! The non-selective search compared with plain negamax.
//!
//! The oracle searches the same tree (check extension, quiescence search, draws) without a window or move
//! ordering, except in its quiescence search. It counts mates from each position instead of from the root and
//! shares no code with the search.
//!
//! With a transposition table, draws by repetition are not exact: the value of a position depends on the
//! line, which its key does not include. Hence two comparisons: with the TT and without repetitions, and the
//! other way round. In the first, TT entries cut off only at the depth they were searched to, as deeper ones
//! may differ from negamax.

use super::{engine, finish, position, random_network, uci};
use crate::bench::POSITIONS;
use crate::params::Features;
use crate::{Limits, Score};
use std::cmp::Reverse;
use std::collections::HashMap;
use tabiya_core::{INFINITE, Key, MATE, MATE_IN_MAX_PLY, Move, SplitMix64, VALUE_DRAW, Value};
use tabiya_eval::Evaluation;
use tabiya_movegen::{Game, Position, perft};

/// Plain negamax.
struct Negamax {
    evaluation: Evaluation,
    /// The keys of the current line, root first; `None` if repetitions are not draws.
    path: Option<Vec<Key>>,
    /// Values by position and depth; unused if repetitions are draws.
    values: HashMap<(Key, i32), Value>,
    quiescence_values: HashMap<(Key, u16), Value>,
}

/// Returns a value from the point of view of the previous ply: negated, with mates one ply further away.
fn step_back(value: Value) -> Value {
    match -value {
        value if value >= MATE_IN_MAX_PLY => value - 1,
        value if value <= -MATE_IN_MAX_PLY => value + 1,
        value => value,
    }
}

impl Negamax {
    fn new(evaluation: Evaluation, repetitions: bool) -> Negamax {
        Negamax {
            evaluation,
            path: repetitions.then(Vec::new),
            values: HashMap::new(),
            quiescence_values: HashMap::new(),
        }
    }

    /// Returns the value of each root move.
    fn root(&mut self, position: &Position, depth: i32) -> Vec<(Move, Value)> {
        let depth = if position.in_check() { depth + 1 } else { depth };
        if let Some(path) = &mut self.path {
            *path = vec![position.key()];
        }
        let moves = position.legal_moves();
        moves.into_iter().map(|mv| (mv, step_back(self.after(position, mv, depth - 1)))).collect()
    }

    fn after(&mut self, position: &Position, mv: Move, depth: i32) -> Value {
        let next = position.play(mv).expect("a legal move");
        if let Some(path) = &mut self.path {
            path.push(next.key());
        }
        let value = self.value(&next, depth);
        if let Some(path) = &mut self.path {
            path.pop();
        }
        value
    }

    fn value(&mut self, position: &Position, depth: i32) -> Value {
        if let Some(path) = &self.path {
            // The second occurrence below the root.
            let times = path[1..].iter().filter(|&&key| key == position.key()).count();
            if times > 1 {
                return VALUE_DRAW;
            }
        }
        let depth = if position.in_check() { depth + 1 } else { depth };
        if depth <= 0 {
            return self.quiet(position);
        }
        if self.path.is_none()
            && let Some(&value) = self.values.get(&(position.key(), depth))
        {
            return value;
        }
        let moves = position.legal_moves();
        let value = if moves.is_empty() {
            if position.in_check() { -MATE } else { VALUE_DRAW }
        } else if position.halfmove_clock() >= 100 || position.is_dead() {
            VALUE_DRAW
        } else {
            let values = moves.into_iter().map(|mv| step_back(self.after(position, mv, depth - 1)));
            values.max().expect("a legal move")
        };
        self.values.insert((position.key(), depth), value);
        value
    }

    fn quiet(&mut self, position: &Position) -> Value {
        let clock = if position.halfmove_clock() > 80 { position.halfmove_clock() } else { 0 };
        if let Some(&value) = self.quiescence_values.get(&(position.key(), clock)) {
            return value;
        }
        let value = self.quiescence(position, 0, -INFINITE, INFINITE);
        self.quiescence_values.insert((position.key(), clock), value);
        value
    }

    /// Quiescence search by textbook fail-hard alpha-beta, because its tree is too large for negamax.
    fn quiescence(&self, position: &Position, ply: Value, mut alpha: Value, beta: Value) -> Value {
        let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
        if position.in_check() && moves.is_empty() {
            return (ply - MATE).clamp(alpha, beta);
        }
        if position.halfmove_clock() >= 100 || position.is_dead() {
            return VALUE_DRAW.clamp(alpha, beta);
        }
        if !position.in_check() {
            moves.retain(|mv| mv.is_capture() || mv.promotion().is_some());
            alpha = alpha.max(self.evaluation.evaluate(position));
        }
        moves.sort_by_key(|mv| {
            let [taken, takes] = [mv.to(), mv.from()].map(|square| position.piece_on(square));
            (Reverse(taken.map(|piece| piece.piece_type())), takes.map(|piece| piece.piece_type()))
        });
        for mv in moves {
            if alpha >= beta {
                return beta;
            }
            let next = position.play(mv).expect("a legal move");
            alpha = alpha.max(-self.quiescence(&next, ply + 1, -beta, -alpha));
        }
        alpha.min(beta)
    }
}

/// A set of random positions to compare.
struct Sample {
    depth: i32,
    count: usize,
    /// The maximum number of pieces: quiescence search without move ordering takes long on a crowded board.
    max_pieces: u32,
    /// The maximum number of leaves of the full tree.
    max_leaves: u64,
}

const SAMPLES: [Sample; 4] = [
    Sample { depth: 1, count: 300, max_pieces: 32, max_leaves: 60 },
    Sample { depth: 2, count: 300, max_pieces: 20, max_leaves: 1_000 },
    Sample { depth: 3, count: 250, max_pieces: 14, max_leaves: 8_000 },
    Sample { depth: 4, count: 150, max_pieces: 12, max_leaves: 40_000 },
];

impl Sample {
    /// Returns positions from random games, with this half-move clock.
    fn positions(&self, random: &mut SplitMix64, count: usize, clock: u16) -> Vec<Position> {
        let mut positions = Vec::new();
        while positions.len() < count {
            let mut position = position(POSITIONS[random.below(POSITIONS.len())].fen);
            for _ in 0..random.below(40 * self.depth as usize) {
                let moves = position.legal_moves();
                if moves.is_empty() || position.is_dead() {
                    break;
                }
                // Half of the moves are captures if there are any, so that the board empties.
                let captures: Vec<Move> = moves.iter().copied().filter(|mv| mv.is_capture()).collect();
                let from = if captures.is_empty() || random.below(2) == 0 { &moves[..] } else { &captures };
                position.play_unchecked(from[random.below(from.len())]);
            }
            let mut builder = position.to_builder();
            builder.halfmove_clock = clock;
            let board = builder.build().expect("still legal");
            let position = Position::new(board).expect("still legal");
            if position.has_legal_move()
                && position.occupied().count() <= self.max_pieces
                && perft(&position, self.depth as u32) <= self.max_leaves
            {
                positions.push(position);
            }
        }
        positions
    }
}

/// Compares the search of a position with negamax.
fn compare(position: &Position, depth: i32, evaluation: &Evaluation, features: Features) {
    let mut engine = engine();
    engine.set_evaluation(evaluation.clone());
    engine.set_features(features);
    let game = Game::from_position(position.clone());
    let (infos, answer) = finish(&engine.go(&game, Limits::depth(depth as u32)), &game);
    let score = infos.last().expect("at least one report").score;

    let values = Negamax::new(evaluation.clone(), features.repetitions).root(position, depth);
    let best = values.iter().map(|&(_, value)| value).max().expect("a legal move");
    assert_eq!(score, Score::from_value(best), "{position} at depth {depth} with {features:?}");
    let played = values.iter().find(|&&(mv, _)| Some(mv) == answer.best).map(|&(_, value)| value);
    assert_eq!(played, Some(best), "{position} at depth {depth}: {} is not best", uci(answer.best));
}

fn compare_all(features: Features, evaluation: &Evaluation, share: usize, clock: u16, seed: u64) {
    let mut random = SplitMix64::new(seed);
    for sample in SAMPLES {
        for position in sample.positions(&mut random, sample.count / share, clock) {
            compare(&position, sample.depth, evaluation, features);
        }
    }
}

const WITH_TT: Features =
    Features { deeper_tt_cutoffs: false, repetitions: false, selective: false, ..Features::ALL };
const WITHOUT_TT: Features = Features { tt: false, selective: false, ..Features::ALL };

// The most positions: four tests, which run at the same time.
#[test]
fn equals_negamax_with_the_tt_1() {
    compare_all(WITH_TT, &Evaluation::Handcrafted, 4, 0, 1);
}

#[test]
fn equals_negamax_with_the_tt_2() {
    compare_all(WITH_TT, &Evaluation::Handcrafted, 4, 0, 6);
}

#[test]
fn equals_negamax_with_the_tt_3() {
    compare_all(WITH_TT, &Evaluation::Handcrafted, 4, 0, 7);
}

#[test]
fn equals_negamax_with_the_tt_4() {
    compare_all(WITH_TT, &Evaluation::Handcrafted, 4, 0, 8);
}

#[test]
fn equals_negamax_with_repetitions() {
    compare_all(WITHOUT_TT, &Evaluation::Handcrafted, 4, 0, 2);
}

#[test]
fn equals_negamax_near_the_fifty_move_draw() {
    for clock in [96, 98, 99] {
        compare_all(WITHOUT_TT, &Evaluation::Handcrafted, 20, clock, 3);
    }
}

#[test]
fn equals_negamax_with_the_classic_evaluation() {
    compare_all(WITH_TT, &Evaluation::Classic, 10, 0, 4);
}

#[test]
fn equals_negamax_with_a_network() {
    compare_all(WITH_TT, &Evaluation::Nnue(random_network()), 20, 0, 5);
}
