//! Logs, and sessions that are held again from them.

use crate::process::Tabiya;
use std::fs;

#[test]
fn a_logged_session_can_be_held_again() {
    let file = std::env::temp_dir().join(format!("tabiya-log-{}.log", std::process::id()));
    let mut engine = Tabiya::uci();
    engine.send(&format!("setoption name Debug Log File value {}", file.display()));
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

    let log = fs::read_to_string(&file).unwrap();
    assert!(log.contains("tabiya::conversation: > \"go depth 5\"\n"), "{log}");
    assert!(log.contains("tabiya::conversation: < \"bestmove "), "{log}");
    assert!(!log.contains("\"fen\""), "the log has ended: {log}");

    let name = file.display().to_string();
    let ending = Tabiya::run(&["replay", &name]);
    assert!(ending.status.success(), "{}\n{}", ending.errors, ending.text());
    assert!(ending.text().contains("lines sent; "), "{}", ending.text());
    assert!(ending.text().contains(" 0 different, "), "{}", ending.text());
    assert_eq!(fs::read_to_string(&file).unwrap(), log, "the log is not written over");

    // A best move that cannot have been is found out.
    let wrong = log.replacen("< \"bestmove ", "< \"bestmove a1a1 ", 1);
    fs::write(&file, wrong).unwrap();
    let ending = Tabiya::run(&["replay", &name]);
    assert!(!ending.status.success());
    assert!(ending.errors.contains("1 best moves differ"), "{}", ending.errors);
    assert!(ending.text().contains("(in the log: bestmove a1a1"), "{}", ending.text());

    fs::write(&file, "nothing of the kind").unwrap();
    let ending = Tabiya::run(&["replay", &name]);
    assert!(ending.errors.contains("holds no conversation"), "{}", ending.errors);
    let _ = fs::remove_file(&file);
}

#[test]
fn an_xboard_session_can_be_held_again() {
    let file = std::env::temp_dir().join(format!("tabiya-xlog-{}.log", std::process::id()));
    let mut engine = Tabiya::xboard();
    engine.send(&format!("option DebugLogFile={}", file.display()));
    engine.send("xboard\nnew\nsd 3\nusermove e2e4");
    engine.expect("move ");
    engine.finish_well();
    let log = fs::read_to_string(&file).unwrap();
    assert!(log.contains("> \"usermove e2e4\"") && log.contains("< \"move "), "{log}");
    let ending = Tabiya::run(&["replay", &file.display().to_string()]);
    assert!(ending.status.success(), "{}\n{}", ending.errors, ending.text());
    let _ = fs::remove_file(&file);
}
