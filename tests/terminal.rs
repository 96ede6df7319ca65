//! The subcommands.

use crate::process::{Ending, Tabiya};
use std::fs;

fn run(arguments: &str) -> Ending {
    Tabiya::run(&arguments.split(' ').collect::<Vec<_>>())
}

fn well(arguments: &str) -> String {
    let ending = run(arguments);
    assert!(ending.status.success(), "{arguments}: {}", ending.errors);
    assert_eq!(ending.errors, "", "{arguments}");
    ending.text()
}

/// Runs it with bad arguments and returns the message.
fn badly(arguments: &str) -> String {
    let ending = run(arguments);
    assert!(!ending.status.success(), "{arguments}");
    assert!(ending.errors.starts_with("error: "), "{arguments}: {}", ending.errors);
    assert!(!ending.errors.contains("panicked"), "{arguments}: {}", ending.errors);
    ending.errors
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn analyse() {
    let text = well("analyse --depth 4");
    assert!(text.contains(" | R | N | B | Q | K | B | N | R | 1"), "{text}");
    assert!(text.contains("depth    score"), "{text}");
    assert!(text.contains("\n    4 "), "{text}");
    assert!(text.contains("\nBest move: 1. "), "{text}");
    // A FEN in one word, in several, and with options around it.
    for arguments in [
        format!("analyse {KIWIPETE} --depth 2"),
        format!("analyse --depth 2 {KIWIPETE}"),
        format!("analyze --nodes 500 {KIWIPETE} --movetime 10s --hash 1 --symbols --evaluation classic"),
    ] {
        assert!(well(&arguments).contains(KIWIPETE), "{arguments}");
    }
    let one_word = Tabiya::run(&["analyse", KIWIPETE, "--movetime", "50ms"]);
    assert!(one_word.status.success(), "{}", one_word.errors);
    // From White's point of view, whoever is to move.
    let text = well("analyse 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1 --depth 10");
    assert!(text.contains("#1 ") && text.contains("1... Kh"), "{text}");
    let text = well("analyse 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert!(text.contains("The game is over: 1/2-1/2 (stalemate)"), "{text}");
}

#[test]
fn analyse_several_lines_and_as_data() {
    let text = well("analyse --depth 4 --multipv 3 --threads 2");
    assert!(text.contains("  # depth    score"), "{text}");
    for row in ["\n  1     4 ", "\n  2     4 ", "\n  3     4 "] {
        assert!(text.contains(row), "{row:?} in {text}");
    }
    assert!(!text.contains('\u{1b}'), "no colours where there is no terminal: {text:?}");
    let text = well("analyse --depth 2 --multipv 2 --json");
    assert!(text.contains("\"multipv\":2"), "{text}");
    // From White's point of view, also as data.
    let text = well("analyse --depth 8 --multipv 2 --json 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1");
    let objects: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, infos) = objects.split_last().unwrap();
    let info = infos.last().unwrap();
    assert_eq!((&info["depth"], &info["bound"]), (&8.into(), &"exact".into()), "{info}");
    assert_eq!((&info["score"]["mate"], &info["wdl"]["win"]), (&1.into(), &1000.into()), "{info}");
    assert!(last["best"]["uci"].as_str().is_some_and(|uci| uci.starts_with("h8")), "{last}");
    assert!(last["best"]["san"].as_str().is_some_and(|san| san.starts_with('K')), "{last}");
    let text = well("analyse --json 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap()["outcome"], "1/2-1/2 (stalemate)");
}

#[test]
fn play_at_a_strength() {
    let mut game = Tabiya::with_arguments(&["play", "--side", "black", "--elo", "1000"]);
    game.send("e5\nquit");
    let text = game.finish_well().text();
    assert!(text.contains("Tabiya plays 1. ") && text.contains("Tabiya plays 2. "), "{text}");
    assert!(badly("play --elo 700").contains("800..=2800"));
    assert!(badly("analyse --multipv 0").contains("1..=256"));
}

#[test]
fn perft() {
    let text = well("perft 4");
    assert!(text.starts_with("Nodes searched: 197281\n"), "{text}");
    let text = well(&format!("perft 3 --divide {KIWIPETE}"));
    assert!(text.contains("\n\nNodes searched: 97862\n"), "{text}");
    assert!(text.contains("e1g1: 2059\n"), "{text}");
    assert_eq!(
        text.lines().filter(|line| line.len() > 4 && line.as_bytes()[4] == b':').count(),
        49,
        "{text}"
    );
}

#[test]
fn eval() {
    let text = well("eval");
    assert!(text.contains("white to move"), "{text}");
    let text = well(&format!("eval --evaluation classic {KIWIPETE}"));
    assert!(text.contains("value for side to move"), "{text}");
    for evaluation in ["handcrafted", "classic"] {
        let text = well(&format!("eval --json --evaluation {evaluation} {KIWIPETE}"));
        let data: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(data["fen"], KIWIPETE);
        assert_eq!(data["evaluation"], evaluation);
        assert_eq!(data["value"], data["white_value"]);
        assert!(data["value"].is_i64());
    }
}

#[test]
fn bench_ends_with_its_signature() {
    let nodes = |text: String| {
        let last = text.lines().last().unwrap_or_default().to_owned();
        let words: Vec<&str> = last.split(' ').collect();
        let [nodes, "nodes", nps, "nps"] = words[..] else { panic!("{last}") };
        assert!(nps.parse::<u64>().is_ok(), "{last}");
        nodes.parse::<u64>().unwrap()
    };
    let first = nodes(well("bench 3"));
    assert!(first > 1000, "{first}");
    assert_eq!(nodes(well("bench 3")), first);
}

#[test]
fn play() {
    let file = std::env::temp_dir().join(format!("tabiya-play-{}.pgn", std::process::id()));
    let _ = fs::remove_file(&file);
    let mut game = Tabiya::with_arguments(&["play", "--depth", "2", "--no-book"]);
    game.send("e4\nhint\nNc3\nundo\nnonsense\ne7e5\nflip\nmoves\nresign");
    game.send(&format!("save {0}\nsave {0}\nquit", file.display()));
    let text = game.finish_well().text();
    assert!(text.contains("Tabiya plays 1... "), "{text}");
    assert!(text.contains("I would play 2. "), "{text}");
    assert!(text.contains("\"nonsense\" is neither a move nor a command"), "{text}");
    assert!(text.contains("is not white's"), "{text}");
    assert!(text.contains("The game is over: 0-1 (resignation)"), "{text}");
    assert_eq!(text.matches("Saved to ").count(), 2, "{text}");
    let pgn = fs::read_to_string(&file).unwrap();
    assert!(pgn.contains("[White \"Player\"]\n[Black \"Tabiya "), "{pgn}");
    assert!(pgn.contains("\n1. e4 ") && pgn.ends_with(" 0-1\n\n"), "{pgn}");
    // A file of somebody else's is not overwritten.
    let mut game = Tabiya::with_arguments(&["play", "--depth", "1"]);
    game.send(&format!("save {}", file.display()));
    let text = game.finish_well().text();
    assert!(text.contains("there is a file of this name already"), "{text}");
    assert_eq!(fs::read_to_string(&file).unwrap(), pgn);
    let _ = fs::remove_file(&file);
}

#[test]
fn play_from_other_places() {
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
fn bad_arguments_are_named() {
    assert!(badly("analyse 8/8 w - -").contains("there are 2 ranks (expected 8)"));
    assert!(badly("eval 4k3/8/8/8/8/8/8/4KK2 w - - 0 1").contains("more than one king"));
    assert!(badly("perft").contains("DEPTH"));
    assert!(badly("perft x").contains("invalid value 'x'"));
    assert!(badly("perft 31").contains("0..=30"));
    assert!(badly("perft 2 nonsense").contains("invalid FEN"));
    assert!(badly("analyse --depth 0").contains("--depth"));
    assert!(badly("analyse --movetime soon").contains("not a unit"));
    assert!(badly("analyse --hash 0").contains("from 1 to"));
    assert!(badly("eval --evaluation neural").contains("expected handcrafted or classic"));
    assert!(badly("play --side green").contains("white, black"));
    assert!(badly("play --chess960 960").contains("0..960"));
    assert!(badly("play --fen nonsense").contains("invalid FEN"));
    assert!(badly("bench 0").contains("DEPTH"));
    assert!(badly("pgn annotate .").contains(". is a directory"));
    let illegal = badly("analyse 8/8/8/8/8/8/8/8 w - - 0 1");
    assert_eq!(illegal.matches("white has no king").count(), 1, "{illegal}");
    assert!(badly("nonsense").contains("unrecognized subcommand"));
}

#[test]
fn help_has_examples() {
    for command in ["", "analyse ", "play ", "eval ", "perft ", "bench "] {
        let text = well(&format!("{command}--help"));
        assert!(text.contains("Examples:\n  tabiya"), "{command}: {text}");
    }
    assert!(well("--version").starts_with("tabiya "));
}

#[test]
fn a_reader_that_has_read_enough_is_no_error() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(["perft", "5", "--divide"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tabiya starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn the_log_goes_to_the_standard_error() {
    use std::process::{Command, Stdio};
    let log = |level: &str| {
        let child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .env("TABIYA_LOG", level)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("tabiya starts");
        {
            use std::io::Write;
            let _ = child.stdin.as_ref().map(|mut stdin| stdin.write_all(b"isready\n"));
        }
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", output.status);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "readyok\n", "{level}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(log(""), "");
    assert_eq!(log("error"), "");
    let text = log("debug");
    assert!(text.contains("> \"isready\"") && text.contains("< \"readyok\""), "{text}");
    // A level that cannot be read is named, and the engine plays all the same.
    assert!(log("a=b=c").starts_with("TABIYA_LOG: "));
}

/// A file of our own, gone at the end.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new(name: &str, content: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("tabiya-{}-{name}", std::process::id()));
        fs::write(&path, content).expect("the file can be written");
        Scratch(path)
    }

    fn name(&self) -> String {
        self.0.display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

const GAMES: &str = "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"B\"]\n\n1. e4 e5 2. Ke3 *\n\n\
                     [White \"C\"]\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n";

#[test]
fn games_are_annotated_in_order() {
    let games = Scratch::new("games.pgn", GAMES);
    let output = Scratch::new("annotated.pgn", "");
    let (games, output_name) = (games.name(), output.name());
    let ending = run(&format!("pgn annotate {games} -o {output_name} --nodes 2000 -j 2"));
    assert!(!ending.status.success(), "one of the games is bad");
    assert!(ending.errors.contains("game 2 is left out: bad game, line 7"), "{}", ending.errors);
    assert!(ending.errors.contains("error: 1 game was left out"), "{}", ending.errors);
    let text = fs::read_to_string(&output.0).unwrap();
    let (a, c) = (text.find("[White \"A\"]").unwrap(), text.find("[White \"C\"]").unwrap());
    assert!(a < c && !text.contains("[White \"B\"]"), "{text}");
    assert!(text.contains("[%eval ") && text.contains("Blunder. ") && text.contains("2. g4 $4"), "{text}");
    assert!(text.contains("[Annotator \"Tabiya ") && text.contains("[BlackAccuracy \""), "{text}");
    // The same every time, however many work on it.
    let again = run(&format!("pgn annotate {games} --nodes 2000 -j 1"));
    assert_eq!(again.text().trim_end(), text.trim_end());
    // What it reads is not overwritten.
    let message = badly(&format!("pgn annotate {games} -o {games}"));
    assert!(message.contains("would overwrite"), "{message}");
    assert!(badly("pgn annotate /nowhere.pgn").contains("/nowhere.pgn cannot be read"));
}

#[test]
fn a_book_is_built_and_shown() {
    let games = Scratch::new("book-games.pgn", GAMES);
    let book = Scratch::new("book.bin", "");
    let (games, book_name) = (games.name(), book.name());
    let ending = run(&format!("book build {games} -o {book_name} --min-games 2 --depth 2"));
    assert!(ending.status.success(), "{}", ending.errors);
    assert!(ending.text().starts_with("2 replies from 3 games in "), "{}", ending.text());
    assert!(ending.errors.contains("game 2: bad game"), "{}", ending.errors);
    let text = well(&format!("book show --book {book_name}"));
    assert_eq!(well(&format!("book show {book_name}")), text);
    assert!(text.contains("1. e4") && text.contains("100.0 %"), "{text}");
    assert!(well("book show").contains("1. d4"));
    let strict = run(&format!("book build {games} -o {book_name} --min-games 9"));
    assert!(!strict.status.success() && strict.errors.contains("smaller --min-games"), "{}", strict.errors);
    assert!(badly(&format!("book show --book {games}.bin")).contains("cannot be read"));
}

#[test]
fn suites_are_solved() {
    let suite = Scratch::new(
        "suite.epd",
        "# mates\n7k/8/5K2/6Q1/8/8/8/8 w - - bm Qg7#; id \"one\";\n\n7k/8/5K2/8/8/8/8/6Q1 w - - am Qg7#;\n",
    );
    let text = well(&format!("epd {} --depth 3", suite.name()));
    assert!(text.contains("solved  one ") && text.contains("\n1 of 2 solved"), "{text}");
    assert!(text.contains("avoid Qg7#"), "{text}");
    assert!(badly("epd /nowhere.epd").contains("cannot be read"));
}

#[test]
fn shells_and_manuals() {
    assert!(well("completions bash").contains("_tabiya"));
    for shell in ["zsh", "fish", "powershell", "elvish"] {
        assert!(well(&format!("completions {shell}")).contains("tabiya"), "{shell}");
    }
    assert!(badly("completions nonsense").contains("possible values"));
    let page = well("man");
    assert!(page.contains(".TH tabiya 1") && page.contains("annotate"), "{page}");
}

#[test]
fn play_has_a_book() {
    let mut game = Tabiya::with_arguments(&["play", "--side", "black", "--depth", "1"]);
    game.send("fen");
    let text = game.finish_well().text();
    let moves = ["1. e4", "1. d4", "1. c4", "1. Nf3"];
    assert!(moves.iter().any(|mv| text.contains(&format!("Tabiya plays {mv}"))), "{text}");
}
