//! Simulation: proofs tried on similar positions.
//!
//! A threat usually works against most replies in the same way. When a reply has been answered, the moves of that proof are tried against
//! the others. Source: Kawano, *Using Similar Positions to Search Game Trees*, 1996.

use super::numbers::NodeState;
use super::proof_search::ProofSearch;
use tabiya_movegen::Position;

impl ProofSearch<'_, '_> {
    /// Tries to prove a mate by the moves that have proven it in a similar position, the `model`. Returns the state of the position if that
    /// succeeds; the outer `None` means that the search has been stopped.
    pub(super) fn attack_like(
        &mut self,
        position: &Position,
        model: &Position,
        moves: u32,
        ply: usize,
    ) -> Option<Option<NodeState>> {
        if moves == 1 {
            return Some(self.mate_in_one(position, ply)?.into_proven());
        }
        let start = self.nodes();
        let stored = self.stored_move(model, moves);
        let Some(mv) = stored.filter(|&mv| position.is_legal(mv) && self.is_allowed(position, mv, ply))
        else {
            return Some(None);
        };
        let child = self.play(position, mv)?;
        let numbers = self.numbers_after_attack(&child, moves - 1, ply + 1)?;
        let proven = if numbers.is_decided() {
            numbers.into_proven()
        } else {
            let child_model = self.play(model, mv)?;
            self.defend_like(&child, &child_model, moves - 1, ply + 1)?
        };
        Some(proven.map(|numbers| {
            let numbers = NodeState::proven(numbers.length + 1);
            self.store(self.key(position, moves, true), numbers, Some(mv), start);
            numbers
        }))
    }

    /// The same with the defender to move. A reply that is not legal in the model must have been proven already.
    fn defend_like(
        &mut self,
        position: &Position,
        model: &Position,
        moves: u32,
        ply: usize,
    ) -> Option<Option<NodeState>> {
        let start = self.nodes();
        let replies = self.replies(position, ply);
        if replies.is_empty() {
            return Some(None);
        }
        let mut length = 0;
        for mv in replies {
            let child = self.play(position, mv)?;
            let mut numbers = self.numbers_after_defence(&child, moves, ply + 1)?;
            if !numbers.is_decided() && model.is_legal(mv) {
                let child_model = self.play(model, mv)?;
                numbers = self.attack_like(&child, &child_model, moves, ply + 1)?.unwrap_or(numbers);
            }
            if !numbers.is_proven() {
                return Some(None);
            }
            length = length.max(numbers.length);
        }
        let numbers = NodeState::proven(length + 1);
        self.store(self.key(position, moves, false), numbers, None, start);
        Some(Some(numbers))
    }
}
