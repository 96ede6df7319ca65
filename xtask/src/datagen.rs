//! `cargo xtask datagen`: positions to learn from, out of games of the engine against itself.
//!
//! Slots play games in this process ([`play`]); one collector appends them to a [`file`](mod@file) of
//! [`packed`] positions, which is all the state there is: whoever goes on with it sees in it which games are
//! done. [`mod@statistics`] tells what came together.

pub(crate) mod file;
pub(crate) mod packed;
mod play;
mod statistics;

use crate::progress::Progress;
use crate::repository;
use crate::selfplay::fingerprint::fingerprint;
use crate::selfplay::openings::Book;
use crate::selfplay::referee::{Adjudication, DrawRule, ResignRule};
use anyhow::{Context, Result, anyhow, bail};
use file::{Origin, Store, StoredGame};
use packed::Sample;
use play::{Rules, Variant};
use statistics::Statistics;
use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use tabiya_core::{Color, Epd, EpdOperation, EpdRegister};
use tabiya_play::RandomOpening;
use tabiya_search::{Engine, Options};

/// Half-moves taken of each game of a PGN book.
const BOOK_PLIES: usize = 16;

/// The command line.
#[derive(clap::Args)]
#[command(after_help = "\
Games start with random moves that leave the position about even. Kept are quiet positions (no check; no
capture or promotion is best, or promises anything) that are not decided.

An interrupted run goes on when the command is given again; so does a finished one with more --games. The
file's form is described in xtask/src/datagen/file.rs; `cargo xtask tune` reads it as it is.")]
pub(crate) struct Args {
    /// The file to begin or to go on with
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How many games the file shall have
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Which games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games at the same time [default: one a processor]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: Option<u32>,
    /// MiB of hash for each of them
    #[arg(long, value_name = "MiB", default_value_t = 4)]
    hash: usize,

    /// Random moves from the positions of a book (PGN, or EPD or FEN lines) instead of the start position
    #[arg(long, value_name = "FILE", help_heading = "Openings")]
    book: Option<PathBuf>,
    /// Start from the positions of Chess960
    #[arg(long, help_heading = "Openings", conflicts_with = "book")]
    chess960: bool,
    /// Start from the positions of Chess960, each side with one of its own
    #[arg(long, help_heading = "Openings", conflicts_with_all = ["book", "chess960"])]
    double_chess960: bool,
    /// Random half-moves; every second opening has one more
    #[arg(long, value_name = "N", default_value_t = RandomOpening::default().plies, help_heading = "Openings", value_parser = clap::value_parser!(u32).range(..=64))]
    random_plies: u32,
    /// Centipawns by which an opening may favour a side
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = RandomOpening::default().most, help_heading = "Openings")]
    opening_score: u32,

    /// Adjudicate draws: from-move,moves,centipawns
    #[arg(long, value_name = "RULE", default_value = "40,8,10", help_heading = "Referee")]
    draw: DrawRule,
    /// Adjudicate wins: moves,centipawns
    #[arg(long, value_name = "RULE", default_value = "4,1000", help_heading = "Referee")]
    resign: ResignRule,
    /// Adjudicate as a draw after so many moves
    #[arg(long, value_name = "N", default_value_t = 200, help_heading = "Referee", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: u32,
    /// Keep no position with a score beyond this
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 1500, help_heading = "Referee", value_parser = clap::value_parser!(i32).range(1..=20_000))]
    most: i32,

    /// Play nothing; tell what is in the file
    #[arg(long, help_heading = "Results")]
    statistics: bool,
    /// Play nothing; write the file's positions as EPD: result in c9, score for the side to move in ce
    #[arg(long, value_name = "EPD", help_heading = "Results")]
    export: Option<PathBuf>,
    /// Write the statistics to this file, too
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    json: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// When the file cannot be read or written, is damaged or was begun with other settings, or the engine
/// fails.
pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(epd) = &args.export {
        let positions = export(&args.file, epd)?;
        println!("{positions} positions are in {}", epd.display());
        return Ok(());
    }
    if !args.statistics {
        let rules = args.rules()?;
        let mut store = Store::open(&args.file, &rules.origin())?;
        let slots = args.concurrency.map_or_else(repository::processors, |count| count as usize);
        let interrupted = crate::interrupt::on_interrupt()?;
        generate(&mut store, &rules, args.games, slots, args.hash, &interrupted)?;
    }
    let statistics = statistics(&args.file)?;
    print!("{statistics}");
    if let Some(path) = &args.json {
        let json = serde_json::to_string_pretty(&statistics)? + "\n";
        std::fs::write(path, json).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if !args.statistics && statistics.games < args.games {
        bail!("interrupted after {} games; the same command goes on", statistics.games);
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
                most: self.opening_score,
                ..RandomOpening::default()
            },
            variant,
            book: self.book.as_deref().map(|book| Book::read(book, BOOK_PLIES)).transpose()?,
            adjudication: Adjudication {
                draw: Some(self.draw),
                resign: Some(self.resign),
                max_moves: Some(self.max_moves),
            },
            most: self.most,
        })
    }
}

impl Rules {
    fn origin(&self) -> Origin {
        let others = format!("{:?} {:?} {}", self.opening, self.adjudication, self.most);
        Origin {
            seed: self.seed,
            nodes: self.nodes,
            book: self.book.as_ref().map_or(0, |book| book.fingerprint),
            plies: self.opening.plies,
            variant: self.variant as u32,
            rules: fingerprint(others.as_bytes()),
        }
    }
}

/// Plays the games from 0 to `games` that the file does not have yet.
///
/// The games do not depend on the number of slots, only their order in the file does.
fn generate(
    store: &mut Store,
    rules: &Rules,
    games: u64,
    slots: usize,
    hash_mb: usize,
    interrupted: &AtomicBool,
) -> Result<()> {
    let missing: BTreeSet<u64> = (0..games).filter(|number| !store.done().contains(number)).collect();
    let mut positions = 0;
    let mut done = games - missing.len() as u64;
    let mut progress = Progress::new("games", done, games, "");
    let slots = slots.clamp(1, missing.len().max(1));
    let missing = Mutex::new(missing);
    let failed = AtomicBool::new(false);
    let next = || {
        let stop = interrupted.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
        if stop { None } else { missing.lock().unwrap_or_else(PoisonError::into_inner).pop_first() }
    };
    let slot = || -> Result<_> {
        let mut engine = Engine::new(Options { hash_mb, ..Options::default() })?;
        Ok(move |number| play::play(&mut engine, rules, number))
    };
    let (sender, results) = crossbeam_channel::bounded::<Result<StoredGame>>(slots);
    let result = std::thread::scope(|scope| {
        for _ in 0..slots {
            let sender = sender.clone();
            let (slot, next) = (&slot, &next);
            scope.spawn(move || match slot() {
                Err(error) => drop(sender.send(Err(error))),
                Ok(mut play) => {
                    while let Some(number) = next() {
                        if sender.send(play(number)).is_err() {
                            break;
                        }
                    }
                }
            });
        }
        drop(sender);
        let mut outcome = Ok(());
        // All are taken, so that no slot waits for ever for its result to be heard.
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

/// Goes through the games of a file.
fn for_each_game(path: &Path, mut work: impl FnMut(&StoredGame) -> Result<()>) -> Result<()> {
    let mut reader = file::open(path)?;
    let mut read = || -> Result<()> {
        while let Some(game) = reader.next()? {
            work(&game)?;
        }
        Ok(())
    };
    read().with_context(|| path.display().to_string())?;
    if reader.unfinished() > 0 {
        eprintln!("{}: an unfinished game at its end is left out", path.display());
    }
    Ok(())
}

fn statistics(path: &Path) -> Result<Statistics> {
    let mut statistics = Statistics::default();
    for_each_game(path, |game| statistics.add(game))?;
    Ok(statistics)
}

/// Writes the positions of a file as EPD, and returns how many there are.
fn export(path: &Path, epd: &Path) -> Result<u64> {
    let cannot_write = || format!("cannot write {}", epd.display());
    let mut output = BufWriter::new(std::fs::File::create(epd).with_context(cannot_write)?);
    let mut positions = 0;
    for_each_game(path, |game| {
        for bytes in &game.samples {
            let sample =
                Sample::from_bytes(bytes).map_err(|error| anyhow!("game {}: {error}", game.number))?;
            writeln!(output, "{}", record(&sample)?).with_context(cannot_write)?;
            positions += 1;
        }
        Ok(())
    })?;
    output.flush().with_context(cannot_write)?;
    Ok(positions)
}

fn record(sample: &Sample) -> Result<Epd> {
    let board = sample.position.board();
    let score = i32::from(sample.score);
    let result = ["0-1", "1/2-1/2", "1-0"][usize::from(sample.half_points.min(2))];
    let register = EpdRegister::new(9).context("there are ten comments")?;
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

    fn generate_to(path: &Path, games: u64, slots: usize) {
        let rules = rules();
        let mut store = Store::open(path, &rules.origin()).unwrap();
        generate(&mut store, &rules, games, slots, 1, &AtomicBool::new(false)).unwrap();
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
    fn one_slot_repeats_itself_byte_for_byte_and_more_slots_play_the_same_games() {
        let folder = tempfile::tempdir().unwrap();
        let [first, again, parts, slots] = ["a", "b", "c", "d"].map(|name| folder.path().join(name));
        generate_to(&first, 4, 1);
        generate_to(&again, 4, 1);
        assert_eq!(std::fs::read(&first).unwrap(), std::fs::read(&again).unwrap());
        // In two runs, the first of which ended in the middle of a game.
        generate_to(&parts, 3, 1);
        let bytes = std::fs::read(&parts).unwrap();
        std::fs::write(&parts, &bytes[..bytes.len() - 40]).unwrap();
        generate_to(&parts, 4, 1);
        assert_eq!(std::fs::read(&first).unwrap(), std::fs::read(&parts).unwrap());
        generate_to(&slots, 4, 3);
        let mut shuffled = games(&slots);
        shuffled.sort_by_key(|game| game.number);
        assert_eq!(shuffled, games(&first));
    }

    #[test]
    fn a_request_to_stop_is_heard() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let rules = rules();
        let mut store = Store::open(&path, &rules.origin()).unwrap();
        generate(&mut store, &rules, 1000, 2, 1, &AtomicBool::new(true)).unwrap();
        assert!(games(&path).is_empty());
    }

    #[test]
    fn exported_positions_can_be_learnt_from() {
        let folder = tempfile::tempdir().unwrap();
        let (path, epd) = (folder.path().join("data"), folder.path().join("data.epd"));
        generate_to(&path, 2, 1);
        let positions = export(&path, &epd).unwrap();
        assert_eq!(positions, statistics(&path).unwrap().positions);
        let text = std::fs::read_to_string(&epd).unwrap();
        let samples: Vec<Sample> = games(&path)
            .iter()
            .flat_map(|game| &game.samples)
            .map(|bytes| Sample::from_bytes(bytes).unwrap())
            .collect();
        for ((_, record), sample) in Epd::parse_lines(&text).zip(&samples) {
            assert_eq!(record.unwrap(), super::record(sample).unwrap());
        }
        assert_eq!(text.lines().count(), samples.len());
    }

    #[test]
    fn an_engine_that_cannot_be_had_ends_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let rules = rules();
        let mut store = Store::open(&folder.path().join("data"), &rules.origin()).unwrap();
        let error = generate(&mut store, &rules, 5, 2, 0, &AtomicBool::new(false)).unwrap_err();
        assert!(error.to_string().contains("hash of 0 MiB"), "{error}");
    }
}
