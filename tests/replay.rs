//! Logging and replaying sessions.

use crate::folder::Folder;
use crate::process::Tabiya;

/// The name of the log.
const LOG: &str = "session.log";

#[test]
fn replays_a_uci_session() {
    let folder = Folder::new();
    let file = folder.name(LOG);
    let mut engine = Tabiya::uci();
    engine.send(&format!("setoption name Debug Log File value {file}"));
    engine.send("uci\nucinewgame\nposition startpos moves e2e4");
    engine.go("depth 5");
    engine.go("nodes 3000");
    engine.go("movetime 20");
    engine.send("go infinite");
    engine.expect("info depth 2");
    engine.send("stop");
    engine.answer();
    engine.send("setoption name Debug Log File value <empty>\nfen");
    engine.finish_well();

    let log = folder.read(LOG);
    assert!(log.contains("tabiya::conversation: > \"go depth 5\"\n"), "{log}");
    assert!(log.contains("tabiya::conversation: < \"bestmove "), "{log}");
    assert!(!log.contains("\"fen\""), "logging has ended: {log}");

    let exit = Tabiya::run(&["replay", &file]);
    assert!(exit.status.success(), "{}\n{}", exit.errors, exit.text());
    assert!(exit.text().contains("lines sent; "), "{}", exit.text());
    assert!(exit.text().contains(" 0 different, "), "{}", exit.text());
    assert_eq!(folder.read(LOG), log, "the replay does not overwrite the log");

    // A different best move is an error.
    let wrong = log.replacen("< \"bestmove ", "< \"bestmove a1a1 ", 1);
    folder.write(LOG, wrong);
    let exit = Tabiya::run(&["replay", &file]);
    assert!(!exit.status.success());
    assert!(exit.errors.contains("1 different best move after"), "{}", exit.errors);
    assert!(exit.text().contains("(in the log: bestmove a1a1"), "{}", exit.text());

    folder.write(LOG, "not a log");
    let exit = Tabiya::run(&["replay", &file]);
    assert!(exit.errors.contains("has no protocol lines"), "{}", exit.errors);
}

#[test]
fn stop_precedes_the_best_move_in_the_log() {
    let folder = Folder::new();
    let file = folder.name(LOG);
    let mut engine = Tabiya::uci();
    engine.send(&format!("setoption name Debug Log File value {file}"));
    for _ in 0..50 {
        engine.send("go infinite");
        engine.expect("info depth 2");
        engine.send("stop");
        engine.answer();
    }
    engine.finish_well();
    let log = folder.read(LOG);
    let kind =
        |line: &str| ["> \"go", "> \"stop", "< \"bestmove"].iter().position(|start| line.contains(start));
    let order: Vec<usize> = log.lines().filter_map(kind).collect();
    assert_eq!(order, [0, 1, 2].repeat(50));
}

#[test]
fn stop_follows_its_search_in_the_log() {
    let folder = Folder::new();
    let file = folder.name(LOG);
    let mut engine = Tabiya::uci();
    engine.send(&format!("setoption name Debug Log File value {file}"));
    engine.send("go infinite");
    engine.expect("info depth 2");
    // All at once: the reader has the last line while the first search is still the one that runs.
    engine.send("stop\nposition startpos moves e2e4\ngo infinite\nstop\ngo perft 3\ngo infinite\nstop");
    (0..3).for_each(|_| drop(engine.answer()));
    engine.finish_well();
    let log = folder.read(LOG);
    let kind = |line: &str| ["> \"go", "> \"stop"].iter().position(|start| line.contains(start));
    let order: Vec<usize> = log.lines().filter_map(kind).collect();
    assert_eq!(order, [0, 1, 0, 1, 0, 0, 1], "{log}");
    let exit = Tabiya::run(&["replay", &file]);
    assert!(exit.status.success(), "{}\n{}", exit.errors, exit.text());
}

#[test]
fn replays_a_session_that_ends_during_a_search() {
    let folder = Folder::new();
    let file = folder.name(LOG);
    let mut engine = Tabiya::uci();
    engine.send(&format!("setoption name Debug Log File value {file}"));
    engine.send("go infinite");
    engine.expect("info depth 2");
    engine.finish_well();
    assert!(folder.read(LOG).contains("< \"bestmove "));
    let exit = Tabiya::run(&["replay", &file]);
    assert!(exit.status.success(), "{}\n{}", exit.errors, exit.text());
    let number = |number| Tabiya::run(&["replay", &file, "--session", number]).failure();
    assert!(number("0").contains("expected a whole number from 1"));
    assert!(number("2").contains("session.log has 1 session: there is no session 2"));
}

#[test]
fn replays_an_xboard_session() {
    let folder = Folder::new();
    let file = folder.name(LOG);
    let mut engine = Tabiya::xboard();
    engine.send(&format!("memory 8\ncores 1\negtpath syzygy /nowhere\noption DebugLogFile={file}"));
    // The log also has the lines before it began: without `xboard` the rest would be read as UCI.
    engine.send("new\nsd 3\nusermove e2e4");
    engine.expect("move ");
    engine.finish_well();
    let log = folder.read(LOG);
    assert!(log.contains("> \"usermove e2e4\"") && log.contains("< \"move "), "{log}");
    for set_up in ["xboard", "memory 8", "cores 1", "egtpath syzygy /nowhere"] {
        assert!(log.contains(&format!("> \"{set_up}\"")), "{log}");
    }
    let exit = Tabiya::run(&["replay", &file]);
    assert!(exit.status.success(), "{}\n{}", exit.errors, exit.text());
    let mut replay = Tabiya::with_arguments(&["replay", "-"]);
    replay.send(&log);
    assert_eq!(replay.finish_well().text(), exit.text());
}

#[test]
fn replays_with_the_options_set_before_the_log_began() {
    let folder = Folder::new();
    let file = folder.name(LOG);
    let mut engine = Tabiya::uci();
    engine.send("setoption name Evaluation value classic\nsetoption name Threads value 2\nposition startpos moves e2e4");
    engine.send(&format!("setoption name Debug Log File value {file}\nsetoption name Threads value 1"));
    engine.send("position startpos moves e2e4");
    engine.go("depth 5");
    engine.finish_well();
    let mut log = folder.read(LOG);
    assert!(log.contains("> \"setoption name Evaluation value classic\""), "{log}");
    assert_eq!(log.matches("> \"position ").count(), 1, "only lines that set options are repeated: {log}");
    // A killed process leaves a search without an answer, which the replay does not finish.
    log.push_str("   9.000000000s DEBUG tabiya::conversation: > \"go depth 99\"\n");
    folder.write(LOG, log);
    let exit = Tabiya::run(&["replay", &file]);
    assert!(exit.status.success(), "{}\n{}", exit.errors, exit.text());
    assert!(exit.text().contains("1 same, 0 different, 0 different after"), "{}", exit.text());
}

#[test]
fn earlier_searches_make_best_moves_unrepeatable() {
    let folder = Folder::new();
    let file = folder.name(LOG);
    let mut engine = Tabiya::uci();
    engine.go("depth 10");
    engine.send(&format!("setoption name Debug Log File value {file}"));
    engine.go("depth 6");
    engine.send("ucinewgame");
    engine.go("depth 6");
    engine.finish_well();
    // As if the first search had found another move than the replay does.
    let log = folder.read(LOG).replacen("< \"bestmove ", "< \"bestmove a1a1 ", 1);
    folder.write(LOG, log);
    let text = Tabiya::run(&["replay", &file]).success();
    assert!(text.contains("1 same, 0 different, 1 different after"), "{text}");
}

/// Runs UCI commands with `TABIYA_LOG` and returns the log on standard error.
fn log_of(variable: &str, commands: &str) -> String {
    let mut engine = Tabiya::with_variable(("TABIYA_LOG", variable), &[]);
    engine.send_bytes(commands.as_bytes());
    let exit = engine.finish();
    assert!(exit.status.success(), "{}", exit.status);
    exit.errors
}

#[test]
fn replays_each_session_of_a_log_of_standard_error() {
    let folder = Folder::new();
    let session = |mv: &str| log_of("debug", &format!("position startpos moves {mv}\ngo depth 3\n"));
    let file = folder.write(LOG, session("e2e4") + &session("d2d4"));
    for (number, mv) in [("1", "e2e4"), ("2", "d2d4")] {
        let text = Tabiya::run(&["replay", &file, "--session", number]).success();
        let expected = format!("session {number} of 2\n> position startpos moves {mv}\n");
        assert!(text.starts_with(&expected) && text.contains(" 1 same, 0 different, "), "{text}");
    }
    assert!(!log_of("info", "isready\n").contains("# Log of"), "nothing can be replayed");
}

#[test]
fn log_file_replaces_the_log_on_standard_error_for_a_time() {
    let folder = Folder::new();
    let file = folder.name(LOG);
    let option = |file: &str| format!("setoption name Debug Log File value {file}\n");
    let log = log_of("debug", &format!("{}isready\n", option("")));
    assert!(log.contains("> \"isready\""), "an empty name changes nothing: {log}");
    let log = log_of("debug", &format!("{}fen\n{}isready\n", option(&file), option("")));
    assert!(log.contains("> \"isready\"") && !log.contains("> \"fen\""), "{log}");
    assert!(folder.read(LOG).contains("> \"fen\"") && !folder.read(LOG).contains("> \"isready\""));
}

#[test]
fn log_file_has_the_protocol_whatever_the_variable_says() {
    for variable in ["", "info", "info,tabiya::conversation=off", "a=b=c"] {
        let folder = Folder::new();
        let file = folder.name(LOG);
        let option = |file: &str| format!("setoption name Debug Log File value {file}\n");
        let log = log_of(variable, &format!("{}go depth 2\n{}fen\n", option(&file), option("")));
        assert!(!log.contains("tabiya::conversation: "), "{variable}: {log}");
        let text = Tabiya::run(&["replay", &file]).success();
        assert!(text.contains("1 same"), "{variable}: {text}");
    }
}
