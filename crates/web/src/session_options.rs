//! The settings of a session.

use crate::protocol::{EngineSize, Reply, VERSION, Welcome};
use crate::resources::{GENERATOR, Resources};
use tabiya_search::{Engine, EngineError, Options, TablebaseOptions};

/// The settings of a session. A number of 0 counts as 1.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// The number of search threads.
    pub threads: usize,
    /// The size of the transposition table in MiB.
    pub hash_mb: usize,
    /// The largest number of search threads that a page may ask for, at least `threads`.
    pub max_threads: usize,
    /// The largest transposition table that a page may ask for in MiB, at least `hash_mb`.
    pub max_hash_mb: usize,
    /// Tablebases and evaluation.
    pub resources: Resources,
}

impl SessionOptions {
    /// Changes the size of the engine as a page wants it, within the limits.
    pub(crate) fn resize(&mut self, size: EngineSize) {
        let (max_threads, max_hash_mb) =
            (self.max_threads.max(self.threads), self.max_hash_mb.max(self.hash_mb));
        self.threads = size.threads.map_or(self.threads, |threads| threads.clamp(1, max_threads.max(1)));
        self.hash_mb = size.hash.map_or(self.hash_mb, |hash| hash.clamp(1, max_hash_mb.max(1)));
        (self.max_threads, self.max_hash_mb) = (max_threads, max_hash_mb);
    }

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
    let Options { threads, hash_mb, .. } = options.engine();
    Reply::Welcome(Welcome {
        name: GENERATOR.to_owned(),
        threads,
        hash: hash_mb,
        max_threads: options.max_threads.max(threads),
        max_hash: options.max_hash_mb.max(hash_mb),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engine_has_the_wanted_size_within_the_limits() {
        let resized = |threads, hash| {
            let mut options = SessionOptions {
                threads: 2,
                hash_mb: 64,
                max_threads: 4,
                max_hash_mb: 256,
                ..SessionOptions::default()
            };
            options.resize(EngineSize { threads, hash });
            (options.threads, options.hash_mb)
        };
        assert_eq!(resized(None, None), (2, 64));
        assert_eq!(resized(Some(3), Some(100)), (3, 100));
        assert_eq!(resized(Some(0), Some(0)), (1, 1));
        assert_eq!(resized(Some(99), Some(99_999)), (4, 256));
        // Without limits, the page may only ask for less.
        let mut options = SessionOptions { threads: 2, hash_mb: 8, ..SessionOptions::default() };
        options.resize(EngineSize { threads: Some(9), hash: Some(9) });
        assert_eq!((options.threads, options.hash_mb), (2, 8));
    }
}
