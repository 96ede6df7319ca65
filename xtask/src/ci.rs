//! `cargo xtask ci`: the checks of continuous integration, in the same order.

mod archive;
mod browser;
mod client;
mod examples;
mod line;
mod preparation;
mod steps;

use anyhow::{Context, Result, bail};
use line::{Line, Program};
use preparation::Preparations;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::process::Stdio;
use std::time::{Duration, Instant};
use steps::{STEPS, Step};

/// Run the checks of continuous integration, in the same order.
///
/// Hosted CI also tests on Windows and macOS, packages the crates, runs Miri, and every night plays against the previous version.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Run only these steps
    #[arg(long, value_name = "STEP", value_parser = step_name)]
    only: Vec<&'static str>,

    /// Skip these steps
    #[arg(long, value_name = "STEP", value_parser = step_name)]
    skip: Vec<&'static str>,

    /// List the steps without running them
    #[arg(long)]
    list: bool,
}

fn step_name(text: &str) -> Result<&'static str, String> {
    let names = || STEPS.iter().map(|step| step.name);
    names().find(|&name| name == text).ok_or_else(|| {
        let names: Vec<_> = names().collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// A finished step.
struct Done {
    name: &'static str,
    time: Duration,
    /// The `test result:` lines of its output.
    results: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// If a step fails; the remaining steps are not run.
pub(crate) fn run(args: &Args) -> Result<()> {
    let is_selected = |step: &&Step| {
        (args.only.is_empty() || args.only.contains(&step.name)) && !args.skip.contains(&step.name)
    };
    let selected: Vec<_> = STEPS.iter().filter(is_selected).collect();
    if args.list {
        for step in &selected {
            println!("{:<12} {}", step.name, step.purpose);
        }
        return Ok(());
    }
    let mut builds = Preparations::start(selected.iter().flat_map(|step| step.preparations).copied());
    let mut done = Vec::new();
    for (index, step) in selected.iter().enumerate() {
        println!("\n==> {}/{} {}: {}", index + 1, selected.len(), step.name, step.purpose);
        let started = Instant::now();
        builds.wait(step.preparations);
        let mut results = Vec::new();
        let outcome = (step.lines)().and_then(|lines| {
            lines.iter().try_for_each(|line| {
                results.extend(execute(line)?);
                Ok(())
            })
        });
        done.push(Done { name: step.name, time: started.elapsed(), results });
        if let Err(error) = outcome {
            print!("{}", summary(&done, Some(step.name)));
            return Err(error.context(format!("the step {} failed", step.name)));
        }
    }
    print!("{}", summary(&done, None));
    Ok(())
}

/// Runs one command line, copies its output to stdout and returns its `test result:` lines.
fn execute(line: &Line) -> Result<Vec<String>> {
    let text = describe(line);
    println!("$ {text}");
    let mut child =
        line.command()?.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot run {text}"))?;
    let mut results = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        for output in BufReader::new(stdout).split(b'\n') {
            let output = output.with_context(|| format!("cannot read the output of {text}"))?;
            let output = String::from_utf8_lossy(&output);
            // A closed stdout must not abort the step.
            let _ = writeln!(std::io::stdout(), "{output}");
            if output.starts_with("test result: ") {
                results.push(output.trim_end().to_owned());
            }
        }
    }
    let status = child.wait().with_context(|| format!("cannot wait for {text}"))?;
    if !status.success() {
        bail!("{text}: {status}");
    }
    Ok(results)
}

fn describe(line: &Line) -> String {
    let mut text = String::new();
    for (name, value) in &line.variables {
        // Writing to a string cannot fail.
        let _ = write!(text, "{name}={value:?} ");
    }
    text.push_str(match &line.program {
        Program::Cargo => "cargo",
        Program::Xtask => "cargo xtask",
        Program::Path(path) => path,
    });
    for argument in &line.arguments {
        text.push(' ');
        text.push_str(argument);
    }
    text
}

/// Formats the test results and the duration of each step.
fn summary(done: &[Done], failed: Option<&str>) -> String {
    let mut text = String::from("\n");
    for step in done {
        for result in &step.results {
            let _ = writeln!(text, "{result}");
        }
    }
    let passed = counts(done, "passed");
    let failures = counts(done, "failed");
    if passed + failures > 0 {
        let _ = writeln!(text, "tests in total: {passed} passed, {failures} failed");
    }
    for step in done {
        let status = if failed == Some(step.name) { "FAILED" } else { "ok" };
        let _ = writeln!(text, "{:<12} {status:<6} {:>7.1} s", step.name, step.time.as_secs_f64());
    }
    let total: Duration = done.iter().map(|step| step.time).sum();
    let verdict = failed.map_or_else(|| "all steps passed".to_owned(), |name| format!("failed: {name}"));
    let _ = writeln!(text, "{verdict}, {:.1} s in total", total.as_secs_f64());
    text
}

/// Adds up the counts with this label in all lines `test result: ok. 12 passed; 0 failed; ...`.
fn counts(done: &[Done], label: &str) -> u64 {
    let count = |line: &String| {
        let words: Vec<_> = line.split([' ', ';', '.']).filter(|word| !word.is_empty()).collect();
        words
            .windows(2)
            .find(|pair| pair[1] == label)
            .and_then(|pair| pair[0].parse::<u64>().ok())
            .unwrap_or(0)
    };
    done.iter().flat_map(|step| &step.results).map(count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(name: &'static str, results: &[&str]) -> Done {
        let results = results.iter().map(|&line| line.to_owned()).collect();
        Done { name, time: Duration::from_millis(1500), results }
    }

    #[test]
    fn summary_contains_the_test_results() {
        let lines =
            ["test result: ok. 12 passed; 0 failed; 1 ignored", "test result: FAILED. 3 passed; 2 failed"];
        let text = summary(&[done("fmt", &[]), done("test", &lines)], Some("test"));
        assert!(text.contains("tests in total: 15 passed, 2 failed\n"), "{text}");
        assert!(text.contains(lines[0]) && text.contains("fmt          ok         1.5 s\n"), "{text}");
        assert!(
            text.contains("test         FAILED") && text.ends_with("failed: test, 3.0 s in total\n"),
            "{text}"
        );
    }

    #[test]
    fn rejects_unknown_step_names() {
        assert_eq!(step_name("tidy"), Ok("tidy"));
        assert!(step_name("tidi").unwrap_err().contains("tidy"));
    }

    #[test]
    fn failing_and_missing_programs_are_errors() {
        assert_eq!(execute(&line::cargo("--version")).unwrap(), Vec::<String>::new());
        // Two different files: fails without output.
        let git = Program::Path("git".to_owned());
        let differ = Line { program: git, ..line::cargo("diff --no-index --quiet Cargo.toml Cargo.lock") };
        let error = execute(&differ).unwrap_err().to_string();
        assert!(error.starts_with("git diff "), "{error}");
        let missing = Line { program: Program::Path("no-such-program".to_owned()), ..line::cargo("x") };
        assert!(execute(&missing).unwrap_err().to_string().contains("no-such-program x"));
    }
}
