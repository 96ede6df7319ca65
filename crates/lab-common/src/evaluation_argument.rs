//! The choice of the evaluation that plays or searches in this process.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tabiya_eval::Evaluation;
use tabiya_eval::nnue::{MAX_FILE_BYTES, Network};
use tabiya_files::input;
use tabiya_workspace::fingerprint::fingerprint;

/// Command-line arguments that choose an evaluation.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct EvaluationArgs {
    /// Evaluation: nnue, handcrafted or classic [default: that of the engine, or nnue with --eval-file]
    #[arg(long, value_name = "NAME")]
    evaluation: Option<String>,
    /// File of the neural network to use instead of the embedded one
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
}

impl EvaluationArgs {
    /// Returns the chosen evaluation.
    ///
    /// # Errors
    /// If the network cannot be read, if there is none, or if the chosen evaluation uses none although one is given.
    pub fn load(&self) -> Result<Evaluation> {
        let network = self.eval_file.as_deref().map(read_network).transpose()?.map(Arc::new);
        let evaluation = match (&self.evaluation, &network) {
            (None, None) => Evaluation::default(),
            (None, Some(network)) => Evaluation::Nnue(Arc::clone(network)),
            (Some(name), network) => Evaluation::named(name, network.as_ref())?,
        };
        if network.is_some() && !matches!(evaluation, Evaluation::Nnue(_)) {
            bail!("--eval-file has no effect with --evaluation {}", evaluation.name());
        }
        Ok(evaluation)
    }
}

/// Reads a network file.
///
/// # Errors
/// If it cannot be read, or is not a valid network.
pub fn read_network(path: &Path) -> Result<Network> {
    let name = || format!("cannot read the network {}", path.display());
    let bytes = input::read(path, MAX_FILE_BYTES).with_context(name)?;
    Network::read(&bytes).with_context(name)
}

/// The name of an evaluation, which differs between networks: `handcrafted`, or `nnue` with a hash of the network.
pub fn identity(evaluation: &Evaluation) -> String {
    let Evaluation::Nnue(network) = evaluation else { return evaluation.name().to_owned() };
    let mut bytes = Vec::new();
    // Writing to a vector cannot fail.
    let _ = network.write(&mut bytes);
    format!("{} {:016x}", evaluation.name(), fingerprint(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_eval::nnue::{Architecture, KingBuckets, Parameters};

    fn load(name: Option<&str>, file: Option<&Path>) -> Result<Evaluation> {
        EvaluationArgs { evaluation: name.map(str::to_owned), eval_file: file.map(Path::to_owned) }.load()
    }

    #[test]
    fn networks_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let identities = [1, 2].map(|seed| {
            let architecture = Architecture::new(32, KingBuckets::single(), 1, 400).unwrap();
            let parameters = Parameters::random(&architecture, seed);
            let path = folder.path().join(seed.to_string());
            let mut bytes = Vec::new();
            Network::new(architecture, "test", &parameters).unwrap().write(&mut bytes).unwrap();
            std::fs::write(&path, bytes).unwrap();
            let error = load(Some("classic"), Some(&path)).unwrap_err().to_string();
            assert_eq!(error, "--eval-file has no effect with --evaluation classic");
            assert_eq!(load(Some("nnue"), Some(&path)).unwrap(), load(None, Some(&path)).unwrap());
            identity(&load(None, Some(&path)).unwrap())
        });
        assert_ne!(identities[0], identities[1]);
        assert_eq!(identity(&load(Some("handcrafted"), None).unwrap()), "handcrafted");
        assert!(
            load(None, Some(folder.path())).unwrap_err().to_string().starts_with("cannot read the network ")
        );
        assert!(load(Some("best"), None).is_err());
    }
}
