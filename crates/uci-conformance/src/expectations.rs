//! Checks of a recorded session against the protocol: pure functions over [`SessionLog`].

use crate::script::{BestMove, Expectation};
use crate::session_log::{Search, SessionLog};
use std::collections::HashSet;
use tabiya_movegen::Position;
use tabiya_uci_engine::{EngineOption, Info, InfoScore, OptionType};

/// Checks one expectation.
///
/// # Errors
/// A one-sentence description of the failure that quotes the line.
pub(crate) fn check_expectation(expectation: &Expectation, log: &SessionLog) -> Result<(), String> {
    let last = || log.searches.last().ok_or_else(|| "no search was started".to_owned());
    match expectation {
        Expectation::Identity => identity(&log.other),
        Expectation::Options => options(&log.other),
        Expectation::InfoSyntax => for_each_info(log, |_, line| info_syntax(line)),
        Expectation::InfoContent => last().and_then(info_content),
        Expectation::PvLegal => for_each_info(log, pv_legal),
        Expectation::PonderLegal => log.searches.iter().try_for_each(ponder_legal),
        Expectation::PvStarts(moves) => for_each_info(log, |_, line| pv_starts(line, moves)),
        Expectation::MultiPv(count) => last().and_then(|search| multi_pv(search, *count)),
        Expectation::BestMoves(count) if log.best_moves == *count => Ok(()),
        Expectation::BestMoves(count) => Err(format!("{} bestmove lines (expected {count})", log.best_moves)),
        Expectation::DepthAtMost(limit) => match depths(last()?).max() {
            Some(depth) if depth > *limit => Err(format!("searched to depth {depth}, beyond {limit}")),
            _ => Ok(()),
        },
        Expectation::DepthReached(depth) if depths(last()?).any(|found| found >= *depth) => Ok(()),
        Expectation::DepthReached(depth) => Err(format!("no info line reaches depth {depth}")),
        Expectation::NodesAtMost(limit) => match infos(last()?).filter_map(|info| info.nodes).max() {
            Some(nodes) if nodes > *limit => Err(format!("searched {nodes} nodes, more than {limit}")),
            Some(_) => Ok(()),
            None => Err("no info line has nodes".to_owned()),
        },
        Expectation::Mate(moves) => match infos(last()?).filter_map(|info| info.score).last() {
            Some(InfoScore::Mate(found)) if i64::from(found) == *moves => Ok(()),
            Some(score) => Err(format!("the last score is {score:?} (expected mate {moves})")),
            None => Err("no info line has a score".to_owned()),
        },
        Expectation::TookAtLeast(time) => match last()? {
            Search { started, best: Some((_, at)), .. } if at.duration_since(*started) < *time => {
                let took = at.duration_since(*started).as_millis();
                Err(format!("took only {took} ms"))
            }
            _ => Ok(()),
        },
    }
}

/// Checks the last `bestmove`.
pub(crate) fn check_best_move(expected: &BestMove, log: &SessionLog) -> Result<(), String> {
    let Some(search) = log.searches.last() else { return Err("a bestmove without a search".to_owned()) };
    let Some((line, _)) = &search.best else { return Err("a bestmove without a search".to_owned()) };
    match expected {
        BestMove::Any => Ok(()),
        BestMove::None if line.is_none() => Ok(()),
        BestMove::None => Err(format!("{:?} (expected 0000 or (none))", line.best)),
        BestMove::OneOf(moves) if moves.contains(&line.best) => Ok(()),
        BestMove::OneOf(moves) => Err(format!("bestmove {:?} (expected {})", line.best, moves.join(" or "))),
        BestMove::Legal => {
            let root = search.root.as_ref().ok_or("the position of the script is invalid")?;
            root.parse_uci(&line.best)
                .map(drop)
                .map_err(|error| format!("bestmove {:?} in {root}: {error}", line.best))
        }
    }
}

fn identity(lines: &[String]) -> Result<(), String> {
    for expected in ["id name ", "id author "] {
        if !lines.iter().any(|line| line.strip_prefix(expected).is_some_and(|rest| !rest.trim().is_empty())) {
            return Err(format!("no {:?} line with a value", expected.trim_end()));
        }
    }
    Ok(())
}

fn options(lines: &[String]) -> Result<(), String> {
    let mut names = HashSet::new();
    for line in lines.iter().filter(|line| line.split_whitespace().next() == Some("option")) {
        let option = EngineOption::parse(line).map_err(|error| format!("{line:?}: {error}"))?;
        option_consistency(&option, line).map_err(|error| format!("{line:?}: {error}"))?;
        if !names.insert(option.name.to_ascii_lowercase()) {
            return Err(format!("duplicate option {:?}", option.name));
        }
    }
    Ok(())
}

fn option_consistency(option: &EngineOption, line: &str) -> Result<(), String> {
    let has = |word| line.split_whitespace().any(|found| found == word);
    if option.name.split(' ').any(|word| matches!(word, "name" | "value")) {
        return Err("the name contains a keyword of setoption".to_owned());
    }
    match &option.kind {
        OptionType::Button if has("default") => Err("a button has no default".to_owned()),
        OptionType::Button => Ok(()),
        _ if !has("default") => Err("it has no default".to_owned()),
        OptionType::Check { .. } if !has("true") && !has("false") => {
            Err("its default is neither true nor false".to_owned())
        }
        OptionType::Spin { .. } if !has("min") || !has("max") => Err("it lacks min or max".to_owned()),
        OptionType::Spin { default, min, max } if !(min..=max).contains(&default) => {
            Err(format!("its default {default} is not within {min} to {max}"))
        }
        OptionType::Combo { default, choices } if !choices.contains(default) => {
            Err(format!("its default {default:?} is not one of its choices"))
        }
        _ => Ok(()),
    }
}

fn for_each_info(
    log: &SessionLog,
    check: impl Fn(&Search, &str) -> Result<(), String>,
) -> Result<(), String> {
    for search in &log.searches {
        for line in &search.info {
            check(search, line).map_err(|error| format!("{line:?}: {error}"))?;
        }
    }
    Ok(())
}

fn infos(search: &Search) -> impl Iterator<Item = Info> {
    search.info.iter().filter_map(|line| Info::parse(line))
}

fn depths(search: &Search) -> impl Iterator<Item = u64> {
    infos(search).filter_map(|info| info.depth).map(u64::from)
}

/// Checks the syntax of an `info` line as specified by UCI, plus the widespread `wdl`.
fn info_syntax(line: &str) -> Result<(), String> {
    let mut words = line.split_whitespace().skip(1).peekable();
    while let Some(word) = words.next() {
        let mut number = |max: i64| match words.next() {
            None => Err(format!("nothing follows {word:?}")),
            Some(text) => match text.parse::<i64>() {
                Ok(value) if (0..=max).contains(&value) => Ok(()),
                _ => Err(format!("{word} {text:?} is not a number from 0 to {max}")),
            },
        };
        match word {
            "depth" | "seldepth" | "time" | "nodes" | "nps" | "multipv" | "currmovenumber" | "tbhits"
            | "sbhits" => number(i64::MAX)?,
            "hashfull" | "cpuload" => number(1000)?,
            "wdl" => (0..3).try_for_each(|_| number(1000))?,
            "score" => {
                let unit = words.next().unwrap_or_default();
                let value = words.next().unwrap_or_default();
                if !matches!(unit, "cp" | "mate") || value.parse::<i64>().is_err() {
                    return Err(format!("score \"{unit} {value}\" is neither cp nor mate with a number"));
                }
                words.next_if(|word| matches!(*word, "lowerbound" | "upperbound"));
            }
            "currmove" => match words.next() {
                Some(mv) if is_move(mv) => {}
                other => return Err(format!("currmove {other:?} is not a move")),
            },
            "pv" | "refutation" | "currline" => {
                if word == "currline" {
                    words.next_if(|word| word.parse::<u32>().is_ok());
                }
                words.next_if(|word| is_move(word)).ok_or_else(|| format!("no move follows {word:?}"))?;
                while words.next_if(|word| is_move(word)).is_some() {}
            }
            "string" => return Ok(()),
            other => return Err(format!("unknown keyword {other:?}")),
        }
    }
    Ok(())
}

fn is_move(word: &str) -> bool {
    word.parse::<tabiya_core::notation::UciMove>().is_ok()
}

fn info_content(search: &Search) -> Result<(), String> {
    let complete = |info: &Info| {
        info.depth.is_some()
            && info.score.is_some()
            && info.nodes.is_some()
            && info.time.is_some()
            && !info.pv.is_empty()
    };
    if infos(search).any(|info| complete(&info)) {
        return Ok(());
    }
    Err("no info line has depth, score, nodes, time and pv together".to_owned())
}

fn pv_legal(search: &Search, line: &str) -> Result<(), String> {
    let (Some(root), Some(info)) = (&search.root, Info::parse(line)) else { return Ok(()) };
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
        .parse_uci(&line.best)
        .map_err(|error| error.to_string())
        .and_then(|mv| root.play(mv).map_err(|error| error.to_string()))?;
    after
        .parse_uci(ponder)
        .map(drop)
        .map_err(|error| format!("ponder {ponder:?} after {}: {error}", line.best))
}

fn pv_starts(line: &str, moves: &[String]) -> Result<(), String> {
    match Info::parse(line).and_then(|info| info.pv.into_iter().next()) {
        Some(first) if !moves.contains(&first) => {
            Err(format!("the pv starts with {first} (expected {})", moves.join(" or ")))
        }
        _ => Ok(()),
    }
}

/// Checks the PV lines of a MultiPV search. They form blocks starting with `multipv 1`; in each block
/// the numbers count up and the first moves differ, and at least one block has all `count` lines.
fn multi_pv(search: &Search, count: usize) -> Result<(), String> {
    let mut block: Vec<String> = Vec::new();
    let mut complete = false;
    for info in infos(search).filter(|info| !info.pv.is_empty()) {
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
        let first = info.pv.into_iter().next().unwrap_or_default();
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
    use std::time::Instant;

    fn log(sent: &[&str], received: &[&str]) -> SessionLog {
        let mut log = SessionLog::new();
        sent.iter().for_each(|line| log.sent(line));
        received.iter().for_each(|line| log.received(line, Instant::now()));
        log
    }

    fn after_go(expectation: Expectation, received: &[&str]) -> Result<(), String> {
        check_expectation(&expectation, &log(&["go depth 5"], received))
    }

    #[test]
    fn checks_info_syntax() {
        for line in [
            "info depth 3 seldepth 5 multipv 1 score cp -12 nodes 100 nps 1000 hashfull 12 tbhits 0 time 1 pv e2e4 e7e5",
            "info depth 3 score mate -2 upperbound wdl 0 10 990 pv a7a8q",
            "info depth 1 currmove e2e4 currmovenumber 1",
            "info string anything depth x",
            "info currline 1 e2e4 e7e5",
            "info",
        ] {
            assert_eq!(info_syntax(line), Ok(()), "{line}");
        }
        for (line, message) in [
            ("info depth x", "depth \"x\""),
            ("info depth", "nothing follows"),
            ("info depth -1", "depth \"-1\""),
            ("info hashfull 1001", "hashfull"),
            ("info score 12", "score \"12 \""),
            ("info score cp 1.5", "score \"cp 1.5\""),
            ("info pv", "no move follows"),
            ("info pv e4", "no move follows"),
            ("info evaluation 3", "unknown keyword"),
        ] {
            let error = info_syntax(line).unwrap_err();
            assert!(error.contains(message), "{line}: {error}");
        }
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
    fn checks_option_lines() {
        let check = |line: &str| options(&[line.to_owned()]);
        for line in [
            "option name Hash type spin default 16 min 1 max 64",
            "option name Clear Hash type button",
            "option name Log type string default ",
            "option name Ponder type check default false",
            "option name Style type combo default a var a var b",
        ] {
            assert_eq!(check(line), Ok(()), "{line}");
        }
        for line in [
            "option name Hash type spin default 65 min 1 max 64",
            "option name Hash type spin default 65",
            "option name Hash",
            "option name Ponder type check",
            "option name Ponder type check default maybe",
            "option name Style type combo default c var a var b",
            "option name Clear value type button",
        ] {
            assert!(check(line).is_err(), "{line}");
        }
        let twice = ["option name A type button", "option name a type button"].map(str::to_owned);
        assert!(options(&twice).unwrap_err().contains("duplicate"));
    }

    #[test]
    fn checks_best_moves() {
        let check = |expected, line: &str| check_best_move(&expected, &log(&["go"], &[line]));
        assert_eq!(check(BestMove::Legal, "bestmove e2e4"), Ok(()));
        assert!(check(BestMove::Legal, "bestmove e2e5").is_err());
        assert!(check(BestMove::Legal, "bestmove").is_err());
        assert_eq!(check(BestMove::None, "bestmove (none)"), Ok(()));
        assert!(check(BestMove::None, "bestmove e2e4").is_err());
        assert_eq!(check(BestMove::OneOf(vec!["e2e4".to_owned()]), "bestmove e2e4"), Ok(()));
        assert!(check(BestMove::OneOf(vec!["e2e4".to_owned()]), "bestmove d2d4").is_err());
        assert!(check_best_move(&BestMove::Any, &log(&[], &["bestmove e2e4"])).is_err());
    }
}
