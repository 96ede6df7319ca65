//! The training run: mini-batches, superbatches, checkpoints and networks.

use super::checkpoint::{self, Checkpoint, State, SuperBatch};
use super::data::DataLoader;
use super::model::Model;
use super::optimiser::Step;
use super::quantise::quantise;
use anyhow::{Context as _, Result, bail};
use bulletformat::ChessBoard;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tabiya_eval::nnue::Network;
use tabiya_files::output::{self, Existing};
use tabiya_lab_common::progress::Progress;

/// The files of a training in its folder.
pub(super) const CHECKPOINT: &str = "checkpoint";
/// The network with the lowest validation loss.
pub(super) const BEST: &str = "best.nnue";
/// The network at the last checkpoint: after a superbatch, or where the training was interrupted.
pub(super) const LAST: &str = "last.nnue";

/// A training in progress.
pub(super) struct Training<'a> {
    pub(super) folder: &'a Path,
    pub(super) state: State,
    pub(super) model: Model,
    pub(super) batches: &'a DataLoader,
    pub(super) validation: &'a [ChessBoard],
    /// Superbatches between checkpoints.
    pub(super) checkpoint_every: u64,
}

impl Training<'_> {
    fn checkpoint(&self) -> PathBuf {
        self.folder.join(CHECKPOINT)
    }

    /// Continues from the checkpoint in the folder.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or was written with other settings.
    pub(super) fn resume(&mut self) -> Result<()> {
        let path = self.checkpoint();
        let checkpoint = Checkpoint::read(&path)?;
        self.state.settings.check_same(&checkpoint.state.settings, &path)?;
        checkpoint.restore(&mut self.model).with_context(|| format!("cannot use {}", path.display()))?;
        // Otherwise the same network would be described differently after an interruption.
        let description = std::mem::take(&mut self.state.description);
        self.state = checkpoint.state;
        if self.state.description.is_empty() {
            self.state.description = description;
        }
        Ok(())
    }

    /// Trains until the last superbatch is finished or `interrupted` returns true. Returns true if it is finished.
    ///
    /// # Errors
    /// If the data cannot be read, a file cannot be written, or the training diverges. The last checkpoint is kept.
    pub(super) fn run(&mut self, mut interrupted: impl FnMut() -> bool) -> Result<bool> {
        let settings = self.state.settings.clone();
        let objective = settings.objective();
        let superbatches = settings.superbatches;
        if self.state.history.len() as u64 >= superbatches {
            if !self.folder.join(LAST).exists() {
                self.write_network(LAST)?;
            }
            return Ok(true);
        }
        let reader = self.batches.read_from(self.state.step())?;
        let mut progress = Progress::new("mini-batches", self.state.step(), settings.total_batches(), "");
        let start = Instant::now();
        let (first_step, seconds_before) = (self.state.step(), self.state.seconds);
        while (self.state.history.len() as u64) < superbatches {
            let batch = reader.recv().context("the reader of the data has ended")??;
            let step = self.state.step();
            let rate = settings.learning_rate(step);
            let loss = self.model.step(&batch, objective, Step::new(step + 1, rate, settings.weight_decay));
            if !loss.is_finite() {
                return Err(self.diverged(&format!("the loss of mini-batch {} is {loss}", step + 1)));
            }
            self.state.batches += 1;
            self.state.loss_sum += loss;
            self.state.seconds = seconds_before + start.elapsed().as_secs_f64();
            let superbatch = self.state.history.len() + 1;
            let mean = self.state.loss_sum / self.state.batches as f64;
            progress.show(step + 1, || {
                let records = (step + 1 - first_step) * self.batches.batch() as u64;
                let speed = records as f64 / start.elapsed().as_secs_f64();
                format!("superbatch {superbatch}, loss {mean:.6}, {speed:.0} positions/s")
            });
            if self.state.batches == settings.superbatch_batches {
                let finished = self.finish_superbatch(rate)?;
                self.state.seconds = seconds_before + start.elapsed().as_secs_f64();
                progress.message(&line(&finished, superbatches));
                let number = finished.number;
                if number.is_multiple_of(self.checkpoint_every) || number == superbatches {
                    self.save()?;
                }
            }
            if interrupted() {
                progress.finish();
                self.save()?;
                return Ok(self.state.history.len() as u64 >= superbatches);
            }
        }
        progress.finish();
        Ok(true)
    }

    /// Computes the validation loss, and writes the network if it is the best one.
    fn finish_superbatch(&mut self, learning_rate: f64) -> Result<SuperBatch> {
        if let Err(error) = checkpoint::check_finite(&self.model) {
            return Err(self.diverged(&error.to_string()));
        }
        let finished = SuperBatch {
            number: self.state.history.len() as u64 + 1,
            training: self.state.loss_sum / self.state.batches as f64,
            validation: self.validation_loss(),
            learning_rate,
        };
        let best = self.state.best();
        self.state.history.push(finished);
        self.state.batches = 0;
        self.state.loss_sum = 0.0;
        // Before the checkpoint: if the process is killed in between, this superbatch is repeated.
        if best.is_none_or(|best| finished.validation < best.validation) {
            self.write_network(BEST)?;
        }
        Ok(finished)
    }

    fn diverged(&self, cause: &str) -> anyhow::Error {
        let kept = match Checkpoint::read(&self.checkpoint()) {
            Ok(checkpoint) => {
                format!("the checkpoint of superbatch {} is kept", checkpoint.state.history.len())
            }
            Err(_) => "there is no checkpoint yet".to_owned(),
        };
        anyhow::anyhow!("the training has diverged: {cause}; {kept}; try a lower --lr in a new folder")
    }

    /// Mean loss on the validation records.
    fn validation_loss(&self) -> f64 {
        let objective = self.state.settings.objective();
        let outputs = self.model.outputs(self.validation, objective.blend);
        let losses = outputs.iter().zip(self.validation).map(|(&output, record)| {
            let target = objective.blend.target(record);
            f64::from(objective.loss.loss_and_slope(output, target).0)
        });
        losses.sum::<f64>() / self.validation.len().max(1) as f64
    }

    /// The trained network's values of the validation records, in centipawns.
    pub(super) fn values(&self) -> Vec<f32> {
        let outputs = self.model.outputs(self.validation, self.state.settings.blend());
        let scale = self.state.settings.scale as f32;
        outputs.into_iter().map(|output| output * scale).collect()
    }

    fn save(&self) -> Result<()> {
        self.write_network(LAST)?;
        checkpoint::write(&self.checkpoint(), &self.state, &self.model)
            .context("cannot save the training; an earlier checkpoint is kept")
    }

    fn write_network(&self, name: &str) -> Result<()> {
        let number = self.state.history.len();
        let mut description = format!("{}; superbatch {number}", self.state.description);
        if self.state.batches > 0 {
            description += &format!(" and {} mini-batches", self.state.batches);
        }
        write_network(&self.folder.join(name), &quantise(&self.model, &description)?, Existing::Replace, &[])
    }
}

/// Writes a network file. `inputs` are the files that the same command reads.
///
/// # Errors
/// If it cannot be written, or is one of the inputs.
pub(super) fn write_network(
    path: &Path,
    network: &Network,
    existing: Existing,
    inputs: &[&Path],
) -> Result<()> {
    let mut bytes = Vec::new();
    network.write(&mut bytes)?;
    // Reading it back ensures that the engine will accept the file.
    if Network::read(&bytes).as_ref() != Ok(network) {
        bail!("the network for {} does not survive writing", path.display());
    }
    output::write(path, &bytes, existing, inputs)?;
    Ok(())
}

/// A line about a superbatch.
fn line(finished: &SuperBatch, superbatches: u64) -> String {
    let SuperBatch { number, training, validation, learning_rate } = finished;
    format!(
        "superbatch {number:>3}/{superbatches}  learning rate {learning_rate:<9.7}  training {training:.6}  \
         validation {validation:.6}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::data::tests::data_file;
    use crate::train::settings::Settings;
    use crate::train::settings::tests::settings;

    #[test]
    fn weights_that_are_not_finite_leave_the_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let record = |score: i16| ChessBoard {
            score,
            ..("4k3/8/8/3p4/8/8/8/4K2R w - - 0 1 | 0 | 0.5".parse().unwrap())
        };
        let records: Vec<ChessBoard> = (0..100).map(record).collect();
        let batches = DataLoader::new(vec![data_file(&folder.path().join("a"), &records)], 20, 1 << 16, 1);
        let settings = Settings { batch: 20, superbatches: 2, superbatch_batches: 5, ..settings() };
        let mut training = Training {
            folder: folder.path(),
            model: Model::new(&settings.architecture().unwrap(), 1, 1, 1),
            state: State::new(settings),
            batches: &batches,
            validation: &records,
            checkpoint_every: 1,
        };
        let mut batches = 0;
        let interrupt = || {
            batches += 1;
            batches == 5
        };
        assert!(!training.run(interrupt).unwrap());
        let before = std::fs::read(folder.path().join(CHECKPOINT)).unwrap();
        // The activation hides NaN from the loss.
        training.model.parameters.bias[0].0[3] = f32::NAN;
        let text = training.run(|| false).unwrap_err().to_string();
        assert!(text.contains("feature biases contain a number that is not finite"), "{text}");
        assert!(text.contains("the checkpoint of superbatch 1 is kept"), "{text}");
        assert_eq!(std::fs::read(folder.path().join(CHECKPOINT)).unwrap(), before);
    }
}
