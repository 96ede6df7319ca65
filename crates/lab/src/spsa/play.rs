//! Plays the games of a walk: slots with two processes each, and one collector.

use super::journal::{Journal, Setup};
use super::schedule::{Parameter, Perturbation};
use super::walk::{Outcome, Walk, Work};
use crate::selfplay::game::{self, Conditions, PlayedGame};
use crate::selfplay::match_engine::MatchEngine;
use crate::selfplay::openings::Book;
use anyhow::{Context, Error, Result, anyhow, bail};
use crossbeam_channel::Sender;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use tabiya_core::Color;

/// How often a slot without work looks whether it is to stop.
const NAP: Duration = Duration::from_millis(100);

/// What the slots share.
struct Shared<'a> {
    setup: &'a Setup,
    book: &'a Book,
    walk: Mutex<&'a mut Walk>,
    /// Something was noted in the walk.
    noted: Condvar,
    stop: Arc<AtomicBool>,
}

/// An iteration that was played.
struct Played {
    iteration: u64,
    outcome: Outcome,
    /// Games lost by other things than chess, as messages.
    faults: Vec<String>,
}

/// Plays what is missing, on `slots` boards at a time, until the walk is done or `interrupted` becomes
/// true. `show` sees the walk after each iteration, with what went wrong in it.
///
/// # Errors
/// When an engine cannot be started or used, or a result cannot be written. What was played before is kept.
pub(super) fn play(
    setup: &Setup,
    book: &Book,
    (walk, journal): (&mut Walk, &mut Journal),
    slots: usize,
    interrupted: &Arc<AtomicBool>,
    mut show: impl FnMut(&Walk, &[String]),
) -> Result<()> {
    let shared =
        Shared { setup, book, walk: Mutex::new(walk), noted: Condvar::new(), stop: Arc::clone(interrupted) };
    let (sender, reports) = crossbeam_channel::unbounded();
    std::thread::scope(|scope| {
        for _ in 0..slots {
            let sender = sender.clone();
            let shared = &shared;
            scope.spawn(move || {
                if let Err(error) = slot(shared, &sender) {
                    // Nobody listens any more where another slot has failed before.
                    let _ = sender.send(Err(error));
                }
            });
        }
        drop(sender);
        let mut result = Ok(());
        for report in reports {
            if result.is_err() {
                continue;
            }
            result = report.and_then(|played: Played| {
                journal.record(played.iteration, played.outcome)?;
                let mut walk = shared.walk.lock().unwrap_or_else(PoisonError::into_inner);
                walk.note(played.iteration, played.outcome);
                shared.noted.notify_all();
                show(&walk, &played.faults);
                Ok(())
            });
            if result.is_err() {
                shared.stop.store(true, Ordering::Relaxed);
            }
        }
        result
    })
}

/// Plays one iteration after the other.
fn slot(shared: &Shared<'_>, reports: &Sender<Result<Played>>) -> Result<()> {
    let mut engines: [Option<MatchEngine>; 2] = [None, None];
    while let Some((iteration, perturbation)) = next(shared) {
        let mut played = Played { iteration, outcome: Outcome::default(), faults: Vec::new() };
        for game in 0..2 {
            let Some(over) = play_game(shared, &mut engines, iteration, &perturbation, game)? else {
                return Ok(());
            };
            match over.ending.winner {
                None => played.outcome.draws += 1,
                Some(winner) if (winner == Color::White) == (game == 0) => played.outcome.wins += 1,
                Some(_) => played.outcome.losses += 1,
            }
            if let Some(fault) = &over.fault {
                let first = (fault.side == Color::White) == (game == 0);
                let player = usize::from(!first);
                let what = format!(
                    "iteration {}: {} {}, with {}",
                    iteration + 1,
                    shared.setup.player.name(),
                    fault.fault,
                    settings(&shared.setup.schedule.parameters, &perturbation, player),
                );
                if fault.fault.reason().needs_restart() {
                    if !shared.setup.recover {
                        let lines = fault.transcript.join("\n    ");
                        bail!(
                            "{what}; --recover would go on with a new process; the last lines:\n    {lines}"
                        );
                    }
                    engines[player] = None;
                }
                played.faults.push(what);
            }
        }
        if reports.send(Ok(played)).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// The next iteration, as soon as there is one to play.
fn next(shared: &Shared<'_>) -> Option<(u64, Perturbation)> {
    let mut walk = shared.walk.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if shared.stop.load(Ordering::Relaxed) {
            return None;
        }
        match walk.next() {
            Work::Play(iteration, perturbation) => return Some((iteration, perturbation)),
            Work::Done => return None,
            Work::Wait => {
                walk = shared.noted.wait_timeout(walk, NAP).unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }
}

/// Plays a game of an iteration, the first player with White in game 0; `None` where it was interrupted.
fn play_game(
    shared: &Shared<'_>,
    engines: &mut [Option<MatchEngine>; 2],
    iteration: u64,
    perturbation: &Perturbation,
    game: usize,
) -> Result<Option<PlayedGame>> {
    let setup = shared.setup;
    for (player, place) in engines.iter_mut().enumerate() {
        let engine = match place {
            Some(engine) => engine,
            None => match MatchEngine::start(&setup.player, setup.chess960, &setup.patience, &shared.stop) {
                Ok(engine) => place.insert(engine),
                Err(_) if shared.stop.load(Ordering::Relaxed) => return Ok(None),
                Err(error) => return Err(Error::new(error)),
            },
        };
        for (parameter, values) in setup.schedule.parameters.iter().zip(&perturbation.values) {
            engine.uci.set_option(&parameter.name, &values[player].to_string())?;
        }
    }
    let [Some(first), Some(second)] = engines else {
        return Err(anyhow!("an engine that was started is gone"));
    };
    let players = if game == 0 { [first, second] } else { [second, first] };
    let conditions = Conditions {
        adjudication: &setup.adjudication,
        timeouts: &setup.patience,
        chess960: setup.chess960,
        check_every_pv: false,
    };
    let opening = shared.book.opening(setup.openings.skip + iteration);
    game::play(opening, players, [&setup.player.limits; 2], &conditions)
        .with_context(|| format!("iteration {}", iteration + 1))
}

/// `name=value name=value`, as a player was set.
fn settings(parameters: &[Parameter], perturbation: &Perturbation, player: usize) -> String {
    let pairs = parameters.iter().zip(&perturbation.values);
    let words: Vec<String> =
        pairs.map(|(parameter, values)| format!("{}={}", parameter.name, values[player])).collect();
    words.join(" ")
}
