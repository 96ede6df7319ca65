//! `cargo xtask ci`: the checks of continuous integration, in the same order.

mod archive;
mod browser;
mod client;
mod examples;
mod line;
mod node_packages;
mod preparation;
mod scripts;
mod steps;

use anyhow::{Context, Result, bail};
use line::{Line, Program};
use preparation::Preparations;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, PipeReader, Write as _};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
use steps::{STEPS, Step};

/// Command-line arguments of `ci`.
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
    /// Its first command line that failed.
    error: Option<anyhow::Error>,
}

/// The place of a step's output.
enum Output {
    /// This program's stdout and stderr.
    Terminal,
    /// A text, which is printed when the step is done.
    Text(String),
}

/// Runs the command.
///
/// # Errors
/// If a step fails; those that have not started are not run.
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
    let started = Instant::now();
    let mut builds = Preparations::start(selected.iter().flat_map(|step| step.preparations).copied());
    let title = |step: &Step| {
        let number = selected.iter().position(|other| other.name == step.name).map_or(0, |index| index + 1);
        println!("\n==> {number}/{} {}: {}", selected.len(), step.name, step.purpose);
    };
    let (waiting, computing): (Vec<&Step>, Vec<_>) = selected.iter().partition(|step| step.is_waiting);
    let mut done = Vec::new();
    for step in computing {
        title(step);
        builds.wait(step.preparations);
        let step_done = step.perform(&mut Output::Terminal);
        let has_failed = step_done.error.is_some();
        done.push(step_done);
        if has_failed {
            return finish(done, started.elapsed());
        }
    }
    let preparations: Vec<_> = waiting.iter().flat_map(|step| step.preparations).copied().collect();
    builds.wait(&preparations);
    if let &[step] = &waiting[..] {
        title(step);
        done.push(step.perform(&mut Output::Terminal));
    } else {
        perform_together(&waiting, |step, step_done, text| {
            title(step);
            print!("{text}");
            done.push(step_done);
        });
    }
    finish(done, started.elapsed())
}

/// Runs steps at the same time. `show` receives each with its output when it is done.
fn perform_together(steps: &[&Step], mut show: impl FnMut(&Step, Done, &str)) {
    thread::scope(|scope| {
        let (sender, finished) = mpsc::channel();
        for &step in steps {
            let sender = sender.clone();
            println!("{} starts", step.name);
            scope.spawn(move || {
                let mut output = Output::Text(String::new());
                let done = step.perform(&mut output);
                // The receiver waits for all senders.
                let _ = sender.send((step, done, output));
            });
        }
        drop(sender);
        for (step, done, output) in finished {
            if let Output::Text(text) = output {
                show(step, done, &text);
            }
        }
    });
}

/// Prints the summary.
///
/// # Errors
/// If a step has failed.
fn finish(done: Vec<Done>, time: Duration) -> Result<()> {
    print!("{}", summary(&done, time));
    done.into_iter()
        .find_map(|step| Some((step.name, step.error?)))
        .map_or(Ok(()), |(name, error)| Err(error.context(format!("the step {name} failed"))))
}

impl Step {
    /// Runs the command lines.
    fn perform(&self, output: &mut Output) -> Done {
        let started = Instant::now();
        let mut results = Vec::new();
        let outcome = (self.lines)().and_then(|lines| {
            lines.iter().try_for_each(|line| {
                results.extend(execute(line, output)?);
                Ok(())
            })
        });
        Done { name: self.name, time: started.elapsed(), results, error: outcome.err() }
    }
}

impl Output {
    fn line(&mut self, line: &str) {
        match self {
            // A closed stdout must not abort the step.
            Output::Terminal => {
                let _ = writeln!(std::io::stdout(), "{line}");
            }
            Output::Text(text) => text.extend([line, "\n"]),
        }
    }

    /// Starts a command and returns its stdout; with a text also its stderr, which is otherwise this program's.
    fn spawn(&self, mut command: Command) -> std::io::Result<(std::process::Child, PipeReader)> {
        let (reader, writer) = std::io::pipe()?;
        if let Output::Text(_) = self {
            command.stderr(writer.try_clone()?);
        }
        // The command owns the writers, and the reader sees the end when the last one is closed.
        Ok((command.stdout(writer).spawn()?, reader))
    }
}

/// Runs one command line, copies its output and returns its `test result:` lines.
fn execute(line: &Line, output: &mut Output) -> Result<Vec<String>> {
    let text = describe(line);
    output.line(&format!("$ {text}"));
    let (mut child, reader) = output.spawn(line.command()?).with_context(|| format!("cannot run {text}"))?;
    let mut results = Vec::new();
    for bytes in BufReader::new(reader).split(b'\n') {
        let bytes = bytes.with_context(|| format!("cannot read the output of {text}"))?;
        let shown = String::from_utf8_lossy(&bytes);
        output.line(&shown);
        if shown.starts_with("test result: ") {
            results.push(shown.trim_end().to_owned());
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
fn summary(done: &[Done], time: Duration) -> String {
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
        let status = if step.error.is_some() { "FAILED" } else { "ok" };
        let _ = writeln!(text, "{:<12} {status:<6} {:>7.1} s", step.name, step.time.as_secs_f64());
    }
    let failed: Vec<_> = done.iter().filter(|step| step.error.is_some()).map(|step| step.name).collect();
    let verdict = if failed.is_empty() {
        "all steps passed".to_owned()
    } else {
        format!("failed: {}", failed.join(", "))
    };
    let _ = writeln!(text, "{verdict}, {:.1} s in total", time.as_secs_f64());
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

    fn done(name: &'static str, results: &[&str], error: Option<&'static str>) -> Done {
        let results = results.iter().map(|&line| line.to_owned()).collect();
        Done { name, time: Duration::from_millis(1500), results, error: error.map(anyhow::Error::msg) }
    }

    #[test]
    fn summary_contains_the_test_results() {
        let lines =
            ["test result: ok. 12 passed; 0 failed; 1 ignored", "test result: FAILED. 3 passed; 2 failed"];
        let steps = [done("fmt", &[], None), done("test", &lines, Some("cargo test: exit code 101"))];
        let text = summary(&steps, Duration::from_millis(2800));
        assert!(text.contains("tests in total: 15 passed, 2 failed\n"), "{text}");
        assert!(text.contains(lines[0]) && text.contains("fmt          ok         1.5 s\n"), "{text}");
        assert!(
            text.contains("test         FAILED") && text.ends_with("failed: test, 2.8 s in total\n"),
            "{text}"
        );
    }

    #[test]
    fn a_failed_step_is_an_error() {
        let failed = done("test", &[], Some("cargo test: exit code 101"));
        let error = finish(vec![done("fmt", &[], None), failed], Duration::ZERO).unwrap_err();
        assert_eq!(format!("{error:#}"), "the step test failed: cargo test: exit code 101");
        assert!(finish(vec![done("fmt", &[], None)], Duration::ZERO).is_ok());
    }

    #[test]
    fn rejects_unknown_step_names() {
        assert_eq!(step_name("tidy"), Ok("tidy"));
        assert!(step_name("tidi").unwrap_err().contains("tidy"));
    }

    #[test]
    fn failing_and_missing_programs_are_errors() {
        let execute = |line: &Line| execute(line, &mut Output::Terminal);
        assert_eq!(execute(&line::cargo("--version")).unwrap(), Vec::<String>::new());
        // Two different files: fails without output.
        let differ = line::line("git", &["diff", "--no-index", "--quiet", "Cargo.toml", "Cargo.lock"]);
        let error = execute(&differ).unwrap_err().to_string();
        assert!(error.starts_with("git diff "), "{error}");
        let missing = line::line("no-such-program", &["x"]);
        assert!(execute(&missing).unwrap_err().to_string().contains("no-such-program x"));
    }

    #[test]
    fn a_text_keeps_both_streams() {
        let mut output = Output::Text(String::new());
        execute(&line::cargo("--version"), &mut output).unwrap();
        execute(&line::cargo("no-such-command"), &mut output).unwrap_err();
        let Output::Text(text) = output else { panic!("the output changed its place") };
        for part in ["$ cargo --version\ncargo ", "$ cargo no-such-command\nerror: "] {
            assert!(text.contains(part), "{text}");
        }
    }
}
