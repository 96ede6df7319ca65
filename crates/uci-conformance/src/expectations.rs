//! Checks of a recorded session against the protocol: pure functions over [`SessionLog`].

use crate::script::{BestMove, Expectation};
use crate::session_log::{BestMoveLine, Search, SessionLog};
use crate::uci::output::{identity, info_syntax, options};
use crate::xboard;
use tabiya_movegen::Position;
use tabiya_uci_engine::xboard::Features;
use tabiya_uci_engine::{Bound, Info, InfoScore};

/// Checks one expectation.
///
/// # Errors
/// A one-sentence description of the failure that quotes the line.
pub(crate) fn check_expectation(expectation: &Expectation, log: &SessionLog) -> Result<(), String> {
    let last = || log.searches.last().ok_or_else(|| "no search was started".to_owned());
    match expectation {
        Expectation::Identity => identity(&log.other),
        Expectation::Options => options(&log.other),
        Expectation::InfoSyntax => each_line(info_lines(log), info_syntax),
        Expectation::InfoContent => last().and_then(info_content),
        Expectation::PvLegal => for_each_info(log, pv_legal),
        Expectation::PonderLegal => log.searches.iter().try_for_each(ponder_legal),
        Expectation::PvStarts(moves) => for_each_info(log, |_, info| pv_starts(info, moves)),
        Expectation::PvLacks(moves) => for_each_info(log, |_, info| pv_lacks(info, moves)),
        Expectation::LastPvIsBestMove => last().and_then(last_pv_is_best_move),
        Expectation::MultiPv(count) => last().and_then(|search| multi_pv(search, *count)),
        Expectation::BestMoves(count) if log.best_moves == *count => Ok(()),
        Expectation::BestMoves(count) => {
            Err(format!("{} lines with a move (expected {count})", log.best_moves))
        }
        Expectation::DepthAtMost(limit) => match depths(last()?).max() {
            Some(depth) if depth > *limit => Err(format!("searched to depth {depth}, beyond {limit}")),
            _ => Ok(()),
        },
        Expectation::DepthReached(depth) if depths(last()?).any(|found| found >= *depth) => Ok(()),
        Expectation::DepthReached(depth) => Err(format!("no line reaches depth {depth}")),
        Expectation::NodesAtMost(limit) => match last()?.info.iter().filter_map(|info| info.nodes).max() {
            Some(nodes) if nodes > *limit => Err(format!("searched {nodes} nodes, more than {limit}")),
            Some(_) => Ok(()),
            None => Err("no line has nodes".to_owned()),
        },
        Expectation::Mate(moves) => match last()?.info.iter().filter_map(|info| info.score).next_back() {
            Some(InfoScore::Mate(found)) if i64::from(found) == *moves => Ok(()),
            Some(score) => Err(format!("the last score is {score:?} (expected mate {moves})")),
            None => Err("no line has a score".to_owned()),
        },
        Expectation::TookAtLeast(time) => match last()? {
            Search { started, best: Some((_, at)), .. } if at.duration_since(*started) < *time => {
                let took = at.duration_since(*started).as_millis();
                Err(format!("took only {took} ms"))
            }
            _ => Ok(()),
        },
        Expectation::Features => each_line(&log.other, xboard::features::check_line),
        Expectation::FeaturesDone => {
            let mut features = Features::default();
            log.other.iter().for_each(|line| drop(features.read(line, xboard::features::is_known)));
            if features.is_on("done") { Ok(()) } else { Err("no \"feature done=1\"".to_owned()) }
        }
        Expectation::ThinkingSyntax => each_line(&log.other, xboard::output::check_line),
        Expectation::NoThinking => match last()?.lines.first() {
            Some(line) => Err(format!("unexpected {line:?}")),
            None => Ok(()),
        },
    }
}

/// Checks the move of a line, which belongs to `search`.
///
/// # Errors
/// If it does not meet the condition, or no search was started.
pub(crate) fn check_best_move(
    expected: &BestMove,
    line: &BestMoveLine,
    search: Option<&Search>,
) -> Result<(), String> {
    if search.is_none() {
        return Err(format!("the move {:?} without a search", line.text));
    }
    match expected {
        BestMove::Any => Ok(()),
        BestMove::None if line.is_none() => Ok(()),
        BestMove::None => Err(format!("{:?} (expected 0000, (none) or NULL)", line.text)),
        BestMove::Legal => line.legal.as_ref().map(drop).map_err(String::clone),
        BestMove::OneOf(moves) if moves.contains(&line.text) => Ok(()),
        BestMove::OneOf(moves) if line.legal.as_ref().is_ok_and(|text| moves.contains(text)) => Ok(()),
        BestMove::OneOf(moves) => Err(format!("the move {:?} (expected {})", line.text, moves.join(" or "))),
    }
}

/// The lines about the progress of all searches.
fn info_lines(log: &SessionLog) -> impl Iterator<Item = &String> {
    log.searches.iter().flat_map(|search| &search.lines)
}

fn each_line<'a>(
    lines: impl IntoIterator<Item = &'a String>,
    check: impl Fn(&str) -> Result<(), String>,
) -> Result<(), String> {
    lines.into_iter().try_for_each(|line| check(line).map_err(|error| format!("{line:?}: {error}")))
}

fn for_each_info(
    log: &SessionLog,
    check: impl Fn(&Search, &Info) -> Result<(), String>,
) -> Result<(), String> {
    log.searches.iter().try_for_each(|search| {
        let mut lines = search.lines.iter().zip(&search.info);
        lines.try_for_each(|(line, info)| check(search, info).map_err(|error| format!("{line:?}: {error}")))
    })
}

fn depths(search: &Search) -> impl Iterator<Item = u64> {
    search.info.iter().filter_map(|info| info.depth).map(u64::from)
}

fn info_content(search: &Search) -> Result<(), String> {
    let complete = |info: &Info| {
        info.depth.is_some()
            && info.score.is_some()
            && info.nodes.is_some()
            && info.time.is_some()
            && !info.pv.is_empty()
    };
    if search.info.iter().any(complete) {
        return Ok(());
    }
    Err("no info line has depth, score, nodes, time and pv together".to_owned())
}

fn pv_legal(search: &Search, info: &Info) -> Result<(), String> {
    let Some(root) = &search.root else { return Ok(()) };
    let mut position: Position = root.clone();
    for (index, text) in info.pv.iter().enumerate() {
        let mv =
            position.parse_uci(text).map_err(|error| format!("move {} of the pv: {error}", index + 1))?;
        position.play_unchecked(mv);
    }
    Ok(())
}

fn ponder_legal(search: &Search) -> Result<(), String> {
    let (Some(root), Some((line, _))) = (&search.root, &search.best) else { return Ok(()) };
    let Some(ponder) = &line.ponder else { return Ok(()) };
    let after = root
        .parse_uci(&line.text)
        .map_err(|error| error.to_string())
        .and_then(|mv| root.play(mv).map_err(|error| error.to_string()))?;
    after
        .parse_uci(ponder)
        .map(drop)
        .map_err(|error| format!("ponder {ponder:?} after {}: {error}", line.text))
}

fn pv_starts(info: &Info, moves: &[String]) -> Result<(), String> {
    match info.pv.first() {
        Some(first) if !moves.contains(first) => {
            Err(format!("the pv starts with {first} (expected {})", moves.join(" or ")))
        }
        _ => Ok(()),
    }
}

fn pv_lacks(info: &Info, moves: &[String]) -> Result<(), String> {
    match info.pv.iter().find(|&mv| moves.contains(mv)) {
        Some(found) => Err(format!("the pv {} has {found}", info.pv.join(" "))),
        None => Ok(()),
    }
}

/// Checks that the last exact PV of line 1 starts with the move played. A PV of a bound may be of another move.
fn last_pv_is_best_move(search: &Search) -> Result<(), String> {
    let (best, _) = search.best.as_ref().ok_or("the search has no bestmove")?;
    let is_main = |info: &&Info| info.bound == Bound::Exact && info.multipv.unwrap_or(1) == 1;
    match search.info.iter().filter(is_main).filter_map(|info| info.pv.first()).next_back() {
        Some(first) if *first == best.text => Ok(()),
        Some(first) => Err(format!("the last pv starts with {first}, but the move is {}", best.text)),
        None => Err("no line has a pv".to_owned()),
    }
}

/// Checks the PV lines of a MultiPV search. They form blocks starting with `multipv 1`; in each block
/// the numbers count up and the first moves differ, and at least one block has all `count` lines.
fn multi_pv(search: &Search, count: usize) -> Result<(), String> {
    let mut block: Vec<String> = Vec::new();
    let mut complete = false;
    for info in search.info.iter().filter(|info| !info.pv.is_empty()) {
        let number = info.multipv.unwrap_or(1) as usize;
        if number == 1 {
            block.clear();
        }
        // A line may be sent again with a new score.
        block.truncate(number.saturating_sub(1));
        if number != block.len() + 1 {
            return Err(format!("multipv {number} follows {} lines of its iteration", block.len()));
        }
        if number > count {
            return Err(format!("multipv {number}, but only {count} lines are possible"));
        }
        let first = info.pv.first().cloned().unwrap_or_default();
        if block.contains(&first) {
            return Err(format!("multipv {number} starts with {first}, like an earlier line"));
        }
        block.push(first);
        complete |= block.len() == count;
    }
    if complete { Ok(()) } else { Err(format!("no iteration shows {count} lines")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::UciReader;
    use crate::xboard::XboardReader;
    use std::time::Instant;

    fn log(sent: &[&str], received: &[&str]) -> SessionLog {
        let mut log = SessionLog::new(Box::new(UciReader::default()));
        sent.iter().for_each(|line| log.sent(line));
        received.iter().for_each(|line| drop(log.received(line, Instant::now())));
        log
    }

    fn after_go(expectation: Expectation, received: &[&str]) -> Result<(), String> {
        check_expectation(&expectation, &log(&["go depth 5"], received))
    }

    #[test]
    fn checks_pv_and_ponder_legality() {
        assert_eq!(after_go(Expectation::PvLegal, &["info depth 1 pv e2e4 e7e5", "bestmove e2e4"]), Ok(()));
        let error = after_go(Expectation::PvLegal, &["info depth 1 pv e2e4 e2e4"]).unwrap_err();
        assert!(error.contains("move 2 of the pv"), "{error}");
        assert_eq!(after_go(Expectation::PonderLegal, &["bestmove e2e4 ponder e7e5"]), Ok(()));
        assert!(after_go(Expectation::PonderLegal, &["bestmove e2e4 ponder e4e5"]).is_err());
        let starts = || Expectation::PvStarts(vec!["e2e4".to_owned()]);
        assert_eq!(after_go(starts(), &["info pv e2e4 e7e5", "info string x"]), Ok(()));
        assert!(after_go(starts(), &["info pv d2d4"]).is_err());
        let lacks = || Expectation::PvLacks(vec!["e1c1".to_owned()]);
        assert_eq!(after_go(lacks(), &["info pv e2e4 e7e5", "info string e1c1"]), Ok(()));
        assert!(after_go(lacks(), &["info pv e2e4 e1c1"]).is_err());
    }

    #[test]
    fn checks_multipv_blocks() {
        let good = ["info depth 1 multipv 1 pv e2e4", "info depth 1 multipv 2 pv d2d4"];
        assert_eq!(after_go(Expectation::MultiPv(2), &good), Ok(()));
        assert!(after_go(Expectation::MultiPv(3), &good).unwrap_err().contains("no iteration shows 3"));
        assert!(after_go(Expectation::MultiPv(1), &good).unwrap_err().contains("only 1"));
        let same = ["info multipv 1 pv e2e4", "info multipv 2 pv e2e4"];
        assert!(after_go(Expectation::MultiPv(2), &same).unwrap_err().contains("like an earlier line"));
        let gap = ["info multipv 1 pv e2e4", "info multipv 3 pv d2d4"];
        assert!(after_go(Expectation::MultiPv(3), &gap).unwrap_err().contains("follows 1 lines"));
        let again = ["info multipv 1 pv e2e4", "info multipv 2 pv d2d4", "info multipv 2 pv c2c4"];
        assert_eq!(after_go(Expectation::MultiPv(2), &again), Ok(()));
    }

    #[test]
    fn checks_limits_and_scores() {
        let lines = ["info depth 4 nodes 10 score cp 3", "info depth 5 nodes 99 score mate 2"];
        assert_eq!(after_go(Expectation::DepthAtMost(5), &lines), Ok(()));
        assert!(after_go(Expectation::DepthAtMost(4), &lines).is_err());
        assert_eq!(after_go(Expectation::DepthReached(5), &lines), Ok(()));
        assert!(after_go(Expectation::DepthReached(6), &lines).is_err());
        assert_eq!(after_go(Expectation::NodesAtMost(99), &lines), Ok(()));
        assert!(after_go(Expectation::NodesAtMost(98), &lines).is_err());
        assert_eq!(after_go(Expectation::Mate(2), &lines), Ok(()));
        assert!(after_go(Expectation::Mate(-2), &lines).is_err());
        assert!(after_go(Expectation::InfoContent, &lines).is_err());
        let complete = ["info depth 1 score cp 1 nodes 1 time 0 pv e2e4"];
        assert_eq!(after_go(Expectation::InfoContent, &complete), Ok(()));
        assert_eq!(after_go(Expectation::BestMoves(1), &["bestmove e2e4"]), Ok(()));
        assert!(after_go(Expectation::BestMoves(1), &["bestmove e2e4", "bestmove e2e4"]).is_err());
    }

    #[test]
    fn checks_best_moves() {
        let check = |expected, line: &str| {
            let log = log(&["go"], &[line]);
            let search = log.searches.last().unwrap();
            check_best_move(&expected, &search.best.as_ref().unwrap().0, Some(search))
        };
        assert_eq!(check(BestMove::Legal, "bestmove e2e4"), Ok(()));
        assert!(check(BestMove::Legal, "bestmove e2e5").is_err());
        assert!(check(BestMove::Legal, "bestmove").is_err());
        for none in ["0000", "(none)", "NULL"] {
            assert_eq!(check(BestMove::None, &format!("bestmove {none}")), Ok(()));
        }
        assert!(check(BestMove::None, "bestmove e2e4").is_err());
        assert_eq!(check(BestMove::OneOf(vec!["e2e4".to_owned()]), "bestmove e2e4"), Ok(()));
        assert!(check(BestMove::OneOf(vec!["e2e4".to_owned()]), "bestmove d2d4").is_err());
        let stray = BestMoveLine { text: "e2e4".to_owned(), legal: Ok("e2e4".to_owned()), ponder: None };
        assert!(check_best_move(&BestMove::Any, &stray, None).is_err());
    }

    #[test]
    fn checks_the_move_of_the_last_pv() {
        let check = |lines: &[&str]| after_go(Expectation::LastPvIsBestMove, lines);
        assert_eq!(check(&["info pv d2d4", "info pv e2e4", "bestmove e2e4"]), Ok(()));
        assert_eq!(check(&["info pv e2e4", "info multipv 2 pv d2d4", "bestmove e2e4"]), Ok(()));
        assert_eq!(check(&["info pv e2e4", "info score cp 1 upperbound pv d2d4", "bestmove e2e4"]), Ok(()));
        assert!(check(&["info pv e2e4", "bestmove d2d4"]).is_err());
        assert!(check(&["bestmove d2d4"]).is_err());
    }

    #[test]
    fn checks_xboard_sessions() {
        let check = |expectation, received: &[&str]| {
            let mut log = SessionLog::new(Box::new(XboardReader::default()));
            log.sent("go");
            received.iter().for_each(|line| drop(log.received(line, Instant::now())));
            check_expectation(&expectation, &log)
        };
        assert_eq!(check(Expectation::FeaturesDone, &["feature done=0", "feature done=1"]), Ok(()));
        assert!(check(Expectation::FeaturesDone, &["feature ping=1"]).is_err());
        assert!(check(Expectation::Features, &["feature ping=on"]).is_err());
        assert_eq!(check(Expectation::NoThinking, &["# 1 2 3 4", "move e2e4"]), Ok(()));
        assert!(check(Expectation::NoThinking, &["1 2 3 4 e4"]).is_err());
        assert_eq!(check(Expectation::DepthReached(7), &["7 2 3 4 e4"]), Ok(()));
        assert!(check(Expectation::ThinkingSyntax, &["7 0.31 3 4 e4"]).is_err());
    }
}
