//! Checkpoints: the state of a training, from which it continues as if it had not been interrupted.
//!
//! | bytes | content |
//! |---|---|
//! | 0-7 | `TABIYATC` |
//! | 8-11 | version |
//! | 12-15 | length of the state, in bytes |
//! | … | the [`State`] as JSON |
//! | … | parameters, first and second moments: the arrays of `Tensors`, `f32` |
//! | last 32 | SHA-256 of all before |
//!
//! Integers and floats are little-endian. The order of the records is a function of seed and mini-batch, so there is no state of a
//! random number generator. The file is replaced as a whole: a killed process leaves the old or the new one.

use super::lanes::LANES;
use super::model::Model;
use super::settings::Settings;
use super::tensors::Tensors;
use crate::sha256::hexadecimal;
use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::path::Path;
use tabiya_files::input;
use tabiya_files::output::{self, Existing};

pub(super) const MAGIC: &[u8; 8] = b"TABIYATC";
const VERSION: u32 = 2;
/// Bytes before the state.
const HEADER: usize = 16;
/// Bytes of the hash at the end.
const HASH: usize = 32;
/// Largest size of a checkpoint, in bytes. The largest network's has 340 MB.
pub(super) const MAX_BYTES: u64 = 1 << 30;

/// The results of a superbatch.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct SuperBatch {
    /// Its number, from 1.
    pub(super) number: u64,
    /// Mean loss of its mini-batches while they were trained on.
    pub(super) training: f64,
    pub(super) validation: f64,
    /// Learning rate of its last mini-batch.
    pub(super) learning_rate: f64,
}

/// The progress of a training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) settings: Settings,
    /// Finished superbatches.
    pub(super) history: Vec<SuperBatch>,
    /// Mini-batches done after the last finished superbatch.
    pub(super) batches: u64,
    /// Sum of the losses of these mini-batches.
    pub(super) loss_sum: f64,
    /// Training time, in seconds.
    pub(super) seconds: f64,
    /// The description that is stored in the networks; empty in checkpoints from before it was kept.
    #[serde(default)]
    pub(super) description: String,
}

impl State {
    /// The state before the first mini-batch.
    pub(super) fn new(settings: Settings) -> State {
        State {
            settings,
            history: Vec::new(),
            batches: 0,
            loss_sum: 0.0,
            seconds: 0.0,
            description: String::new(),
        }
    }

    /// Mini-batches done in total.
    pub(super) fn step(&self) -> u64 {
        self.history.len() as u64 * self.settings.superbatch_batches + self.batches
    }

    /// The superbatch with the lowest validation loss.
    pub(super) fn best(&self) -> Option<SuperBatch> {
        self.history.iter().copied().min_by(|a, b| a.validation.total_cmp(&b.validation))
    }
}

/// Replaces the checkpoint.
///
/// # Errors
/// If a parameter is not finite or the file cannot be written. The old checkpoint is then kept.
pub(super) fn write(path: &Path, state: &State, model: &Model) -> Result<()> {
    check_finite(model)?;
    let json = serde_json::to_vec(state)?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(u32::try_from(json.len()).context("too much history")?.to_le_bytes());
    bytes.extend(json);
    for tensors in tensors(model) {
        for (_, lanes) in tensors.arrays() {
            bytes.extend(super::lanes::floats(lanes).iter().copied().flat_map(f32::to_le_bytes));
        }
    }
    bytes.extend(Sha256::digest(&bytes).iter());
    output::write(path, &bytes, Existing::Replace, &[])?;
    Ok(())
}

/// Checks that the training has not diverged.
///
/// # Errors
/// If a parameter or moment is not finite; the message names it.
pub(super) fn check_finite(model: &Model) -> Result<()> {
    let kinds = ["", "first moments of the ", "second moments of the "];
    for (kind, tensors) in kinds.into_iter().zip(tensors(model)) {
        if let Some(name) = tensors.not_finite() {
            bail!("the {kind}{name} contain a number that is not finite");
        }
    }
    Ok(())
}

fn tensors(model: &Model) -> [&Tensors; 3] {
    let [first, second] = &model.moments;
    [&model.parameters, first, second]
}

/// A checkpoint's state, with the bytes of its arrays.
pub(super) struct Checkpoint {
    pub(super) state: State,
    /// SHA-256 of the contents, in hexadecimal digits.
    pub(super) sha256: String,
    arrays: Vec<u8>,
}

impl Checkpoint {
    /// Reads a checkpoint.
    ///
    /// # Errors
    /// If the file cannot be read, is not a checkpoint, or is damaged.
    pub(super) fn read(path: &Path) -> Result<Checkpoint> {
        let bytes =
            input::read(path, MAX_BYTES).with_context(|| format!("cannot read {}", path.display()))?;
        Checkpoint::parse(&bytes, path)
    }

    /// Parses the contents of a checkpoint's file; `path` is for the messages.
    ///
    /// # Errors
    /// If it is not a checkpoint, or is damaged.
    pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Checkpoint> {
        let name = path.display();
        ensure!(bytes.starts_with(MAGIC), "{name} is not a checkpoint: it does not start with TABIYATC");
        let number = |at: usize| {
            let bytes = bytes.get(at..at + 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
            bytes.map(u32::from_le_bytes).with_context(|| format!("{name} is truncated"))
        };
        let version = number(8)?;
        ensure!(version == VERSION, "{name} has version {version} (expected {VERSION})");
        let length = number(12)? as usize;
        let content = bytes.len().checked_sub(HASH).filter(|&end| end >= HEADER + length);
        let (content, hash) = bytes.split_at(content.with_context(|| format!("{name} is truncated"))?);
        ensure!(Sha256::digest(content).as_slice() == hash, "{name} is damaged or truncated (wrong hash)");
        let sha256 = hexadecimal(hash);
        let (json, arrays) = content[HEADER..].split_at(length);
        let state = serde_json::from_slice(json).with_context(|| format!("cannot read {name}"))?;
        Ok(Checkpoint { state, sha256, arrays: arrays.to_vec() })
    }

    /// Copies the arrays into a model of the same architecture.
    ///
    /// # Errors
    /// If their number differs, or a number is not finite.
    pub(super) fn restore(&self, model: &mut Model) -> Result<()> {
        let expected: usize = tensors(model)
            .iter()
            .flat_map(|tensors| tensors.arrays())
            .map(|(_, lanes)| lanes.len() * LANES * size_of::<f32>())
            .sum();
        ensure!(
            self.arrays.len() == expected,
            "the arrays have {} bytes (expected {expected})",
            self.arrays.len()
        );
        let mut values = self.arrays.as_chunks().0.iter().copied().map(f32::from_le_bytes);
        let [first, second] = &mut model.moments;
        for tensors in [&mut model.parameters, first, second] {
            for lanes in tensors.arrays_mut() {
                super::lanes::fill(lanes, values.by_ref().take(lanes.len() * LANES));
            }
        }
        check_finite(model)?;
        model.merge();
        Ok(())
    }

    /// Copies the weights into a model of another training of the same architecture. Its moments become zero.
    ///
    /// # Errors
    /// If the number of weights differs, or a number is not finite.
    pub(super) fn restore_parameters(&self, model: &mut Model) -> Result<()> {
        self.restore(model)?;
        for tensors in &mut model.moments {
            for lanes in tensors.arrays_mut() {
                super::lanes::fill(lanes, std::iter::repeat_n(0.0, lanes.len() * LANES));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::lanes;
    use crate::train::settings::tests::settings;

    fn model(seed: u64) -> Model {
        Model::new(&settings().architecture().unwrap(), seed, 2, 1)
    }

    fn written(folder: &Path) -> (std::path::PathBuf, State) {
        let path = folder.join("checkpoint");
        let first = SuperBatch { number: 1, training: 0.1, validation: 0.2, learning_rate: 0.001 };
        let state = State {
            history: vec![first, SuperBatch { number: 2, validation: 0.15, ..first }],
            batches: 3,
            loss_sum: 0.1 + 0.2,
            ..State::new(settings())
        };
        write(&path, &state, &model(5)).unwrap();
        (path, state)
    }

    #[test]
    fn checkpoints_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let (path, state) = written(folder.path());
        let checkpoint = Checkpoint::read(&path).unwrap();
        assert_eq!(checkpoint.state, state);
        assert_eq!((state.step(), state.best().unwrap().number), (53, 2));
        let mut other = model(6);
        checkpoint.restore(&mut other).unwrap();
        assert_eq!(other.parameters, model(5).parameters);
    }

    #[test]
    fn threats_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let settings = Settings { hidden: 64, threats: 32, ..settings() };
        let new = |seed| Model::new(&settings.architecture().unwrap(), seed, 2, 1);
        let mut model = new(5);
        lanes::fill(&mut model.parameters.threats, (1..).map(|number| number as f32));
        lanes::fill(&mut model.moments[0].threats, (2..).map(|number| number as f32));
        lanes::fill(&mut model.moments[1].threats, (3..).map(|number| number as f32));
        write(&path, &State::new(settings.clone()), &model).unwrap();
        let checkpoint = Checkpoint::read(&path).unwrap();
        let mut other = new(6);
        checkpoint.restore(&mut other).unwrap();
        assert_eq!((other.parameters, other.moments), (model.parameters.clone(), model.moments.clone()));
        let mut bad = model;
        bad.parameters.threats[7].0[3] = f32::NAN;
        let text = check_finite(&bad).unwrap_err().to_string();
        assert_eq!(text, "the threat weights contain a number that is not finite");
    }

    #[test]
    fn damage_at_any_place_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let (path, _) = written(folder.path());
        let good = std::fs::read(&path).unwrap();
        for at in [0, 9, 13, 40, 2000, good.len() / 2, good.len() - 1] {
            let mut damaged = good.clone();
            damaged[at] ^= 0x10;
            std::fs::write(&path, &damaged).unwrap();
            assert!(Checkpoint::read(&path).is_err(), "{at}");
            std::fs::write(&path, &good[..at]).unwrap();
            assert!(Checkpoint::read(&path).is_err(), "{at}");
        }
        std::fs::write(&path, "text").unwrap();
        let text = Checkpoint::read(&path).err().unwrap().to_string();
        assert!(text.ends_with("is not a checkpoint: it does not start with TABIYATC"), "{text}");
    }

    #[test]
    fn numbers_that_are_not_finite_are_refused_and_the_old_checkpoint_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (path, state) = written(folder.path());
        let before = std::fs::read(&path).unwrap();
        let mut bad = model(5);
        bad.moments[1].bias[0].0[4] = f32::NAN;
        let text = write(&path, &state, &bad).unwrap_err().to_string();
        assert_eq!(text, "the second moments of the feature biases contain a number that is not finite");
        assert_eq!(std::fs::read(&path).unwrap(), before);
        // The same in a file: change an array and the hash.
        let end = before.len() - HASH;
        let mut bytes = before[..end].to_vec();
        bytes[end - 4..].copy_from_slice(&f32::INFINITY.to_le_bytes());
        bytes.extend(Sha256::digest(&bytes).iter());
        std::fs::write(&path, &bytes).unwrap();
        let text = Checkpoint::read(&path).unwrap().restore(&mut model(5)).unwrap_err().to_string();
        assert_eq!(text, "the second moments of the output biases contain a number that is not finite");
    }

    #[test]
    fn other_architectures_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (path, _) = written(folder.path());
        let large = Settings { hidden: 64, ..settings() };
        let mut large = Model::new(&large.architecture().unwrap(), 1, 1, 1);
        let text = Checkpoint::read(&path).unwrap().restore(&mut large).unwrap_err().to_string();
        assert!(text.contains("bytes (expected"), "{text}");
    }

    #[test]
    fn weights_can_start_another_training() {
        let folder = tempfile::tempdir().unwrap();
        let (path, _) = written(folder.path());
        let checkpoint = Checkpoint::read(&path).unwrap();
        let mut other = model(6);
        other.moments[0].bias[0].0[1] = 2.0;
        checkpoint.restore_parameters(&mut other).unwrap();
        let expected = model(5);
        assert_eq!(other.parameters.bias, expected.parameters.bias);
        assert_eq!(other.moments[0].bias, expected.moments[0].bias, "zero, as before the first step");
    }
}
