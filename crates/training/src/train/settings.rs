//! The settings of a training: everything that its result depends on.

use super::data::DataFile;
use super::loss::{Blend, Loss};
use super::model::Objective;
use anyhow::{Result, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use tabiya_eval::nnue::{Architecture, ArchitectureError, KingBuckets};

/// The way the learning rate falls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Schedule {
    /// Along half a period of the cosine
    Cosine,
    /// By the same factor at each of --lr-steps steps
    Step,
}

/// Fewest steps from random weights that give a useful network, with mini-batches of the default size.
const MIN_STEPS: u64 = 1_000;

/// The settings of a training. Field names are those of the options, for messages.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) hidden: usize,
    pub(super) king_buckets: [u8; 32],
    /// Number of neurons with threats.
    #[serde(default)]
    pub(super) threats: usize,
    /// True if the board is never mirrored.
    #[serde(default)]
    pub(super) no_mirroring: bool,
    pub(super) output_buckets: usize,
    /// Centipawns per 1.0 of the output.
    #[serde(default = "first_scale")]
    pub(super) scale: i32,
    pub(super) lambda: f64,
    pub(super) eval_scale: f64,
    pub(super) exponent: f64,
    pub(super) batch: usize,
    pub(super) superbatches: u64,
    /// Mini-batches in a superbatch.
    pub(super) superbatch_batches: u64,
    pub(super) lr: f64,
    pub(super) final_lr: f64,
    pub(super) schedule: Schedule,
    pub(super) lr_steps: u64,
    /// Mini-batches during which the learning rate rises to its first value.
    pub(super) warmup: u64,
    pub(super) weight_decay: f64,
    pub(super) seed: u64,
    pub(super) shards: usize,
    /// Records that are shuffled together.
    pub(super) buffer: u64,
    /// Hashes of the data files.
    pub(super) data: Vec<String>,
    /// Hash of the validation file.
    pub(super) validation: String,
    /// Hash of the checkpoint or network whose weights the training starts from.
    #[serde(default)]
    pub(super) initial: Option<String>,
    /// True if the feature weights stay as they are in that file.
    #[serde(default)]
    pub(super) output_only: bool,
}

/// The scale of checkpoints from before it was a setting.
fn first_scale() -> i32 {
    400
}

impl Settings {
    pub(super) fn architecture(&self) -> Result<Architecture, ArchitectureError> {
        let king_buckets = KingBuckets::new(self.king_buckets)?;
        let king_buckets = if self.no_mirroring { king_buckets.without_mirroring() } else { king_buckets };
        Architecture::new(self.hidden, king_buckets, self.output_buckets, self.scale)?
            .with_threats(self.threats)
    }

    pub(super) fn blend(&self) -> Blend {
        Blend { lambda: self.lambda as f32, eval_scale: self.eval_scale as f32 }
    }

    pub(super) fn objective(&self) -> Objective {
        let slope = (f64::from(self.scale) / self.eval_scale) as f32;
        Objective { loss: Loss { slope, exponent: self.exponent as f32 }, blend: self.blend() }
    }

    /// Mini-batches of the whole training.
    pub(super) fn total_batches(&self) -> u64 {
        self.superbatches * self.superbatch_batches
    }

    /// The passes over so many records that the whole training makes.
    pub(super) fn passes(&self, records: u64) -> f64 {
        self.total_batches() as f64 * self.batch as f64 / records.max(1) as f64
    }

    /// Says why the training is too short to learn from so many records, if it is.
    pub(super) fn shortfall(&self, records: u64) -> Option<String> {
        let (steps, passes) = (self.total_batches(), self.passes(records));
        // Adam changes a weight by about the learning rate at each step, so that few steps cannot move random weights far.
        if steps < MIN_STEPS && self.initial.is_none() {
            return Some(format!(
                "{steps} steps are too few to learn from random weights (at least {MIN_STEPS}); \
                 use more --superbatches, a smaller --batch, or more records"
            ));
        }
        (passes < 0.99).then(|| {
            format!("the training ends before it has seen every record ({passes:.2} passes); use more --superbatches")
        })
    }

    /// The learning rate of a mini-batch, counted from 0.
    pub(super) fn learning_rate(&self, batch: u64) -> f64 {
        let total = self.total_batches().max(1);
        let progress = batch as f64 / total as f64;
        let rate = match self.schedule {
            Schedule::Cosine => {
                let fraction = (1.0 + (std::f64::consts::PI * progress).cos()) / 2.0;
                self.final_lr + (self.lr - self.final_lr) * fraction
            }
            Schedule::Step => {
                // At most `lr_steps`, so it fits into a `u64`.
                let step = u128::from(batch) * u128::from(self.lr_steps) / u128::from(total);
                let step = (step as u64).min(self.lr_steps - 1);
                let last = self.lr_steps.saturating_sub(1).max(1);
                self.lr * (self.final_lr / self.lr).powf(step as f64 / last as f64)
            }
        };
        let warm = (batch + 1) as f64 / (self.warmup + 1) as f64;
        rate * warm.min(1.0)
    }

    /// Checks that a checkpoint was written with these settings.
    ///
    /// # Errors
    /// If not; the message names every setting that differs.
    pub(super) fn check_same(&self, saved: &Settings, checkpoint: &Path) -> Result<()> {
        let (Value::Object(ours), Value::Object(theirs)) =
            (serde_json::to_value(self)?, serde_json::to_value(saved)?)
        else {
            bail!("settings are not an object");
        };
        let differing = ours.iter().filter(|(name, value)| theirs.get(*name) != Some(value));
        let differences: Vec<String> = differing
            .map(|(name, value)| match name.as_str() {
                "data" => "the data files have other contents or another order".to_owned(),
                "validation" => "the validation file has other contents".to_owned(),
                "initial" => "the file of --initial has other contents".to_owned(),
                _ => {
                    let saved = theirs.get(name).unwrap_or(&Value::Null);
                    format!("--{}: {saved} in the checkpoint, {value} given", name.replace('_', "-"))
                }
            })
            .collect();
        if !differences.is_empty() {
            bail!(
                "{} is of a training with other settings ({}); repeat those, or choose another folder",
                checkpoint.display(),
                differences.join("; ")
            );
        }
        Ok(())
    }

    /// The description that is stored in the network.
    pub(super) fn description(&self, name: &str, data: &[DataFile], revision: &str) -> String {
        let records: u64 = data.iter().map(|file| file.records).sum();
        let epochs = self.passes(records);
        let name = if name.is_empty() { String::new() } else { format!("{name}: ") };
        let initial = self.initial.as_ref().map_or(String::new(), |hash| {
            let layer = if self.output_only { ", output layer alone" } else { "" };
            format!("; started from the weights of {}{layer}", &hash[..hash.len().min(16)])
        });
        format!(
            "{name}{records} records, {epochs:.1} epochs, lambda {}, eval scale {}, exponent {}, \
             AdamW {} to {}, weight decay {}, mini-batch {}, seed {}; revision {revision}; data {}{initial}",
            self.lambda,
            self.eval_scale,
            self.exponent,
            self.lr,
            self.final_lr,
            self.weight_decay,
            self.batch,
            self.seed,
            self.data.iter().map(|hash| &hash[..hash.len().min(16)]).collect::<Vec<_>>().join(" ")
        )
    }
}

/// Parses king buckets: a named layout, or the 32 buckets of a1, b1, c1, d1, a2 to d8, separated by commas.
///
/// # Errors
/// If it is neither.
pub(super) fn parse_king_buckets(text: &str) -> Result<KingBuckets, String> {
    // Kings spend most of a game on the first rank, and rarely leave the second.
    let rows: [[u8; 4]; 3] = match text {
        "1" => return Ok(KingBuckets::single()),
        "2" => [[0, 0, 0, 0], [1, 1, 1, 1], [1, 1, 1, 1]],
        "4" => [[0, 0, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]],
        "8" => [[0, 1, 2, 3], [4, 4, 5, 5], [6, 6, 6, 6]],
        _ => {
            let numbers: Result<Vec<u8>, _> = text.split(',').map(|number| number.trim().parse()).collect();
            let map = numbers.ok().and_then(|numbers| <[u8; 32]>::try_from(numbers).ok());
            let map = map.ok_or("expected 1, 2, 4, 8, or 32 numbers separated by commas")?;
            return KingBuckets::new(map).map_err(|error| error.to_string());
        }
    };
    let map = std::array::from_fn(|square| match (text, square / 4) {
        ("8", 4..) => 7,
        (_, rank) => rows[rank.min(2)][square % 4],
    });
    KingBuckets::new(map).map_err(|error| error.to_string())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Settings of a small network.
    pub(in crate::train) fn settings() -> Settings {
        Settings {
            hidden: 32,
            king_buckets: [0; 32],
            threats: 0,
            no_mirroring: false,
            output_buckets: 1,
            scale: 400,
            lambda: 0.5,
            eval_scale: 400.0,
            exponent: 2.0,
            batch: 64,
            superbatches: 4,
            superbatch_batches: 25,
            lr: 0.001,
            final_lr: 0.000_01,
            schedule: Schedule::Cosine,
            lr_steps: 3,
            warmup: 9,
            weight_decay: 0.01,
            seed: 1,
            shards: 4,
            buffer: 1 << 20,
            data: vec!["ab".to_owned()],
            validation: "cd".to_owned(),
            initial: None,
            output_only: false,
        }
    }

    #[test]
    fn learning_rate_warms_up_and_falls() {
        let cosine = settings();
        assert!((cosine.learning_rate(0) - 0.0001).abs() < 1e-5);
        assert!(cosine.learning_rate(8) < cosine.learning_rate(9));
        assert!((cosine.learning_rate(50) - 0.000_505).abs() < 1e-6);
        assert!((cosine.learning_rate(100) - 0.000_01).abs() < 1e-9);
        let step = Settings { schedule: Schedule::Step, warmup: 0, ..settings() };
        let rates = [0, 33, 34, 66, 67, 99, 100].map(|batch| (step.learning_rate(batch) * 1e6).round());
        assert_eq!(rates, [1000.0, 1000.0, 100.0, 100.0, 10.0, 10.0, 10.0]);
    }

    #[test]
    fn short_trainings_are_noticed() {
        let enough = Settings { superbatches: 40, superbatch_batches: 100, ..settings() };
        assert_eq!((enough.total_batches(), enough.passes(64_000)), (4000, 4.0));
        assert_eq!(enough.shortfall(64_000), None);
        let partial = enough.shortfall(512_000).unwrap();
        assert!(partial.contains("0.50 passes"), "{partial}");
        let short = Settings { superbatches: 1, superbatch_batches: 23, ..settings() };
        let text = short.shortfall(1472).unwrap();
        assert!(text.starts_with("23 steps are too few to learn from random weights"), "{text}");
        assert_eq!(Settings { initial: Some("ef".to_owned()), ..short }.shortfall(1472), None);
    }

    #[test]
    fn other_settings_are_named() {
        let path = Path::new("run/checkpoint");
        assert!(settings().check_same(&settings(), path).is_ok());
        let given = Settings { lambda: 0.75, data: vec![], hidden: 64, ..settings() };
        let text = given.check_same(&settings(), path).unwrap_err().to_string();
        assert!(text.starts_with("run/checkpoint is of a training with other settings ("), "{text}");
        for part in [
            "--lambda: 0.5 in the checkpoint, 0.75 given",
            "--hidden: 32 in the checkpoint, 64 given",
            "the data files have other contents or another order",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(!text.contains("--lr"), "{text}");
    }

    #[test]
    fn settings_from_before_threats_have_none() {
        let mut json = serde_json::to_value(settings()).unwrap();
        json.as_object_mut().unwrap().remove("threats");
        let saved: Settings = serde_json::from_value(json).unwrap();
        let path = Path::new("run/checkpoint");
        assert!(settings().check_same(&saved, path).is_ok());
        let given = Settings { threats: 32, ..settings() };
        let text = given.check_same(&saved, path).unwrap_err().to_string();
        assert!(text.contains("(--threats: 0 in the checkpoint, 32 given)"), "{text}");
        assert_eq!(given.architecture().unwrap().threat_neurons(), 32);
        assert!(Settings { threats: 64, ..settings() }.architecture().is_err());
    }

    #[test]
    fn king_buckets_are_parsed() {
        for (text, count) in [("1", 1), ("2", 2), ("4", 4), ("8", 8)] {
            assert_eq!(parse_king_buckets(text).map(|buckets| buckets.count()), Ok(count), "{text}");
        }
        let all: Vec<String> = (0..32).map(|number| number.to_string()).collect();
        assert_eq!(parse_king_buckets(&all.join(",")).map(|buckets| buckets.count()), Ok(32));
        assert!(parse_king_buckets("3").is_err());
        assert_eq!(
            parse_king_buckets(&["0"; 31].join(",")).unwrap_err(),
            "expected 1, 2, 4, 8, or 32 numbers separated by commas"
        );
        assert!(parse_king_buckets(&["1"; 32].join(",")).unwrap_err().contains("bucket 0"));
    }
}
