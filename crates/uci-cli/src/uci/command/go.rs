//! The `go` command.

use super::tokens::{Token, Tokens};
use super::{Command, Problem, ProblemKind};
use crate::perft;
use tabiya_core::notation::UciMove;

/// The parameters of a `go` command. `None` for those not given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Go {
    /// The root moves to search. May be empty if none could be parsed.
    pub(crate) search_moves: Option<Vec<UciMove>>,
    pub(crate) ponder: bool,
    pub(crate) infinite: bool,
    /// Remaining time in milliseconds, by colour. Some GUIs send negative times.
    pub(crate) time: [Option<i64>; 2],
    /// Increment in milliseconds, by colour.
    pub(crate) increment: [Option<i64>; 2],
    pub(crate) moves_to_go: Option<u32>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// Mate in this many moves.
    pub(crate) mate: Option<u32>,
    /// Time for this move in milliseconds.
    pub(crate) movetime: Option<u64>,
    /// True if a limit was given that could not be parsed.
    pub(crate) has_bad_limit: bool,
}

impl Go {
    /// Returns true if the command has a limit that ends the search, or `infinite` or `ponder`.
    pub(crate) fn has_limit(&self) -> bool {
        self.infinite
            || self.ponder
            || self.time.iter().any(Option::is_some)
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.movetime.is_some()
    }
}

/// A keyword of the `go` command with its argument.
struct Keyword {
    name: &'static str,
    argument: Argument,
}

enum Argument {
    /// No argument.
    None(fn(&mut Go)),
    /// Any whole number.
    Number(fn(&mut Go, i64)),
    /// A positive whole number. A smaller one is raised to 1, with a notice.
    Positive(fn(&mut Go, u64)),
    /// Moves up to the next keyword.
    Moves,
    /// A depth. The command is not a search.
    Perft,
}

const KEYWORDS: [Keyword; 13] = [
    Keyword { name: "searchmoves", argument: Argument::Moves },
    Keyword { name: "ponder", argument: Argument::None(|go| go.ponder = true) },
    Keyword { name: "infinite", argument: Argument::None(|go| go.infinite = true) },
    Keyword { name: "wtime", argument: Argument::Number(|go, ms| go.time[0] = Some(ms)) },
    Keyword { name: "btime", argument: Argument::Number(|go, ms| go.time[1] = Some(ms)) },
    Keyword { name: "winc", argument: Argument::Number(|go, ms| go.increment[0] = Some(ms)) },
    Keyword { name: "binc", argument: Argument::Number(|go, ms| go.increment[1] = Some(ms)) },
    Keyword {
        name: "movestogo",
        // The protocol says that this is only sent if above 0, but some GUIs send 0 for sudden death.
        argument: Argument::Number(|go, moves| {
            go.moves_to_go = u32::try_from(moves).ok().filter(|&moves| moves > 0);
        }),
    },
    Keyword { name: "depth", argument: Argument::Positive(|go, depth| go.depth = Some(saturate(depth))) },
    Keyword { name: "nodes", argument: Argument::Positive(|go, nodes| go.nodes = Some(nodes)) },
    Keyword { name: "mate", argument: Argument::Positive(|go, moves| go.mate = Some(saturate(moves))) },
    Keyword { name: "movetime", argument: Argument::Positive(|go, ms| go.movetime = Some(ms)) },
    Keyword { name: "perft", argument: Argument::Perft },
];

fn saturate(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn keyword(token: Token<'_>) -> Option<&'static Keyword> {
    KEYWORDS.iter().find(|keyword| keyword.name == token.text)
}

/// Parses the arguments of `go`.
///
/// A limit that cannot be parsed is dropped with a notice, because every `go` must be answered with a
/// `bestmove`. Only `perft` fails.
pub(super) fn parse<'a>(tokens: &mut Tokens<'a>, notices: &mut Vec<Problem>) -> Result<Command<'a>, Problem> {
    let mut go = Go::default();
    while let Some(token) = tokens.next() {
        let Some(Keyword { name, argument }) = keyword(token) else {
            notices.push(Problem::ignored(token));
            continue;
        };
        match argument {
            Argument::None(set) => set(&mut go),
            Argument::Number(set) => {
                if let Some((value, _)) = number(tokens, name, &mut go, notices) {
                    set(&mut go, value);
                }
            }
            Argument::Positive(set) => {
                if let Some((value, at)) = number(tokens, name, &mut go, notices) {
                    if value < 1 {
                        notices.push(Problem { at, kind: ProblemKind::Raised { keyword: name, min: 1 } });
                    }
                    set(&mut go, value.max(1).unsigned_abs());
                }
            }
            Argument::Moves => search_moves(go.search_moves.get_or_insert_default(), tokens, notices),
            Argument::Perft => {
                const EXPECTED: &str = "a whole number from 0 to 30";
                let found = tokens.next();
                let depth = found.and_then(|token| token.text.parse().ok());
                return match depth.filter(|&depth| depth <= perft::MAX_DEPTH) {
                    Some(depth) => Ok(Command::Perft(depth)),
                    None => Err(tokens.unexpected(found, name, EXPECTED)),
                };
            }
        }
    }
    Ok(Command::Go(go))
}

/// Parses the number after a keyword and returns it with its byte offset. Adds a notice if there is none; a
/// keyword in its place is not consumed.
fn number(
    tokens: &mut Tokens<'_>,
    keyword_name: &'static str,
    go: &mut Go,
    notices: &mut Vec<Problem>,
) -> Option<(i64, usize)> {
    let found = tokens.peek();
    let argument = found.filter(|&token| keyword(token).is_none());
    if argument.is_some() {
        tokens.next();
    }
    let value = argument.and_then(|token| Some((parse_saturating(token.text)?, token.at)));
    if value.is_none() {
        go.has_bad_limit = true;
        notices.push(tokens.unexpected(found, keyword_name, "a whole number"));
    }
    value
}

/// Parses a signed number. One that does not fit into 64 bits saturates.
fn parse_saturating(text: &str) -> Option<i64> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
    match text.parse::<i64>() {
        Ok(value) => Some(value),
        Err(error) if *error.kind() == PosOverflow => Some(i64::MAX),
        Err(error) if *error.kind() == NegOverflow => Some(i64::MIN),
        Err(_) => None,
    }
}

fn search_moves(moves: &mut Vec<UciMove>, tokens: &mut Tokens<'_>, notices: &mut Vec<Problem>) {
    while let Some(token) = tokens.peek().filter(|&token| keyword(token).is_none()) {
        tokens.next();
        match token.text.parse() {
            Ok(mv) => moves.push(mv),
            Err(_) => {
                notices.push(tokens.unexpected(Some(token), "searchmoves", "a move such as e2e4 or e7e8q"));
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
    fn parses_all_limits() {
        let (parsed, notices) =
            go("go ponder wtime 1 btime -2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 \
             movetime 9 infinite searchmoves e2e4 a7a8q");
        assert_eq!(notices, [""; 0]);
        assert_eq!(parsed.time[Color::White.index()], Some(1));
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
        assert_eq!(parsed, expected);
        assert!(parsed.has_limit());
        assert_eq!(go("go").0, Go::default());
        assert!(!go("go searchmoves e2e4").0.has_limit());
    }

    #[test]
    fn searchmoves_ends_at_a_keyword() {
        let (parsed, _) = go("go searchmoves e2e4 d2d4 depth 3");
        assert_eq!((parsed.search_moves.unwrap().len(), parsed.depth), (2, Some(3)));
        let (parsed, notices) = go("go searchmoves e2e9 d2d4");
        assert_eq!(parsed.search_moves.unwrap().len(), 1);
        assert_eq!(
            notices,
            [r#"searchmoves: expected a move such as e2e4 or e7e8q at byte 15, found "e2e9""#]
        );
    }

    #[test]
    fn saturates_numbers_and_raises_small_ones() {
        let (parsed, _) = go("go wtime 99999999999999999999 btime -99999999999999999999 depth 99999999999");
        assert_eq!(parsed.time, [Some(i64::MAX), Some(i64::MIN)]);
        assert_eq!(parsed.depth, Some(u32::MAX));
        let (parsed, notices) = go("go depth 0 movetime -5 movestogo 0");
        assert_eq!((parsed.depth, parsed.movetime, parsed.moves_to_go), (Some(1), Some(1), None));
        assert_eq!(
            notices,
            [
                "depth: the number at byte 9 is too small; using 1",
                "movetime: the number at byte 20 is too small; using 1"
            ]
        );
    }

    #[test]
    fn drops_bad_limits_with_a_notice() {
        let (parsed, notices) = go("go depth infinite");
        assert!(parsed.infinite && parsed.has_bad_limit && parsed.depth.is_none());
        assert_eq!(notices, [r#"depth: expected a whole number at byte 9, found "infinite""#]);
        let (parsed, notices) = go("go joho nodes x depth 2 wtime");
        assert_eq!((parsed.nodes, parsed.depth), (None, Some(2)));
        assert_eq!(
            notices,
            [
                r#"ignored unknown token "joho" at byte 3"#,
                r#"nodes: expected a whole number at byte 14, found "x""#,
                "wtime: expected a whole number at byte 29, where the line ends"
            ]
        );
    }

    #[test]
    fn perft_depth_is_checked() {
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
