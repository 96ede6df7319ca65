//! Commands on a terminal.

use crate::folder::Folder;
use crate::pseudoterminal::{CTRL_C, Terminal};
use std::fs;
use std::path::Path;

const UP: &str = "\u{1b}[A";
const BACKSPACE: &str = "\u{7f}";

/// A game against an engine that answers quickly.
fn quick_game(home: &Path) -> Terminal {
    Terminal::start("play --depth 1 --no-book --no-report", 80, home)
}

/// The saved games, in order.
fn saved_games(home: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(home.join(".local/share/tabiya/games")) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn play_edits_recalls_and_completes_lines() {
    let home = Folder::new();
    let mut game = quick_game(home.root());
    game.expect("1. > ");
    game.press(format!("d3{BACKSPACE}4\r"));
    game.expect("Tabiya plays 1... ");
    game.expect("2. > ");
    game.press(format!("{UP}\r"));
    game.expect("\"d4\": no legal move fits.");
    // An é of a terminal that does not use UTF-8.
    game.press(b"\xe9,");
    game.expect("2. > \u{fffd}");
    game.press("e4\r");
    game.expect("\"\u{fffd}e4\" is neither a move nor a command.");
    game.press("resi\t\r");
    game.expect("The game is over: 0-1 (resignation)");
    game.press("quit\r");
    let (status, text) = game.finish();
    assert!(status.success(), "{text}");
    assert!(text.contains("\u{1b}[1;7;36m "), "the last move is marked: {text:?}");
}

#[test]
fn play_reads_lines_that_come_together() {
    let home = Folder::new();
    let mut game = Terminal::start("play --movetime 500ms --no-book --no-report", 80, home.root());
    game.expect("1. > ");
    game.press("fen\rflip\re4\r");
    game.expect(" w KQkq - 0 1");
    game.expect("Tabiya is thinking ...");
    // Typed ahead.
    game.press("fen\rresign\rquit\r");
    game.expect("Tabiya plays 1... ");
    game.expect(" w KQkq ");
    game.expect("The game is over: 0-1 (resignation)");
    assert!(game.finish().0.success());
}

#[test]
fn ctrl_c_at_the_prompt_saves_the_game() {
    let home = Folder::new();
    let mut game = quick_game(home.root());
    game.expect("1. > ");
    game.press("e4\r");
    game.expect("2. > ");
    game.press(format!("half a line{CTRL_C}"));
    game.expect("tabiya play --resume continues it.");
    assert!(game.finish().0.success());
    let games = saved_games(home.root());
    assert!(games.len() == 1 && games[0].contains("\n1. e4 ") && games[0].ends_with(" *\n\n"), "{games:?}");

    let mut resumed = Terminal::start("play --resume --depth 1 --no-book", 80, home.root());
    resumed.expect("\n1. e4 ");
    resumed.expect("2. > ");
    resumed.press(CTRL_C);
    assert!(resumed.finish().0.success());
    assert_eq!(saved_games(home.root()), games);
}

#[test]
fn ctrl_c_while_the_engine_thinks_saves_the_game() {
    let home = Folder::new();
    let mut game = Terminal::start("play --movetime 10m --no-book", 80, home.root());
    game.expect("1. > ");
    game.press("e4\r");
    game.expect("Tabiya is thinking ...");
    game.press(CTRL_C);
    game.expect("tabiya play --resume continues it.");
    assert!(game.finish().0.success());
    assert!(saved_games(home.root())[0].ends_with("\n1. e4 *\n\n"));
}

#[test]
fn termination_at_the_prompt_restores_the_terminal() {
    let home = Folder::new();
    let mut game = quick_game(home.root());
    game.expect("1. > ");
    game.press("e4\r");
    game.expect("2. > ");
    game.terminate();
    game.expect("tabiya play --resume continues it.");
    assert_eq!(game.finish().0.code(), Some(130));
    assert_eq!(saved_games(home.root()).len(), 1);
}

#[test]
fn ctrl_c_skips_the_report_only_and_termination_ends_the_program() {
    let home = Folder::new();
    // Long enough for the key press.
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(40);
    let file = home.root().join("long.pgn");
    fs::write(&file, format!("{moves}*\n")).unwrap();
    let arguments = format!("play --resume {} --depth 1 --no-book --ply 6", file.display());
    let mut game = Terminal::start(&arguments, 80, home.root());
    game.expect("4. > ");
    game.press("resign\r");
    game.expect("Reviewing the game (Ctrl-C skips this) ...");
    game.press(CTRL_C);
    game.expect("Skipped.");
    game.expect("quit > ");
    game.press("report\r");
    game.expect("Worst moves of White (you):");
    game.expect("quit > ");
    game.press("report\r");
    game.expect("Reviewing the game (Ctrl-C skips this) ...");
    game.terminate();
    game.expect("Skipped.");
    assert!(game.finish().0.success());
}

#[test]
fn ctrl_c_prints_the_best_move_so_far() {
    let home = Folder::new();
    let mut analysis = Terminal::start("analyse --infinite --hash 1", 60, home.root());
    analysis.expect("depth    score");
    // Deep enough for lines that do not fit.
    analysis.expect("\n    9 ");
    analysis.press(CTRL_C);
    analysis.expect("Best move: 1. ");
    let (status, text) = analysis.finish();
    assert!(status.success());
    // The terminal echoes the key.
    let text = console::strip_ansi_codes(&text).replace("^C", "");
    let rows: Vec<&str> = text.lines().filter(|line| line.contains("s ") && line.contains(" 1. ")).collect();
    assert!(rows.len() > 5 && rows.iter().all(|row| row.trim_end().chars().count() < 60), "{rows:#?}");
    assert!(rows.iter().any(|row| row.trim_end().ends_with(" …")), "{rows:#?}");
}

#[test]
fn annotated_games_on_a_terminal_have_no_rest_of_the_progress_display() {
    let home = Folder::new();
    let games = home.write("games.pgn", "1. e4 e5 *\n\n1. d4 d5 *\n\n1. c4 c5 *\n");
    let annotation = Terminal::start(&format!("pgn annotate {games} --nodes 1000 -j 1"), 80, home.root());
    let (status, text) = annotation.finish();
    assert!(status.success(), "{text}");
    let first_lines: Vec<&str> = text.split_inclusive('\n').filter(|line| line.contains("[Event ")).collect();
    assert_eq!(first_lines.len(), 3, "{text:?}");
    for line in first_lines {
        // The display has been erased.
        let visible = line.rsplit("\u{1b}[2K").next().unwrap();
        assert!(visible.trim_start_matches('\r').starts_with("[Event "), "{text:?}");
    }
}

#[test]
fn ctrl_c_keeps_the_results_of_a_suite() {
    let home = Folder::new();
    let mate = "7k/8/5K2/6Q1/8/8/8/8 w - - bm Qg7#;";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;";
    let suite = home.write("suite.epd", format!("{mate}\n{start}\n"));
    // The second position takes hours at this depth.
    let mut solver = Terminal::start(&format!("epd {suite} --depth 60"), 80, home.root());
    solver.expect("solved  line 1");
    solver.press(CTRL_C);
    solver.expect("\n1 of 1 solved");
    solver.expect("error: interrupted after 1 of 2 positions");
    assert_eq!(solver.finish().0.code(), Some(1));
}
