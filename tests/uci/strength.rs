use crate::process::{Tabiya, field};
use std::collections::HashSet;
use std::time::Duration;
use tabiya_movegen::Game;
use tabiya_player::{Player, PlayerEvent, Strength};
use tabiya_search::{Engine, Limits, Options};

fn limited(elo: &str, seed: u64) -> Tabiya {
    let mut engine = Tabiya::uci();
    engine.send(&format!(
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value {elo}\n\
         setoption name Strength Seed value {seed}"
    ));
    engine
}

#[test]
fn limited_play_is_varied_and_repeatable() {
    let mut answers = HashSet::new();
    for seed in 1..=8 {
        let mut engine = limited("800", seed);
        let answer = engine.go("wtime 600000 btime 600000");
        assert_eq!(
            field(answer.last_info(), "pv"),
            Some(answer.best()),
            "the last line belongs to the best move"
        );
        assert!(answer.infos.iter().all(|line| !line.contains("multipv 2")), "{:?}", answer.infos);
        let mut again = limited("800", seed);
        assert_eq!(again.go("wtime 600000 btime 600000").best(), answer.best(), "seed {seed}");
        answers.insert(answer.best().to_owned());
    }
    assert!(answers.len() > 1, "{answers:?}");
}

#[test]
fn analysis_has_full_strength() {
    let mut engine = limited("800", 1);
    let full_strength = Tabiya::uci().go("nodes 20000").line;
    engine.send("setoption name UCI_AnalyseMode value true\nisready");
    engine.expect("readyok");
    let answer = engine.go("nodes 20000");
    assert_eq!(answer.line, full_strength);
    engine.send("setoption name UCI_AnalyseMode value false\ngo infinite");
    engine.expect("info depth 8");
    engine.send("stop");
    engine.answer();
    engine.finish_well();
}

#[test]
fn every_skill_level_plays_legal_moves() {
    let mut engine = Tabiya::uci();
    for level in 0..=20 {
        engine.send(&format!("setoption name Skill Level value {level}"));
        engine.send("position startpos moves e2e4 e7e5");
        let answer = engine.go("movetime 30");
        assert_ne!(answer.best(), "0000", "level {level}");
        engine.send(&format!("moves {}", answer.best()));
        assert_eq!(engine.sync(), [""; 0], "level {level}");
    }
    engine.finish_well();
}

#[test]
fn human_pace_delays_the_move_until_stop() {
    let mut engine = limited("1200", 1);
    engine.send("setoption name Human Pace value true");
    // Some time must pass for a move in the middlegame with ten hours on the clock, however quick the machine.
    engine.send("position fen r2q1rk1/1bp1bppp/p1np1n2/1p2p3/3PP3/1BP2N1P/PP3PP1/RNBQR1K1 b - - 0 20");
    engine.send("go wtime 36000000 btime 36000000");
    engine.expect_silence(Duration::from_millis(500), |line| line.starts_with("bestmove"));
    engine.send("stop");
    let best = engine.answer();
    assert_ne!(best.best(), "0000");
    // Without a clock and in the last second there is no delay.
    for limits in ["nodes 1000", "wtime 900 btime 900"] {
        engine.go(limits);
    }
    engine.finish_well();
}

#[test]
fn a_level_depends_neither_on_the_protocol_nor_on_options() {
    // The second position is in the tablebases.
    let fens = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "8/8/3k4/8/8/3K4/3P4/8 w - - 0 1",
    ];
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy");
    let mut uci = limited("900", 7);
    uci.send(&format!(
        "setoption name Threads value 3\nsetoption name Hash value 64\nsetoption name SyzygyPath value {tables}"
    ));
    let mut xboard = Tabiya::xboard();
    xboard.send("option UCI_LimitStrength=1\noption UCI_Elo=900\noption StrengthSeed=7\npost\nst 60");
    for fen in fens {
        let mut player = Player::new(Engine::new(Options::default()).unwrap(), 1);
        player.settings.strength = Some(Strength::from_elo(900));
        player.settings.seed = Some(7);
        let game = Game::from_position(fen.parse().unwrap());
        let mut search = player.prepare(&game, Limits::default()).start(&game);
        let mut nodes = 0;
        let best = loop {
            match search.event(search.events().recv().unwrap()) {
                Some(PlayerEvent::Info(info)) => nodes = info.nodes,
                Some(PlayerEvent::BestMove { answer, line }) => {
                    nodes = line.map_or(nodes, |line| line.nodes);
                    break answer.best.unwrap().to_uci(false).to_string();
                }
                _ => {}
            }
        };
        uci.send(&format!("position fen {fen}"));
        let answer = uci.go("movetime 60000");
        assert_eq!(
            (field(answer.last_info(), "nodes"), answer.best()),
            (Some(nodes.to_string().as_str()), best.as_str()),
            "UCI, {fen}"
        );
        xboard.send(&format!("force\nsetboard {fen}\ngo"));
        let lines = xboard.read_until("move", |line| line.starts_with("move "));
        let thinking =
            lines.iter().filter_map(|line| line.split_whitespace().nth(3)?.parse().ok()).next_back();
        assert_eq!((thinking, lines.last()), (Some(nodes), Some(&format!("move {best}"))), "xboard, {fen}");
    }
    uci.finish_well();
    xboard.finish_well();
}
