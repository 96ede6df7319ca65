use crate::process::Tabiya;

const CHESS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

fn best(engine: &mut Tabiya, position: &str, moves: &str) -> String {
    engine.send(position);
    engine.go(&format!("depth 2 searchmoves {moves}")).best().to_owned()
}

#[test]
fn writes_castling_by_the_option_and_accepts_both() {
    let mut engine = Tabiya::uci();
    for (option, written) in [("false", ["e1g1", "e1c1"]), ("true", ["e1h1", "e1a1"])] {
        engine.send(&format!("setoption name UCI_Chess960 value {option}"));
        for (notations, written) in [["e1g1", "e1h1"], ["e1c1", "e1a1"]].into_iter().zip(written) {
            for notation in notations {
                assert_eq!(best(&mut engine, &format!("position fen {CHESS}"), notation), written);
                engine.send(&format!("position fen {CHESS} moves {notation}\nfen"));
                let king = if notations[0] == "e1g1" { "R4RK1" } else { "2KR3R" };
                engine.expect(&format!("r3k2r/8/8/8/8/8/8/{king} b kq - 1 1"));
            }
        }
    }
    engine.finish_well();
}

#[test]
fn uses_the_same_notation_in_pv_and_perft() {
    let mut engine = Tabiya::uci();
    for (option, white, black) in [("false", "e1g1", "e8g8"), ("true", "e1h1", "e8h8")] {
        engine.send(&format!("setoption name UCI_Chess960 value {option}\nposition fen {CHESS}"));
        let answer = engine.go("depth 1 searchmoves e1g1");
        assert!(answer.last_info().contains(&format!(" pv {white}")), "{}", answer.last_info());
        engine.send(&format!("position fen {CHESS}\ngo perft 1"));
        engine.expect(&format!("{white}: 1"));
        engine.send(&format!("position fen {CHESS} moves h1h2\ngo perft 1"));
        engine.expect(&format!("{black}: 1"));
    }
    engine.finish_well();
}

#[test]
fn castling_with_inner_rooks_needs_the_option() {
    let mut engine = Tabiya::uci();
    let position = "position fen 4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1";
    engine.send(&format!("{position}\nfen"));
    engine.expect("info string castling rights of Chess960 (UCI_Chess960 is false); ignored");
    engine.expect("4k3/8/8/8/8/8/8/1R2K1R1 w - - 0 1");
    engine.send("setoption name UCI_Chess960 value true");
    assert_eq!(best(&mut engine, position, "e1g1"), "e1g1");
    assert_eq!(best(&mut engine, position, "e1b1"), "e1b1");
    engine.finish_well();
}

#[test]
fn castling_of_chess960_without_the_option_is_played() {
    let mut engine = Tabiya::uci();
    let start = "1bqnkrbn/pppppppp/8/8/8/8/PPPPPPPP/RBQ1KR2 w F - 0 1";
    for castling in ["e1g1", "e1f1"] {
        engine.send(&format!("position fen {start} moves {castling}\nfen"));
        engine.expect(
            "info string castling rights of Chess960 (UCI_Chess960 is false); kept, because a move needs them",
        );
        engine.expect("1bqnkrbn/pppppppp/8/8/8/8/PPPPPPPP/RBQ2RK1 b - - 1 1");
        let answer = engine.go("depth 2");
        assert_ne!(answer.best(), "0000");
        engine.send(&format!("position fen {start} moves {castling} {}\nfen", answer.best()));
        engine.read_until("a position with White to move", |line| line.contains(" w "));
    }
    engine.finish_well();
}
