//! Conditions on a session.

use super::owned;
use super::text::read_time;
use std::time::Duration;

/// A condition on the session so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Expectation {
    /// `id name` and `id author` were sent.
    Identity,
    /// Every `option` line is well-formed and consistent.
    Options,
    /// Every `info` line is well-formed.
    InfoSyntax,
    /// At least one `info` line has depth, score, nodes, time and PV.
    InfoContent,
    /// Every PV is legal in the searched position.
    PvLegal,
    /// Every ponder move is legal after its `bestmove`.
    PonderLegal,
    /// Every PV starts with one of these moves.
    PvStarts(Vec<String>),
    /// No PV has one of these moves.
    PvLacks(Vec<String>),
    /// PV lines of each iteration are numbered from 1 to this number and have different first moves.
    MultiPv(usize),
    /// The last exact PV starts with the move played.
    LastPvIsBestMove,
    /// Every `feature` line is well-formed.
    Features,
    /// `feature done=1` was sent.
    FeaturesDone,
    /// Every line that starts with a number is thinking output.
    ThinkingSyntax,
    /// The last search printed no thinking output.
    NoThinking,
    /// Number of lines with a move.
    BestMoves(usize),
    /// Maximum depth of the last search.
    DepthAtMost(u64),
    /// Depth that some `info` line of the last search reaches.
    DepthReached(u64),
    /// Maximum node count of the last search.
    NodesAtMost(u64),
    /// Last score of the last search: mate in this many moves.
    Mate(i64),
    /// Minimum duration of the last search.
    TookAtLeast(Duration),
}

impl Expectation {
    /// Parses the text behind `expect`.
    pub(super) fn parse(text: &str) -> Result<Expectation, String> {
        let words: Vec<_> = text.split_whitespace().collect();
        let number = |word: &str| word.parse::<u64>().map_err(|_| format!("{word:?} is not a number"));
        Ok(match words.as_slice() {
            ["identity"] => Expectation::Identity,
            ["options", "well-formed"] => Expectation::Options,
            ["info", "well-formed"] => Expectation::InfoSyntax,
            ["info", "complete"] => Expectation::InfoContent,
            ["pv", "legal"] => Expectation::PvLegal,
            ["pv", "starts", moves @ ..] if !moves.is_empty() => Expectation::PvStarts(owned(moves)),
            ["pv", "lacks", moves @ ..] if !moves.is_empty() => Expectation::PvLacks(owned(moves)),
            ["ponder", "legal"] => Expectation::PonderLegal,
            ["multipv", count] => Expectation::MultiPv(number(count)? as usize),
            ["last", "pv", "bestmove"] => Expectation::LastPvIsBestMove,
            ["features", "well-formed"] => Expectation::Features,
            ["features", "done"] => Expectation::FeaturesDone,
            ["thinking", "well-formed"] => Expectation::ThinkingSyntax,
            ["no", "thinking"] => Expectation::NoThinking,
            ["bestmoves" | "moves", count] => Expectation::BestMoves(number(count)? as usize),
            ["depth", "<=", depth] => Expectation::DepthAtMost(number(depth)?),
            ["depth", depth] => Expectation::DepthReached(number(depth)?),
            ["nodes", "<=", nodes] => Expectation::NodesAtMost(number(nodes)?),
            ["mate", moves] => {
                Expectation::Mate(moves.parse().map_err(|_| format!("{moves:?} is not a number of moves"))?)
            }
            ["took", ">=", time] => Expectation::TookAtLeast(read_time(time)?),
            _ => return Err(format!("{text:?} is not a known expectation")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_expectations() {
        let ms = Duration::from_millis;
        for (text, expected) in [
            ("multipv 3", Expectation::MultiPv(3)),
            ("mate -2", Expectation::Mate(-2)),
            ("depth <= 5", Expectation::DepthAtMost(5)),
            ("took >= 10ms", Expectation::TookAtLeast(ms(10))),
            ("last pv bestmove", Expectation::LastPvIsBestMove),
            ("moves 2", Expectation::BestMoves(2)),
            ("no thinking", Expectation::NoThinking),
        ] {
            assert_eq!(Expectation::parse(text), Ok(expected), "{text}");
        }
        for text in ["", "luck", "depth x", "mate", "took >= 5"] {
            assert!(Expectation::parse(text).is_err(), "{text}");
        }
    }
}
