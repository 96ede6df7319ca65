//! `tabiya replay`: repeats a logged session, to reproduce a bug or to confirm its fix.
//!
//! Input lines are sent to the engine unchanged. Where the log has an answer that a GUI waits for (`uciok`,
//! `readyok`, `bestmove`, `move`, `pong`), the replay waits for it too, so that the session takes the same
//! course, only faster. A different best move is an error where the search is deterministic: limited by depth
//! or nodes, with one thread, at full strength, without a book, and with a transposition table that only such
//! searches have filled. Under xboard a different move is an error, too, if the log has later moves of the same game.

use crate::early_stop::EarlyStop;
use crate::logging::{EARLIER_SEARCHES, PROTOCOL_TARGET, RECEIVED, SENT, SESSION};
use crate::options;
use crate::protocol;
use crate::reader::Input;
use crate::uci::command::{self, Command};
use anyhow::{Context, Result, bail};
use clap::Args;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Write};
use std::mem;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};
use tabiya_files::{input, output};
use tabiya_player::MAX_SKILL_LEVEL;
use tabiya_terminal::message::counted;
use tabiya_terminal::parse_ordinal;

/// The size limit of a log, in bytes: 1 GiB.
const MAX_LOG: u64 = 1 << 30;

/// Maximum time to wait for an answer.
const TIMEOUT: Duration = Duration::from_secs(600);

/// The first tokens of answers to wait for.
const AWAITED: [&str; 5] = ["uciok", "readyok", "bestmove", "move", "pong"];

/// Repeat a logged session and compare the best moves.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  TABIYA_LOG=debug tabiya 2>session.log       log a session
  tabiya replay session.log
  tabiya replay --timing session.log

The option Debug Log File writes such a log, too, and appends a session to it each time the engine starts.")]
pub(crate) struct ReplayArgs {
    /// Log of the session; - for standard input.
    log: PathBuf,
    /// Send each line at its original time instead of as soon as possible.
    #[arg(long)]
    timing: bool,
    /// Number of the session in a log of several [default: the last].
    #[arg(long, value_name = "NUMBER", value_parser = parse_ordinal)]
    session: Option<NonZeroU64>,
}

/// A logged protocol line.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    /// Time since logging began in the process.
    at: Duration,
    /// True for input of the engine, false for output.
    is_input: bool,
    line: String,
}

/// Parses a line of the log. Returns `None` if it is not a protocol line.
fn parse_entry(line: &str) -> Option<Entry> {
    let (head, rest) = line.split_once(PROTOCOL_TARGET)?;
    let message = rest.strip_prefix(": ")?;
    let (is_input, text) = match message.strip_prefix(RECEIVED) {
        Some(text) => (true, text),
        None => (false, message.strip_prefix(SENT)?),
    };
    let seconds = head.split_whitespace().next()?.strip_suffix('s')?.parse().ok()?;
    let at = Duration::try_from_secs_f64(seconds).ok()?;
    Some(Entry { at, is_input, line: serde_json::from_str(text).ok()? })
}

/// A session of a log.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct LoggedSession {
    /// True if searches before the log have filled the transposition table.
    is_tt_tainted: bool,
    entries: Vec<Entry>,
}

/// The sessions of a log. Those without input are left out.
fn sessions(log: &str) -> Vec<LoggedSession> {
    let mut sessions = Vec::new();
    let mut session = LoggedSession::default();
    for line in log.lines() {
        if line.starts_with(SESSION) {
            sessions.push(mem::take(&mut session));
        }
        session.is_tt_tainted |= line == EARLIER_SEARCHES;
        session.entries.extend(parse_entry(line));
    }
    sessions.push(session);
    sessions.retain(|session| session.entries.iter().any(|entry| entry.is_input));
    sessions
}

/// Tracks whether the next best move must equal the logged one.
#[derive(Debug)]
struct Determinism {
    /// The names of options at a value that makes searches unrepeatable.
    options: BTreeSet<&'static str>,
    /// True if an unrepeatable search has filled the transposition table.
    is_tt_tainted: bool,
    /// For each search without an answer, in order: true if it is repeatable.
    unanswered: VecDeque<bool>,
}

impl Determinism {
    fn new(is_tt_tainted: bool) -> Determinism {
        Determinism { options: BTreeSet::new(), is_tt_tainted, unanswered: VecDeque::new() }
    }

    /// Processes a line of input.
    fn observe(&mut self, line: &str) {
        let Ok(parsed) = command::parse(line) else { return };
        match parsed.command {
            Command::NewGame => self.is_tt_tainted = false,
            Command::SetOption(option) => {
                let Ok(change) = options::parse(option.name, option.value) else { return };
                let is_repeatable = match (change.name(), change.value()) {
                    ("Threads", threads) => threads == "1",
                    ("Skill Level", level) => level == MAX_SKILL_LEVEL.to_string(),
                    // A book may have several moves for a position, chosen at random.
                    ("UCI_LimitStrength" | "OwnBook", on) => on == "false",
                    _ => return,
                };
                if is_repeatable {
                    self.options.remove(change.name());
                } else {
                    self.options.insert(change.name());
                }
            }
            Command::Go(go) => {
                let timed = go.infinite || go.ponder || go.movetime.is_some() || go.time != [None; 2];
                let counted = go.depth.is_some() || go.nodes.is_some();
                self.interrupt();
                let is_repeatable = counted && !timed && self.options.is_empty() && !self.is_tt_tainted;
                self.is_tt_tainted |= !is_repeatable;
                self.unanswered.push_back(is_repeatable);
            }
            Command::Stop | Command::Quit | Command::Perft(_) | Command::Bench(_) | Command::GenFens(_) => {
                self.interrupt()
            }
            _ => {}
        }
    }

    /// Processes a command that ends the running search before its limit.
    fn interrupt(&mut self) {
        if let Some(is_repeatable) = self.unanswered.back_mut() {
            *is_repeatable = false;
            self.is_tt_tainted = true;
        }
    }

    /// Processes a best move. Returns true if it must equal the logged one.
    fn answer(&mut self) -> bool {
        self.unanswered.pop_front().unwrap_or(false)
    }
}

/// The results of a replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tally {
    sent: usize,
    same: usize,
    different: usize,
    /// Best moves that differ after unrepeatable searches.
    different_unrepeatable: usize,
}

/// Runs `tabiya replay`.
///
/// # Errors
/// If the log cannot be read or has no protocol lines, the engine does not answer, or a best move differs
/// after a repeatable search.
pub(crate) fn run(args: &ReplayArgs, out: &mut impl Write) -> Result<()> {
    let name = args.log.display();
    output::check_stdout(&[&args.log])?;
    let log = input::read_stream(&args.log, MAX_LOG).with_context(|| format!("cannot read {name}"))?;
    let sessions = sessions(&String::from_utf8_lossy(&log));
    if sessions.is_empty() {
        bail!("{name} has no protocol lines: it must be a log of level debug, as Debug Log File writes it");
    }
    let count = sessions.len() as u64;
    let number = args.session.map_or(count, NonZeroU64::get);
    let Some(session) = usize::try_from(number - 1).ok().and_then(|index| sessions.get(index)) else {
        bail!("{name} has {}: there is no session {number}", counted(count, "session"));
    };
    if count > 1 {
        writeln!(out, "session {number} of {count}")?;
    }
    let tally = replay(session, args.timing, out)?;
    let Tally { sent, same, different, different_unrepeatable } = tally;
    writeln!(
        out,
        "{} sent; best moves: {same} same, {different} different, \
         {different_unrepeatable} different after unrepeatable searches",
        counted(sent as u64, "line")
    )?;
    if different > 0 {
        bail!("{} after repeatable searches", counted(different as u64, "different best move"));
    }
    Ok(())
}

/// Returns true if the line gives an xboard engine another game or position.
fn begins_game(entry: &Entry) -> bool {
    let first = entry.line.split_whitespace().next();
    entry.is_input && matches!(first, Some("new" | "setboard" | "edit"))
}

fn replay(session: &LoggedSession, timing: bool, out: &mut impl Write) -> Result<Tally> {
    let LoggedSession { is_tt_tainted, entries } = session;
    let (input, lines) = unbounded();
    let (sender, answers) = unbounded();
    let mut output = LineSender { sender, line: Vec::new() };
    let engine = thread::Builder::new()
        .name("replay".into())
        .spawn(move || protocol::run(lines, &EarlyStop::default(), &mut output))?;
    let inputs = entries.iter().filter(|entry| entry.is_input && !sets_log_file(&entry.line)).count();
    let mut tally = Tally::default();
    let mut determinism = Determinism::new(*is_tt_tainted);
    let start = Instant::now();
    for (index, entry) in entries.iter().enumerate() {
        if timing {
            thread::sleep(entry.at.saturating_sub(start.elapsed()));
        }
        if entry.is_input {
            if sets_log_file(&entry.line) {
                continue;
            }
            writeln!(out, "> {}", entry.line)?;
            determinism.observe(&entry.line);
            // Fails if the engine has ended, which the wait for the next answer detects.
            let _ = input.send(Input::Line(entry.line.clone()));
            tally.sent += 1;
            continue;
        }
        let Some(awaited) = awaited(&entry.line) else { continue };
        if tally.sent == inputs {
            // A search without a limit has ended with the input.
            let _ = input.send(Input::End);
        }
        let Some(answer) = wait_for(awaited, &answers) else {
            bail!("the engine did not answer: the log has {:?} here", entry.line);
        };
        if !matches!(awaited, "bestmove" | "move") {
            continue;
        }
        // Searches under xboard are usually limited by time.
        let is_repeatable = determinism.answer() && awaited == "bestmove";
        let mv = |line: &str| line.split_whitespace().nth(1).map(str::to_owned);
        if mv(&answer) == mv(&entry.line) {
            tally.same += 1;
            writeln!(out, "< {answer}")?;
        } else {
            *if is_repeatable { &mut tally.different } else { &mut tally.different_unrepeatable } += 1;
            writeln!(out, "< {answer}    (in the log: {})", entry.line)?;
            // Under xboard the engine keeps the game, to which the replies in the log no longer belong.
            let is_move = |entry: &Entry| !entry.is_input && entry.line.starts_with("move ");
            let mut rest = entries[index + 1..].iter().take_while(|entry| !begins_game(entry));
            if awaited == "move" && rest.any(is_move) {
                bail!("the engine's move differs from the log, so the game cannot go on");
            }
        }
        out.flush()?;
    }
    // Ends a search that the log ended in.
    let _ = input.send(Input::Line("quit".to_owned()));
    match engine.join() {
        Ok(result) => result.map(|()| tally),
        Err(_) => bail!("the engine panicked"),
    }
}

/// Returns true if the line sets `Debug Log File`, which would append to the log being read.
fn sets_log_file(line: &str) -> bool {
    let is_log =
        |name, value| options::parse(name, value).is_ok_and(|change| change.name() == "Debug Log File");
    match command::parse(line).map(|parsed| parsed.command) {
        Ok(Command::SetOption(option)) => is_log(option.name, option.value),
        _ => line.trim().strip_prefix("option ").is_some_and(|option| {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            is_log(name, Some(value))
        }),
    }
}

/// The first token of the line, if it is an answer to wait for.
fn awaited(line: &str) -> Option<&'static str> {
    let first = line.split_whitespace().next()?;
    AWAITED.into_iter().find(|token| *token == first)
}

/// Waits for the next line that begins with `token`. Returns `None` on timeout or if the engine has ended.
fn wait_for(token: &str, answers: &Receiver<String>) -> Option<String> {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let line = answers.recv_deadline(deadline).ok()?;
        if line.split_whitespace().next() == Some(token) {
            return Some(line);
        }
    }
}

/// A writer that sends each line to a channel.
struct LineSender {
    sender: Sender<String>,
    line: Vec<u8>,
}

impl Write for LineSender {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                // The receiver may be gone.
                let _ = self.sender.send(String::from_utf8_lossy(&self.line).into_owned());
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
        let is_input = line.starts_with('>');
        Entry { at: Duration::ZERO, is_input, line: line[2..].to_owned() }
    }

    fn session(lines: &[&str]) -> (Result<Tally>, String) {
        let entries = lines.iter().map(|line| entry(line)).collect();
        let mut out = Vec::new();
        let tally = replay(&LoggedSession { is_tt_tainted: false, entries }, false, &mut out);
        (tally, String::from_utf8(out).unwrap())
    }

    #[test]
    fn parses_protocol_lines_of_a_log() {
        let line = r#"   1.500000000s DEBUG tabiya::conversation: > "go \"x\"\u001b""#;
        let entry = parse_entry(line).unwrap();
        assert_eq!(entry.at, Duration::from_millis(1500));
        assert_eq!((entry.is_input, entry.line.as_str()), (true, "go \"x\"\u{1b}"));
        assert!(!parse_entry(r#"  0.1s DEBUG tabiya::conversation: < "readyok""#).unwrap().is_input);
        for other in ["", "0.1s DEBUG tabiya_search: search", "tabiya::conversation: > \"uci\""] {
            assert_eq!(parse_entry(other), None, "{other}");
        }
    }

    #[test]
    fn separates_the_sessions_of_a_log() {
        let line = |text: &str| format!("0.1s DEBUG tabiya::conversation: > {text:?}\n");
        let (one, two) = (line("uci"), line("xboard"));
        assert_eq!(sessions(""), []);
        assert_eq!(sessions(&one).len(), 1);
        let log = format!("{SESSION}: 1\n{one}{one}{SESSION}: 2\n{SESSION}: 3\n{EARLIER_SEARCHES}\n{two}");
        let read = sessions(&log);
        assert_eq!(read.iter().map(|session| session.entries.len()).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(read[1].entries[0].line, "xboard");
        assert_eq!([read[0].is_tt_tainted, read[1].is_tt_tainted], [false, true]);
    }

    #[test]
    fn repeats_a_session() {
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
        assert_eq!(
            tally.unwrap(),
            Tally { sent: 7, same: 1, different: 1, different_unrepeatable: 1 },
            "{text}"
        );
        assert!(text.contains("(in the log: bestmove a2a3)"), "{text}");
        assert!(!text.contains("nowhere"), "{text}");
    }

    #[test]
    fn game_ends_at_the_first_different_move_of_the_engine() {
        let lines =
            ["> xboard", "> sd 1", "> setboard 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "> go", "< move a1b1"];
        let (tally, text) = session(&lines);
        assert_eq!(tally.unwrap().different_unrepeatable, 1, "{text}");
        let (result, text) = session(&[&lines[..], &["> usermove g8f8", "< move b1b8"]].concat());
        assert!(result.unwrap_err().to_string().contains("differs from the log"), "{text}");
        assert!(text.ends_with("< move a1a8    (in the log: move a1b1)\n"), "{text}");
        let (tally, text) = session(&[&lines[..], &["> new", "> go", "< move e2e4"]].concat());
        assert!(tally.is_ok(), "another game can be replayed: {text}");
    }

    #[test]
    fn missing_answer_is_an_error() {
        let (result, _) = session(&["> quit", "< readyok"]);
        assert!(result.unwrap_err().to_string().contains("did not answer"));
    }

    #[test]
    fn tracks_repeatable_searches() {
        let repeatable = |lines: &[&str]| {
            let mut determinism = Determinism::new(false);
            let mut last = false;
            for &line in lines {
                match line {
                    "bestmove" => last = determinism.answer(),
                    _ => determinism.observe(line),
                }
            }
            determinism.unanswered.back().copied().unwrap_or(last)
        };
        assert!(repeatable(&["go depth 3"]));
        assert!(repeatable(&["go nodes 3", "bestmove", "go depth 2"]));
        assert!(!repeatable(&["go movetime 3"]));
        assert!(!repeatable(&["go movetime 3", "bestmove", "go depth 3"]));
        assert!(repeatable(&["go movetime 3", "bestmove", "ucinewgame", "go depth 3"]));
        assert!(!repeatable(&["setoption name Threads value 2", "go depth 3"]));
        assert!(!repeatable(&["setoption name Skill Level value 2", "go depth 3"]));
        assert!(!repeatable(&["setoption name OwnBook value true", "go depth 3"]));
        assert!(repeatable(&["go depth 3", "bestmove", "stop"]));
        assert!(repeatable(&["go depth 3", "bestmove", "quit"]));
        for interruption in ["stop", "quit", "go perft 2", "bench", "genfens 1 seed 1 book None"] {
            assert!(!repeatable(&["go depth 3", interruption]), "{interruption}");
            let later = ["go depth 3", interruption, "bestmove", "go depth 3"];
            assert!(!repeatable(&later), "the transposition table after {interruption}");
        }
        assert!(!repeatable(&["go depth 3", "go depth 3"]));
        assert!(!repeatable(&["go depth 3", "go depth 3", "bestmove"]));
        let mut after_other_searches = Determinism::new(true);
        for (line, is_repeatable) in [("go depth 3", false), ("ucinewgame", false), ("go depth 3", true)] {
            after_other_searches.observe(line);
            assert_eq!(after_other_searches.answer(), is_repeatable, "{line}");
        }
    }
}
