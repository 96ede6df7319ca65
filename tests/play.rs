//! The command `play` with redirected input.

use crate::folder::Folder;
use crate::process::Tabiya;
use crate::terminal::fail;
use std::fs;

#[test]
fn limited_strength() {
    let mut game = Tabiya::with_arguments(&["play", "--side", "black", "--elo", "1000"]);
    game.send("e5\nquit");
    let text = game.finish_well().text();
    assert!(
        text.starts_with(
            "Tabiya plays at 1000 Elo (novice). The command level changes that.\nYou play black."
        ),
        "{text}"
    );
    assert!(text.contains("Tabiya plays 1. ") && text.contains("Tabiya plays 2. "), "{text}");
    assert!(fail("play --elo 700").contains("800..=2800"));
}

#[test]
fn level_changes_and_draws_are_considered() {
    let mut game =
        Tabiya::with_arguments(&["play", "--no-report", "--fen", "k7/7R/2K5/8/8/8/8/8 w - - 0 60"]);
    // The engine has one legal move, so the game is the same each time.
    game.send("draw\nlevel 1200\nKc5\ndraw\nquit");
    let text = game.finish_well().text();
    assert!(
        text.starts_with("Tabiya plays at full strength.\nFor a weaker engine, type level 1200"),
        "{text}"
    );
    // Before its first move, the engine has no opinion.
    assert!(text.contains("Tabiya declines the draw.\n"), "{text}");
    assert!(text.contains("Tabiya plays at 1200 Elo (casual player) now.\n"), "{text}");
    assert!(text.contains("Tabiya accepts the draw.\nThe game is over: 1/2-1/2 (agreement)\n"), "{text}");
    assert!(Tabiya::run(&["play", "--help"]).text().contains("1500 club player"));
}

#[test]
fn plays_and_saves() {
    let folder = Folder::new();
    let file = folder.name("game.pgn");
    let mut game = Tabiya::with_arguments(&["play", "--depth", "2", "--no-book", "--no-report"]);
    game.send("e4\nhint\nNc3\nundo\nnonsense\ne8e7\nflip\nmoves\nresign");
    game.send(&format!("save {file}\nsave {file}\nquit"));
    let text = game.finish_well().text();
    assert!(text.contains("Tabiya plays 1... "), "{text}");
    assert!(text.contains("I would play 2. "), "{text}");
    assert!(text.contains("\"nonsense\" is neither a move nor a command"), "{text}");
    assert!(text.contains("is not white's"), "{text}");
    assert!(text.contains("The game is over: 0-1 (resignation)"), "{text}");
    assert_eq!(text.matches("Saved to ").count(), 2, "{text}");
    let pgn = folder.read("game.pgn");
    assert!(pgn.contains("[White \"Player\"]\n[Black \"Tabiya "), "{pgn}");
    assert!(pgn.contains("\n1. e4 ") && pgn.ends_with(" 0-1\n\n"), "{pgn}");
    // A file of another session is not overwritten.
    let mut game = Tabiya::with_arguments(&["play", "--depth", "1"]);
    game.send(&format!("save {file}"));
    let text = game.finish_well().text();
    assert!(text.contains("the file already exists"), "{text}");
    assert_eq!(folder.read("game.pgn"), pgn);
}

#[test]
fn other_start_positions() {
    let mut game = Tabiya::with_arguments(&["play", "--side", "black", "--depth", "2", "--chess960", "0"]);
    game.send("fen");
    assert!(game.finish_well().text().contains("Tabiya plays 1. "));
    let mut game = Tabiya::with_arguments(
        &"play --depth 3 --fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1".split(' ').collect::<Vec<_>>(),
    );
    game.send("Qg7");
    assert!(game.finish_well().text().contains("The game is over: 1-0 (checkmate)"));
}

#[test]
fn clocks_and_a_report() {
    let folder = Folder::new();
    let games = folder.name("games");
    let play = ["play", "--tc", "5+3", "--depth", "1", "--no-book", "--games", &games];
    let mut game = Tabiya::with_arguments(&play);
    game.send("f3\nquit");
    let text = game.finish_well().text();
    assert!(text.contains("\n   White 5:00, Black 5:00\n"), "{text}");
    assert!(text.contains(&format!("; tabiya play --resume --games {games} continues it.")), "{text}");
    // Another game continues this one without saving it.
    let resume = [&play[..1], &["--resume", "--no-save", "--no-report"], &play[3..]].concat();
    let mut game = Tabiya::with_arguments(&resume);
    game.send("resign\nquit");
    assert!(!game.finish_well().text().contains("is saved in"));
    let mut game = Tabiya::with_arguments(&[&play[..1], &["--resume"], &play[3..]].concat());
    game.send("resign\nquit");
    let text = game.finish_well().text();
    assert!(text.starts_with("Continuing the game of ") && text.contains(" after 2 half-moves.\n"), "{text}");
    assert!(text.contains("\n1. f3 ") && text.contains("   White 5:0"), "{text}");
    assert!(text.contains("\nWhite (you) ") && text.contains("The game is saved in "), "{text}");
    let mut entries = fs::read_dir(&games).unwrap();
    let pgn = fs::read_to_string(entries.next().unwrap().unwrap().path()).unwrap();
    assert!(entries.next().is_none());
    assert!(pgn.contains("[TimeControl \"300+3\"]") && pgn.contains("1. f3 { [%clk 0:05:0"), "{pgn}");
    assert!(pgn.ends_with(" 0-1\n\n"), "{pgn}");
    assert!(fail("play --tc 5+x").contains("as in 5+3 or 10"));
    assert!(fail("play --ply 3").contains("--resume FILE.pgn"));
    assert!(fail(&format!("play --resume --games {games}")).contains("there is no unfinished game in"));
}

#[test]
fn resumed_game_leaves_an_edited_file_as_it_is() {
    let folder = Folder::new();
    let games = folder.name("");
    let play = ["play", "--depth", "1", "--no-book", "--no-report", "--games", &games];
    let mut game = Tabiya::with_arguments(&play);
    game.send("e4\nquit");
    game.finish_well();
    let path = fs::read_dir(&games).unwrap().next().unwrap().unwrap().path();
    let edited = fs::read_to_string(&path).unwrap().replace("1. e4", "1. e4 {a note}");
    fs::write(&path, &edited).unwrap();
    let mut game = Tabiya::with_arguments(&[&play[..1], &["--resume"], &play[1..]].concat());
    game.send("d4\nquit");
    assert!(game.finish_well().text().contains("Tabiya plays 2... "));
    assert_eq!(fs::read_to_string(&path).unwrap(), edited);
    let newer = fs::read_dir(&games).unwrap().map(|entry| entry.unwrap().path()).find(|other| *other != path);
    assert!(fs::read_to_string(newer.unwrap()).unwrap().contains("2. d4"));
}

/// A folder with an older save and a newer one of this text.
fn folder_of_saves(newest: &[u8]) -> Folder {
    let folder = Folder::new();
    let save = |moves| {
        format!(
            "[Event \"Casual game\"]\n[Site \"?\"]\n[Date \"2026.11.27\"]\n[Round \"-\"]\n[White \"Player\"]\n\
             [Black \"Tabiya 0.1.0\"]\n[Result \"*\"]\n\n{moves} *\n\n"
        )
    };
    folder.write("2026-11-26-090000.pgn", save("1. a3 a6"));
    let newest = [save("1. e4 e5 2. Nf3 Nc6 3. d3 Nf6").as_bytes(), newest].concat();
    folder.write("2026-11-27-090000.pgn", newest);
    folder
}

#[test]
fn damaged_save_is_said_and_what_is_left_of_it_offered() {
    let folder = folder_of_saves(b"zz9");
    let games = folder.name("");
    let play = ["play", "--resume", "--depth", "1", "--no-book", "--no-report", "--games", &games];
    let damaged = folder.path("2026-11-27-090000.pgn");
    let before = fs::read(&damaged).unwrap();
    for refusal in ["n\n", ""] {
        let mut game = Tabiya::with_arguments(&play);
        game.send(refusal);
        let text = game.finish_well().text();
        assert!(
            text.contains(
                "2026-11-27-090000.pgn is damaged: text follows the game.\n6 half-moves can be kept."
            ),
            "{text}"
        );
        assert!(text.contains("Nothing has been changed; to continue another game"), "{text}");
        assert_eq!(folder.names().len(), 2);
    }
    let mut game = Tabiya::with_arguments(&play);
    game.send("y\nBe2\nquit");
    let text = game.finish_well().text();
    assert!(text.contains("after 6 half-moves.") && text.contains("Tabiya plays 4... "), "{text}");
    assert_eq!(fs::read(&damaged).unwrap(), before);
    assert_eq!(folder.names().len(), 3);
    // Nothing can be kept of this one.
    folder.write("2099-01-01-000000.pgn", "");
    let error = fail(&format!("play --resume --games {games}"));
    assert!(error.contains("2099-01-01-000000.pgn is damaged, and nothing can be kept of it: "), "{error}");
    assert!(error.contains("--resume FILE.pgn"), "{error}");
}

#[test]
fn save_that_cannot_be_read_is_said() {
    let folder = folder_of_saves(b"");
    let games = folder.name("");
    // A folder in place of the newest save: permissions do not keep the superuser from reading.
    fs::create_dir(folder.path("2099-01-01-000000.pgn")).unwrap();
    let error = fail(&format!("play --resume --games {games}"));
    assert!(error.contains("2099-01-01-000000.pgn cannot be read; to continue another game"), "{error}");
    assert!(error.contains("it is a directory"), "{error}");
}

#[test]
fn uses_the_book() {
    let mut game = Tabiya::with_arguments(&["play", "--side", "black", "--depth", "1"]);
    game.send("fen");
    let text = game.finish_well().text();
    let moves = ["1. e4", "1. d4", "1. c4", "1. Nf3"];
    assert!(moves.iter().any(|mv| text.contains(&format!("Tabiya plays {mv}"))), "{text}");
}

#[test]
fn resumed_game_is_not_saved_with_no_save() {
    let folder = Folder::new();
    let home = folder.root();
    let engine = ["--depth", "1", "--no-book", "--no-report"];
    let games = home.join("tabiya/games");
    let mut game =
        Tabiya::with_arguments(&[&["play", "--games", &games.display().to_string()], &engine[..]].concat());
    game.send("e4\nquit");
    game.finish_well();
    let path = fs::read_dir(&games).unwrap().next().unwrap().unwrap().path();
    let saved = fs::read_to_string(&path).unwrap();
    let data = ("XDG_DATA_HOME", &*home.display().to_string());
    let mut game = Tabiya::with_variable(data, &[&["play", "--resume", "--no-save"], &engine[..]].concat());
    game.send("d4\nquit");
    let text = game.finish_well().text();
    assert!(text.contains("Tabiya plays 2... ") && !text.contains("saved in"), "{text}");
    assert_eq!(fs::read_dir(&games).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), saved);
}

#[test]
fn date_is_that_of_the_time_zone() {
    let folder = Folder::new();
    // The zones are 26 hours apart, so their dates always differ.
    let dates = ["EAST-14", "WEST+12"].map(|zone| {
        let name = format!("{zone}.pgn");
        let mut game = Tabiya::with_variable(("TZ", zone), &["play", "--depth", "1"]);
        game.send(&format!("e4\nsave {}\nquit", folder.name(&name)));
        game.finish_well();
        let pgn = folder.read(&name);
        pgn.lines().find(|line| line.starts_with("[Date \"2")).unwrap().to_owned()
    });
    assert_ne!(dates[0], dates[1]);
}
