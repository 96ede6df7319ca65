//! The moves at the root and their search results.

use std::slice;
use tabiya_core::{Bound, INFINITE, Move, Value};

/// A root move and its results.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// The tablebase rank: a move never precedes one of a higher rank.
    pub(crate) tb_rank: i32,
    /// The tablebase value; `None` if the tablebases do not contain the root.
    pub(crate) tb_value: Option<Value>,
    /// The value in this iteration; `-INFINITE` if the move did not beat alpha.
    pub(crate) value: Value,
    /// The value in the last iteration that found one.
    pub(crate) previous_value: Value,
    /// The bound type of `value`.
    pub(crate) bound: Bound,
    /// The depth of the iteration that found the latest value, in plies; 0 before the first one.
    pub(crate) depth: u32,
    /// The selective depth at which the latest value was found, in plies.
    pub(crate) seldepth: usize,
    /// True if the move has been searched in this iteration.
    pub(crate) is_searched: bool,
    /// The number of nodes searched below the move, in all iterations.
    pub(crate) nodes: u64,
    /// The principal variation that goes with `value`, this move first. Empty before the first result, so that creating a move
    /// allocates nothing.
    pub(crate) pv: Vec<Move>,
}

impl RootMove {
    /// Creates a move without results.
    pub(crate) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            tb_rank: 0,
            tb_value: None,
            value: -INFINITE,
            previous_value: -INFINITE,
            bound: Bound::Exact,
            depth: 0,
            seldepth: 1,
            is_searched: false,
            nodes: 0,
            pv: Vec::new(),
        }
    }

    /// Returns the principal variation, this move first.
    pub(crate) fn pv(&self) -> &[Move] {
        if self.pv.is_empty() { slice::from_ref(&self.mv) } else { &self.pv }
    }

    /// Returns the value of the last iteration that found one.
    pub(crate) fn latest_value(&self) -> Value {
        if self.value > -INFINITE { self.value } else { self.previous_value }
    }

    /// Returns the sort key that puts the best move first.
    fn sort_key(&self) -> std::cmp::Reverse<(i32, Value)> {
        std::cmp::Reverse((self.tb_rank, self.value))
    }
}

/// The root moves, best first. With MultiPV the lines are searched one after the other, each excluding the
/// first moves of the lines before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RootMoves {
    moves: Vec<RootMove>,
    /// The depth of the iteration, in plies.
    depth: u32,
    /// The index of the line that is being searched; the moves before it begin the finished lines.
    line: usize,
    /// True if the first line searches all legal moves.
    complete: bool,
}

impl RootMoves {
    /// Creates root moves in the given order. `complete` is true if they are all legal moves.
    pub(crate) fn new(moves: impl IntoIterator<Item = Move>, complete: bool) -> RootMoves {
        RootMoves { moves: moves.into_iter().map(RootMove::new).collect(), depth: 0, line: 0, complete }
    }

    /// Sets the tablebase rank and value of each move, and sorts the moves by rank.
    pub(crate) fn set_tb_ranks(&mut self, rank_of: impl Fn(Move) -> Option<(i32, Value)>) {
        for root_move in &mut self.moves {
            if let Some((rank, value)) = rank_of(root_move.mv) {
                (root_move.tb_rank, root_move.tb_value) = (rank, Some(value));
            }
        }
        // A stable sort, which keeps the order of equal moves.
        self.moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.tb_rank));
        self.complete &= self.moves.iter().all(|root_move| root_move.tb_rank == self.moves[0].tb_rank);
    }

    /// Returns the moves, best first.
    pub(crate) fn moves(&self) -> &[RootMove] {
        &self.moves
    }

    /// Returns the best move of the current line.
    pub(crate) fn current(&self) -> &RootMove {
        &self.moves[self.line]
    }

    /// Returns the index of the current line.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// Starts an iteration of this depth, in plies.
    pub(crate) fn start_iteration(&mut self, depth: u32) {
        for root_move in &mut self.moves {
            root_move.previous_value = root_move.latest_value();
            root_move.value = -INFINITE;
            root_move.is_searched = false;
        }
        (self.depth, self.line) = (depth, 0);
    }

    /// Marks the moves of the current line as not searched, for a search with a lower alpha: they are only known not to beat the old one.
    pub(crate) fn restart_line(&mut self) {
        self.moves[self.line..].iter_mut().for_each(|root_move| root_move.is_searched = false);
    }

    /// Starts a line of the iteration.
    pub(crate) fn start_line(&mut self, line: usize) {
        self.line = line;
    }

    /// Returns true if the current line may begin with this move: it begins no finished line, and no
    /// remaining move has a higher tablebase rank.
    pub(crate) fn is_searchable(&self, mv: Move) -> bool {
        // Looking through all moves for each of them would take a tenth of a search of a hundred nodes.
        if self.covers_position() {
            return true;
        }
        let rank = self.current().tb_rank;
        self.moves[self.line..].iter().any(|root_move| root_move.mv == mv && root_move.tb_rank == rank)
    }

    /// Returns true if a legal move is one of the root moves, whatever its tablebase rank.
    pub(crate) fn contains(&self, mv: Move) -> bool {
        self.complete || self.moves.iter().any(|root_move| root_move.mv == mv)
    }

    /// Returns true if the current line searches all legal moves, so that its value is that of the position.
    pub(crate) fn covers_position(&self) -> bool {
        self.complete && self.line == 0
    }

    /// Sets the result of a move that is the first or beat alpha; `line` is the principal variation after it.
    pub(crate) fn update(&mut self, mv: Move, value: Value, bound: Bound, seldepth: usize, line: &[Move]) {
        let depth = self.depth;
        if let Some(root_move) = self.get_mut(mv) {
            (root_move.value, root_move.bound, root_move.seldepth) = (value, bound, seldepth);
            (root_move.depth, root_move.is_searched) = (depth, true);
            root_move.pv.clear();
            root_move.pv.push(mv);
            root_move.pv.extend_from_slice(line);
        }
    }

    /// Sets the result of a move that did not beat alpha.
    pub(crate) fn fail_low(&mut self, mv: Move) {
        if let Some(root_move) = self.get_mut(mv) {
            (root_move.value, root_move.is_searched) = (-INFINITE, true);
        }
    }

    /// Adds to the node count of a move.
    pub(crate) fn add_nodes(&mut self, mv: Move, nodes: u64) {
        if let Some(root_move) = self.get_mut(mv) {
            root_move.nodes += nodes;
        }
    }

    fn get_mut(&mut self, mv: Move) -> Option<&mut RootMove> {
        self.moves.iter_mut().find(|root_move| root_move.mv == mv)
    }

    /// Sorts the moves of the current line and later ones; equal moves keep their order.
    pub(crate) fn sort(&mut self) {
        self.moves[self.line..].sort_by_key(RootMove::sort_key);
    }

    /// Sorts the current line into its place among the finished lines.
    pub(crate) fn finish_line(&mut self) {
        self.moves[..=self.line].sort_by_key(RootMove::sort_key);
    }

    /// Ends an iteration of several lines that has been stopped after this number of finished lines. The other lines are those of
    /// the iteration before, `previous`.
    pub(crate) fn abort_iteration(&mut self, previous: RootMoves, finished: usize) {
        let leaders = if finished > 0 { finished } else { usize::from(self.is_leader_valid(&previous)) };
        let leaders = self.moves[..leaders].to_vec();
        *self = previous.with_leaders(leaders);
    }

    /// Returns true if the best move of an unfinished first line is better than all others: each has either been searched and did
    /// not beat it, or was not better in the iteration before.
    fn is_leader_valid(&self, previous: &RootMoves) -> bool {
        let (Some(leader), Some(last)) = (self.moves.first(), previous.moves.get(previous.line)) else {
            return false;
        };
        // No move has beaten the bound of a fail low, but one of them may still be better than the others.
        let has_value = leader.value > -INFINITE && leader.bound != Bound::Upper;
        let is_searched =
            |other: &RootMove| self.moves.iter().any(|current| current.mv == other.mv && current.is_searched);
        // A move without a value did not beat the last line.
        let highest = |other: &RootMove| if other.value > -INFINITE { other.value } else { last.value };
        has_value && previous.moves.iter().all(|other| highest(other) <= leader.value || is_searched(other))
    }

    /// Puts moves with later results first. A move of the same tablebase rank that was better in an earlier iteration gets the value
    /// of the last of them as an upper bound, since it has been searched and did not beat that.
    pub(crate) fn with_leaders(mut self, mut leaders: Vec<RootMove>) -> RootMoves {
        self.moves.retain(|root_move| leaders.iter().all(|leader| leader.mv != root_move.mv));
        if let Some(last) = leaders.last() {
            let (value, depth, rank) = (last.value, last.depth, last.tb_rank);
            for root_move in &mut self.moves {
                if root_move.latest_value() > value && root_move.tb_rank == rank {
                    (root_move.value, root_move.bound, root_move.depth) = (value, Bound::Upper, depth);
                }
            }
        }
        leaders.append(&mut self.moves);
        RootMoves { moves: leaders, ..self }
    }

    /// Returns the share of the nodes that were spent on the best move, in thousandths.
    pub(crate) fn best_move_effort(&self) -> u64 {
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
    fn sort_puts_the_best_first_and_is_stable() {
        let (mut root, moves) = moves();
        root.start_iteration(1);
        root.start_line(0);
        root.update(moves[0], 10, Bound::Exact, 3, &[]);
        root.fail_low(moves[1]);
        root.update(moves[2], 30, Bound::Exact, 5, &[]);
        moves[..3].iter().for_each(|&mv| root.add_nodes(mv, 100));
        root.sort();
        let order: Vec<Move> = root.moves().iter().map(|root_move| root_move.mv).collect();
        assert_eq!(order, [moves[2], moves[0], moves[1], moves[3]]);
        assert_eq!((root.current().value, root.current().seldepth, root.best_move_effort()), (30, 5, 333));
        assert!(!root.covers_position());
        root.start_iteration(2);
        assert_eq!((root.current().value, root.current().latest_value()), (-INFINITE, 30));
    }

    #[test]
    fn finished_lines_are_excluded_and_sorted() {
        let (mut root, moves) = moves();
        root.start_iteration(1);
        root.start_line(0);
        root.update(moves[1], 20, Bound::Exact, 1, &[]);
        root.sort();
        root.start_line(1);
        assert!(!root.is_searchable(moves[1]) && root.is_searchable(moves[0]));
        root.update(moves[3], 25, Bound::Exact, 1, &[moves[0]]);
        root.sort();
        assert_eq!(root.current().mv, moves[3]);
        root.finish_line();
        let order: Vec<Move> = root.moves().iter().map(|root_move| root_move.mv).collect();
        assert_eq!(order[..2], [moves[3], moves[1]], "the second line is the better one");
        assert_eq!(root.moves()[0].pv(), [moves[3], moves[0]]);
    }

    /// Three moves with the values 60, 55 and 50 of an iteration of depth 1, and the same in an iteration of depth 2 that has begun.
    fn second_iteration() -> (RootMoves, RootMoves, Vec<Move>) {
        let (mut previous, moves) = moves();
        previous.start_iteration(1);
        for (line, value) in [60, 55, 50].into_iter().enumerate() {
            previous.start_line(line);
            previous.update(moves[line], value, Bound::Exact, 1, &[]);
        }
        let mut root = previous.clone();
        root.start_iteration(2);
        (root, previous, moves)
    }

    fn lines(root: &RootMoves) -> Vec<(Move, Value, Bound, u32)> {
        let line =
            |root_move: &RootMove| (root_move.mv, root_move.latest_value(), root_move.bound, root_move.depth);
        root.moves()[..3].iter().map(line).collect()
    }

    #[test]
    fn aborted_iteration_bounds_moves_that_did_not_beat_the_finished_lines() {
        let (mut root, previous, moves) = second_iteration();
        root.update(moves[0], 52, Bound::Exact, 2, &[]);
        moves[1..].iter().for_each(|&mv| root.fail_low(mv));
        root.start_line(1);
        root.update(moves[1], 10, Bound::Exact, 2, &[]);
        root.abort_iteration(previous, 1);
        let expected = [
            (moves[0], 52, Bound::Exact, 2),
            (moves[1], 52, Bound::Upper, 2),
            (moves[2], 50, Bound::Exact, 1),
        ];
        assert_eq!(lines(&root), expected);
    }

    #[test]
    fn moves_searched_before_a_fail_low_do_not_count() {
        let (mut root, previous, moves) = second_iteration();
        root.update(moves[0], 45, Bound::Upper, 2, &[]);
        moves[1..].iter().for_each(|&mv| root.fail_low(mv));
        root.restart_line();
        root.update(moves[0], 40, Bound::Exact, 2, &[]);
        root.abort_iteration(previous, 0);
        let exact = |mv, value| (mv, value, Bound::Exact, 1);
        assert_eq!(lines(&root), [exact(moves[0], 60), exact(moves[1], 55), exact(moves[2], 50)]);
    }

    #[test]
    fn values_of_earlier_iterations_do_not_count() {
        let (mut root, previous, moves) = moves_with_a_stale_value();
        root.update(moves[0], 58, Bound::Exact, 3, &[]);
        root.abort_iteration(previous, 0);
        assert_eq!((root.moves()[0].mv, root.moves()[0].value), (moves[0], 58));
    }

    /// An iteration of depth 3 that has begun, after one whose two lines have the values 40 and 35; the third move has a value of
    /// 80 from the first iteration alone.
    fn moves_with_a_stale_value() -> (RootMoves, RootMoves, Vec<Move>) {
        let (mut previous, moves) = moves();
        previous.start_iteration(1);
        previous.update(moves[2], 80, Bound::Exact, 1, &[]);
        previous.start_iteration(2);
        for (line, value) in [40, 35].into_iter().enumerate() {
            previous.start_line(line);
            previous.update(moves[line], value, Bound::Exact, 2, &[]);
            previous.fail_low(moves[2]);
        }
        let mut root = previous.clone();
        root.start_iteration(3);
        (root, previous, moves)
    }

    #[test]
    fn unfinished_first_line_counts_if_its_move_is_the_best() {
        let exact = |mv, value, depth| (mv, value, Bound::Exact, depth);
        let (mut root, previous, moves) = second_iteration();
        root.update(moves[0], 40, Bound::Exact, 2, &[]);
        let mut improved = root.clone();
        root.abort_iteration(previous.clone(), 0);
        let complete = [exact(moves[0], 60, 1), exact(moves[1], 55, 1), exact(moves[2], 50, 1)];
        assert_eq!(lines(&root), complete, "the second move was better and has not been searched");
        improved.fail_low(moves[1]);
        improved.update(moves[2], 53, Bound::Exact, 2, &[]);
        improved.sort();
        let expected =
            [exact(moves[2], 53, 2), (moves[0], 53, Bound::Upper, 2), (moves[1], 53, Bound::Upper, 2)];
        let mut failed_low = improved.clone();
        improved.abort_iteration(previous.clone(), 0);
        assert_eq!(lines(&improved), expected);
        failed_low.moves[0].bound = Bound::Upper;
        failed_low.abort_iteration(previous, 0);
        assert_eq!(lines(&failed_low), complete);
    }

    #[test]
    fn lower_tablebase_ranks_are_not_searched() {
        let (mut root, moves) = moves();
        root.set_tb_ranks(|mv| Some(if mv == moves[2] { (5, 100) } else { (1, 0) }));
        root.start_line(0);
        assert_eq!(root.current().mv, moves[2]);
        assert!(root.is_searchable(moves[2]) && !root.is_searchable(moves[0]));
    }
}
