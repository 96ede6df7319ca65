use crate::process::Tabiya;

#[test]
fn scores_positions_without_legal_moves() {
    let mut engine = Tabiya::uci();
    for (fen, score) in [
        ("6k1/6Q1/6K1/8/8/8/8/8 b - - 0 1", "score mate 0"),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "score mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "score cp 0"),
    ] {
        engine.send(&format!("position fen {fen}"));
        for go in ["depth 5", "searchmoves a1a2", ""] {
            let answer = engine.go(go);
            assert_eq!(answer.line, "bestmove 0000", "{fen}");
            assert!(answer.last_info().contains(score), "{fen}, go {go}: {:?}", answer.infos);
        }
    }
    engine.finish_well();
}

#[test]
fn accepts_common_fen_variants() {
    let mut engine = Tabiya::uci();
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w   KQkq   -   0   1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
    ] {
        engine.send(&format!("position startpos moves e2e4\nposition fen {fen}\nfen"));
        engine.expect("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    }
    engine.finish_well();
}

/// Set-ups that no game reaches are searched; what contradicts the pieces is dropped with a message.
#[test]
fn searches_unreachable_positions_and_drops_contradictions() {
    let mut engine = Tabiya::uci();
    for (fen, notes) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQQ w kq - 0 1", 0),
        ("4k3/pppppppp/nnn5/8/8/8/8/4K3 w - - 0 1", 0),
        ("4k3/8/3N4/8/B7/8/8/4R1K1 b - - 0 1", 0),
        // The largest counters.
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 65535 65535", 0),
        ("4k3/8/8/8/8/8/8/4K2R w KQkq e3 0 1", 4),
        ("4k3/8/8/8/8/8/8/4K2R w - - bm Rh8+; id \"a b\";", 1),
        ("r1bqk2r/pp1n1p1p/2n1p1pb/2ppP3/5P2/2P3P1/PP1PN1BP/R5K1 w Q - 1 9", 1),
    ] {
        engine.send(&format!("position fen {fen}"));
        let lines = engine.sync();
        assert_eq!(lines.len(), notes, "{fen}: {lines:?}");
        assert!(lines.iter().all(|line| line.starts_with("info string ") && line.ends_with("; ignored")));
        assert_ne!(engine.go("depth 3").best(), "0000", "{fen}");
    }
    // Without the castling right, g1a1 is not a move.
    assert!(engine.go("depth 1 searchmoves g1a1").best() != "g1a1");
    engine.finish_well();
}
