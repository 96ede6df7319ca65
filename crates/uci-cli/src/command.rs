//! What a line of the UCI protocol says.
//!
//! [`parse`] is pure and total: it turns any text at all into a typed command or a typed problem,
//! and knows neither the engine nor the position. Whether a move is legal, or an option exists, is
//! decided where that is known.

mod genfens;
mod go;
mod words;

pub(crate) use genfens::GenFens;
pub(crate) use go::Go;
pub(crate) use words::quote;

use std::fmt;
use words::{Word, Words};

/// A command, borrowing its texts from the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command<'a> {
    /// A blank line.
    Nothing,
    Uci,
    Debug(bool),
    IsReady,
    SetOption(SetOption<'a>),
    /// Registration, which this engine does not need.
    Register,
    NewGame,
    Position(Position<'a>),
    Go(Go),
    /// `go perft N`: count the leaves of the tree of legal moves.
    Perft(u32),
    Stop,
    PonderHit,
    Quit,
    /// `d`: draw the board (not in the protocol; neither are the ones below).
    Display,
    /// `fen`: the position in one line.
    Fen,
    /// `eval`: the evaluation of the position, term by term.
    Eval,
    /// `flip`: the same position with the sides exchanged.
    Flip,
    /// `moves [MOVES]`: list the legal moves, or play these.
    Moves(&'a str),
    /// `compiler`, `version`: how the program was built.
    Version,
    /// `bench [DEPTH]`.
    Bench(Option<u32>),
    /// `genfens N seed S book None|FILE`: random openings.
    GenFens(GenFens<'a>),
    Help,
}

/// `setoption name <id> [value <x>]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SetOption<'a> {
    /// The words between `name` and `value`, as they stand in the line.
    pub(crate) name: &'a str,
    /// The rest of the line behind `value`.
    pub(crate) value: Option<&'a str>,
}

/// `position [startpos | fen <fen>] [moves ...]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Position<'a> {
    /// The FEN, or `None` for the start position.
    pub(crate) fen: Option<&'a str>,
    /// The text behind `moves`.
    pub(crate) moves: &'a str,
}

/// A line that was understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Parsed<'a> {
    pub(crate) command: Command<'a>,
    /// Words that were passed over, and values that were left out or changed.
    pub(crate) notices: Vec<Problem>,
}

/// What is wrong with a line, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Problem {
    /// The byte of the line, counted from 0.
    pub(crate) at: usize,
    pub(crate) kind: ProblemKind,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ProblemKind {
    /// No word of the line begins a command.
    UnknownCommand(String),
    /// A word that means nothing at its place; it is ignored, as the protocol wants it.
    Ignored(String),
    /// The command, or a keyword in it, lacks what must follow.
    Missing { after: &'static str, expected: &'static str },
    /// Something else stands where a certain thing is expected.
    Unexpected { found: String, after: &'static str, expected: &'static str },
    /// A number is too small to mean anything and was raised to the least that does.
    Raised { keyword: &'static str, least: i64 },
}

impl Problem {
    /// Does it concern the `position` command, so that the engine no longer knows the position?
    pub(crate) fn spoils_position(&self) -> bool {
        match self.kind {
            ProblemKind::Missing { after, .. } | ProblemKind::Unexpected { after, .. } => {
                after.starts_with("position")
            }
            _ => false,
        }
    }

    fn ignored(word: Word<'_>) -> Problem {
        Problem { at: word.at, kind: ProblemKind::Ignored(word.text.to_owned()) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at;
        match &self.kind {
            ProblemKind::UnknownCommand(word) => {
                write!(f, "unknown command {}; type help for the list", quote(word))
            }
            ProblemKind::Ignored(word) => write!(f, "ignored unknown word {} at byte {at}", quote(word)),
            ProblemKind::Missing { after, expected } => {
                write!(f, "{after}: expected {expected} at byte {at}, where the line ends")
            }
            ProblemKind::Unexpected { found, after, expected } => {
                write!(f, "{after}: expected {expected} at byte {at}, found {}", quote(found))
            }
            ProblemKind::Raised { keyword, least } => {
                write!(f, "{keyword}: the number at byte {at} is too small; taken as {least}")
            }
        }
    }
}

/// Reads a line, without its line end.
///
/// Words before the first command of the protocol are passed over, as the protocol wants it: `joho
/// debug on` switches the debug mode on. The commands outside the protocol (`d`, `eval`, ...) count
/// only as the first word, so that no stray text sets them off.
///
/// # Errors
/// If no command is there, or what must follow it is missing or unreadable.
pub(crate) fn parse(line: &str) -> Result<Parsed<'_>, Problem> {
    let mut words = Words::new(line);
    let mut notices = Vec::new();
    let Some(first) = words.next() else {
        return Ok(Parsed { command: Command::Nothing, notices });
    };
    let mut word = first;
    loop {
        let command = match word.text {
            "uci" => Command::Uci,
            "debug" => debug(&mut words)?,
            "isready" => Command::IsReady,
            "setoption" => Command::SetOption(set_option(&mut words)?),
            "register" => {
                words.rest();
                Command::Register
            }
            "ucinewgame" => Command::NewGame,
            "position" => Command::Position(position(&mut words, &mut notices)?),
            "go" => go::parse(&mut words, &mut notices)?,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            text => match extension(text, &mut words).filter(|_| word == first) {
                Some(command) => command?,
                None => {
                    notices.push(Problem::ignored(word));
                    match words.next() {
                        Some(next) => word = next,
                        None => {
                            let kind = ProblemKind::UnknownCommand(first.text.to_owned());
                            return Err(Problem { at: first.at, kind });
                        }
                    }
                    continue;
                }
            },
        };
        notices.extend(words.map(Problem::ignored));
        return Ok(Parsed { command, notices });
    }
}

fn extension<'a>(name: &str, words: &mut Words<'a>) -> Option<Result<Command<'a>, Problem>> {
    match name {
        "d" | "display" => Some(Ok(Command::Display)),
        "fen" => Some(Ok(Command::Fen)),
        "eval" => Some(Ok(Command::Eval)),
        "genfens" => Some(genfens::parse(words).map(Command::GenFens)),
        "flip" => Some(Ok(Command::Flip)),
        "moves" => Some(Ok(Command::Moves(words.rest()))),
        "compiler" | "version" => Some(Ok(Command::Version)),
        "help" | "--help" => Some(Ok(Command::Help)),
        "exit" => Some(Ok(Command::Quit)),
        "bench" => {
            let found = words.next();
            let depth = found.map(|word| word.text.parse()).transpose();
            Some(match depth {
                Ok(depth) => Ok(Command::Bench(depth)),
                Err(_) => Err(words.unexpected(found, "bench", "a depth, a whole number")),
            })
        }
        _ => None,
    }
}

fn debug<'a>(words: &mut Words<'a>) -> Result<Command<'a>, Problem> {
    const EXPECTED: &str = "on or off";
    match words.next() {
        Some(Word { text: "on", .. }) => Ok(Command::Debug(true)),
        Some(Word { text: "off", .. }) => Ok(Command::Debug(false)),
        found => Err(words.unexpected(found, "debug", EXPECTED)),
    }
}

fn set_option<'a>(words: &mut Words<'a>) -> Result<SetOption<'a>, Problem> {
    const COMMAND: &str = "setoption";
    match words.next() {
        Some(Word { text: "name", .. }) => {}
        found => return Err(words.unexpected(found, COMMAND, "the word name")),
    }
    let start = words.at();
    while words.peek().is_some_and(|word| word.text != "value") {
        words.next();
    }
    let name = words.slice(start, words.at());
    let value_word = words.next();
    if name.is_empty() {
        return Err(words.unexpected(value_word, COMMAND, "the name of an option"));
    }
    Ok(SetOption { name, value: value_word.map(|_| words.rest()) })
}

fn position<'a>(words: &mut Words<'a>, notices: &mut Vec<Problem>) -> Result<Position<'a>, Problem> {
    const EXPECTED: &str = "startpos or fen";
    let first = words.peek();
    let fen = loop {
        match words.next() {
            Some(Word { text: "startpos", .. }) => break None,
            Some(Word { text: "fen", .. }) => {
                let start = words.at();
                while words.peek().is_some_and(|word| word.text != "moves") {
                    words.next();
                }
                break Some(words.slice(start, words.at()));
            }
            Some(word) => notices.push(Problem::ignored(word)),
            None => return Err(words.unexpected(first, "position", EXPECTED)),
        }
    };
    let moves = match words.next() {
        None => "",
        Some(Word { text: "moves", .. }) => words.rest(),
        // To pass over a word here might mean to pass over a move, and to search another position
        // than the one that was meant.
        found => return Err(words.unexpected(found, "position", "moves")),
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
    fn plain_commands() {
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
    fn unknown_words_are_passed_over() {
        let parsed = parse("joho debug on").unwrap();
        assert_eq!(parsed.command, Command::Debug(true));
        assert_eq!(notices("joho debug on"), [r#"ignored unknown word "joho" at byte 0"#]);
        assert_eq!(notices("isready now"), [r#"ignored unknown word "now" at byte 8"#]);
        assert_eq!(problem("xyzzy"), r#"unknown command "xyzzy"; type help for the list"#);
        assert_eq!(problem("joho d"), r#"unknown command "joho"; type help for the list"#);
        assert_eq!(problem("debug joho on"), r#"debug: expected on or off at byte 6, found "joho""#);
        assert_eq!(problem("debug"), "debug: expected on or off at byte 5, where the line ends");
    }

    #[test]
    fn options_with_spaces() {
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
            r#"setoption: expected the word name at byte 10, found "Hash""#
        );
        assert_eq!(
            problem("setoption name value 32"),
            r#"setoption: expected the name of an option at byte 15, found "value""#
        );
        assert_eq!(
            problem("setoption name"),
            "setoption: expected the name of an option at byte 14, where the line ends"
        );
    }

    #[test]
    fn positions() {
        let position = |fen, moves| Command::Position(Position { fen, moves });
        assert_eq!(command("position startpos"), position(None, ""));
        assert_eq!(command(" position   startpos  moves  e2e4  "), position(None, "e2e4"));
        assert_eq!(
            command("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1  moves e1e2  e8e7"),
            position(Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "e1e2  e8e7")
        );
        assert_eq!(command("position fen"), position(Some(""), ""));
        assert_eq!(command("position fen moves e2e4"), position(Some(""), "e2e4"));
        assert_eq!(notices("position joho startpos"), [r#"ignored unknown word "joho" at byte 9"#]);
        for (line, message) in [
            ("position", "position: expected startpos or fen at byte 8, where the line ends"),
            ("position e2e4", r#"position: expected startpos or fen at byte 9, found "e2e4""#),
            ("position startpos e2e4", r#"position: expected moves at byte 18, found "e2e4""#),
        ] {
            assert_eq!(problem(line), message);
            assert!(parse(line).unwrap_err().spoils_position());
        }
        assert!(!parse("setoption").unwrap_err().spoils_position());
    }

    #[test]
    fn any_text_at_all_is_survived() {
        // Every command cut short, doubled, and with odd text pushed in at each place.
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
                        // Reading is enough: the check is that nothing panics.
                        if let Err(problem) = parse(&text) {
                            assert!(problem.at <= text.len(), "{text}");
                        }
                    }
                }
            }
        }
    }
}
