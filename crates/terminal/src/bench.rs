//! `tabiya bench`: speed and node count of the search on fixed positions.

use crate::args::EvaluationArgs;
use anyhow::{Result, bail};
use clap::Args;
use std::fmt::Write as _;
use std::io::Write;
use std::sync::atomic::AtomicBool;
use tabiya_eval::nnue::Kernel;
use tabiya_search::bench::{BenchResult, DEPTH, run_with};

/// Measure the speed of the search on a set of positions.
///
/// The last line is `N nodes M nps`. N is the same on every machine and changes only with the search or the
/// evaluation.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya bench
  tabiya bench 5
  tabiya bench --evaluation handcrafted
  tabiya bench --kernels")]
pub struct BenchArgs {
    /// Search depth in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Repeat it with each instruction set of this processor that networks can use, and fail if the node counts differ.
    #[arg(long)]
    kernels: bool,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

/// The results by position; the last line is `N nodes M nps`.
pub fn report(result: &BenchResult) -> String {
    let mut text = String::new();
    for (number, run) in (1..).zip(&result.positions) {
        // Writing to a string cannot fail.
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

/// Runs `tabiya bench`.
///
/// # Errors
/// If the network cannot be read, the transposition table cannot be allocated, output fails, or a kernel has another node count.
pub(crate) fn run(args: &BenchArgs, out: &mut impl Write) -> Result<()> {
    let evaluation = args.evaluation.load()?;
    let depth = args.depth.unwrap_or(DEPTH);
    let stop = AtomicBool::new(false);
    let result = run_with(depth, evaluation.clone(), Kernel::best(), &stop)?;
    if args.kernels {
        for kernel in Kernel::available() {
            let other = run_with(depth, evaluation.clone(), kernel, &stop)?;
            writeln!(out, "{:<12} {:>10} nodes {:>9} nps", kernel.name(), other.nodes, other.nps())?;
            if other.nodes != result.nodes {
                bail!("kernel {} searches {} nodes instead of {}", kernel.name(), other.nodes, result.nodes);
            }
        }
    }
    writeln!(out, "{}", report(&result))?;
    Ok(())
}
