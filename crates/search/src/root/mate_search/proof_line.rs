//! The principal variation of a proven mate.

use super::numbers::NodeState;
use super::proof_search::ProofSearch;
use tabiya_core::{Bound, Move};
use tabiya_movegen::Position;

/// A proven mate.
pub(super) struct ProvenLine {
    /// The number of plies in which the mate is proven.
    pub(super) plies: u32,
    /// Lower if the search was stopped before the line was complete.
    pub(super) bound: Bound,
    /// The principal variation, never empty.
    pub(super) moves: Vec<Move>,
}

impl ProofSearch<'_, '_> {
    /// Returns the line of a mate in `moves` moves that has just been proven at the root, with this state and first move.
    pub(super) fn proven_line(
        &mut self,
        root: &Position,
        moves: u32,
        mv: Move,
        numbers: NodeState,
    ) -> ProvenLine {
        match self.attack_line(root, moves, 0) {
            Some(line) => ProvenLine { plies: line.len() as u32, bound: Bound::Exact, moves: line },
            None => ProvenLine { plies: numbers.length, bound: Bound::Lower, moves: vec![mv] },
        }
    }

    /// Returns a line that ends in mate, from a position in which a mate in `moves` moves has been proven, with the attacker to move.
    /// The mate is proven in as many plies as the line has: at each of the defender's moves no reply is known to last longer.
    /// Returns `None` if the search has been stopped.
    ///
    /// Parts of the proof that the transposition table has lost are searched again.
    fn attack_line(&mut self, position: &Position, moves: u32, ply: usize) -> Option<Vec<Move>> {
        let (mv, _) = self.prove(position, moves, ply)?;
        let child = self.play(position, mv)?;
        let mut line = vec![mv];
        line.extend(self.defence_line(&child, moves - 1, ply + 1)?);
        Some(line)
    }

    fn defence_line(&mut self, position: &Position, moves: u32, ply: usize) -> Option<Vec<Move>> {
        let mut lines = Vec::new();
        for mv in self.replies(position, ply) {
            let child = self.play(position, mv)?;
            let stored = self.attack_numbers(&child, moves).filter(|numbers| numbers.is_proven());
            let numbers = match stored {
                Some(numbers) => numbers,
                None => self.prove(&child, moves, ply + 1)?.1,
            };
            lines.push((numbers.length as usize, mv, None));
        }
        // A line may turn out to be shorter than its proof was, if part of it has been proven again: then another reply may be the longest.
        loop {
            let Some((length, mv, line)) = lines.iter_mut().max_by_key(|(length, ..)| *length) else {
                return Some(Vec::new());
            };
            if let Some(line) = line.take() {
                return Some(line);
            }
            let child = self.play(position, *mv)?;
            let mut found = vec![*mv];
            found.extend(self.attack_line(&child, moves, ply + 1)?);
            *length = found.len() - 1;
            *line = Some(found);
        }
    }
}
