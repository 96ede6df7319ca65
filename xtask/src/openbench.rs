//! `cargo xtask openbench`: would an OpenBench worker be able to use this engine?
//!
//! What a worker does is written in `xtask/openbench/README.md`; this does the same.

use crate::bench::output::Run;
use crate::{build, repository};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use tabiya_movegen::Position;

/// A worker gives up on a bench that takes longer.
const LONGEST_BENCH: Duration = Duration::from_secs(60);

/// How many openings to ask for.
const OPENINGS: usize = 8;

/// Build the engine the way an OpenBench worker does, and check what it prints.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Look at this binary instead of building one
    #[arg(long, value_name = "FILE")]
    binary: Option<std::path::PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// When the engine does not build with `make`, or what it prints is not what a worker can read.
pub(crate) fn run(args: &Args) -> Result<()> {
    let binary = match &args.binary {
        Some(binary) => binary.clone(),
        None => make()?,
    };
    bench(&binary)?;
    genfens(&binary)
}

/// Builds the engine under a worker's kind of name.
fn make() -> Result<std::path::PathBuf> {
    let folder = repository::root().join("xtask/openbench");
    let binary = repository::target_folder()
        .join("openbench")
        .join(format!("Tabiya-CHECK{}", std::env::consts::EXE_SUFFIX));
    let parent = binary.parent().context("the target folder has no parent")?;
    std::fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    let status = Command::new("make")
        .arg(format!("EXE={}", binary.display()))
        .args(["-j", "CC=cargo"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", repository::target_folder())
        .status()
        .context("cannot run make")?;
    if !status.success() {
        bail!("make in {}: {status}", folder.display());
    }
    if !binary.is_file() {
        bail!(
            "make has not left {} behind (the engine is called {})",
            binary.display(),
            build::binary_name()
        );
    }
    Ok(binary)
}

fn bench(binary: &Path) -> Result<()> {
    let mut counts = Vec::new();
    for _ in 0..2 {
        let started = Instant::now();
        let output = output(binary, &["bench"])?;
        let time = started.elapsed();
        if time > LONGEST_BENCH {
            bail!(
                "bench took {:.1} s; workers give up after {} s",
                time.as_secs_f64(),
                LONGEST_BENCH.as_secs()
            );
        }
        let run = Run::parse(&String::from_utf8_lossy(&output.stdout)).context("bench")?;
        println!("bench: {} nodes, {} nodes a second, {:.1} s", run.nodes, run.nps, time.as_secs_f64());
        counts.push(run.nodes);
    }
    if counts[0] != counts[1] {
        bail!("two benches gave {} and {} nodes", counts[0], counts[1]);
    }
    Ok(())
}

fn genfens(binary: &Path) -> Result<()> {
    let ask = |seed: u32| -> Result<Vec<String>> {
        let output = output(binary, &[&format!("genfens {OPENINGS} seed {seed} book None "), "quit"])?;
        if !output.status.success() {
            bail!("genfens: {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
        }
        openings(&String::from_utf8_lossy(&output.stdout))
    };
    let first = ask(1)?;
    if ask(1)? != first {
        bail!("genfens gives different openings for the same seed");
    }
    if ask(2)? == first {
        bail!("genfens gives the same openings for different seeds");
    }
    println!("genfens: {} openings, the same for the same seed", first.len());
    Ok(())
}

/// Reads the openings among the lines.
fn openings(output: &str) -> Result<Vec<String>> {
    let fens: Vec<_> = output.lines().filter_map(|line| line.strip_prefix("info string genfens ")).collect();
    if fens.len() != OPENINGS {
        bail!("genfens gave {} openings where {OPENINGS} were asked for", fens.len());
    }
    fens.into_iter()
        .map(|fen| {
            let position: Position = fen.trim_end().parse().with_context(|| format!("genfens: {fen:?}"))?;
            // A worker divides the text into exactly these.
            if fen.split_whitespace().count() != 6 || !position.has_legal_move() {
                bail!("genfens: {fen:?} has not six fields, or no legal move");
            }
            Ok(fen.trim_end().to_owned())
        })
        .collect()
}

fn output(binary: &Path, arguments: &[&str]) -> Result<Output> {
    Command::new(binary)
        .args(arguments)
        .output()
        .with_context(|| format!("cannot run {} {}", binary.display(), arguments.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "info string genfens rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";

    #[test]
    fn openings_are_whole_and_playable() {
        assert_eq!(openings(&format!("Tabiya\n{}", START.repeat(OPENINGS))).unwrap().len(), OPENINGS);
        assert!(openings(START).is_err());
        let with = |fen: &str| format!("{}info string genfens {fen}\n", START.repeat(OPENINGS - 1));
        assert!(openings(&with("8/8/8/8 w - - 0 1")).is_err());
        assert!(openings(&with("4k3/8/8/8/8/8/8/4K2R w K -")).is_err());
        assert!(openings(&with("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")).is_err());
    }
}
