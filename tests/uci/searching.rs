use crate::process::{Answer, Tabiya, field};
use tabiya_movegen::Position;

fn is_legal(position: &Position, mv: &str) -> bool {
    position.parse_uci(mv).is_ok()
}

/// Checks that the best move, the ponder move and every PV are legal in `position`.
fn check_legality(answer: &Answer, position: &Position) {
    assert!(is_legal(position, answer.best()), "{}", answer.line);
    for info in answer.infos.iter().filter(|line| line.contains(" pv ")) {
        let mut position = position.clone();
        let (_, line) = info.split_once(" pv ").unwrap();
        for mv in line.split(' ') {
            let mv = position.parse_uci(mv).unwrap_or_else(|error| panic!("{info}: {error}"));
            position = position.play(mv).unwrap();
        }
        for keyword in ["depth", "seldepth", "nodes", "nps", "time", "hashfull"] {
            let value = field(info, keyword).and_then(|value| value.parse::<u64>().ok());
            assert!(value.is_some(), "{keyword} in {info}");
        }
    }
    if let Some(ponder) = field(&answer.line, "ponder") {
        let next = position.play(position.parse_uci(answer.best()).unwrap()).unwrap();
        assert!(is_legal(&next, ponder), "{}", answer.line);
    }
}

#[test]
fn searches_to_fixed_depths_and_nodes() {
    let mut engine = Tabiya::uci();
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    ];
    for fen in fens {
        let position: Position = fen.parse().unwrap();
        engine.send(&format!("ucinewgame\nposition fen {fen}"));
        let answer = engine.go("depth 4");
        check_legality(&answer, &position);
        assert_eq!(field(answer.last_info(), "depth"), Some("4"), "{}", answer.last_info());
        let answer = engine.go("nodes 5000");
        check_legality(&answer, &position);
        let nodes: u64 = field(answer.last_info(), "nodes").unwrap().parse().unwrap();
        assert!(nodes <= 5000, "{nodes}");
    }
    engine.finish_well();
}

#[test]
fn no_stop_is_lost_or_affects_the_next_search() {
    let mut engine = Tabiya::uci();
    for _ in 0..100 {
        engine.send("go infinite\nstop");
        check_legality(&engine.answer(), &Position::startpos());
        // A late stop must not end the next search.
        engine.send("stop");
        let answer = engine.go("depth 3");
        assert_eq!(field(answer.last_info(), "depth"), Some("3"), "{}", answer.last_info());
    }
    engine.finish_well();
}

#[test]
fn every_go_is_answered_by_one_bestmove() {
    let mut engine = Tabiya::uci();
    engine.send("go infinite\nposition startpos moves e2e4\ngo infinite\ngo ponder\ngo depth 2");
    let positions = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]
        .into_iter()
        .chain(["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"; 3]);
    for fen in positions {
        check_legality(&engine.answer(), &fen.parse().unwrap());
    }
    assert_eq!(engine.sync(), [""; 0]);
    engine.send("position startpos\ngo infinite\ngo perft 2");
    check_legality(&engine.answer(), &Position::startpos());
    engine.expect("Nodes searched: 400");
    engine.finish_well();
}

#[test]
fn positions_during_a_search_follow_deferred_options() {
    let mut engine = Tabiya::uci();
    let fen = "bnrbk1rq/pppppppp/8/8/4n3/3N4/PPPPPPPP/BNRBK1RQ w KQkq - 0 1";
    engine.send(&format!("go infinite\nsetoption name UCI_Chess960 value true\nposition fen {fen}\nfen"));
    engine.expect(fen);
    engine.send(&format!("setoption name UCI_Chess960 value false\nposition fen {fen}\nfen"));
    engine.expect(&fen.replace("KQkq", "-"));
    engine.send("stop");
    engine.answer();
    engine.finish_well();
}

#[test]
fn defers_options_during_a_search() {
    let mut engine = Tabiya::uci();
    engine.send("go infinite\nsetoption name UCI_Chess960 value true\nsetoption name Hash value 4");
    engine.send("ucinewgame\nsetoption name Hush value 3\nposition startpos moves e2e4");
    let messages: Vec<String> =
        engine.sync().into_iter().filter(|line| line.starts_with("info string")).collect();
    assert_eq!(messages.len(), 4, "{messages:?}");
    assert!(messages[..3].iter().all(|message| message.contains("takes effect after it")), "{messages:?}");
    assert_eq!(messages[3], "info string no such option: \"Hush\"");
    engine.send("stop");
    check_legality(&engine.answer(), &Position::startpos());
    let answer = engine.go("depth 2");
    check_legality(&answer, &"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".parse().unwrap());
    // The option has taken effect.
    engine.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(engine.go("depth 1 searchmoves e1g1").best(), "e1h1");
    engine.finish_well();
}

#[test]
fn reports_illegal_moves_among_searchmoves() {
    let mut engine = Tabiya::uci();
    let answer = engine.go("depth 2 searchmoves e2e5");
    assert_ne!(answer.best(), "0000");
    assert_eq!(
        answer.messages(),
        [
            "searchmoves: ignored e2e5: e2e5 is not a legal move here",
            "searchmoves: no legal move given; searching all moves"
        ]
    );
    assert_ne!(engine.go("depth 2 searchmoves").best(), "0000");
    engine.finish_well();
}

#[test]
fn node_count_is_deterministic() {
    let count = |engine: &mut Tabiya| {
        engine.send("ucinewgame\nposition startpos moves e2e4 c7c5");
        field(engine.go("depth 6").last_info(), "nodes").unwrap().to_owned()
    };
    let mut engine = Tabiya::uci();
    let first = count(&mut engine);
    assert_eq!(count(&mut engine), first);
    assert_eq!(count(&mut Tabiya::uci()), first);
    engine.finish_well();
}
