use crate::process::Tabiya;
use std::time::Duration;

#[test]
fn rejects_a_move_while_thinking() {
    let mut engine = Tabiya::xboard();
    engine.send("new\nst 3600\nusermove e2e4\nusermove d2d4");
    assert_eq!(engine.expect("Error"), "Error (command not legal now): usermove d2d4");
    // The search goes on.
    engine.send("?");
    engine.expect("move ");
    engine.finish_well();
}

#[test]
fn announces_the_result() {
    let mut engine = Tabiya::xboard();
    for (fen, mv, result) in [
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6g7", "1-0 {White mates}"),
        ("8/8/8/8/8/5kq1/8/7K b - - 0 1", "g3g2", "0-1 {Black mates}"),
        ("7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", "f5f7", "1/2-1/2 {Stalemate}"),
        ("7k/8/5Kp1/8/8/8/8/8 w - - 0 1", "f6g6", "1/2-1/2 {Draw by insufficient mating material}"),
        ("7k/8/6K1/5R2/8/8/8/8 w - - 99 80", "f5e5", "1/2-1/2 {Draw by fifty-move rule}"),
    ] {
        engine.send(&format!("force\nsetboard {fen}\nplayother\nusermove {mv}"));
        assert_eq!(engine.ping(), [result], "{fen}");
    }
    // A game that the engine's move ends.
    engine.send("new\nforce\nsetboard 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\nsd 4\ngo");
    assert_eq!(engine.expect("move "), "move a1a8");
    assert_eq!(engine.ping(), ["1-0 {White mates}"]);
    // No search in a finished game.
    engine.send("go");
    assert_eq!(engine.ping(), ["1-0 {White mates}"]);
    engine.finish_well();
}

#[test]
fn posts_thinking_output() {
    let mut engine = Tabiya::xboard();
    engine.send("new\npost\nsd 5\nusermove e2e4");
    let lines = engine.read_until("move", |line| line.starts_with("move "));
    let output: Vec<&String> = lines.iter().filter(|line| !line.starts_with("move")).collect();
    assert!(output.len() >= 5, "{lines:?}");
    for line in output {
        let (numbers, pv) = line.split_once('\t').unwrap_or_else(|| panic!("{line}"));
        let numbers: Vec<i64> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
        // Six, because no tablebases are loaded.
        assert_eq!(numbers.len(), 6, "{line}");
        assert!(!pv.is_empty(), "{line}");
    }
    engine.finish_well();
}

#[test]
fn accepts_either_notation_of_castling() {
    let mut engine = Tabiya::xboard();
    engine.send(
        "new\nvariant fischerandom\nforce\nsetboard 1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
    );
    engine.send("usermove O-O\nusermove O-O-O");
    assert_eq!(engine.ping(), [""; 0]);
    engine.send("undo\nundo\nusermove e1g1");
    assert_eq!(engine.ping(), [""; 0]);
    // In ordinary chess.
    engine.send("new\nforce\nsetboard 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\nusermove e1c1\nundo\nusermove O-O");
    assert_eq!(engine.ping(), [""; 0]);
    engine.finish_well();
}

#[test]
fn pondering_continues_after_the_expected_move() {
    let mut engine = Tabiya::xboard();
    engine.send("new\nhard\nst 0.3\nusermove e2e4");
    engine.expect("move ");
    // Pings are answered at once while pondering.
    let mut expected = None;
    for line in engine.ping() {
        expected = line.strip_prefix("Hint: ").map(str::to_owned).or(expected);
    }
    let expected = expected.unwrap_or_else(|| engine.expect("Hint: ")["Hint: ".len()..].to_owned());
    engine.send(&format!("usermove {expected}"));
    engine.expect("move ");
    // A move other than the expected one.
    engine.ping();
    engine.send("usermove a2a3");
    engine.expect("move ");
    engine.send("easy");
    engine.ping();
    engine.send("undo\nforce");
    engine.ping();
    engine.finish_well();
}

#[test]
fn shows_what_pondering_has_found() {
    let mut engine = Tabiya::xboard();
    engine.send("new\nhard\npost\nsd 3\nusermove e2e4");
    let expected = engine.expect("Hint: ")["Hint: ".len()..].to_owned();
    // The search of three plies ends before the move is sent.
    std::thread::sleep(Duration::from_millis(300));
    engine.ping();
    engine.send(&format!("usermove {expected}"));
    let lines = engine.read_until("move", |line| line.starts_with("move "));
    let thinking = lines.iter().rfind(|line| line.contains('\t')).expect("thinking output");
    assert!(thinking.starts_with("3 "), "{lines:?}");
    engine.finish_well();
}

#[test]
fn accepts_draws_only_without_advantage() {
    let mut engine = Tabiya::xboard();
    // No score is known at first.
    engine.send("new\ndraw");
    assert_eq!(engine.ping(), [""; 0]);
    engine.send("force\nsetboard 4k3/8/8/8/8/8/q7/4K3 w - - 0 60\nsd 5\ngo");
    engine.expect("move ");
    engine.send("draw");
    assert_eq!(engine.ping(), ["offer draw"]);
    engine.send("force\nsetboard 4k3/8/8/8/8/8/Q7/4K3 w - - 0 60\nsd 5\ngo");
    engine.expect("move ");
    engine.send("draw");
    assert_eq!(engine.ping(), [""; 0]);
    engine.finish_well();
}

/// The score from before the opponent's move says nothing about the position after it.
#[test]
fn considers_the_move_with_which_a_draw_is_offered() {
    let mut engine = Tabiya::xboard();
    for (queen, accepts) in [("a2a8", true), ("a2e2", false)] {
        engine.send("force\nsetboard 4k3/8/8/8/8/8/q5PP/4K3 w - - 0 60\nsd 5\ngo");
        engine.expect("move ");
        engine.send(&format!("usermove {queen}\ndraw"));
        assert_eq!(engine.ping().iter().any(|line| line == "offer draw"), accepts, "{queen}");
    }
    // Here the score is not that of the engine's last move.
    engine.send("force\nsetboard 4k3/8/8/8/8/8/q5PP/4K3 w - - 0 60\nsd 5\ngo");
    engine.expect("move ");
    engine.send("force\nusermove a2e2\ndraw");
    assert_eq!(engine.ping(), [""; 0]);
    engine.finish_well();
}
