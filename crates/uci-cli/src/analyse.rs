//! `tabiya analyse`: analysis of a position as a table or as JSON.

mod json;

use crate::args::{EngineArgs, LimitArgs};
use crate::controller::Report;
use crate::diagram::{Diagram, DiagramStyle};
use crate::options::MAX_MULTIPV;
use crate::{position, style, variation};
use anyhow::{Result, bail};
use clap::Args;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;
use tabiya_core::{Bound, Color};
use tabiya_movegen::{Game, Position};
use tabiya_search::{BestMove, Info, Limits, Score};

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
  tabiya analyse --multipv 3 --threads 2 --movetime 10s
  tabiya analyse --depth 12 --json | jq .san

The search ends at the first limit reached, or after 5 seconds if none is given."
)]
pub(crate) struct AnalyseArgs {
    /// Position to analyse [default: start position].
    #[arg(value_name = "FEN")]
    fen: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Number of lines to show, each with a different first move.
    #[arg(long, value_name = "LINES", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_MULTIPV as i64))]
    multipv: u16,
    #[command(flatten)]
    engine: EngineArgs,
    /// Draw the board with chess symbols instead of letters.
    #[arg(long)]
    symbols: bool,
    /// Print one JSON object per line instead of a table. Scores are from White's point of view.
    #[arg(long)]
    json: bool,
}

/// Runs `tabiya analyse`.
///
/// # Errors
/// If the FEN is invalid, the engine cannot be set up, or output fails.
pub(crate) fn run(args: &AnalyseArgs, out: &mut impl Write) -> Result<()> {
    let position = position::from_args(&args.fen)?;
    let colors = style::use_colors();
    if !args.json {
        let style = DiagramStyle { symbols: args.symbols, colors };
        writeln!(out, "{}\n{position}\n", Diagram { style, ..Diagram::new(position.board()) })?;
    }
    let game = Game::from_position(position);
    let position = game.position();
    if let Some(outcome) = game.outcome().filter(|_| !position.has_legal_move()) {
        match args.json {
            true => writeln!(out, "{}", json::outcome(position, outcome))?,
            false => writeln!(out, "The game is over: {outcome}")?,
        }
        return Ok(());
    }
    let width = console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    // On a terminal, several lines are redrawn in place.
    let width = width.filter(|_| args.multipv > 1 && io::stdout().is_terminal());
    let mut table = Table { position, colors, width, numbered: args.multipv > 1, drawn: 0, last: Vec::new() };
    if !args.json {
        writeln!(out, "{}", table.header())?;
        out.flush()?;
    }
    let mut controller = args.engine.controller()?;
    let limits = args.limits.limits_or(Limits::movetime(DEFAULT_TIME));
    let limits = Limits { multipv: usize::from(args.multipv), ..limits };
    let mut search = controller.search(&game, limits);
    while let Ok(event) = search.events().recv() {
        match search.report(event) {
            Some(Report::Info(info)) if args.json => writeln!(out, "{}", json::info(position, &info))?,
            Some(Report::Info(info)) => table.add(info, out)?,
            Some(Report::BestMove { answer, .. }) if args.json => {
                writeln!(out, "{}", json::best_move(position, answer))?;
                return Ok(());
            }
            Some(Report::BestMove { answer, .. }) => return print_best_move(position, answer, out),
            Some(Report::CurrentMove { .. }) | None => {}
        }
        out.flush()?;
    }
    bail!("the search has failed")
}

fn print_best_move(position: &Position, answer: BestMove, out: &mut impl Write) -> Result<()> {
    let Some(best) = answer.best else { bail!("the search found no move") };
    write!(out, "\nBest move: {}", variation::numbered(position, &[best]))?;
    if let Some(reply) = answer.ponder
        && let Ok(next) = position.play(best)
    {
        write!(out, ", expecting {}", variation::numbered(&next, &[reply]))?;
    }
    writeln!(out)?;
    Ok(())
}

const LEGEND: &str = "Scores are in pawns from White's point of view; #3 is mate in 3 moves.";
const HEADER: &str = "depth    score       time         nodes  nodes/s  line";

/// The table of reported lines.
struct Table<'a> {
    position: &'a Position,
    colors: bool,
    /// The width of a terminal on which rows are redrawn; `None` to append rows.
    width: Option<usize>,
    /// True if rows begin with the number of the line.
    numbered: bool,
    /// The number of rows to redraw.
    drawn: usize,
    /// The latest report of each line.
    last: Vec<Info>,
}

impl Table<'_> {
    fn header(&self) -> String {
        let header = if self.numbered { format!("  # {HEADER}") } else { HEADER.to_owned() };
        let header = if self.colors { style::bold(header) } else { header };
        format!("{LEGEND}\n\n{header}")
    }

    fn add(&mut self, info: Info, out: &mut impl Write) -> io::Result<()> {
        let index = (info.multipv as usize).max(1) - 1;
        // The last report of a search often repeats the one before it.
        let content = |info: &Info| (info.depth, info.score, info.bound, info.pv.clone());
        if self.last.get(index).is_some_and(|last| content(last) == content(&info)) {
            return Ok(());
        }
        if index < self.last.len() {
            self.last[index] = info;
        } else {
            self.last.push(info);
        }
        match self.width {
            None => {
                let row = self.last.get(index).or(self.last.last()).map(|info| self.row(info));
                writeln!(out, "{}", row.unwrap_or_default())
            }
            Some(width) => {
                if self.drawn > 0 {
                    // Cursor up, and clear to the end of the screen.
                    write!(out, "\u{1b}[{}A\u{1b}[J", self.drawn)?;
                }
                self.drawn = self.last.len();
                for info in &self.last {
                    writeln!(out, "{}", console::truncate_str(&self.row(info), width.max(20) - 1, "…"))?;
                }
                Ok(())
            }
        }
    }

    fn row(&self, info: &Info) -> String {
        let row = Row { info, position: self.position, colors: self.colors };
        if self.numbered { format!("{:>3} {row}", info.multipv) } else { row.to_string() }
    }
}

/// A row of the table.
struct Row<'a> {
    info: &'a Info,
    position: &'a Position,
    colors: bool,
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { info, position, colors } = self;
        let (score, bound) = white_view(info.score, info.bound, position.side_to_move());
        let sign = match bound {
            Bound::Exact => "",
            Bound::Lower => ">=",
            Bound::Upper => "<=",
        };
        let text = format!("{:>8}", format!("{sign}{score}"));
        let text = match score {
            Score::Centipawns(value) | Score::Mate(value) if *colors && value > 0 => style::green(text),
            Score::Centipawns(value) | Score::Mate(value) if *colors && value < 0 => style::red(text),
            _ => text,
        };
        write!(f, "{:>5} {text}", info.depth)?;
        write!(f, " {:>9.2}s {:>13} {:>8}  ", info.time.as_secs_f64(), info.nodes, short(info.nps()))?;
        f.write_str(&variation::numbered(position, &info.pv))
    }
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

/// Formats a number with an SI suffix: `950`, `12.3k`, `4.56M`.
fn short(number: u64) -> String {
    let number = number as f64;
    match number {
        n if n < 1e3 => format!("{n:.0}"),
        n if n < 1e6 => format!("{:.1}k", n / 1e3),
        n if n < 1e9 => format!("{:.2}M", n / 1e6),
        n => format!("{:.2}G", n / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_from_whites_point_of_view() {
        let position: Position = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7".parse().unwrap();
        let info = Info::new(3, Score::Centipawns(-135))
            .with_seldepth(5)
            .with_bound(Bound::Lower)
            .with_nodes(12345)
            .with_time(Duration::from_millis(1500))
            .with_pv(vec![position.parse_uci("e8e7").unwrap()]);
        let row = Row { info: &info, position: &position, colors: false }.to_string();
        assert_eq!(row, "    3  <=+1.35      1.50s         12345     8.2k  7... Ke7");
        assert_eq!(row.find("7..."), HEADER.find("line"));
    }

    #[test]
    fn redraws_several_lines_in_place() {
        let position = Position::startpos();
        let info = |depth, multipv, mv: &str| {
            Info::new(depth, Score::Centipawns(20))
                .with_seldepth(5)
                .with_multipv(multipv)
                .with_nodes(1)
                .with_pv(vec![position.parse_uci(mv).unwrap()])
        };
        let mut out = Vec::new();
        let mut table = Table {
            position: &position,
            colors: false,
            width: Some(60),
            numbered: true,
            drawn: 0,
            last: Vec::new(),
        };
        for (depth, multipv, mv) in [(1, 1, "e2e4"), (1, 2, "d2d4"), (2, 1, "d2d4"), (2, 1, "d2d4")] {
            table.add(info(depth, multipv, mv), &mut out).unwrap();
        }
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches("\u{1b}[1A\u{1b}[J").count(), 1, "{text:?}");
        assert_eq!(text.matches("\u{1b}[2A\u{1b}[J").count(), 1, "{text:?}");
        assert_eq!(text.lines().count(), 5);
        assert!(text.lines().all(|line| console::measure_text_width(line) < 60));
    }

    #[test]
    fn abbreviates_numbers() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1000, "1.0k"), (4_560_000, "4.56M"), (u64::MAX, "18446744073.71G")]
        {
            assert_eq!(short(number), text);
        }
    }
}
