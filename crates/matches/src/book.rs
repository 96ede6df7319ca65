//! `cargo xtask book`: opening books for matches, of random moves or from games of `datagen`.
//!
//! A search keeps the positions whose score is in the desired range: near 0 for a balanced book, about a pawn for an unbalanced
//! one, in which fewer games are drawn. Each game gives at most one position, so that the openings are independent.

mod from_games;
mod random_moves;
mod score_range;

use anyhow::{Context, Result, bail};
use random_moves::RandomMoves;
use score_range::{Perspective, ScoreRange};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use tabiya_core::Key;
use tabiya_eval::Evaluation;
use tabiya_files::output::{self, Existing};
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::evaluation_argument::EvaluationArgs;
use tabiya_lab_common::games::{Damage, GameFile, RawGame};
use tabiya_lab_common::openings::{Book, Opening};
use tabiya_lab_common::ordered::map_in_order;
use tabiya_lab_common::progress::Progress;
use tabiya_movegen::Game;
use tabiya_search::{BlockingEngine, Limits};
use tabiya_workspace::repository;

/// Transposition table of each search, in MiB.
const HASH: usize = 2;

/// The largest ply from which a position may be taken.
const MAX_PLY: u32 = 1000;

/// The largest number of random plies.
const MAX_RANDOM_PLIES: u32 = 64;

/// Number of generated openings in sequence without a usable one after which no more are tried.
const MAX_FAILURES: u64 = 1000;

/// Command-line arguments of `book`.
#[derive(clap::Args)]
#[command(after_help = "\
Without FILE, openings are generated: from the start position of chess, random moves that each lose little. The books that
matches have built in were made by these commands:
    cargo xtask book --out balanced.book --score=-30,30 --count 32000 --plies 8,11 --nodes 3000 --seed 1
    cargo xtask book --out unbalanced.book --score=80,130 --better --count 20000 --plies 8,11 --nodes 3000 --seed 2 --max-loss 120

From games of `cargo xtask datagen games.vf --games 100000 --nodes 300`:
    cargo xtask book games.vf --out unbalanced.book --score=90,130 --white --count 20000

The book is packed (7 bytes an opening, or 12 if it is from games), or text if its name ends in .epd. Matches read
both: --book balanced.book")]
pub struct BookArgs {
    /// Files of games in viriformat [default: none, openings are generated]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The book
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Range of the score, in centipawns
    #[arg(long, value_name = "MIN,MAX", default_value = "-25,25", allow_hyphen_values = true, value_parser = range::<i32>)]
    score: (i32, i32),
    /// Score for White instead of for the side to move
    #[arg(long, conflicts_with = "better")]
    white: bool,
    /// Score for the side that has the better one instead of for the side to move
    #[arg(long)]
    better: bool,
    /// Nodes of the search that determines the score
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Range of plies of a generated opening, or from which the position of a game is taken, random moves included
    #[arg(long, value_name = "MIN,MAX", default_value = "8,16", value_parser = plies)]
    plies: (u32, u32),
    /// Maximum number of openings [default: as many as the games have]
    #[arg(long, value_name = "N", required_unless_present = "files")]
    count: Option<usize>,
    /// Seed of generated openings
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        conflicts_with = "files",
        help_heading = "Generated openings"
    )]
    seed: u64,
    /// Largest loss of a generated move, in centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 60, conflicts_with = "files", help_heading = "Generated openings", value_parser = clap::value_parser!(i32).range(0..=30_000))]
    max_loss: i32,
    /// Use games from the start positions of Chess960 and double Chess960, too
    #[arg(long, requires = "files")]
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
pub fn run(args: &BookArgs) -> Result<()> {
    let interrupted = tabiya_lab_common::interrupt::on_interrupt()?;
    make(args, &interrupted)
}

fn make(args: &BookArgs, interrupted: &AtomicBool) -> Result<()> {
    let existing = Existing::from_force(args.force);
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    output::check(&args.out, existing, &inputs)?;
    let mut collector = Collector::new(args, interrupted)?;
    if args.files.is_empty() {
        collector.generate()?;
    }
    for path in &args.files {
        collector.add_games(path)?;
    }
    let Collector { openings, chess960_games, .. } = collector;
    let left_out = match chess960_games {
        0 => String::new(),
        games => format!("; {} left out (--chess960 uses them)", counted(games, "Chess960 game")),
    };
    if interrupted.load(Ordering::Relaxed) {
        let count = counted(openings.len(), "opening");
        bail!("interrupted after {count}; {} is not written", args.out.display());
    }
    if openings.is_empty() {
        bail!("no position has a score from {} to {} centipawns{left_out}", args.score.0, args.score.1);
    }
    let contents = if args.out.extension().is_some_and(|extension| extension == "epd") {
        epd(&openings)?
    } else {
        Book::packed(&openings)?
    };
    output::write(&args.out, &contents, existing, &inputs)?;
    let count = counted(openings.len(), "opening");
    println!("{}: {count}, {} bytes{left_out}", args.out.display(), contents.len());
    if args.count.is_some_and(|count| openings.len() < count) {
        let remedy = match (args.files.is_empty(), chess960_games) {
            (true, _) => "other --plies, --max-loss or --score",
            (false, 0) => "more games",
            (false, _) => "more games or --chess960",
        };
        eprintln!("warning: fewer openings than --count: {remedy} are needed");
    }
    Ok(())
}

/// The positions after the openings, one FEN per line.
fn epd(openings: &[Opening]) -> Result<Vec<u8>> {
    let mut text = String::new();
    for opening in openings {
        text += &format!("{}\n", opening.game()?.position());
    }
    Ok(text.into_bytes())
}

/// Collects openings without repetitions, in the order of the games or of the numbers of the generated openings.
struct Collector<'a> {
    args: &'a BookArgs,
    evaluation: Evaluation,
    threads: usize,
    interrupted: &'a AtomicBool,
    /// Set when there are enough openings.
    full: AtomicBool,
    openings: Vec<Opening>,
    /// The positions after the openings.
    seen: HashSet<Key>,
    /// Number of Chess960 games that are left out.
    chess960_games: u64,
}

impl<'a> Collector<'a> {
    fn new(args: &'a BookArgs, interrupted: &'a AtomicBool) -> Result<Collector<'a>> {
        Ok(Collector {
            args,
            evaluation: args.evaluation.load()?,
            threads: args.threads.map_or_else(repository::processors, |count| count as usize),
            interrupted,
            full: AtomicBool::new(args.count == Some(0)),
            openings: Vec::new(),
            seen: HashSet::new(),
            chess960_games: 0,
        })
    }

    /// Generates openings.
    fn generate(&mut self) -> Result<()> {
        let args = self.args;
        if args.plies.1 > MAX_RANDOM_PLIES {
            bail!("--plies: a generated opening has at most {MAX_RANDOM_PLIES} plies");
        }
        let range = args.range();
        let random_moves = RandomMoves { seed: args.seed, plies: args.plies, max_loss: args.max_loss, range };
        let Collector { evaluation, interrupted, full, openings, seen, .. } = self;
        let mut numbers = 0_u64..;
        let next = || Ok(if is_set(&[full, interrupted]) { None } else { numbers.next() });
        let worker = || {
            let mut engine = BlockingEngine::new(HASH, || evaluation.evaluator())?;
            Ok(move |number| {
                let opening = random_moves.opening(&mut engine, number);
                let opening = opening.filter(|game| !game.position().in_check());
                Ok(opening.filter(|game| passes(&mut engine, game, args)))
            })
        };
        let target = args.count.unwrap_or(usize::MAX);
        let mut progress = Progress::new("openings", 0, target as u64, "");
        let (mut generated, mut failures) = (0_u64, 0);
        let result = map_in_order(self.threads, next, worker, |game| {
            generated += 1;
            failures = if add(openings, seen, target, game) { 0 } else { failures + 1 };
            full.store(openings.len() >= target || failures >= MAX_FAILURES, Ordering::Relaxed);
            progress.show(openings.len() as u64, || format!("of {generated} generated"));
            Ok(())
        });
        progress.finish();
        result
    }

    /// Adds openings from a file of games.
    fn add_games(&mut self, path: &Path) -> Result<()> {
        let args = self.args;
        let Collector { evaluation, interrupted, full, openings, seen, chess960_games, .. } = self;
        let mut games = 0_u64;
        let mut file = GameFile::open(path, Damage::Unchecked)?;
        let mut progress = Progress::new("MiB", 0, file.size() >> 20, "");
        let next = || {
            let game = if is_set(&[full, interrupted]) { None } else { file.next_or_note()? };
            Ok(game.map(|game| (game, file.offset())))
        };
        let worker = || {
            let mut engine = BlockingEngine::new(HASH, || evaluation.evaluator())?;
            Ok(move |(game, end): (RawGame, u64)| {
                let record = game.unpack().with_context(|| path.display().to_string())?;
                let is_left_out = !args.chess960 && from_games::is_chess960(&record);
                let game = from_games::candidate(&record, game.identity(), args.plies);
                let game = game.filter(|game| !is_left_out && passes(&mut engine, game, args));
                Ok((game, is_left_out, end))
            })
        };
        let target = args.count.unwrap_or(usize::MAX);
        let result = map_in_order(self.threads, next, worker, |(game, is_left_out, end)| {
            games += 1;
            *chess960_games += u64::from(is_left_out);
            add(openings, seen, target, game);
            full.store(openings.len() >= target, Ordering::Relaxed);
            progress.show(end >> 20, || format!("{} openings of {games} games", openings.len()));
            Ok(())
        });
        progress.finish();
        result
    }
}

/// Adds an opening if its position is new, and returns true if it was added.
fn add(openings: &mut Vec<Opening>, seen: &mut HashSet<Key>, target: usize, game: Option<Game>) -> bool {
    let Some(game) = game.filter(|_| openings.len() < target) else { return false };
    let is_new = seen.insert(game.position().board().key());
    let opening = Opening::new(game).ok().filter(|_| is_new);
    openings.extend(opening.clone());
    opening.is_some()
}

fn is_set(flags: &[&AtomicBool]) -> bool {
    flags.iter().any(|flag| flag.load(Ordering::Relaxed))
}

/// Returns true if the score of a position is in the range.
fn passes(engine: &mut BlockingEngine, game: &Game, args: &BookArgs) -> bool {
    engine.clear();
    let answer = engine.search(&Game::from_position(game.position().clone()), &Limits::nodes(args.nodes));
    let side = game.position().side_to_move();
    answer.score().centipawns().is_some_and(|score| args.range().contains(score, side, 0))
}

impl BookArgs {
    /// The range of the scores.
    fn range(&self) -> ScoreRange {
        let perspective = if self.better {
            Perspective::Better
        } else if self.white {
            Perspective::White
        } else {
            Perspective::SideToMove
        };
        ScoreRange { min: self.score.0, max: self.score.1, perspective }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_lab_common::games::GameRecord;
    use tabiya_lab_common::games::test_games::random_games;
    use tabiya_lab_common::test_arguments::parse;
    use tabiya_movegen::Position;

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

    /// Generates a book of openings of this many plies.
    fn generated(name: &str, plies: &str, more: &[&str]) -> Result<Book> {
        let folder = tempfile::tempdir()?;
        let out = folder.path().join(name);
        let arguments = ["--out", out.to_str().unwrap(), "--nodes", "400", "--plies", plies];
        make(&parse([&arguments[..], more].concat())?, &AtomicBool::new(false))?;
        Book::read(&out, 0)
    }

    fn openings(book: &Book) -> Vec<Game> {
        (0..book.len() as u64).map(|number| book.opening(number).game().unwrap()).collect()
    }

    fn positions(book: &Book) -> Vec<Position> {
        openings(book).iter().map(|game| game.position().clone()).collect()
    }

    /// Returns true if a search finds the score of each opening in the range of the arguments.
    fn all_pass(openings: &[Game], args: &BookArgs) -> bool {
        let check = || {
            let mut engine = BlockingEngine::new(HASH, || Evaluation::default().evaluator()).unwrap();
            openings.iter().all(|game| passes(&mut engine, game, args))
        };
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(tabiya_search::SEARCH_STACK_SIZE);
            builder.spawn_scoped(scope, check).unwrap().join().unwrap()
        })
    }

    #[test]
    fn openings_have_the_score() {
        let folder = tempfile::tempdir().unwrap();
        let args = ["--score=-300,-50", "--white", "-j", "2"];
        let packed = book(folder.path(), "a.book", &args).unwrap();
        let text = book(folder.path(), "a.epd", &args).unwrap();
        assert!(
            positions(&packed) == positions(&text) && (3..40).contains(&packed.len()),
            "{}",
            packed.len()
        );
        let keys: HashSet<_> = positions(&packed).iter().map(|position| position.board().key()).collect();
        assert_eq!(keys.len(), packed.len());
        let arguments = parse([&["x", "--out", "y", "--nodes", "200"], &args[..2]].concat()).unwrap();
        assert!(all_pass(&openings(&packed), &arguments));
        let fewer = book(folder.path(), "b.book", &[&args[..], &["--count", "2"]].concat()).unwrap();
        assert!(positions(&fewer) == positions(&packed)[..2]);
    }

    #[test]
    fn generated_openings_depend_on_the_seed_alone() {
        let first = openings(&generated("a.book", "4,7", &["--count", "12", "-j", "1"]).unwrap());
        assert_eq!(first.len(), 12);
        assert!(first.iter().all(|game| (4..=7).contains(&game.moves().len())));
        let keys: HashSet<_> = first.iter().map(|game| game.position().board().key()).collect();
        assert_eq!(keys.len(), first.len());
        let parallel = generated("a.book", "4,7", &["--count", "12", "-j", "3"]).unwrap();
        assert!(openings(&parallel).iter().map(Game::moves).eq(first.iter().map(Game::moves)));
        let other = generated("a.book", "4,7", &["--count", "12", "--seed", "2"]).unwrap();
        assert!(!openings(&other).iter().map(Game::moves).eq(first.iter().map(Game::moves)));
        let text = generated("a.epd", "4,7", &["--count", "12"]).unwrap();
        assert!(positions(&text).iter().eq(first.iter().map(Game::position)));
    }

    #[test]
    fn both_sides_are_better_in_an_unbalanced_book() {
        let args = ["--score=60,150", "--better", "--count", "24"];
        let games = openings(&generated("a.book", "4,7", &args).unwrap());
        let base = ["--out", "y", "--nodes", "400"];
        assert!(all_pass(&games, &parse([&base[..], &args].concat()).unwrap()));
        let for_white = |range| parse([&base[..], &[range, "--white", "--count", "1"]].concat()).unwrap();
        for range in ["--score=60,150", "--score=-150,-60"] {
            assert!(
                games.iter().any(|game| all_pass(std::slice::from_ref(game), &for_white(range))),
                "{range}"
            );
        }
    }

    #[test]
    fn impossible_openings_end_the_generation() {
        let error = generated("a.book", "1,1", &["--count", "3", "--score=20000,20001"]).err().unwrap();
        assert!(error.to_string().contains("no position has a score from 20000"), "{error}");
        let error = generated("a.book", "8,100", &["--count", "3"]).err().unwrap();
        assert!(error.to_string().contains("at most 64 plies"), "{error}");
        assert!(parse::<BookArgs>(["--out", "a.book"]).err().unwrap().to_string().contains("--count"));
    }

    #[test]
    fn chess960_games_are_used_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let wide = "--score=-30000,30000";
        let standard = book(folder.path(), "a.book", &[wide]).unwrap();
        let all = book(folder.path(), "b.book", &[wide, "--chess960"]).unwrap();
        let error = book(folder.path(), "c.book", &["--score=29000,29001"]).err().unwrap().to_string();
        assert!(error.contains(" Chess960 games left out (--chess960 uses them)"), "{error}");
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
