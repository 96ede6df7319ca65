//! `tabiya book`: building opening books and looking up positions.

use crate::args::ForceArgs;
use crate::message::{GameWarnings, counted};
use crate::{position, variation};
use anyhow::{Context, Result, bail};
use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand};
use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tabiya_book::{Book, PolyglotBuilder, polyglot_key};
use tabiya_core::Move;
use tabiya_core::notation::{GameResult, Next, PgnReader, TagToken};
use tabiya_files::{input, output};
use tabiya_movegen::{GameVisitor, Position, Replay, ReplayError};

/// Build opening books and look up positions.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya book build games.pgn -o book.bin --depth 24 --min-games 3
  tabiya book show book.bin
  tabiya book show rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")]
pub struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand, Debug)]
enum BookCommand {
    Build(BuildArgs),
    Show(ShowArgs),
}

/// Build a Polyglot book from games.
///
/// The weight of a move is its score: two for a win of the side that played it, one for a draw or an unknown result. Moves without
/// a score are left out, and a move that a game repeats in the same position counts once. What cannot be understood in a game is
/// reported and skipped; of a game with an illegal move, the moves before it count.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya book build games.pgn -o book.bin
  tabiya book build a.pgn b.pgn -o book.bin --depth 16 --min-games 10")]
struct BuildArgs {
    /// PGN files; - for standard input.
    #[arg(value_name = "GAMES.pgn", required = true)]
    games: Vec<PathBuf>,
    /// Book to write.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
    /// Number of plies to take from each game.
    #[arg(long, value_name = "PLIES", default_value_t = 24, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    depth: usize,
    /// Minimum number of games in which a move was played.
    #[arg(long, value_name = "GAMES", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    min_games: u64,
}

/// Show the moves of a book in a position.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya book show
  tabiya book show book.bin
  tabiya book show --book book.bin rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")]
struct ShowArgs {
    /// Book, unless --book is given, and position to look up [default: start position].
    #[arg(value_name = "BOOK|FEN")]
    fen: Vec<OsString>,
    /// Polyglot (.bin) or text book [default: built-in main lines].
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
}

/// Runs `tabiya book`.
///
/// # Errors
/// If a file cannot be read or written, or is invalid.
pub(crate) fn run(args: &BookArgs, out: &mut impl Write) -> Result<()> {
    match &args.command {
        BookCommand::Build(args) => build(args, out),
        BookCommand::Show(args) => show(args, out),
    }
}

fn build(args: &BuildArgs, out: &mut impl Write) -> Result<()> {
    let inputs: Vec<&Path> = args.games.iter().map(PathBuf::as_path).collect();
    output::check_stdout(&inputs)?;
    output::check(&args.output, args.force.existing(), &inputs)?;
    let mut counter = Replay::new(Counter { depth: args.depth, ..Counter::default() });
    for path in &args.games {
        count(path, &mut counter).with_context(|| format!("{} cannot be read", path.display()))?;
    }
    let counter = counter.into_inner();
    let bytes = counter.builder.build(args.min_games);
    if bytes.is_empty() {
        bail!(counter.no_moves(args.min_games));
    }
    let Counter { games, chess960_games, .. } = counter;
    if chess960_games > 0 {
        let left_out = counted(chess960_games, "game");
        // A closed standard error must not fail the command.
        let _ = writeln!(
            io::stderr(),
            "left out {left_out} of Chess960, whose castling the format does not have"
        );
    }
    output::write(&args.output, &bytes, args.force.existing(), &inputs)?;
    let (moves, games) = (counted(bytes.len() as u64 / 16, "move"), counted(games, "game"));
    let message = format!("wrote {moves} from {games} to {}", args.output.display());
    if output::is_stdout(&args.output) {
        // A closed standard error must not fail the command.
        let _ = writeln!(io::stderr(), "{message}");
    } else {
        writeln!(out, "{message}")?;
    }
    Ok(())
}

fn count(path: &Path, counter: &mut Replay<Counter>) -> io::Result<()> {
    let mut reader = PgnReader::new(input::open_stream(path)?);
    let mut number = 0;
    while let Some(warnings) = reader.read_game(counter)? {
        number += 1;
        for warning in warnings.lines() {
            // A closed standard error must not stop the command.
            let _ = writeln!(io::stderr(), "{}, game {number}: {warning}", path.display());
        }
    }
    Ok(())
}

/// Collects the first moves of each game and passes them to the builder once the result is known.
#[derive(Default)]
struct Counter {
    depth: usize,
    builder: PolyglotBuilder,
    moves: Vec<(Position, Move)>,
    result: GameResult,
    /// Number of games whose moves the book can have.
    games: u64,
    /// True if one of them has a move.
    has_moves: bool,
    /// Number of games of Chess960, which the book cannot have.
    chess960_games: u64,
    warnings: GameWarnings,
}

impl Counter {
    /// The reason why a book of moves that were played in `min_games` games has none.
    fn no_moves(&self, min_games: u64) -> String {
        match self.games {
            0 => "there is no valid game of standard chess".to_owned(),
            1 if min_games > 1 => format!("there is only one game (--min-games {min_games})"),
            games if games < min_games => format!("there are only {games} games (--min-games {min_games})"),
            _ if !self.has_moves => "no game has a move".to_owned(),
            _ if self.builder.build(1).is_empty() => {
                "no move has a score: the side that played it lost every game".to_owned()
            }
            games => format!(
                "no move with a score was played in {min_games} of the {games} games: \
                 try a smaller --min-games"
            ),
        }
    }
}

impl GameVisitor for Counter {
    /// The errors of the game: tokens that were skipped, and the move at which it ends if that is illegal. The other moves are
    /// counted.
    type Output = GameWarnings;

    fn begin_game(&mut self) {
        self.moves.clear();
        self.result = GameResult::Unknown;
        self.warnings = GameWarnings::default();
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        if tag.name_bytes() == b"Result" {
            self.result = tag.value().parse().unwrap_or_default();
        }
        Next::Read
    }

    fn start(&mut self, position: &Position) -> Next {
        // The format cannot represent Chess960 castling.
        if !position.has_standard_castling() {
            self.chess960_games += 1;
            return Next::Skip;
        }
        self.games += 1;
        Next::Read
    }

    fn play(&mut self, position: &Position, mv: Move) -> Next {
        if self.moves.len() < self.depth {
            self.moves.push((position.clone(), mv));
        }
        Next::Read
    }

    fn result(&mut self, result: GameResult) {
        self.result = result;
    }

    fn error(&mut self, error: ReplayError) -> Next {
        self.warnings.push(&error);
        Next::Read
    }

    fn end_game(&mut self, _: &Position) -> Self::Output {
        self.has_moves |= !self.moves.is_empty();
        // A repetition is no further game.
        let mut counted = HashSet::new();
        for (position, mv) in &self.moves {
            if counted.insert((polyglot_key(position), *mv)) {
                self.builder.add(position, *mv, self.result);
            }
        }
        std::mem::take(&mut self.warnings)
    }
}

fn show(args: &ShowArgs, out: &mut impl Write) -> Result<()> {
    // If the first argument names a file, it is the book, and the FEN follows.
    let (named, fen) = match &args.fen[..] {
        [file, fen @ ..] if args.book.is_none() && position::is_file_name(file, "bin") => {
            (Some(Path::new(file)), fen)
        }
        fen => (args.book.as_deref(), fen),
    };
    let position = position::from_args(fen)?;
    let book = named.map_or_else(|| Ok(Book::main_lines()), Book::open)?;
    let moves = book.moves(&position);
    let total: u32 = moves.iter().map(|entry| entry.weight).sum();
    writeln!(out, "{} of {} book moves in {position}", moves.len(), book.len())?;
    for entry in moves {
        let share = 100.0 * f64::from(entry.weight) / f64::from(total.max(1));
        let mv = variation::numbered(&position, &[entry.mv]);
        writeln!(out, "{mv:<14} {share:>5.1} %  {:>8}", entry.weight)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(pgn: &str) -> Counter {
        let mut counter = Replay::new(Counter { depth: 24, ..Counter::default() });
        let mut reader = PgnReader::new(pgn.as_bytes());
        while reader.read_game(&mut counter).unwrap().is_some() {}
        counter.into_inner()
    }

    #[test]
    fn empty_book_has_a_reason_that_is_true() {
        let three = "1. e4 e5 *\n\n1. d4 *\n\n1. e4 *";
        let lost = "1. e4 0-1\n\n1. e4 0-1\n\n1. e4 0-1";
        let no_score = "no move has a score: the side that played it lost every game";
        let too_few = "no move with a score was played in 3 of the 3 games: try a smaller --min-games";
        for (pgn, min_games, reason) in [
            ("", 1, Some("there is no valid game of standard chess")),
            (
                "[FEN \"4k3/8/8/8/8/8/8/4K1R1 w G - 0 1\"]\n\n1. Rg2 *",
                1,
                Some("there is no valid game of standard chess"),
            ),
            ("1. e4 *", 3, Some("there is only one game (--min-games 3)")),
            ("1. e4 *", 1, None),
            (three, 4, Some("there are only 3 games (--min-games 4)")),
            (three, 3, Some(too_few)),
            (three, 2, None),
            ("1-0", 1, Some("no game has a move")),
            ("1. e4 0-1", 1, Some(no_score)),
            (lost, 3, Some(no_score)),
            ("1. e4 0-1\n\n1. e4 0-1\n\n1. d4 1-0", 3, Some(too_few)),
        ] {
            let counter = counted(pgn);
            assert_eq!(counter.builder.build(min_games).is_empty(), reason.is_some(), "{pgn}, {min_games}");
            if let Some(reason) = reason {
                assert_eq!(counter.no_moves(min_games), reason, "{pgn}");
            }
        }
    }

    #[test]
    fn repeated_moves_count_once_in_a_game() {
        let counter = counted("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 1/2-1/2\n\n1. e4 *");
        assert_eq!(counter.builder.build(1).len() / 16, 5);
        assert!(counter.builder.build(2).is_empty());
    }
}
