use crate::process::Tabiya;

/// Sends lines that do not start a search and returns the answers.
fn answers(engine: &mut Tabiya, lines: &str) -> Vec<String> {
    engine.send(lines);
    engine.ping()
}

#[test]
fn announces_features() {
    let mut engine = Tabiya::uci();
    engine.send("xboard\nprotover 2");
    let text = engine.read_until("done=1", |line| line == "feature done=1").join("\n");
    for feature in [
        "ping=1",
        "setboard=1",
        "playother=1",
        "san=0",
        "usermove=1",
        "time=1",
        "draw=1",
        "sigint=0",
        "reuse=1",
        "analyze=1",
        "colors=0",
        "memory=1",
        "smp=1",
        "nps=0",
        "myname=\"Tabiya ",
        "variants=\"normal,fischerandom\"",
        "option=\"MultiPV -spin 1 1 256\"",
        "option=\"UCI_Elo -spin 1500 800 2800\"",
        "option=\"Evaluation -combo ",
        "option=\"EvalFile -string \"",
    ] {
        assert!(text.contains(feature), "{feature} in {text}");
    }
    assert!(text.starts_with("feature done=0\n"), "{text}");
    engine.finish_well();
}

#[test]
fn first_line_selects_the_protocol() {
    let mut engine = Tabiya::uci();
    engine.send_bytes(b"\n \n\t\nxboard\r\n");
    engine.send("ping 3");
    assert_eq!(engine.read_until("pong", |line| line.starts_with("pong")), ["pong 3"]);
    engine.finish_well();
    let mut engine = Tabiya::uci();
    engine.sync();
    engine.send("xboard");
    assert!(engine.sync()[0].starts_with("info string unknown command"));
    engine.finish_well();
}

#[test]
fn answers_bad_lines_with_errors() {
    let mut engine = Tabiya::xboard();
    for (line, answer) in [
        ("xyzzy 3", "Error (unknown command): xyzzy 3"),
        ("pause", "Error (unknown command): pause"),
        ("usermove e2e5", "Illegal move (e2e5 is not a legal move here): e2e5"),
        ("usermove e7e5", "Illegal move (the piece on e7 is not white's, but white is to move): e7e5"),
        ("Nf4", "Illegal move (no legal move fits): Nf4"),
        ("usermove hello", "Illegal move (\"hello\" is not a move): hello"),
        ("usermove", "Error (expected a move): usermove"),
        ("level 40", "Error (expected moves, minutes or min:sec, and seconds): level 40"),
        ("variant crazyhouse", "Error (unknown variant): variant crazyhouse"),
        ("undo", "Error (no move to take back): undo"),
        ("remove", "Error (no move to take back): remove"),
        ("option Nonsense=3", "Error (no such option: \"Nonsense\"): option Nonsense=3"),
        ("memory 0", "Error (option Hash: expected a whole number from 1 to 1048576, found \"0\"): memory 0"),
        ("cores x", "Error (option Threads: expected a whole number from 1 to 1024, found \"x\"): cores x"),
        (
            "option SkillLevel=99",
            "Error (option Skill Level: expected a whole number from 0 to 20, found \"99\"): option SkillLevel=99",
        ),
    ] {
        assert_eq!(answers(&mut engine, &format!("force\n{line}")), [answer]);
    }
    let lines = answers(&mut engine, "setboard 8/8/8/8/8/8/8/8 w - - 0 1");
    assert!(lines[0].starts_with("tellusererror Illegal position: "), "{lines:?}");
    // These commands have no answer.
    for line in [
        "accepted ping", "rejected san", "random", "computer", "otim 3000", "time 3000",
        "name Garry Kasparov", "rating 2800 2000", "white", "black", "nps 100", "ics -", "level 40 5 0",
        "level 40 5:30 0", "level 0 2 12", "st 3", "sd 4", "memory 8", "cores 2", "egtpath nalimov /nowhere",
        "option MoveOverhead=50", "option ClearHash", "option UCI_LimitStrength=0", "post", "nopost", "hard",
        "easy", "draw", "?", ".", "exit", "result 1-0 {White mates}", "variant normal",
    ] {
        assert_eq!(answers(&mut engine, line), [""; 0], "{line}");
    }
    engine.finish_well();
}

#[test]
fn missing_tablebases_are_only_a_comment() {
    // Debian's XBoard sends this directory to every engine.
    let mut engine = Tabiya::xboard();
    let lines = answers(&mut engine, "egtpath syzygy /nowhere/Syzygy");
    // Comments are announced by `debug=1`; without it, `Draw` in a path would end the game.
    assert!(answers(&mut engine, "protover 2").join(" ").contains(" debug=1 "));
    assert!(lines.len() == 1 && lines[0].contains("cannot read the tablebase directory"), "{lines:?}");
    // XBoard would take this phrase for the error of a remote shell.
    assert!(!lines[0].contains("No such file"), "{lines:?}");
    engine.finish_well();
}

#[test]
fn illegal_move_errors_contain_no_command_names() {
    // XBoard takes an error line with one of these words for an error of that command.
    let commands =
        ["name", "rating", "?", "result", "board", "bk", "computer", "variant", "hint", "random", "depth"];
    let others = ["accepted", "protover", "draw", "time", "otim", "analyze"];
    let mut engine = Tabiya::xboard();
    answers(&mut engine, "force\nsetboard r3k2r/1P6/8/8/8/2N3N1/8/R3K2R w KQkq - 0 1");
    for mv in
        ["e3e4", "e8e7", "e1e3", "b7b8", "a1a2q", "0000", "@@@@", "Nb9", "Ne4", "Qd4", "b8", "O-O-O-O", "--"]
    {
        let lines = answers(&mut engine, &format!("usermove {mv}"));
        assert!(lines.len() == 1 && lines[0].starts_with("Illegal move ("), "{mv}: {lines:?}");
        let found = commands.iter().chain(&others).find(|command| lines[0].contains(**command));
        assert_eq!(found, None, "{lines:?}");
    }
    engine.finish_well();
}

#[test]
fn shows_book_moves_and_hints() {
    let mut engine = Tabiya::xboard();
    assert_eq!(answers(&mut engine, "force\nbk"), [" The book is not in use (OwnBook).", ""]);
    let lines = answers(&mut engine, "option OwnBook=1\nbk");
    let (end, moves) = lines.split_last().unwrap();
    assert!(end.is_empty() && moves.iter().any(|line| line.starts_with(" e4 ")), "{lines:?}");
    assert!(moves.iter().all(|line| line.starts_with(' ') && line.ends_with('%')), "{lines:?}");
    let lines = answers(&mut engine, "setboard 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\nbk");
    assert_eq!(lines, [" The book has no moves in this position.", ""]);
    let lines = answers(&mut engine, "setboard 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\nhint");
    assert_eq!(lines, ["Hint: a1a8"]);
    engine.finish_well();
}

#[test]
fn survives_long_and_invalid_lines() {
    let mut engine = Tabiya::xboard();
    engine.send(&"x".repeat(1 << 20));
    let lines = engine.ping();
    assert!(lines[0].starts_with("Error (unknown command): xxx") && lines[0].len() < 120, "{lines:?}");
    engine.send_bytes(b"\xff\xfe\x1b[31m\0\n");
    let lines = engine.ping();
    assert!(lines[0].starts_with("Error (unknown command): ") && !lines[0].contains('\u{1b}'), "{lines:?}");
    engine.finish_well();
}

#[test]
fn hints_have_full_strength() {
    let mut engine = Tabiya::xboard();
    answers(&mut engine, "force\noption UCI_LimitStrength=1\noption UCI_Elo=800");
    // At this level the mate is often overlooked.
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    for seed in 1..=20 {
        let lines = answers(&mut engine, &format!("option StrengthSeed={seed}\nsetboard {fen}\nhint"));
        assert_eq!(lines, ["Hint: h5f7"], "seed {seed}");
    }
    engine.finish_well();
}

#[test]
fn hints_at_limited_strength_are_given_while_pondering() {
    let mut engine = Tabiya::xboard();
    engine.send("hard\noption UCI_LimitStrength=1\noption UCI_Elo=800\nsd 4\nusermove e2e4");
    engine.expect("move ");
    // The hint that pondering begins with.
    engine.ping();
    let lines = answers(&mut engine, "hint");
    assert!(lines.len() == 1 && lines[0].starts_with("Hint: "), "{lines:?}");
    engine.finish_well();
}

#[test]
fn finishes_the_move_at_the_end_of_input() {
    let exit = Tabiya::run(&["xboard", "hard", "new", "sd 6", "go", "ping 1"]);
    assert!(exit.status.success(), "{}", exit.errors);
    let text = exit.text();
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).map(str::trim).collect();
    assert!(matches!(&lines[..], [mv, "pong 1"] if mv.starts_with("move ")), "{lines:?}");
}

#[test]
fn edit_mode_sets_up_a_position() {
    let mut engine = Tabiya::xboard();
    assert_eq!(answers(&mut engine, "new\nforce\nedit\n#\nKe1\nRa1\nc\nKg8\nPf7\nPg7\nPh7\n."), [""; 0]);
    engine.send("sd 4\ngo");
    assert_eq!(engine.expect("move "), "move a1a8");
    engine.expect("1-0 {White mates}");
    // A bad line is reported and has no effect.
    assert_eq!(
        answers(&mut engine, "new\nforce\nedit\nPe9\n."),
        ["Error (expected a piece and a square): Pe9"]
    );
    assert_eq!(answers(&mut engine, "usermove e2e4"), [""; 0]);
    engine.finish_well();
}

#[test]
fn illegal_position_allows_no_moves() {
    let mut engine = Tabiya::xboard();
    for bad in ["setboard 8/8/8/8/8/8/8/8 w - - 0 1", "edit\n#\n."] {
        for good in ["new", "setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "edit\n#\nKe1\nPe2\nc\nKe8\n."] {
            let lines = answers(&mut engine, &format!("new\nforce\n{bad}"));
            assert!(matches!(&lines[..], [line] if line.starts_with("tellusererror Illegal position: ")));
            let moves = "usermove e2e4\nundo\nhint\nusermove d2d4\ngo\ndraw\nanalyze\nexit";
            let expected = [
                "Illegal move (the position is illegal): e2e4",
                "Error (no move to take back): undo",
                "Illegal move (the position is illegal): d2d4",
            ];
            assert_eq!(answers(&mut engine, moves), expected, "{bad}");
            assert_eq!(
                answers(&mut engine, &format!("force\n{good}\nforce\nusermove e2e4")),
                [""; 0],
                "{good}"
            );
        }
    }
    engine.finish_well();
}
