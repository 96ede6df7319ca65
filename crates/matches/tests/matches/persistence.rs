//! Matches that are killed, interrupted or run out of disk space.

use crate::fixture::{FAKE, MATCHES, RANDOM, TestFolder, assert_success, replay, stderr, stdout, wait_until};
use serde_json::Value;
use std::process::Command;

#[test]
fn killed_match_can_be_resumed() {
    let folder = TestFolder::new();
    let arguments = "--games 16 --max-moves 30 --concurrency 1 --reproducible";
    let slow = [("a", "random seed=1 delay=1"), ("b", "random seed=2 delay=1")];
    assert_success(&folder.selfplay(&slow, "whole", arguments));

    let mut child = folder.command("selfplay", &slow, "killed", arguments).spawn().unwrap();
    wait_until("five games", || {
        std::fs::read_to_string(folder.path("killed/games.jsonl")).is_ok_and(|text| text.lines().count() >= 5)
    });
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("the end of the engines", || folder.running_engines() == 0);
    // Simulate a process that died while it wrote a game.
    let cut = std::fs::read_to_string(folder.path("killed/games.pgn")).unwrap();
    std::fs::write(folder.path("killed/games.pgn"), cut + "[Event \"half a ga").unwrap();

    let again = folder.selfplay(&slow, "killed", arguments);
    assert!(stderr(&again).contains("already contains a run"), "{}", stderr(&again));
    let output = folder.resume("killed");
    assert_success(&output);
    assert!(stdout(&output).contains("games already played"), "{}", stdout(&output));

    for file in ["games.pgn", "games.jsonl"] {
        let read = |out: &str| std::fs::read_to_string(folder.path(out).join(file)).unwrap();
        assert!(read("whole") == read("killed"), "{file}");
    }
    let state = |out: &str| {
        let mut state = folder.json(&format!("{out}/state.json"));
        // Only the times differ.
        for key in ["seconds", "slot_seconds"] {
            state.as_object_mut().unwrap().remove(key);
        }
        for player in state["tally"]["players"].as_array_mut().unwrap() {
            player["all"]["time"] = Value::Null;
            for sums in player["by_move"].as_array_mut().unwrap() {
                sums["time"] = Value::Null;
            }
        }
        state
    };
    assert_eq!(state("whole"), state("killed"));
    assert_success(&folder.resume("killed"));
}

#[test]
fn games_that_a_power_failure_loses_are_played_again() {
    let folder = TestFolder::new();
    assert_success(&folder.selfplay(&RANDOM, "run", "--games 4 --max-moves 5"));
    let lose = |file: &str, length| {
        let file = std::fs::OpenOptions::new().write(true).open(folder.path(&format!("run/{file}"))).unwrap();
        file.set_len(length).unwrap();
    };
    for (file, length) in [("games.pgn", 700), ("state.json", 0)] {
        lose(file, length);
        let output = folder.resume("run");
        assert_success(&output);
        assert!(stderr(&output).contains("resuming from state.synced.json"), "{file}: {}", stderr(&output));
        assert_eq!(
            (folder.games("run").len(), replay(&folder.path("run/games.pgn")).len()),
            (4, 4),
            "{file}"
        );
    }
    lose("state.synced.json", 0);
    lose("games.pgn", 700);
    let output = folder.resume("run");
    assert!(!output.status.success() && stderr(&output).contains("games are missing"), "{}", stderr(&output));
}

#[test]
fn last_run_is_resumed_with_its_concurrency() {
    let folder = TestFolder::new();
    let selfplay = |arguments: &[&str]| {
        let mut command = Command::new(MATCHES);
        command.arg("selfplay").args(arguments).env("CARGO_TARGET_DIR", folder.path("target"));
        command.current_dir(folder.root()).output().unwrap()
    };
    let none = selfplay(&["--resume"]);
    assert!(stderr(&none).contains("no run to resume in "), "{}", stderr(&none));
    let engines = folder.engines(&RANDOM);
    let mut arguments: Vec<&str> = engines.iter().map(String::as_str).collect();
    arguments.extend(["--games", "6", "--max-moves", "5", "-j", "3"]);
    assert_success(&selfplay(&arguments));
    let output = selfplay(&["--resume"]);
    assert_success(&output);
    assert!(stdout(&output).contains("at most 6 games, 3 in parallel"), "{}", stdout(&output));
    assert!(stdout(&output).contains("6 games already played"), "{}", stdout(&output));
}

#[test]
fn files_of_another_match_are_kept() {
    let folder = TestFolder::new();
    assert_success(&folder.selfplay(&RANDOM, "run", "--games 2 --max-moves 5"));
    std::fs::remove_file(folder.path("run/state.json")).unwrap();
    let names = || {
        let entries = std::fs::read_dir(folder.path("run")).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    assert!(names().len() >= 5, "{:?}", names());
    // Whichever of them is left, it is not overwritten.
    for name in names() {
        let path = folder.path("run").join(&name);
        let contents = std::fs::read(&path).unwrap();
        let output = folder.selfplay(&RANDOM, "run", "--games 2 --max-moves 5");
        let message = stderr(&output);
        assert!(!output.status.success(), "{name}");
        assert!(message.contains("exists and is not of a run that can be resumed"), "{name}: {message}");
        assert!(message.contains("run/") && message.contains("choose another --out"), "{name}: {message}");
        assert_eq!(std::fs::read(&path).unwrap(), contents, "{name}");
        std::fs::remove_file(path).unwrap();
    }
    assert_success(&folder.selfplay(&RANDOM, "run", "--games 2 --max-moves 5"));
}

#[test]
fn changed_engine_cannot_resume() {
    let folder = TestFolder::new();
    let copy = folder.path("engine");
    std::fs::copy(FAKE, &copy).unwrap();
    let spec = |name: &str, seed: u32| format!("name={name},cmd={},args=random seed={seed}", copy.display());
    let output = Command::new(MATCHES)
        .args(["selfplay", "--engine", &spec("a", 1), "--engine", &spec("b", 2)])
        .args(["--games", "2", "--max-moves", "5", "--out", "run"])
        .current_dir(folder.root())
        .output()
        .unwrap();
    assert_success(&output);
    let mut program = std::fs::read(&copy).unwrap();
    program.push(0);
    std::fs::write(&copy, program).unwrap();
    let output = folder.resume("run");
    assert!(stderr(&output).contains("engine \"a\": ") && stderr(&output).contains("has changed since"));
}

#[cfg(unix)]
#[test]
fn interrupted_match_keeps_its_games() {
    let folder = TestFolder::new();
    let slow = [("a", "random seed=1 delay=2"), ("b", "random seed=2 delay=2")];
    let child = folder.command("selfplay", &slow, "run", "--games 400 --max-moves 30").spawn().unwrap();
    wait_until("a game", || {
        std::fs::read_to_string(folder.path("run/games.jsonl")).is_ok_and(|text| !text.is_empty())
    });
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(!output.status.success());
    assert!(stderr(&output).contains("interrupted; resume with: cargo xtask selfplay --resume run"));
    assert_eq!(folder.running_engines(), 0);
    let games = folder.games("run").len();
    assert_eq!(replay(&folder.path("run/games.pgn")).len(), games);
    assert_eq!(folder.json("run/state.json")["tally"]["games"], games);
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_reported_and_loses_no_finished_game() {
    let folder = TestFolder::new();
    assert_success(&folder.selfplay(&RANDOM, "run", "--games 2 --max-moves 12"));
    let before = std::fs::read_to_string(folder.path("run/games.jsonl")).unwrap();
    // A state with games left to play, and a full disk.
    let mut state = folder.json("run/state.json");
    state["plan"]["pairs"] = 5.into();
    state["finish"] = Value::Null;
    state["games_length"] = 0.into();
    std::fs::write(folder.path("run/state.json"), state.to_string()).unwrap();
    std::fs::remove_file(folder.path("run/games.pgn")).unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.path("run/games.pgn")).unwrap();
    let output = folder.resume("run");
    assert!(!output.status.success());
    let message = stderr(&output);
    let kept = "the last game is lost, 2 games are kept: cannot write run/games.pgn: No space left on device";
    assert!(message.contains(kept), "{message}");
    assert!(stdout(&output).contains("Games   2: "), "{}", stdout(&output));
    assert_eq!(std::fs::read_to_string(folder.path("run/games.jsonl")).unwrap(), before);
    assert_eq!(folder.json("run/state.json")["tally"]["games"], 2);
}

#[cfg(unix)]
#[test]
fn full_disk_under_the_report_keeps_the_games() {
    let folder = TestFolder::new();
    // A file of more than 16 KiB cannot be written: the games fit, the page that shows them does not.
    let engines = folder.engines(&RANDOM).into_iter().map(|argument| format!("'{argument}'"));
    let command = format!(
        "trap '' XFSZ; ulimit -f 32; exec {MATCHES} selfplay {} --games 2 --max-moves 12 --out run",
        engines.collect::<Vec<_>>().join(" "),
    );
    let output = Command::new("sh").args(["-c", &command]).current_dir(folder.root()).output().unwrap();
    assert!(!output.status.success());
    let message = stderr(&output);
    assert!(message.contains("cannot write run/"), "{message}");
    assert_eq!(folder.games("run").len(), 2);
    assert!(!folder.path("run/games.html").exists());
    // With space again, the finished match writes its reports.
    assert_success(&folder.resume("run"));
    assert!(folder.path("run/games.html").exists());
    assert_eq!(folder.games("run").len(), 2);
    let names = std::fs::read_dir(folder.path("run")).unwrap();
    let partial =
        names.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains("tmp")).count();
    assert_eq!(partial, 0);
}

#[test]
fn folder_of_a_running_match_is_refused() {
    let folder = TestFolder::new();
    let slow = [("a", "random seed=1 delay=2"), ("b", "random seed=2 delay=2")];
    let mut child = folder.command("selfplay", &slow, "run", "--games 400 --max-moves 30").spawn().unwrap();
    wait_until("a game", || {
        std::fs::read_to_string(folder.path("run/games.jsonl")).is_ok_and(|text| !text.is_empty())
    });
    let output = folder.resume("run");
    assert!(!output.status.success());
    assert!(stderr(&output).contains("another process"), "{}", stderr(&output));
    let output = folder.selfplay(&slow, "run", "--games 2");
    assert!(!output.status.success() && !stderr(&output).contains("panicked"), "{}", stderr(&output));
    assert_eq!(child.try_wait().unwrap(), None);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn tablebases_that_break_during_a_match_are_reported() {
    let folder = TestFolder::new();
    let tables = tabiya_workspace::repository::root().join("tests/data/syzygy");
    std::fs::create_dir(folder.path("tables")).unwrap();
    let names = ["KPPvK.rtbw", "KRPvK.rtbw"];
    for name in names {
        std::fs::copy(tables.join(name), folder.path("tables").join(name)).unwrap();
    }
    // Pawn moves lead to positions of one table, and in the second opening of the other.
    let openings = "4k3/8/8/8/8/8/PP6/K7 w - -\n4k3/8/8/8/8/8/P7/KR6 w - -\n";
    std::fs::write(folder.path("pawns.epd"), openings).unwrap();
    let slow = [("a", "random seed=1 delay=20"), ("b", "random seed=2 delay=20")];
    let arguments = "--games 4 --max-moves 60 --tc 60 --concurrency 1 --book pawns.epd --order sequential --syzygy tables";
    let child = folder.command("selfplay", &slow, "run", arguments).spawn().unwrap();
    wait_until("a game", || {
        std::fs::read_to_string(folder.path("run/games.jsonl")).is_ok_and(|text| !text.is_empty())
    });
    for name in names {
        std::fs::write(folder.path("tables").join(name), b"").unwrap();
    }
    let output = child.wait_with_output().unwrap();
    assert_success(&output);
    let message = stderr(&output);
    assert!(message.contains("warning: ") && message.contains("KRPvK"), "{message}");
    let games = folder.games("run");
    assert_eq!(games.len(), 4);
    assert_eq!(games[0]["reason"], "tablebase-adjudication");
    assert!(games[2..].iter().all(|game| game["reason"] != "tablebase-adjudication"), "{games:?}");
}
