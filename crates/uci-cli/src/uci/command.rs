//! Parser of UCI commands.
//!
//! [`parse`] is pure and total: it turns any text into a typed command or a typed error. It knows neither the
//! engine nor the position, so it does not check whether a move is legal or an option exists.

mod genfens;
mod go;
mod tokens;

pub(crate) use genfens::GenFens;
pub(crate) use go::Go;

use crate::message::quote;
use crate::reader::Urgent;
use std::fmt;
use std::num::NonZeroU32;
use tokens::{Token, Tokens};

/// A command, borrowing from the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command<'a> {
    /// A blank line.
    Nothing,
    Uci,
    Debug(bool),
    IsReady,
    SetOption(SetOption<'a>),
    /// `register`, which this engine does not need.
    Register,
    NewGame,
    Position(Position<'a>),
    Go(Go),
    /// `go perft N`: count leaf nodes.
    Perft(u32),
    Stop,
    PonderHit,
    Quit,
    /// `d`: draw the board. This and the following commands are extensions of the protocol.
    Display,
    /// `fen`: print the FEN.
    Fen,
    /// `eval`: print the evaluation, term by term.
    Eval,
    /// `flip`: mirror the position and swap the colours.
    Flip,
    /// `moves [MOVES]`: list the legal moves, or play the given ones.
    Moves(&'a str),
    /// `version` or `compiler`: print build information.
    Version,
    /// `bench [DEPTH]`.
    Bench(Option<u32>),
    /// `genfens N seed S book None|FILE`: random openings.
    GenFens(GenFens<'a>),
    Help,
}

impl Command<'_> {
    /// The urgent request of this command, if it is one.
    pub(super) fn urgent(&self) -> Option<Urgent> {
        match self {
            Command::Stop => Some(Urgent::Stop),
            Command::Quit => Some(Urgent::Quit),
            _ => None,
        }
    }
}

/// `setoption name <id> [value <x>]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SetOption<'a> {
    /// The text between `name` and `value`.
    pub(crate) name: &'a str,
    /// The rest of the line after `value`.
    pub(crate) value: Option<&'a str>,
}

/// `position [startpos | fen <fen>] [moves ...]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Position<'a> {
    /// The FEN, or `None` for the start position.
    pub(crate) fen: Option<&'a str>,
    /// The text after `moves`.
    pub(crate) moves: &'a str,
}

/// A parsed line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Parsed<'a> {
    pub(crate) command: Command<'a>,
    /// Ignored tokens, and values that were dropped or changed.
    pub(crate) notices: Vec<Problem>,
}

/// A problem with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Problem {
    /// The byte offset in the line.
    pub(crate) at: usize,
    pub(crate) kind: ProblemKind,
}

/// The kind of a [`Problem`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ProblemKind {
    /// No token of the line is a command.
    UnknownCommand(String),
    /// A token without meaning at its position, ignored as the protocol requires.
    Ignored(String),
    /// The line ends after a command or keyword that needs an argument.
    Missing { after: &'static str, expected: &'static str },
    /// A token other than the expected one.
    Unexpected { found: String, after: &'static str, expected: &'static str },
    /// A number below the minimum. The minimum is used instead.
    Raised { keyword: &'static str, min: i64 },
}

impl Problem {
    /// Returns true if a `position` command failed, so that the position is no longer known.
    pub(crate) fn invalidates_position(&self) -> bool {
        match self.kind {
            ProblemKind::Missing { after, .. } | ProblemKind::Unexpected { after, .. } => {
                after.starts_with("position")
            }
            _ => false,
        }
    }

    fn ignored(token: Token<'_>) -> Problem {
        Problem { at: token.at, kind: ProblemKind::Ignored(token.text.to_owned()) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at;
        match &self.kind {
            ProblemKind::UnknownCommand(token) => {
                write!(f, "unknown command {}; type help for a list", quote(token))
            }
            ProblemKind::Ignored(token) => write!(f, "ignored unknown token {} at byte {at}", quote(token)),
            ProblemKind::Missing { after, expected } => {
                write!(f, "{after}: expected {expected} at byte {at}, where the line ends")
            }
            ProblemKind::Unexpected { found, after, expected } => {
                write!(f, "{after}: expected {expected} at byte {at}, found {}", quote(found))
            }
            ProblemKind::Raised { keyword, min } => {
                write!(f, "{keyword}: the number at byte {at} is too small; using {min}")
            }
        }
    }
}

/// The urgent request of a line, if it is one.
pub(crate) fn urgent(line: &str) -> Option<Urgent> {
    parse(line).ok()?.command.urgent()
}

/// Parses a line without its line ending.
///
/// Unknown tokens before a command are skipped, as the protocol requires: `joho debug on` switches debug mode
/// on. Extensions (`d`, `eval`, ...) are recognised only as the first token, so that stray text does not
/// trigger them.
///
/// # Errors
/// If there is no command, or its argument is missing or invalid.
pub(crate) fn parse(line: &str) -> Result<Parsed<'_>, Problem> {
    let mut tokens = Tokens::new(line);
    let mut notices = Vec::new();
    let Some(first) = tokens.next() else {
        return Ok(Parsed { command: Command::Nothing, notices });
    };
    let mut token = first;
    loop {
        let command = match token.text {
            "uci" => Command::Uci,
            "debug" => debug(&mut tokens)?,
            "isready" => Command::IsReady,
            "setoption" => Command::SetOption(set_option(&mut tokens)?),
            "register" => {
                tokens.rest();
                Command::Register
            }
            "ucinewgame" => Command::NewGame,
            "position" => Command::Position(position(&mut tokens, &mut notices)?),
            "go" => go::parse(&mut tokens, &mut notices)?,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            text => match extension(text, &mut tokens).filter(|_| token == first) {
                Some(command) => command?,
                None => {
                    notices.push(Problem::ignored(token));
                    match tokens.next() {
                        Some(next) => token = next,
                        None => {
                            let kind = ProblemKind::UnknownCommand(first.text.to_owned());
                            return Err(Problem { at: first.at, kind });
                        }
                    }
                    continue;
                }
            },
        };
        notices.extend(tokens.map(Problem::ignored));
        return Ok(Parsed { command, notices });
    }
}

fn extension<'a>(name: &str, tokens: &mut Tokens<'a>) -> Option<Result<Command<'a>, Problem>> {
    match name {
        "d" | "display" => Some(Ok(Command::Display)),
        "fen" => Some(Ok(Command::Fen)),
        "eval" => Some(Ok(Command::Eval)),
        "genfens" => Some(genfens::parse(tokens).map(Command::GenFens)),
        "flip" => Some(Ok(Command::Flip)),
        "moves" => Some(Ok(Command::Moves(tokens.rest()))),
        "compiler" | "version" => Some(Ok(Command::Version)),
        "help" | "--help" => Some(Ok(Command::Help)),
        "exit" => Some(Ok(Command::Quit)),
        "bench" => {
            let found = tokens.next();
            let depth = found.map(|token| token.text.parse().map(NonZeroU32::get)).transpose();
            Some(match depth {
                Ok(depth) => Ok(Command::Bench(depth)),
                Err(_) => Err(tokens.unexpected(found, "bench", "a depth from 1")),
            })
        }
        _ => None,
    }
}

fn debug<'a>(tokens: &mut Tokens<'a>) -> Result<Command<'a>, Problem> {
    const EXPECTED: &str = "on or off";
    match tokens.next() {
        Some(Token { text: "on", .. }) => Ok(Command::Debug(true)),
        Some(Token { text: "off", .. }) => Ok(Command::Debug(false)),
        found => Err(tokens.unexpected(found, "debug", EXPECTED)),
    }
}

fn set_option<'a>(tokens: &mut Tokens<'a>) -> Result<SetOption<'a>, Problem> {
    const COMMAND: &str = "setoption";
    match tokens.next() {
        Some(Token { text: "name", .. }) => {}
        found => return Err(tokens.unexpected(found, COMMAND, "name")),
    }
    let start = tokens.at();
    while tokens.peek().is_some_and(|token| token.text != "value") {
        tokens.next();
    }
    let name = tokens.slice(start, tokens.at());
    let value_token = tokens.next();
    if name.is_empty() {
        return Err(tokens.unexpected(value_token, COMMAND, "an option name"));
    }
    Ok(SetOption { name, value: value_token.map(|_| tokens.rest()) })
}

fn position<'a>(tokens: &mut Tokens<'a>, notices: &mut Vec<Problem>) -> Result<Position<'a>, Problem> {
    const EXPECTED: &str = "startpos or fen";
    let first = tokens.peek();
    let fen = loop {
        match tokens.next() {
            Some(Token { text: "startpos", .. }) => break None,
            Some(Token { text: "fen", .. }) => {
                let start = tokens.at();
                while tokens.peek().is_some_and(|token| token.text != "moves") {
                    tokens.next();
                }
                break Some(tokens.slice(start, tokens.at()));
            }
            Some(token) => notices.push(Problem::ignored(token)),
            None => return Err(tokens.unexpected(first, "position", EXPECTED)),
        }
    };
    let moves = match tokens.next() {
        None => "",
        Some(Token { text: "moves", .. }) => tokens.rest(),
        // Skipping a token here could skip a move, and then a wrong position would be searched.
        found => return Err(tokens.unexpected(found, "position", "moves")),
    };
    Ok(Position { fen, moves })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command<'_> {
        let parsed = parse(line).unwrap();
        assert_eq!(parsed.notices, [], "{line}");
        parsed.command
    }

    fn problem(line: &str) -> String {
        parse(line).unwrap_err().to_string()
    }

    fn notices(line: &str) -> Vec<String> {
        parse(line).unwrap().notices.iter().map(Problem::to_string).collect()
    }

    #[test]
    fn parses_simple_commands() {
        for (line, expected) in [
            ("", Command::Nothing),
            (" \t ", Command::Nothing),
            ("uci", Command::Uci),
            ("  debug \t  on  ", Command::Debug(true)),
            ("debug off", Command::Debug(false)),
            ("isready", Command::IsReady),
            ("register name Stefan MK code 4359874324", Command::Register),
            ("ucinewgame", Command::NewGame),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("quit", Command::Quit),
            ("d", Command::Display),
            ("fen", Command::Fen),
            ("eval", Command::Eval),
            ("bench", Command::Bench(None)),
            ("bench 5", Command::Bench(Some(5))),
            ("help", Command::Help),
        ] {
            assert_eq!(command(line), expected, "{line}");
        }
    }

    #[test]
    fn skips_unknown_tokens() {
        let parsed = parse("joho debug on").unwrap();
        assert_eq!(parsed.command, Command::Debug(true));
        assert_eq!(notices("joho debug on"), [r#"ignored unknown token "joho" at byte 0"#]);
        assert_eq!(notices("isready now"), [r#"ignored unknown token "now" at byte 8"#]);
        assert_eq!(problem("xyzzy"), r#"unknown command "xyzzy"; type help for a list"#);
        assert_eq!(problem("joho d"), r#"unknown command "joho"; type help for a list"#);
        assert_eq!(problem("debug joho on"), r#"debug: expected on or off at byte 6, found "joho""#);
        assert_eq!(problem("debug"), "debug: expected on or off at byte 5, where the line ends");
    }

    #[test]
    fn urgent_requests_are_those_that_the_parser_finds() {
        for line in ["stop", " stop\t", "joho stop", "stop now"] {
            assert_eq!(urgent(line), Some(Urgent::Stop), "{line}");
        }
        for line in ["quit", "  quit now", "joho quit", "exit"] {
            assert_eq!(urgent(line), Some(Urgent::Quit), "{line}");
        }
        for line in
            ["", "?", "stopp", "quitt", "joho exit", "go infinite", "setoption name stop", "debug quit"]
        {
            assert_eq!(urgent(line), None, "{line}");
        }
    }

    #[test]
    fn option_names_may_contain_spaces() {
        let option = |name, value| Command::SetOption(SetOption { name, value });
        assert_eq!(command("setoption name Hash value 32"), option("Hash", Some("32")));
        assert_eq!(command("setoption name Clear Hash"), option("Clear Hash", None));
        assert_eq!(
            command("setoption   name  Book  File  value  c:\\my  books\\a.bin "),
            option("Book  File", Some("c:\\my  books\\a.bin"))
        );
        assert_eq!(command("setoption name X value"), option("X", Some("")));
        assert_eq!(
            problem("setoption Hash value 32"),
            r#"setoption: expected name at byte 10, found "Hash""#
        );
        assert_eq!(
            problem("setoption name value 32"),
            r#"setoption: expected an option name at byte 15, found "value""#
        );
        assert_eq!(
            problem("setoption name"),
            "setoption: expected an option name at byte 14, where the line ends"
        );
    }

    #[test]
    fn parses_positions() {
        let position = |fen, moves| Command::Position(Position { fen, moves });
        assert_eq!(command("position startpos"), position(None, ""));
        assert_eq!(command(" position   startpos  moves  e2e4  "), position(None, "e2e4"));
        assert_eq!(
            command("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1  moves e1e2  e8e7"),
            position(Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "e1e2  e8e7")
        );
        assert_eq!(command("position fen"), position(Some(""), ""));
        assert_eq!(command("position fen moves e2e4"), position(Some(""), "e2e4"));
        assert_eq!(notices("position joho startpos"), [r#"ignored unknown token "joho" at byte 9"#]);
        for (line, message) in [
            ("position", "position: expected startpos or fen at byte 8, where the line ends"),
            ("position e2e4", r#"position: expected startpos or fen at byte 9, found "e2e4""#),
            ("position startpos e2e4", r#"position: expected moves at byte 18, found "e2e4""#),
        ] {
            assert_eq!(problem(line), message);
            assert!(parse(line).unwrap_err().invalidates_position());
        }
        assert!(!parse("setoption").unwrap_err().invalidates_position());
    }

    #[test]
    fn never_panics() {
        // Truncate each command at every position and insert odd text there.
        let lines = [
            "go wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 movetime 9 infinite ponder",
            "go searchmoves e2e4 d2d4",
            "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2",
            "setoption name Hash value 1",
            "debug on",
            "go perft 3",
            "bench 4",
            "genfens 2 seed 1 book None",
        ];
        for line in lines {
            for (at, _) in line.char_indices() {
                for odd in ["", " ", "é", "\0", "\u{feff}", " -9223372036854775809 ", "𝔘 go ", "value name "]
                {
                    let text = format!("{}{odd}{}", &line[..at], &line[at..]);
                    let cut = format!("{}{odd}", &line[..at]);
                    for text in [text, cut] {
                        if let Err(problem) = parse(&text) {
                            assert!(problem.at <= text.len(), "{text}");
                        }
                    }
                }
            }
        }
    }
}
