//! `cargo xtask bench`: runs the engine's bench and compares it with the history or another revision.

mod compare;
mod instructions;
mod signature;

use anyhow::{Context, Result, bail};
use compare::Side;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use tabiya_workspace::bench::Run;
use tabiya_workspace::{build, repository};

/// Command-line arguments of `bench`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Compare the node count with the newest `Bench: N` line of the history
    #[arg(long, conflicts_with = "compare")]
    check: bool,

    /// With --check: fail if the history has no such line
    #[arg(long, requires = "check")]
    strict: bool,

    /// Compare nodes and time with another revision
    #[arg(long, value_name = "REV")]
    compare: Option<String>,

    /// Run this program instead of building the working tree
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,

    /// Compare instruction counts (callgrind) instead of times: one run per side, about fifty times slower
    #[arg(long, requires = "compare")]
    instructions: bool,

    /// Runs per side in a comparison
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
}

/// Runs the command.
///
/// # Errors
/// If the engine does not build or its bench fails; with `--check`, if the node count differs from the
/// history's.
pub(crate) fn run(args: &Args) -> Result<()> {
    let binary = match &args.engine {
        Some(program) => program.clone(),
        None => build::worktree()?,
    };
    match &args.compare {
        Some(revision) => {
            let name =
                args.engine.as_ref().map_or("working tree".to_owned(), |path| path.display().to_string());
            let base = build::revision(revision)?;
            let commit = repository::commit(revision)?;
            let base = (format!("{revision} ({commit:.8})"), base.as_path());
            let new = (name, binary.as_path());
            if args.instructions { instructions::compare(base, new) } else { compare(base, new, args.rounds) }
        }
        None => {
            if args.check {
                check(&measure(&binary, &["bench", "--kernels"])?, args.strict)
            } else {
                let run = measure(&binary, &["bench"])?;
                println!("{} nodes, {} nodes per second", run.nodes, run.nps);
                println!("for the commit message, if the search has changed:\nBench: {}", run.nodes);
                Ok(())
            }
        }
    }
}

fn check(run: &Run, strict: bool) -> Result<()> {
    match signature::newest() {
        Some(signature) if signature.nodes == run.nodes => {
            println!("bench: {} nodes, as in commit {:.12}", run.nodes, signature.commit);
            Ok(())
        }
        Some(signature) => bail!(
            "the bench searches {} nodes, but the newest `Bench:` line of the history (commit {:.12}) is {}; if \
             the change is intended, end the commit message with the line `Bench: {}`",
            run.nodes,
            signature.commit,
            signature.nodes,
            run.nodes
        ),
        None if strict => {
            bail!("no commit message has a line `Bench: N`; expected `Bench: {}`", run.nodes)
        }
        None => {
            println!("bench: {} nodes; no commit message has a line `Bench: N` to compare with", run.nodes);
            Ok(())
        }
    }
}

/// Compares two builds, given by name and program.
fn compare(
    (base_name, base_binary): (String, &Path),
    (name, binary): (String, &Path),
    rounds: u32,
) -> Result<()> {
    let mut base = Side { name: base_name, runs: Vec::new() };
    let mut new = Side { name, runs: Vec::new() };
    for round in 0..rounds {
        if std::io::stderr().is_terminal() {
            eprintln!("round {} of {rounds}", round + 1);
        }
        // Alternate the order, so that a drift of the machine's speed affects both sides equally.
        let mut sides = [(&mut base, base_binary), (&mut new, binary)];
        if round % 2 == 1 {
            sides.reverse();
        }
        for (side, binary) in sides {
            side.runs.push(measure(binary, &["bench"])?);
        }
    }
    print!("{}{}", compare::table(&base, &new), compare::conclusion(&base, &new));
    for side in [&base, &new] {
        if !side.is_deterministic() {
            bail!("{}: the node count differs between runs", side.name);
        }
    }
    Ok(())
}

/// Runs the bench of a binary with these arguments.
fn measure(binary: &Path, arguments: &[&str]) -> Result<Run> {
    let output = Command::new(binary)
        .args(arguments)
        .output()
        .with_context(|| format!("cannot run {}", binary.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        bail!("{} bench: {}: {}", binary.display(), output.status, errors.trim());
    }
    Run::parse(&text).with_context(|| format!("cannot read the output of {} bench", binary.display()))
}
