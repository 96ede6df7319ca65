//! `tabiya epd`: test suites, from the terminal.

use crate::cli::{EngineArgs, LimitArgs};
use crate::line;
use anyhow::{Context, Result, bail};
use clap::Args;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use tabiya_core::Epd;
use tabiya_core::notation::San;
use tabiya_movegen::{Game, Position};

/// How long each position gets if nothing else is said.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Solve the positions of a test suite: find the best moves (bm), and avoid the bad ones (am).
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya epd wac.epd
  tabiya epd wac.epd --nodes 200000 --hash 128

Without a limit each position gets a second. Positions with neither bm nor am are passed over.")]
pub(crate) struct EpdArgs {
    /// The suite.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs the subcommand.
///
/// # Errors
/// If the file cannot be read, a line of it is no EPD, or nothing can be written.
pub(crate) fn run(args: &EpdArgs, out: &mut impl Write) -> Result<()> {
    let name = args.file.display();
    let text = fs::read_to_string(&args.file).with_context(|| format!("{name} cannot be read"))?;
    let mut player = args.engine.player()?;
    let limits = args.limits.limits(DEFAULT_TIME);
    let (mut solved, mut tried) = (0, 0);
    for (number, epd) in Epd::parse_lines(&text) {
        let epd = epd.with_context(|| format!("{name}, line {number}"))?;
        let task = Task::of(&epd).with_context(|| format!("{name}, line {number}"))?;
        if task.best.is_empty() && task.avoid.is_empty() {
            continue;
        }
        player.new_game();
        let answer = player.think(&Game::from_position(task.position.clone()), limits.clone()).wait();
        let mv = answer.best.with_context(|| format!("{name}, line {number}: there is no legal move"))?;
        let found = task.position.san(mv);
        let is_solved = task.is_solved_by(&found.to_string());
        tried += 1;
        solved += usize::from(is_solved);
        let word = if is_solved { "solved" } else { "failed" };
        let id = epd.id().map_or_else(|| format!("line {number}"), str::to_owned);
        write!(out, "{word}  {id:<20} {:<12}", line::numbered(&task.position, &[mv]))?;
        writeln!(out, " {}", if is_solved { String::new() } else { task.wish() })?;
        out.flush()?;
    }
    if tried == 0 {
        bail!("{name} has no position with bm or am");
    }
    writeln!(out, "\n{solved} of {tried} solved")?;
    Ok(())
}

/// What is asked about a position.
struct Task {
    position: Position,
    best: Vec<String>,
    avoid: Vec<String>,
}

impl Task {
    fn of(epd: &Epd) -> Result<Task> {
        let position = Position::from_fen(&epd.board.to_string())?;
        let moves = |moves: &[San]| -> Result<Vec<String>> {
            let normal = |san: &San| -> Result<String> {
                let mv = position.resolve_san(*san).with_context(|| format!("{san} cannot be played"))?;
                Ok(position.san(mv).to_string())
            };
            moves.iter().map(normal).collect()
        };
        Ok(Task { best: moves(epd.best_moves())?, avoid: moves(epd.avoid_moves())?, position })
    }

    fn is_solved_by(&self, found: &str) -> bool {
        let is_best = self.best.is_empty() || self.best.iter().any(|best| best == found);
        is_best && !self.avoid.iter().any(|avoid| avoid == found)
    }

    fn wish(&self) -> String {
        let mut parts = Vec::new();
        if !self.best.is_empty() {
            parts.push(format!("best {}", self.best.join(" ")));
        }
        if !self.avoid.is_empty() {
            parts.push(format!("avoid {}", self.avoid.join(" ")));
        }
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_moves_and_moves_to_avoid() {
        let task = |line: &str| Task::of(&line.parse().unwrap());
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        let both = task(&format!("{fen} bm e4 e3; am Kd1;")).unwrap();
        assert!(both.is_solved_by("e4") && !both.is_solved_by("Kd1") && !both.is_solved_by("Kf1"));
        assert_eq!(both.wish(), "best e4 e3, avoid Kd1");
        let avoid = task(&format!("{fen} am Kd1;")).unwrap();
        assert!(avoid.is_solved_by("Kf1") && !avoid.is_solved_by("Kd1"));
        assert!(task(&format!("{fen} bm e5;")).is_err());
    }
}
