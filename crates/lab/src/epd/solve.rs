//! Asking an engine, several positions at a time.

use super::report::Answer;
use super::suite::Case;
use crate::uci_engine::{Bound, EngineCommand, EngineError, Info, InfoScore, Line, UciEngine};
use indicatif::ProgressBar;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tabiya_core::Move;

/// How long an engine may take to start, and to answer `isready`.
const START: Duration = Duration::from_secs(30);

/// How long a search by nodes or depth may take, and one by time beyond that time.
const PATIENCE: Duration = Duration::from_secs(600);
const MARGIN: Duration = Duration::from_secs(10);

/// How long to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Limit {
    Nodes(u64),
    Time(Duration),
    Depth(u32),
}

impl Limit {
    /// The words of the `go` line.
    pub(super) fn words(self) -> String {
        match self {
            Limit::Nodes(nodes) => format!("nodes {nodes}"),
            Limit::Time(time) => format!("movetime {}", time.as_millis()),
            Limit::Depth(depth) => format!("depth {depth}"),
        }
    }

    fn patience(self) -> Duration {
        match self {
            Limit::Time(time) => time + MARGIN,
            Limit::Nodes(_) | Limit::Depth(_) => PATIENCE,
        }
    }
}

/// The engine and how to ask it.
pub(super) struct Examiner<'a> {
    pub(super) command: &'a EngineCommand,
    pub(super) options: &'a [(String, String)],
    pub(super) limit: Limit,
}

impl Examiner<'_> {
    /// Starts an engine, with its options set.
    ///
    /// # Errors
    /// When it does not start, or does not take an option.
    pub(super) fn start(&self) -> Result<UciEngine, EngineError> {
        let mut engine = UciEngine::start(self.command, START)?;
        for (name, value) in self.options {
            engine.set_option(name, value)?;
        }
        engine.is_ready(START)?;
        Ok(engine)
    }

    /// Asks for an answer to each case, `concurrency` at a time; answers come in the cases' order.
    pub(super) fn ask_all(&self, cases: &[Case], concurrency: usize, progress: &ProgressBar) -> Vec<Answer> {
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

    /// One answer. After an error the engine is started anew for the next case.
    fn answer(&self, running: &mut Option<UciEngine>, case: &Case) -> Answer {
        let result = match running.take() {
            Some(engine) => Ok(engine),
            None => self.start(),
        };
        let result = result.and_then(|mut engine| {
            let answer = self.ask(&mut engine, case)?;
            *running = Some(engine);
            Ok(answer)
        });
        result.unwrap_or_else(|error| Answer::failure(case, error.to_string()))
    }

    fn ask(&self, engine: &mut UciEngine, case: &Case) -> Result<Answer, EngineError> {
        let chess960 = !case.position.has_standard_castling();
        if engine.identity().option("UCI_Chess960").is_some() {
            engine.set_option("UCI_Chess960", if chess960 { "true" } else { "false" })?;
        }
        engine.send("ucinewgame");
        engine.is_ready(START)?;
        let fen = if chess960 { format!("{:#}", case.position.board()) } else { case.position.to_string() };
        engine.send(&format!("position fen {fen}"));
        let mut track = Track::new(case);
        let go = format!("go {}", self.limit.words());
        let best = engine.search(&go, self.limit.patience(), |line| track.follow(&line))?;
        Ok(track.finish(&best.best, best.elapsed))
    }
}

/// Follows a search: since when has it held the right move?
struct Track<'a> {
    case: &'a Case,
    started: Instant,
    nodes: u64,
    mate: Option<i32>,
    /// When the right move came to stay, and after how many nodes.
    solved: Option<(Duration, u64)>,
}

impl<'a> Track<'a> {
    fn new(case: &'a Case) -> Track<'a> {
        Track { case, started: Instant::now(), nodes: 0, mate: None, solved: None }
    }

    fn follow(&mut self, line: &Line) {
        let Some(info) = Info::parse(&line.text) else { return };
        self.nodes = info.nodes.unwrap_or(self.nodes);
        let first_line = info.multipv.unwrap_or(1) == 1;
        let Some(text) = info.pv.first().filter(|_| first_line && info.bound != Bound::Upper) else { return };
        self.mate = match info.score {
            Some(InfoScore::Mate(moves)) => Some(moves),
            _ => None,
        };
        let right = self.read(text).is_some_and(|mv| self.case.goal.is_met(mv, self.mate));
        let now = (line.at.saturating_duration_since(self.started), self.nodes);
        self.solved = if right { self.solved.or(Some(now)) } else { None };
    }

    fn read(&self, text: &str) -> Option<Move> {
        self.case.position.parse_uci(text).ok()
    }

    fn finish(self, best: &str, elapsed: Duration) -> Answer {
        let mv = self.read(best);
        let solved = mv.is_some_and(|mv| self.case.goal.is_met(mv, self.mate));
        // An engine that names the move without having shown it has found it at the very end.
        let when = if solved { Some(self.solved.unwrap_or((elapsed, self.nodes))) } else { None };
        Answer {
            id: self.case.id.clone(),
            chosen: mv.map_or_else(|| best.to_owned(), |mv| self.case.position.san(mv).to_string()),
            solved,
            seconds_to_solution: when.map(|(time, _)| time.as_secs_f64()),
            nodes_to_solution: when.map(|(_, nodes)| nodes),
            points: mv.map_or(0, |mv| self.case.goal.points(mv)),
            most_points: self.case.goal.most_points(),
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

    fn follow(lines: &[&str], best: &str) -> Answer {
        let record = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; c0 \"Rd8#=10, Ka2=1\"; id \"x\";";
        let case = suite::parse(record).unwrap().remove(0);
        let mut track = Track::new(&case);
        for (index, &text) in lines.iter().enumerate() {
            let at = track.started + Duration::from_secs(index as u64);
            track.follow(&Line { at, text: text.to_owned() });
        }
        track.finish(best, Duration::from_secs(9))
    }

    #[test]
    fn solved_since_the_right_move_came_to_stay() {
        let lines = [
            "info depth 1 nodes 10 score cp 5 pv d1d8",
            "info depth 2 nodes 20 score cp 9 pv a1a2",
            "info depth 3 nodes 30 score cp 9 pv d1d8",
            "info depth 4 nodes 40 score cp -9 upperbound pv a1a2",
            "info depth 4 nodes 50 score mate 1 pv d1d8",
            "info depth 4 multipv 2 nodes 60 score cp 1 pv a1a2",
        ];
        let answer = follow(&lines, "d1d8");
        assert!(answer.solved);
        assert_eq!((answer.seconds_to_solution, answer.nodes_to_solution), (Some(2.0), Some(30)));
        assert_eq!((answer.nodes, answer.points, answer.chosen.as_str()), (60, 10, "Rd8#"));
    }

    #[test]
    fn the_move_that_is_played_decides() {
        let answer = follow(&["info depth 1 nodes 10 score cp 5 pv d1d8"], "a1a2");
        assert!(!answer.solved && answer.nodes_to_solution.is_none());
        assert_eq!((answer.points, answer.most_points), (1, 10));
        let answer = follow(&["info depth 1 nodes 10 score cp 5 pv a1a2"], "d1d8");
        assert_eq!((answer.solved, answer.seconds_to_solution), (true, Some(9.0)));
        let answer = follow(&[], "e2e4");
        assert!(!answer.solved && answer.error.is_some());
    }

    #[test]
    fn limits_are_words_of_go() {
        assert_eq!(Limit::Nodes(5).words(), "nodes 5");
        assert_eq!(Limit::Time(Duration::from_millis(1500)).words(), "movetime 1500");
        assert_eq!(Limit::Depth(3).words(), "depth 3");
    }
}
