//! The training set and the held-out set.

use super::TuneArgs;
use super::game_finder::{GameFinder, GameState};
use super::line::LabelledPosition;
use super::model::Model;
use super::samples::Samples;
use super::sigmoid::Sigmoid;
use super::source::{self, Choice, FileCounts};
use anyhow::{Result, bail};
use std::collections::HashSet;
use std::io::Write as _;
use std::path::Path;
use tabiya_core::Color;
use tabiya_eval::Evaluation;
use tabiya_files::output;
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::games::is_validation;
use tabiya_lab_common::quiet;

/// Without validation files, the percentage of the games in the held-out set.
const HELD_OUT_PERCENT: u8 = 10;

/// Index of the training set.
pub(super) const TRAINING: usize = 0;
/// Index of the held-out set.
pub(super) const HELD_OUT: usize = 1;

/// The training set and the held-out set. Data that the training loop does not need is in `labels`, in the
/// order of the samples.
#[derive(Default)]
pub(super) struct Data {
    pub(super) samples: [Samples; 2],
    pub(super) labels: [Vec<Label>; 2],
    pub(super) files: Vec<FileCounts>,
}

/// The result and the scores of a position, from White's point of view.
#[derive(Clone, Copy)]
pub(super) struct Label {
    /// Game result as half-points: 0, 1 or 2.
    half_points: u8,
    /// Search score in centipawns, saturated; [`Label::NO_SCORE`] if the file has none.
    score: i16,
    /// Static value of the classic evaluation, in centipawns.
    classic: i16,
}

/// A position on its way into a set.
struct Prepared {
    features: Vec<u8>,
    label: Label,
    game: Game,
}

/// The game of a position.
enum Game {
    /// Its identity.
    Known(u64),
    /// The position's properties that games are told apart by.
    Unknown(GameState),
}

impl Label {
    const NO_SCORE: i16 = i16::MIN;

    fn of(labelled: &LabelledPosition) -> Label {
        let position = &labelled.position;
        let classic = Evaluation::Classic.evaluate(position);
        let classic = if position.board().side_to_move() == Color::White { classic } else { -classic };
        Label {
            half_points: (2.0 * labelled.result) as u8,
            score: labelled.score.map_or(Label::NO_SCORE, saturated),
            classic: saturated(classic),
        }
    }

    /// Game result: 0, 0.5 or 1.
    pub(super) fn result(&self) -> f32 {
        f32::from(self.half_points) / 2.0
    }

    /// Search score in centipawns, if the file has one.
    fn score(&self) -> Option<f64> {
        (self.score != Label::NO_SCORE).then(|| self.score.into())
    }

    /// Static value of the classic evaluation, in centipawns.
    pub(super) fn classic(&self) -> f64 {
        self.classic.into()
    }
}

/// Limits a value in centipawns to the range of a score.
fn saturated(centipawns: i32) -> i16 {
    centipawns.clamp(-i32::from(i16::MAX), i16::MAX.into()) as i16
}

impl Data {
    /// Reads the files of the command line.
    ///
    /// # Errors
    /// If a file cannot be read or contains no position.
    pub(super) fn read(model: &impl Model, args: &TuneArgs, threads: usize) -> Result<Data> {
        for file in &args.files {
            if args.validation.iter().any(|other| output::is_same(file, other)) {
                bail!("{} is given both for training and for --validation", file.display());
            }
        }
        let mut data = Data::default();
        let mut finder = GameFinder::default();
        // Only with validation files.
        let mut training_games = HashSet::new();
        for file in &args.files {
            // All positions of a game are in the same set, since they share result and structure.
            let all_training = !args.validation.is_empty();
            let set = |game| {
                if all_training && let Game::Known(identity) = game {
                    training_games.insert(identity);
                }
                let held_out = !all_training && is_validation(finder.identity(game), HELD_OUT_PERCENT);
                Some(if held_out { HELD_OUT } else { TRAINING })
            };
            data.add(model, args, threads, file, set)?;
            if finder.end_file() && !all_training {
                // Ignore errors: a closed standard error must not end the run.
                let _ = writeln!(
                    std::io::stderr(),
                    "warning: {}: fewer than three positions a game; if the file is shuffled, \
                     positions of one game are in both sets, and the held-out error is too low: use --validation \
                     FILE with other games, or files of games",
                    file.display()
                );
            }
        }
        for file in &args.validation {
            let mut excluded = HashSet::new();
            data.add(model, args, threads, file, |game| match game {
                Game::Known(identity) if training_games.contains(&identity) => {
                    excluded.insert(identity);
                    None
                }
                _ => Some(HELD_OUT),
            })?;
            if !excluded.is_empty() {
                let _ = writeln!(
                    std::io::stderr(),
                    "warning: {}: {} also in the training files, not held out",
                    file.display(),
                    counted(excluded.len(), "game")
                );
            }
        }
        Ok(data)
    }

    fn add(
        &mut self,
        model: &impl Model,
        args: &TuneArgs,
        threads: usize,
        file: &Path,
        mut set: impl FnMut(Game) -> Option<usize>,
    ) -> Result<()> {
        let prepare = |labelled: &LabelledPosition| {
            let position = &labelled.position;
            let usable = if args.quiet_only { quiet::is_quiet(position) } else { !position.in_check() };
            (usable && !position.is_stalemate()).then(|| Prepared {
                features: model.features(position),
                label: Label::of(labelled),
                game: labelled.game.map_or_else(|| Game::Unknown(GameState::of(labelled)), Game::Known),
            })
        };
        let choice = Choice { strict: args.strict, selection: &args.selection };
        let counts = source::read(file, threads, choice, prepare, |prepared| {
            if let Some(set) = set(prepared.game) {
                self.samples[set].push(&prepared.features, prepared.label.result());
                self.labels[set].push(prepared.label);
            }
        })?;
        println!(
            "{}: {} positions, {} used, {} filtered out, {} malformed",
            counts.file, counts.lines, counts.used, counts.filtered, counts.malformed
        );
        self.files.push(counts);
        Ok(())
    }

    /// Blends the search scores into the targets, through a sigmoid whose K is fitted to the results, and
    /// returns that sigmoid.
    ///
    /// # Errors
    /// If no training position has a search score.
    pub(super) fn blend(&mut self, lambda: f64) -> Result<Sigmoid> {
        let scored: Vec<(f64, f32)> =
            self.labels[TRAINING].iter().filter_map(|label| Some((label.score()?, label.result()))).collect();
        if scored.is_empty() {
            bail!("--lambda {lambda}: no position has a search score");
        }
        let sigmoid = Sigmoid::fit(|sigmoid| mean_squared_error_of(&scored, |&pair| pair, sigmoid));
        println!("search scores: K {:.4}, fitted to {} positions", sigmoid.k, scored.len());
        self.set_targets(|label| match label.score() {
            Some(score) => {
                let expected = sigmoid.expected_points(score);
                (lambda * expected + (1.0 - lambda) * f64::from(label.result())) as f32
            }
            None => label.result(),
        });
        Ok(sigmoid)
    }

    /// Sets the targets to the game results.
    pub(super) fn reset_targets(&mut self) {
        self.set_targets(Label::result);
    }

    fn set_targets(&mut self, target: impl Fn(&Label) -> f32) {
        for (samples, labels) in self.samples.iter_mut().zip(&self.labels) {
            for (slot, label) in samples.targets_mut().iter_mut().zip(labels) {
                *slot = target(label);
            }
        }
    }
}

impl GameFinder {
    /// Returns an identity of a game, uniform over all 64 bits.
    fn identity(&mut self, game: Game) -> u64 {
        match game {
            Game::Known(identity) => identity,
            Game::Unknown(state) => self.next(state),
        }
    }
}

/// Mean squared error between each item's result and the expected points of its value.
pub(super) fn mean_squared_error_of<T>(
    items: &[T],
    value_and_result: impl Fn(&T) -> (f64, f32),
    sigmoid: Sigmoid,
) -> f64 {
    let error = |item| {
        let (value, result) = value_and_result(item);
        (sigmoid.expected_points(value) - f64::from(result)).powi(2)
    };
    items.iter().map(error).sum::<f64>() / items.len() as f64
}
