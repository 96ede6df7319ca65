//! `tabiya epd`: solving test suites.

use crate::args::{EngineArgs, LimitArgs};
use crate::interrupt::Interrupt;
use crate::message::counted;
use crate::variation;
use anyhow::{Context, Result, bail};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use tabiya_core::Epd;
use tabiya_core::notation::{San, decode};
use tabiya_files::{input, output};
use tabiya_movegen::{Game, Position};
use tabiya_search::Limits;

/// Time for each position if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The size limit of a suite, in bytes: 1 GiB.
const MAX_SUITE: u64 = 1 << 30;

/// Solve a test suite: find best moves (bm) and avoid bad ones (am).
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya epd wac.epd
  tabiya epd wac.epd --nodes 200000 --hash 128

Without a limit each position takes a second. Positions with neither bm nor am are skipped. Ctrl-C ends the
run; the results so far are printed.")]
pub struct EpdArgs {
    /// EPD file; - for standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs `tabiya epd`.
///
/// # Errors
/// If the file cannot be read, a line is not valid EPD, output fails, or the run is interrupted.
pub(crate) fn run(args: &EpdArgs, out: &mut impl Write) -> Result<()> {
    let name = args.file.display();
    output::check_stdout(&[&args.file])?;
    let bytes =
        input::read_stream(&args.file, MAX_SUITE).with_context(|| format!("{name} cannot be read"))?;
    // Each line for itself: one in another character set must not change the others.
    let text: String = bytes.split_inclusive(|&byte| byte == b'\n').map(decode).collect();
    // All of them before the first search: an error in the last line must not cost the results of a long run.
    let mut problems = Vec::new();
    for (number, epd) in Epd::parse_lines(&text) {
        let problem = epd.map_err(Into::into).and_then(|epd| Problem::new(&epd, number));
        problems.push(problem.with_context(|| format!("{name}, line {number}"))?);
    }
    problems.retain(Problem::has_solution);
    if problems.is_empty() {
        bail!("{name} has no position with bm or am");
    }
    let mut engine = args.engine.engine()?;
    let limits = args.limits.limits_or(Limits::movetime(DEFAULT_TIME));
    let interrupt = Interrupt::install()?;
    let (mut tried, mut solved) = (0, 0);
    for problem in &problems {
        engine.clear();
        let search = engine.go(&Game::from_position(problem.position.clone()), limits.clone());
        interrupt.searching(search.stop_handle());
        let answer = search.answer();
        if interrupt.is_requested() {
            break;
        }
        let mv = answer.best.with_context(|| format!("{name}, {}: no legal move", problem.id))?;
        let found = problem.position.san(mv);
        let is_solved = problem.is_solved_by(&found.to_string());
        tried += 1;
        solved += usize::from(is_solved);
        let verdict = if is_solved { "solved" } else { "failed" };
        write!(out, "{verdict}  {:<20} {:<12}", problem.id, variation::numbered(&problem.position, &[mv]))?;
        writeln!(out, " {}", if is_solved { String::new() } else { problem.solution() })?;
        out.flush()?;
    }
    writeln!(out, "\n{solved} of {tried} solved")?;
    if tried < problems.len() {
        bail!("interrupted after {tried} of {}", counted(problems.len() as u64, "position"));
    }
    Ok(())
}

/// A position with the moves to find or to avoid, in SAN.
struct Problem {
    /// The `id` of the line, or its number.
    id: String,
    position: Position,
    best: Vec<String>,
    avoid: Vec<String>,
}

impl Problem {
    fn new(epd: &Epd, line: usize) -> Result<Problem> {
        let id = epd.id().map_or_else(|| format!("line {line}"), str::to_owned);
        let position = Position::new(epd.board.clone())?;
        let moves = |moves: &[San]| -> Result<Vec<String>> {
            let normal = |san: &San| -> Result<String> {
                let mv = position.resolve_san(*san).with_context(|| format!("{san} is not a legal move"))?;
                Ok(position.san(mv).to_string())
            };
            moves.iter().map(normal).collect()
        };
        Ok(Problem { id, best: moves(epd.best_moves())?, avoid: moves(epd.avoid_moves())?, position })
    }

    fn has_solution(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty()
    }

    fn is_solved_by(&self, found: &str) -> bool {
        let is_best = self.best.is_empty() || self.best.iter().any(|best| best == found);
        is_best && !self.avoid.iter().any(|avoid| avoid == found)
    }

    fn solution(&self) -> String {
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
    fn checks_best_moves_and_moves_to_avoid() {
        let problem = |line: &str| Problem::new(&line.parse().unwrap(), 1);
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        let both = problem(&format!("{fen} bm e4 e3; am Kd1;")).unwrap();
        assert!(both.is_solved_by("e4") && !both.is_solved_by("Kd1") && !both.is_solved_by("Kf1"));
        assert_eq!(both.solution(), "best e4 e3, avoid Kd1");
        let avoid = problem(&format!("{fen} am Kd1;")).unwrap();
        assert!(avoid.is_solved_by("Kf1") && !avoid.is_solved_by("Kd1"));
        assert!(problem(&format!("{fen} bm e5;")).is_err());
    }
}
