//! What a line of the xboard protocol says. Pure and total, like its sister for UCI: whether a move is
//! legal is decided where the game is known.

use super::clock::TimeControl;
use std::fmt;
use std::time::Duration;
use tabiya_core::notation::{San, UciMove};

/// A command, borrowing its texts from the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command<'a> {
    /// Nothing that concerns this engine.
    Nothing,
    Protover,
    New,
    Variant(&'a str),
    Force,
    Go,
    PlayOther,
    Level(TimeControl),
    MoveTime(Duration),
    Depth(u32),
    /// The engine's clock.
    Time(Duration),
    /// A move of the user's, in coordinates or SAN.
    Move(&'a str),
    MoveNow,
    /// The number is sent back as it came.
    Ping(&'a str),
    Draw,
    Result,
    SetBoard(&'a str),
    Hint,
    Book,
    Undo,
    Remove,
    Ponder(bool),
    Post(bool),
    Analyze,
    ExitAnalysis,
    AnalysisStatus,
    /// An option by name, and its value.
    SetOption(&'a str, Option<&'a str>),
    Opponent(&'a str),
    Quit,
}

/// Why a line says nothing; `Display` is the answer that the protocol has for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Problem<'a> {
    /// No such command.
    Unknown(&'a str),
    /// What follows the command is missing or cannot be read.
    Arguments { line: &'a str, expected: &'static str },
}

impl fmt::Display for Problem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unknown(line) => write!(f, "Error (unknown command): {}", shown(line)),
            Problem::Arguments { line, expected } => {
                write!(f, "Error (expected {expected}): {}", shown(line))
            }
        }
    }
}

/// A text from outside, fit to be part of a line: without control characters, and cut if it is long.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let end = if text.chars().nth(LONGEST).is_some() { "..." } else { "" };
    text.chars().take(LONGEST).map(clean).chain(end.chars()).collect()
}

/// Reads a line, without its line end.
///
/// # Errors
/// If there is no such command, or what must follow it is missing or unreadable.
pub(super) fn parse(line: &str) -> Result<Command<'_>, Problem<'_>> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let wrong = |expected| Problem::Arguments { line, expected };
    let text = |expected| if rest.is_empty() { Err(wrong(expected)) } else { Ok(rest) };
    Ok(match word {
        // Some say what was accepted; the others are for engines of another kind, or of the first version
        // of the protocol (`white` and `black` came before each move then, and changed nothing).
        "" | "xboard" | "accepted" | "rejected" | "random" | "white" | "black" | "otim" | "rating"
        | "ics" | "computer" | "nps" => Command::Nothing,
        "protover" => Command::Protover,
        "new" => Command::New,
        "variant" => Command::Variant(text("the name of a variant")?),
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "level" => {
            let control = TimeControl::parse(rest);
            Command::Level(control.ok_or_else(|| wrong("moves, minutes or min:sec, and seconds"))?)
        }
        "st" => Command::MoveTime(seconds(rest).ok_or_else(|| wrong("seconds"))?),
        "sd" => Command::Depth(number(rest).ok_or_else(|| wrong("a depth in plies"))?),
        "time" => {
            let left: i64 = rest.parse().map_err(|_| wrong("hundredths of a second"))?;
            Command::Time(Duration::from_millis(left.max(0).unsigned_abs().saturating_mul(10)))
        }
        "usermove" => Command::Move(text("a move")?),
        "?" => Command::MoveNow,
        "ping" => Command::Ping(text("a number")?),
        "draw" => Command::Draw,
        "result" => Command::Result,
        "setboard" => Command::SetBoard(text("a FEN")?),
        "hint" => Command::Hint,
        "bk" => Command::Book,
        "undo" => Command::Undo,
        "remove" => Command::Remove,
        "hard" => Command::Ponder(true),
        "easy" => Command::Ponder(false),
        "post" => Command::Post(true),
        "nopost" => Command::Post(false),
        "analyze" | "analyse" => Command::Analyze,
        "exit" => Command::ExitAnalysis,
        "." => Command::AnalysisStatus,
        "memory" => Command::SetOption("Hash", Some(text("megabytes")?)),
        "cores" => Command::SetOption("Threads", Some(text("a number of threads")?)),
        "egtpath" => match rest.split_once(char::is_whitespace) {
            Some(("syzygy", path)) => Command::SetOption("SyzygyPath", Some(path.trim())),
            Some(_) => Command::Nothing,
            None => return Err(wrong("a kind of tablebase and a path")),
        },
        "option" => match text("the name of an option")?.split_once('=') {
            Some((name, value)) => Command::SetOption(name.trim(), Some(value.trim())),
            None => Command::SetOption(rest, None),
        },
        "name" => Command::Opponent(rest),
        "quit" => Command::Quit,
        _ if rest.is_empty() && is_move(word) => Command::Move(word),
        _ => return Err(Problem::Unknown(line)),
    })
}

/// Is this a move, legal or not? Programs of the first version of the protocol send it without a word
/// before it.
fn is_move(word: &str) -> bool {
    word.parse::<UciMove>().is_ok() || word.parse::<San>().is_ok()
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&number| number > 0)
}

fn seconds(text: &str) -> Option<Duration> {
    let time = Duration::try_from_secs_f64(text.parse().ok()?).ok()?;
    (!time.is_zero()).then_some(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands() {
        for (line, command) in [
            ("", Command::Nothing),
            ("  new \r", Command::New),
            ("usermove  e2e4 ", Command::Move("e2e4")),
            ("e7e8q", Command::Move("e7e8q")),
            ("O-O-O", Command::Move("O-O-O")),
            ("Nf3", Command::Move("Nf3")),
            ("st 2.5", Command::MoveTime(Duration::from_millis(2500))),
            ("sd 7", Command::Depth(7)),
            ("time 6000", Command::Time(Duration::from_secs(60))),
            ("time -20", Command::Time(Duration::ZERO)),
            ("ping 17", Command::Ping("17")),
            ("setboard 8/8 w - -", Command::SetBoard("8/8 w - -")),
            ("memory 64", Command::SetOption("Hash", Some("64"))),
            ("option SkillLevel=3", Command::SetOption("SkillLevel", Some("3"))),
            ("option ClearHash", Command::SetOption("ClearHash", None)),
            ("egtpath syzygy /a b", Command::SetOption("SyzygyPath", Some("/a b"))),
            ("egtpath nalimov /a", Command::Nothing),
            ("easy", Command::Ponder(false)),
            ("result 1-0 {White mates}", Command::Result),
        ] {
            assert_eq!(parse(line), Ok(command), "{line:?}");
        }
    }

    #[test]
    fn says_what_is_wrong() {
        for (line, message) in [
            ("xyzzy", "Error (unknown command): xyzzy"),
            ("edit", "Error (unknown command): edit"),
            ("e2e4 e7e5", "Error (unknown command): e2e4 e7e5"),
            ("st soon", "Error (expected seconds): st soon"),
            ("st -1", "Error (expected seconds): st -1"),
            ("st NaN", "Error (expected seconds): st NaN"),
            ("sd 0", "Error (expected a depth in plies): sd 0"),
            ("usermove", "Error (expected a move): usermove"),
            ("level 40 5", "Error (expected moves, minutes or min:sec, and seconds): level 40 5"),
            ("time", "Error (expected hundredths of a second): time"),
        ] {
            assert_eq!(parse(line).unwrap_err().to_string(), message);
        }
        let long = format!("xyzzy\u{1b}{}", "y".repeat(1000));
        let message = parse(&long).unwrap_err().to_string();
        assert!(message.len() < 120 && !message.contains('\u{1b}'), "{message}");
    }
}
