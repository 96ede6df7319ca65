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

#[cfg(test)]
mod tests {
    use super::super::schedule::tests::schedule;
    use super::*;

    /// Something that looks like a result of an iteration.
    fn outcome(perturbation: &Perturbation) -> Outcome {
        let wins = (perturbation.values.iter().map(|values| values[0]).sum::<i64>() % 3) as u32;
        Outcome { wins, draws: 0, losses: 2 - wins }
    }

    #[test]
    fn the_order_of_the_results_does_not_matter() {
        let walk_with = |slots: usize| {
            let mut walk = Walk::new(schedule(100, 0.1), 6);
            let mut playing: Vec<(u64, Outcome)> = Vec::new();
            loop {
                match walk.next() {
                    Work::Play(iteration, players) if playing.len() < slots => {
                        playing.push((iteration, outcome(&players)));
                        if playing.len() < slots {
                            continue;
                        }
                    }
                    Work::Play(..) => unreachable!("a slot is left"),
                    Work::Wait | Work::Done if playing.is_empty() => break,
                    Work::Wait | Work::Done => {}
                }
                // The one in the middle is over first.
                let (iteration, outcome) = playing.remove(playing.len() / 2);
                walk.note(iteration, outcome);
            }
            assert!(walk.is_done());
            walk
        };
        let one = walk_with(1);
        assert_eq!(one.points().len(), 101);
        assert_ne!(one.point(), one.points()[0]);
        for slots in [2, 3, 6, 20] {
            assert_eq!(walk_with(slots).points(), one.points(), "{slots} slots");
        }
    }

    #[test]
    fn slots_wait_for_what_they_build_on() {
        let mut walk = Walk::new(schedule(10, 0.1), 3);
        for expected in 0..=3 {
            assert!(matches!(walk.next(), Work::Play(iteration, _) if iteration == expected));
        }
        assert_eq!(walk.next(), Work::Wait);
        walk.note(1, Outcome { wins: 2, ..Outcome::default() });
        assert_eq!((walk.next(), walk.applied()), (Work::Wait, 0));
        walk.note(0, Outcome { draws: 2, ..Outcome::default() });
        assert_eq!(walk.applied(), 2);
        assert!(matches!(walk.next(), Work::Play(4, _)) && matches!(walk.next(), Work::Play(5, _)));
        assert_eq!(walk.next(), Work::Wait);
        assert_eq!(walk.total(), Outcome { wins: 2, draws: 2, losses: 0 });
        // Once is enough, and what does not belong to the walk is nothing.
        walk.note(0, Outcome { wins: 2, ..Outcome::default() });
        walk.note(99, Outcome { wins: 2, ..Outcome::default() });
        assert_eq!(walk.applied(), 2);
    }
}
