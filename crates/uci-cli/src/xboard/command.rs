//! Parser of xboard commands. Pure and total, like the one for UCI: it does not know the game and accepts
//! illegal moves.

use super::clock::TimeControl;
use crate::reader::Urgent;
use std::fmt;
use std::time::Duration;
use tabiya_core::notation::{San, UciMove};

/// A command, borrowing from the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command<'a> {
    /// A command without effect on this engine.
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
    /// The engine's remaining time.
    Time(Duration),
    /// A move of the opponent, in coordinates or SAN.
    Move(&'a str),
    MoveNow,
    /// The number to send back verbatim.
    Ping(&'a str),
    Draw,
    Result,
    SetBoard(&'a str),
    /// Edit the position piece by piece.
    Edit,
    Hint,
    Book,
    Undo,
    Remove,
    Ponder(bool),
    Post(bool),
    Analyze,
    ExitAnalysis,
    AnalysisStatus,
    /// Name and value of an option.
    SetOption(&'a str, Option<&'a str>),
    Opponent(&'a str),
    Quit,
}

/// A parse error. `Display` formats the protocol's error line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Problem<'a> {
    /// Unknown command.
    Unknown(&'a str),
    /// Missing or invalid argument.
    Arguments { line: &'a str, expected: &'static str },
}

impl fmt::Display for Problem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unknown(line) => write!(f, "Error (unknown command): {}", sanitize(line)),
            Problem::Arguments { line, expected } => {
                write!(f, "Error (expected {expected}): {}", sanitize(line))
            }
        }
    }
}

/// Makes input fit for output: without control characters, cut after 60 characters.
pub(super) fn sanitize(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let end = if text.chars().nth(MAX_CHARS).is_some() { "..." } else { "" };
    text.chars().take(MAX_CHARS).map(clean).chain(end.chars()).collect()
}

/// The urgent request of a line, if it is one.
pub(crate) fn urgent(line: &str) -> Option<Urgent> {
    match parse(line).ok()? {
        Command::MoveNow => Some(Urgent::Stop),
        Command::Quit => Some(Urgent::Quit),
        _ => None,
    }
}

/// Parses a line without its line ending.
///
/// # Errors
/// If the command is unknown, or its argument is missing or invalid.
pub(super) fn parse(line: &str) -> Result<Command<'_>, Problem<'_>> {
    let line = line.trim();
    let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let bad_argument = |expected| Problem::Arguments { line, expected };
    let text = |expected| if rest.is_empty() { Err(bad_argument(expected)) } else { Ok(rest) };
    Ok(match command {
        // Replies to features, settings this engine does not use, and `white` and `black` of protocol version
        // 1.
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
            Command::Level(control.ok_or_else(|| bad_argument("moves, minutes or min:sec, and seconds"))?)
        }
        "st" => Command::MoveTime(seconds(rest).ok_or_else(|| bad_argument("seconds"))?),
        "sd" => Command::Depth(number(rest).ok_or_else(|| bad_argument("a depth in plies"))?),
        "time" => {
            let left: i64 = rest.parse().map_err(|_| bad_argument("hundredths of a second"))?;
            Command::Time(Duration::from_millis(left.max(0).unsigned_abs().saturating_mul(10)))
        }
        "usermove" => Command::Move(text("a move")?),
        "?" => Command::MoveNow,
        "ping" => Command::Ping(text("a number")?),
        "draw" => Command::Draw,
        "result" => Command::Result,
        "edit" => Command::Edit,
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
            None => return Err(bad_argument("a kind of tablebase and a path")),
        },
        "option" => match text("the name of an option")?.split_once('=') {
            Some((name, value)) => Command::SetOption(name.trim(), Some(value.trim())),
            None => Command::SetOption(rest, None),
        },
        "name" => Command::Opponent(rest),
        "quit" => Command::Quit,
        _ if rest.is_empty() && is_move(command) => Command::Move(command),
        _ => return Err(Problem::Unknown(line)),
    })
}

/// Returns true if the text is a move, legal or not. In protocol version 1 moves are sent without `usermove`.
fn is_move(text: &str) -> bool {
    text.parse::<UciMove>().is_ok() || text.parse::<San>().is_ok()
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
    fn parses_commands() {
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
            ("edit", Command::Edit),
            ("result 1-0 {White mates}", Command::Result),
        ] {
            assert_eq!(parse(line), Ok(command), "{line:?}");
        }
    }

    #[test]
    fn urgent_requests_are_those_that_the_parser_finds() {
        assert_eq!(urgent(" ?"), Some(Urgent::Stop));
        assert_eq!(urgent("quit\r"), Some(Urgent::Quit));
        for line in ["", "stop", "exit", "result *", "usermove quit"] {
            assert_eq!(urgent(line), None, "{line}");
        }
    }

    #[test]
    fn errors_state_what_is_expected() {
        for (line, message) in [
            ("xyzzy", "Error (unknown command): xyzzy"),
            ("pause", "Error (unknown command): pause"),
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
