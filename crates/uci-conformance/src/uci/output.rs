//! Checks of single lines of UCI engines.

use std::collections::HashSet;
use tabiya_uci_engine::{EngineOption, OptionType};

/// Checks that `id name` and `id author` were sent.
///
/// # Errors
/// A description of what is missing.
pub(crate) fn identity(lines: &[String]) -> Result<(), String> {
    for field in ["name", "author"] {
        let has_value = |line: &String| {
            let mut words = line.split_whitespace();
            words.next() == Some("id") && words.next() == Some(field) && words.next().is_some()
        };
        if !lines.iter().any(has_value) {
            return Err(format!("no \"id {field}\" line with a value"));
        }
    }
    Ok(())
}

/// Checks the `option` lines.
///
/// # Errors
/// A description of the first mistake.
pub(crate) fn options(lines: &[String]) -> Result<(), String> {
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
    // The name may have these words, too.
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_type = |pair: &[&str]| matches!(pair, ["type", "check" | "spin" | "combo" | "button" | "string"]);
    let start = words.windows(2).position(is_type).unwrap_or(words.len());
    let has = |word| words[start..].contains(&word);
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

/// Checks the syntax of an `info` line as specified by UCI, plus the widespread `wdl`.
///
/// # Errors
/// A description of the first mistake.
pub(crate) fn info_syntax(line: &str) -> Result<(), String> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn identity_has_name_and_author() {
        let check = |lines: [&str; 2]| identity(&lines.map(str::to_owned));
        assert_eq!(check(["id name X 1", "id\tauthor  Y"]), Ok(()));
        assert!(check(["id name X", "id author "]).unwrap_err().contains("id author"));
    }

    #[test]
    fn checks_option_lines() {
        let check = |line: &str| options(&[line.to_owned()]);
        for line in [
            "option name Hash type spin default 16 min 1 max 64",
            "option name Clear Hash type button",
            "option name Reset to default type button",
            "option name Log type string default ",
            "option name Ponder type check default false",
            "option name Style type combo default a var a var b",
        ] {
            assert_eq!(check(line), Ok(()), "{line}");
        }
        for line in [
            "option name Hash type spin default 65 min 1 max 64",
            "option name Hash type spin default 65",
            "option name max depth type spin default 5 min 1",
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
}
