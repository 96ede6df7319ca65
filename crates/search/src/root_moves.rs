//! The moves at the root, and what has been found out about them.

use tabiya_core::{INFINITE, Move, Value};

use crate::node::bound_of;
use tabiya_core::Bound;

/// A move at the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// By what the tablebases say of it: a move is never put before one of a higher rank.
    pub(crate) rank: i32,
    /// What it is worth by the tablebases.
    pub(crate) outcome: Option<Value>,
    /// The value from this iteration, if it was found to be better than the moves before it.
    pub(crate) value: Value,
    /// The value from the last iteration that found it so.
    pub(crate) previous: Value,
    /// What `value` says: less than the truth, or more, while the window is too small.
    pub(crate) bound: Bound,
    /// The longest line looked at, in plies.
    pub(crate) seldepth: usize,
    /// The nodes searched below it.
    pub(crate) nodes: u64,
    /// The line that goes with `value`, the move first.
    pub(crate) pv: Vec<Move>,
}

impl RootMove {
    /// The latest value that means something.
    pub(crate) fn latest(&self) -> Value {
        if self.value > -INFINITE { self.value } else { self.previous }
    }

    /// Sorts the best first.
    fn order(&self) -> std::cmp::Reverse<(i32, Value)> {
        std::cmp::Reverse((self.rank, self.value))
    }
}

/// The moves at the root, the best first. Where several lines are asked for, they are found one after the
/// other, each without the first moves of those before.
#[derive(Clone, Debug, Default)]
pub(crate) struct RootMoves {
    moves: Vec<RootMove>,
    /// The line that is being searched, from 0: the moves before it have their lines already.
    line: usize,
    /// Are these all the legal moves?
    all: bool,
}

impl RootMoves {
    /// These moves, in this order; `all` says that there are no others.
    pub(crate) fn new(moves: impl IntoIterator<Item = Move>, all: bool) -> RootMoves {
        let moves = moves.into_iter().map(|mv| RootMove {
            mv,
            rank: 0,
            outcome: None,
            value: -INFINITE,
            previous: -INFINITE,
            bound: Bound::Exact,
            seldepth: 1,
            nodes: 0,
            pv: vec![mv],
        });
        RootMoves { moves: moves.collect(), line: 0, all }
    }

    /// Takes in what the tablebases say of each move: its rank, and what it is worth.
    pub(crate) fn rank(&mut self, rank_of: impl Fn(Move) -> Option<(i32, Value)>) {
        for root_move in &mut self.moves {
            if let Some((rank, outcome)) = rank_of(root_move.mv) {
                (root_move.rank, root_move.outcome) = (rank, Some(outcome));
            }
        }
        // Stable: among equals the order stays.
        self.moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.rank));
        self.all &= self.moves.iter().all(|root_move| root_move.rank == self.moves[0].rank);
    }

    /// All of them, the best first.
    pub(crate) fn moves(&self) -> &[RootMove] {
        &self.moves
    }

    /// The best move of the line that is being searched.
    pub(crate) fn current(&self) -> &RootMove {
        &self.moves[self.line]
    }

    /// The number of moves whose lines are found already.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// A new iteration begins.
    pub(crate) fn start_iteration(&mut self) {
        for root_move in &mut self.moves {
            root_move.previous = root_move.latest();
            root_move.value = -INFINITE;
        }
        self.line = 0;
    }

    /// Goes on to the next line.
    pub(crate) fn start_line(&mut self, line: usize) {
        self.line = line;
    }

    /// Is the move one to look at for this line? Those of a lower rank are not, while there are others.
    pub(crate) fn is_wanted(&self, mv: Move) -> bool {
        let rank = self.current().rank;
        self.moves[self.line..].iter().any(|root_move| root_move.mv == mv && root_move.rank == rank)
    }

    /// Is every legal move looked at? What the best of some moves is worth says nothing about the
    /// position.
    pub(crate) fn is_complete(&self) -> bool {
        self.all && self.line == 0
    }

    /// A move has been searched with so many nodes. If it was found to be worth anything exact, or to be
    /// more than beta: its value, and the longest line looked at. `line` is what follows it.
    pub(crate) fn update(
        &mut self,
        mv: Move,
        found: Option<(Value, usize)>,
        alpha: Value,
        beta: Value,
        nodes: u64,
        line: &[Move],
    ) {
        let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.mv == mv) else { return };
        root_move.nodes += nodes;
        match found {
            Some((value, seldepth)) => {
                root_move.value = value;
                root_move.bound = bound_of(value, alpha, beta);
                root_move.seldepth = seldepth;
                root_move.pv.truncate(1);
                root_move.pv.extend_from_slice(line);
            }
            None => root_move.value = -INFINITE,
        }
    }

    /// Puts the best move of the current line first; the others keep their order.
    pub(crate) fn sort(&mut self) {
        self.moves[self.line..].sort_by_key(RootMove::order);
    }

    /// The current line has been found: puts it in order with those found before.
    pub(crate) fn finish_line(&mut self) {
        self.moves[..=self.line].sort_by_key(RootMove::order);
    }

    /// The part of the nodes that went into the best move, in thousandths.
    pub(crate) fn share_of_best(&self) -> u64 {
        let total: u64 = self.moves.iter().map(|root_move| root_move.nodes).sum();
        self.moves.first().map_or(0, |best| best.nodes * 1000 / total.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_movegen::Position;

    fn moves() -> (RootMoves, Vec<Move>) {
        let moves: Vec<Move> = Position::startpos().legal_moves().into_iter().take(4).collect();
        (RootMoves::new(moves.clone(), false), moves)
    }

    #[test]
    fn the_best_comes_first_and_the_others_keep_their_order() {
        let (mut root, moves) = moves();
        root.start_iteration();
        root.start_line(0);
        for (mv, value) in [(moves[0], Some((10, 3))), (moves[1], None), (moves[2], Some((30, 5)))] {
            root.update(mv, value, -INFINITE, INFINITE, 100, &[]);
        }
        root.sort();
        let order: Vec<Move> = root.moves().iter().map(|root_move| root_move.mv).collect();
        assert_eq!(order, [moves[2], moves[0], moves[1], moves[3]]);
        assert_eq!((root.current().value, root.current().seldepth, root.share_of_best()), (30, 5, 333));
        assert!(!root.is_complete());
        root.start_iteration();
        assert_eq!((root.current().value, root.current().latest()), (-INFINITE, 30));
    }

    #[test]
    fn lines_are_found_one_after_the_other() {
        let (mut root, moves) = moves();
        root.start_iteration();
        root.start_line(0);
        root.update(moves[1], Some((20, 1)), -INFINITE, INFINITE, 1, &[]);
        root.sort();
        root.start_line(1);
        assert!(!root.is_wanted(moves[1]) && root.is_wanted(moves[0]));
        root.update(moves[3], Some((25, 1)), -INFINITE, INFINITE, 1, &[moves[0]]);
        root.sort();
        assert_eq!(root.current().mv, moves[3]);
        root.finish_line();
        let order: Vec<Move> = root.moves().iter().map(|root_move| root_move.mv).collect();
        assert_eq!(order[..2], [moves[3], moves[1]], "the second line turned out to be the better one");
        assert_eq!(root.moves()[0].pv, [moves[3], moves[0]]);
    }
}
