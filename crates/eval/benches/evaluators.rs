//! Nanoseconds per evaluation: the handcrafted evaluation, and networks of three architectures with each kernel.
//!
//! ```text
//! cargo bench -p tabiya-eval
//! ```
//! `line` makes a move and evaluates, along games from the opening to the endgame; `siblings` makes a move, evaluates and takes
//! back, for all moves of each position, as a search does at a leaf; `outside` evaluates the positions without notification of the moves.
//! All figures include notification and bookkeeping. The evaluators are interleaved, and each figure is the least of
//! several rounds, because a shared machine only ever makes code slower.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;
use tabiya_core::{Move, SplitMix64};
use tabiya_eval::nnue::{Architecture, Evaluator, Kernel, KingBuckets, Network, Parameters};
use tabiya_eval::{Evaluate, Evaluation};
use tabiya_movegen::Position;

/// The size of the hidden layer, and how many of its neurons have threats.
const SIZES: [(usize, usize); 3] = [(256, 0), (1024, 0), (1024, 64)];

const ROUNDS: usize = 15;

/// A move with the positions before and after it.
type Step = (Position, Move, Position);

fn main() {
    let games: Vec<Vec<Step>> = (0..40).map(game).collect();
    let siblings: Vec<Vec<Step>> = games.iter().flatten().step_by(9).map(|step| children(&step.0)).collect();
    let mut evaluators = vec![("handcrafted".to_owned(), Evaluation::Handcrafted.evaluator())];
    for (hidden, threats) in SIZES {
        let network = Arc::new(network(hidden, threats));
        for kernel in Kernel::available() {
            let evaluator = Evaluator::with_kernel(Arc::clone(&network), kernel);
            evaluators.push((format!("{hidden}+t{threats} {kernel}"), Box::new(evaluator)));
        }
    }
    let mut best = vec![[f64::MAX; 3]; evaluators.len()];
    for _ in 0..ROUNDS {
        for ((_, evaluator), best) in evaluators.iter_mut().zip(&mut best) {
            let measured = [
                nanoseconds(&games, |game| follow(&mut **evaluator, game)),
                nanoseconds(&siblings, |moves| try_each(&mut **evaluator, moves)),
                nanoseconds(&games, |game| evaluate(&mut **evaluator, game)),
            ];
            for (best, measured) in best.iter_mut().zip(measured) {
                *best = best.min(measured);
            }
        }
    }
    println!("{:16} {:>9} {:>9} {:>9}  (ns per evaluation)", "evaluator", "line", "siblings", "outside");
    for ((name, _), [line, siblings, outside]) in evaluators.iter().zip(best) {
        println!("{name:16} {line:9.1} {siblings:9.1} {outside:9.1}");
    }
}

/// A network with 8 output buckets.
fn network(hidden: usize, threats: usize) -> Network {
    let architecture = Architecture::new(hidden, KingBuckets::single(), 8, 400)
        .and_then(|plain| plain.with_threats(threats))
        .expect("valid sizes");
    let parameters = Parameters::random(&architecture, 1);
    Network::new(architecture, "random", &parameters).expect("random parameters are valid")
}

/// A random game of up to 120 plies.
fn game(seed: u64) -> Vec<Step> {
    let mut random = SplitMix64::new(seed);
    let mut steps = Vec::new();
    let mut position = Position::startpos();
    while steps.len() < 120 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.below(moves.len())];
        let before = position.clone();
        position.play_unchecked(mv);
        steps.push((before, mv, position.clone()));
    }
    steps
}

/// All moves of a position.
fn children(position: &Position) -> Vec<Step> {
    let child = |mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        (position.clone(), mv, after)
    };
    position.legal_moves().into_iter().map(child).collect()
}

fn nanoseconds(lines: &[Vec<Step>], mut run: impl FnMut(&[Step])) -> f64 {
    let start = Instant::now();
    lines.iter().for_each(|line| run(line));
    let evaluations: usize = lines.iter().map(Vec::len).sum();
    start.elapsed().as_nanos() as f64 / evaluations as f64
}

fn follow(evaluator: &mut dyn Evaluate, game: &[Step]) {
    let incremental = evaluator.is_incremental();
    if let Some((root, ..)) = game.first().filter(|_| incremental) {
        evaluator.set_root(root);
    }
    for (before, mv, after) in game {
        if incremental {
            evaluator.make_move(before, *mv, after);
        }
        black_box(evaluator.evaluate(black_box(after)));
    }
}

fn try_each(evaluator: &mut dyn Evaluate, moves: &[Step]) {
    let incremental = evaluator.is_incremental();
    if let Some((root, ..)) = moves.first().filter(|_| incremental) {
        evaluator.set_root(root);
        evaluator.evaluate(root);
    }
    for (before, mv, after) in moves {
        if incremental {
            evaluator.make_move(before, *mv, after);
        }
        black_box(evaluator.evaluate(black_box(after)));
        if incremental {
            evaluator.unmake_move();
        }
    }
}

fn evaluate(evaluator: &mut dyn Evaluate, game: &[Step]) {
    for (_, _, position) in game {
        black_box(evaluator.evaluate(black_box(position)));
    }
}
