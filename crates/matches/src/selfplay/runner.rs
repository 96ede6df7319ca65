//! Plays a match: slots play games in parallel, and a collector records them.

use super::game::{self, Conditions, GameFault, PlayedGame};
use super::match_engine::{EngineSetup, MatchEngine};
use super::pgn_out;
use super::plan::{GameId, Plan};
use super::progress::MatchProgress;
use super::run_folder::{Finish, GameLine, RunFolder, State};
use super::scoreboard::FinishedGames;
use anyhow::{Error, Result, anyhow};
use crossbeam_channel::Sender;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tabiya_core::Color;
use tabiya_lab_common::openings::Book;
use tabiya_lab_common::tablebases::TablebaseAdjudicator;
use tabiya_uci_engine::{ProcessorSet, ProcessorSetError};

/// Number of transcript lines in the message about a broken engine; the report has the rest.
const SHOWN_LINES: usize = 10;

/// The reason for the end of a session.
#[derive(Debug)]
pub(crate) enum SessionEnd {
    /// The match is complete.
    Finished,
    /// Interrupted by Ctrl-C.
    Interrupted,
    /// An engine failed, and the match does not recover.
    Broken(String),
}

/// A slot's message to the collector.
enum SlotMessage {
    /// A finished game.
    Game(GameId, Box<PlayedGame>),
    /// An error that ends the slot.
    Failed(Error),
}

/// The files that a match uses.
#[derive(Clone, Copy)]
pub(crate) struct Resources<'a> {
    pub(crate) book: &'a Book,
    pub(crate) tablebases: Option<&'a TablebaseAdjudicator>,
}

/// State shared by the slots.
struct Shared<'a> {
    plan: &'a Plan,
    resources: Resources<'a>,
    /// The next pair, and the games finished before this session.
    schedule: Mutex<(u64, FinishedGames)>,
    stop: Arc<AtomicBool>,
}

/// Plays the unfinished games of `state.plan`, `slots` at a time, until the match is complete or
/// `interrupted` becomes true.
///
/// # Errors
/// If an engine cannot be started or a result cannot be written. Finished games are kept.
pub(crate) fn run(
    state: &mut State,
    folder: &mut RunFolder,
    resources: Resources<'_>,
    slots: usize,
    interrupted: &Arc<AtomicBool>,
    progress: &mut MatchProgress,
) -> Result<SessionEnd> {
    if state.finish.is_some() {
        return Ok(SessionEnd::Finished);
    }
    let plan = state.plan.clone();
    let shared = Shared {
        plan: &plan,
        resources,
        schedule: Mutex::new((0, state.scoreboard.finished.clone())),
        stop: Arc::clone(interrupted),
    };
    let slots = useful_slots(&plan, slots);
    let affinity = processor_sets(&plan, slots)?;
    let mut collector = Collector {
        started: Instant::now(),
        seconds: (state.seconds, state.slot_seconds),
        slots,
        state,
        folder,
        progress,
    };
    let (sender, messages) = crossbeam_channel::unbounded();
    let result = std::thread::scope(|scope| {
        for number in 0..slots {
            let sender = sender.clone();
            let shared = &shared;
            let processors = affinity.as_ref().and_then(|sets| sets.get(number));
            scope.spawn(move || slot(shared, processors, &sender));
        }
        drop(sender);
        let mut result = Ok(None);
        // The channel closes once every slot has ended; after an early end, drain it.
        for message in messages {
            if !matches!(result, Ok(None)) {
                continue;
            }
            result = match message {
                SlotMessage::Game(id, played) => collector.record_game(id, &played),
                SlotMessage::Failed(error) => Err(error),
            };
            if !matches!(result, Ok(None)) {
                shared.stop.store(true, Ordering::Relaxed);
            }
        }
        result
    });
    match result? {
        Some(ended) => Ok(ended),
        None if collector.state.scoreboard.games < 2 * plan.pairs => Ok(SessionEnd::Interrupted),
        None => {
            collector.complete()?;
            Ok(SessionEnd::Finished)
        }
    }
}

struct Collector<'a> {
    started: Instant,
    /// Totals of earlier sessions.
    seconds: (f64, f64),
    slots: usize,
    state: &'a mut State,
    folder: &'a mut RunFolder,
    progress: &'a mut MatchProgress,
}

impl Collector<'_> {
    /// Counts and writes a game; returns the reason if the match ends with it.
    fn record_game(&mut self, id: GameId, played: &PlayedGame) -> Result<Option<SessionEnd>> {
        let plan = &self.state.plan;
        let [white, black] = plan.white_and_black(id).map(|player| plan.players[player].name());
        let line = GameLine {
            id,
            white: white.to_owned(),
            black: black.to_owned(),
            result: played.ending.result().to_owned(),
            reason: played.ending.reason,
            plies: played.game.moves().len(),
            fault: played.fault.as_ref().map(|GameFault { side, fault, .. }| {
                let name = if *side == Color::White { white } else { black };
                format!("{name} {fault}")
            }),
            transcript: played.fault.as_ref().map_or_else(Vec::new, |fault| fault.transcript.clone()),
            warnings: played.warnings.clone(),
        };
        let text = pgn_out::game_text(plan, id, played)?;

        let before = self.state.scoreboard.clone();
        let State { plan, scoreboard, .. } = &mut *self.state;
        let pair_is_complete = scoreboard.add(plan, id, played);
        let sprt = self.state.plan.sprt.filter(|_| pair_is_complete);
        let verdict = sprt.and_then(|sprt| sprt.verdict(sprt.llr(&self.state.scoreboard.scores[0].pairs)));
        // Written with the game that decides: a resumed match must not play on.
        self.state.finish = verdict.map(Finish::Decided);
        self.update_time();
        if let Err(error) = self.folder.record(self.state, &text, &line) {
            // The scoreboard must show the games with which a resumed match starts.
            let kept = before.games;
            self.state.scoreboard = before;
            self.state.finish = None;
            return Err(error.context(format!("the last game is lost, {kept} games are kept")));
        }
        self.progress.game(self.state, &line);

        if verdict.is_some() {
            return Ok(Some(SessionEnd::Finished));
        }
        if line.reason.needs_restart() && !self.state.plan.options.recover {
            let what = line.fault.unwrap_or_default();
            let last_lines = &line.transcript[line.transcript.len().saturating_sub(SHOWN_LINES)..];
            return Ok(Some(SessionEnd::Broken(format!(
                "{what} (round {}.{}); --recover would continue with a new process; last lines of the session:\n    {}",
                id.pair + 1,
                id.game + 1,
                last_lines.join("\n    "),
            ))));
        }
        Ok(None)
    }

    fn complete(&mut self) -> Result<()> {
        self.update_time();
        self.state.finish = Some(Finish::Complete);
        self.folder.write_state(self.state)
    }

    fn update_time(&mut self) {
        let session = self.started.elapsed().as_secs_f64();
        self.state.seconds = self.seconds.0 + session;
        self.state.slot_seconds = self.seconds.1 + session * self.slots as f64;
    }
}

/// Checks that `slots` parallel games can have processors of their own, if the match demands it.
///
/// # Errors
/// If there are too few processors, or this system has no processor affinity.
pub(crate) fn check_affinity(plan: &Plan, slots: usize) -> Result<()> {
    processor_sets(plan, useful_slots(plan, slots)).map(drop)
}

/// The number of slots that have a pair to play.
fn useful_slots(plan: &Plan, slots: usize) -> usize {
    usize::try_from(plan.pairs).unwrap_or(usize::MAX).clamp(1, slots)
}

/// The processors of each slot; `None` if engines may use all.
fn processor_sets(plan: &Plan, slots: usize) -> Result<Option<Vec<ProcessorSet>>> {
    plan.options.affinity.then(|| divide_processors(slots, plan.processors_per_game())).transpose()
}

/// Divides the processors among the slots.
fn divide_processors(slots: usize, per_game: usize) -> Result<Vec<ProcessorSet>> {
    ProcessorSet::divide(slots, per_game).map_err(|error| match error {
        ProcessorSetError::TooFew { needed, available } => anyhow!(
            "--affinity: {slots} parallel games on {per_game} processors each need {needed} processors \
             ({available} available); use --concurrency {}",
            (available / per_game).max(1)
        ),
        other => anyhow!("--affinity: {other}"),
    })
}

/// Plays pairs of games until none is left.
fn slot(shared: &Shared<'_>, processors: Option<&ProcessorSet>, messages: &Sender<SlotMessage>) {
    let mut engines: Vec<Option<MatchEngine<'_>>> = shared.plan.players.iter().map(|_| None).collect();
    while let Some((pair, games)) = shared.next_pair() {
        for game in games {
            let id = GameId { pair, game };
            let message = match play(shared, id, processors, &mut engines) {
                Ok(None) => return,
                Ok(Some(played)) => SlotMessage::Game(id, Box::new(played)),
                Err(error) => SlotMessage::Failed(error),
            };
            let failed = matches!(message, SlotMessage::Failed(_));
            if messages.send(message).is_err() || failed {
                return;
            }
        }
    }
}

impl Shared<'_> {
    /// Returns the next pair with unfinished games, in book order.
    fn next_pair(&self) -> Option<(u64, Vec<usize>)> {
        let mut schedule = self.schedule.lock().unwrap_or_else(PoisonError::into_inner);
        let (next, finished) = &mut *schedule;
        while *next < self.plan.pairs && !self.stop.load(Ordering::Relaxed) {
            let pair = *next;
            *next += 1;
            let missing = finished.missing(pair);
            if !missing.is_empty() {
                return Some((pair, missing));
            }
        }
        None
    }
}

/// Plays one game, starting engines as needed.
fn play<'a>(
    shared: &'a Shared<'_>,
    id: GameId,
    processors: Option<&'a ProcessorSet>,
    engines: &mut [Option<MatchEngine<'a>>],
) -> Result<Option<PlayedGame>> {
    let plan = shared.plan;
    let setup = EngineSetup {
        chess960: plan.chess960,
        ponder: plan.options.ponder,
        timeouts: &plan.timeouts,
        cancel: &shared.stop,
        processors,
    };
    let [white, black] = plan.white_and_black(id);
    for (index, engine) in engines.iter_mut().enumerate() {
        if index != white && index != black {
            // Stop engines that do not play: a slot keeps at most two processes.
            *engine = None;
        }
    }
    for index in [white, black] {
        if engines[index].is_none() {
            let player = &plan.players[index];
            match MatchEngine::start_with_retries(player, &setup, plan.options.recover) {
                Ok(engine) => engines[index] = Some(engine),
                Err(_) if shared.stop.load(Ordering::Relaxed) => return Ok(None),
                Err(error) => return Err(Error::new(error)),
            }
        }
    }
    let Ok([Some(white_engine), Some(black_engine)]) = engines.get_disjoint_mut([white, black]) else {
        return Err(anyhow!("player {white} cannot play against itself"));
    };
    let conditions = Conditions {
        adjudication: &plan.adjudication,
        timeouts: &plan.timeouts,
        chess960: plan.chess960,
        check_every_pv: plan.options.strict,
        tablebases: shared.resources.tablebases,
        ponder: plan.options.ponder,
        resend_options: plan.options.resend_options,
    };
    let played = game::play(
        shared.resources.book.opening(plan.opening_of(id.pair)),
        [white_engine, black_engine],
        [&plan.players[white].limits, &plan.players[black].limits],
        &conditions,
    )?;
    if let Some(GameFault { side, fault, .. }) = played.as_ref().and_then(|played| played.fault.as_ref())
        && fault.reason().needs_restart()
    {
        engines[if *side == Color::White { white } else { black }] = None;
    }
    for index in [white, black] {
        if plan.options.restart || engines[index].as_ref().is_some_and(|engine| !engine.is_reusable()) {
            engines[index] = None;
        }
    }
    Ok(played)
}
