//! `cargo xtask openbench`: checks that an OpenBench worker can use the engine.
//!
//! It repeats the steps of a worker, which `xtask/openbench/README.md` describes.

use crate::spsa;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use tabiya_movegen::Position;
use tabiya_uci_engine::{EngineCommand, UciEngine};
use tabiya_workspace::bench::Run;
use tabiya_workspace::repository;

/// Time after which a worker aborts `bench`.
const BENCH_TIMEOUT: Duration = Duration::from_secs(60);

/// Time within which the engine must answer `uci`.
const UCI_TIMEOUT: Duration = Duration::from_secs(10);

/// Number of openings requested from `genfens`.
const OPENINGS: usize = 8;

/// Command-line arguments of `openbench`.
#[derive(clap::Args)]
pub struct OpenbenchArgs {
    /// Check this binary instead of building one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// If the engine does not build with `make`, or a worker could not read its output.
pub fn run(args: &OpenbenchArgs) -> Result<()> {
    let binary = match &args.binary {
        Some(binary) => binary.clone(),
        None => make()?,
    };
    bench(&binary)?;
    tunables(&binary)?;
    genfens(&binary)
}

/// Builds the engine with `make`, under a name like those that workers choose. As a worker does, looks for it in
/// the folder of the makefile, and then moves it to the target folder.
fn make() -> Result<PathBuf> {
    let root = repository::sources().context("without --binary FILE, Tabiya is built")?;
    let folder = root.join("xtask/openbench");
    let name = format!("Tabiya-{:08X}", std::process::id());
    let status = Command::new("make")
        .args(["-j", &format!("EXE={name}")])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", repository::target_folder())
        .status()
        .context("cannot run make")?;
    if !status.success() {
        bail!("make in {}: {status}", folder.display());
    }
    // On Windows a worker adds the suffix if the makefile does not.
    let file_name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let built = folder.join(&file_name);
    let kept = repository::target_folder().join("openbench").join(file_name.replace(&name, "Tabiya-CHECK"));
    let parent = kept.parent().context("the target folder has no parent")?;
    std::fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    // The target folder may be on another file system, where renaming fails.
    std::fs::copy(&built, &kept)
        .and_then(|_| std::fs::remove_file(&built))
        .with_context(|| format!("make did not create {}", built.display()))?;
    Ok(kept)
}

fn bench(binary: &Path) -> Result<()> {
    let mut nodes = Vec::new();
    for _ in 0..2 {
        let start = Instant::now();
        let output = output(binary, &["bench"])?;
        let time = start.elapsed();
        if !output.status.success() {
            bail!("bench: {}", output.status);
        }
        if time > BENCH_TIMEOUT {
            bail!(
                "bench took {:.1} s; workers abort it after {} s",
                time.as_secs_f64(),
                BENCH_TIMEOUT.as_secs()
            );
        }
        let run = Run::parse(&String::from_utf8_lossy(&output.stdout)).context("bench")?;
        println!("bench: {} nodes, {} nps, {:.1} s", run.nodes, run.nps, time.as_secs_f64());
        nodes.push(run.nodes);
    }
    if nodes[0] != nodes[1] {
        bail!("bench is not deterministic: {} nodes, then {}", nodes[0], nodes[1]);
    }
    Ok(())
}

/// Checks the inputs for SPSA sessions that the engine prints.
fn tunables(binary: &Path) -> Result<()> {
    let output = output(binary, &["spsa"])?;
    if !output.status.success() {
        bail!("spsa: {}; the engine must be built with the feature `tune`", output.status);
    }
    let engine = UciEngine::start(&EngineCommand::new(binary), UCI_TIMEOUT)?;
    let count =
        spsa::check_inputs(&String::from_utf8_lossy(&output.stdout), engine.identity()).context("spsa")?;
    println!("spsa: {count} parameters, each a UCI option");
    Ok(())
}

fn genfens(binary: &Path) -> Result<()> {
    let generate = |seed: u32| -> Result<Vec<String>> {
        let output = output(binary, &[&format!("genfens {OPENINGS} seed {seed} book None "), "quit"])?;
        if !output.status.success() {
            bail!("genfens: {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
        }
        openings(&String::from_utf8_lossy(&output.stdout))
    };
    let first = generate(1)?;
    if generate(1)? != first {
        bail!("genfens printed different openings for the same seed");
    }
    if generate(2)? == first {
        bail!("genfens printed the same openings for different seeds");
    }
    println!("genfens: {} openings, reproducible", first.len());
    Ok(())
}

/// Extracts and checks the openings in the output of `genfens`.
fn openings(output: &str) -> Result<Vec<String>> {
    let fens: Vec<_> = output.lines().filter_map(|line| line.strip_prefix("info string genfens ")).collect();
    if fens.len() != OPENINGS {
        bail!("genfens printed {} openings (expected {OPENINGS})", fens.len());
    }
    fens.into_iter()
        .map(|fen| {
            let position: Position = fen.trim_end().parse().with_context(|| format!("genfens: {fen:?}"))?;
            // A worker splits the FEN into exactly six fields.
            if fen.split_whitespace().count() != 6 {
                bail!("genfens: {fen:?} does not have six fields");
            }
            if !position.has_legal_move() {
                bail!("genfens: {fen:?} has no legal move");
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
    fn rejects_missing_short_and_finished_openings() {
        assert_eq!(openings(&format!("Tabiya\n{}", START.repeat(OPENINGS))).unwrap().len(), OPENINGS);
        assert!(openings(START).is_err());
        let with = |fen: &str| format!("{}info string genfens {fen}\n", START.repeat(OPENINGS - 1));
        assert!(openings(&with("8/8/8/8 w - - 0 1")).is_err());
        assert!(openings(&with("4k3/8/8/8/8/8/8/4K2R w K -")).is_err());
        assert!(openings(&with("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")).is_err());
    }
}
