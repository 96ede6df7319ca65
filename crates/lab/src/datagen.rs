//! `cargo xtask datagen`: training positions from self-play games.
//!
//! Worker threads play games in this process (`play`); the main thread appends them to a
//! `file` of `packed` positions. The file is the only state: an interrupted run reads from it
//! which games are finished. `mod@statistics` summarises a file.

pub(crate) mod file;
pub(crate) mod packed;
mod play;
mod statistics;

use crate::progress::Progress;
use crate::selfplay::fingerprint::fingerprint;
use crate::selfplay::openings::Book;
use crate::selfplay::referee::{Adjudication, DrawRule, ResignRule};
use anyhow::{Context, Result, anyhow, bail};
use file::{RunSettings, Store, StoredGame};
use packed::Sample;
use play::{Rules, Variant};
use statistics::Statistics;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use tabiya_core::{Color, Epd, EpdOperation, EpdRegister};
use tabiya_files::output::{self, Existing, OutputFile};
use tabiya_play::RandomOpening;
use tabiya_search::{Engine, Options};
use tabiya_workspace::repository;

/// Plies taken from each game of a PGN book.
const BOOK_PLIES: usize = 16;

/// Command-line arguments of `datagen`.
#[derive(clap::Args)]
#[command(after_help = "\
Games start with random moves that leave the position balanced. The file keeps the quiet positions (not in
check, best move not a capture or promotion, no gain by captures) whose score is within --max-score.

Repeat the command to continue an interrupted run, or to extend a finished one with a larger --games. The
file format is described in crates/lab/src/datagen/file.rs; `cargo xtask tune` reads it directly.")]
pub struct Args {
    /// Data file, created or continued
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Total number of games in the file
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games played in parallel [default: one per processor]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: Option<u32>,
    /// Transposition-table size of each parallel game, in MiB
    #[arg(long, value_name = "MiB", default_value_t = 4)]
    hash: usize,

    /// Play the random moves from the positions of a book (PGN, EPD or FEN) instead of the start position
    #[arg(long, value_name = "FILE", help_heading = "Openings")]
    book: Option<PathBuf>,
    /// Start from Chess960 positions
    #[arg(long, help_heading = "Openings", conflicts_with = "book")]
    chess960: bool,
    /// Start from double Chess960 positions: the two sides' arrangements are drawn independently
    #[arg(long, help_heading = "Openings", conflicts_with_all = ["book", "chess960"])]
    double_chess960: bool,
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
    /// Adjudicate a draw after this many moves
    #[arg(long, value_name = "N", default_value_t = 200, help_heading = "Referee", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: u32,
    /// Discard positions with a score beyond this, for either side
    #[arg(long, alias = "most", value_name = "CENTIPAWNS", default_value_t = 1500, help_heading = "Referee", value_parser = clap::value_parser!(i32).range(1..=20_000))]
    max_score: i32,

    /// Play no games; print the statistics of the file
    #[arg(long, help_heading = "Results")]
    statistics: bool,
    /// Play no games; export the positions as EPD: result in c9, score for the side to move in ce
    #[arg(long, value_name = "EPD", help_heading = "Results")]
    export: Option<PathBuf>,
    /// Also write the statistics to this file, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    json: Option<PathBuf>,
    /// Overwrite existing files of --export and --json
    #[arg(long, help_heading = "Results")]
    force: bool,
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read or written, is damaged or was started with different settings, or if the
/// engine fails.
pub fn run(args: &Args) -> Result<()> {
    let existing = Existing::from_force(args.force);
    if let Some(epd) = &args.export {
        let positions = export(&args.file, epd, existing)?;
        println!("exported {positions} positions to {}", epd.display());
        return Ok(());
    }
    if let Some(path) = &args.json {
        output::check(path, existing, &[&args.file])?;
    }
    if !args.statistics {
        let rules = args.rules()?;
        let mut store = Store::open(&args.file, &rules.settings())?;
        let threads = args.concurrency.map_or_else(repository::processors, |count| count as usize);
        let interrupted = crate::interrupt::on_interrupt()?;
        generate(&mut store, &rules, args.games, threads, args.hash, &interrupted)?;
    }
    let statistics = statistics(&args.file)?;
    print!("{statistics}");
    if let Some(path) = &args.json {
        let json = serde_json::to_string_pretty(&statistics)? + "\n";
        output::write(path, json.as_bytes(), existing, &[&args.file])?;
    }
    if !args.statistics && statistics.games < args.games {
        bail!("interrupted after {} games; repeat the command to continue", statistics.games);
    }
    Ok(())
}

impl Args {
    fn rules(&self) -> Result<Rules> {
        let variant = match (self.chess960, self.double_chess960) {
            (true, _) => Variant::Chess960,
            (_, true) => Variant::DoubleChess960,
            _ => Variant::Chess,
        };
        Ok(Rules {
            seed: self.seed,
            nodes: self.nodes,
            opening: RandomOpening {
                plies: self.random_plies,
                max_score: self.opening_score,
                ..RandomOpening::default()
            },
            variant,
            book: self.book.as_deref().map(|book| Book::read(book, BOOK_PLIES)).transpose()?,
            adjudication: Adjudication {
                draw: Some(self.draw),
                resign: Some(self.resign),
                max_moves: Some(self.max_moves),
            },
            max_score: self.max_score,
        })
    }
}

impl Rules {
    fn settings(&self) -> RunSettings {
        RunSettings {
            seed: self.seed,
            nodes: self.nodes,
            book: self.book.as_ref().map_or(0, |book| book.fingerprint),
            plies: self.opening.plies,
            variant: self.variant as u32,
            rules: fingerprint(self.fingerprinted_text().as_bytes()),
        }
    }

    /// The rules that the header stores only as a fingerprint, as text.
    ///
    /// The text is part of the file format: with another one, a run could not continue its file. It looks like
    /// `Debug` output because version 1 used that, and is spelt out so that renaming a field does not change it.
    fn fingerprinted_text(&self) -> String {
        let Rules { opening, adjudication, max_score, .. } = self;
        let draw = adjudication.draw.map_or("None".to_owned(), |rule| {
            let DrawRule { from_move, moves, score } = rule;
            format!("Some(DrawRule {{ from_move: {from_move}, moves: {moves}, score: {score} }})")
        });
        let resign = adjudication.resign.map_or("None".to_owned(), |rule| {
            format!("Some(ResignRule {{ moves: {}, score: {} }})", rule.moves, rule.score)
        });
        format!(
            "RandomOpening {{ plies: {}, nodes: {}, most: {} }} \
             Adjudication {{ draw: {draw}, resign: {resign}, max_moves: {:?} }} {max_score}",
            opening.plies, opening.nodes, opening.max_score, adjudication.max_moves
        )
    }
}

/// Plays the games numbered `0..games` that the file does not contain yet.
///
/// The number of threads affects the order of the games in the file, but not the games themselves.
fn generate(
    store: &mut Store,
    rules: &Rules,
    games: u64,
    threads: usize,
    hash_mb: usize,
    interrupted: &AtomicBool,
) -> Result<()> {
    let missing: BTreeSet<u64> = (0..games).filter(|number| !store.finished().contains(number)).collect();
    let mut positions = 0;
    let mut done = games - missing.len() as u64;
    let mut progress = Progress::new("games", done, games, "");
    let threads = threads.clamp(1, missing.len().max(1));
    let missing = Mutex::new(missing);
    let failed = AtomicBool::new(false);
    let next_number = || {
        let stop = interrupted.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
        if stop { None } else { missing.lock().unwrap_or_else(PoisonError::into_inner).pop_first() }
    };
    let new_player = || -> Result<_> {
        let mut engine = Engine::new(Options { hash_mb, ..Options::default() })?;
        Ok(move |number| play::play(&mut engine, rules, number))
    };
    let (sender, results) = crossbeam_channel::bounded::<Result<StoredGame>>(threads);
    let result = std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let (new_player, next_number) = (&new_player, &next_number);
            scope.spawn(move || match new_player() {
                Err(error) => drop(sender.send(Err(error))),
                Ok(mut play) => {
                    while let Some(number) = next_number() {
                        if sender.send(play(number)).is_err() {
                            break;
                        }
                    }
                }
            });
        }
        drop(sender);
        let mut outcome = Ok(());
        // The channel is drained even after an error, so that no worker blocks on a full channel.
        for game in results {
            if outcome.is_ok() {
                outcome = game.and_then(|game| {
                    positions += game.samples.len();
                    done += 1;
                    store.append(&game)
                });
                progress.show(done, || format!("{positions} positions"));
                failed.store(outcome.is_err(), Ordering::Relaxed);
            }
        }
        outcome
    });
    progress.finish();
    result
}

/// Calls `visit` with each game of a file.
fn for_each_game(path: &Path, mut visit: impl FnMut(&StoredGame) -> Result<()>) -> Result<()> {
    let mut reader = file::open(path)?;
    let mut visit_all = || -> Result<()> {
        while let Some(game) = reader.next()? {
            visit(&game)?;
        }
        Ok(())
    };
    visit_all().with_context(|| path.display().to_string())?;
    if reader.incomplete_bytes() > 0 {
        eprintln!("{}: ignoring the incomplete game at its end", path.display());
    }
    Ok(())
}

fn statistics(path: &Path) -> Result<Statistics> {
    let mut statistics = Statistics::default();
    for_each_game(path, |game| statistics.add(game))?;
    Ok(statistics)
}

/// Exports the positions of a file as EPD and returns their number.
fn export(path: &Path, epd: &Path, existing: Existing) -> Result<u64> {
    let mut output = OutputFile::create(epd, existing, &[path])?;
    let mut positions = 0;
    for_each_game(path, |game| {
        for bytes in &game.samples {
            let sample =
                Sample::from_bytes(bytes).map_err(|error| anyhow!("game {}: {error}", game.number))?;
            writeln!(output, "{}", to_epd(&sample)?)?;
            positions += 1;
        }
        Ok(())
    })?;
    output.commit()?;
    Ok(positions)
}

fn to_epd(sample: &Sample) -> Result<Epd> {
    let board = sample.position.board();
    let score = i32::from(sample.score);
    let result = ["0-1", "1/2-1/2", "1-0"][usize::from(sample.half_points.min(2))];
    let register = EpdRegister::new(9).context("EPD has no comment register 9")?;
    Ok(Epd {
        board: board.clone(),
        operations: vec![
            EpdOperation::Comment(register, Some(result.to_owned())),
            EpdOperation::CentipawnEvaluation(if board.side_to_move() == Color::White {
                score
            } else {
                -score
            }),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use play::tests::rules;

    fn generate_to(path: &Path, games: u64, threads: usize) {
        let rules = rules();
        let mut store = Store::open(path, &rules.settings()).unwrap();
        generate(&mut store, &rules, games, threads, 1, &AtomicBool::new(false)).unwrap();
    }

    fn games(path: &Path) -> Vec<StoredGame> {
        let mut games = Vec::new();
        for_each_game(path, |game| {
            games.push(game.clone());
            Ok(())
        })
        .unwrap();
        games
    }

    #[test]
    fn rules_fingerprint_is_stable() {
        let rules = Rules {
            opening: RandomOpening { plies: 8, nodes: 1000, max_score: 150 },
            adjudication: Adjudication {
                draw: Some(DrawRule { from_move: 40, moves: 8, score: 10 }),
                resign: Some(ResignRule { moves: 4, score: 1000 }),
                max_moves: Some(200),
            },
            max_score: 1500,
            ..rules()
        };
        // From the header of an existing file.
        assert_eq!(rules.settings().rules, 0xa8f4_5c68_92ce_3fe3);
    }

    #[test]
    fn games_do_not_depend_on_threads_or_interruptions() {
        let folder = tempfile::tempdir().unwrap();
        let [first, again, parts, parallel] = ["a", "b", "c", "d"].map(|name| folder.path().join(name));
        generate_to(&first, 4, 1);
        generate_to(&again, 4, 1);
        assert_eq!(std::fs::read(&first).unwrap(), std::fs::read(&again).unwrap());
        // Two runs, the first of which was killed while it wrote a game.
        generate_to(&parts, 3, 1);
        let bytes = std::fs::read(&parts).unwrap();
        std::fs::write(&parts, &bytes[..bytes.len() - 40]).unwrap();
        generate_to(&parts, 4, 1);
        assert_eq!(std::fs::read(&first).unwrap(), std::fs::read(&parts).unwrap());
        generate_to(&parallel, 4, 3);
        let mut unordered = games(&parallel);
        unordered.sort_by_key(|game| game.number);
        assert_eq!(unordered, games(&first));
    }

    #[test]
    fn interrupt_stops_generation() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let rules = rules();
        let mut store = Store::open(&path, &rules.settings()).unwrap();
        generate(&mut store, &rules, 1000, 2, 1, &AtomicBool::new(true)).unwrap();
        assert!(games(&path).is_empty());
    }

    #[test]
    fn exports_every_position_as_epd() {
        let folder = tempfile::tempdir().unwrap();
        let (path, epd) = (folder.path().join("data"), folder.path().join("data.epd"));
        generate_to(&path, 2, 1);
        let refused = export(&path, &path, Existing::Replace).unwrap_err();
        assert!(format!("{refused:#}").contains("the same file as the input"), "{refused:#}");
        let positions = export(&path, &epd, Existing::Refuse).unwrap();
        let refused = export(&path, &epd, Existing::Refuse).unwrap_err();
        assert!(format!("{refused:#}").ends_with("the file exists (--force overwrites it)"), "{refused:#}");
        assert_eq!(positions, statistics(&path).unwrap().positions);
        let text = std::fs::read_to_string(&epd).unwrap();
        let samples: Vec<Sample> = games(&path)
            .iter()
            .flat_map(|game| &game.samples)
            .map(|bytes| Sample::from_bytes(bytes).unwrap())
            .collect();
        for ((_, record), sample) in Epd::parse_lines(&text).zip(&samples) {
            assert_eq!(record.unwrap(), to_epd(sample).unwrap());
        }
        assert_eq!(text.lines().count(), samples.len());
    }

    #[test]
    fn engine_creation_failure_ends_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let rules = rules();
        let mut store = Store::open(&folder.path().join("data"), &rules.settings()).unwrap();
        let error = generate(&mut store, &rules, 5, 2, 0, &AtomicBool::new(false)).unwrap_err();
        assert!(error.to_string().contains("0 MiB"), "{error}");
    }
}
