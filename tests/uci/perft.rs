use crate::process::Tabiya;

#[test]
fn counts_per_move_add_up() {
    let mut engine = Tabiya::uci();
    for (fen, depth, nodes) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 1, 14),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 0, 1),
        ("6k1/6Q1/6K1/8/8/8/8/8 b - - 0 1", 3, 0),
    ] {
        engine.send(&format!("position fen {fen}\ngo perft {depth}"));
        let lines = engine.read_until("the total", |line| line.starts_with("Nodes searched: "));
        let (last, rest) = lines.split_last().unwrap();
        assert_eq!(*last, format!("Nodes searched: {nodes}"), "{fen}");
        let (blank, divide) = rest.split_last().unwrap();
        assert_eq!(blank, "");
        let sum: u64 =
            divide.iter().map(|line| line.split_once(": ").unwrap().1.parse::<u64>().unwrap()).sum();
        assert_eq!(sum, if depth == 0 { 0 } else { nodes }, "{fen}");
    }
    engine.finish_well();
}

#[test]
fn answers_isready_during_perft() {
    let mut engine = Tabiya::uci();
    engine.send("go perft 12\nfen\nsetoption name Hash value 2\nisready");
    engine.expect("readyok");
    engine.send("stop\nisready");
    engine.expect("info string perft stopped");
    // Queued commands are executed now.
    engine.expect("rnbqkbnr/");
    assert_ne!(engine.go("depth 2").best(), "0000");
    engine.finish_well();
}

#[test]
fn reports_bad_depths() {
    let mut engine = Tabiya::uci();
    for line in ["go perft", "go perft x", "go perft -1", "go perft 31", "go perft 99999999999999999999"] {
        engine.send(line);
        let lines = engine.sync();
        assert_eq!(lines.len(), 1, "{line}: {lines:?}");
        assert!(lines[0].starts_with("info string perft: expected a whole number from 0 to 30"), "{lines:?}");
    }
    engine.finish_well();
}

#[test]
fn stop_applies_to_a_queued_search() {
    let mut engine = Tabiya::uci();
    engine.send("go perft 7\ngo infinite\nstop");
    assert_ne!(engine.answer().best(), "0000");
    engine.finish_well();
}
