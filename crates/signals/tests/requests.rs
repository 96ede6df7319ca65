//! Requests to a process: the test program itself, started again by a shell.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use tabiya_signals::Signal;

/// Prints each request. Ends with the standard input.
#[test]
#[ignore = "run by the other tests, in a process of its own"]
fn child() {
    tabiya_signals::handle(|signal| println!("> {signal:?}")).unwrap();
    wait_for_end();
}

/// Prints the first request.
#[test]
#[ignore = "run by the other tests, in a process of its own"]
fn child_of_one_request() {
    tabiya_signals::handle_first(|| println!("> first")).unwrap();
    wait_for_end();
}

fn wait_for_end() {
    println!("> ready");
    let _ = std::io::stdin().read(&mut [0]);
}

struct Process {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Process {
    /// Starts one of the tests above, after the shell command `before`.
    fn start(before: &str, test: &str) -> Process {
        let script = format!("{before}; exec \"$0\" --exact {test} --ignored --nocapture");
        let program = std::env::current_exe().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", &script]).arg(program).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut process = Process { child, output };
        assert_eq!(process.line(), "ready");
        process
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("sh").args(["-c", "kill -s $0 $1", name, &id]).status().unwrap().success());
    }

    /// The next line that a test above has printed.
    fn line(&mut self) -> String {
        let mut line = String::new();
        loop {
            line.clear();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the process has ended");
            // The harness prints the name of the test without the end of the line.
            if let Some((_, text)) = line.split_once("> ") {
                return text.trim_end().to_owned();
            }
        }
    }

    fn exit_code(mut self) -> Option<i32> {
        drop(self.child.stdin.take());
        self.child.wait().unwrap().code()
    }
}

#[test]
fn requests_are_told_apart() {
    // `nohup cargo test` makes the child ignore SIGHUP, and a shell cannot undo that.
    let ignores_hangup = Command::new("sh").args(["-c", "kill -s HUP $$"]).status().unwrap().success();
    let mut process = Process::start(":", "child");
    for (signal, expected) in [
        ("INT", Signal::CtrlC),
        ("TERM", Signal::Termination),
        ("HUP", Signal::Termination),
        ("INT", Signal::CtrlC),
    ] {
        if signal == "HUP" && ignores_hangup {
            continue;
        }
        process.signal(signal);
        assert_eq!(process.line(), format!("{expected:?}"), "{signal}");
    }
    assert_eq!(process.exit_code(), Some(0));
}

#[test]
fn second_request_ends_the_process() {
    let mut process = Process::start(":", "child_of_one_request");
    process.signal("TERM");
    assert_eq!(process.line(), "first");
    process.signal("INT");
    // `Child::wait` would close the standard input, and the child could end with 0 before the signal arrives.
    let _stdin = process.child.stdin.take();
    assert_eq!(process.child.wait().unwrap().code(), Some(130));
}

#[cfg(target_os = "linux")]
#[test]
fn nohup_is_respected() {
    let mut process = Process::start("trap '' HUP", "child");
    process.signal("HUP");
    process.signal("TERM");
    assert_eq!(process.line(), "Termination");
    assert_eq!(process.exit_code(), Some(0));
}
