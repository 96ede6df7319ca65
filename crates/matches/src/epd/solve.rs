//! Runs engines on the positions of a suite, several in parallel.

use super::results::Answer;
use super::suite::Case;
use indicatif::ProgressBar;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tabiya_core::Move;
use tabiya_uci_engine::{Bound, EngineCommand, EngineError, Info, InfoScore, Line, UciEngine};

/// Timeout for the start of an engine and for `isready`.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(30);

/// Time by which the timeout of a search exceeds its time limit.
const TIME_MARGIN: Duration = Duration::from_secs(10);

/// Limit of each search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Limit {
    Nodes(u64),
    Time(Duration),
    Depth(u32),
}

impl Limit {
    /// Arguments of the `go` command.
    pub(super) fn go_arguments(self) -> String {
        match self {
            Limit::Nodes(nodes) => format!("nodes {nodes}"),
            Limit::Time(time) => format!("movetime {}", time.as_millis()),
            Limit::Depth(depth) => format!("depth {depth}"),
        }
    }

    /// Timeout of the search, which is `stall` without a time limit.
    fn timeout(self, stall: Duration) -> Duration {
        match self {
            Limit::Time(time) => time + TIME_MARGIN,
            Limit::Nodes(_) | Limit::Depth(_) => stall,
        }
    }
}

/// Runs an engine on test positions.
pub(super) struct SuiteRunner<'a> {
    pub(super) command: &'a EngineCommand,
    pub(super) options: &'a [(String, String)],
    pub(super) limit: Limit,
    /// True to search positions with a known mate (`dm`) by `go mate`, which ends when the mate is found.
    pub(super) mate: bool,
    /// Timeout of a search without a time limit.
    pub(super) stall_timeout: Duration,
}

impl SuiteRunner<'_> {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    /// If it does not start, rejects an option, or says that one failed.
    pub(super) fn start(&self) -> Result<UciEngine, EngineError> {
        let mut engine = UciEngine::start(self.command, STARTUP_TIMEOUT)?;
        for (name, value) in self.options {
            engine.set_option(name, value)?;
        }
        engine.confirm_options(STARTUP_TIMEOUT)?;
        Ok(engine)
    }

    /// Runs all cases, `concurrency` of them in parallel, and returns the answers in their order.
    pub(super) fn run(&self, cases: &[Case], concurrency: usize, progress: &ProgressBar) -> Vec<Answer> {
        let next = AtomicUsize::new(0);
        let answers = Mutex::new(Vec::with_capacity(cases.len()));
        std::thread::scope(|scope| {
            for _ in 0..concurrency.min(cases.len()) {
                scope.spawn(|| {
                    let mut engine = None;
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(case) = cases.get(index) else { return };
                        let answer = self.answer(&mut engine, case);
                        progress.inc(1);
                        if let Ok(mut answers) = answers.lock() {
                            answers.push((index, answer));
                        }
                    }
                });
            }
        });
        let mut answers = answers.into_inner().unwrap_or_default();
        answers.sort_by_key(|&(index, _)| index);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }

    /// Runs one case. After an error, the next case starts a new engine.
    fn answer(&self, engine_slot: &mut Option<UciEngine>, case: &Case) -> Answer {
        let result = match engine_slot.take() {
            Some(engine) => Ok(engine),
            None => self.start(),
        };
        let result = result.and_then(|mut engine| {
            let answer = self.search(&mut engine, case)?;
            *engine_slot = Some(engine);
            Ok(answer)
        });
        result.unwrap_or_else(|error| Answer::failure(case, error.to_string()))
    }

    fn search(&self, engine: &mut UciEngine, case: &Case) -> Result<Answer, EngineError> {
        let chess960 = !case.position.has_standard_castling();
        if engine.identity().option("UCI_Chess960").is_some() {
            engine.set_option("UCI_Chess960", if chess960 { "true" } else { "false" })?;
        }
        engine.send("ucinewgame");
        engine.is_ready(STARTUP_TIMEOUT)?;
        let fen = if chess960 { format!("{:#}", case.position.board()) } else { case.position.to_string() };
        engine.send(&format!("position fen {fen}"));
        let mut tracker = SolutionTracker::new(case);
        let mate = case.goal.mate.filter(|_| self.mate);
        let mate = mate.map_or_else(String::new, |moves| format!(" mate {moves}"));
        let go = format!("go {}{mate}", self.limit.go_arguments());
        let best =
            engine.search(&go, self.limit.timeout(self.stall_timeout), |line| tracker.update(&line))?;
        Ok(tracker.finish(&best.best, best.elapsed))
    }
}

/// Tracks when a search settled on a correct move.
struct SolutionTracker<'a> {
    case: &'a Case,
    start: Instant,
    nodes: u64,
    mate: Option<i32>,
    /// Time and nodes since which the first move of the PV has been correct; `None` if it is wrong.
    solved: Option<(Duration, u64)>,
}

impl<'a> SolutionTracker<'a> {
    fn new(case: &'a Case) -> SolutionTracker<'a> {
        SolutionTracker { case, start: Instant::now(), nodes: 0, mate: None, solved: None }
    }

    fn update(&mut self, line: &Line) {
        let Some(info) = Info::parse(&line.text) else { return };
        self.nodes = info.nodes.unwrap_or(self.nodes);
        let is_first_pv = info.multipv.unwrap_or(1) == 1;
        let Some(text) = info.pv.first().filter(|_| is_first_pv && info.bound != Bound::Upper) else {
            return;
        };
        self.mate = match info.score {
            Some(InfoScore::Mate(moves)) => Some(moves),
            _ => None,
        };
        let correct = self.parse_move(text).is_some_and(|mv| self.case.goal.is_met(mv, self.mate));
        let now = (line.at.saturating_duration_since(self.start), self.nodes);
        self.solved = if correct { self.solved.or(Some(now)) } else { None };
    }

    fn parse_move(&self, text: &str) -> Option<Move> {
        self.case.position.parse_uci(text).ok()
    }

    fn finish(self, best: &str, elapsed: Duration) -> Answer {
        let mv = self.parse_move(best);
        let solved = mv.is_some_and(|mv| self.case.goal.is_met(mv, self.mate));
        // A correct `bestmove` that was not first in the last PV counts as found at the end of the search.
        let solved_at = if solved { Some(self.solved.unwrap_or((elapsed, self.nodes))) } else { None };
        Answer {
            id: self.case.id.clone(),
            chosen: mv.map_or_else(|| best.to_owned(), |mv| self.case.position.san(mv).to_string()),
            solved,
            seconds_to_solution: solved_at.map(|(time, _)| time.as_secs_f64()),
            nodes_to_solution: solved_at.map(|(_, nodes)| nodes),
            points: mv.map_or(0, |mv| self.case.goal.points(mv)),
            max_points: self.case.goal.max_points(),
            seconds: elapsed.as_secs_f64(),
            nodes: self.nodes,
            error: mv.is_none().then(|| format!("bestmove {best:?} is not legal")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::suite;
    use super::*;

    fn run(lines: &[&str], best: &str) -> Answer {
        let record = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; c0 \"Rd8#=10, Ka2=1\"; id \"x\";";
        let case = suite::parse(record).unwrap().remove(0);
        let mut tracker = SolutionTracker::new(&case);
        for (index, &text) in lines.iter().enumerate() {
            let at = tracker.start + Duration::from_secs(index as u64);
            tracker.update(&Line { at, text: text.to_owned() });
        }
        tracker.finish(best, Duration::from_secs(9))
    }

    #[test]
    fn solution_time_is_the_last_change_to_a_correct_move() {
        let lines = [
            "info depth 1 nodes 10 score cp 5 pv d1d8",
            "info depth 2 nodes 20 score cp 9 pv a1a2",
            "info depth 3 nodes 30 score cp 9 pv d1d8",
            "info depth 4 nodes 40 score cp -9 upperbound pv a1a2",
            "info depth 4 nodes 50 score mate 1 pv d1d8",
            "info depth 4 multipv 2 nodes 60 score cp 1 pv a1a2",
        ];
        let answer = run(&lines, "d1d8");
        assert!(answer.solved);
        assert_eq!((answer.seconds_to_solution, answer.nodes_to_solution), (Some(2.0), Some(30)));
        assert_eq!((answer.nodes, answer.points, answer.chosen.as_str()), (60, 10, "Rd8#"));
    }

    #[test]
    fn best_move_decides() {
        let answer = run(&["info depth 1 nodes 10 score cp 5 pv d1d8"], "a1a2");
        assert!(!answer.solved && answer.nodes_to_solution.is_none());
        assert_eq!((answer.points, answer.max_points), (1, 10));
        let answer = run(&["info depth 1 nodes 10 score cp 5 pv a1a2"], "d1d8");
        assert_eq!((answer.solved, answer.seconds_to_solution), (true, Some(9.0)));
        let answer = run(&[], "e2e4");
        assert!(!answer.solved && answer.error.is_some());
    }

    #[test]
    fn searches_without_a_time_limit_end_with_the_timeout() {
        let stall = Duration::from_secs(5000);
        assert_eq!([Limit::Nodes(5), Limit::Depth(3)].map(|limit| limit.timeout(stall)), [stall; 2]);
        let time = Duration::from_secs(7);
        assert_eq!(Limit::Time(time).timeout(stall), time + TIME_MARGIN);
    }

    #[test]
    fn limits_become_go_arguments() {
        assert_eq!(Limit::Nodes(5).go_arguments(), "nodes 5");
        assert_eq!(Limit::Time(Duration::from_millis(1500)).go_arguments(), "movetime 1500");
        assert_eq!(Limit::Depth(3).go_arguments(), "depth 3");
    }
}
