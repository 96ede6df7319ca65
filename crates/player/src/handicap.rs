//! Preparation of a search at limited strength.

use crate::candidates::candidates;
use crate::line_chooser::{LineChooser, Plan};
use crate::oversight::Oversight;
use crate::strength::Strength;
use std::sync::{Arc, Mutex, PoisonError};
use tabiya_core::Move;
use tabiya_movegen::Game;
use tabiya_search::Limits;

/// The preparation of searches at limited strength. It keeps the plan of the last move.
#[derive(Debug, Default)]
pub(crate) struct Handicap {
    plan: Arc<Mutex<Option<Plan>>>,
}

impl Handicap {
    /// Forgets the plan of the last move, for a new game.
    pub(crate) fn new_game(&mut self) {
        *self.plan.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns the limits of the search, and the chooser of its move. The seed should stay the same in a game.
    pub(crate) fn prepare(
        &mut self,
        game: &Game,
        limits: Limits,
        strength: Strength,
        seed: u64,
    ) -> (Limits, LineChooser) {
        let planned = self.planned(game);
        let oversight = Oversight::new(strength, seed);
        let mut candidates = candidates(game, strength, &oversight, planned, seed ^ game.position().key());
        if !limits.search_moves.is_empty() {
            candidates.retain(|candidate| limits.search_moves.contains(&candidate.mv));
        }
        let mut limits = strength.limit(limits);
        if !candidates.is_empty() {
            limits.search_moves = candidates.iter().map(|candidate| candidate.mv).collect();
        }
        let chooser = LineChooser::new(game.position(), strength, candidates, Arc::clone(&self.plan));
        (limits, chooser)
    }

    /// Returns the move that was planned for the current position.
    fn planned(&self, game: &Game) -> Option<Move> {
        let plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        (plan.key == game.position().key() && game.position().is_legal(plan.mv)).then_some(plan.mv)
    }
}
