//! Consistency of the documentation with the engine.

use crate::process::Tabiya;
use std::collections::BTreeSet;
use std::fs;

fn document(name: &str) -> String {
    let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The names of the engine's options.
fn option_names() -> BTreeSet<String> {
    let mut engine = Tabiya::uci();
    engine.send("uci");
    let lines = engine.read_until("uciok", |line| line == "uciok");
    engine.finish_well();
    let options = lines.iter().filter_map(|line| line.strip_prefix("option name "));
    options.filter_map(|option| Some(option.split_once(" type ")?.0.to_owned())).collect()
}

#[test]
fn lichess_bot_configuration_uses_existing_options() {
    let text = document("lichess-bot.yml");
    let options = option_names();
    let mut in_options = false;
    let mut count = 0;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim_start().trim_start_matches("# ");
        match line.split_once(':') {
            Some(("uci_options", _)) => in_options = true,
            Some((key, _)) if in_options && indent == 4 => {
                assert!(options.contains(key), "{key} is not an option");
                count += 1;
            }
            _ if indent < 4 => in_options = false,
            _ => {}
        }
    }
    assert!(count >= 4, "{count} options");
    // The top-level keys of lichess-bot's configuration.
    let top_level_keys = [
        "token", "url", "engine", "abort_time", "fake_think_time", "rate_limiting_delay", "move_overhead",
        "correspondence", "challenge", "greeting",
    ];
    for line in text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase())) {
        let key = line.split(':').next().unwrap_or_default();
        assert!(top_level_keys.contains(&key), "{key} is not a key of lichess-bot's configuration");
    }
}
