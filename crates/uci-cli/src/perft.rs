//! `tabiya perft`: counts the leaves of the tree of legal moves.

use crate::cli::PerftArgs;
use crate::output::{DivideLine, Notation};
use crate::position;
use anyhow::Result;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tabiya_core::Move;
use tabiya_movegen::{Position, perft};

/// The greatest depth that is accepted. Nobody lives to see the end of it.
pub(crate) const MAX_DEPTH: u32 = 30;

/// A subtree of this depth is counted in one go, without a look at whether to stop.
const QUICK_DEPTH: u32 = 3;

/// Counts the leaves `depth` plies below each legal move, calls `each` as they come, and returns
/// their sum; `None` if it was told to stop.
pub(crate) fn divide(
    position: &Position,
    depth: u32,
    stop: &AtomicBool,
    mut each: impl FnMut(Move, u64),
) -> Option<u64> {
    let Some(below) = depth.checked_sub(1) else { return Some(1) };
    let mut sum = 0;
    for mv in position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(mv);
        let count = count(&next, below, stop)?;
        each(mv, count);
        sum += count;
    }
    Some(sum)
}

fn count(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= QUICK_DEPTH {
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

/// Runs the subcommand.
///
/// # Errors
/// If the FEN cannot be read, or nothing can be written.
pub(crate) fn run(args: &PerftArgs, out: &mut impl Write) -> Result<()> {
    let position = position::from_words(&args.fen)?;
    let notation = Notation { chess960: !position.has_standard_castling() };
    let start = Instant::now();
    let nodes = if args.divide {
        let mut written = Ok(());
        let stop = AtomicBool::new(false);
        let nodes = divide(&position, args.depth, &stop, |mv, count| {
            if written.is_ok() {
                written = writeln!(out, "{}", DivideLine(mv, count, notation)).and_then(|()| out.flush());
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
    writeln!(out, "Time: {:.3} s, {speed:.1} million a second", time.as_secs_f64())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divided_counts_add_up() {
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
    fn stops_when_told() {
        let stop = AtomicBool::new(false);
        let mut calls = 0;
        let sum = divide(&Position::startpos(), 5, &stop, |_, _| {
            calls += 1;
            stop.store(true, Ordering::Relaxed);
        });
        assert_eq!((sum, calls), (None, 1));
    }
}
