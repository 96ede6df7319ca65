use crate::process::Tabiya;

#[test]
fn identifies_itself_and_lists_options() {
    let mut engine = Tabiya::uci();
    engine.send("uci");
    let lines = engine.read_until("uciok", |line| line == "uciok");
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
        "Evaluation type combo default ",
        "EvalFile type string default <empty>",
    ] {
        assert!(options.iter().any(|option| option.starts_with(expected)), "{expected} in {options:?}");
    }
    assert_eq!(engine.sync(), [""; 0]);
    engine.send("quit");
    engine.finish_well();
}

#[test]
fn accepts_a_byte_order_mark_and_an_unfinished_last_line() {
    let mut engine = Tabiya::uci();
    engine.send_bytes(b"\xef\xbb\xbfuci\r\n");
    engine.expect("uciok");
    engine.send_bytes(b"isready");
    engine.close_input();
    assert_eq!(engine.finish_well().lines, ["readyok"]);
}

#[test]
fn debug_mode_echoes_received_lines() {
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
fn answers_extensions() {
    let mut engine = Tabiya::uci();
    engine.send("position startpos moves e2e4\nfen");
    engine.expect("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    engine.send("d");
    engine.expect(" | r | n | b | q | k | b | n | r | 8");
    engine.expect("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    engine.expect("Key: ");
    engine.send("eval");
    engine.expect("Value for black to move");
    engine.send("help");
    engine.expect("Commands");
    engine.send("bench 2");
    let last = engine.read_until("the last line of bench", |line| line.ends_with(" nps")).pop().unwrap();
    let tokens: Vec<&str> = last.split(' ').collect();
    assert!(matches!(tokens[..], [_, "nodes", _, "nps"]), "{last}");
    engine.finish_well();
}

#[test]
fn protocol_may_be_an_argument() {
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
    // Several lines are the whole session.
    assert!(Tabiya::run(&["uci", "go depth 1"]).text().contains("bestmove "));
}
