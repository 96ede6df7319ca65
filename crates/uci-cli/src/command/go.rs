use super::words::Words;
use super::{Command, Problem, ProblemKind};
use crate::perft;
use tabiya_core::notation::UciMove;

/// The conditions of a `go` command. What is `None` was not given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Go {
    /// The moves to look at, if the search is restricted to some.
    pub(crate) search_moves: Option<Vec<UciMove>>,
    pub(crate) ponder: bool,
    pub(crate) infinite: bool,
    /// The clocks in milliseconds, by colour. GUIs send negative times too.
    pub(crate) time: [Option<i64>; 2],
    pub(crate) increment: [Option<i64>; 2],
    pub(crate) moves_to_go: Option<u32>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) mate: Option<u32>,
    /// In milliseconds.
    pub(crate) movetime: Option<u64>,
    /// A limit was asked for that could not be read.
    pub(crate) has_bad_limit: bool,
}

const KEYWORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "infinite",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "perft",
];

/// Reads what follows `go`.
///
/// A limit that cannot be read is left out, with a notice, because each `go` must have its
/// `bestmove`; only a perft fails.
pub(super) fn parse<'a>(words: &mut Words<'a>, notices: &mut Vec<Problem>) -> Result<Command<'a>, Problem> {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        let Some(&keyword) = KEYWORDS.iter().find(|&&keyword| keyword == word.text) else {
            notices.push(Problem::ignored(word));
            continue;
        };
        match keyword {
            "perft" => {
                const EXPECTED: &str = "a whole number from 0 to 30";
                let found = words.next();
                let depth = found.and_then(|word| word.text.parse().ok());
                return match depth.filter(|&depth| depth <= perft::MAX_DEPTH) {
                    Some(depth) => Ok(Command::Perft(depth)),
                    None => Err(words.unexpected(found, keyword, EXPECTED)),
                };
            }
            "searchmoves" => search_moves(go.search_moves.get_or_insert_default(), words, notices),
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            _ => match number(words, keyword) {
                Ok((value, at)) => go.set(keyword, value, at, notices),
                Err(problem) => {
                    go.has_bad_limit = true;
                    notices.push(problem);
                }
            },
        }
    }
    Ok(Command::Go(go))
}

impl Go {
    /// Is there anything that will end the search by itself, or a word that it shall not end?
    pub(crate) fn has_limit(&self) -> bool {
        self.infinite
            || self.ponder
            || self.time.iter().any(Option::is_some)
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.movetime.is_some()
    }

    fn set(&mut self, keyword: &'static str, value: i64, at: usize, notices: &mut Vec<Problem>) {
        let mut positive = || {
            if value < 1 {
                notices.push(Problem { at, kind: ProblemKind::Raised { keyword, least: 1 } });
            }
            value.max(1).unsigned_abs()
        };
        match keyword {
            "wtime" => self.time[0] = Some(value),
            "btime" => self.time[1] = Some(value),
            "winc" => self.increment[0] = Some(value),
            "binc" => self.increment[1] = Some(value),
            // "This will only be sent if x > 0"; but some send 0 for a clock that is never rewound.
            "movestogo" => self.moves_to_go = u32::try_from(value).ok().filter(|&moves| moves > 0),
            "depth" => self.depth = Some(saturate(positive())),
            "nodes" => self.nodes = Some(positive()),
            "mate" => self.mate = Some(saturate(positive())),
            "movetime" => self.movetime = Some(positive()),
            _ => {}
        }
    }
}

const NUMBER: &str = "a whole number";

fn saturate(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// The number after a keyword, and where it stands. A following keyword is left where it is.
fn number(words: &mut Words<'_>, keyword: &'static str) -> Result<(i64, usize), Problem> {
    let found = words.peek();
    match found {
        Some(word) if !KEYWORDS.contains(&word.text) => {
            words.next();
            match integer(word.text) {
                Some(value) => Ok((value, word.at)),
                None => Err(words.unexpected(found, keyword, NUMBER)),
            }
        }
        _ => Err(words.unexpected(found, keyword, NUMBER)),
    }
}

/// A signed number of any length: one beyond 64 bits is as good as the largest there is.
fn integer(text: &str) -> Option<i64> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
    match text.parse::<i64>() {
        Ok(value) => Some(value),
        Err(error) if *error.kind() == PosOverflow => Some(i64::MAX),
        Err(error) if *error.kind() == NegOverflow => Some(i64::MIN),
        Err(_) => None,
    }
}

fn search_moves(moves: &mut Vec<UciMove>, words: &mut Words<'_>, notices: &mut Vec<Problem>) {
    while let Some(word) = words.peek().filter(|word| !KEYWORDS.contains(&word.text)) {
        words.next();
        match word.text.parse() {
            Ok(mv) => moves.push(mv),
            Err(_) => {
                let found = Some(word);
                notices.push(words.unexpected(found, "searchmoves", "a move such as e2e4 or e7e8q"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use tabiya_core::Color;

    fn go(line: &str) -> (Go, Vec<String>) {
        let parsed = parse(line).unwrap();
        let Command::Go(go) = parsed.command else { panic!("{line}: {:?}", parsed.command) };
        (go, parsed.notices.iter().map(Problem::to_string).collect())
    }

    #[test]
    fn all_limits_together() {
        let (read, notices) =
            go("go ponder wtime 1 btime -2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 \
             movetime 9 infinite searchmoves e2e4 a7a8q");
        assert_eq!(notices, [""; 0]);
        assert_eq!(read.time[Color::White.index()], Some(1));
        let expected = Go {
            search_moves: Some(vec!["e2e4".parse().unwrap(), "a7a8q".parse().unwrap()]),
            ponder: true,
            infinite: true,
            time: [Some(1), Some(-2)],
            increment: [Some(3), Some(4)],
            moves_to_go: Some(5),
            depth: Some(6),
            nodes: Some(7),
            mate: Some(8),
            movetime: Some(9),
            has_bad_limit: false,
        };
        assert_eq!(read, expected);
        assert!(read.has_limit());
        assert_eq!(go("go").0, Go::default());
        assert!(!go("go searchmoves e2e4").0.has_limit());
    }

    #[test]
    fn moves_end_at_a_keyword() {
        let (read, _) = go("go searchmoves e2e4 d2d4 depth 3");
        assert_eq!((read.search_moves.unwrap().len(), read.depth), (2, Some(3)));
        let (read, notices) = go("go searchmoves e2e9 d2d4");
        assert_eq!(read.search_moves.unwrap().len(), 1);
        assert_eq!(
            notices,
            [r#"searchmoves: expected a move such as e2e4 or e7e8q at byte 15, found "e2e9""#]
        );
    }

    #[test]
    fn numbers_of_any_size() {
        let (read, _) = go("go wtime 99999999999999999999 btime -99999999999999999999 depth 99999999999");
        assert_eq!(read.time, [Some(i64::MAX), Some(i64::MIN)]);
        assert_eq!(read.depth, Some(u32::MAX));
        let (read, notices) = go("go depth 0 movetime -5 movestogo 0");
        assert_eq!((read.depth, read.movetime, read.moves_to_go), (Some(1), Some(1), None));
        assert_eq!(
            notices,
            [
                "depth: the number at byte 9 is too small; taken as 1",
                "movetime: the number at byte 20 is too small; taken as 1"
            ]
        );
    }

    #[test]
    fn bad_limits_are_left_out() {
        let (read, notices) = go("go depth infinite");
        assert!(read.infinite && read.has_bad_limit && read.depth.is_none());
        assert_eq!(notices, [r#"depth: expected a whole number at byte 9, found "infinite""#]);
        let (read, notices) = go("go joho nodes x depth 2 wtime");
        assert_eq!((read.nodes, read.depth), (None, Some(2)));
        assert_eq!(
            notices,
            [
                r#"ignored unknown word "joho" at byte 3"#,
                r#"nodes: expected a whole number at byte 14, found "x""#,
                "wtime: expected a whole number at byte 29, where the line ends"
            ]
        );
    }

    #[test]
    fn perft() {
        assert_eq!(parse("go perft 4").unwrap().command, Command::Perft(4));
        for (line, message) in [
            ("go perft", "perft: expected a whole number from 0 to 30 at byte 8, where the line ends"),
            ("go perft x", r#"perft: expected a whole number from 0 to 30 at byte 9, found "x""#),
            ("go perft -1", r#"perft: expected a whole number from 0 to 30 at byte 9, found "-1""#),
            ("go perft 31", r#"perft: expected a whole number from 0 to 30 at byte 9, found "31""#),
        ] {
            assert_eq!(parse(line).unwrap_err().to_string(), message);
        }
    }
}
