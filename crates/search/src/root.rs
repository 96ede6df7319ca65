//! The root of the search: its moves, and the choice between the normal search ([`deepening`]) and that of `go mate`
//! ([`mate_search`]).

mod aspiration;
mod deepening;
mod mate_search;

use crate::history::MoveContext;
use crate::limits::Limits;
use crate::picker::Picker;
use crate::root_moves::{RootMove, RootMoves};
use crate::searcher::Searcher;
use crate::tablebase;
use deepening::{Deepening, Iteration};
use mate_search::MateSearch;
use tabiya_core::{Bound, Move, VALUE_DRAW, Value};
use tabiya_movegen::{Position, Threats};
use tabiya_syzygy::FiftyMoves;

impl Searcher<'_> {
    /// Searches the root until a limit is reached. Returns the best move, or `None` if there is no legal move.
    pub(crate) fn search_root(&mut self, root: &Position, limits: &Limits) -> Option<RootMove> {
        self.stack.reset(root.board());
        self.evaluator.set_root(root);
        self.root_moves = self.find_root_moves(root, &limits.search_moves);
        self.tb_probe_in_tree = !self.rank_root_moves(root);
        if self.root_moves.moves().is_empty() {
            self.report_lines(root, 1);
            return None;
        }
        self.root_static_eval = if root.in_check() { VALUE_DRAW } else { self.evaluator.evaluate(root) };
        let mut deepening = Deepening::new(root, limits, self.root_moves.moves().len());
        match MateSearch::new(root, limits) {
            None => {
                while deepening.iterate(self) == Iteration::Completed
                    && !deepening.is_soft_limit_reached(self)
                {}
            }
            Some(mut mate_search) => mate_search.run(self, &mut deepening),
        }
        deepening.report_last(self);
        self.root_moves.moves().first().cloned()
    }

    /// Stores the result of a root move: the nodes spent on it and, if it is the best so far, its value and line.
    pub(crate) fn update_root_move(
        &mut self,
        mv: Move,
        value: Value,
        bound: Bound,
        is_best: bool,
        nodes: u64,
    ) {
        if is_best {
            self.root_moves.update(mv, value, bound, self.seldepth, self.pv.line(1));
            // A requested mate need not be compared with the other moves.
            if bound == Bound::Exact && value >= self.mate_value {
                self.limits.stop_all();
            }
        } else {
            self.root_moves.fail_low(mv);
        }
        self.root_moves.add_nodes(mv, nodes);
    }

    /// Returns the root moves in their initial order: the legal moves among `search_moves`, or all legal moves
    /// if there are none.
    fn find_root_moves(&mut self, root: &Position, search_moves: &[Move]) -> RootMoves {
        let tt_move = self.tt_probe(root, 0).and_then(|entry| entry.mv);
        let mut picker = Picker::new(root, tt_move);
        let context = MoveContext::new(root, self.stack, 0, Threats::default());
        let mut moves = Vec::new();
        while let Some(mv) = picker.next(root, self.histories, &context, self.picker_memory, 0) {
            moves.push(mv);
        }
        let legal_count = moves.len();
        if moves.iter().any(|mv| search_moves.contains(mv)) {
            moves.retain(|mv| search_moves.contains(mv));
        }
        let complete = moves.len() == legal_count;
        RootMoves::new(moves, complete)
    }

    /// Ranks the root moves by the tablebases, so that no move is played that worsens the result. Returns true
    /// if the tablebases contain the root.
    fn rank_root_moves(&mut self, root: &Position) -> bool {
        let Some((tables, limit)) = self.tablebases.in_use() else { return false };
        if root.occupied().count() as usize > limit {
            return false;
        }
        let fifty_move_rule = self.tablebases.fifty_move_rule;
        let rule = if fifty_move_rule {
            let repeated = self.key_history.has_repeated_in_game(root.halfmove_clock());
            FiftyMoves::Counted { repeated }
        } else {
            FiftyMoves::Ignored
        };
        let Some(ranks) = tables.probe_root(root, rule) else { return false };
        if self.limits.is_main_thread() {
            self.limits.count_tb_hits(ranks.len() as u64);
        }
        self.root_moves.set_tb_ranks(|mv| {
            let rank = ranks.iter().find(|rank| rank.mv == mv)?;
            Some((rank.rank, tablebase::result(rank.wdl, fifty_move_rule, 0).value))
        });
        true
    }
}
