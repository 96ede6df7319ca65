//! `data split`: training games and validation games.

use super::output_args::{Force, SkipDamaged};
use anyhow::{Result, bail};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tabiya_files::output;
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::games::{Damage, GamesOutput, is_validation};
use tabiya_lab_common::progress::Progress;

/// Command-line arguments of `data split`.
#[derive(clap::Args)]
pub(super) struct SplitArgs {
    /// Files of games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Training games
    #[arg(long, value_name = "FILE")]
    train: PathBuf,
    /// Validation games
    #[arg(long, value_name = "FILE")]
    valid: PathBuf,
    /// Percentage of the games for validation, chosen by a hash of their moves
    #[arg(long, value_name = "PERCENT", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=50))]
    valid_percent: u8,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    damage: SkipDamaged,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, is damaged, or one of the sets is empty.
pub(super) fn run(args: &SplitArgs) -> Result<()> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    let create = |path: &Path| GamesOutput::create(path, args.force.existing(), &inputs);
    output::check_distinct(&[("--train", &args.train), ("--valid", &args.valid)])?;
    let mut outputs = [create(&args.train)?, create(&args.valid)?];
    let mut games = [0_u64; 2];
    for path in &args.files {
        let mut file = args.damage.open(path, Damage::Refused)?;
        let mut progress = Progress::new("MiB", 0, file.size() >> 20, "");
        while let Some(game) = file.next_or_note()? {
            let set = usize::from(is_validation(game.identity(), args.valid_percent));
            outputs[set].write_all(&game.bytes)?;
            games[set] += 1;
            progress.show(file.offset() >> 20, || format!("{} and {} games", games[0], games[1]));
        }
        progress.finish();
    }
    if games.contains(&0) {
        bail!("{} training games and {} validation games: too few games to split", games[0], games[1]);
    }
    for output in outputs {
        output.commit()?;
    }
    for (path, games) in [&args.train, &args.valid].into_iter().zip(games) {
        println!("{}: {}", path.display(), counted(games, "game"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_of_the_games_is_as_asked() {
        let mut random = tabiya_core::SplitMix64::new(1);
        let count = (0..10_000).filter(|_| is_validation(random.next_u64(), 5)).count();
        assert!((400..600).contains(&count), "{count}");
        // A larger set contains the smaller one.
        assert!((0..1000).all(|identity| !is_validation(identity, 5) || is_validation(identity, 10)));
    }
}
