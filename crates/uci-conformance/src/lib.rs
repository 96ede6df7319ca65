//! Conformance tests of chess engines: the library behind the program `uci-conformance`, for programs with a command like it.
//!
//! The checks are data (`checks/`, in the language that `checks/README.md` describes) and part of the library. Each runs in
//! its own process, so that one failure neither hides nor causes another. Checks of what an
//! engine has not declared are skipped.

#![deny(missing_docs)]

mod arguments;
mod checks;
mod expectations;
mod protocol;
mod report;
mod runner;
mod script;
mod session;
mod session_log;
mod uci;
mod xboard;

pub use arguments::ConformanceArgs;
pub use protocol::Protocol;
pub use script::Severity;

use anyhow::{Result, bail};
use indicatif::ProgressBar;
use report::EngineReport;
use runner::{Outcome, TestedEngine, Verdict};
use script::Check;
use session::Timing;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use tabiya_files::output::{self, Existing};

/// Number of consecutive checks in which the engine does not start, after which the rest is skipped. A skipped check leaves the
/// count as it is, and so does a raw one whose program can be run.
const MAX_FAILED_STARTS: u32 = 3;

/// Runs the checks, or lists them. `print` receives the text for the user.
///
/// # Errors
/// If the checks cannot be read, no engine is named, an engine cannot be started or lacks an option (no check is run then), or
/// an engine fails a check of at least the given severity.
pub fn run(args: &ConformanceArgs, mut print: impl FnMut(&str)) -> Result<()> {
    let mut checks = match &args.checks {
        Some(folder) => checks::read(folder)?,
        None => checks::embedded(args.protocol)?,
    };
    if !args.only.is_empty() {
        checks.retain(|check| args.only.iter().any(|text| check.id.contains(text)));
    }
    if checks.is_empty() {
        bail!("no check name contains {}", args.only.join(" or "));
    }
    if args.list {
        for check in &checks {
            let Check { id, severity, reason, source, .. } = check;
            print(&format!("{id:<36} {severity:<8} {reason}\n{:<45} [{source}]\n", ""));
        }
        return Ok(());
    }
    if args.engines.is_empty() {
        bail!("no engine is named (expected its program, such as ./engine, with arguments in the same word)");
    }
    let existing = Existing::from_force(args.force);
    if let Some(path) = &args.json {
        output::check(path, existing, &[])?;
    }
    let line_pause = Duration::from_millis(args.line_pause);
    let timing = Timing { patience: args.patience, line_pause };
    // An engine that does not start, or lacks an option, must not cost the results of the engines before it.
    let engines = (args.engines.iter())
        .map(|command| TestedEngine::new(command.clone(), args.protocol, &args.options, timing))
        .collect::<Result<Vec<_>>>()?;
    let mut reports = Vec::new();
    for engine in &engines {
        let report = run_checks(engine, &checks, args.concurrency as usize);
        print(&format!("{}\n", report.table(args.verbose)));
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

/// Runs the checks, `concurrency` of them at a time, and returns their outcomes in the order of the checks.
fn run_checks<'a>(engine: &TestedEngine, checks: &'a [Check], concurrency: usize) -> EngineReport<'a> {
    let progress = ProgressBar::new(checks.len() as u64);
    let failed_starts = AtomicU32::new(0);
    let run = |check: &Check| {
        progress.set_message(check.id.clone());
        if failed_starts.load(Ordering::Relaxed) >= MAX_FAILED_STARTS {
            return Outcome::skipped("the engine does not start any more");
        }
        let outcome = engine.run_check(check);
        match outcome.started {
            Some(true) => failed_starts.store(0, Ordering::Relaxed),
            Some(false) => _ = failed_starts.fetch_add(1, Ordering::Relaxed),
            None => (),
        }
        if let Verdict::Failed(problem) = &outcome.verdict {
            progress.println(format!("{}: {problem}", check.id));
        }
        progress.inc(1);
        outcome
    };
    let outcomes: Vec<OnceLock<Outcome>> = checks.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(check) = checks.get(index) else { return };
            outcomes[index].get_or_init(|| run(check));
        }
    };
    thread::scope(|scope| {
        for _ in 0..concurrency.min(checks.len()) {
            scope.spawn(work);
        }
    });
    progress.finish_and_clear();
    EngineReport {
        protocol: engine.protocol,
        name: engine.name.clone(),
        command: engine.command.to_string(),
        outcomes: checks.iter().zip(outcomes.into_iter().filter_map(OnceLock::into_inner)).collect(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use tabiya_uci_engine::EngineCommand;

    /// The verdicts of checks with these headers on an engine that answers in its first process only, in which its options are read.
    fn verdicts_after_first_start(headers: &[&str]) -> Vec<Verdict> {
        let folder = tempfile::tempdir().unwrap();
        let marker = folder.path().join("started");
        let script = format!(
            "if [ -e {0} ]; then exit 1; fi; touch {0}; while read line; do case $line in \
             uci) echo uciok;; isready) echo readyok;; quit) exit 0;; esac; done",
            marker.display()
        );
        let engine = TestedEngine::new(shell(&script), Protocol::Uci, &[], timing(1.0)).unwrap();
        let text: String = (headers.iter().enumerate())
            .map(|(number, header)| {
                format!("check c{number}\nreason r\nsource S\nseverity error\n{header}close\n")
            })
            .collect();
        let checks = script::parse(&text).unwrap();
        run_checks(&engine, &checks, 1).outcomes.into_iter().map(|(_, outcome)| outcome.verdict).collect()
    }

    #[test]
    fn gives_up_on_an_engine_that_does_not_start_any_more() {
        let verdicts = verdicts_after_first_start(&[""; 6]);
        assert!(verdicts[..3].iter().all(|verdict| matches!(verdict, Verdict::Failed(_))), "{verdicts:?}");
        assert!(verdicts[3..].iter().all(|verdict| matches!(verdict, Verdict::Skipped(_))), "{verdicts:?}");
    }

    #[test]
    fn skipped_and_raw_checks_do_not_count_as_starts() {
        let verdicts = verdicts_after_first_start(&["", "", "needs option MultiPV\n", "raw\n", "", ""]);
        assert_eq!(verdicts[3], Verdict::Passed);
        assert!(matches!(verdicts[4], Verdict::Failed(_)), "{verdicts:?}");
        assert_eq!(verdicts[5], Verdict::Skipped("the engine does not start any more".to_owned()));
    }

    #[test]
    fn no_check_runs_if_a_later_engine_does_not_start() {
        #[derive(clap::Parser)]
        struct Arguments {
            #[command(flatten)]
            conformance: ConformanceArgs,
        }
        let folder = tempfile::tempdir().unwrap();
        let starts = folder.path().join("starts");
        let good = format!(
            "echo >> {}; while read line; do case $line in uci) echo uciok;; isready) echo readyok;; \
             quit) exit 0;; esac; done",
            starts.display()
        );
        let check = "check a\nreason r\nsource S\nseverity error\n> isready\n< readyok\n";
        std::fs::write(folder.path().join("a.checks"), check).unwrap();
        let words = ["test".as_ref(), "--checks".as_ref(), folder.path().as_os_str()];
        let mut args = <Arguments as clap::Parser>::parse_from(words).conformance;
        args.engines = vec![shell(&good), shell("exit 1")];
        let mut printed = String::new();
        let error = run(&args, |text| printed += text).unwrap_err().to_string();
        assert!(error.contains("exited"), "{error}");
        assert_eq!(printed, "");
        // Only the start that reads the options.
        assert_eq!(std::fs::read_to_string(starts).unwrap(), "\n");
    }

    fn timing(patience: f64) -> Timing {
        Timing { patience, line_pause: Duration::ZERO }
    }

    fn shell(script: &str) -> EngineCommand {
        let arguments = ["-c", script].map(str::to_owned).to_vec();
        EngineCommand { arguments, ..EngineCommand::new("/bin/sh") }
    }

    #[test]
    fn pause_separates_lines() {
        let script = "while read line rest; do case $line in protover) echo 'feature ping=1 done=1';; \
                      ping) echo pong $rest;; quit) exit 0;; esac; done";
        let text =
            "check pings\nreason r\nsource S\nseverity error\n> ping 2\n> ping 3\n< pong 2\n< pong 3\n";
        let checks = script::parse(text).unwrap();
        let line_pause = Duration::from_millis(20);
        let timing = Timing { patience: 1.0, line_pause };
        let engine = TestedEngine::new(shell(script), Protocol::Xboard, &[], timing).unwrap();
        let outcome = &run_checks(&engine, &checks, 1).outcomes[0].1;
        assert!(matches!(outcome.verdict, Verdict::Passed), "{outcome:?}");
        let sent = outcome.session_lines.iter().filter(|line| line.starts_with('>')).count() as u32;
        assert!(sent >= 9 && outcome.time >= sent * line_pause, "{outcome:?}");
    }

    #[test]
    fn checks_run_at_the_same_time_and_are_reported_in_order() {
        let folder = tempfile::tempdir().unwrap();
        // Each of two engines is ready once the other one has got as far.
        let script = format!(
            "cd {}; while read line rest; do case $line in uci) echo uciok;; isready) echo readyok;; \
             meet) touch $rest; while [ $(ls | wc -l) -lt 2 ]; do sleep 0.01; done; echo met;; \
             quit) exit 0;; esac; done",
            folder.path().display()
        );
        let engine = TestedEngine::new(shell(&script), Protocol::Uci, &[], timing(1.0)).unwrap();
        let check = |id: &str, step: &str| {
            format!("check {id}\nreason r\nsource S\nseverity error\n> {step}\n< met\n")
        };
        let text = check("b", "meet b") + &check("a", "meet a") + &check("c", "meet a");
        let checks = script::parse(&text).unwrap();
        let report = run_checks(&engine, &checks, 2);
        let ids: Vec<&str> = report.outcomes.iter().map(|(check, _)| check.id.as_str()).collect();
        assert_eq!(ids, ["b", "a", "c"]);
        assert!(report.command.starts_with("/bin/sh -c \"cd "), "{}", report.command);
        assert_eq!(report.failures(Severity::Advice), 0, "{:?}", report.outcomes);
    }

    #[test]
    fn programs_of_other_protocols_are_refused() {
        for protocol in [Protocol::Uci, Protocol::Xboard] {
            let error =
                TestedEngine::new(shell("exit 1"), protocol, &[], timing(0.1)).err().unwrap().to_string();
            assert!(error.contains("exited"), "{error}");
        }
        let error =
            TestedEngine::new(shell("cat"), Protocol::Xboard, &[], timing(0.1)).err().unwrap().to_string();
        assert!(error.contains("does not speak the xboard protocol"), "{error}");
    }

    #[test]
    fn runs_checks_of_an_xboard_engine() {
        let engine = shell(
            "while read line rest; do case $line in protover) echo 'feature ping=1 usermove=1 done=1';; \
             ping) echo pong $rest;; usermove) echo move e7e5;; quit) exit 0;; esac; done",
        );
        let engine = TestedEngine::new(engine, Protocol::Xboard, &[], timing(1.0)).unwrap();
        let check = |steps: &str| format!("reason r\nsource S\nseverity error\n{steps}\n");
        let text = [
            format!("check good\n{}", check("play e2e4\n< move legal\nquit")),
            format!("check bad\n{}", check("play e2e4\n< move d7d5")),
            format!("check other\n{}", check("needs feature setboard\nclose")),
        ]
        .concat()
        .replace("\nquit", "\n> quit\nexit");
        let checks = script::parse(&text).unwrap();
        let report = run_checks(&engine, &checks, 1);
        let verdicts: Vec<&Verdict> = report.outcomes.iter().map(|(_, outcome)| &outcome.verdict).collect();
        assert_eq!(verdicts[0], &Verdict::Passed);
        assert!(matches!(verdicts[1], Verdict::Failed(_)), "{verdicts:?}");
        assert_eq!(verdicts[2], &Verdict::Skipped("has no feature setboard".to_owned()));
    }
}
