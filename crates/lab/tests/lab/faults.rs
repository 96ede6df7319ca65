//! Engines that misbehave, and arguments that make no sense.

use crate::workbench::{FAKE, LAB, Lab, RANDOM, assert_success, replay, stderr, stdout};
use std::process::Command;

#[test]
fn every_kind_of_failure_has_its_reason() {
    // Time-outs are short here, but long enough for a busy machine.
    const PATIENCE: &str = "--stall-timeout 1500 --ping-timeout 1500 --startup-timeout 20000";
    std::thread::scope(|scope| {
        for (mode, limits, reason, message) in [
            ("crash at=2", "--nodes 10", "crash", "exit status: 3"),
            ("leave at=3", "--nodes 10", "disconnect", "loses by leaving"),
            ("hang at=2", "--nodes 10", "stall", "did not answer with \"bestmove\" within 1.500 s"),
            ("hang at=2", "--tc 0.3", "stall", "did not answer with \"bestmove\""),
            (
                "random delay=600",
                "--movetime 100 --time-margin 100",
                "time-forfeit",
                "no move within 0.200 s",
            ),
            ("random delay=600", "--tc 0.2+0.01", "time-forfeit", "loses on time"),
            ("illegal at=2", "--nodes 10", "illegal-move", "illegal move \"a1a5\""),
            ("garbage at=2", "--nodes 10", "illegal-move", "illegal move"),
            ("flood at=2", "--nodes 10", "stall", "did not answer with \"bestmove\""),
            ("endless-line at=2", "--nodes 10", "stall", "did not answer with \"bestmove\""),
        ] {
            scope.spawn(move || {
                let lab = Lab::new();
                let engines = [("culprit", mode), ("victim", "random")];
                let arguments = format!("--games 2 --recover --concurrency 1 {limits} {PATIENCE}");
                let output = lab.selfplay(&engines, "run", &arguments);
                assert_success(&output);
                for game in lab.games("run") {
                    let culprit_is_white = game["white"] == "culprit";
                    assert_eq!(game["reason"], reason, "{mode}: {game}");
                    assert_eq!(
                        game["result"],
                        if culprit_is_white { "0-1" } else { "1-0" },
                        "{mode}: {game}"
                    );
                    let fault = game["fault"].as_str().unwrap();
                    assert!(fault.starts_with("culprit ") && fault.contains(message), "{mode}: {fault}");
                    assert!(!game["transcript"].as_array().unwrap().is_empty(), "{mode}: {game}");
                }
                assert!(stderr(&output).contains("round 1.1: culprit"), "{mode}: {}", stderr(&output));
                assert_eq!(replay(&lab.path("run/games.pgn")).len(), 2, "{mode}");
                assert_eq!(lab.running_engines(), 0, "{mode}");
            });
        }
    });
}

#[test]
fn a_crash_stops_a_match_that_does_not_recover() {
    let lab = Lab::new();
    let engines = [("fragile", "crash at=30"), ("b", "random")];
    let output = lab.selfplay(&engines, "run", "--games 20 --nodes 10 --max-moves 20 --concurrency 1");
    assert!(!output.status.success());
    let message = stderr(&output);
    for part in ["fragile loses by crashing", "--recover", "! assertion failed: the king", "--resume run"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    // The one before the crash and the one with it.
    assert_eq!(lab.games("run").len(), 2);
    assert!(lab.path("run/report.html").exists());
}

#[test]
fn odd_variations_are_warnings_unless_strict() {
    let lab = Lab::new();
    let engines = [("odd", "bad-variation"), ("b", "random")];
    let output = lab.selfplay(&engines, "run", "--games 2 --max-moves 5");
    assert_success(&output);
    assert!(stdout(&output).contains("illegal moves in variations"), "{}", stdout(&output));
    let warnings = lab.games("run")[0]["warnings"].clone();
    assert!(warnings[0].as_str().unwrap().starts_with("odd, ply "), "{warnings}");
    let output = lab.selfplay(&engines, "strict", "--games 2 --max-moves 5 --strict");
    assert!(
        !output.status.success() && stderr(&output).contains("hold illegal moves"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn an_engine_that_cannot_start_is_named() {
    let lab = Lab::new();
    for (mode, message) in [
        ("mute", "engine \"culprit\" did not answer with \"uciok\" after \"uci\" within 1.000 s"),
        ("no-ping", "engine \"culprit\" did not answer with \"readyok\" after \"isready\" within 1.000 s"),
        ("not-uci", "engine \"culprit\" ended by itself (exit status: 2) where \"uciok\""),
    ] {
        let engines = [("culprit", mode), ("b", "random")];
        let output = lab.selfplay(&engines, mode, "--games 2 --startup-timeout 1000");
        assert!(!output.status.success());
        assert!(stderr(&output).contains(message), "{mode}: {}", stderr(&output));
    }
    let missing = Command::new(LAB)
        .args(["selfplay", "--engine", "name=x,cmd=no/such", "--engine", &format!("cmd={FAKE}")])
        .current_dir(lab.folder.path())
        .output()
        .unwrap();
    assert!(stderr(&missing).contains("engine \"x\": there is no program no/such"), "{}", stderr(&missing));
    let output = lab.selfplay(&RANDOM, "option", "--games 2 --option Threads=2");
    let message = "engine \"a\" has no option \"Threads\"; it offers Hash";
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
    let output = lab.selfplay(&RANDOM, "value", "--games 2 --new-option Hash=9999");
    assert!(stderr(&output).contains("a whole number from 1 to 64"), "{}", stderr(&output));
}

#[test]
fn bad_arguments_are_explained() {
    let lab = Lab::new();
    std::fs::write(lab.path("bad.epd"), "4k3/8/8/8/8/8/4R3/4K3 w - -\nrubbish\n").unwrap();
    std::fs::write(lab.path("short.epd"), "4k3/8/8/8/8/8/8/4K2R w K -\n").unwrap();
    for (arguments, message) in [
        ("--sprt 5 0 0.05 0.05", "elo0 must be less than elo1, but they are 5 and 0"),
        ("--sprt 0 5 0 0.05", "alpha must be greater than 0"),
        ("--sprt 0 5 0.05 0.7", "beta must be greater than 0 and less than 0.5"),
        ("--sprt 0 five", "invalid value 'five'"),
        ("--sprt 0 5 --model bayes", "normalized or logistic"),
        ("--book bad.epd", "the book bad.epd is not usable:\n    line 1: illegal position"),
        ("--book none.epd", "cannot read the book none.epd"),
        ("--book short.epd --games 4", "more would only repeat the same games"),
        ("--tc soon", "not a time control"),
        ("--draw 1", "as in 34,8,20"),
        ("--nodes 0", "0 is not in 1.."),
    ] {
        let output = lab.selfplay(&RANDOM, "run", arguments);
        assert!(!output.status.success(), "{arguments}");
        // A book is named by its whole path.
        let found = stderr(&output).replace(&format!("{}/", lab.folder.path().display()), "");
        assert!(found.contains(message), "{arguments}: {found}");
    }
    assert!(!lab.path("run").exists());
}

#[test]
fn chess960_books_are_noticed() {
    let lab = Lab::new();
    let book = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1\n";
    std::fs::write(lab.path("960.epd"), book).unwrap();
    let output = lab.selfplay(&RANDOM, "run", "--games 2 --book 960.epd");
    assert!(stderr(&output).contains("engine \"a\" has no option \"UCI_Chess960\""), "{}", stderr(&output));
}
