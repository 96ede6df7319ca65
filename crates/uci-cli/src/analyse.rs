//! `tabiya analyse`: a position, and what the engine thinks of it.

use crate::cli::{AnalyseArgs, EngineArgs, LimitArgs};
use crate::diagram::Diagram;
use crate::{line, position};
use anyhow::{Result, bail};
use std::fmt;
use std::io::Write;
use std::time::Duration;
use tabiya_core::Color;
use tabiya_movegen::{Game, Position};
use tabiya_search::{BestMove, Bound, Engine, Info, Limits, Options, Score, SearchEvent};

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
    /// If there is no memory for the table.
    pub(crate) fn engine(&self) -> Result<Engine> {
        let options = Options { hash_mb: self.hash, evaluation: self.evaluation, ..Options::default() };
        Ok(Engine::new(options)?)
    }
}

/// Runs the subcommand.
///
/// # Errors
/// If the FEN cannot be read, the engine cannot be set up, or nothing can be written.
pub(crate) fn run(args: &AnalyseArgs, out: &mut impl Write) -> Result<()> {
    let position = position::from_words(&args.fen)?;
    let diagram = Diagram { symbols: args.symbols, ..Diagram::new(position.board()) };
    writeln!(out, "{diagram}\n{position}\n")?;
    let game = Game::from_position(position);
    if let Some(outcome) = game.outcome().filter(|_| !game.position().has_legal_move()) {
        writeln!(out, "The game is over: {outcome}")?;
        return Ok(());
    }
    let position = game.position();
    writeln!(out, "{HEADER}")?;
    out.flush()?;
    let mut engine = args.engine.engine()?;
    let search = engine.go(&game, args.limits.limits(DEFAULT_TIME));
    let mut last = None;
    for event in search.events() {
        match event {
            SearchEvent::Info(info) => {
                // The last report of a search often repeats the one before it.
                let what = (info.depth, info.score, info.bound, info.pv.clone());
                if last.as_ref() != Some(&what) {
                    writeln!(out, "{}", Row { info: &info, position })?;
                    out.flush()?;
                }
                last = Some(what);
            }
            SearchEvent::CurrentMove { .. } => {}
            SearchEvent::BestMove(answer) => return conclude(position, answer, out),
        }
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

const HEADER: &str = "\
Scores are in pawns from White's point of view; #3 is mate in 3 moves.

depth    score       time         nodes  nodes/s  line";

/// A row of the table.
struct Row<'a> {
    info: &'a Info,
    position: &'a Position,
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { info, position } = self;
        let (score, bound) = white_view(info.score, info.bound, position.side_to_move());
        let sign = match bound {
            Bound::Exact => "",
            Bound::Lower => ">=",
            Bound::Upper => "<=",
        };
        write!(f, "{:>5} {:>8}", info.depth, format!("{sign}{score}"))?;
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
    use tabiya_search::Wdl;

    #[test]
    fn a_row_is_from_whites_point_of_view() {
        let position: Position = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7".parse().unwrap();
        let info = Info {
            depth: 3,
            seldepth: 5,
            multipv: 1,
            score: Score::Centipawns(-135),
            bound: Bound::Lower,
            nodes: 12345,
            time: Duration::from_millis(1500),
            hashfull: 0,
            wdl: Wdl { win: 0, draw: 1000, loss: 0 },
            tb_hits: 0,
            pv: vec![position.parse_uci("e8e7").unwrap()],
        };
        let row = Row { info: &info, position: &position }.to_string();
        assert_eq!(row, "    3  <=+1.35      1.50s         12345     8.2k  7... Ke7");
        assert_eq!(row.find("7..."), HEADER.lines().last().and_then(|line| line.find("line")));
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
