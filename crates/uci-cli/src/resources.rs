//! Tablebases, the opening book and neural networks, loaded from files.

use anyhow::{Result, bail};
use std::path::Path;
use std::sync::Arc;
use tabiya_book::Book;
use tabiya_eval::nnue::Network;
use tabiya_eval::{Evaluation, ParseEvaluationError};
use tabiya_search::{Engine, TablebaseOptions};
use tabiya_syzygy::Tablebases;
use tabiya_terminal::{describe_tablebases, open_book, open_tablebases, read_network};

/// The network of `EvalFile`, and messages about loaded files.
#[derive(Default)]
pub(crate) struct Resources {
    /// The number of tablebase problems that have been reported.
    reported_problems: usize,
    /// The network of `EvalFile`; `None` for the embedded one.
    network: Option<Arc<Network>>,
    notices: Vec<String>,
}

impl Resources {
    /// Opens the tablebases in the directories of `path`, separated as in `PATH`. An empty path closes them.
    ///
    /// # Errors
    /// If no directory has a usable table. The previous tablebases stay in use.
    pub(crate) fn open_tablebases(&mut self, path: &str, engine: &mut Engine) -> Result<()> {
        let is_in_use = engine.options().tablebases.tables.is_some();
        let tables = open_tablebases(path).map_err(|error| match is_in_use {
            true => error.context("the tablebases in use stay"),
            false => error,
        })?;
        if let Some(tables) = &tables {
            self.notices.push(describe_tablebases(tables));
            self.reported_problems = 0;
        }
        change_tablebase_options(engine, |options| options.tables = tables);
        Ok(())
    }

    /// Opens a book: Polyglot if its name ends with `.bin`, text otherwise. An empty name means the built-in book, `None`.
    ///
    /// # Errors
    /// If the file cannot be read or has no moves.
    pub(crate) fn open_book(&mut self, file: &str) -> Result<Option<Book>> {
        if file.is_empty() {
            return Ok(None);
        }
        let book = open_book(Path::new(file))?;
        self.notices.push(format!("the book {file} has {} moves", book.len()));
        Ok(Some(book))
    }

    /// Loads the network that `Evaluation` means by `nnue`, the embedded one if the name is empty, and returns `current` with that
    /// network.
    ///
    /// # Errors
    /// If the file cannot be read or is not a network, or if no network is embedded but `current` needs one. The previous network
    /// stays in use.
    pub(crate) fn open_network(&mut self, file: &str, current: &Evaluation) -> Result<Evaluation> {
        let network = if file.is_empty() { None } else { Some(read_network(Path::new(file))?) };
        let is_in_use = matches!(current, Evaluation::Nnue(_));
        let evaluation =
            if is_in_use { Evaluation::named("nnue", network.as_ref())? } else { current.clone() };
        if let Some(network) = &network {
            let unused = if is_in_use { "" } else { "; in use if Evaluation is nnue" };
            let (architecture, description) = (network.architecture(), network.description());
            self.notices.push(format!("the network {file} is {architecture}, {description}{unused}"));
        }
        self.network = network;
        Ok(evaluation)
    }

    /// Returns the evaluation of this name, with the network of [`open_network`](Self::open_network).
    ///
    /// # Errors
    /// If no evaluation has this name, or if it needs a network and there is none.
    pub(crate) fn evaluation(&self, name: &str) -> Result<Evaluation> {
        match Evaluation::named(name, self.network.as_ref()) {
            Err(ParseEvaluationError::NoNetwork) => {
                bail!("no network is embedded: set EvalFile before Evaluation nnue")
            }
            result => Ok(result?),
        }
    }

    /// Messages since the last call: what was loaded, and which of `tables`, those in use, turned out to be damaged.
    pub(crate) fn take_notices(&mut self, tables: Option<&Tablebases>) -> Vec<String> {
        let mut notices = std::mem::take(&mut self.notices);
        if let Some(tables) = tables {
            let problems = tables.problems();
            notices.extend(problems.iter().skip(self.reported_problems).map(ToString::to_string));
            self.reported_problems = problems.len();
        }
        notices
    }
}

/// Changes the tablebase options of the engine, which ends a running search.
pub(crate) fn change_tablebase_options(engine: &mut Engine, change: impl FnOnce(&mut TablebaseOptions)) {
    let mut options = engine.options().tablebases.clone();
    change(&mut options);
    engine.set_tablebases(options);
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

/// The path of a file under `tests/data`.
#[cfg(test)]
pub(crate) fn test_data(name: &str) -> String {
    format!("{}/../../tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use tabiya_eval::nnue::MAX_FILE_BYTES;
    use tabiya_search::Options;

    fn engine() -> Engine {
        Engine::new(Options::default().with_hash_mb(1)).unwrap()
    }

    #[test]
    fn opens_books_and_names_those_that_cannot_be_opened() {
        let mut resources = Resources::default();
        let book = resources.open_book(&test_data("polyglot/lasker-trap.bin")).unwrap();
        assert_eq!(book.unwrap().len(), 7);
        assert!(resources.take_notices(None)[0].ends_with("lasker-trap.bin has 7 moves"));
        let error = resources.open_book("/nowhere.bin").unwrap_err();
        assert!(error.to_string().contains("/nowhere.bin"), "{error}");
        assert!(resources.open_book("").unwrap().is_none(), "the built-in book");
    }

    #[test]
    fn network_is_used_if_the_evaluation_is_nnue() {
        let folder = tempfile::tempdir().unwrap();
        let (network, bytes) = random_network(1);
        let path = folder.path().join("random.nnue").to_str().unwrap().to_owned();
        std::fs::write(&path, bytes).unwrap();
        let mut resources = Resources::default();
        let current = resources.open_network(&path, &Evaluation::Classic).unwrap();
        assert_eq!(current, Evaluation::Classic);
        let notice = format!("the network {path} is (768x1hm -> 32)x2 -> 1x2, random, seed 1");
        assert_eq!(resources.take_notices(None), [format!("{notice}; in use if Evaluation is nnue")]);
        let nnue = resources.evaluation("nnue").unwrap();
        assert_eq!(nnue, Evaluation::Nnue(network));
        assert_eq!(resources.open_network(&path, &nnue).unwrap(), nnue);
        assert_eq!(resources.take_notices(None), [notice]);
        // Back to the embedded network, if there is one.
        let embedded = tabiya_eval::nnue::embedded();
        let reset = resources.open_network("", &nnue);
        assert_eq!(reset.ok(), embedded.clone().map(Evaluation::Nnue));
        let expected = if embedded.is_some() { embedded.map(Evaluation::Nnue) } else { Some(nnue) };
        assert_eq!(resources.evaluation("nnue").ok(), expected);
    }

    #[test]
    fn bad_network_files_leave_the_network_in_use() {
        let folder = tempfile::tempdir().unwrap();
        let (network, bytes) = random_network(2);
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let mut resources = Resources::default();
        resources.open_network(&write("good.nnue", &bytes), &Evaluation::Handcrafted).unwrap();
        let nnue = Evaluation::Nnue(network);
        let mut damaged = bytes.clone();
        damaged[1000] ^= 1;
        let mut other = bytes.clone();
        other[28] = 33;
        let too_large = folder.path().join("large.nnue");
        std::fs::File::create(&too_large).unwrap().set_len(MAX_FILE_BYTES + 1).unwrap();
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        let mut cases = vec![
            (text(folder.path().join("missing.nnue")), "cannot be read: "),
            (write("empty.nnue", b""), "not a Tabiya network"),
            (write("foreign.nnue", b"\x0d\x0e\x0f..."), "not a Tabiya network"),
            (write("truncated.nnue", &bytes[..5000]), "truncated: 5000 bytes (expected "),
            (write("damaged.nnue", &damaged), "the contents are damaged: their checksum is "),
            (write("other.nnue", &other), "unsupported architecture: hidden layer of 33"),
            (text(folder.path().to_owned()), "it is a directory"),
            (text(too_large), "it is larger than 52 MiB"),
        ];
        if cfg!(unix) {
            cases.push(("/dev/zero".to_owned(), "it is a device"));
        }
        for (path, expected) in cases {
            let error = resources.open_network(&path, &nnue).unwrap_err();
            let message = format!("{error:#}");
            assert!(message.contains(expected) && message.contains(&path), "{message}");
            assert_eq!(resources.evaluation("nnue").unwrap(), nnue);
        }
        assert_eq!(resources.take_notices(None).len(), 1, "of the good file");
    }

    #[test]
    fn counts_tablebases_and_keeps_them_on_error() {
        let mut engine = engine();
        let mut resources = Resources::default();
        change_tablebase_options(&mut engine, |options| options.probe_depth = 7);
        resources.open_tablebases(&test_data("syzygy"), &mut engine).unwrap();
        assert_eq!(engine.options().tablebases.probe_depth, 7, "the other options are kept");
        assert_eq!(resources.take_notices(None), ["found tablebases of up to 4 pieces: 19 WDL, 17 DTZ"]);
        assert!(resources.take_notices(None).is_empty());
        let error = format!("{:#}", resources.open_tablebases("/nowhere", &mut engine).unwrap_err());
        assert!(error.starts_with("the tablebases in use stay: ") && error.contains("/nowhere"), "{error}");
        assert!(engine.options().tablebases.tables.is_some());
        resources.open_tablebases("", &mut engine).unwrap();
        assert!(engine.options().tablebases.tables.is_none());
        let error = format!("{:#}", resources.open_tablebases("/nowhere", &mut engine).unwrap_err());
        assert!(!error.contains("stay"), "{error}");
    }
}
