//! The mate search behind `go mate`.
//!
//! Two searches take turns until one of them has found the mate or it is refuted; the normal one is paused within an iteration that takes
//! long. That selective search provides a best move at any time and finds most mates of games soon, but its pruning hides others, above all
//! those of composed problems, and it proves nothing. The proof-number search finds mates of both kinds, proves them, and refutes the
//! others. It has nearly all of the nodes, with which the two find more mates than with equal shares (docs/experiments.md). All threads do the
//! same, and the first to find or to refute the mate ends the search.

mod estimate;
mod numbers;
mod proof_line;
mod proof_search;
mod simulation;

use super::deepening::{Deepening, Iteration, MAX_DEPTH};
use crate::limits::Limits;
use crate::root_moves::{RootMove, RootMoves};
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
pub(super) struct MateSearch<'a> {
    root: &'a Position,
    limits: &'a Limits,
    /// The number of moves of the requested mate.
    moves: u32,
    /// The lowest number of moves in which a mate has not been refuted.
    shortest: u32,
    /// The nodes of all proof-number searches so far.
    nodes: u64,
}

/// The end of a turn of the selective search.
enum Turn {
    /// An iteration has been completed.
    Completed,
    /// The turn ended within an iteration, which is searched again in the next one.
    Paused,
    /// A limit has been reached, or the last depth was completed before.
    Stopped,
}

impl<'a> MateSearch<'a> {
    /// Creates the progress of a new search; `None` if no mate is requested.
    pub(super) fn new(root: &'a Position, limits: &'a Limits) -> Option<MateSearch<'a>> {
        let moves = limits.mate?.min(limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH).div_ceil(2));
        Some(MateSearch { root, limits, moves, shortest: 1, nodes: 0 })
    }

    /// Searches in turns until the mate is found or refuted, or a limit is reached.
    pub(super) fn run(&mut self, searcher: &mut Searcher<'_>, deepening: &mut Deepening<'_>) {
        // Several lines are compared with each other.
        let has_one_line = deepening.lines() == 1;
        if has_one_line {
            searcher.mate_value = self.limits.mate_value();
        }
        let is_decided = loop {
            match self.take_selective_turn(searcher, deepening) {
                Turn::Stopped => break false,
                Turn::Paused => {}
                Turn::Completed if self.limits.is_mate_found(searcher.root_moves.moves()[0].value) => {
                    break true;
                }
                Turn::Completed if deepening.is_soft_limit_reached(searcher) => break false,
                Turn::Completed => {}
            }
            if self.take_proof_turn(searcher, deepening.is_finished()) {
                break true;
            }
        };
        // The main thread's lines are all that a search with several lines reports.
        if is_decided && (has_one_line || searcher.limits.is_main_thread()) {
            searcher.limits.stop_all();
        }
    }

    /// Searches an iteration, up to the end of the turn. A pause leaves the results of the iteration before.
    fn take_selective_turn(&self, searcher: &mut Searcher<'_>, deepening: &mut Deepening<'_>) -> Turn {
        let previous = searcher.root_moves.clone();
        searcher.limits.pause_after((searcher.limits.nodes() - self.nodes).max(FIRST_TURN));
        let end = deepening.iterate(searcher);
        if searcher.limits.resume() {
            searcher.root_moves = previous;
            return Turn::Paused;
        }
        match end {
            Iteration::Completed => Turn::Completed,
            Iteration::Stopped => Turn::Stopped,
        }
    }

    /// Runs the proof-number search until it has searched its share of the nodes, or without a limit if the selective search has
    /// `finished`. If it finds the mate, its move becomes the best. Returns true if the mate has been found or refuted.
    fn take_proof_turn(&mut self, searcher: &mut Searcher<'_>, finished: bool) -> bool {
        let start = searcher.limits.nodes();
        let share = (start - self.nodes).saturating_mul(PROOF_NODES);
        let budget = if finished { u64::MAX } else { share.saturating_sub(self.nodes) };
        let proof = self.prove(searcher, budget);
        self.nodes += searcher.limits.nodes() - start;
        if let Some(line) = &proof {
            lead_with_mate(&mut searcher.root_moves, line);
        }
        proof.is_some() || self.shortest > self.moves
    }

    /// Searches up to `budget` nodes for a proof, and returns it. Notes refutations.
    fn prove(&mut self, searcher: &mut Searcher<'_>, budget: u64) -> Option<ProvenLine> {
        searcher.root_moves.start_line(0);
        let start = searcher.limits.nodes();
        let mut search = ProofSearch::new(searcher, self.root, self.moves);
        for (limit, end) in [(self.moves.saturating_sub(1), budget / SHORTEST_SHARE), (self.moves, budget)] {
            while self.shortest <= limit {
                let rest = end.saturating_sub(search.nodes() - start);
                let moves = if limit == self.moves { limit } else { self.shortest };
                let (numbers, mv) = search.search_root(self.root, moves, rest)?;
                if let Some(mv) = mv {
                    return Some(search.proven_line(self.root, moves, mv, numbers));
                }
                if !numbers.is_refuted() {
                    break;
                }
                self.shortest = moves + 1;
            }
        }
        None
    }
}

/// Makes the first move of a proven mate the best move.
fn lead_with_mate(root_moves: &mut RootMoves, line: &ProvenLine) {
    let former = std::mem::take(root_moves);
    let depth = former.moves().first().map_or(1, |best| best.depth);
    let first = former.moves().iter().find(|root_move| line.moves.first() == Some(&root_move.mv));
    let mates = first.map(|first| RootMove {
        value: mate_in(line.plies as Value),
        bound: line.bound,
        depth: depth.max(line.plies),
        seldepth: line.plies as usize,
        pv: line.moves.clone(),
        is_searched: true,
        ..first.clone()
    });
    // The values of the other moves are those of the selective search.
    *root_moves = former.with_leaders(mates.into_iter().collect());
}
