//! EPD test suites: positions with their expected moves (`bm`, `am`, `dm`, points in `c0`), which must be legal.

use std::fmt;
use tabiya_core::notation::San;
use tabiya_core::{Epd, Move};
use tabiya_movegen::Position;

/// A test position with its expected moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Case {
    /// Name: the `id` operation, or the line number.
    pub(super) id: String,
    pub(super) position: Position,
    /// The expected moves.
    pub(super) goal: Goal,
}

/// The conditions for a correct move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Goal {
    /// `bm`: the move must be one of these, if there are any.
    pub(super) best: Vec<Move>,
    /// `am`: the move must be none of these.
    pub(super) avoid: Vec<Move>,
    /// `dm`: the engine must announce mate in at most this many moves.
    pub(super) mate: Option<u32>,
    /// `c0 "f5=10, Be5+=2"`: points for each move.
    pub(super) points: Vec<(Move, u32)>,
}

impl Goal {
    /// Returns true if the move is correct. `mate` is the mate distance announced with it, in moves.
    pub(super) fn is_met(&self, mv: Move, mate: Option<i32>) -> bool {
        (self.best.is_empty() || self.best.contains(&mv))
            && !self.avoid.contains(&mv)
            && self.mate.is_none_or(|max| mate.is_some_and(|moves| moves > 0 && moves.cast_unsigned() <= max))
    }

    /// Points for a move.
    pub(super) fn points(&self, mv: Move) -> u32 {
        self.points.iter().find(|&&(scored, _)| scored == mv).map_or(0, |&(_, points)| points)
    }

    /// Points for the best move.
    pub(super) fn max_points(&self) -> u32 {
        self.points.iter().map(|&(_, points)| points).max().unwrap_or(0)
    }
}

/// An error in a suite file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SuiteError {
    /// Line number, from 1.
    line: usize,
    message: String,
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for SuiteError {}

/// Parses a suite.
///
/// # Errors
/// At the first record that is malformed, has an illegal position or move, or has no expected move.
pub(super) fn parse(text: &str) -> Result<Vec<Case>, SuiteError> {
    Epd::parse_lines(text)
        .map(|(line, record)| {
            let record = record.map_err(|error| error.to_string());
            record.and_then(|record| case(line, record)).map_err(|message| SuiteError { line, message })
        })
        .collect()
}

fn case(line: usize, record: Epd) -> Result<Case, String> {
    let id = record.id().map_or_else(|| format!("line {line}"), str::to_owned);
    let position =
        Position::new(record.board.clone()).map_err(|error| format!("illegal position: {error}"))?;
    let resolve = |opcode: &str, moves: &[San]| {
        let resolve =
            |san: &San| position.resolve_san(*san).map_err(|error| format!("{opcode} {san}: {error}"));
        moves.iter().map(resolve).collect::<Result<Vec<_>, _>>()
    };
    let goal = Goal {
        best: resolve("bm", record.best_moves())?,
        avoid: resolve("am", record.avoid_moves())?,
        mate: record.direct_mate(),
        points: record.comment(0).map_or(Ok(Vec::new()), |text| points(&position, text))?,
    };
    if goal == Goal::default() {
        return Err("no expected move: needs bm, am, dm, or points in c0".to_owned());
    }
    Ok(Case { id, position, goal })
}

/// Parses `f5=10, Be5+=2`. Any other comment is not an error; it has no points.
fn points(position: &Position, text: &str) -> Result<Vec<(Move, u32)>, String> {
    let pair = |part: &str| {
        let (san, points) = part.trim().rsplit_once('=')?;
        Some((san.to_owned(), points.parse::<u32>().ok()?))
    };
    let Some(pairs) = text.split(',').map(pair).collect::<Option<Vec<_>>>() else { return Ok(Vec::new()) };
    let resolve = |(san, points): (String, u32)| {
        let mv = position.parse_san(&san).map_err(|error| format!("c0 {san}: {error}"))?;
        Ok((mv, points))
    };
    pairs.into_iter().map(resolve).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Case {
        parse(line).unwrap().remove(0)
    }

    fn mv(case: &Case, text: &str) -> Move {
        case.position.parse_uci(text).unwrap()
    }

    #[test]
    fn best_moves_and_avoid_moves() {
        let case = one("4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+; am Ke2; id \"x\";");
        assert_eq!(case.id, "x");
        let met = |text| case.goal.is_met(mv(&case, text), None);
        assert!(met("e1g1") && met("h1h8"));
        assert!(!met("e1e2") && !met("h1h2"));
        let avoid = one("4k3/8/8/8/8/8/8/4K2R w K - am Ke2;");
        assert_eq!(avoid.id, "line 1");
        assert!(avoid.goal.is_met(mv(&avoid, "h1h2"), None) && !avoid.goal.is_met(mv(&avoid, "e1e2"), None));
    }

    #[test]
    fn points_for_each_move() {
        let case = one("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; c0 \"O-O=10, Rh8+=3\";");
        assert_eq!(case.goal.points(mv(&case, "h1h8")), 3);
        assert_eq!(case.goal.points(mv(&case, "e1e2")), 0);
        assert_eq!(case.goal.max_points(), 10);
        assert!(one("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; c0 \"a = b, a remark\";").goal.points.is_empty());
    }

    #[test]
    fn direct_mates_must_be_announced() {
        let case = one("6k1/5ppp/8/8/8/8/8/K2R4 w - - dm 1;");
        let mate = mv(&case, "d1d8");
        assert!(case.goal.is_met(mate, Some(1)));
        assert!(!case.goal.is_met(mate, Some(2)) && !case.goal.is_met(mate, Some(-1)));
        assert!(!case.goal.is_met(mate, None));
    }

    #[test]
    fn errors_name_the_line() {
        for (text, message) in [
            ("# x\n4k3/8/8/8/8/8/8/4K2R w K - bm Qh8;", "line 2: bm Qh8: "),
            ("4k3/8/8/8/8/8/8/4K2R w K - id \"x\";", "line 1: no expected move"),
            ("4k3/8/8/8/8/8/8/4K2R w K - c0 \"Qh8=3\";", "line 1: c0 Qh8: "),
            ("4k3/8 w K - bm Ke2;", "line 1: "),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }
}
