use crate::process::{Tabiya, field};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Ends a session by closing the input and by `quit`, and returns the remaining lines of each.
fn end(first_lines: &str, wait_for: &str, last_lines: &str) -> Vec<Vec<String>> {
    [false, true]
        .into_iter()
        .map(|quit| {
            let mut engine = Tabiya::uci();
            engine.send(first_lines);
            engine.expect(wait_for);
            if !last_lines.is_empty() {
                engine.send(last_lines);
            }
            if quit {
                engine.send("quit");
            }
            engine.finish_well().lines
        })
        .collect()
}

#[test]
fn ends_every_search_with_its_best_move() {
    for go in ["go infinite", "go ponder wtime 1000 btime 1000"] {
        for lines in end(go, "info depth 2", "") {
            assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{go}: {lines:?}");
        }
    }
    for go in ["go depth 200", "go movetime 3600000"] {
        let mut engine = Tabiya::uci();
        engine.send(go);
        engine.expect("info depth 2");
        engine.send("quit");
        let lines = engine.finish_well().lines;
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{go}: {lines:?}");
    }
}

#[test]
fn finishes_a_search_with_a_limit_at_the_end_of_input() {
    for arguments in [&[][..], &["go depth 6"]] {
        let mut engine = Tabiya::with_arguments(arguments);
        if arguments.is_empty() {
            engine.send("go depth 6");
        }
        let lines = engine.finish_well().lines;
        assert!(lines.iter().any(|line| line.starts_with("info depth 6 ")), "{lines:?}");
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
    }
}

#[test]
fn finishes_a_search_that_ponderhit_or_the_strength_limits() {
    for commands in [
        "go ponder depth 8\nponderhit",
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 2200\ngo",
    ] {
        let nodes = |lines: &[String]| {
            let info = lines.iter().rfind(|line| line.contains(" nodes "));
            info.and_then(|line| field(line, "nodes")).map(str::to_owned)
        };
        let mut engine = Tabiya::uci();
        engine.send(commands);
        let whole = nodes(&engine.answer().infos);
        let mut engine = Tabiya::uci();
        engine.send(commands);
        let lines = engine.finish_well().lines;
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{commands}: {lines:?}");
        assert_eq!(nodes(&lines), whole, "{commands}");
    }
}

#[test]
fn finishes_a_long_queue() {
    let mut engine = Tabiya::uci();
    engine.send_bytes("go perft 1\n".repeat(10_000).as_bytes());
    let lines = engine.finish_well().lines;
    assert_eq!(lines.iter().filter(|line| *line == "Nodes searched: 20").count(), 10_000);
}

#[test]
fn queued_stop_ends_the_jobs_before_it() {
    let mut engine = Tabiya::uci();
    engine.send("go perft 9\ngo perft 9\nstop\ngo perft 2");
    let lines = engine.finish_well().lines;
    assert_eq!(lines.iter().filter(|line| *line == "info string perft stopped").count(), 2, "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 400"));
}

#[test]
fn ends_a_search_that_has_just_started() {
    for _ in 0..20 {
        let mut engine = Tabiya::uci();
        engine.send("go infinite");
        let lines = engine.finish_well().lines;
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
    }
}

#[test]
fn ends_a_long_perft() {
    for lines in end("go perft 9\nisready", "readyok", "fen") {
        assert!(!lines.iter().any(|line| line.starts_with("Nodes")), "{lines:?}");
    }
}

#[test]
fn finishes_commands_given_as_arguments() {
    let text = Tabiya::run(&["go perft 5", "bench 1", "go perft 2", "quit"]).text();
    assert!(text.contains("Nodes searched: 4865609") && text.contains(" nps\n"), "{text}");
    assert!(text.ends_with("Nodes searched: 400"), "{text}");
}

#[test]
fn finishes_each_search_given_as_an_argument() {
    let lines = Tabiya::run(&["go depth 10", "position startpos moves e2e4", "go depth 10", "quit"]).lines;
    let searches: Vec<&[String]> = lines.split_inclusive(|line| line.starts_with("bestmove ")).collect();
    assert_eq!(searches.len(), 2, "{lines:?}");
    for search in searches {
        let depth = search.iter().filter_map(|line| field(line, "depth")).next_back();
        assert_eq!(depth, Some("10"), "{search:?}");
    }
}

#[test]
fn ends_while_nobody_reads_the_output() {
    let children = [
        ("uci", "go infinite\nquit\n"),
        ("uci", "go infinite\njoho quit\n"),
        ("uci", "go infinite\nexit\n"),
        ("xboard", "analyze\nquit\n"),
        ("xboard", "edit\nquit now\n"),
    ]
    .map(|(protocol, last)| start_blocked(protocol, last));
    for mut child in children {
        wait_for_exit(&mut child);
        assert!(child.wait().expect("exited").success());
    }
}

#[test]
fn waits_at_the_end_of_input_for_somebody_to_read_the_output() {
    let children = [true, false].map(|is_read| (start_blocked("uci", "go infinite\n"), is_read));
    // Longer than a process has after `quit`.
    std::thread::sleep(Duration::from_millis(3500));
    for (mut child, is_read) in children {
        assert!(child.try_wait().expect("query the process").is_none());
        let mut output = child.stdout.take().expect("piped stream");
        if is_read {
            let mut text = String::new();
            output.read_to_string(&mut text).expect("UTF-8");
            assert_eq!(text.lines().filter(|line| *line == "uciok").count(), BLOCKING_REQUESTS + 1);
            assert!(text.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{text}");
        }
        drop(output);
        wait_for_exit(&mut child);
        assert!(child.wait().expect("exited").success());
    }
}

#[test]
fn quits_while_nobody_reads_the_log() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .env("TABIYA_LOG", "debug")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("start tabiya");
    let mut stdin = child.stdin.take().expect("piped stream");
    // More than a pipe takes, and fewer lines than are read ahead.
    stdin.write_all("position startpos\n".repeat(2000).as_bytes()).expect("the engine reads");
    // The log has to be full before the engine reads `quit`.
    std::thread::sleep(Duration::from_millis(500));
    stdin.write_all(b"quit\n").expect("the engine reads");
    wait_for_exit(&mut child);
    assert!(child.wait().expect("exited").success());
}

/// The number of requests whose answers fill every pipe.
const BLOCKING_REQUESTS: usize = 1000;

/// Starts an engine whose output is not read, and sends `last` and the end of the input.
fn start_blocked(protocol: &str, last: &str) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("start tabiya");
    let request = if protocol == "uci" { "uci\n" } else { "protover 2\n" };
    let input = format!("{protocol}\n{}{last}", request.repeat(BLOCKING_REQUESTS));
    let mut stdin = child.stdin.take().expect("piped stream");
    stdin.write_all(input.as_bytes()).expect("the engine reads");
    child
}

#[test]
fn finishes_perft_so_that_commands_can_be_piped() {
    for lines in end("isready", "readyok", "go perft 3\ngo perft 2\nfen") {
        let counts: Vec<&String> = lines.iter().filter(|line| line.starts_with("Nodes")).collect();
        assert_eq!(counts, ["Nodes searched: 8902", "Nodes searched: 400"]);
        assert_eq!(
            lines.last().map(String::as_str),
            Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        );
    }
}

#[test]
fn ignores_commands_after_quit() {
    let mut engine = Tabiya::uci();
    engine.send_bytes(b"quit\nisready\n");
    assert_eq!(engine.finish_well().lines, [""; 0]);
}

#[test]
fn exits_quietly_when_the_gui_is_gone() {
    // With the output closed, the engine exits without an error at the first write.
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("start tabiya");
    drop(child.stdout.take());
    let stdin = child.stdin.take();
    let _ = stdin.as_ref().map(|mut stdin| stdin.write_all(b"go infinite\n"));
    wait_for_exit(&mut child);
    let output = child.wait_with_output().expect("exited");
    assert!(output.status.success(), "{}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    drop(stdin);
}

/// Waits for the end of a process, and kills it after half a minute.
fn wait_for_exit(child: &mut Child) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while child.try_wait().expect("query the process").is_none() {
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("still running");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
