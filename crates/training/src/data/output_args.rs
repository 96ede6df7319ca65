//! Arguments that the commands share.

use anyhow::Result;
use std::path::Path;
use tabiya_files::output::Existing;
use tabiya_lab_common::games::{Damage, GameFile};
use tabiya_workspace::repository;

/// The treatment of existing output files.
#[derive(clap::Args)]
pub(super) struct Force {
    /// Overwrite existing output files
    #[arg(long)]
    force: bool,
}

impl Force {
    pub(super) fn existing(&self) -> Existing {
        Existing::from_force(self.force)
    }
}

/// The treatment of damaged games.
#[derive(clap::Args, Clone, Copy)]
pub(super) struct SkipDamaged {
    /// Leave out damaged games with a note, instead of stopping at the first one
    #[arg(long)]
    skip_damaged: bool,
}

impl SkipDamaged {
    /// Opens a file of games. `otherwise` is the treatment of damage without the option.
    pub(super) fn open(self, path: &Path, otherwise: Damage) -> Result<GameFile> {
        GameFile::open(path, if self.skip_damaged { Damage::Skipped } else { otherwise })
    }
}

/// The number of threads.
#[derive(clap::Args)]
pub(super) struct Threads {
    /// Threads; the results do not depend on them [default: one per processor]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

impl Threads {
    pub(super) fn count(&self) -> usize {
        self.threads.map_or_else(repository::processors, |count| count as usize)
    }
}

/// The order of shuffled records.
#[derive(clap::Args)]
pub(super) struct Shuffling {
    /// Memory for shuffling, in MiB; the rest is on disk
    #[arg(long, value_name = "MiB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(i64::from(super::shuffle::MIN_MEMORY_MIB)..))]
    pub(super) memory: u32,
    /// Seed of the shuffling
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
}
