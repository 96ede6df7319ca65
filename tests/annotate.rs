//! `tabiya pgn annotate`: interrupted runs, state file and HTML page.

use crate::folder::{Folder, errors};
use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// Openings of a few moves, from which the games are composed.
const LINES: [&str; 6] = [
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6",
    "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 h6 7. Bh4 b6",
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. f3 e5 7. Nb3 Be6",
    "1. f3 e5 2. g4 Qh4#",
    "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#",
    "1. c4 g6 2. Nc3 Bg7 3. g3 d6 4. Bg2 f5 5. d3 Nf6 6. Nf3 O-O 7. O-O c6",
];

/// A folder with short games, the sixth of which has an invalid start position.
fn folder(games: usize) -> Folder {
    let mut text = String::new();
    for number in 1..=games {
        let line = LINES[number % LINES.len()];
        text.push_str(&format!("[White \"White {}\"]\n[Round \"{number}\"]\n\n{line} *\n\n", number % 3));
        if number == 5 {
            text.push_str("[White \"Illegal\"]\n[FEN \"8/8 w - -\"]\n\n1. e4 e5 *\n\n");
        }
    }
    Folder::with_games(&text)
}

fn annotate(folder: &Folder, arguments: &str) -> Command {
    folder.command(&format!("pgn annotate games.pgn --hash 1 {arguments}"))
}

/// Runs the command to its end.
fn run(folder: &Folder, arguments: &str) -> Output {
    annotate(folder, arguments).output().unwrap()
}

/// Starts the command and waits until the state file of `out.pgn` has this many games. Returns `None` if it ends before.
fn run_until(folder: &Folder, arguments: &str, games: usize) -> Option<Child> {
    let mut command = annotate(folder, arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while finished(folder) < games {
        if child.try_wait().unwrap().is_some() {
            return None;
        }
        thread::sleep(Duration::from_millis(1));
    }
    Some(child)
}

/// The number of games in the state file of `out.pgn`.
fn finished(folder: &Folder) -> usize {
    let text = fs::read(folder.path("out.pgn.progress")).unwrap_or_default();
    text.iter().filter(|&&byte| byte == b'\n').count().saturating_sub(1)
}

#[test]
fn contradictory_results_are_reported() {
    let folder = Folder::with_games("1. e4 *\n\n[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n");
    let output = run(&folder, "--nodes 100");
    assert!(output.status.success(), "{}", errors(&output));
    let warning = "game 2: the file says \"1-0\", but the game ends 0-1 (checkmate); both are kept\n";
    assert!(errors(&output).starts_with(warning), "{}", errors(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("[Result \"1-0\"]"));
}

#[test]
fn files_without_a_game_are_skipped() {
    let folder = Folder::with_games("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
    let output = run(&folder, "--nodes 100");
    assert!(!output.status.success());
    let text = errors(&output);
    assert!(
        text.contains("skipped game 1: invalid game, line 1, column 2: the text contains no game\n"),
        "{text}"
    );
    assert!(text.ends_with("error: skipped 1 invalid game\n"), "{text}");
}

#[test]
fn games_that_end_before_their_last_move_are_counted() {
    // An illegal move in a variation costs no move of the game.
    let text =
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc7 d6 1-0\n\n1. e4 e5 2. Sf3 Sc6 *\n\n1. e4 (1. e5) e5 *\n";
    let folder = Folder::with_games(text);
    for arguments in ["--nodes 100", "--nodes 100 -o out.pgn"] {
        let output = run(&folder, arguments);
        assert!(!output.status.success());
        let text = errors(&output);
        assert_eq!(text.matches("; the moves from there on are left out\n").count(), 2, "{text}");
        assert!(text.contains("game 1: invalid game, line 1, column 34: 4. Bxc7 cannot be played"), "{text}");
        assert!(text.ends_with("error: shortened 2 games\n"), "{text}");
    }
}

#[test]
fn tablebases_give_reasons() {
    // 1. Kd5 lets Black take the opposition; the test data has the tables of king and pawn against king.
    let folder = Folder::with_games("[FEN \"4k3/8/4K3/4P3/8/8/8/8 w - - 0 1\"]\n\n1. Kd5 Kd7 1/2-1/2\n");
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy");
    let output = run(&folder, &format!("--nodes 1000 --syzygy {tables}"));
    let pgn = String::from_utf8_lossy(&output.stdout).replace('\n', " ");
    assert!(pgn.contains("Blunder. Throws away a win: by tablebase the position is drawn now."), "{pgn}");
    assert!(pgn.contains("which wins by tablebase, was best."), "{pgn}");
}

#[test]
fn killed_runs_continue_to_the_same_result() {
    let folder = folder(36);
    let reference = run(&folder, "--nodes 1000 -j 1 -o whole.pgn --html whole.html");
    assert!(errors(&reference).contains("error: skipped 1 invalid game"), "{}", errors(&reference));
    assert!(errors(&reference).contains("annotated 36 games, "), "{}", errors(&reference));
    assert!(!folder.path("whole.pgn.progress").exists());
    // The process is killed at different times in each run of the test.
    let mut random = u64::from(std::process::id());
    let mut kills = 0;
    let arguments = "--nodes 1000 -o out.pgn --html out.html";
    for games in [1, 7, 13, 19, 26] {
        // On a busy machine a run may end before it is killed.
        let Some(mut child) = run_until(&folder, &format!("{arguments} -j 3"), games) else { break };
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        thread::sleep(Duration::from_micros(random >> 52));
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert!(kills > 0);
    if folder.path("out.pgn.progress").exists() {
        let last = errors(&run(&folder, &format!("{arguments} -j 2")));
        assert!(last.contains("continuing out.pgn.progress: "), "{last}");
        assert!(last.contains("error: skipped 1 invalid game"), "{last}");
    }
    assert_eq!(folder.read("out.pgn"), folder.read("whole.pgn"));
    assert_eq!(folder.read("out.html"), folder.read("whole.html"));
    assert!(!folder.path("out.pgn.progress").exists());
}

#[test]
fn another_run_does_not_continue() {
    let folder = folder(24);
    let mut child = run_until(&folder, "--nodes 2000 -j 2 -o out.pgn", 3).expect("24 games take longer");
    child.kill().unwrap();
    child.wait().unwrap();
    let done = finished(&folder);
    let refused = run(&folder, "--nodes 1000 --no-lines -o out.pgn");
    let text = errors(&refused);
    assert!(!refused.status.success());
    for expected in [
        "error: cannot continue out.pgn.progress",
        "it belongs to a run with other settings:",
        "\n  limits: 2,000 nodes; now 1,000 nodes",
        "\n  variations: yes; now no",
        "--restart",
    ] {
        assert!(text.contains(expected), "{expected:?} in {text}");
    }
    assert!(!text.contains("games:") && !text.contains("program:"), "{text}");
    assert!(finished(&folder) >= done && !folder.path("out.pgn").exists());
    // Other games under the same name.
    let games = folder.read("games.pgn");
    fs::write(folder.path("games.pgn"), games.replacen("e4", "d4", 1)).unwrap();
    let text = errors(&run(&folder, "--nodes 2000 -o out.pgn"));
    assert!(text.contains("\n  games: ") && !text.contains("limits:"), "{text}");
    // From the beginning.
    fs::write(folder.path("games.pgn"), "1. e4 *\n").unwrap();
    let restarted = run(&folder, "--nodes 1000 -o out.pgn --restart");
    assert!(restarted.status.success(), "{}", errors(&restarted));
    assert_eq!(folder.names(), ["games.pgn", "out.pgn"]);
}

#[test]
fn run_killed_after_writing_an_output_still_ends() {
    let folder = folder(12);
    run(&folder, "--nodes 3000 -o whole.pgn --html whole.html");
    let arguments = "--nodes 3000 -j 2 -o out.pgn --html out.html";
    let child = run_until(&folder, arguments, 1).expect("12 games take longer");
    // The command fails with a complete state file.
    fs::write(folder.path("out.pgn"), "mine").unwrap();
    assert!(!child.wait_with_output().unwrap().status.success());
    assert_eq!(finished(&folder), 13);
    // Its own page is accepted, other contents are not.
    fs::copy(folder.path("whole.html"), folder.path("out.html")).unwrap();
    let refused = errors(&run(&folder, arguments));
    assert!(
        refused.contains("error: cannot write out.pgn: the file exists (--force overwrites it)"),
        "{refused}"
    );
    assert_eq!(folder.read("out.pgn"), "mine");
    fs::remove_file(folder.path("out.pgn")).unwrap();
    let last = errors(&run(&folder, arguments));
    assert!(
        last.contains("annotated 12 games, ") && last.contains("error: skipped 1 invalid game"),
        "{last}"
    );
    for (name, whole) in [("out.pgn", "whole.pgn"), ("out.html", "whole.html")] {
        assert_eq!(folder.read(name), folder.read(whole), "{name}");
    }
    assert!(!folder.path("out.pgn.progress").exists());
}

#[test]
fn restart_overwrites_no_other_file() {
    let folder = folder(1);
    fs::write(folder.path("out.pgn.progress"), "my diary").unwrap();
    for arguments in ["--depth 1 -o out.pgn", "--depth 1 -o out.pgn --restart"] {
        let text = errors(&run(&folder, arguments));
        assert!(text.contains("error: out.pgn.progress is not a state file of this command"), "{text}");
    }
    assert_eq!(folder.read("out.pgn.progress"), "my diary");
    assert_eq!(folder.names(), ["games.pgn", "out.pgn.progress"]);
}

#[test]
fn state_file_is_no_output() {
    let folder = folder(1);
    for page in ["out.pgn.progress", "./out.pgn.progress"] {
        let text = errors(&run(&folder, &format!("--depth 1 -o out.pgn --html {page} --force")));
        let expected = format!("error: the state file of --output and --html are the same file, {page}");
        assert_eq!(text.trim_end(), expected);
    }
    assert_eq!(folder.names(), ["games.pgn"]);
}

#[test]
fn output_may_have_a_long_name() {
    let folder = folder(1);
    // As long as most systems allow.
    let name = format!("{}.pgn", "a".repeat(251));
    let output = run(&folder, &format!("--depth 1 -o {name}"));
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(folder.names(), [&name, "games.pgn"]);
}

#[cfg(unix)]
#[test]
fn interrupt_keeps_the_finished_games() {
    let folder = folder(24);
    let child = run_until(&folder, "--nodes 2000 -j 2 -o out.pgn", 2).expect("24 games take longer");
    let id = child.id().to_string();
    assert!(Command::new("sh").args(["-c", "kill -INT $0", &id]).status().unwrap().success());
    let exit = child.wait_with_output().unwrap();
    assert!(!exit.status.success());
    assert!(finished(&folder) >= 2 && !folder.path("out.pgn").exists());
    // An endless search ends as well, and the message says how to continue.
    let mut command = annotate(&folder, "--movetime 10m -o slow.pgn");
    let slow = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while !folder.path("slow.pgn.progress").exists() {
        thread::sleep(Duration::from_millis(1));
    }
    let id = slow.id().to_string();
    assert!(Command::new("sh").args(["-c", "kill -INT $0", &id]).status().unwrap().success());
    let text = errors(&slow.wait_with_output().unwrap());
    let expected = "error: interrupted: 0 of 25 games are done and kept in slow.pgn.progress; the same command continues";
    assert_eq!(text.trim_end(), expected);
}

#[test]
fn page_shows_the_games_without_pgn_output() {
    let folder = folder(4);
    let output = run(&folder, "--nodes 300 --html games.html --no-lines");
    assert!(output.status.success(), "{}", errors(&output));
    assert!(output.stdout.is_empty());
    let page = folder.read("games.html");
    let data = page.split("application/json\">").nth(1).unwrap().split("</script>").next().unwrap();
    let report: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!((&report["format"], &report["version"]), (&"tabiya-review".into(), &1.into()));
    let search = report["search"].as_str().unwrap();
    assert!(search.starts_with("300 nodes per position, "), "{search}");
    let games = report["games"].as_array().unwrap();
    assert_eq!(games.len(), 4);
    // Every move of the game 1. f3 e5 2. g4 Qh4#, and the better line although the PGN would have none.
    let moves: Vec<&str> =
        games[2]["nodes"].as_array().unwrap().iter().filter_map(|node| node["uci"].as_str()).collect();
    assert!(moves.len() > 4 && moves[..4] == ["f2f3", "e7e5", "g2g4", "d8h4"], "{moves:?}");
    assert_eq!(folder.names(), ["games.html", "games.pgn"]);
    fs::create_dir(folder.path("sub")).unwrap();
    for page in ["./new", "sub/../new"] {
        let refused = errors(&run(&folder, &format!("--depth 1 -o new --html {page}")));
        assert!(refused.contains("error: --output and --html are the same file, "), "{refused}");
    }
    assert_eq!(folder.names(), ["games.html", "games.pgn", "sub"]);
}
