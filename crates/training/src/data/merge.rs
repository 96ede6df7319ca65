//! `data merge`: several files of games in one.

use super::output_args::Force;
use anyhow::{Result, bail};
use std::collections::HashSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tabiya_files::output::OutputFile;
use tabiya_lab_common::games::GameFile;
use tabiya_lab_common::progress::Progress;

/// Command-line arguments of `data merge`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Files of games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The joined file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Keep repeated games; otherwise the first copy is kept. Their hashes take 16 bytes of memory per game
    #[arg(long)]
    keep_duplicates: bool,
    #[command(flatten)]
    force: Force,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, is damaged, or there is no game.
pub(super) fn run(args: &Args) -> Result<()> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    let mut output = OutputFile::create(&args.out, args.force.existing(), &inputs)?;
    let mut seen = HashSet::new();
    let (mut games, mut positions, mut duplicates) = (0_u64, 0, 0_u64);
    for path in &args.files {
        let mut file = GameFile::open(path)?;
        let mut progress = Progress::new("MiB", 0, file.size() >> 20, "");
        while let Some(game) = file.next_or_note()? {
            if !args.keep_duplicates && !seen.insert(game.identity()) {
                duplicates += 1;
                continue;
            }
            output.write_all(&game.bytes)?;
            games += 1;
            positions += game.positions();
            progress.show(file.offset() >> 20, || format!("{games} games"));
        }
        progress.finish();
    }
    if games == 0 {
        bail!("the files contain no game");
    }
    output.commit()?;
    println!(
        "{}: {games} games, {positions} positions, {duplicates} repeated games left out",
        args.out.display()
    );
    Ok(())
}
