//! Plays the games of an SPSA run: worker threads with two engine processes each, and the calling thread, which
//! records the results.

mod equal_games;

use super::journal::{Journal, Setup};
use super::schedule::{Parameter, Perturbation};
use super::tuner::{Outcome, Tuner, Work};
use crate::selfplay::game::{self, Conditions, PlayedGame};
use crate::selfplay::match_engine::{EngineSetup, MatchEngine};
use anyhow::{Context, Error, Result, anyhow, bail};
use crossbeam_channel::Sender;
use equal_games::EqualGames;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use tabiya_core::Color;
use tabiya_lab_common::openings::Book;

/// Interval at which an idle worker checks for an interruption.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// State shared by the workers.
struct Shared<'a> {
    setup: &'a Setup,
    book: &'a Book,
    tuner: Mutex<&'a mut Tuner>,
    /// Signalled when a result has been recorded.
    recorded: Condvar,
    stop: Arc<AtomicBool>,
}

/// A completed iteration.
struct PlayedIteration {
    iteration: u64,
    outcome: Outcome,
    /// True if both games have the same moves.
    equal_games: bool,
    /// Messages about games lost by a crash, on time or by an illegal move.
    faults: Vec<String>,
}

/// Plays the remaining iterations with `slots` workers until the run is complete or `interrupted` becomes true.
/// `on_result` is called after each iteration with its messages about faults, and about parameters without effect.
///
/// # Errors
/// If an engine cannot be started or fails, or a result cannot be written. Earlier results are kept.
pub(super) fn play(
    setup: &Setup,
    book: &Book,
    (tuner, journal): (&mut Tuner, &mut Journal),
    slots: usize,
    interrupted: &Arc<AtomicBool>,
    mut on_result: impl FnMut(&Tuner, &[String]),
) -> Result<()> {
    let shared = Shared {
        setup,
        book,
        tuner: Mutex::new(tuner),
        recorded: Condvar::new(),
        stop: Arc::clone(interrupted),
    };
    let (sender, reports) = crossbeam_channel::unbounded();
    std::thread::scope(|scope| {
        for _ in 0..slots {
            let sender = sender.clone();
            let shared = &shared;
            scope.spawn(move || {
                if let Err(error) = run_worker(shared, &sender) {
                    // Sending fails only if the receiving thread has panicked.
                    let _ = sender.send(Err(error));
                }
            });
        }
        drop(sender);
        let mut result = Ok(());
        let mut equal_games = EqualGames::default();
        for report in reports {
            if result.is_err() {
                continue;
            }
            result = report.and_then(|mut played: PlayedIteration| {
                played.faults.extend(equal_games.add(played.equal_games, &setup.schedule.parameters));
                journal.record(played.iteration, played.outcome)?;
                let mut tuner = shared.tuner.lock().unwrap_or_else(PoisonError::into_inner);
                tuner.record(played.iteration, played.outcome);
                shared.recorded.notify_all();
                on_result(&tuner, &played.faults);
                Ok(())
            });
            if result.is_err() {
                shared.stop.store(true, Ordering::Relaxed);
            }
        }
        result
    })
}

/// Plays iterations until there are no more or the run is interrupted.
fn run_worker(shared: &Shared<'_>, reports: &Sender<Result<PlayedIteration>>) -> Result<()> {
    let mut engines: [Option<MatchEngine<'_>>; 2] = [None, None];
    while let Some((iteration, perturbation)) = next_iteration(shared) {
        let outcome = Outcome::default();
        let mut played = PlayedIteration { iteration, outcome, equal_games: false, faults: Vec::new() };
        let mut first_moves = None;
        for game in 0..2 {
            let Some(finished) = play_game(shared, &mut engines, iteration, &perturbation, game)? else {
                return Ok(());
            };
            match finished.ending.winner {
                None => played.outcome.draws += 1,
                Some(winner) if (winner == Color::White) == (game == 0) => played.outcome.wins += 1,
                Some(_) => played.outcome.losses += 1,
            }
            match &first_moves {
                None => first_moves = Some(finished.game.moves().to_vec()),
                Some(moves) => played.equal_games = moves == finished.game.moves(),
            }
            if let Some(fault) = &finished.fault {
                let is_first_player = (fault.side == Color::White) == (game == 0);
                let player = usize::from(!is_first_player);
                let message = format!(
                    "iteration {}: {} {}, with {}",
                    iteration + 1,
                    shared.setup.player.name(),
                    fault.fault,
                    format_values(&shared.setup.schedule.parameters, &perturbation, player),
                );
                if fault.fault.reason().needs_restart() {
                    if !shared.setup.recover {
                        let lines = fault.transcript.join("\n    ");
                        bail!(
                            "{message}; use --recover to restart crashed engines; last lines:\n    {lines}"
                        );
                    }
                    engines[player] = None;
                }
                played.faults.push(message);
            }
        }
        if reports.send(Ok(played)).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// Waits for the next iteration to play; `None` if there are no more or the run is interrupted.
fn next_iteration(shared: &Shared<'_>) -> Option<(u64, Perturbation)> {
    let mut tuner = shared.tuner.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if shared.stop.load(Ordering::Relaxed) {
            return None;
        }
        match tuner.next() {
            Work::Play(iteration, perturbation) => return Some((iteration, perturbation)),
            Work::Done => return None,
            Work::Wait => {
                tuner = shared
                    .recorded
                    .wait_timeout(tuner, POLL_INTERVAL)
                    .unwrap_or_else(PoisonError::into_inner)
                    .0;
            }
        }
    }
}

/// Plays one game of an iteration; the first player has White in game 0. `None` if interrupted.
fn play_game<'a>(
    shared: &'a Shared<'_>,
    engines: &mut [Option<MatchEngine<'a>>; 2],
    iteration: u64,
    perturbation: &Perturbation,
    game: usize,
) -> Result<Option<PlayedGame>> {
    let setup = shared.setup;
    let engine_setup = EngineSetup {
        chess960: setup.chess960,
        ponder: false,
        timeouts: &setup.timeouts,
        cancel: &shared.stop,
        processors: None,
    };
    for (player, slot) in engines.iter_mut().enumerate() {
        let engine = match slot {
            Some(engine) => engine,
            None => match MatchEngine::start_with_retries(&setup.player, &engine_setup, setup.recover) {
                Ok(engine) => slot.insert(engine),
                Err(_) if shared.stop.load(Ordering::Relaxed) => return Ok(None),
                Err(error) => return Err(Error::new(error)),
            },
        };
        for (parameter, values) in setup.schedule.parameters.iter().zip(&perturbation.values) {
            engine.set_option(&parameter.name, &values[player].to_string())?;
        }
    }
    let [Some(first), Some(second)] = engines else {
        return Err(anyhow!("both engines must be running"));
    };
    let players = if game == 0 { [first, second] } else { [second, first] };
    let conditions = Conditions {
        adjudication: &setup.adjudication,
        timeouts: &setup.timeouts,
        chess960: setup.chess960,
        check_every_pv: false,
        tablebases: None,
        ponder: false,
        resend_options: false,
    };
    let opening = shared.book.opening(setup.openings.skip + iteration);
    game::play(opening, players, [&setup.player.limits; 2], &conditions)
        .with_context(|| format!("iteration {}", iteration + 1))
}

/// Formats a player's parameter values as `name=value name=value`.
fn format_values(parameters: &[Parameter], perturbation: &Perturbation, player: usize) -> String {
    let pairs = parameters.iter().zip(&perturbation.values);
    let pairs: Vec<String> =
        pairs.map(|(parameter, values)| format!("{}={}", parameter.name, values[player])).collect();
    pairs.join(" ")
}
