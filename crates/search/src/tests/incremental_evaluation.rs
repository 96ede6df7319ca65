//! The calls that a search makes to an incrementally updated evaluator.

use super::{KIWIPETE, engine, finish, game, random_network};
use crate::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tabiya_core::{Move, Square, Value};
use tabiya_eval::nnue::{self, Kernel};
use tabiya_eval::{DirtyPieces, Evaluate, Evaluation};
use tabiya_movegen::Position;

/// Calls seen by all recorders of an engine.
#[derive(Default)]
struct Calls {
    roots: AtomicUsize,
    moves: AtomicUsize,
    null_moves: AtomicUsize,
    evaluations: AtomicUsize,
    /// Moves made and not yet taken back.
    depth: AtomicUsize,
}

/// Follows the search and checks that the calls lead to the positions evaluated.
struct Recorder {
    line: Vec<Position>,
    calls: Arc<Calls>,
}

impl Recorder {
    fn current(&self) -> &Position {
        self.line.last().expect("set_root comes before all other calls")
    }

    fn push(&mut self, position: &Position) {
        self.line.push(position.clone());
        self.calls.depth.fetch_add(1, Relaxed);
    }
}

impl Evaluate for Recorder {
    fn evaluate(&mut self, position: &Position) -> Value {
        assert_eq!(position, self.current());
        self.calls.evaluations.fetch_add(1, Relaxed);
        Evaluation::Handcrafted.evaluate(position)
    }

    fn is_incremental(&self) -> bool {
        true
    }

    fn set_root(&mut self, root: &Position) {
        assert!(self.line.len() <= 1, "{} moves have not been taken back", self.line.len() - 1);
        self.line = vec![root.clone()];
        self.calls.roots.fetch_add(1, Relaxed);
    }

    fn make_move(&mut self, before: &Position, mv: Move, after: &Position) {
        assert_eq!(before, self.current());
        assert_eq!(before.play(mv).as_ref(), Ok(after));
        let dirty = DirtyPieces::of(before, mv);
        let mut pieces = Square::ALL.map(|square| before.piece_on(square));
        dirty.removed().iter().for_each(|&(_, square)| pieces[square.index()] = None);
        dirty.added().iter().for_each(|&(piece, square)| pieces[square.index()] = Some(piece));
        assert_eq!(pieces, Square::ALL.map(|square| after.piece_on(square)), "{before}: {mv:?}");
        self.push(after);
        self.calls.moves.fetch_add(1, Relaxed);
    }

    fn make_null_move(&mut self, after: &Position) {
        let mut passed = self.current().clone();
        passed.play_null();
        assert_eq!(after, &passed);
        self.push(after);
        self.calls.null_moves.fetch_add(1, Relaxed);
    }

    fn unmake_move(&mut self) {
        assert!(self.line.len() > 1, "there is no move to take back");
        self.line.pop();
        self.calls.depth.fetch_sub(1, Relaxed);
    }
}

#[test]
fn moves_are_balanced_and_lead_to_the_positions_evaluated() {
    let calls = Arc::new(Calls::default());
    let recorder = {
        let calls = Arc::clone(&calls);
        move || Recorder { line: Vec::new(), calls: Arc::clone(&calls) }
    };
    let mut engine = engine();
    engine.set_evaluator(move || Box::new(recorder()));
    let roots = [
        KIWIPETE,
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "1k6/1b6/8/8/7R/8/8/4K2R b K - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ];
    for fen in roots {
        // The node limit stops the search in the middle of a line.
        for limits in [Limits::depth(7), Limits::nodes(3_000)] {
            let game = game(fen);
            finish(&engine.go(&game, limits), &game);
            assert_eq!(calls.depth.load(Relaxed), 0, "{fen}: moves not taken back");
        }
    }
    assert_eq!(calls.roots.load(Relaxed), 2 * roots.len());
    for count in [&calls.moves, &calls.null_moves, &calls.evaluations] {
        assert!(count.load(Relaxed) > 0);
    }
}

/// Debug assertions of the evaluator compare every value with the one from scratch.
#[test]
fn values_of_a_network_in_the_search_equal_those_from_scratch() {
    let mut engine = engine();
    engine.set_evaluation(Evaluation::Nnue(random_network()));
    // Mostly king moves, castling and promotions.
    for fen in
        [KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"]
    {
        let game = game(fen);
        let (_, answer) = finish(&engine.go(&game, Limits::depth(7)), &game);
        assert!(answer.best.is_some());
    }
}

#[test]
fn every_kernel_gives_the_same_search() {
    let network = random_network();
    let game = game(KIWIPETE);
    let nodes = Kernel::available().into_iter().map(|kernel| {
        let network = Arc::clone(&network);
        let mut engine = engine();
        engine.set_evaluator(move || Box::new(nnue::Evaluator::with_kernel(Arc::clone(&network), kernel)));
        let (infos, answer) = finish(&engine.go(&game, Limits::depth(7)), &game);
        (infos.last().map(|info| info.nodes), answer.best)
    });
    let nodes: Vec<_> = nodes.collect();
    assert!(nodes.iter().all(|result| *result == nodes[0]), "{nodes:?}");
}
