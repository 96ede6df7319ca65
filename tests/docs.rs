//! The documents about the engine agree with the engine.

use crate::process::{Tabiya, field};
use std::collections::BTreeSet;
use std::fs;

fn document(name: &str) -> String {
    let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The `option` lines, without that word.
fn options() -> Vec<String> {
    let mut engine = Tabiya::uci();
    engine.send("uci");
    let lines = engine.read_until("uciok", |line| line == "uciok");
    engine.finish_well();
    lines.iter().filter_map(|line| line.strip_prefix("option name ")).map(str::to_owned).collect()
}

#[test]
fn every_option_is_described_as_it_is() {
    let text = document("options.md");
    let rows: BTreeSet<String> = text
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.split('|').skip(1).take(3).map(str::trim).collect::<Vec<_>>().join(" | "))
        .collect();
    // The numbers of the search, which the feature `tune` makes options of, are no part of the document: they
    // are the only ones that begin with a small letter.
    let expected: BTreeSet<String> = options()
        .iter()
        .filter(|option| {
            cfg!(not(feature = "tune")) || !option.starts_with(|first: char| first.is_ascii_lowercase())
        })
        .map(|option| {
            let (name, rest) = option.split_once(" type ").expect("every option has a type");
            let default = rest.split_once(" default ").map_or("", |(_, value)| value);
            let default =
                default.split(" min ").next().unwrap_or_default().split(" var ").next().unwrap_or_default();
            let values = match field(rest, "min").zip(field(rest, "max")) {
                Some((min, max)) => format!("{min} to {max}"),
                None if rest.starts_with("combo") => {
                    rest.split(" var ").skip(1).collect::<Vec<_>>().join(", ")
                }
                None if rest.starts_with("check") => "true, false".to_owned(),
                None if rest.starts_with("button") => "button".to_owned(),
                None => "text".to_owned(),
            };
            let default = if default.is_empty() || default == "<empty>" {
                String::new()
            } else {
                format!("`{default}`")
            };
            format!("`{name}` | {default} | {values}")
        })
        .collect();
    assert_eq!(rows, expected, "left: docs/options.md, right: the engine");
}

#[test]
fn the_bot_is_configured_with_options_that_exist() {
    let text = document("lichess-bot.yml");
    let ours: BTreeSet<String> =
        options().iter().filter_map(|option| Some(option.split_once(" type ")?.0.to_owned())).collect();
    let mut in_options = false;
    let mut found = 0;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim_start().trim_start_matches("# ");
        match line.split_once(':') {
            Some(("uci_options", _)) => in_options = true,
            Some((key, _)) if in_options && indent == 4 => {
                assert!(ours.contains(key), "{key} is no option");
                found += 1;
            }
            _ if indent < 4 => in_options = false,
            _ => {}
        }
    }
    assert!(found >= 4, "{found}");
    // The sections that lichess-bot knows.
    let known = [
        "token",
        "url",
        "engine",
        "abort_time",
        "fake_think_time",
        "rate_limiting_delay",
        "move_overhead",
        "correspondence",
        "challenge",
        "greeting",
    ];
    for line in text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase())) {
        let key = line.split(':').next().unwrap_or_default();
        assert!(known.contains(&key), "{key} is no section of lichess-bot's configuration");
    }
}
