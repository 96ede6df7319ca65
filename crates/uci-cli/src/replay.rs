//! `tabiya replay`: holds a logged session again, to see a fault happen once more or to see it gone.
//!
//! The lines that came in are fed to the engine as they were. Where the log has an answer that somebody
//! would have waited for (`uciok`, `readyok`, `bestmove`, `move`, `pong`), the replay waits for it, too,
//! so that the session goes on as it went, only faster. Best moves are compared where they can only be
//! the same: after searches by depth or nodes, with one thread, at full strength, without a book, with nothing
//! learnt from a search that was none of these.

use crate::cli::ReplayArgs;
use crate::command::{self, Command};
use crate::log::{CAME, CONVERSATION, WENT};
use crate::options::{self, Setting};
use crate::reader::Input;
use crate::resources::Resource;
use anyhow::{Context, Result, bail};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::io::{self, BufRead, BufReader, Write};
use std::thread;
use std::time::{Duration, Instant};
use tabiya_play::MAX_SKILL_LEVEL;

/// How long an answer may take. Longer than any that a person would have waited for.
const PATIENCE: Duration = Duration::from_secs(600);

/// The first words of answers that are waited for.
const LANDMARKS: [&str; 5] = ["uciok", "readyok", "bestmove", "move", "pong"];

/// A line of a conversation.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    /// Since the start of the program.
    at: Duration,
    /// Did it come in, or go out?
    came: bool,
    line: String,
}

/// Reads a line of a log; `None` if it is not one of the conversation.
fn read_entry(line: &str) -> Option<Entry> {
    let (head, rest) = line.split_once(CONVERSATION)?;
    let said = rest.strip_prefix(": ")?;
    let (came, text) = match said.strip_prefix(CAME) {
        Some(text) => (true, text),
        None => (false, said.strip_prefix(WENT)?),
    };
    let seconds = head.split_whitespace().next()?.strip_suffix('s')?.parse().ok()?;
    let at = Duration::try_from_secs_f64(seconds).ok()?;
    Some(Entry { at, came, line: serde_json::from_str(text).ok()? })
}

/// Knows whether the next best move can only be the one in the log.
#[derive(Debug)]
struct Certainty {
    threads: usize,
    weak: bool,
    skill: u8,
    /// A book has several moves for a position.
    book: bool,
    /// Has the table learnt from a search that cannot be repeated?
    tainted: bool,
    /// Can the search that runs be repeated?
    repeatable: bool,
}

impl Certainty {
    fn new() -> Certainty {
        Certainty {
            threads: 1,
            weak: false,
            skill: MAX_SKILL_LEVEL,
            book: false,
            tainted: false,
            repeatable: true,
        }
    }

    fn came(&mut self, line: &str) {
        let Ok(parsed) = command::parse(line) else { return };
        match parsed.command {
            Command::NewGame => self.tainted = false,
            Command::SetOption(option) => match options::parse(option.name, option.value) {
                Ok(Setting::Threads(threads)) => self.threads = threads,
                Ok(Setting::LimitStrength(on)) => self.weak = on,
                Ok(Setting::SkillLevel(level)) => self.skill = level,
                Ok(Setting::Resource(Resource::OwnBook(on))) => self.book = on,
                _ => {}
            },
            Command::Go(go) => {
                let timed = go.infinite || go.ponder || go.movetime.is_some() || go.time != [None; 2];
                let counted = go.depth.is_some() || go.nodes.is_some();
                let alone = !self.weak && self.skill == MAX_SKILL_LEVEL && !self.book && self.threads == 1;
                self.repeatable = counted && !timed && alone && !self.tainted;
                self.tainted |= !self.repeatable;
            }
            Command::Stop => {
                self.repeatable = false;
                self.tainted = true;
            }
            _ => {}
        }
    }
}

/// What came of a replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tally {
    sent: usize,
    same: usize,
    different: usize,
    /// Different, but not bound to be the same.
    free: usize,
}

/// Runs the subcommand.
///
/// # Errors
/// If the log cannot be read or holds no conversation, the engine falls silent, or a best move differs
/// that must not.
pub(crate) fn run(args: &ReplayArgs, out: &mut impl Write) -> Result<()> {
    let name = args.log.display();
    let file = std::fs::File::open(&args.log).with_context(|| format!("cannot read {name}"))?;
    let mut entries = Vec::new();
    for line in BufReader::new(file).split(b'\n') {
        let line = line.with_context(|| format!("cannot read {name}"))?;
        entries.extend(read_entry(&String::from_utf8_lossy(&line)));
    }
    if !entries.iter().any(|entry| entry.came) {
        bail!("{name} holds no conversation: it needs a log of level debug, as `Debug Log File` writes it");
    }
    let tally = replay(&entries, args.timing, out)?;
    let Tally { sent, same, different, free } = tally;
    writeln!(
        out,
        "{sent} lines sent; {same} best moves as before, {different} different, {free} different after searches by the clock"
    )?;
    if different > 0 {
        bail!("{different} best moves differ that should not");
    }
    Ok(())
}

fn replay(entries: &[Entry], timing: bool, out: &mut impl Write) -> Result<Tally> {
    let (input, lines) = unbounded();
    let (said, answers) = unbounded();
    let engine = thread::Builder::new()
        .name("replay".into())
        .spawn(move || crate::converse(lines, &mut Lines { said, line: Vec::new() }))?;
    let mut tally = Tally::default();
    let mut certainty = Certainty::new();
    let start = Instant::now();
    for entry in entries {
        if timing {
            thread::sleep(entry.at.saturating_sub(start.elapsed()));
        }
        if entry.came {
            if opens_log(&entry.line) {
                continue;
            }
            writeln!(out, "> {}", entry.line)?;
            certainty.came(&entry.line);
            // Should the engine have ended, the next answer does not come.
            let _ = input.send(Input::Line(entry.line.clone()));
            tally.sent += 1;
            continue;
        }
        let Some(landmark) = landmark(&entry.line) else { continue };
        let Some(answer) = wait_for(landmark, &answers) else {
            bail!("the engine did not answer: the log has {:?} here", entry.line);
        };
        if !matches!(landmark, "bestmove" | "move") {
            continue;
        }
        let first = |line: &str| line.split_whitespace().nth(1).map(str::to_owned);
        if first(&answer) == first(&entry.line) {
            tally.same += 1;
            writeln!(out, "< {answer}")?;
        } else {
            // Under xboard all searches are by the clock.
            let bound = certainty.repeatable && landmark == "bestmove";
            *if bound { &mut tally.different } else { &mut tally.free } += 1;
            writeln!(out, "< {answer}    (in the log: {})", entry.line)?;
        }
        out.flush()?;
    }
    drop(input);
    match engine.join() {
        Ok(result) => result.map(|()| tally),
        Err(_) => bail!("the engine has panicked"),
    }
}

/// Would it write over the log that is read?
fn opens_log(line: &str) -> bool {
    let is_log = |name, value| matches!(options::parse(name, value), Ok(Setting::DebugLogFile(_)));
    match command::parse(line).map(|parsed| parsed.command) {
        Ok(Command::SetOption(option)) => is_log(option.name, option.value),
        _ => line.trim().strip_prefix("option ").is_some_and(|option| {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            is_log(name, Some(value))
        }),
    }
}

fn landmark(line: &str) -> Option<&'static str> {
    let first = line.split_whitespace().next()?;
    LANDMARKS.into_iter().find(|landmark| *landmark == first)
}

/// The next line that begins with this word, unless the engine has ended.
fn wait_for(word: &str, answers: &Receiver<String>) -> Option<String> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let line = answers.recv_deadline(deadline).ok()?;
        if line.split_whitespace().next() == Some(word) {
            return Some(line);
        }
    }
}

/// Sends each line that is written to a channel.
struct Lines {
    said: Sender<String>,
    line: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                // Nobody may be listening any more.
                let _ = self.said.send(String::from_utf8_lossy(&self.line).into_owned());
                self.line.clear();
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(line: &str) -> Entry {
        let came = line.starts_with('>');
        Entry { at: Duration::ZERO, came, line: line[2..].to_owned() }
    }

    fn session(lines: &[&str]) -> (Result<Tally>, String) {
        let entries: Vec<Entry> = lines.iter().map(|line| entry(line)).collect();
        let mut out = Vec::new();
        let tally = replay(&entries, false, &mut out);
        (tally, String::from_utf8(out).unwrap())
    }

    #[test]
    fn lines_of_a_log() {
        let line = r#"   1.500000000s DEBUG tabiya::conversation: > "go \"x\"\u001b""#;
        let read = read_entry(line).unwrap();
        assert_eq!(read.at, Duration::from_millis(1500));
        assert_eq!((read.came, read.line.as_str()), (true, "go \"x\"\u{1b}"));
        assert!(!read_entry(r#"  0.1s DEBUG tabiya::conversation: < "readyok""#).unwrap().came);
        for other in ["", "0.1s DEBUG tabiya_search: search", "tabiya::conversation: > \"uci\""] {
            assert_eq!(read_entry(other), None, "{other}");
        }
    }

    #[test]
    fn a_session_is_repeated() {
        let (tally, text) = session(&[
            "> uci",
            "< uciok",
            "> setoption name Debug Log File value /nowhere/at/all",
            "> position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
            "> go depth 3",
            "< info depth 1",
            "< bestmove a1a8",
            "> position startpos",
            "> go depth 1",
            "< bestmove a2a3",
            "> go movetime 1",
            "< bestmove a2a3",
            "> quit",
        ]);
        assert_eq!(tally.unwrap(), Tally { sent: 7, same: 1, different: 1, free: 1 }, "{text}");
        assert!(text.contains("(in the log: bestmove a2a3)"), "{text}");
        assert!(!text.contains("nowhere"), "{text}");
    }

    #[test]
    fn an_answer_that_does_not_come_is_an_error() {
        let (result, _) = session(&["> quit", "< readyok"]);
        assert!(result.unwrap_err().to_string().contains("did not answer"));
    }

    #[test]
    fn what_can_only_be_the_same() {
        let repeatable = |lines: &[&str]| {
            let mut certainty = Certainty::new();
            lines.iter().for_each(|line| certainty.came(line));
            certainty.repeatable
        };
        assert!(repeatable(&["go depth 3"]));
        assert!(repeatable(&["go nodes 3", "go depth 2"]));
        assert!(!repeatable(&["go movetime 3"]));
        assert!(!repeatable(&["go movetime 3", "go depth 3"]));
        assert!(repeatable(&["go movetime 3", "ucinewgame", "go depth 3"]));
        assert!(!repeatable(&["setoption name Threads value 2", "go depth 3"]));
        assert!(!repeatable(&["setoption name Skill Level value 2", "go depth 3"]));
        assert!(!repeatable(&["setoption name OwnBook value true", "go depth 3"]));
        assert!(!repeatable(&["go depth 3", "stop"]));
    }
}
