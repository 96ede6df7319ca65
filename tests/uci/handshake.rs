use crate::process::Tabiya;
use std::time::{Duration, Instant};

#[test]
fn says_who_it_is_and_what_can_be_set() {
    let start = Instant::now();
    let mut engine = Tabiya::uci();
    engine.send("uci");
    let lines = engine.read_until("uciok", |line| line == "uciok");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(lines[0].starts_with("id name Tabiya "), "{}", lines[0]);
    assert!(lines[1].starts_with("id author "), "{}", lines[1]);
    let options: Vec<&str> = lines[2..lines.len() - 1]
        .iter()
        .map(|line| line.strip_prefix("option name ").unwrap_or_else(|| panic!("{line}")))
        .collect();
    for expected in [
        "Hash type spin default 16 min 1 max ",
        "Clear Hash type button",
        "Threads type spin default 1 min 1 max 1",
        "Move Overhead type spin default ",
        "UCI_Chess960 type check default false",
        "MultiPV type spin default 1 min 1 max 256",
        "UCI_ShowWDL type check default false",
        "UCI_AnalyseMode type check default false",
        "UCI_LimitStrength type check default false",
        "UCI_Elo type spin default 1500 min 800 max 2800",
        "Skill Level type spin default 20 min 0 max 20",
        "UCI_Opponent type string default <empty>",
        "UCI_EngineAbout type string default Tabiya ",
        "Debug Log File type string default <empty>",
        "Minimal type check default false",
        "Evaluation type combo default handcrafted var handcrafted var classic",
    ] {
        assert!(options.iter().any(|option| option.starts_with(expected)), "{expected} in {options:?}");
    }
    assert_eq!(engine.sync(), [""; 0]);
    engine.send("quit");
    engine.finish_well();
}

#[test]
fn can_be_asked_again_and_during_a_search() {
    let mut engine = Tabiya::uci();
    engine.send("uci\nuci");
    engine.expect("uciok");
    engine.expect("uciok");
    engine.send("go infinite\nuci");
    engine.expect("uciok");
    engine.send("stop");
    assert_ne!(engine.answer().best(), "0000");
    engine.finish_well();
}

#[test]
fn white_space_and_line_ends_do_not_matter() {
    let mut engine = Tabiya::uci();
    engine.send_bytes(b"\xef\xbb\xbfuci\r\n");
    engine.expect("uciok");
    engine.send_bytes(b"\n \t \n  \t position \t startpos   moves  e2e4\t\r\n\tgo   depth \t 2 \r");
    assert_ne!(engine.answer().best(), "0000");
    engine.send_bytes(b"isready");
    engine.close_input();
    assert_eq!(engine.finish_well().lines, ["readyok"]);
}

#[test]
fn debug_mode_tells_what_was_received() {
    let mut engine = Tabiya::uci();
    engine.send("debug on\nponderhit");
    assert_eq!(engine.sync(), ["info string received: \"ponderhit\"", "info string received: \"isready\""]);
    engine.send("debug off");
    engine.sync();
    engine.send("ponderhit");
    assert_eq!(engine.sync(), [""; 0]);
    engine.finish_well();
}

#[test]
fn the_commands_beyond_the_protocol() {
    let mut engine = Tabiya::uci();
    engine.send("position startpos moves e2e4\nfen");
    engine.expect("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    engine.send("d");
    engine.expect(" | r | n | b | q | k | b | n | r | 8");
    engine.expect("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    engine.expect("Key: ");
    engine.send("eval");
    engine.expect("black to move");
    engine.send("help");
    engine.expect("Commands");
    engine.send("bench 2");
    let last = engine.read_until("the speed", |line| line.ends_with(" nps")).pop().unwrap();
    let words: Vec<&str> = last.split(' ').collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{last}");
    engine.finish_well();
}

#[test]
fn the_protocol_may_be_an_argument() {
    let mut engine = Tabiya::with_arguments(&["uci"]);
    engine.expect("uciok");
    assert_ne!(engine.go("depth 1").best(), "0000");
    engine.send("quit");
    engine.finish_well();
    let mut engine = Tabiya::with_arguments(&["xboard"]);
    engine.send("protover 2");
    engine.expect("feature");
    engine.send("quit");
    engine.finish_well();
    // Several lines are all that there is.
    assert!(Tabiya::run(&["uci", "go depth 1"]).text().contains("bestmove "));
}
