//! A `tabiya` process driven through its pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum time for an answer. Long, because test machines are busy.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// Maximum lifetime of the process before it is killed.
const PROCESS_TIMEOUT: Duration = Duration::from_secs(120);

/// A running `tabiya`, killed when dropped and after [`PROCESS_TIMEOUT`].
pub(crate) struct Tabiya {
    child: Arc<Mutex<Child>>,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
    /// All lines so far, for the message of a failing test.
    transcript: Vec<String>,
    /// Dropping it ends the watchdog thread.
    _watchdog: Sender<()>,
}

/// The exit status and remaining output of a process.
pub(crate) struct Exit {
    pub(crate) status: ExitStatus,
    pub(crate) lines: Vec<String>,
    pub(crate) errors: String,
}

impl Exit {
    /// The output as one string.
    pub(crate) fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// The output of a command that must have succeeded.
    pub(crate) fn success(self) -> String {
        assert!(self.status.success(), "{}: {}", self.status, self.errors);
        self.text()
    }

    /// The messages of a command that must have failed with an error message.
    pub(crate) fn failure(self) -> String {
        let Exit { status, errors, .. } = self;
        assert!(!status.success(), "{errors}");
        assert!(errors.lines().any(|line| line.starts_with("error: ")), "{errors}");
        assert!(!errors.contains("panicked"), "{errors}");
        errors
    }
}

impl Tabiya {
    /// Starts the UCI engine.
    pub(crate) fn uci() -> Tabiya {
        Tabiya::with_arguments(&[])
    }

    /// Starts the xboard engine and waits for the end of its features.
    pub(crate) fn xboard() -> Tabiya {
        let mut engine = Tabiya::uci();
        engine.send("xboard\nprotover 2");
        engine.expect("feature done=1");
        engine
    }

    /// Sends `ping` and returns the lines before `pong`.
    pub(crate) fn ping(&mut self) -> Vec<String> {
        self.send("ping 7");
        let mut lines = self.read_until("pong 7", |line| line == "pong 7");
        lines.pop();
        lines
    }

    /// Starts `tabiya` with arguments.
    pub(crate) fn with_arguments(arguments: &[&str]) -> Tabiya {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        command.args(arguments);
        Tabiya::spawn(command)
    }

    /// Starts `tabiya` with an environment variable, given as name and value.
    pub(crate) fn with_variable((name, value): (&str, &str), arguments: &[&str]) -> Tabiya {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        command.env(name, value).args(arguments);
        Tabiya::spawn(command)
    }

    /// Starts the UCI engine with an address space of this many kilobytes.
    #[cfg(target_os = "linux")]
    pub(crate) fn with_address_space(kilobytes: u32) -> Tabiya {
        let mut command = Command::new("sh");
        let script = format!("ulimit -v {kilobytes} && exec \"$0\"");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_tabiya")]);
        Tabiya::spawn(command)
    }

    /// Starts a command, usually of `tabiya`.
    pub(crate) fn spawn(mut command: Command) -> Tabiya {
        // A log that the user has switched on is not part of the test.
        if !command.get_envs().any(|(name, _)| name == "TABIYA_LOG") {
            command.env_remove("TABIYA_LOG");
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("start tabiya");
        let stdin = child.stdin.take();
        let lines = collect_lines(child.stdout.take().expect("piped stream"));
        let (sender, errors) = mpsc::channel();
        let mut stderr = child.stderr.take().expect("piped stream");
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stderr.read_to_end(&mut bytes);
            let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
        });
        let child = Arc::new(Mutex::new(child));
        let (watchdog, end) = mpsc::channel();
        let watched = Arc::clone(&child);
        thread::spawn(move || {
            if end.recv_timeout(PROCESS_TIMEOUT) == Err(RecvTimeoutError::Timeout) {
                let _ = watched.lock().expect("lock").kill();
            }
        });
        Tabiya { child, stdin, lines, errors, transcript: Vec::new(), _watchdog: watchdog }
    }

    /// Runs `tabiya` with empty input to its end.
    pub(crate) fn run(arguments: &[&str]) -> Exit {
        Tabiya::with_arguments(arguments).finish()
    }

    /// Sends one or more lines.
    pub(crate) fn send(&mut self, lines: &str) {
        self.transcript.push(format!("> {}", shorten(lines)));
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("open input");
        if let Err(error) = stdin.write_all(bytes).and_then(|()| stdin.flush()) {
            self.fail(&format!("cannot send: {error}"));
        }
    }

    /// Reads up to and including the next line that satisfies `is_wanted`. Fails after [`ANSWER_TIMEOUT`].
    pub(crate) fn read_until(&mut self, what: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    self.transcript.push(format!("< {}", shorten(&line)));
                    lines.push(line);
                    if lines.last().is_some_and(|line| is_wanted(line)) {
                        return lines;
                    }
                }
                Err(error) => self.fail(&format!("waiting for {what}: {error}")),
            }
        }
    }

    /// Skips lines up to the next one that starts with `prefix`, and returns it.
    pub(crate) fn expect(&mut self, prefix: &str) -> String {
        self.read_until(prefix, |line| line.starts_with(prefix)).pop().unwrap_or_default()
    }

    /// Reads up to the next `bestmove`.
    pub(crate) fn answer(&mut self) -> Answer {
        let mut infos = self.read_until("bestmove", |line| line.starts_with("bestmove"));
        let line = infos.pop().unwrap_or_default();
        Answer { infos, line }
    }

    /// Sends a `go` and waits for its answer.
    pub(crate) fn go(&mut self, limits: &str) -> Answer {
        self.send(&format!("go {limits}"));
        self.answer()
    }

    /// Sends `isready` and returns the lines before `readyok`.
    pub(crate) fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.read_until("readyok", |line| line == "readyok");
        lines.pop();
        lines
    }

    /// Fails if an unwanted line comes within this time.
    pub(crate) fn expect_silence(&mut self, time: Duration, is_unwanted: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + time;
        while let Ok(line) = self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            self.transcript.push(format!("< {line}"));
            if is_unwanted(&line) {
                self.fail(&format!("unexpected: {line}"));
            }
        }
    }

    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Closes the input and waits for the process to exit.
    pub(crate) fn finish(mut self) -> Exit {
        self.close_input();
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        let status = loop {
            let status = self.child.lock().expect("lock").try_wait().expect("query the process");
            match status {
                Some(status) => break status,
                None if Instant::now() > deadline => self.fail("the process does not exit"),
                None => thread::sleep(Duration::from_millis(2)),
            }
        };
        let lines = self.lines.iter().collect();
        let errors = self.errors.recv().unwrap_or_default();
        Exit { status, lines, errors }
    }

    /// Closes the input and checks that the process succeeds with nothing on standard error.
    pub(crate) fn finish_well(self) -> Exit {
        let exit = self.finish();
        assert!(exit.status.success(), "{}: {}", exit.status, exit.errors);
        assert_eq!(exit.errors, "");
        exit
    }

    pub(crate) fn fail(&self, message: &str) -> ! {
        let tail: Vec<&str> = self.transcript.iter().rev().take(40).rev().map(String::as_str).collect();
        panic!("{message}\n{}", tail.join("\n"));
    }
}

impl Drop for Tabiya {
    fn drop(&mut self) {
        if let Ok(mut child) = self.child.lock() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The output of a search.
pub(crate) struct Answer {
    /// The lines before `bestmove`.
    pub(crate) infos: Vec<String>,
    /// The `bestmove` line.
    pub(crate) line: String,
}

impl Answer {
    /// The best move.
    pub(crate) fn best(&self) -> &str {
        self.line.split(' ').nth(1).unwrap_or_default()
    }

    /// The last line with a score.
    pub(crate) fn last_info(&self) -> &str {
        self.infos.iter().rev().find(|line| line.contains(" score ")).map_or("", String::as_str)
    }

    /// The `info string` messages, without the prefix.
    pub(crate) fn messages(&self) -> Vec<&str> {
        self.infos.iter().filter_map(|line| line.strip_prefix("info string ")).collect()
    }
}

/// The token after a keyword of an `info` line.
pub(crate) fn field<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let mut tokens = line.split(' ');
    tokens.find(|token| *token == keyword)?;
    tokens.next()
}

fn collect_lines(source: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(source).lines() {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

fn shorten(text: &str) -> String {
    text.chars().take(200).collect()
}
