use crate::process::Tabiya;
use std::time::Duration;

#[test]
fn plays_and_takes_back_moves() {
    let mut engine = Tabiya::xboard();
    engine.send("new\nsd 3\nusermove e2e4");
    engine.expect("move ");
    engine.send("d4");
    engine.expect("move ");
    engine.send("remove\nremove\nforce\ngo");
    let first = engine.expect("move ");
    assert!(first.len() == "move e2e4".len(), "{first}");
    // `force` stops the engine from playing; `playother` makes it take the other side.
    engine.send("new\nforce\nusermove e2e4\nusermove e7e5\nusermove g1f3");
    assert_eq!(engine.ping(), [""; 0]);
    engine.send("sd 3\nplayother\nusermove b8c6");
    engine.expect("move ");
    engine.send("force\nundo\nundo\nundo\nundo\nundo");
    assert_eq!(engine.ping(), [""; 0]);
    engine.send("undo");
    assert_eq!(engine.ping(), ["Error (no move to take back): undo"]);
    engine.finish_well();
}

#[test]
fn ping_waits_for_the_move_and_question_mark_forces_it() {
    let mut engine = Tabiya::xboard();
    engine.send("new\nst 3600\nusermove e2e4\nping 1");
    engine.expect_silence(Duration::from_millis(200), |_| true);
    // The opponent's move is illegal now.
    engine.send("usermove d2d4");
    assert_eq!(engine.expect("Error"), "Error (command not legal now): d2d4");
    engine.send("?");
    let lines = engine.read_until("pong", |line| line == "pong 1");
    assert!(lines[0].starts_with("move ") && lines.len() == 2, "{lines:?}");
    // `force` ends the search without a move.
    engine.send("usermove d2d4\nforce");
    assert!(!engine.ping().iter().any(|line| line.starts_with("move")));
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
    engine.send("new\nforce");
    for mv in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
        engine.send(&format!("usermove {mv}"));
    }
    engine.send("sd 6\ngo");
    assert!(engine.read_until("move", |line| line.starts_with("move "))[0].starts_with("move "));
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
    engine.send("nopost\nusermove d2d4");
    let lines = engine.read_until("move", |line| line.starts_with("move "));
    assert_eq!(lines.len(), 1, "{lines:?}");
    engine.finish_well();
}

#[test]
fn castles_in_fischer_random_chess() {
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
fn plays_a_game_against_itself() {
    let (mut white, mut black) = (Tabiya::xboard(), Tabiya::xboard());
    white.send("new\nlevel 0 0:02 0.01\nforce\ngo");
    black.send("new\nlevel 0 0:02 0.01");
    for ply in 0..600 {
        let (mover, other) = if ply % 2 == 0 { (&mut white, &mut black) } else { (&mut black, &mut white) };
        let line = mover.expect("move ");
        let end = mover.ping();
        let mv = &line["move ".len()..];
        // The other side accepts the move and announces the same result.
        if let Some(end) = end.first() {
            other.send(&format!("usermove {mv}"));
            assert_eq!(&other.ping()[0], end);
            white.finish_well();
            black.finish_well();
            return;
        }
        other.send(&format!("usermove {mv}"));
    }
    panic!("no result after 300 moves");
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
