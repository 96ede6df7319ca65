//! The settings of a session.

use crate::protocol::{Reply, VERSION, Welcome};
use crate::resources::{GENERATOR, Resources};
use tabiya_eval::nnue;
use tabiya_player::{MAX_ELO, MIN_ELO};
use tabiya_search::{Engine, EngineError, Options, TablebaseOptions};

/// The settings of a session. A number of 0 counts as 1.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// The number of search threads.
    pub threads: usize,
    /// The size of the transposition table in MiB.
    pub hash_mb: usize,
    /// Tablebases and evaluation.
    pub resources: Resources,
}

impl SessionOptions {
    /// The settings of the session's engine.
    pub(crate) fn engine(&self) -> Options {
        let tables = self.resources.tablebases.clone();
        Options::default()
            .with_hash_mb(self.hash_mb.max(1))
            .with_threads(self.threads.max(1))
            .with_evaluation(self.resources.evaluation.clone())
            .with_tablebases(TablebaseOptions::default().with_tables(tables))
    }
}

/// Checks that an engine with these settings can be created, so that a server can refuse to start.
///
/// # Errors
/// [`EngineError`] if an option is out of range or there is not enough memory.
pub fn check_options(options: &SessionOptions) -> Result<(), EngineError> {
    Engine::new(options.engine()).map(drop)
}

/// The reply to `hello` from a page that speaks this version.
pub(crate) fn welcome(version: u32, options: &SessionOptions) -> Reply {
    if version != VERSION {
        return Reply::error(format!("this page speaks version {version} (expected {VERSION}): reload it"));
    }
    let Options { threads, hash_mb, tablebases, .. } = options.engine();
    Reply::Welcome(Welcome {
        version: VERSION,
        name: GENERATOR.to_owned(),
        threads,
        hash: hash_mb,
        elo: [MIN_ELO, MAX_ELO],
        tablebase_pieces: tablebases.tables.as_ref().map_or(0, |tables| tables.max_pieces()),
        has_network: nnue::embedded().is_some(),
    })
}
