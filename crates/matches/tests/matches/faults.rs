//! Misbehaving engines and invalid arguments.

use crate::fixture::{FAKE, MATCHES, RANDOM, TestFolder, assert_success, replay, stderr, stdout, wait_until};
use std::process::Command;

#[test]
fn crashes_and_illegal_moves_lose() {
    std::thread::scope(|scope| {
        for (mode, reason, message) in [
            ("crash at=2", "crash", "exit status: 3"),
            ("exit at=3", "disconnect", "loses by disconnect"),
            ("illegal at=2", "illegal-move", "illegal move \"a1a5\""),
            ("garbage at=2", "illegal-move", "illegal move"),
        ] {
            scope.spawn(move || assert_culprit_loses(mode, "--nodes 10", reason, message));
        }
    });
}

/// Plays two games against an engine in this mode, and checks that it loses both for this reason.
pub(crate) fn assert_culprit_loses(mode: &str, arguments: &str, reason: &str, message: &str) {
    let folder = TestFolder::new();
    let engines = [("culprit", mode), ("victim", "random")];
    let arguments = format!("--games 2 --recover --concurrency 1 {arguments}");
    let output = folder.selfplay(&engines, "run", &arguments);
    assert_success(&output);
    for game in folder.games("run") {
        let culprit_is_white = game["white"] == "culprit";
        assert_eq!(game["reason"], reason, "{mode}: {game}");
        assert_eq!(game["result"], if culprit_is_white { "0-1" } else { "1-0" }, "{mode}: {game}");
        let fault = game["fault"].as_str().unwrap();
        assert!(fault.starts_with("culprit ") && fault.contains(message), "{mode}: {fault}");
        assert!(!game["transcript"].as_array().unwrap().is_empty(), "{mode}: {game}");
    }
    assert!(stderr(&output).contains("round 1.1: culprit"), "{mode}: {}", stderr(&output));
    assert_eq!(replay(&folder.path("run/games.pgn")).len(), 2, "{mode}");
    assert_eq!(folder.running_engines(), 0, "{mode}");
}

#[test]
fn crash_ends_the_match_without_recover() {
    let folder = TestFolder::new();
    let engines = [("fragile", "crash at=30"), ("b", "random")];
    let output = folder.selfplay(&engines, "run", "--games 20 --nodes 10 --max-moves 20 --concurrency 1");
    assert!(!output.status.success());
    let message = stderr(&output);
    for part in ["fragile loses by crash", "--recover", "! assertion failed: the king", "--resume run"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    // A complete game and the game with the crash.
    assert_eq!(folder.games("run").len(), 2);
    assert!(folder.path("run/report.html").exists());
    assert_success(&resume_with_recover(&folder, "selfplay"));
    assert_eq!(folder.games("run").len(), 20);
}

#[test]
fn recover_starts_an_engine_again() {
    let folder = TestFolder::new();
    // The third start is that of the second game.
    let play = |out: &str, arguments: &str| {
        let mode = format!("random starts={}", folder.path(&format!("{out}.starts")).display());
        let arguments = format!("--games 4 --nodes 1 --max-moves 10 --concurrency 1 --restart {arguments}");
        folder.selfplay(&[("a", &mode), ("b", "random")], out, &arguments)
    };
    let output = play("ends", "");
    assert!(!output.status.success() && stderr(&output).contains("exit status: 4"), "{}", stderr(&output));
    let output = play("recovers", "--recover");
    assert_success(&output);
    let games = folder.games("recovers");
    assert!(games.len() == 4 && games.iter().all(|game| game["fault"].is_null()), "{games:?}");
}

/// A process that ends between two games is at fault in neither.
#[test]
fn exit_after_a_game_is_a_warning() {
    let folder = TestFolder::new();
    // The guesses of the first engine are right, so that it is told to stop at the end of a game only.
    let arguments = "--games 4 --max-moves 8 --tc 60+1 --concurrency 1 --ponder";
    for (mode, warning) in [
        ("crash-at-stop seed=1 ponder=2", "a, while pondering at the end: exited (exit status: 3)"),
        ("one-game seed=1", "a, started again: exited (exit status: 0) while waiting for \"readyok\""),
    ] {
        let out = mode.split(' ').next().unwrap();
        let output = folder.selfplay(&[("a", mode), ("b", "random seed=2")], out, arguments);
        assert_success(&output);
        let games = folder.games(out);
        assert!(games.len() == 4 && games.iter().all(|game| game["fault"].is_null()), "{games:?}");
        let warned =
            games.iter().filter(|game| game["warnings"].to_string().contains(&warning.replace('"', "\\\"")));
        assert!(warned.count() >= 2, "{games:?}");
    }
}

#[test]
fn spsa_can_be_resumed_after_a_crash() {
    let folder = TestFolder::new();
    let arguments = "Style --games 4 --nodes 1 --max-moves 20 --concurrency 1";
    let output = folder.command("spsa", &[("a", "crash at=10")], "run", arguments).output().unwrap();
    assert!(!output.status.success() && stderr(&output).contains("--recover"), "{}", stderr(&output));
    assert_success(&resume_with_recover(&folder, "spsa"));
}

#[test]
fn spsa_is_resumed_with_its_concurrency() {
    let folder = TestFolder::new();
    let arguments = "Style --games 4 --nodes 1 --max-moves 5 --concurrency 3";
    assert_success(&folder.command("spsa", &[("a", "random")], "run", arguments).output().unwrap());
    let resumed =
        Command::new(MATCHES).args(["spsa", "--resume", "run"]).current_dir(folder.root()).output().unwrap();
    assert!(stdout(&resumed).contains("4 games, 3 in parallel"), "{}", stdout(&resumed));
}

fn resume_with_recover(folder: &TestFolder, command: &str) -> std::process::Output {
    let arguments = [command, "--resume", "run", "--concurrency", "1", "--recover"];
    Command::new(MATCHES).args(arguments).current_dir(folder.root()).output().unwrap()
}

#[test]
fn illegal_pv_moves_are_warnings_unless_strict() {
    let folder = TestFolder::new();
    let engines = [("odd", "bad-variation"), ("b", "random")];
    let output = folder.selfplay(&engines, "run", "--games 2 --max-moves 12");
    assert_success(&output);
    assert!(stdout(&output).contains("; warnings "), "{}", stdout(&output));
    let warnings = folder.games("run")[0]["warnings"].clone();
    assert!(warnings[0].as_str().unwrap().starts_with("odd, ply "), "{warnings}");
    let output = folder.selfplay(&engines, "strict", "--games 2 --max-moves 12 --strict");
    assert!(
        !output.status.success() && stderr(&output).contains("0 games lost by a fault, "),
        "{}",
        stderr(&output)
    );
}

#[test]
fn engine_that_cannot_start_is_named() {
    let folder = TestFolder::new();
    for (mode, timeout, message) in [
        ("mute", "1000", "engine \"culprit\" did not send \"uciok\" after \"uci\" within 1.000 s"),
        ("no-ping", "1000", "engine \"culprit\" did not send \"readyok\" after \"isready\" within 1.000 s"),
        ("not-uci", "20000", "engine \"culprit\" exited (exit status: 2) while waiting for \"uciok\""),
    ] {
        let engines = [("culprit", mode), ("b", "random")];
        let output = folder.selfplay(&engines, mode, &format!("--games 2 --startup-timeout {timeout}"));
        assert!(!output.status.success());
        assert!(stderr(&output).contains(message), "{mode}: {}", stderr(&output));
        assert!(!stderr(&output).contains("--resume") && !folder.path(mode).exists(), "{mode}");
    }
    let missing = Command::new(MATCHES)
        .args(["selfplay", "--engine", "name=x,cmd=no/such", "--engine", &format!("cmd={FAKE}")])
        .current_dir(folder.root())
        .output()
        .unwrap();
    assert!(stderr(&missing).contains("engine \"x\": program no/such not found"), "{}", stderr(&missing));
    let output = folder.selfplay(&RANDOM, "option", "--games 2 --option Contempt=2");
    let message = "engine \"a\" has no option \"Contempt\"; its options are Hash, Threads";
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
    let output = folder.selfplay(&RANDOM, "value", "--games 2 --new-option Hash=9999");
    assert!(stderr(&output).contains("an integer from 1 to 64"), "{}", stderr(&output));
    for out in ["option", "value"] {
        assert!(!folder.path(out).exists(), "{out}");
        assert_success(&folder.selfplay(&RANDOM, out, "--games 2 --max-moves 5"));
    }
}

#[test]
fn failed_option_stops_the_match_before_its_first_game() {
    let folder = TestFolder::new();
    let arguments = "--games 2 --max-moves 5 --new-option EvalFile=net";
    let output = folder.selfplay(&RANDOM, "run", arguments);
    assert!(!output.status.success());
    let message = "engine \"a\" says about its options: the network net cannot be read";
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
    assert!(!folder.path("run").exists());

    std::fs::write(folder.path("net"), "weights").unwrap();
    let output = folder.selfplay(&RANDOM, "run", arguments);
    assert_success(&output);
    assert!(stdout(&output).contains("a: the network net is small"), "{}", stdout(&output));
    let player = &folder.json("run/report.json")["summary"]["players"][0];
    assert_eq!(player["notes"][0], "the network net is small");
    assert_eq!(player["files"][0]["option"], "EvalFile");
    assert!(player["files"][0]["path"].as_str().unwrap().ends_with("net"), "{player}");
    let page = std::fs::read_to_string(folder.path("run/report.html")).unwrap();
    assert!(page.contains("the network net is small") && page.contains("EvalFile: "), "{page}");

    assert_success(&folder.resume("run"));
    std::fs::write(folder.path("net"), "other weights").unwrap();
    let output = folder.resume("run");
    assert!(stderr(&output).contains("net has changed since"), "{}", stderr(&output));
}

#[test]
fn rejects_invalid_arguments() {
    let folder = TestFolder::new();
    std::fs::write(folder.path("bad.epd"), "4k3/8/8/8/8/8/4R3/4K3 w - -\nrubbish\n").unwrap();
    std::fs::write(folder.path("short.epd"), "4k3/8/8/8/8/8/8/4K2R w K -\n").unwrap();
    std::fs::write(
        folder.path("double.epd"),
        "4k3/8/8/8/8/8/8/4K2R w K -\n".repeat(9) + "4k3/8/8/8/8/8/8/4K2R b K -\n",
    )
    .unwrap();
    for (arguments, message) in [
        ("--sprt 5 0 0.05 0.05", "elo0 must be less than elo1, but they are 5 and 0"),
        ("--sprt 0 5 0 0.05", "alpha must be greater than 0"),
        ("--sprt 0 5 0.05 0.7", "beta must be greater than 0 and less than 0.5"),
        ("--sprt 0 five", "invalid value 'five'"),
        ("--sprt 0 5 --model bayes", "normalized or logistic"),
        ("--book bad.epd", "the book bad.epd is not usable:\n    line 1: illegal position"),
        ("--book none.epd", "cannot read the book none.epd"),
        ("--book short.epd --games 4", "more would repeat the same games"),
        ("--book double.epd --games 6", "has 2 openings, enough for 4 games"),
        ("--tc soon", "not a time control"),
        ("--draw 1", "as in 34,8,20"),
        ("--nodes 0", "0 is not in 1.."),
        ("--concurrency 0", "0 is not in 1..=1024"),
        ("--concurrency 4000000000", "4000000000 is not in 1..=1024"),
        ("--games 18446744073709551615 --tc 1", "is not in 1..=100000000"),
        ("--base HEAD", "cannot be used with"),
        ("--new HEAD", "--new HEAD needs one --engine, the opponent, or none, but two are given"),
    ] {
        let output = folder.selfplay(&RANDOM, "run", arguments);
        assert!(!output.status.success(), "{arguments}");
        // Messages name the book by its absolute path.
        let error = stderr(&output).replace(&format!("{}/", folder.root().display()), "");
        assert!(error.contains(message), "{arguments}: {error}");
    }
    assert!(!folder.path("run").exists());
}

#[test]
fn chess960_book_requires_the_option() {
    let folder = TestFolder::new();
    let book = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1\n";
    std::fs::write(folder.path("960.epd"), book).unwrap();
    let engines = [("a", "standard-only"), ("b", "standard-only")];
    let output = folder.selfplay(&engines, "run", "--games 2 --book 960.epd");
    assert!(stderr(&output).contains("engine \"a\" has no option \"UCI_Chess960\""), "{}", stderr(&output));
}

#[test]
#[cfg(target_os = "linux")]
fn engines_die_with_a_killed_referee() {
    let folder = TestFolder::new();
    // This engine sleeps during its search and does not notice the end of its input.
    let engines = [("deaf", "hang"), ("b", "hang")];
    let arguments = "--games 4 --concurrency 2 --stall-timeout 600000";
    let mut referee = folder.command("selfplay", &engines, "run", arguments).spawn().unwrap();
    wait_until("four engines", || folder.running_engines() == 4);
    referee.kill().unwrap();
    referee.wait().unwrap();
    wait_until("the end of the engines", || folder.running_engines() == 0);
}

#[test]
fn closed_pipe_ends_quietly() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(MATCHES).args(["conformance", "--list"]).stdout(writer).output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(141), String::new()));
}
