//! The weights that a training starts from with `--initial`: those of a checkpoint or of a network file.

use super::checkpoint::{self, Checkpoint};
use super::model::Model;
use super::quantise::dequantise;
use crate::sha256::hexadecimal;
use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};
use std::path::Path;
use tabiya_eval::nnue::{Architecture, Network};
use tabiya_files::input;

/// The contents of the file.
pub(super) struct Initial {
    weights: Weights,
    /// SHA-256 of a network file, or of the contents of a checkpoint, in hexadecimal digits.
    pub(super) sha256: String,
}

enum Weights {
    Checkpoint(Box<Checkpoint>),
    Network(Network),
}

impl Initial {
    /// Reads the file.
    ///
    /// # Errors
    /// If it cannot be read, or is neither a checkpoint nor a network.
    pub(super) fn read(path: &Path) -> Result<Initial> {
        let name = || format!("cannot read {}", path.display());
        let bytes = input::read(path, checkpoint::MAX_BYTES).with_context(name)?;
        if bytes.starts_with(checkpoint::MAGIC) {
            let checkpoint = Checkpoint::parse(&bytes, path)?;
            let sha256 = checkpoint.sha256.clone();
            return Ok(Initial { weights: Weights::Checkpoint(Box::new(checkpoint)), sha256 });
        }
        let network = Network::read(&bytes)
            .with_context(|| format!("{} is neither a checkpoint nor a network", path.display()))?;
        Ok(Initial { weights: Weights::Network(network), sha256: hexadecimal(&Sha256::digest(&bytes)) })
    }

    /// Copies the weights into a model. One with king buckets also takes the weights of a network without: they become the
    /// part that all buckets share. One with threats also takes those of a network without: the threat weights become zero.
    ///
    /// # Errors
    /// If the file is of another architecture, or a number in it is not finite.
    pub(super) fn restore(&self, model: &mut Model) -> Result<()> {
        let expected = model.architecture().clone();
        let own = match &self.weights {
            Weights::Checkpoint(checkpoint) => checkpoint.state.settings.architecture()?,
            Weights::Network(network) => network.architecture().clone(),
        };
        if own == expected {
            return self.copy_to(model);
        }
        let (buckets, expected_buckets) = (own.king_buckets(), expected.king_buckets());
        let sizes = |of: &Architecture| (of.hidden(), of.output_buckets(), of.scale());
        ensure!(
            (buckets == expected_buckets
                || (buckets.count() == 1 && buckets.mirrors() == expected_buckets.mirrors()))
                && [0, expected.threat_neurons()].contains(&own.threat_neurons())
                && sizes(&own) == sizes(&expected),
            "it is of a network {own} with scale {} (expected {expected} with scale {})",
            own.scale(),
            expected.scale()
        );
        let mut source = Model::new(&own, 0, 1, 1);
        self.copy_to(&mut source)?;
        model.extend(source.parameters);
        Ok(())
    }

    /// Copies the weights into a model of the same architecture.
    fn copy_to(&self, model: &mut Model) -> Result<()> {
        match &self.weights {
            Weights::Checkpoint(checkpoint) => checkpoint.restore_parameters(model),
            Weights::Network(network) => {
                dequantise(network, model);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::checkpoint::State;
    use crate::train::lanes::Lanes;
    use crate::train::quantise::quantise;
    use crate::train::settings::Settings;
    use crate::train::settings::tests::settings;

    fn model(settings: &Settings, seed: u64) -> Model {
        Model::new(&settings.architecture().unwrap(), seed, 2, 1)
    }

    #[test]
    fn checkpoints_and_networks_start_a_training() {
        let folder = tempfile::tempdir().unwrap();
        let source = model(&settings(), 5);
        let network = quantise(&source, "first").unwrap();
        let checkpoint_path = folder.path().join("checkpoint");
        checkpoint::write(&checkpoint_path, &State::new(settings()), &source).unwrap();
        let network_path = folder.path().join("first.nnue");
        let mut bytes = Vec::new();
        network.write(&mut bytes).unwrap();
        std::fs::write(&network_path, bytes).unwrap();
        for path in [checkpoint_path, network_path] {
            let initial = Initial::read(&path).unwrap();
            let mut other = model(&settings(), 6);
            initial.restore(&mut other).unwrap();
            assert_eq!(quantise(&other, "first").unwrap(), network, "{}", path.display());
            let mut larger = model(&Settings { hidden: 64, ..settings() }, 1);
            let error = initial.restore(&mut larger).unwrap_err().to_string();
            let expected = "it is of a network (768x1hm -> 32)x2 -> 1x1 with scale 400 (expected (768x1hm -> 64)x2 -> 1x1 with scale 400)";
            assert_eq!(error, expected);
        }
    }

    #[test]
    fn king_buckets_start_from_the_same_weights() {
        let folder = tempfile::tempdir().unwrap();
        let source = model(&settings(), 5);
        let path = folder.path().join("checkpoint");
        checkpoint::write(&path, &State::new(settings()), &source).unwrap();
        let mut buckets = [1; 32];
        buckets[..4].fill(0);
        let mut with_buckets = model(&Settings { king_buckets: buckets, ..settings() }, 6);
        Initial::read(&path).unwrap().restore(&mut with_buckets).unwrap();
        for feature in [0, 200, 767] {
            let row: Vec<&f32> = source.feature_row(feature).collect();
            for bucket in 0..2 {
                assert_eq!(with_buckets.feature_row(768 * bucket + feature).collect::<Vec<_>>(), row);
            }
        }
        // The other way round there is no choice of a bucket that would keep the values.
        let path = folder.path().join("buckets");
        let network = quantise(&with_buckets, "buckets").unwrap();
        let mut bytes = Vec::new();
        network.write(&mut bytes).unwrap();
        std::fs::write(&path, bytes).unwrap();
        assert!(Initial::read(&path).unwrap().restore(&mut model(&settings(), 1)).is_err());
    }

    #[test]
    fn threats_start_from_a_network_without() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let mut buckets = [1; 32];
        buckets[..4].fill(0);
        let single = Settings { hidden: 64, ..settings() };
        let two = Settings { king_buckets: buckets, ..single.clone() };
        let records = [
            "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3 | -300 | 1.0",
            "1k2r3/pp6/8/5q2/3N4/8/5PPP/4R1K1 w - - 0 1 | 30 | 1.0",
        ]
        .map(|text| text.parse().unwrap());
        let outputs = |model: &Model| model.outputs(&records, settings().blend());
        // From and to: threats alone, and together with king buckets.
        for (from, to) in [(&single, &single), (&two, &two), (&single, &two)] {
            let source = model(from, 5);
            checkpoint::write(&path, &State::new(from.clone()), &source).unwrap();
            let mut target = model(&Settings { threats: 32, ..to.clone() }, 6);
            target.parameters.threats[9].0[3] = 1.0;
            Initial::read(&path).unwrap().restore(&mut target).unwrap();
            assert_eq!(outputs(&target), outputs(&source));
        }
        // A network with threats keeps them, and takes no other number of them.
        let with_threats = Settings { threats: 32, ..single.clone() };
        let mut source = model(&with_threats, 5);
        source.parameters.threats.fill(Lanes::splat(0.02));
        checkpoint::write(&path, &State::new(with_threats), &source).unwrap();
        let initial = Initial::read(&path).unwrap();
        let mut target = model(&Settings { threats: 32, ..two }, 6);
        initial.restore(&mut target).unwrap();
        assert_eq!(outputs(&target), outputs(&source));
        for threats in [0, 64] {
            let error = initial.restore(&mut model(&Settings { threats, ..single.clone() }, 6)).unwrap_err();
            assert!(error.to_string().starts_with("it is of a network (768x1hm+t32 -> 64)x2"), "{error}");
        }
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        std::fs::write(&path, "text").unwrap();
        let error = Initial::read(&path).err().unwrap();
        assert!(error.to_string().ends_with("text is neither a checkpoint nor a network"), "{error:#}");
    }
}
