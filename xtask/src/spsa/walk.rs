//! A walk in progress: which iteration is next, and where the walk has been.
//!
//! Results come in any order, as games take longer or shorter, but the walk must be the same whenever the
//! results are. So they are applied in the order of the iterations, and an iteration is played around the
//! point that the walk had reached a fixed number of iterations before it, whatever is known by then.

use super::schedule::{Perturbation, Schedule};
use std::collections::BTreeMap;

/// What the first player of an iteration came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Outcome {
    pub(super) wins: u32,
    pub(super) draws: u32,
    pub(super) losses: u32,
}

/// A walk.
pub(super) struct Walk {
    schedule: Schedule,
    /// How many iterations later a result is first made use of.
    delay: u64,
    /// Where the walk was before the first iteration and after each that is applied.
    points: Vec<Vec<f64>>,
    /// What is known of later iterations.
    waiting: BTreeMap<u64, Outcome>,
    /// All that is applied, summed up.
    total: Outcome,
    /// The next iteration to be played.
    next: u64,
}

/// What there is to do.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Work {
    /// An iteration to play.
    Play(u64, Perturbation),
    /// Nothing, until a result is in.
    Wait,
    /// Nothing any more.
    Done,
}

impl Walk {
    /// A walk that begins.
    pub(super) fn new(schedule: Schedule, delay: u64) -> Walk {
        let points = vec![schedule.start()];
        Walk { schedule, delay, points, waiting: BTreeMap::new(), total: Outcome::default(), next: 0 }
    }

    /// What to do next. An iteration is given out once.
    pub(super) fn next(&mut self) -> Work {
        while self.is_known(self.next) {
            self.next += 1;
        }
        if self.next >= self.schedule.iterations {
            return Work::Done;
        }
        match self.perturbation(self.next) {
            None => Work::Wait,
            Some(perturbation) => {
                self.next += 1;
                Work::Play(self.next - 1, perturbation)
            }
        }
    }

    /// Notes what an iteration came to.
    pub(super) fn note(&mut self, iteration: u64, outcome: Outcome) {
        if iteration >= self.schedule.iterations || self.is_known(iteration) {
            return;
        }
        self.waiting.insert(iteration, outcome);
        while let Some(outcome) = self.waiting.remove(&self.applied()) {
            let applied = self.applied();
            let Some(perturbation) = self.perturbation(applied) else { return };
            let wins = outcome.wins.cast_signed() - outcome.losses.cast_signed();
            self.points.push(self.schedule.step(self.point(), &perturbation, wins));
            self.total.wins += outcome.wins;
            self.total.draws += outcome.draws;
            self.total.losses += outcome.losses;
        }
    }

    /// How many iterations are applied.
    pub(super) fn applied(&self) -> u64 {
        self.points.len() as u64 - 1
    }

    /// Where the walk is.
    pub(super) fn point(&self) -> &[f64] {
        self.points.last().map_or(&[], Vec::as_slice)
    }

    /// Where it was before the first iteration and after each.
    pub(super) fn points(&self) -> &[Vec<f64>] {
        &self.points
    }

    /// What is tuned.
    pub(super) fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The games that are applied, as the first players saw them.
    pub(super) fn total(&self) -> Outcome {
        self.total
    }

    /// Is the walk at its end?
    pub(super) fn is_done(&self) -> bool {
        self.applied() >= self.schedule.iterations
    }

    fn is_known(&self, iteration: u64) -> bool {
        iteration < self.applied() || self.waiting.contains_key(&iteration)
    }

    fn perturbation(&self, iteration: u64) -> Option<Perturbation> {
        let around = self.points.get(iteration.saturating_sub(self.delay) as usize)?;
        Some(self.schedule.perturb(iteration, around))
    }
}
