//! `cargo xtask conformance`: tests UCI engines for protocol conformance.
//!
//! The checks are data (`crates/lab/conformance/*.checks`, in the language of `script`). Each runs in
//! its own process, so that one failure neither hides nor causes another. Checks for options that an
//! engine does not have are skipped.

mod expectations;
mod report;
mod runner;
mod script;
mod session_log;

use crate::engine_argument;
use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use report::EngineReport;
use runner::{Outcome, TestedEngine, Verdict};
use script::{Check, Severity};
use std::collections::HashSet;
use std::path::PathBuf;
use tabiya_files::output::{self, Existing};
use tabiya_uci_engine::EngineCommand;
use tabiya_workspace::repository;

/// Number of consecutive checks in which the engine does not start, after which the rest is skipped.
const MAX_FAILED_STARTS: u32 = 3;

/// Test whether UCI engines follow the protocol.
#[derive(clap::Args)]
pub struct Args {
    /// Engine commands with arguments [default: Tabiya, built from the working tree]
    #[arg(value_name = "ENGINE")]
    engines: Vec<String>,

    /// Set an engine option before each check
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = engine_argument::name_and_value)]
    options: Vec<(String, String)>,

    /// Run only checks whose name contains this text
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,

    /// Multiply all time limits, for slow machines and debug builds
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = patience)]
    patience: f64,

    /// Minimum severity of a failure that fails the command
    #[arg(long, value_name = "SEVERITY", default_value = "error")]
    fail_on: Severity,

    /// Write the results to this JSON file, with the sessions of failed checks
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Overwrite existing output files
    #[arg(long)]
    force: bool,

    /// Read the checks from this folder instead of the repository's
    #[arg(long, value_name = "FOLDER")]
    checks: Option<PathBuf>,

    /// Show the sessions of failed checks
    #[arg(long)]
    verbose: bool,

    /// List the checks and their reasons without running them
    #[arg(long)]
    list: bool,
}

fn patience(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|factor| (0.1..=100.0).contains(factor))
        .ok_or_else(|| "expected 0.1 to 100".to_owned())
}

/// Runs the command.
///
/// # Errors
/// If the checks cannot be read, an engine cannot be started, or an engine fails a check of at least the
/// given severity.
pub fn run(args: &Args) -> Result<()> {
    let folder = args.checks.clone().unwrap_or_else(|| repository::root().join("crates/lab/conformance"));
    let mut checks = read_checks(&folder)?;
    if !args.only.is_empty() {
        checks.retain(|check| args.only.iter().any(|text| check.id.contains(text)));
    }
    if checks.is_empty() {
        bail!("no check name contains {}", args.only.join(" or "));
    }
    if args.list {
        for check in &checks {
            println!("{:<36} {:<8} {}", check.id, check.severity, check.reason);
        }
        return Ok(());
    }
    let existing = Existing::from_force(args.force);
    if let Some(path) = &args.json {
        output::check(path, existing, &[])?;
    }
    let mut reports = Vec::new();
    for command in commands(&args.engines)? {
        let engine = TestedEngine::new(command, &args.options, args.patience)?;
        let report = run_checks(&engine, &checks);
        println!("{}", report.table(args.verbose));
        reports.push(report);
    }
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&report::json(&reports))?;
        output::write(path, (text + "\n").as_bytes(), existing, &[])?;
    }
    let failed: Vec<_> = reports
        .iter()
        .filter(|report| report.failures(args.fail_on) > 0)
        .map(|report| report.name.as_str())
        .collect();
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

fn run_checks<'a>(engine: &TestedEngine, checks: &'a [Check]) -> EngineReport<'a> {
    let progress = ProgressBar::new(checks.len() as u64);
    let mut failed_starts = 0;
    let outcomes = checks
        .iter()
        .map(|check| {
            progress.set_message(check.id.clone());
            if failed_starts == MAX_FAILED_STARTS {
                return (check, Outcome::skipped("the engine does not start any more"));
            }
            let outcome = engine.run_check(check);
            failed_starts = if outcome.started { 0 } else { failed_starts + 1 };
            if let Verdict::Failed(problem) = &outcome.verdict {
                progress.println(format!("{}: {problem}", check.id));
            }
            progress.inc(1);
            (check, outcome)
        })
        .collect();
    progress.finish_and_clear();
    EngineReport {
        name: engine.name.clone(),
        command: engine.command.program.display().to_string(),
        outcomes,
    }
}

fn commands(engines: &[String]) -> Result<Vec<EngineCommand>> {
    if engines.is_empty() {
        return Ok(vec![engine_argument::tabiya()?]);
    }
    engines.iter().map(|text| engine_argument::engine_command(text)).collect()
}

fn read_checks(folder: &std::path::Path) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    for path in repository::files_with_extension(folder, "checks")? {
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        checks.extend(script::parse(&text).with_context(|| path.display().to_string())?);
    }
    let mut names = HashSet::new();
    if let Some(check) = checks.iter().find(|check| !names.insert(check.id.as_str())) {
        bail!("duplicate check name {}", check.id);
    }
    Ok(checks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_repository_checks() {
        let checks = read_checks(&repository::root().join("crates/lab/conformance")).unwrap();
        assert!(checks.len() > 40, "{}", checks.len());
    }

    #[cfg(unix)]
    #[test]
    fn gives_up_on_an_engine_that_does_not_start_any_more() {
        let folder = tempfile::tempdir().unwrap();
        let marker = folder.path().join("started");
        // Answers in the first process only.
        let script = format!(
            "if [ -e {0} ]; then exit 1; fi; touch {0}; while read line; do case $line in \
             uci) echo uciok;; isready) echo readyok;; quit) exit 0;; esac; done",
            marker.display()
        );
        let command =
            EngineCommand { arguments: vec!["-c".to_owned(), script], ..EngineCommand::new("/bin/sh") };
        let engine = TestedEngine::new(command, &[], 1.0).unwrap();
        let text: String = (0..6)
            .map(|number| format!("check c{number}\nreason r\nseverity error\n> isready\n< readyok\n"))
            .collect();
        let checks = script::parse(&text).unwrap();
        let report = run_checks(&engine, &checks);
        let verdicts: Vec<&Verdict> = report.outcomes.iter().map(|(_, outcome)| &outcome.verdict).collect();
        assert!(verdicts[..3].iter().all(|verdict| matches!(verdict, Verdict::Failed(_))), "{verdicts:?}");
        assert!(verdicts[3..].iter().all(|verdict| matches!(verdict, Verdict::Skipped(_))), "{verdicts:?}");
    }

    #[test]
    fn parses_patience_factor() {
        assert!(patience("2").is_ok());
        assert!(patience("0").is_err() && patience("NaN").is_err() && patience("long").is_err());
    }
}
