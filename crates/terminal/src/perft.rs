//! `tabiya perft`, and a perft that can be stopped.

use crate::position;
use anyhow::Result;
use clap::Args;
use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tabiya_core::Move;
use tabiya_movegen::{Position, perft};

/// Count the leaf nodes of the tree of legal moves.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya perft 6
  tabiya perft 4 --divide r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -")]
pub struct PerftArgs {
    /// Depth in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DEPTH)))]
    depth: u32,
    /// Position to count from [default: start position].
    #[arg(value_name = "FEN")]
    fen: Vec<String>,
    /// Show the count below each move.
    #[arg(long)]
    divide: bool,
}

/// Maximum depth, far beyond what can be counted.
pub const MAX_DEPTH: u32 = 30;

/// Depth of the subtrees that are counted without checking the stop flag.
const UNCHECKED_DEPTH: u32 = 3;

/// A line of perft divide: `e2e4: 20`.
pub struct DivideLine {
    /// The move.
    pub mv: Move,
    /// The number of leaf nodes below the move.
    pub count: u64,
    /// Write castling as king takes rook.
    pub chess960: bool,
}

impl fmt::Display for DivideLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.mv.to_uci(self.chess960), self.count)
    }
}

/// Counts the leaf nodes below each legal move in a tree of `depth` plies, passes each count to `each`, and
/// returns the sum, or `None` if stopped.
pub fn divide(
    position: &Position,
    depth: u32,
    stop: &AtomicBool,
    mut each: impl FnMut(Move, u64),
) -> Option<u64> {
    let Some(child_depth) = depth.checked_sub(1) else { return Some(1) };
    let mut sum = 0;
    for mv in position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(mv);
        let count = count(&next, child_depth, stop)?;
        each(mv, count);
        sum += count;
    }
    Some(sum)
}

fn count(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= UNCHECKED_DEPTH {
        return Some(perft(position, depth));
    }
    let mut sum = 0;
    for mv in position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(mv);
        sum += count(&next, depth - 1, stop)?;
    }
    Some(sum)
}

/// Runs `tabiya perft`.
///
/// # Errors
/// If the FEN is invalid, or output fails.
pub(crate) fn run(args: &PerftArgs, out: &mut impl Write) -> Result<()> {
    let position = position::from_args(&args.fen)?;
    let chess960 = !position.has_standard_castling();
    let start = Instant::now();
    let nodes = if args.divide {
        let mut written = Ok(());
        let stop = AtomicBool::new(false);
        let nodes = divide(&position, args.depth, &stop, |mv, count| {
            if written.is_ok() {
                written = writeln!(out, "{}", DivideLine { mv, count, chess960 }).and_then(|()| out.flush());
            }
            stop.store(written.is_err(), Ordering::Relaxed);
        });
        written?;
        writeln!(out)?;
        nodes.unwrap_or(0)
    } else {
        perft(&position, args.depth)
    };
    let time = start.elapsed();
    let speed = nodes as f64 / time.as_secs_f64().max(1e-9) / 1e6;
    writeln!(out, "Nodes searched: {nodes}")?;
    writeln!(out, "Time: {:.3} s, {speed:.1} million nodes/s", time.as_secs_f64())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up() {
        let position = Position::startpos();
        let stop = AtomicBool::new(false);
        for (depth, nodes) in [(0, 1), (1, 20), (2, 400), (3, 8902), (4, 197_281), (5, 4_865_609)] {
            let mut sum = 0;
            let total = divide(&position, depth, &stop, |_, count| sum += count);
            assert_eq!(total, Some(nodes), "depth {depth}");
            assert!(depth == 0 || sum == nodes);
        }
    }

    #[test]
    fn stops_when_the_flag_is_set() {
        let stop = AtomicBool::new(false);
        let mut calls = 0;
        let sum = divide(&Position::startpos(), 5, &stop, |_, _| {
            calls += 1;
            stop.store(true, Ordering::Relaxed);
        });
        assert_eq!((sum, calls), (None, 1));
    }
}
