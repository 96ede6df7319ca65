//! The state of an SPSA run: the parameter values after each iteration, and the next iteration to play.
//!
//! Games end out of order, but the same results must always give the same parameters. Results are therefore
//! applied in the order of the iterations, and each iteration perturbs the parameters as they were a fixed number
//! of iterations earlier, even if newer ones are available.

use super::schedule::{Perturbation, Schedule};
use std::collections::BTreeMap;

/// Results of the first player in an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Outcome {
    pub(super) wins: u32,
    pub(super) draws: u32,
    pub(super) losses: u32,
}

/// The state of an SPSA run.
pub(super) struct Tuner {
    schedule: Schedule,
    /// Iteration n perturbs the parameters as they were after iteration n - `delay`.
    delay: u64,
    /// Parameter values (theta) at the start and after each applied iteration.
    trajectory: Vec<Vec<f64>>,
    /// Recorded results that wait for an earlier iteration.
    pending: BTreeMap<u64, Outcome>,
    /// Sum of the applied results.
    total: Outcome,
    /// The next iteration to play.
    next: u64,
}

/// The next step for a worker.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Work {
    /// Play this iteration.
    Play(u64, Perturbation),
    /// Wait until another result is recorded.
    Wait,
    /// All iterations have been started.
    Done,
}

impl Tuner {
    /// Starts a run.
    pub(super) fn new(schedule: Schedule, delay: u64) -> Tuner {
        let trajectory = vec![schedule.start()];
        Tuner { schedule, delay, trajectory, pending: BTreeMap::new(), total: Outcome::default(), next: 0 }
    }

    /// Returns the next step. Each iteration is returned once.
    pub(super) fn next(&mut self) -> Work {
        while self.is_recorded(self.next) {
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

    /// Records the result of an iteration. Ignores iterations already recorded or outside the schedule.
    pub(super) fn record(&mut self, iteration: u64, outcome: Outcome) {
        if iteration >= self.schedule.iterations || self.is_recorded(iteration) {
            return;
        }
        self.pending.insert(iteration, outcome);
        while let Some(outcome) = self.pending.remove(&self.applied()) {
            let applied = self.applied();
            let Some(perturbation) = self.perturbation(applied) else { return };
            let net_wins = outcome.wins.cast_signed() - outcome.losses.cast_signed();
            self.trajectory.push(self.schedule.step(self.theta(), &perturbation, net_wins));
            self.total.wins += outcome.wins;
            self.total.draws += outcome.draws;
            self.total.losses += outcome.losses;
        }
    }

    /// Number of applied iterations.
    pub(super) fn applied(&self) -> u64 {
        self.trajectory.len() as u64 - 1
    }

    /// Current parameter values.
    pub(super) fn theta(&self) -> &[f64] {
        self.trajectory.last().map_or(&[], Vec::as_slice)
    }

    /// Parameter values at the start and after each applied iteration.
    pub(super) fn trajectory(&self) -> &[Vec<f64>] {
        &self.trajectory
    }

    /// The parameters and the gain schedule.
    pub(super) fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Sum of the applied results, from the first player's point of view.
    pub(super) fn total(&self) -> Outcome {
        self.total
    }

    /// Returns true if every iteration has been applied.
    pub(super) fn is_done(&self) -> bool {
        self.applied() >= self.schedule.iterations
    }

    fn is_recorded(&self, iteration: u64) -> bool {
        iteration < self.applied() || self.pending.contains_key(&iteration)
    }

    fn perturbation(&self, iteration: u64) -> Option<Perturbation> {
        let theta = self.trajectory.get(iteration.saturating_sub(self.delay) as usize)?;
        Some(self.schedule.perturb(iteration, theta))
    }
}

#[cfg(test)]
mod tests {
    use super::super::schedule::tests::schedule;
    use super::*;

    /// A result that depends on the perturbation.
    fn outcome(perturbation: &Perturbation) -> Outcome {
        let wins = (perturbation.values.iter().map(|values| values[0]).sum::<i64>() % 3) as u32;
        Outcome { wins, draws: 0, losses: 2 - wins }
    }

    #[test]
    fn order_of_results_does_not_matter() {
        let run_with = |slots: usize| {
            let mut tuner = Tuner::new(schedule(100, 0.1), 6);
            let mut playing: Vec<(u64, Outcome)> = Vec::new();
            loop {
                match tuner.next() {
                    Work::Play(iteration, players) if playing.len() < slots => {
                        playing.push((iteration, outcome(&players)));
                        if playing.len() < slots {
                            continue;
                        }
                    }
                    Work::Play(..) => unreachable!("a slot is free"),
                    Work::Wait | Work::Done if playing.is_empty() => break,
                    Work::Wait | Work::Done => {}
                }
                // The games end out of order: the one in the middle first.
                let (iteration, outcome) = playing.remove(playing.len() / 2);
                tuner.record(iteration, outcome);
            }
            assert!(tuner.is_done());
            tuner
        };
        let one = run_with(1);
        assert_eq!(one.trajectory().len(), 101);
        assert_ne!(one.theta(), one.trajectory()[0]);
        for slots in [2, 3, 6, 20] {
            assert_eq!(run_with(slots).trajectory(), one.trajectory(), "{slots} slots");
        }
    }

    #[test]
    fn iterations_wait_for_the_delayed_results() {
        let mut tuner = Tuner::new(schedule(10, 0.1), 3);
        for expected in 0..=3 {
            assert!(matches!(tuner.next(), Work::Play(iteration, _) if iteration == expected));
        }
        assert_eq!(tuner.next(), Work::Wait);
        tuner.record(1, Outcome { wins: 2, ..Outcome::default() });
        assert_eq!((tuner.next(), tuner.applied()), (Work::Wait, 0));
        tuner.record(0, Outcome { draws: 2, ..Outcome::default() });
        assert_eq!(tuner.applied(), 2);
        assert!(matches!(tuner.next(), Work::Play(4, _)) && matches!(tuner.next(), Work::Play(5, _)));
        assert_eq!(tuner.next(), Work::Wait);
        assert_eq!(tuner.total(), Outcome { wins: 2, draws: 2, losses: 0 });
        // Repeated and out-of-range results are ignored.
        tuner.record(0, Outcome { wins: 2, ..Outcome::default() });
        tuner.record(99, Outcome { wins: 2, ..Outcome::default() });
        assert_eq!(tuner.applied(), 2);
    }
}
