//! `cargo xtask datagen`: self-play games as training data.
//!
//! Worker threads play games in this process (`play`), and `mod@generate` appends them to a file of
//! `games`. The file and its settings are the only state: the number of games in the file tells where
//! an interrupted run has to continue.

mod external;
mod generate;
mod mix;
mod play;
mod settings;

use crate::labelling::labelling_engine;
use anyhow::{Context, Result, bail};
use external::{ExternalEngine, ExternalSettings};
use mix::Mix;
use play::{Mover, Rules};
use settings::Settings;
use std::path::PathBuf;
use tabiya_eval::Evaluation;
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::evaluation_argument::{self, EvaluationArgs};
use tabiya_lab_common::games::Store;
use tabiya_lab_common::games::sidecar::{self, Run};
use tabiya_lab_common::openings::Book;
use tabiya_lab_common::option_argument::name_and_value;
use tabiya_lab_common::referee::{Adjudication, DrawRule, ResignRule};
use tabiya_lab_common::tablebases::TablebaseAdjudicator;
use tabiya_player::RandomOpening;
use tabiya_search::Limits;
use tabiya_workspace::repository;

/// Plies taken from each game of a PGN book.
const BOOK_PLIES: usize = 16;

/// Command-line arguments of `datagen`.
#[derive(clap::Args)]
#[command(after_help = "\
Games start with random moves that leave the position balanced. Whole games are kept, in viriformat: a move and its
score in four bytes. `cargo xtask data` selects positions from them. docs/training-data.md describes files and steps.

Repeat the command to continue an interrupted run, or to extend a finished one with a larger --games. The settings
are kept in FILE.toml; a run with other settings is refused.")]
pub(crate) struct DatagenArgs {
    /// File of games, created or continued
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Total number of games in the file
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// Nodes per move from which no further iteration is started
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..))]
    nodes: u32,
    /// Nodes per move at which the search stops, as a multiple of --nodes
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    hard_factor: u32,
    /// Seed of the games: a game depends on it and on the number of the game
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games played in parallel [default: one per processor]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: Option<u32>,
    /// Transposition-table size of each parallel game, in MiB
    #[arg(long, value_name = "MiB", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// UCI engine that plays the games instead, with --nodes as its limit. Openings are still judged by this program's search
    #[arg(long, value_name = "PROGRAM", help_heading = "Engine")]
    engine: Option<PathBuf>,
    /// UCI option of that engine; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", requires = "engine", value_parser = name_and_value, help_heading = "Engine")]
    options: Vec<(String, String)>,

    /// Shares of start positions: of standard, Chess960 and double Chess960, or by name, as in standard=80,chess960=20
    #[arg(long, value_name = "SHARES", default_value = "80:10:10", help_heading = "Openings")]
    mix: Mix,
    /// Play the random moves from the positions of a book instead: a file, or the name of a built-in book, as in `selfplay`
    #[arg(long, value_name = "FILE", help_heading = "Openings", conflicts_with = "mix")]
    book: Option<PathBuf>,
    /// Random plies per opening; half of the openings have one more
    #[arg(long, value_name = "N", default_value_t = RandomOpening::default().plies, help_heading = "Openings", value_parser = clap::value_parser!(u32).range(..=64))]
    random_plies: u32,
    /// Largest score of an opening for either side, in centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = RandomOpening::default().max_score, help_heading = "Openings")]
    opening_score: u32,

    /// Adjudicate draws: from-move,moves,centipawns
    #[arg(long, value_name = "RULE", default_value = "40,8,10", help_heading = "Referee")]
    draw: DrawRule,
    /// Adjudicate wins: moves,centipawns
    #[arg(long, value_name = "RULE", default_value = "4,1000", help_heading = "Referee")]
    resign: ResignRule,
    /// Adjudicate by the Syzygy tables in this folder; may be repeated
    #[arg(long, value_name = "DIR", help_heading = "Referee")]
    syzygy: Vec<PathBuf>,
    /// Percentage of games in which neither wins nor draws are adjudicated, so that endings and mates occur
    #[arg(long, value_name = "PERCENT", default_value_t = 10, help_heading = "Referee", value_parser = clap::value_parser!(u32).range(..=100))]
    play_on: u32,
    /// Adjudicate a draw after this many moves, those of the opening included, in all games
    #[arg(long, value_name = "N", default_value_t = 200, help_heading = "Referee", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: u32,
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read or written, is damaged or was started with different settings, or if the
/// engine fails.
pub(crate) fn run(args: &DatagenArgs) -> Result<()> {
    let rules = args.rules()?;
    let evaluation = args.evaluation.load()?;
    // An error of the engine must come before the file is written: the corrected command has other settings.
    drop(args.mover(&evaluation, &rules)?);
    let mut store = Store::open(&args.file)?;
    let run = Run::new(store.games())?;
    sidecar::check_or_write(&args.file, store.is_empty(), &args.settings(&rules, &evaluation)?, &run)?;
    let threads = args.concurrency.map_or_else(repository::processors, |count| count as usize);
    let interrupted = tabiya_lab_common::interrupt::on_interrupt()?;
    let new_mover = || args.mover(&evaluation, &rules);
    generate::generate(&mut store, &rules, args.games, threads, new_mover, &interrupted)?;
    for problem in rules.tablebases.iter().flat_map(TablebaseAdjudicator::problems) {
        eprintln!("warning: {problem}");
    }
    let (games, positions) = (store.games(), store.positions());
    store.finish()?;
    let (count, positions) = (counted(games, "game"), counted(positions, "position"));
    println!("{}: {count}, {positions}", args.file.display());
    if games < args.games {
        bail!("interrupted after {count}; repeat the command to continue");
    }
    Ok(())
}

impl DatagenArgs {
    fn mover(&self, evaluation: &Evaluation, rules: &Rules) -> Result<Mover> {
        let own = labelling_engine(self.hash as usize, evaluation).context("cannot start the engine")?;
        let external = self.external(rules).as_ref().map(ExternalEngine::start).transpose()?;
        Ok(Mover::new(own, external))
    }

    fn external(&self, rules: &Rules) -> Option<ExternalSettings> {
        Some(ExternalSettings {
            program: self.engine.clone()?,
            options: self.options.clone(),
            nodes: self.nodes,
            chess960: rules.book.as_ref().map_or(self.mix.has_chess960(), |book| book.chess960),
        })
    }

    fn hard_nodes(&self) -> u32 {
        self.nodes.saturating_mul(self.hard_factor)
    }

    fn rules(&self) -> Result<Rules> {
        Ok(Rules {
            seed: self.seed,
            limits: Limits::nodes(self.hard_nodes().into()).with_soft_nodes(u64::from(self.nodes)),
            opening: RandomOpening {
                plies: self.random_plies,
                // An opening need not be judged by a longer search than the moves after it.
                nodes: RandomOpening::default().nodes.min(self.hard_nodes().into()),
                max_score: self.opening_score,
            },
            mix: self.mix,
            book: self.book.as_deref().map(|book| Book::open(book, BOOK_PLIES)).transpose()?,
            adjudication: Adjudication {
                draw: Some(self.draw),
                resign: Some(self.resign),
                max_moves: Some(self.max_moves),
            },
            tablebases: TablebaseAdjudicator::open(&self.syzygy)?,
            play_on_percent: self.play_on,
        })
    }

    fn settings(&self, rules: &Rules, evaluation: &Evaluation) -> Result<Settings> {
        let external = self.external(rules).as_ref().map(ExternalSettings::identity).transpose()?;
        Ok(Settings {
            seed: self.seed.to_string(),
            evaluation: evaluation_argument::identity(evaluation),
            soft_nodes: self.nodes,
            hard_nodes: self.hard_nodes(),
            hash_mib: self.hash,
            mix: if rules.book.is_some() { String::new() } else { self.mix.to_string() },
            book: rules.book.as_ref().map_or(String::new(), |book| format!("{:016x}", book.fingerprint)),
            random_plies: self.random_plies,
            opening_nodes: u32::try_from(rules.opening.nodes).unwrap_or(u32::MAX),
            opening_score: self.opening_score,
            draw: self.draw.to_string(),
            resign: self.resign.to_string(),
            max_moves: self.max_moves,
            syzygy: rules.tablebases.as_ref().map_or(String::new(), ToString::to_string),
            play_on_percent: self.play_on,
            pv_pruning: external.is_some(),
            engine: external.unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::generate::generate;
    use super::*;
    use play::tests::rules;
    use std::path::Path;
    use std::sync::atomic::AtomicBool;
    use tabiya_lab_common::test_arguments::parse;
    use tabiya_search::BlockingEngine;

    fn generate_to(path: &Path, games: u64, threads: usize, interrupted: bool) -> Result<()> {
        let mut store = Store::open(path).unwrap();
        let new_mover = || {
            let engine = BlockingEngine::new(1, || Evaluation::Handcrafted.evaluator())?;
            Ok(Mover::new(engine, None))
        };
        generate(&mut store, &rules(), games, threads, new_mover, &AtomicBool::new(interrupted))
    }

    #[test]
    fn file_does_not_depend_on_threads_or_interruptions() {
        let folder = tempfile::tempdir().unwrap();
        let [first, parts, parallel] = ["a", "b", "c"].map(|name| folder.path().join(name));
        generate_to(&first, 5, 1, false).unwrap();
        let expected = std::fs::read(&first).unwrap();
        // Two runs, the first of which was killed while it wrote a game.
        generate_to(&parts, 3, 1, false).unwrap();
        let bytes = std::fs::read(&parts).unwrap();
        std::fs::write(&parts, &bytes[..bytes.len() - 40]).unwrap();
        generate_to(&parts, 5, 1, false).unwrap();
        assert!(std::fs::read(&parts).unwrap() == expected);
        generate_to(&parallel, 5, 3, false).unwrap();
        assert!(std::fs::read(&parallel).unwrap() == expected);
        // A shorter run than the file changes nothing.
        generate_to(&parallel, 2, 3, false).unwrap();
        assert!(std::fs::read(&parallel).unwrap() == expected);
    }

    #[test]
    fn interrupt_stops_generation() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.vf");
        generate_to(&path, 1000, 2, true).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"");
    }

    #[test]
    fn settings_that_start_no_engine_leave_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.vf").display().to_string();
        let args: DatagenArgs = parse([path.as_str(), "--hash", "4000000000"]).unwrap();
        let error = format!("{:#}", run(&args).unwrap_err());
        assert!(error.contains("invalid hash size: 4000000000 MiB"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn engine_creation_failure_ends_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("games.vf")).unwrap();
        let new_mover = || {
            let engine = BlockingEngine::new(0, || Evaluation::Handcrafted.evaluator())?;
            Ok(Mover::new(engine, None))
        };
        let error = generate(&mut store, &rules(), 5, 2, new_mover, &AtomicBool::new(false)).unwrap_err();
        assert!(error.to_string().contains("0 MiB"), "{error}");
    }
}
