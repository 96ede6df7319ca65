//! Comparison of two builds by the number of instructions, which does not depend on the load of the machine.

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;
use tabiya_workspace::bench::Run;

/// The bench of one build under callgrind.
struct Counts {
    nodes: u64,
    instructions: u64,
}

/// Runs the bench of two builds, given by name and program, under callgrind, and prints their instructions.
///
/// # Errors
/// If valgrind is not installed, or a bench fails.
pub(super) fn compare((base_name, base): (String, &Path), (new_name, new): (String, &Path)) -> Result<()> {
    let (old, new) = (count(base)?, count(new)?);
    println!("{:<24} {:>12} {:>16} {:>12}", "", "nodes", "instructions", "per node");
    let per_node = |counts: &Counts| counts.instructions as f64 / counts.nodes.max(1) as f64;
    for (name, counts) in [(&base_name, &old), (&new_name, &new)] {
        println!("{name:<24} {:>12} {:>16} {:>12.1}", counts.nodes, counts.instructions, per_node(counts));
    }
    println!("instructions per node {:+.2} %", 100.0 * (per_node(&new) / per_node(&old) - 1.0));
    Ok(())
}

fn count(binary: &Path) -> Result<Counts> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(binary)
        .arg("bench")
        .output()
        .context("cannot run valgrind, which counts the instructions")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("valgrind {} bench: {}: {}", binary.display(), output.status, errors.trim());
    }
    let run = Run::parse(&String::from_utf8_lossy(&output.stdout))
        .with_context(|| format!("cannot read the output of {} bench", binary.display()))?;
    let instructions = collected(&errors).context("callgrind reports no instruction count")?;
    Ok(Counts { nodes: run.nodes, instructions })
}

/// Parses the line `==123== Collected : 456` of callgrind.
fn collected(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_count_of_callgrind() {
        let text =
            "==7== Callgrind, a call-graph\n==7== \n==7== Events    : Ir\n==7== Collected : 52345\n==7==\n";
        assert_eq!(collected(text), Some(52_345));
        assert_eq!(collected("==7== Collected : many"), None);
        assert_eq!(collected(""), None);
    }
}
