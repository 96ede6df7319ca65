//! Depth-first proof-number search (df-pn) for a mate in a limited number of moves.
//!
//! In the tree of a mate problem the attacker needs one good move and the defender every reply. The *proof number* of a
//! node is the least number of leaves that must be proven to prove the mate, the *disproof number* the least number that must be
//! refuted to refute it. The search always expands the leaf that both numbers recommend. So it follows moves that leave the
//! defender few replies, such as checks, many moves deep, before it tries others, and it ends with a proof or a refutation. Nothing is
//! pruned. Sources: Allis, van der Meulen and van den Herik, *Proof-Number Search*, 1994; Nagai, *Df-pn Algorithm for Searching
//! AND/OR Trees and Its Applications*, 2002; thresholds with a margin: Pawlewicz and Lew, *Improving Depth-First
//! PN-Search: 1 + ε Trick*, 2007.
//!
//! The first estimate of a node's numbers decides when it is searched. A king with many free squares is hard to mate, so the initial proof
//! number grows with their number. The attacker's moves that give no check share one estimate until they are needed. A proof that has been
//! found is tried on the sibling positions ([`simulation`](super::simulation)).
//!
//! Several threads search the same tree and share its nodes in the transposition table. Each thread has its own order of the moves,
//! so that of moves that are about equally good they search different ones.
//!
//! The number of remaining moves is part of each node's key, so that the graph has no cycles. Repetitions need no detection
//! within the search, since a shortest mate never repeats a position. A position that has already occurred twice in the game is a draw.

use super::estimate::{self, QUIET_DIVISOR};
use super::numbers::{
    AttackChild, Child, MAX_OPEN, NodeState, Thresholds, leading_threshold, select, sum_threshold,
};
use crate::searcher::Searcher;
use crate::tt::ProofEntry;
use tabiya_core::{Bitboard, Key, Move, MoveKind};
use tabiya_movegen::Position;

/// The number of nodes of a child's search after which a thread looks at what the others have found meanwhile.
const REFRESH_NODES: u64 = 100;
/// The key salt of the mate search.
const SALT: Key = 0x6d61_7465_6d61_7465;
/// The golden ratio less 1, in units of 2^-32. Its multiples are spread evenly over the fractions of 1.
const GOLDEN_RATIO: u32 = 0x9e37_79b9;
/// An odd number, by multiples of which the keys of a position with different numbers of moves differ, in their lower half alone: so they
/// share a cluster of the table, and looking up neighbouring numbers costs no further cache misses.
const KEY_STEP: u32 = GOLDEN_RATIO;

/// A mate search from one root.
pub(super) struct ProofSearch<'s, 'a> {
    searcher: &'s mut Searcher<'a>,
    /// The node count at which the search is interrupted.
    node_end: u64,
    /// The positions that have occurred twice in the game and are drawn if they recur.
    drawn: Vec<Key>,
    salt: Key,
    /// The part of the moves, in units of 2^-32, that this thread tries after the others.
    rotation: u32,
    /// The last reply that prevented a mate in one.
    refutation: Option<Move>,
}

impl<'s, 'a> ProofSearch<'s, 'a> {
    /// Creates a search for mate in up to `moves` moves.
    pub(super) fn new(searcher: &'s mut Searcher<'a>, root: &Position, moves: u32) -> ProofSearch<'s, 'a> {
        let rotation = (searcher.limits.thread() as u32).wrapping_mul(GOLDEN_RATIO);
        let mut drawn: Vec<Key> = searcher.key_history.repetitions_in_game(root.halfmove_clock()).collect();
        // A position that has occurred three times comes twice, which the salt would not show.
        drawn.sort_unstable();
        drawn.dedup();
        // The entries of searches with other draws prove nothing here.
        let mut salt = drawn.iter().fold(SALT, |salt, key| salt ^ key.rotate_left(1));
        if searcher.move_filter.is_some() {
            // A filter may depend on the ply, which follows from the number of moves.
            salt ^= Key::from(moves).rotate_left(32);
        }
        ProofSearch { searcher, node_end: u64::MAX, drawn, salt, rotation, refutation: None }
    }

    /// Searches for mate in `moves` moves, until it is proven or refuted, or `nodes` nodes have been searched. A later call
    /// continues from the entries in the transposition table. Returns the state of the root, and the mating move if the mate is proven;
    /// `None` if the search has been stopped.
    pub(super) fn search_root(
        &mut self,
        root: &Position,
        moves: u32,
        nodes: u64,
    ) -> Option<(NodeState, Option<Move>)> {
        self.node_end = self.nodes().saturating_add(nodes);
        self.attack(root, moves, 0, Thresholds::NONE)
    }

    /// Returns the node count of the thread.
    pub(super) fn nodes(&self) -> u64 {
        self.searcher.limits.nodes()
    }

    /// Proves the mate in `moves` moves again, which has been proven before, and returns the attacker's move with the state of the
    /// node. Returns `None` if the search has been stopped.
    pub(super) fn prove(&mut self, position: &Position, moves: u32, ply: usize) -> Option<(Move, NodeState)> {
        self.node_end = u64::MAX;
        let (numbers, mv) = self.attack(position, moves, ply, Thresholds::NONE)?;
        Some((mv?, numbers))
    }

    /// Returns the stored state of a position with the attacker to move.
    pub(super) fn attack_numbers(&self, position: &Position, moves: u32) -> Option<NodeState> {
        self.probe(self.key(position, moves, true))
    }

    /// Makes a move. Returns `None` if the search has been stopped.
    pub(super) fn play(&mut self, position: &Position, mv: Move) -> Option<Position> {
        if !self.searcher.limits.count_node() {
            return None;
        }
        let mut child = position.clone();
        child.play_unchecked(mv);
        child.cache_legality();
        Some(child)
    }

    /// Searches a position with the attacker to move, who has `moves` moves left, at least 1. Returns its state, and the mating move
    /// if the mate is proven; `None` if the search has been stopped.
    fn attack(
        &mut self,
        position: &Position,
        moves: u32,
        ply: usize,
        thresholds: Thresholds,
    ) -> Option<(NodeState, Option<Move>)> {
        let start = self.nodes();
        let key = self.key(position, moves, true);
        let (checks, quiets) = self.attacking_moves(position, moves, ply);
        let mut children = Vec::with_capacity(checks.len() + quiets.len());
        let mut unseen = checks;
        // Most nodes are left again after the first look at them, for which an estimate of the moves without check will do.
        let is_first_visit = self.probe(key).is_none();
        if is_first_visit && !quiets.is_empty() && !position.in_check() {
            let numbers = estimate::of_quiets(position, quiets.len());
            // It is not in the table, where no node has the key 0.
            children.push(AttackChild { mv: None, key: 0, numbers });
        } else {
            unseen.extend(&quiets);
        }
        let (numbers, mv) = loop {
            self.prefetch(position, &unseen);
            for mv in unseen.drain(..) {
                let child = self.play(position, mv)?;
                let numbers = self.numbers_after_attack(&child, moves - 1, ply + 1)?;
                if !numbers.is_refuted() {
                    let key = self.key(&child, moves - 1, false);
                    children.push(AttackChild { mv: Some(mv), key, numbers });
                }
                if numbers.is_proven() {
                    break;
                }
            }
            let selection = select(&children, |numbers| (numbers.proof, numbers.disproof));
            let Some(child) = children.get_mut(selection.index) else {
                break (NodeState::REFUTED, None);
            };
            if child.numbers.is_proven() {
                break (NodeState::proven(child.numbers.length + 1), child.mv);
            }
            if selection.sum == 0 {
                break (NodeState::REFUTED, None);
            }
            let numbers =
                NodeState { proof: selection.lowest, disproof: selection.sum.min(MAX_OPEN), length: 0 };
            if thresholds.are_reached(numbers) || self.is_interrupted() {
                break (numbers, None);
            }
            let Some(mv) = child.mv else {
                children.swap_remove(selection.index);
                unseen.extend(&quiets);
                continue;
            };
            let thresholds = Thresholds {
                proof: leading_threshold(thresholds.proof, selection.second),
                disproof: sum_threshold(
                    thresholds.disproof,
                    selection.sum - child.numbers.disproof,
                    child.numbers.disproof,
                ),
            };
            let before = self.nodes();
            let next = self.play(position, mv)?;
            child.numbers = self.defend(&next, moves - 1, ply + 1, thresholds)?;
            self.refresh(&mut children, before);
        };
        // The root's moves depend on the limits of the search.
        if ply > 0 {
            self.store(key, numbers, mv, start);
        }
        Some((numbers, mv))
    }

    /// Searches a position with the defender to move, in which the attacker has `moves` moves left, at least 2. Returns its state;
    /// `None` if the search has been stopped.
    fn defend(
        &mut self,
        position: &Position,
        moves: u32,
        ply: usize,
        thresholds: Thresholds,
    ) -> Option<NodeState> {
        let start = self.nodes();
        let key = self.key(position, moves, false);
        let replies = self.replies(position, ply);
        let mut children = Vec::with_capacity(replies.len());
        self.prefetch(position, &replies);
        let safe = estimate::safe_squares(position, position.side_to_move());
        for mv in replies {
            let (key, numbers) = match self.likely_numbers_after_defence(position, mv, moves, safe) {
                Some(likely) => likely,
                None => {
                    let child = self.play(position, mv)?;
                    (self.key(&child, moves, true), self.numbers_after_defence(&child, moves, ply + 1)?)
                }
            };
            children.push(Child { mv, key, numbers });
            if numbers.is_refuted() {
                break;
            }
        }
        let divisor = if position.in_check() { 1 } else { QUIET_DIVISOR };
        let numbers = loop {
            let selection = select(&children, |numbers| (numbers.disproof, numbers.proof));
            // If the defender overlooks all replies, nothing is proven.
            if selection.lowest == 0 || children.is_empty() {
                break NodeState::REFUTED;
            }
            if selection.sum == 0 {
                let longest = children.iter().map(|child| child.numbers.length).max();
                break NodeState::proven(longest.unwrap_or(0) + 1);
            }
            let proof = selection.largest + (selection.sum - selection.largest) / divisor;
            let numbers = NodeState { proof: proof.min(MAX_OPEN), disproof: selection.lowest, length: 0 };
            if thresholds.are_reached(numbers) || self.is_interrupted() {
                break numbers;
            }
            let child = &mut children[selection.index];
            let thresholds = Thresholds {
                proof: sum_threshold(
                    thresholds.proof,
                    (selection.sum - child.numbers.proof) / divisor,
                    child.numbers.proof,
                ),
                disproof: leading_threshold(thresholds.disproof, selection.second),
            };
            let before = self.nodes();
            let next = self.play(position, child.mv)?;
            child.numbers = self.attack(&next, moves, ply + 1, thresholds)?.0;
            if child.numbers.is_proven() {
                for sibling in children.iter_mut().filter(|sibling| !sibling.numbers.is_proven()) {
                    let other = self.play(position, sibling.mv)?;
                    if let Some(numbers) = self.attack_like(&other, &next, moves, ply + 1)? {
                        sibling.numbers = numbers;
                    }
                }
            }
            self.refresh(&mut children, before);
        };
        self.store(key, numbers, None, start);
        Some(numbers)
    }

    /// Reads the states of the children that other threads have searched meanwhile, unless few nodes have been searched since the node
    /// count was `before`.
    fn refresh<M>(&self, children: &mut [Child<M>], before: u64) {
        if self.nodes() - before < REFRESH_NODES || !self.searcher.limits.has_helpers() {
            return;
        }
        for child in children.iter_mut().filter(|child| !child.numbers.is_decided()) {
            child.numbers = self.probe(child.key).unwrap_or(child.numbers);
        }
    }

    /// Returns the attacker's moves: those that give check, and the others. The last move must mate, so the others are not considered for it.
    fn attacking_moves(&self, position: &Position, moves: u32, ply: usize) -> (Vec<Move>, Vec<Move>) {
        let check_info = position.check_info();
        let legal_moves = position.legal_moves();
        let quiet_count = if moves > 1 { legal_moves.len() } else { 0 };
        let (mut checks, mut quiets) = (Vec::new(), Vec::with_capacity(quiet_count));
        for mv in &legal_moves {
            let is_check = check_info.gives_check(position, mv);
            if (is_check || moves > 1) && self.is_allowed(position, mv, ply) {
                (if is_check { &mut checks } else { &mut quiets }).push(mv);
            }
        }
        self.rotate(&mut checks);
        self.rotate(&mut quiets);
        (checks, quiets)
    }

    /// Returns the defender's moves.
    pub(super) fn replies(&self, position: &Position, ply: usize) -> Vec<Move> {
        let legal_moves = position.legal_moves();
        let mut replies = Vec::with_capacity(legal_moves.len());
        replies.extend((&legal_moves).into_iter().filter(|&mv| self.is_allowed(position, mv, ply)));
        self.rotate(&mut replies);
        replies
    }

    /// Puts moves into this thread's order.
    fn rotate(&self, moves: &mut [Move]) {
        moves.rotate_left(((u64::from(self.rotation) * moves.len() as u64) >> 32) as usize);
    }

    pub(super) fn is_allowed(&self, position: &Position, mv: Move, ply: usize) -> bool {
        if ply == 0 {
            // A proven mate is safe whatever the tablebases' ranks, which after a repetition exclude wins without progress.
            return self.searcher.root_moves.contains(mv);
        }
        position.in_check() || !self.searcher.overlooks(position, mv, ply)
    }

    /// Returns the state of a position after the attacker's move, with `moves` left. With one move left it is searched at once: that takes
    /// hardly longer than an estimate. Returns `None` if the search has been stopped.
    pub(super) fn numbers_after_attack(
        &mut self,
        position: &Position,
        moves: u32,
        ply: usize,
    ) -> Option<NodeState> {
        let in_check = position.in_check();
        if moves == 0 || self.is_draw(position) {
            let is_mate = in_check && !position.has_legal_move();
            return Some(if is_mate { NodeState::proven(0) } else { NodeState::REFUTED });
        }
        if let Some(numbers) = self.stored_numbers(position, moves, false) {
            return Some(numbers);
        }
        if moves == 1 && position.has_legal_move() {
            return self.defend_against_mate_in_one(position, ply);
        }
        let replies = position.count_legal_moves() as u32;
        if replies == 0 {
            return Some(if in_check { NodeState::proven(0) } else { NodeState::REFUTED });
        }
        Some(estimate::after_attack(position, replies))
    }

    /// Searches for a reply after which the attacker cannot mate with the next move. Returns the state of the position; `None` if the search
    /// has been stopped.
    fn defend_against_mate_in_one(&mut self, position: &Position, ply: usize) -> Option<NodeState> {
        let start = self.nodes();
        let mut replies = self.replies(position, ply);
        if let Some(index) = replies.iter().position(|&mv| Some(mv) == self.refutation) {
            replies[..=index].rotate_right(1);
        }
        // If the defender overlooks all replies, nothing is proven.
        let mut numbers = if replies.is_empty() { NodeState::REFUTED } else { NodeState::proven(2) };
        for mv in replies {
            let child = self.play(position, mv)?;
            if !self.numbers_after_defence(&child, 1, ply + 1)?.is_proven() {
                numbers = NodeState::REFUTED;
                self.refutation = Some(mv);
                break;
            }
        }
        self.store(self.key(position, 1, false), numbers, None, start);
        Some(numbers)
    }

    /// Returns the state of a position after the defender's move, with `moves` left to the attacker. With one move left it is searched at
    /// once. Returns `None` if the search has been stopped.
    pub(super) fn numbers_after_defence(
        &mut self,
        position: &Position,
        moves: u32,
        ply: usize,
    ) -> Option<NodeState> {
        if self.is_draw(position) {
            return Some(NodeState::REFUTED);
        }
        if moves == 1 {
            return self.mate_in_one(position, ply);
        }
        Some(self.stored_numbers(position, moves, true).unwrap_or_else(|| {
            estimate::after_defence(estimate::free_squares(position, !position.side_to_move()), moves)
        }))
    }

    /// The same without making the move, and the node's key, with `safe` squares next to the defender's king before it and at least two moves
    /// left; `None` if that takes more than a look at the table.
    fn likely_numbers_after_defence(
        &self,
        position: &Position,
        mv: Move,
        moves: u32,
        safe: Bitboard,
    ) -> Option<(Key, NodeState)> {
        let side = position.side_to_move();
        let immovable = position.castling_rooks(side) | position.king(side).bitboard();
        let clock = u32::from(position.halfmove_clock()) + 1;
        let key = position.likely_key_after(mv);
        if mv.kind() != MoveKind::Quiet
            || immovable.contains(mv.from())
            || clock + 2 * moves >= 100
            || self.drawn.contains(&key)
        {
            return None;
        }
        let numbers = self.stored(key, clock, moves, true).unwrap_or_else(|| {
            let own = position.by_color(side) ^ mv.from().bitboard() ^ mv.to().bitboard();
            estimate::after_defence((safe & !own).count(), moves)
        });
        Some((self.node_key(key, clock, moves, true), numbers))
    }

    /// Searches for a mating move. Returns `None` if the search has been stopped.
    pub(super) fn mate_in_one(&mut self, position: &Position, ply: usize) -> Option<NodeState> {
        for mv in self.attacking_moves(position, 1, ply).0 {
            if !self.play(position, mv)?.has_legal_move() {
                return Some(NodeState::proven(1));
            }
        }
        Some(NodeState::REFUTED)
    }

    /// Returns true if a position that is not checkmate is a draw.
    fn is_draw(&self, position: &Position) -> bool {
        position.halfmove_clock() >= 100 || position.is_dead() || self.drawn.contains(&position.key())
    }

    fn is_interrupted(&self) -> bool {
        self.nodes() >= self.node_end
    }

    /// Returns the key of a node in the transposition table.
    pub(super) fn key(&self, position: &Position, moves: u32, attacking: bool) -> Key {
        self.node_key(position.key(), u32::from(position.halfmove_clock()), moves, attacking)
    }

    /// Returns the key of the node of a position with this key and half-move clock. It includes the clock if the fifty-move rule may
    /// prevent the mate.
    fn node_key(&self, key: Key, clock: u32, moves: u32, attacking: bool) -> Key {
        let node = 2 * moves + u32::from(attacking);
        let node = if clock + 2 * moves >= 100 { node + 256 * (clock + 1) } else { node };
        key ^ self.salt ^ Key::from(node.wrapping_mul(KEY_STEP))
    }

    /// Prefetches the entries of the positions after these moves. The number of moves left changes the place of none of them.
    fn prefetch(&self, position: &Position, moves: &[Move]) {
        moves.iter().for_each(|&mv| self.searcher.tt.prefetch(position.likely_key_after(mv) ^ self.salt));
    }

    /// Returns the stored state of a position with `moves` left to the attacker. A proof with one move fewer, or a refutation with one
    /// more, holds as well; not with a filter, which may depend on the ply.
    fn stored_numbers(&self, position: &Position, moves: u32, attacking: bool) -> Option<NodeState> {
        self.stored(position.key(), u32::from(position.halfmove_clock()), moves, attacking)
    }

    /// The same for the position with this key and half-move clock.
    fn stored(&self, key: Key, clock: u32, moves: u32, attacking: bool) -> Option<NodeState> {
        let stored = |moves| self.probe(self.node_key(key, clock, moves, attacking));
        let exact = stored(moves);
        if exact.is_some_and(NodeState::is_decided) || self.searcher.move_filter.is_some() {
            return exact;
        }
        let shorter = if moves > 1 { stored(moves - 1) } else { None };
        (shorter.filter(|numbers| numbers.is_proven()))
            .or_else(|| stored(moves + 1).filter(|numbers| numbers.is_refuted()))
            .or(exact)
    }

    /// Returns the attacker's move of a stored proof of mate in `moves` moves or fewer.
    pub(super) fn stored_move(&self, position: &Position, moves: u32) -> Option<Move> {
        (1..=moves).rev().find_map(|moves| {
            match self.searcher.tt.probe_proof(self.key(position, moves, true))? {
                ProofEntry::Proven { mv, .. } => mv,
                ProofEntry::Unproven { .. } => None,
            }
        })
    }

    fn probe(&self, key: Key) -> Option<NodeState> {
        Some(match self.searcher.tt.probe_proof(key)? {
            ProofEntry::Proven { length, .. } => NodeState::proven(length),
            ProofEntry::Unproven { proof, disproof } => NodeState { proof, disproof, length: 0 },
        })
    }

    /// Stores the state of a node whose search began at the node count `start`, and the attacker's move if the mate is proven.
    pub(super) fn store(&self, key: Key, numbers: NodeState, mv: Option<Move>, start: u64) {
        let NodeState { proof, disproof, length } = numbers;
        let entry = if numbers.is_proven() {
            ProofEntry::Proven { length, mv }
        } else {
            ProofEntry::Unproven { proof, disproof }
        };
        self.searcher.tt.store_proof(key, entry, self.nodes() - start);
    }
}
