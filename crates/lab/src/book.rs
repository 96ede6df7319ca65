//! `cargo xtask book`: opening books for matches, from games of `datagen`.
//!
//! Each game gives at most one position, so that the openings are independent. A search keeps those whose score is in
//! the desired range: near 0 for a balanced book, about a pawn for an unbalanced one, in which fewer games are drawn.

use crate::evaluation_argument::EvaluationArgs;
use crate::games::{GameFile, GameRecord, Origin, RawGame, ply};
use crate::ordered::map_in_order;
use crate::progress::Progress;
use crate::selfplay::openings::Book;
use anyhow::{Context, Result, bail};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use tabiya_core::{Board, Color, SplitMix64};
use tabiya_files::output::{self, Existing};
use tabiya_movegen::{Game, Position};
use tabiya_search::{BlockingEngine, Limits};
use tabiya_workspace::repository;

/// Transposition table of each search, in MiB.
const HASH: usize = 16;

/// The largest ply from which a position may be taken.
const MAX_PLY: u32 = 1000;

/// Command-line arguments of `book`.
#[derive(clap::Args)]
#[command(after_help = "\
A balanced and an unbalanced book, of games from `cargo xtask datagen games.vf --games 100000 --nodes 300`:
    cargo xtask book games.vf --out balanced.book --score=-25,25 --count 32000
    cargo xtask book games.vf --out unbalanced.book --score=90,130 --white --count 20000

The book is packed (15 bytes an opening), or text if its name ends in .epd. Matches read both: --book balanced.book")]
pub struct Args {
    /// Files of games in viriformat
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The book
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Range of the score, in centipawns
    #[arg(long, value_name = "MIN,MAX", default_value = "-25,25", allow_hyphen_values = true, value_parser = range::<i32>)]
    score: (i32, i32),
    /// Score for White instead of for the side to move
    #[arg(long)]
    white: bool,
    /// Nodes of the search that determines the score
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Range of plies from which the position of a game is taken, random moves included
    #[arg(long, value_name = "MIN,MAX", default_value = "8,16", value_parser = plies)]
    plies: (u32, u32),
    /// Maximum number of openings [default: as many as the games have]
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Use games from the start positions of Chess960 and double Chess960, too
    #[arg(long)]
    chess960: bool,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Threads; the book does not depend on them [default: one per processor]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

/// Parses a range: two numbers, the smaller one first.
fn range<T: std::str::FromStr + PartialOrd>(text: &str) -> Result<(T, T), String> {
    let parse = || {
        let (low, high) = text.split_once(',')?;
        Some((low.trim().parse().ok()?, high.trim().parse().ok()?))
    };
    parse().filter(|(low, high)| low <= high).ok_or_else(|| "expected two whole numbers, MIN,MAX".to_owned())
}

/// Parses a range of plies.
fn plies(text: &str) -> Result<(u32, u32), String> {
    let plies = range(text)?;
    if plies.1 <= MAX_PLY { Ok(plies) } else { Err(format!("expected plies of at most {MAX_PLY}")) }
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, or no position passes.
pub fn run(args: &Args) -> Result<()> {
    let interrupted = crate::interrupt::on_interrupt()?;
    make(args, &interrupted)
}

fn make(args: &Args, interrupted: &AtomicBool) -> Result<()> {
    let existing = Existing::from_force(args.force);
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    output::check(&args.out, existing, &inputs)?;
    let boards = collect(args, interrupted)?;
    if interrupted.load(Ordering::Relaxed) {
        bail!("interrupted after {} openings; {} is not written", boards.len(), args.out.display());
    }
    if boards.is_empty() {
        bail!("no position has a score from {} to {} centipawns", args.score.0, args.score.1);
    }
    let contents = if args.out.extension().is_some_and(|extension| extension == "epd") {
        boards.iter().map(|board| format!("{board}\n")).collect::<String>().into_bytes()
    } else {
        Book::packed(&boards)
    };
    output::write(&args.out, &contents, existing, &inputs)?;
    println!("{}: {} openings, {} bytes", args.out.display(), boards.len(), contents.len());
    if args.count.is_some_and(|count| boards.len() < count) {
        eprintln!("warning: fewer openings than --count: more games are needed");
    }
    Ok(())
}

/// Returns the openings in the order of the games, without repetitions.
fn collect(args: &Args, interrupted: &AtomicBool) -> Result<Vec<Board>> {
    let evaluation = args.evaluation.load()?;
    let count = args.count.unwrap_or(usize::MAX);
    let mut boards = Vec::new();
    let mut seen = HashSet::new();
    let mut games = 0_u64;
    let threads = args.threads.map_or_else(repository::processors, |count| count as usize);
    for path in &args.files {
        let mut file = GameFile::open(path)?;
        let full = AtomicBool::new(boards.len() >= count);
        let mut progress = Progress::new("MiB", 0, file.size() >> 20, "");
        let next = || {
            let stop = full.load(Ordering::Relaxed) || interrupted.load(Ordering::Relaxed);
            let game = if stop { None } else { file.next_or_note()? };
            Ok(game.map(|game| (game, file.offset())))
        };
        let worker = || {
            let mut engine = BlockingEngine::new(HASH, || evaluation.evaluator())?;
            Ok(move |(game, end): (RawGame, u64)| {
                let record = game.unpack().with_context(|| path.display().to_string())?;
                let position = candidate(&record, game.identity(), args);
                Ok((position.filter(|position| passes(&mut engine, position, args)), end))
            })
        };
        let result = map_in_order(threads, next, worker, |(position, end)| {
            games += 1;
            if let Some(position) = position
                && boards.len() < count
                && seen.insert(position.board().key())
            {
                boards.push(without_clocks(position.board()));
                full.store(boards.len() >= count, Ordering::Relaxed);
            }
            progress.show(end >> 20, || format!("{} openings of {games} games", boards.len()));
            Ok(())
        });
        progress.finish();
        result?;
    }
    Ok(boards)
}

/// Returns the position of a game that may become an opening: at a ply that depends on the identity of the game.
fn candidate(record: &GameRecord, identity: u64, args: &Args) -> Option<Position> {
    if !args.chess960 && !matches!(record.origin, Origin::Standard | Origin::Other) {
        return None;
    }
    let (first, last) = args.plies;
    let first = first.max(record.first_ply());
    let span = last.checked_sub(first)? + 1;
    let chosen = first + SplitMix64::new(identity).below(span as usize) as u32;
    let mut candidate = None;
    record.visit(|position, _, _| {
        if ply(position) == chosen && !position.in_check() {
            candidate = Some(position.clone());
        }
    });
    candidate.filter(|position| args.chess960 || position.board().has_standard_castling())
}

/// Returns true if the score of a position is in the range.
fn passes(engine: &mut BlockingEngine, position: &Position, args: &Args) -> bool {
    engine.clear();
    let answer = engine.search(&Game::from_position(position.clone()), &Limits::nodes(args.nodes));
    let Some(score) = answer.score().centipawns() else { return false };
    let reversed = args.white && position.side_to_move() == Color::Black;
    let score = if reversed { -score } else { score };
    (args.score.0..=args.score.1).contains(&score)
}

/// Returns the position at move 1.
fn without_clocks(board: &Board) -> Board {
    let mut builder = board.to_builder();
    (builder.halfmove_clock, builder.fullmove_number) = (0, 1);
    // The counters are no condition of a valid board.
    builder.build().unwrap_or_else(|_| board.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::test_games::random_games;
    use crate::test_arguments::parse;

    /// Makes a book of random games and returns it, with the number of the games.
    fn book(folder: &Path, name: &str, more: &[&str]) -> Result<Book> {
        let games = folder.join("games.vf");
        let bytes: Vec<u8> = random_games(90, 4).iter().flat_map(GameRecord::to_bytes).collect();
        std::fs::write(&games, bytes)?;
        let out = folder.join(name);
        let [games, path] = [&games, &out].map(|path| path.to_str().unwrap());
        let args = parse([&[games, "--out", path, "--nodes", "200"], more].concat())?;
        make(&args, &AtomicBool::new(false))?;
        Book::read(&out, 0)
    }

    fn openings(book: &Book) -> Vec<Position> {
        (0..book.len() as u64).map(|number| book.opening(number).game().unwrap().position().clone()).collect()
    }

    #[test]
    fn openings_have_the_score() {
        let folder = tempfile::tempdir().unwrap();
        let args = ["--score=-300,-50", "--white", "-j", "2"];
        let packed = openings(&book(folder.path(), "a.book", &args).unwrap());
        let text = openings(&book(folder.path(), "a.epd", &args).unwrap());
        assert!(packed == text && (3..40).contains(&packed.len()), "{}", packed.len());
        let keys: HashSet<_> = packed.iter().map(|position| position.board().key()).collect();
        assert_eq!(keys.len(), packed.len());
        let arguments = parse([&["x", "--out", "y", "--nodes", "200"], &args[..2]].concat()).unwrap();
        let mut engine = BlockingEngine::new(1, || tabiya_eval::Evaluation::default().evaluator()).unwrap();
        std::thread::scope(|scope| {
            let check = || packed.iter().all(|position| passes(&mut engine, position, &arguments));
            let builder = std::thread::Builder::new().stack_size(tabiya_search::SEARCH_STACK_SIZE);
            assert!(builder.spawn_scoped(scope, check).unwrap().join().unwrap());
        });
        let fewer = book(folder.path(), "b.book", &[&args[..], &["--count", "2"]].concat()).unwrap();
        assert!(openings(&fewer) == packed[..2]);
    }

    #[test]
    fn chess960_games_are_used_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let wide = "--score=-30000,30000";
        let standard = book(folder.path(), "a.book", &[wide]).unwrap();
        let all = book(folder.path(), "b.book", &[wide, "--chess960"]).unwrap();
        assert!(!standard.chess960 && all.chess960 && all.len() > 2 * standard.len());
    }

    #[test]
    fn interrupted_run_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games.vf");
        let bytes: Vec<u8> = random_games(90, 4).iter().flat_map(GameRecord::to_bytes).collect();
        std::fs::write(&games, bytes).unwrap();
        let out = folder.path().join("old.book");
        std::fs::write(&out, "an older book").unwrap();
        let [games, path] = [&games, &out].map(|path| path.to_str().unwrap());
        let args = parse(vec![games, "--out", path, "--nodes", "200", "--force"]).unwrap();
        let error = make(&args, &AtomicBool::new(true)).unwrap_err().to_string();
        assert!(error.starts_with("interrupted after 0 openings"), "{error}");
        assert_eq!(std::fs::read(&out).unwrap(), b"an older book");
    }

    #[test]
    fn bad_arguments_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let error = |more: &[&str]| format!("{:#}", book(folder.path(), "a.book", more).err().unwrap());
        assert!(error(&["--score=29000,29001"]).contains("no position has a score from 29000"));
        assert!(error(&["--score=5,-5"]).contains("expected two whole numbers"));
        std::fs::write(folder.path().join("a.book"), "kept").unwrap();
        assert!(error(&[]).contains("--force"));
    }
}
