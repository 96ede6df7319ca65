//! `data merge`: several files of games in one.

use super::output_args::{Force, SkipDamaged, Threads};
use super::pack;
use anyhow::{Context, Result, bail};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::games::{Damage, GameFile, GamesOutput, RawGame, packed};
use tabiya_lab_common::progress::Progress;

/// Command-line arguments of `data merge`.
#[derive(clap::Args)]
pub(super) struct MergeArgs {
    /// Files of games, or packed ones
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The joined file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Keep repeated games; otherwise the first copy is kept. Their hashes take 20 to 40 bytes of memory per game
    #[arg(long)]
    keep_duplicates: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    damage: SkipDamaged,
}

/// The joined file and what is known of its games.
struct Joined {
    output: GamesOutput,
    /// The first file of each game, by the game's hash.
    seen: HashMap<u64, u32>,
    keep_duplicates: bool,
    games: u64,
    positions: u64,
}

/// Games of one file.
struct Counts {
    games: u64,
    /// Repeated games by the file that had them first.
    repeated: Vec<u64>,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, is damaged, or there is no game.
pub(super) fn run(args: &MergeArgs) -> Result<()> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    let mut joined = Joined {
        output: GamesOutput::create(&args.out, args.force.existing(), &inputs)?,
        seen: HashMap::new(),
        keep_duplicates: args.keep_duplicates,
        games: 0,
        positions: 0,
    };
    let mut repeated = 0;
    for (number, path) in args.files.iter().enumerate() {
        let mut counts = Counts { games: 0, repeated: vec![0; args.files.len()] };
        if packed::is_packed(path).with_context(|| format!("cannot read {}", path.display()))? {
            joined.add_packed(path, number, args.threads.count(), &mut counts)?;
        } else {
            joined.add_file(args.damage.open(path, Damage::Refused)?, number, &mut counts)?;
        }
        for (first, &count) in args.files.iter().zip(&counts.repeated).filter(|(_, count)| **count > 0) {
            let (path, first) = (path.display(), first.display());
            eprintln!("{path}: {count} of {} games stand already in {first}", counts.games);
        }
        repeated += counts.repeated.iter().sum::<u64>();
    }
    if joined.games == 0 {
        bail!("the files contain no game");
    }
    let Joined { output, games, positions, .. } = joined;
    output.commit()?;
    let verb = if args.keep_duplicates { "kept" } else { "left out" };
    let (games, positions) = (counted(games, "game"), counted(positions, "position"));
    let repeated = counted(repeated, "repeated game");
    println!("{}: {games}, {positions}, {repeated} {verb}", args.out.display());
    Ok(())
}

impl Joined {
    fn add_file(&mut self, mut file: GameFile, number: usize, counts: &mut Counts) -> Result<()> {
        let mut progress = Progress::new("MiB", 0, file.size() >> 20, "");
        while let Some(game) = file.next_or_note()? {
            self.add(&game, number, counts)?;
            progress.show(file.offset() >> 20, || format!("{} games", self.games));
        }
        progress.finish();
        Ok(())
    }

    fn add_packed(&mut self, path: &Path, number: usize, threads: usize, counts: &mut Counts) -> Result<()> {
        pack::for_each_block(path, threads, |block| {
            for bytes in block {
                self.add(&RawGame { offset: 0, bytes }, number, counts)?;
            }
            Ok(self.games)
        })
    }

    fn add(&mut self, game: &RawGame, number: usize, counts: &mut Counts) -> Result<()> {
        counts.games += 1;
        match self.seen.entry(game.identity()) {
            Entry::Vacant(entry) => drop(entry.insert(number as u32)),
            Entry::Occupied(first) => {
                counts.repeated[*first.get() as usize] += 1;
                if !self.keep_duplicates {
                    return Ok(());
                }
            }
        }
        self.output.write_all(&game.bytes)?;
        self.games += 1;
        self.positions += game.positions();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::split;
    use tabiya_lab_common::games::GameRecord;
    use tabiya_lab_common::games::test_games::random_games;
    use tabiya_lab_common::test_arguments::parse;

    #[test]
    fn games_that_stand_twice_are_found_in_packed_files_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let bytes = |games: &[GameRecord]| games.iter().flat_map(GameRecord::to_bytes).collect::<Vec<u8>>();
        let games = random_games(30, 41);
        std::fs::write(path("a.vf"), bytes(&games[..20])).unwrap();
        // Ten games of the first file, which have been rescored meanwhile, and ten others, one of them twice.
        let mut second = [&games[10..], &games[29..]].concat();
        second[0].moves[0].score += 1;
        std::fs::write(path("b.vf"), bytes(&second)).unwrap();
        pack::pack(&parse([path("b.vf"), "--out".to_owned(), path("b.packed")]).unwrap()).unwrap();
        let merge = |other: &str, options: &[&str]| {
            let arguments =
                [path("a.vf"), path(other), "--out".to_owned(), path("all.vf"), "--force".to_owned()];
            run(&parse(arguments.into_iter().chain(options.iter().map(|&option| option.to_owned()))).unwrap()).unwrap();
            std::fs::read(path("all.vf")).unwrap()
        };
        for other in ["b.vf", "b.packed"] {
            assert!(merge(other, &[]) == bytes(&games), "{other}");
            let all = [bytes(&games[..20]), bytes(&second)].concat();
            assert!(merge(other, &["--keep-duplicates"]) == all, "{other}");
        }
    }

    /// 70 games of `datagen`, six of which have illegal moves.
    const DAMAGED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/training/damaged.vf");

    #[test]
    fn damage_is_not_copied() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let (joined, train, valid) = (path("joined.vf"), path("train.vf"), path("valid.vf"));
        let merge = |options: &[&str]| run(&parse([&[DAMAGED, "--out", &joined], options].concat()).unwrap());
        let outputs = ["--train", &train, "--valid", &valid, "--valid-percent", "30"];
        let split =
            |options: &[&str]| split::run(&parse([&[DAMAGED], &outputs[..], options].concat()).unwrap());
        for result in [merge(&[]), split(&[])] {
            let error = format!("{:#}", result.unwrap_err());
            assert!(error.contains("damaged.vf, byte ") && error.contains("is not a legal move"), "{error}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        merge(&["--skip-damaged"]).unwrap();
        split(&["--skip-damaged"]).unwrap();
        let games = |path: &str| {
            let mut file = GameFile::open(Path::new(path), Damage::Refused).unwrap();
            std::iter::from_fn(|| file.next().unwrap()).count()
        };
        assert_eq!(games(&joined), 64);
        assert_eq!(games(&train) + games(&valid), 64);
    }
}
