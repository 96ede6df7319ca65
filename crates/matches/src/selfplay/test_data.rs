//! Fixtures for tests.

use super::match_engine::Timeouts;
use super::plan::{MatchOptions, Openings, Plan};
use super::player::Player;
use tabiya_lab_common::referee::Adjudication;
use tabiya_uci_engine::EngineCommand;

/// Returns a match between two players that do not exist.
pub(crate) fn plan() -> Plan {
    Plan {
        event: "test".to_owned(),
        players: vec![Player::new("a", "a".into()), Player::new("b", "b".into())],
        pairings: vec![[0, 1]],
        pairs: 10,
        openings: Openings { file: None, plies: 0, seed: Some(1), skip: 0, fingerprint: 0, distinct: true },
        adjudication: Adjudication::default(),
        timeouts: Timeouts { startup: 1000, ping: 1000, stall: 1000, margin: 10 },
        sprt: None,
        anchor: None,
        scaling: false,
        chess960: false,
        syzygy: Vec::new(),
        options: MatchOptions::default(),
    }
}

/// Returns a player whose engine is a shell script.
#[cfg(unix)]
pub(crate) fn script(text: &str) -> Player {
    let arguments = vec!["-c".to_owned(), text.to_owned()];
    let command = EngineCommand { name: "script".to_owned(), arguments, ..EngineCommand::new("/bin/sh") };
    Player { command, ..Player::default() }
}
