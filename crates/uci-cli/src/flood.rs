//! Holds reports back where there are too many to be read.
//!
//! A search of a simple position can finish a hundred iterations in some milliseconds, of many lines
//! each, and a GUI that draws every one of them is busy for seconds. So there is an allowance of lines
//! that fills up with time. What goes beyond it is held back: of that only the latest report of each
//! line survives, and it comes as soon as the allowance permits, or before the best move.

use std::time::{Duration, Instant};
use tabiya_search::Info;

/// How many lines may come at once.
const BURST: f64 = 200.0;
/// How many more each second.
const RATE: f64 = 50.0;
/// Root moves are told at most this often.
const CURRENT_MOVE_EVERY: Duration = Duration::from_millis(50);

/// Decides what is said now, and keeps the rest.
#[derive(Debug)]
pub(crate) struct Flood {
    /// Say nothing before the end.
    minimal: bool,
    allowance: f64,
    counted: Instant,
    /// Are the reports of the present iteration let through? They stay together.
    open: bool,
    held: Vec<Info>,
    last_move: Option<Instant>,
}

impl Flood {
    pub(crate) fn new(minimal: bool, now: Instant) -> Flood {
        Flood { minimal, allowance: BURST, counted: now, open: true, held: Vec::new(), last_move: None }
    }

    /// Takes a report; returns it if it may be said now.
    pub(crate) fn hear(&mut self, info: Info, now: Instant) -> Option<Info> {
        self.count(now);
        if info.multipv <= 1 {
            self.open = !self.minimal && self.allowance >= 1.0;
            self.held.clear();
        }
        if self.open {
            self.allowance -= 1.0;
            return Some(info);
        }
        self.held.push(info);
        None
    }

    /// May the root move be told now?
    pub(crate) fn hear_move(&mut self, now: Instant) -> bool {
        let due = self.last_move.is_none_or(|last| now.duration_since(last) >= CURRENT_MOVE_EVERY);
        if due && !self.minimal {
            self.last_move = Some(now);
        }
        due && !self.minimal
    }

    /// When what is held back may be said.
    pub(crate) fn due(&self) -> Option<Instant> {
        let missing = (1.0 - self.allowance).max(0.0);
        let some = !self.held.is_empty() && !self.minimal;
        some.then(|| self.counted + Duration::from_secs_f64(missing / RATE))
    }

    /// All that is held back, because it is due or because the search has ended.
    pub(crate) fn release(&mut self) -> Vec<Info> {
        self.allowance -= self.held.len() as f64;
        std::mem::take(&mut self.held)
    }

    fn count(&mut self, now: Instant) {
        let time = now.saturating_duration_since(self.counted).as_secs_f64();
        self.allowance = (self.allowance + time * RATE).min(BURST);
        self.counted = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_search::Score;

    fn info(depth: u32, multipv: u32) -> Info {
        Info::new(depth, Score::Centipawns(0)).with_seldepth(depth).with_multipv(multipv).with_nodes(1)
    }

    #[test]
    fn a_flood_is_held_back_and_its_end_comes_through() {
        let start = Instant::now();
        let mut flood = Flood::new(false, start);
        let said = (1..=1000).filter(|&depth| flood.hear(info(depth, 1), start).is_some()).count();
        assert_eq!(said, BURST as usize);
        let due = flood.due().expect("something is held back");
        assert!(due > start && due < start + Duration::from_secs(1));
        assert_eq!(flood.release(), [info(1000, 1)]);
        assert_eq!(flood.due(), None);
        // A second later there is room again.
        let later = start + Duration::from_secs(1);
        assert!(flood.hear(info(1001, 1), later).is_some());
    }

    #[test]
    fn the_lines_of_an_iteration_stay_together() {
        let start = Instant::now();
        let mut flood = Flood::new(false, start);
        let mut said = Vec::new();
        for depth in 1..=100 {
            for multipv in 1..=7 {
                said.extend(flood.hear(info(depth, multipv), start));
            }
        }
        assert_eq!(said.len() % 7, 0);
        let held: Vec<_> = flood.release().iter().map(|info| (info.depth, info.multipv)).collect();
        assert_eq!(held, (1..=7).map(|multipv| (100, multipv)).collect::<Vec<_>>());
    }

    #[test]
    fn minimal_is_the_end_alone() {
        let start = Instant::now();
        let mut flood = Flood::new(true, start);
        assert_eq!((flood.hear(info(1, 1), start), flood.hear(info(2, 1), start)), (None, None));
        assert!(!flood.hear_move(start));
        assert_eq!(flood.due(), None);
        assert_eq!(flood.release(), [info(2, 1)]);
    }

    #[test]
    fn root_moves_come_now_and_then() {
        let start = Instant::now();
        let mut flood = Flood::new(false, start);
        let told = (0..100).filter(|&ms| flood.hear_move(start + Duration::from_millis(ms))).count();
        assert_eq!(told, 2);
    }
}
