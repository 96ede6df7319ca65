//! Command-line arguments that several commands share.

use anyhow::{Context, Result, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::env;
use std::ffi::{OsStr, OsString};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tabiya_book::Book;
use tabiya_eval::nnue::{MAX_FILE_BYTES, Network};
use tabiya_eval::{Evaluation, ParseEvaluationError};
use tabiya_files::input;
use tabiya_files::output::Existing;
use tabiya_search::{Engine, Limits, MAX_HASH_MB, MAX_THREADS, MIN_HASH_MB, Options, TablebaseOptions};
use tabiya_syzygy::Tablebases;

/// The limits of a search.
#[derive(Args, Debug, Clone, Default)]
#[group(skip)]
pub(crate) struct LimitArgs {
    /// Search to this depth in plies.
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// Search this many nodes.
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Search for this long: milliseconds, or a number with the unit ms, s or m (500ms, 2.5s).
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) movetime: Option<Duration>,
}

impl LimitArgs {
    /// Returns true if no limit is given.
    fn is_empty(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none() && self.movetime.is_none()
    }

    /// The limits of a search, or `default` if none is given.
    pub(crate) fn limits_or(&self, default: Limits) -> Limits {
        if self.is_empty() {
            return default;
        }
        Limits::default().with_depth(self.depth).with_nodes(self.nodes).with_movetime(self.movetime)
    }
}

/// The configuration of the engine.
#[derive(Args, Debug, Clone)]
#[group(skip)]
pub(crate) struct EngineArgs {
    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MiB", default_value_t = 64, value_parser = parse_hash)]
    hash: usize,
    /// Number of search threads.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    #[command(flatten)]
    tablebases: TablebaseArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

/// The choice of tablebases.
#[derive(Args, Debug, Clone, Default)]
#[group(skip)]
pub(crate) struct TablebaseArgs {
    /// Directories of Syzygy tablebases, separated as in PATH.
    #[arg(long, value_name = "PATH")]
    syzygy: Option<OsString>,
}

impl TablebaseArgs {
    /// Opens the tables; `None` without directories.
    ///
    /// # Errors
    /// If no directory has a usable table.
    pub(crate) fn open(&self) -> Result<Option<Arc<Tablebases>>> {
        self.syzygy.as_deref().map_or(Ok(None), open_tablebases)
    }
}

/// The choice of an evaluation.
#[derive(Args, Debug, Clone, Default)]
#[group(skip)]
pub(crate) struct EvaluationArgs {
    /// The name of an evaluation.
    #[arg(long, value_name = "NAME", help = evaluation_help(), value_parser = PossibleValuesParser::new(Evaluation::NAMES))]
    evaluation: Option<String>,
    /// File of the neural network to use instead of the embedded one.
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
}

fn evaluation_help() -> String {
    format!("Evaluation function [default: {}, or nnue with --eval-file]", Evaluation::default())
}

impl EvaluationArgs {
    /// The file of the network, if one is given.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.eval_file.as_deref()
    }

    /// Returns the chosen evaluation.
    ///
    /// # Errors
    /// If the network cannot be read, if there is none, or if the chosen evaluation needs none although a file is given.
    pub(crate) fn load(&self) -> Result<Evaluation> {
        let network = self.eval_file.as_deref().map(read_network).transpose()?;
        match (&self.evaluation, network) {
            (None, None) => Ok(Evaluation::default()),
            (None, Some(network)) => Ok(Evaluation::Nnue(network)),
            (Some(name), network) => match Evaluation::named(name, network.as_ref()) {
                Err(ParseEvaluationError::NoNetwork) => {
                    bail!("no network is embedded: choose one by --eval-file")
                }
                Ok(evaluation) if network.is_some() && !matches!(evaluation, Evaluation::Nnue(_)) => {
                    bail!("--eval-file has no effect with --evaluation {name}")
                }
                result => Ok(result?),
            },
        }
    }
}

impl EngineArgs {
    /// The file of the network, if one is given.
    pub(crate) fn network_file(&self) -> Option<&Path> {
        self.evaluation.file()
    }

    /// Returns the chosen evaluation.
    ///
    /// # Errors
    /// As [`EvaluationArgs::load`].
    pub(crate) fn evaluation(&self) -> Result<Evaluation> {
        self.evaluation.load()
    }

    /// Sets up an engine.
    ///
    /// # Errors
    /// If memory or threads cannot be allocated, or the network or the tablebases cannot be opened.
    pub(crate) fn engine(&self) -> Result<Engine> {
        let options = Options::default()
            .with_hash_mb(self.hash)
            .with_threads(usize::from(self.threads))
            .with_tablebases(TablebaseOptions::default().with_tables(self.tablebases.open()?))
            .with_evaluation(self.evaluation.load()?);
        Ok(Engine::new(options)?)
    }
}

/// Reads a network from its file.
///
/// # Errors
/// If the file cannot be read or is not a network.
pub fn read_network(path: &Path) -> Result<Arc<Network>> {
    let bytes = input::read(path, MAX_FILE_BYTES)
        .with_context(|| format!("the network {} cannot be read", path.display()))?;
    let network = Network::read(&bytes).with_context(|| format!("the network {}", path.display()))?;
    Ok(Arc::new(network))
}

/// Opens the tablebases in the directories of `path`, separated as in `PATH`; `None` for an empty path.
///
/// # Errors
/// If no directory has a usable table.
pub fn open_tablebases(path: impl AsRef<OsStr>) -> Result<Option<Arc<Tablebases>>> {
    let path = path.as_ref();
    if path.is_empty() {
        return Ok(None);
    }
    let directories: Vec<PathBuf> =
        env::split_paths(path).filter(|path| !path.as_os_str().is_empty()).collect();
    Ok(Some(Arc::new(Tablebases::open(&directories)?)))
}

/// The message that tablebases have been opened.
pub fn describe_tablebases(tables: &Tablebases) -> String {
    let (wdl, dtz) = tables.count();
    format!("found tablebases of up to {} pieces: {wdl} WDL, {dtz} DTZ", tables.max_pieces())
}

/// Opens a book that an engine plays from: Polyglot if its name ends with `.bin`, text otherwise.
///
/// # Errors
/// If the file cannot be read or has no moves.
pub fn open_book(file: &Path) -> Result<Book> {
    let book = Book::open(file)?;
    if book.is_empty() {
        bail!("the book {} is empty", file.display());
    }
    Ok(book)
}

/// A network with random parameters and its file.
#[cfg(test)]
pub(crate) fn random_network(seed: u64) -> (Arc<Network>, Vec<u8>) {
    use tabiya_eval::nnue::{Architecture, KingBuckets, Parameters};
    let architecture = Architecture::new(32, KingBuckets::single(), 2, 400).unwrap();
    let parameters = Parameters::random(&architecture, seed);
    let network = Network::new(architecture, &format!("random, seed {seed}"), &parameters).unwrap();
    let mut file = Vec::new();
    network.write(&mut file).unwrap();
    (Arc::new(network), file)
}

/// Parses a number that counts from 1.
///
/// # Errors
/// If the text is not such a number.
pub fn parse_ordinal(text: &str) -> Result<NonZeroU64, String> {
    text.parse().map_err(|_| "expected a whole number from 1".to_owned())
}

/// Parses a hash size in MiB.
///
/// # Errors
/// If the text is not a number in the range of the `Hash` option.
pub(crate) fn parse_hash(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(mb) if (MIN_HASH_MB..=MAX_HASH_MB).contains(&mb) => Ok(mb),
        _ => Err(format!("expected a whole number from {MIN_HASH_MB} to {MAX_HASH_MB}")),
    }
}

fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) => text.split_at(at),
        None => (text, "ms"),
    };
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        _ => return Err(format!("unknown unit {unit:?}: expected ms, s or m")),
    };
    number
        .parse::<f64>()
        .ok()
        .and_then(|number| Duration::try_from_secs_f64(number * seconds).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "expected a positive number, as in 500ms or 2.5s".to_owned())
}

/// The option `--force` of a command that writes a file.
#[derive(Args, Clone, Copy, Debug)]
#[group(skip)]
pub(crate) struct ForceArgs {
    /// Overwrite the file if it exists.
    #[arg(short, long)]
    force: bool,
}

impl ForceArgs {
    /// The treatment of an existing file.
    pub(crate) fn existing(self) -> Existing {
        Existing::from_force(self.force)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_times() {
        for (text, ms) in [("500", 500), ("500ms", 500), ("2.5s", 2500), ("1m", 60_000)] {
            assert_eq!(parse_time(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for bad in ["", "s", "-1", "0", "1h", "NaN", "inf", "1e999", "1s1"] {
            assert!(parse_time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn network_file_selects_the_network() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("random.nnue");
        let (network, bytes) = random_network(4);
        std::fs::write(&path, bytes).unwrap();
        let load = |name: Option<&str>, file: Option<&Path>| {
            EvaluationArgs { evaluation: name.map(str::to_owned), eval_file: file.map(Path::to_owned) }.load()
        };
        assert_eq!(load(None, None).unwrap(), Evaluation::default());
        assert_eq!(load(Some("classic"), None).unwrap(), Evaluation::Classic);
        for name in [None, Some("nnue")] {
            assert_eq!(load(name, Some(&path)).unwrap(), Evaluation::Nnue(Arc::clone(&network)));
        }
        let error = load(Some("classic"), Some(&path)).unwrap_err();
        assert_eq!(error.to_string(), "--eval-file has no effect with --evaluation classic");
        assert!(load(None, Some(folder.path())).is_err());
    }

    #[test]
    fn any_limit_replaces_the_default() {
        let default = Limits::movetime(Duration::from_secs(1));
        assert_eq!(LimitArgs::default().limits_or(default.clone()), default);
        let args = LimitArgs { depth: Some(3), ..LimitArgs::default() };
        assert_eq!(args.limits_or(default), Limits::depth(3));
    }
}
