//! Tests with shell scripts as engines.

use super::super::test_data::script;
use super::*;

const TIMEOUTS: Timeouts = Timeouts { startup: 20_000, ping: 20_000, stall: 0, margin: 0 };

fn setup(cancel: &Arc<AtomicBool>) -> EngineSetup<'_> {
    EngineSetup { chess960: false, ponder: true, timeouts: &TIMEOUTS, cancel, processors: None }
}

#[test]
fn engine_that_exits_while_pondering_plays_no_other_game() {
    let player = script(
        "while read line; do case $line in
           uci) echo 'option name Ponder type check default false'; echo uciok;;
           isready) echo readyok;;
           stop|quit) exit;;
         esac; done",
    );
    let cancel = Arc::default();
    let mut engine = MatchEngine::start(&player, &setup(&cancel)).unwrap();
    let mut game = Game::new();
    game.play(game.position().parse_uci("e2e4").unwrap()).unwrap();
    let position_command = "position startpos moves e2e4";
    engine.ponder(&Turn { game: &game, position_command, limits: &player.limits, clocks: [None; 2] });
    assert!(engine.is_reusable());
    let error = engine.stop_pondering(&TIMEOUTS).unwrap_err();
    assert!(has_exited(&error) && !engine.is_reusable(), "{error}");
}

#[test]
fn options_outlast_a_process_that_exits_between_games() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    // Exits when its second game begins.
    let player = script(&format!(
        "while read line; do case $line in
           uci) echo 'option name Style type spin default 1 min 0 max 9'; echo uciok;;
           isready) echo readyok;;
           setoption*) echo $line >>'{}';;
           ucinewgame) if [ -n \"$game\" ]; then exit; fi; game=1;;
           quit) exit;;
         esac; done",
        log.display()
    ));
    let cancel = Arc::default();
    let mut engine = MatchEngine::start(&player, &setup(&cancel)).unwrap();
    for value in ["6", "7"] {
        engine.set_option("style", value).unwrap();
    }
    let game = Game::new();
    assert!(engine.new_game(&game, false, &TIMEOUTS).unwrap().is_none());
    let exit = engine.new_game(&game, false, &TIMEOUTS).unwrap();
    assert!(matches!(exit, Some(EngineErrorKind::Exited { .. })), "{exit:?}");
    let set = std::fs::read_to_string(log).unwrap();
    assert_eq!(set.matches("Style value 6").count(), 1, "{set}");
    assert_eq!(set.matches("Style value 7").count(), 2, "{set}");
}
