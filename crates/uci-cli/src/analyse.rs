//! `tabiya analyse`: a position, and what the engine thinks of it.

mod json;

use crate::cli::{AnalyseArgs, EngineArgs, LimitArgs};
use crate::diagram::{Diagram, Look};
use crate::player::{Heard, Player};
use crate::{line, position, style};
use anyhow::{Result, bail};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;
use tabiya_core::{Bound, Color};
use tabiya_movegen::{Game, Position};
use tabiya_search::{BestMove, Info, Limits, Options, Score, SearchEvent};

/// How long an analysis takes if nothing else is said.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

impl LimitArgs {
    /// The limits of a search; `default` if none is given.
    pub(crate) fn limits(&self, default: Duration) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && self.movetime.is_none();
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime.or(unlimited.then_some(default)),
            ..Limits::default()
        }
    }
}

impl EngineArgs {
    /// An engine set up like this.
    ///
    /// # Errors
    /// If there is no memory for the table, or the system starts no threads.
    pub(crate) fn player(&self) -> Result<Player> {
        let threads = usize::from(self.threads);
        let options =
            Options { hash_mb: self.hash, threads, evaluation: self.evaluation, ..Options::default() };
        Ok(Player::new(options)?)
    }
}

/// Runs the subcommand.
///
/// # Errors
/// If the FEN cannot be read, the engine cannot be set up, or nothing can be written.
pub(crate) fn run(args: &AnalyseArgs, out: &mut impl Write) -> Result<()> {
    let position = position::from_words(&args.fen)?;
    let colors = style::wanted();
    if !args.json {
        let look = Look { symbols: args.symbols, colors };
        writeln!(out, "{}\n{position}\n", Diagram { look, ..Diagram::new(position.board()) })?;
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
    // Several lines are drawn over the last ones where that is possible.
    let width = width.filter(|_| args.multipv > 1 && io::stdout().is_terminal());
    let mut table = Table { position, colors, width, numbered: args.multipv > 1, drawn: 0, last: Vec::new() };
    if !args.json {
        writeln!(out, "{}", table.header())?;
        out.flush()?;
    }
    let mut player = args.engine.player()?;
    let limits = Limits { multipv: usize::from(args.multipv), ..args.limits.limits(DEFAULT_TIME) };
    let mut thinking = player.think(&game, limits);
    while let Ok(event) = thinking.events().recv() {
        match thinking.hear(event) {
            Heard::Event(SearchEvent::Info(info)) if args.json => {
                writeln!(out, "{}", json::info(position, &info))?;
            }
            Heard::Event(SearchEvent::Info(info)) => table.add(info, out)?,
            Heard::Answer(_, answer) if args.json => {
                writeln!(out, "{}", json::best_move(position, answer))?;
                return Ok(());
            }
            Heard::Answer(_, answer) => return conclude(position, answer, out),
            _ => {}
        }
        out.flush()?;
    }
    bail!("the search has failed")
}

fn conclude(position: &Position, answer: BestMove, out: &mut impl Write) -> Result<()> {
    let Some(best) = answer.best else { bail!("the search has found no move") };
    write!(out, "\nBest move: {}", line::numbered(position, &[best]))?;
    if let Some(reply) = answer.ponder
        && let Ok(next) = position.play(best)
    {
        write!(out, ", expecting {}", line::numbered(&next, &[reply]))?;
    }
    writeln!(out)?;
    Ok(())
}

const EXPLANATION: &str = "Scores are in pawns from White's point of view; #3 is mate in 3 moves.";
const HEADER: &str = "depth    score       time         nodes  nodes/s  line";

/// The table of what the search has found.
struct Table<'a> {
    position: &'a Position,
    colors: bool,
    /// Of a terminal on which rows can be drawn again; rows are added below where there is none.
    width: Option<usize>,
    /// Tell which of several lines a row is.
    numbered: bool,
    /// How many rows are to be drawn over.
    drawn: usize,
    /// The latest report of each line.
    last: Vec<Info>,
}

impl Table<'_> {
    fn header(&self) -> String {
        let header = if self.numbered { format!("  # {HEADER}") } else { HEADER.to_owned() };
        let header = if self.colors { style::bold(header) } else { header };
        format!("{EXPLANATION}\n\n{header}")
    }

    fn add(&mut self, info: Info, out: &mut impl Write) -> io::Result<()> {
        let place = (info.multipv as usize).max(1) - 1;
        // The last report of a search often repeats the one before it.
        let what = |info: &Info| (info.depth, info.score, info.bound, info.pv.clone());
        if self.last.get(place).is_some_and(|last| what(last) == what(&info)) {
            return Ok(());
        }
        if place < self.last.len() {
            self.last[place] = info;
        } else {
            self.last.push(info);
        }
        match self.width {
            None => {
                let row = self.last.get(place).or(self.last.last()).map(|info| self.row(info));
                writeln!(out, "{}", row.unwrap_or_default())
            }
            Some(width) => {
                if self.drawn > 0 {
                    // Up, and everything below is cleared.
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
        f.write_str(&line::numbered(position, &info.pv))
    }
}

/// A score of the side to move as White sees it.
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

/// A number in at most four digits and a letter: `950`, `12.3k`, `4.56M`.
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
    fn a_row_is_from_whites_point_of_view() {
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
    fn several_lines_are_drawn_over_the_last_ones() {
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
    fn short_numbers() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1000, "1.0k"), (4_560_000, "4.56M"), (u64::MAX, "18446744073.71G")]
        {
            assert_eq!(short(number), text);
        }
    }
}
