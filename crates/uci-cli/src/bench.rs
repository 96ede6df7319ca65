//! `tabiya bench`: the speed of the search, and its signature.

use crate::cli::BenchArgs;
use anyhow::Result;
use std::fmt::Write as _;
use std::io::Write;
use tabiya_search::{BENCH_DEPTH, BenchResult, bench};

/// What was measured, position by position; the last line is `N nodes M nps`.
pub(crate) fn report(result: &BenchResult) -> String {
    let mut text = String::new();
    for (number, run) in (1..).zip(&result.positions) {
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{number:>2} {:<12} {:>10} nodes {:>7.3} s  {}",
            run.position.phase,
            run.nodes,
            run.time.as_secs_f64(),
            run.position.fen
        );
    }
    let _ = write!(text, "{} nodes {} nps", result.nodes, result.nps());
    text
}

/// Runs the subcommand.
///
/// # Errors
/// If there is no memory for the table, or nothing can be written.
pub(crate) fn run(args: &BenchArgs, out: &mut impl Write) -> Result<()> {
    let result = bench(args.depth.unwrap_or(BENCH_DEPTH))?;
    writeln!(out, "{}", report(&result))?;
    Ok(())
}
