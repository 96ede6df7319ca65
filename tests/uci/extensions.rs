use crate::process::{Tabiya, field};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn lists_and_plays_moves() {
    let mut engine = Tabiya::uci();
    engine.send("moves");
    let moves = engine.sync().pop().unwrap();
    assert_eq!(moves.split(' ').count(), 20, "{moves}");
    engine.send("moves e2e4 e7e5\nfen");
    assert_eq!(engine.sync(), ["rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"]);
    // All or none are played.
    engine.send("moves g1f3 g1f3");
    let lines = engine.sync();
    assert!(lines[0].contains("move 2, ") && lines[0].contains("no move was played"), "{lines:?}");
    engine.send("fen");
    assert_eq!(engine.sync(), ["rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"]);
    engine.finish_well();
}

#[test]
fn flips_the_position() {
    let mut engine = Tabiya::uci();
    engine.send(&format!("position fen {KIWIPETE}\nflip"));
    let flipped = engine.sync().pop().unwrap();
    assert_eq!(flipped, "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1");
    engine.send("flip\nfen");
    assert_eq!(engine.sync()[1], KIWIPETE);
    engine.finish_well();
}

#[test]
fn version_names_the_compiler() {
    let mut engine = Tabiya::uci();
    for command in ["version", "compiler"] {
        engine.send(command);
        let lines = engine.sync();
        assert!(lines[0].starts_with("Tabiya ") && lines[1].starts_with("Compiled by rustc "), "{lines:?}");
    }
    engine.finish_well();
}

#[test]
fn stop_and_quit_end_a_benchmark() {
    let mut engine = Tabiya::uci();
    engine.send("bench 60");
    engine.sync();
    engine.send("stop");
    engine.expect("info string bench stopped");
    engine.send("bench 60\nquit");
    engine.finish_well();
}

#[test]
fn stop_ends_all_jobs_before_it() {
    let mut engine = Tabiya::uci();
    engine.send("bench 60\nbench 60\nstop");
    engine.expect("info string bench stopped");
    engine.expect("info string bench stopped");
    // But nothing after it.
    assert_eq!(engine.go("depth 3").infos.last().and_then(|line| field(line, "depth")), Some("3"));
    engine.send("bench 60\nbench 60\nbench 60\nquit");
    engine.finish_well();
}

#[test]
fn reports_several_lines_and_wdl() {
    let mut engine = Tabiya::uci();
    engine.send("setoption name MultiPV value 3\nsetoption name UCI_ShowWDL value true");
    let answer = engine.go("depth 4");
    let last: Vec<&String> = answer.infos.iter().rev().take(3).collect();
    for (line, number) in last.iter().rev().zip(["1", "2", "3"]) {
        assert_eq!(field(line, "multipv"), Some(number), "{line}");
        let tokens: Vec<&str> = line.split(' ').collect();
        let wdl = tokens.iter().position(|token| *token == "wdl").unwrap_or_else(|| panic!("{line}"));
        let sum: u32 = tokens[wdl + 1..wdl + 4].iter().map(|token| token.parse::<u32>().unwrap()).sum();
        assert_eq!(sum, 1000, "{line}");
    }
    assert_eq!(field(last[2], "pv"), Some(answer.best()));
    engine.send("setoption name MultiPV value 1\nsetoption name UCI_ShowWDL value false");
    let answer = engine.go("depth 3");
    assert!(answer.infos.iter().all(|line| !line.contains(" wdl ") && !line.contains("multipv 2")));
    engine.finish_well();
}

#[test]
fn minimal_output_is_one_line() {
    let mut engine = Tabiya::uci();
    engine.send("setoption name Minimal value true");
    let answer = engine.go("depth 6");
    assert_eq!(answer.infos.len(), 1, "{:?}", answer.infos);
    assert_eq!(field(&answer.infos[0], "depth"), Some("6"));
    // At limited strength the line of the move that is played, which is often not the best one.
    engine.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 800");
    for seed in 1..=10 {
        engine.send(&format!("setoption name Strength Seed value {seed}"));
        let answer = engine.go("depth 6");
        assert_eq!(answer.infos.len(), 1, "{:?}", answer.infos);
        let first = answer.infos[0].split_once(" pv ").and_then(|(_, pv)| pv.split(' ').next());
        assert_eq!(first, answer.line.split(' ').nth(1));
    }
    engine.finish_well();
}

#[test]
fn limits_the_rate_of_info_lines() {
    // Kings and blocked pawns: a hundred iterations within milliseconds.
    let mut engine = Tabiya::uci();
    engine.send("setoption name MultiPV value 5\nposition fen 8/8/4k3/4p3/4P3/4K3/8/8 w - - 0 1");
    let answer = engine.go("depth 120 movetime 3000");
    assert!(answer.infos.len() < 500, "{}", answer.infos.len());
    let last: Vec<&str> =
        answer.infos.iter().rev().take(5).filter_map(|line| field(line, "multipv")).collect();
    assert_eq!(last, ["5", "4", "3", "2", "1"]);
    engine.finish_well();
}
