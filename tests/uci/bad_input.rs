use crate::process::Tabiya;
use tabiya_core::SplitMix64;

/// Sends an invalid line and returns the messages that answer it.
fn errors(engine: &mut Tabiya, line: &str) -> Vec<String> {
    engine.send(line);
    let lines = engine.sync();
    assert!(lines.iter().all(|line| line.starts_with("info string ")), "{line}: {lines:?}");
    lines
}

#[test]
fn reports_bad_positions_and_does_not_search_them() {
    let mut engine = Tabiya::uci();
    for (position, fragments) in [
        ("", ["position: expected startpos or fen", "at byte 8"]),
        ("e2e4", ["position: expected startpos or fen", "found \"e2e4\""]),
        ("startpos e2e4", ["position: expected moves at byte 18", "found \"e2e4\""]),
        ("startpos moves e2e5", ["move 1, \"e2e5\"", "not a legal move"]),
        ("startpos moves e2e4 e7e5 e4e5", ["move 3, \"e4e5\"", "not a legal move"]),
        ("startpos moves e2e4 e2e4", ["move 2, \"e2e4\"", "no piece on e2"]),
        ("startpos moves e7e5", ["move 1, \"e7e5\"", "not white's"]),
        ("startpos moves Nf3", ["move 1, \"Nf3\"", "characters 1-2 are not a square"]),
        ("startpos moves 0000", ["move 1, \"0000\"", "null move"]),
        ("startpos moves e2e4q", ["move 1, \"e2e4q\"", "no pawn reaches the last rank"]),
        ("fen", ["invalid FEN, piece placement", "missing"]),
        ("fen 8/8/8/8 w - - 0 1", ["invalid FEN, piece placement", "there are 4 ranks (expected 8)"]),
        ("fen 8/8/8/9/8/8/8/8 w - - 0 1", ["byte 6", "'9'"]),
        ("fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1", ["side to move, byte 20", "expected w or b"]),
        ("fen 4k3/8/8/8/8/8/8/4K3 w X - 0 1", ["castling, byte 22", "'X'"]),
        ("fen 4k3/8/8/8/8/8/8/4K3 w - e9 0 1", ["en passant, byte 24", "rank 3 or 6"]),
        ("fen 4k3/8/8/8/8/8/8/4K3 w - - x 1", ["half-move clock, byte 26", "whole number"]),
        ("fen 4k3/8/8/8/8/8/8/4K3 w - - 0 x", ["full-move number, byte 28", "whole number"]),
        ("fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 e2e4", ["byte 30", "after the last field"]),
        ("fen 8/8/8/8/8/8/8/4K3 w - - 0 1", ["illegal position", "black has no king"]),
        ("fen 4k3/8/8/8/8/8/8/4KK2 w - - 0 1", ["illegal position", "more than one king"]),
        ("fen 4k3/8/8/8/8/8/8/4RK2 w - - 0 1", ["illegal position", "in check"]),
        ("fen P3k3/8/8/8/8/8/8/4K3 w - - 0 1", ["illegal position", "pawn on a8"]),
    ] {
        engine.send("position startpos");
        let lines = errors(&mut engine, &format!("position {position}"));
        assert!(fragments.iter().all(|fragment| lines[0].contains(fragment)), "{position:?}: {lines:?}");
        assert!(lines[1].contains("bestmove 0000 until a valid position command"), "{lines:?}");
        // Repeatedly and with any limits.
        for go in ["depth 3", "infinite", "ponder wtime 1 btime 1", ""] {
            let answer = engine.go(go);
            assert_eq!(answer.line, "bestmove 0000");
            assert_eq!(
                answer.messages(),
                ["no position is set, because the last position command was invalid"]
            );
        }
        // A new game or an option does not make it valid.
        engine.send("ucinewgame\nsetoption name Hash value 1");
        assert_eq!(engine.go("depth 1").best(), "0000");
        engine.send("go perft 2");
        assert_eq!(engine.sync().len(), 1);
        engine.send("position startpos moves e2e4");
        assert_ne!(engine.go("depth 2").best(), "0000");
    }
    engine.finish_well();
}

#[test]
fn reports_bad_limits_and_still_searches() {
    let mut engine = Tabiya::uci();
    for (go, message) in [
        ("depth x nodes 100", "depth: expected a whole number at byte 9, found \"x\""),
        ("depth nodes 100", "depth: expected a whole number at byte 9, found \"nodes\""),
        ("nodes 100 depth", "depth: expected a whole number at byte 18, where the line ends"),
        ("nodes 100 wtime 1.5", "wtime: expected a whole number at byte 19, found \"1.5\""),
        ("nodes -1", "nodes: the number at byte 9 is too small; using 1"),
        ("depth 0", "depth: the number at byte 9 is too small; using 1"),
        ("joho depth 1", "ignored unknown token \"joho\" at byte 3"),
        (
            "depth 1 searchmoves e2e4 e9e4",
            "searchmoves: expected a move such as e2e4 or e7e8q at byte 28, found \"e9e4\"",
        ),
    ] {
        let answer = engine.go(go);
        assert_ne!(answer.best(), "0000", "{go}");
        assert_eq!(answer.messages(), [message], "{go}");
    }
    let answer = engine.go("movetime soon");
    assert_ne!(answer.best(), "0000");
    assert_eq!(answer.messages()[1], "no valid limit; searching for 1000 ms");
    engine.finish_well();
}

#[test]
fn reports_and_skips_unknown_tokens() {
    let mut engine = Tabiya::uci();
    for (line, message) in [
        ("xyzzy", "unknown command \"xyzzy\"; type help for a list"),
        ("joho fen", "unknown command \"joho\"; type help for a list"),
        ("joho isready", "ignored unknown token \"joho\" at byte 0"),
        ("ucinewgame now", "ignored unknown token \"now\" at byte 11"),
        ("debug maybe", "debug: expected on or off at byte 6, found \"maybe\""),
        ("bench x", "bench: expected a depth from 1 at byte 6, found \"x\""),
        ("bench 0", "bench: expected a depth from 1 at byte 6, found \"0\""),
    ] {
        let lines = errors_before_readyok(&mut engine, line);
        assert_eq!(lines, [format!("info string {message}")], "{line}");
    }
    // The protocol's own example.
    engine.send("joho debug on\nstop");
    assert!(engine.sync().iter().any(|line| line == "info string received: \"stop\""));
    engine.finish_well();
}

/// Like [`errors`], for lines that may themselves be answered with `readyok`.
fn errors_before_readyok(engine: &mut Tabiya, line: &str) -> Vec<String> {
    engine.send(line);
    let mut lines = engine.sync();
    if line.ends_with("isready") {
        engine.expect("readyok");
    }
    lines.retain(|line| line != "readyok");
    lines
}

#[test]
fn survives_arbitrary_bytes() {
    let mut engine = Tabiya::uci();
    engine.send_bytes(b"\xff\xfe\x00\x01\x1b[31m\x80\xc3\x28 \xf0\x9f\x92\xa3\n");
    let invalid = |at| format!("info string invalid UTF-8 at byte {at}; using what can be decoded");
    let lines = engine.sync();
    assert_eq!((lines.len(), &lines[0]), (2, &invalid(0)), "{lines:?}");
    engine.send_bytes(&(0u8..=255).filter(|byte| !b"\r\n".contains(byte)).collect::<Vec<u8>>());
    engine.send_bytes(b"\n");
    assert_eq!(engine.sync().len(), 2);
    // The decoded part takes effect.
    engine.send_bytes(b"setoption name UCI_Opponent value Ren\xe9\nisready\n");
    assert_eq!(engine.read_until("readyok", |line| line == "readyok"), [&invalid(37), "readyok"]);
    // A megabyte without spaces, and a megabyte of spaces.
    engine.send(&"x".repeat(1 << 20));
    let lines = engine.sync();
    assert_eq!(lines.len(), 1);
    assert!(lines[0].len() < 200, "{}", lines[0].len());
    engine.send(&format!("{}isready", " ".repeat(1 << 20)));
    engine.expect("readyok");
    engine.send(&format!("position startpos moves {}", "e2e9".repeat(100_000)));
    assert!(engine.sync()[0].len() < 300);
    // Longer than the limit.
    engine.send_bytes(&vec![b'y'; (1 << 24) + 1]);
    engine.send_bytes(b"\n");
    assert_eq!(engine.sync(), ["info string ignored a line of more than 16777216 bytes"]);
    engine.finish_well();
}

#[test]
fn survives_lines_of_random_tokens() {
    // The last token is empty.
    let tokens: Vec<&str> = "uci isready ucinewgame position startpos fen moves stop ponderhit setoption name value Hash 1 2 \
                  -1 Clear UCI_Chess960 true false Evaluation classic debug on off register later depth nodes \
                  movetime wtime btime winc binc movestogo searchmoves infinite ponder mate perft e2e4 e7e5 e1g1 \
                  a7a8q 0000 d eval help x é \u{1b} \0 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w b KQkq - e3 \
                  0 r3k2r/8/8/8/8/8/8/R3K2R 8/8/8/8/8/8/8/8 99999999999999999999 1.5 "
        .split(' ')
        .collect();
    assert_eq!((tokens.len(), tokens[63]), (64, ""));
    let mut random = SplitMix64::new(0x7ab1_7a00);
    let mut engine = Tabiya::uci();
    for _ in 0..400 {
        // Lines that begin with a command exercise more code than random tokens.
        let first = ["position startpos moves", "position fen", "go nodes 50", "setoption name", "", "go"];
        let mut line = first[random.below(first.len())].to_owned();
        for _ in 0..random.below(8) {
            line.push(' ');
            line.push_str(tokens[random.below(tokens.len())]);
        }
        engine.send(&line);
        // `go` is not among the tokens, so only a first `go` is answered by a best move.
        if line.starts_with("go") && !line.contains("perft") {
            engine.send("stop");
            engine.answer();
        }
        let rest = engine.sync();
        assert!(!rest.iter().any(|line| line.starts_with("bestmove")), "{line}: {rest:?}");
        assert!(!rest.iter().any(|line| line.contains("has failed")), "{line}: {rest:?}");
    }
    engine.finish_well();
}
