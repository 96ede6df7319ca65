//! `tabiya analyse`: analysis of a position as a table, as JSON, or as a web page.

mod json;
mod page;
mod table;
mod why;

use crate::args::{EngineArgs, ForceArgs, LimitArgs, describe_tablebases};
use crate::diagram::{Diagram, DiagramStyle, squares_of};
use crate::game_file::{self, GameArgs};
use crate::interrupt::Interrupt;
use crate::{position, style, variation};
use anyhow::{Context, Result, bail};
use clap::Args;
use page::Page;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tabiya_core::{Bitboard, Bound, Color, Move, MoveList};
use tabiya_movegen::{Game, GameTree, Position};
use tabiya_review::{Canceller, LastReport};
use tabiya_search::{BestMove, Engine, Limits, Score, SearchEvent};
use table::Table;
use why::BestLine;

/// Search time if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Analyse a position and show the best lines.
#[derive(Args, Debug)]
#[command(
    visible_alias = "analyze",
    after_help = "\
Examples:
  tabiya analyse
  tabiya analyse r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - --depth 12
  tabiya analyse --movetime 1m '8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47'
  tabiya analyse game.pgn --ply 24 --infinite
  tabiya analyse games.pgn --game 3 --multipv 3 --threads 2 --movetime 10s
  tabiya analyse --depth 12 --json | jq .san
  tabiya analyse game.pgn --ply 24 --multipv 3 --html analysis.html
  tabiya analyse e4 e5 Nf3 --why-not f6

The search ends at the first limit reached, or after 5 seconds if none is given. Ctrl-C ends it at once; the
best move found so far is printed."
)]
pub struct AnalyseArgs {
    /// Position to analyse, or a PGN file (- for standard input) [default: start position].
    #[arg(value_name = "FEN|FILE.pgn")]
    fen: Vec<OsString>,
    #[command(flatten)]
    position: GameArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Search until Ctrl-C.
    #[arg(long, conflicts_with_all = ["depth", "nodes", "movetime", "why_not"])]
    infinite: bool,
    /// Also say why this move is worse than the best one, after a search of the position after it.
    #[arg(long, value_name = "MOVE")]
    why_not: Option<String>,
    /// Number of lines to show, each with a different first move.
    #[arg(long, value_name = "LINES", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MoveList::CAPACITY as i64))]
    multipv: u16,
    #[command(flatten)]
    engine: EngineArgs,
    /// Draw the board with chess symbols instead of letters.
    #[arg(long)]
    symbols: bool,
    /// Print one JSON object per line instead of a table. Scores are from White's point of view.
    #[arg(long)]
    json: bool,
    /// Also write the analysis as a web page: a board, the game, and the lines to play through.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

impl AnalyseArgs {
    /// The PGN file, if one is given.
    fn file(&self) -> Option<&Path> {
        match &self.fen[..] {
            [argument] if position::is_file_name(argument, "pgn") => Some(Path::new(argument)),
            _ => None,
        }
    }

    /// The game up to the position to analyse, and the file's game if there is one.
    fn game(&self) -> Result<(Game, Option<GameTree>)> {
        if let Some(file) = self.file() {
            let tree = game_file::read(file, self.position.game)?;
            return Ok((game_file::game_at(&tree, self.position.ply)?, Some(tree)));
        }
        if self.position != GameArgs::default() {
            bail!("--game and --ply need a PGN file");
        }
        Ok((position::game_from_args(&self.fen)?, None))
    }

    /// The move to compare with the best one.
    fn alternative(&self, position: &Position) -> Result<Option<Move>> {
        let Some(text) = &self.why_not else { return Ok(None) };
        let mv = position.parse_uci(text).or_else(|_| position.parse_san(text));
        mv.map(Some).with_context(|| format!("--why-not {text}"))
    }

    fn limits(&self) -> Limits {
        let limits = match self.infinite {
            true => Limits::infinite(),
            false => self.limits.limits_or(Limits::movetime(DEFAULT_TIME)),
        };
        limits.with_multipv(usize::from(self.multipv))
    }
}

/// Runs `tabiya analyse`.
///
/// # Errors
/// If the position is invalid, the engine cannot be set up, or output fails.
pub(crate) fn run(args: &AnalyseArgs, out: &mut impl Write) -> Result<()> {
    let (game, tree) = args.game()?;
    let mut page = args.html.as_deref().map(|path| Page::new(path, args)).transpose()?;
    let colors = style::use_colors();
    let board_style = DiagramStyle { symbols: args.symbols, colors };
    let position = game.position();
    let alternative = args.alternative(position)?;
    if !args.json {
        if let Some(tree) = &tree {
            writeln!(out, "{}", heading(tree, &game))?;
        }
        let marked = game.moves().last().map_or(Bitboard::EMPTY, |&mv| squares_of(mv));
        let diagram = Diagram { marked, style: board_style, ..Diagram::new(position.board()) };
        writeln!(out, "{diagram}\n{position}\n")?;
    }
    if let Some(outcome) = game.outcome().filter(|_| !position.has_legal_move()) {
        match args.json {
            true => writeln!(out, "{}", json::outcome(position, outcome))?,
            false => writeln!(out, "The game is over: {outcome}")?,
        }
        return page.map_or(Ok(()), |page| page.write(&game, tree, ""));
    }
    let mut engine = args.engine.engine()?;
    let notices = print_notices(&engine, 0, args.json, out)?;
    let mut table = Table::new(position, colors, args.multipv > 1);
    if !args.json {
        writeln!(out, "{}", table.header())?;
        out.flush()?;
    }
    let search = engine.go(&game, args.limits());
    let stop = search.stop_handle();
    let interrupt = Interrupt::install()?;
    interrupt.searching(stop);
    let (mut best_move, mut last, mut certain) = (BestMove::default(), None, LastReport::default());
    for event in search.events() {
        match event {
            SearchEvent::Info(info) => {
                if let Some(page) = &mut page {
                    page.add(&info);
                }
                if info.multipv <= 1 {
                    last = Some(info.clone());
                }
                certain.add(info.clone());
                match args.json {
                    true => writeln!(out, "{}", json::info(position, &info))?,
                    false => table.add(info, out)?,
                }
            }
            SearchEvent::BestMove(answer) => best_move = answer,
            _ => {}
        }
        out.flush()?;
    }
    print_notices(&engine, notices, args.json, out)?;
    let best_line = best_move.best.zip(last).and_then(|(best, last)| {
        BestLine::new(&game, best, [certain.info(), Some(&last)], &engine.options().tablebases)
    });
    let purpose = best_line.as_ref().and_then(|line| line.purpose.as_ref());
    match args.json {
        true => writeln!(out, "{}", json::best_move(position, best_move, purpose))?,
        false => {
            print_best_move(position, best_move, board_style, out)?;
            if let (Some(best), Some(purpose)) = (best_move.best, purpose) {
                writeln!(out, "{} {purpose}.", position.san(best))?;
            }
        }
    }
    if let (Some(line), Some(mv)) = (&best_line, alternative) {
        out.flush()?;
        let (canceller, cancel) = Canceller::new();
        interrupt.working(move || drop(canceller));
        match line.compare(mv, &game, engine, args.limits(), &cancel) {
            Some(compared) if args.json => writeln!(out, "{}", compared.json(position))?,
            Some(compared) => writeln!(out, "{}", compared.text())?,
            None => {}
        }
    }
    page.map_or(Ok(()), |page| page.write(&game, tree, args.engine.evaluation()?.name()))
}

/// The players of a game, and the last move before the position.
fn heading(tree: &GameTree, game: &Game) -> String {
    let player = |tag| tree.tag(tag).map_or_else(|| "?".to_owned(), style::printable);
    let last = match (game.positions().nth_back(1), game.moves()) {
        (Some(before), [.., mv]) => format!("after {}", variation::numbered(before, &[*mv])),
        _ => "before the first move".to_owned(),
    };
    format!("{} - {}, {last}\n", player("White"), player("Black"))
}

/// Prints the messages about tablebases after the first `printed`, and returns the number of all.
fn print_notices(engine: &Engine, printed: usize, is_json: bool, out: &mut impl Write) -> io::Result<usize> {
    let Some(tables) = &engine.options().tablebases.tables else { return Ok(0) };
    let mut notices = vec![describe_tablebases(tables)];
    notices.extend(tables.problems().iter().map(ToString::to_string));
    for notice in &notices[printed..] {
        match is_json {
            // A closed standard error must not stop the analysis.
            true => drop(writeln!(io::stderr(), "{notice}")),
            false => writeln!(out, "{notice}\n")?,
        }
    }
    Ok(notices.len())
}

fn print_best_move(
    position: &Position,
    answer: BestMove,
    style: DiagramStyle,
    out: &mut impl Write,
) -> Result<()> {
    let Some(best) = answer.best else { bail!("the search found no move") };
    let diagram = Diagram { marked: squares_of(best), style, ..Diagram::new(position.board()) };
    write!(out, "\n{diagram}\nBest move: {}", variation::numbered(position, &[best]))?;
    if let Some(reply) = answer.ponder
        && let Ok(next) = position.play(best)
    {
        write!(out, ", expecting {}", variation::numbered(&next, &[reply]))?;
    }
    writeln!(out)?;
    Ok(())
}

/// The size of a terminal, in characters.
#[derive(Clone, Copy)]
struct TerminalSize {
    rows: usize,
    columns: usize,
}

/// The size of the terminal, if standard output is one.
fn terminal_size() -> Option<TerminalSize> {
    let size = console::Term::stdout().size_checked().filter(|_| io::stdout().is_terminal());
    size.map(|(rows, columns)| TerminalSize { rows: rows.into(), columns: columns.into() })
}

/// Converts a score and its bound from the side to move's to White's point of view.
fn white_view(score: Score, bound: Bound, side_to_move: Color) -> (Score, Bound) {
    if side_to_move == Color::White {
        return (score, bound);
    }
    let score = match score {
        Score::Centipawns(value) => Score::Centipawns(-value),
        Score::Mate(moves) => Score::Mate(-moves),
    };
    let bound = match bound {
        Bound::Exact => Bound::Exact,
        Bound::Lower => Bound::Upper,
        Bound::Upper => Bound::Lower,
    };
    (score, bound)
}
