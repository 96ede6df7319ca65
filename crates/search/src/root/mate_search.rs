//! The mate search behind `go mate`.
//!
//! Two searches take turns until one of them has found the mate or it is refuted; the normal one is paused within an iteration that takes
//! long. That selective search provides a best move at any time and finds most mates of games soon, but its pruning hides others, above all
//! those of composed problems, and it proves nothing. The proof-number search finds mates of both kinds, proves them, and refutes the
//! others. It has nearly all of the nodes, with which the two find more mates than with equal shares (docs/search.md). All threads do the
//! same, and the first to find or to refute the mate ends the search.

mod estimate;
mod numbers;
mod proof_line;
mod proof_search;
mod simulation;

use super::deepening::{Deepening, Iteration, MAX_DEPTH};
use crate::limits::Limits;
use crate::root_moves::RootMove;
use crate::searcher::Searcher;
use proof_line::ProvenLine;
use proof_search::ProofSearch;
use tabiya_core::{Value, mate_in};
use tabiya_movegen::Position;

/// The nodes of the proof-number search per node of the selective search of the same thread.
const PROOF_NODES: u64 = 32;
/// The part of its nodes that the proof-number search spends on the shortest mate that is not refuted, if that is shorter than the
/// requested one. Refuting the short mates first finds short mates in a search for a very long one.
const SHORTEST_SHARE: u64 = 16;

/// The nodes of the first turn of the selective search. Each later one lasts as long as all before together, so that little of an iteration
/// that is paused is searched again.
const FIRST_TURN: u64 = 10_000;

/// The progress of a mate search.
pub(super) struct MateSearch {
    /// The number of moves of the requested mate.
    moves: u32,
    /// The lowest number of moves in which a mate has not been refuted.
    shortest: u32,
    /// The nodes of all proof-number searches so far.
    nodes: u64,
}

impl MateSearch {
    /// Creates the progress of a new search; `None` if no mate is requested.
    pub(super) fn new(limits: &Limits) -> Option<MateSearch> {
        let moves = limits.mate?.min(limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH).div_ceil(2));
        Some(MateSearch { moves, shortest: 1, nodes: 0 })
    }

    /// Returns the number of nodes that the selective search may search before its next pause; `nodes` are those of both searches so far.
    fn next_turn(&self, nodes: u64) -> u64 {
        (nodes - self.nodes).max(FIRST_TURN)
    }
}

impl Searcher<'_> {
    /// Searches in turns until the mate is found or refuted, or a limit is reached.
    pub(super) fn deepen_for_mate(&mut self, deepening: &mut Deepening<'_>, mut state: MateSearch) {
        let limits = deepening.limits;
        if deepening.lines == 1 {
            // Several lines are compared with each other.
            self.mate_value = limits.mate_value();
        }
        let is_decided = loop {
            self.limits.pause_after(state.next_turn(self.limits.nodes()));
            match deepening.iterate(self) {
                Iteration::Stopped => break false,
                Iteration::Paused => {}
                Iteration::Completed if limits.is_mate_found(self.root_moves.moves()[0].value) => break true,
                Iteration::Completed if deepening.is_soft_limit_reached(self) => break false,
                Iteration::Completed => {}
            }
            if self.search_mate(deepening.root, &mut state, deepening.is_finished()) {
                break true;
            }
        };
        // The main thread's lines are all that a search with several lines reports.
        if is_decided && (self.limits.is_main_thread() || deepening.lines == 1) {
            self.limits.stop_all();
        }
    }

    /// Runs the proof-number search until it has searched its share of the nodes, or without a limit if the selective search has
    /// `finished`. If it finds the mate, its move becomes the best. Returns true if the mate has been found or refuted.
    fn search_mate(&mut self, root: &Position, state: &mut MateSearch, finished: bool) -> bool {
        let start = self.limits.nodes();
        let share = (start - state.nodes).saturating_mul(PROOF_NODES);
        let budget = if finished { u64::MAX } else { share.saturating_sub(state.nodes) };
        let proof = self.prove_mate(root, state, budget);
        state.nodes += self.limits.nodes() - start;
        if let Some(line) = &proof {
            self.lead_with_mate(line);
        }
        proof.is_some() || state.shortest > state.moves
    }

    /// Searches up to `budget` nodes for a proof, and returns it. Refutations go into `state`.
    fn prove_mate(&mut self, root: &Position, state: &mut MateSearch, budget: u64) -> Option<ProvenLine> {
        self.root_moves.start_line(0);
        let start = self.limits.nodes();
        let mut search = ProofSearch::new(self, root, state.moves);
        for (limit, end) in [(state.moves.saturating_sub(1), budget / SHORTEST_SHARE), (state.moves, budget)]
        {
            while state.shortest <= limit {
                let rest = end.saturating_sub(search.nodes() - start);
                let moves = if limit == state.moves { limit } else { state.shortest };
                let (numbers, mv) = search.search_root(root, moves, rest)?;
                if let Some(mv) = mv {
                    return Some(search.proven_line(root, moves, mv, numbers));
                }
                if !numbers.is_refuted() {
                    break;
                }
                state.shortest = moves + 1;
            }
        }
        None
    }

    /// Makes the first move of a proven mate the best move.
    fn lead_with_mate(&mut self, line: &ProvenLine) {
        let root_moves = std::mem::take(&mut self.root_moves);
        let depth = root_moves.moves().first().map_or(1, |best| best.depth);
        let former = root_moves.moves().iter().find(|root_move| line.moves.first() == Some(&root_move.mv));
        let mates = former.map(|former| RootMove {
            value: mate_in(line.plies as Value),
            bound: line.bound,
            depth: depth.max(line.plies),
            seldepth: line.plies as usize,
            pv: line.moves.clone(),
            is_searched: true,
            ..former.clone()
        });
        // The values of the other moves are those of the selective search.
        self.root_moves = root_moves.with_leaders(mates.into_iter().collect());
    }
}
