//! The terminal commands.

use crate::folder::Folder;
use crate::network::random_network;
use crate::process::{Exit, Tabiya};
use std::fs;

fn run(arguments: &str) -> Exit {
    Tabiya::run(&arguments.split(' ').collect::<Vec<_>>())
}

/// Runs a command that must succeed and returns its output.
fn succeed(arguments: &str) -> String {
    let exit = run(arguments);
    assert_eq!(exit.errors, "", "{arguments}");
    exit.success()
}

/// Runs a command that must fail and returns the error message.
pub(crate) fn fail(arguments: &str) -> String {
    let errors = run(arguments).failure();
    assert!(errors.starts_with("error: "), "{arguments}: {errors}");
    errors
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn analyse() {
    let text = succeed("analyse --depth 4");
    assert!(text.contains(" | R | N | B | Q | K | B | N | R | 1"), "{text}");
    assert!(text.contains("depth    score"), "{text}");
    assert!(text.contains("\n    4 "), "{text}");
    assert!(text.contains("\nBest move: 1. "), "{text}");
    // A FEN quoted, in fields, and with options around it.
    for arguments in [
        format!("analyse {KIWIPETE} --depth 2"),
        format!("analyse --depth 2 {KIWIPETE}"),
        format!("analyze --nodes 500 {KIWIPETE} --movetime 10s --hash 1 --symbols --evaluation classic"),
    ] {
        assert!(succeed(&arguments).contains(KIWIPETE), "{arguments}");
    }
    let quoted = Tabiya::run(&["analyse", KIWIPETE, "--movetime", "50ms"]);
    assert!(quoted.status.success(), "{}", quoted.errors);
    // Scores are from White's point of view.
    let text = succeed("analyse 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1 --depth 10");
    assert!(text.contains("#1 ") && text.contains("1... Kh"), "{text}");
    let text = succeed("analyse 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert!(text.contains("The game is over: 1/2-1/2 (stalemate)"), "{text}");
    // The rules count more than the result that the file gives.
    let folder = Folder::with_games("1. f3 e5 2. g4 Qh4# 1-0\n");
    let exit = folder.run("analyse games.pgn");
    assert!(exit.text().ends_with("The game is over: 0-1 (checkmate)"), "{}", exit.text());
    let note = "games.pgn, game 1: the file says \"1-0\", but the game ends 0-1 (checkmate)\n";
    assert_eq!(exit.errors, note);
}

#[test]
fn analyse_prints_several_lines_and_json() {
    let text = succeed("analyse --depth 4 --multipv 3 --threads 2");
    assert!(text.contains("  # depth    score"), "{text}");
    for row in ["\n  1     4 ", "\n  2     4 ", "\n  3     4 "] {
        assert!(text.contains(row), "{row:?} in {text}");
    }
    assert!(!text.contains('\u{1b}'), "no colours without a terminal: {text:?}");
    let text = succeed("analyse --depth 2 --multipv 2 --json");
    assert!(text.contains("\"multipv\":2"), "{text}");
    // Scores in JSON are from White's point of view, too.
    let text = succeed("analyse --depth 8 --multipv 2 --json 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1");
    let objects: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, infos) = objects.split_last().unwrap();
    assert!(objects.iter().all(|object| !object["pv"].is_null() && !object["san"].is_null()), "{text}");
    let info = infos.last().unwrap();
    assert_eq!((&info["depth"], &info["bound"]), (&8.into(), &"exact".into()), "{info}");
    assert_eq!((&info["score"]["mate"], &info["wdl"]["win"]), (&1.into(), &1000.into()), "{info}");
    assert!(last["best"]["uci"].as_str().is_some_and(|uci| uci.starts_with("h8")), "{last}");
    assert!(last["best"]["san"].as_str().is_some_and(|san| san.starts_with('K')), "{last}");
    let text = succeed("analyse --json 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap()["outcome"], "1/2-1/2 (stalemate)");
}

#[test]
fn analyse_says_why() {
    let fork = "8/5p1k/7p/3N4/4r3/6P1/5PKP/8 w - - 0 1 --depth 8";
    let text = succeed(&format!("analyse {fork}"));
    assert!(text.contains("\nNf6+ forks the rook on e4 and the king on h7 and wins a rook."), "{text}");
    let text = succeed(&format!("analyse {fork} --why-not Nc3"));
    let why = text.lines().last().unwrap();
    assert!(
        why.starts_with("Nc3 is a ") && why.contains(". Misses a gain of material. Nf6+, which "),
        "{text}"
    );
    let text = succeed(&format!("analyse {fork} --json --why-not d5c3"));
    let objects: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [.., best, why] = &objects[..] else { panic!("{text}") };
    assert_eq!(
        (&best["purpose"]["kind"], &best["purpose"]["winnings"]),
        (&"wins-material".into(), &"rook".into())
    );
    assert_eq!((&why["why_not"], &why["reason"]["fault"]["kind"]), (&"Nc3".into(), &"misses-gain".into()));
    // One of the mates is the best move, and the other is compared with it: the game has a result then, and no score.
    let mates = |options: &str| {
        ["Ra1", "Rb1"].map(|mv| {
            let position = "rr4k1/8/8/8/8/8/5PPP/6K1 b - - 0 1 --depth 4";
            succeed(&format!("analyse {position} --why-not {mv}{options}")).lines().last().unwrap().to_owned()
        })
    };
    let texts = mates("");
    assert!(texts.iter().any(|text| text.ends_with("1# is no mistake (0-1).")), "{texts:?}");
    let is_outcome = |text: &String| {
        let why: serde_json::Value = serde_json::from_str(text).unwrap();
        why["score"].is_null() && why["outcome"] == "0-1 (checkmate)"
    };
    assert!(mates(" --json").iter().all(is_outcome));
    let text = succeed(&format!("analyse {fork} --why-not Nf6+"));
    assert!(text.trim_end().ends_with("\nNf6+ is the best move."), "{text}");
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy");
    let text = succeed(&format!(
        "analyse 4k3/8/4K3/4P3/8/8/8/8 w - - 0 1 --nodes 2000 --syzygy {tables} --why-not Kd5"
    ));
    let why = "Kd5 is a blunder (+0.00). Throws away a win: by tablebase the position is drawn now. ";
    assert!(text.contains("by tablebase.\n") && text.contains(why), "{text}");
    assert!(fail("analyse --depth 1 --why-not e5").contains("--why-not e5: "));
    assert!(fail("analyse --infinite --why-not e4").contains("--infinite"));
}

#[test]
fn analyse_positions_of_games() {
    let folder = Folder::new();
    let name = folder.write("games.pgn", "[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 2. g4 *\n\n1. e4 c5 *\n");
    let text = succeed(&format!("analyse {name} --game 1 --depth 3"));
    assert!(text.starts_with("A - B, after 2. g4\n\n +---"), "{text}");
    assert!(text.contains("|( )|") && text.contains("Best move: 2... Qh4#"), "{text}");
    // The best move is marked on the second board.
    assert!(text.contains("|(q)|"), "{text}");
    let text = succeed(&format!("analyse {name} --game 1 --ply 1 --depth 1"));
    assert!(text.starts_with("A - B, after 1. f3\n") && text.contains("Best move: 1... "), "{text}");
    assert!(fail(&format!("analyse {name}")).contains("more than one game: choose one by --game"));
    assert!(fail(&format!("analyse {name} --game 2 --ply 9")).contains("only 2 half-moves"));
    assert!(fail(&format!("analyse {name} --game 0")).contains("expected a whole number from 1"));
    assert!(fail("analyse --ply 9").contains("need a PGN file"));
    for file in ["nowhere.pgn", "/nowhere/game", "./nowhere"] {
        assert!(fail(&format!("analyse {file}")).contains(&format!("{file} cannot be read: ")), "{file}");
    }
    let directory = folder.name("");
    assert!(fail(&format!("analyse {directory}")).contains("cannot be read: it is a directory"));
    #[cfg(unix)]
    {
        let pipe = folder.make_pipe("pipe");
        let game = pipe.clone();
        let writer = std::thread::spawn(move || fs::write(game, "[White \"C\"]\n\n1. d4 *\n"));
        let text = succeed(&format!("analyse {} --depth 1", pipe.display()));
        assert!(text.starts_with("C - ?, after 1. d4\n"), "{text}");
        writer.join().unwrap().unwrap();
    }
    let text = succeed(&format!("analyse {name} --game 2 --json --depth 1"));
    assert!(text.lines().all(|line| line.starts_with('{')), "{text}");
}

#[test]
fn analyse_writes_a_page() {
    let folder = Folder::new();
    let game = folder.write("game.pgn", "[White \"Ann\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    let page = folder.name("page.html");
    let analyse = format!("analyse {game} --ply 3 --depth 3 --multipv 2 --html {page}");
    assert!(succeed(&analyse).contains("Best move: 2... Qh4#"));
    let report = |text: String| -> serde_json::Value {
        let data = text.split("application/json\">").nth(1).unwrap().split("</script>").next().unwrap();
        serde_json::from_str(data).unwrap()
    };
    let written = report(folder.read("page.html"));
    assert_eq!(
        (&written["title"], &written["games"][0]["analysis"]["node"]),
        (&"game.pgn".into(), &3.into())
    );
    let lines = written["games"][0]["analysis"]["lines"].as_array().unwrap();
    // The best move is the one of the game, so that its node is in the game.
    assert_eq!((lines.len(), &lines[0]["nodes"][0], &lines[0]["eval"]["mate"]), (2, &4.into(), &(-1).into()));
    assert!(fail(&analyse).contains("the file exists (--force overwrites it)"));
    // Standard input has no name, and the game keeps its number.
    let arguments = format!("analyse - --game 2 --depth 1 --html {page} --force");
    let mut of_input = Tabiya::with_arguments(&arguments.split(' ').collect::<Vec<_>>());
    of_input.send("1. e4 *\n\n1. d4 *");
    of_input.finish_well();
    let written = report(folder.read("page.html"));
    assert_eq!((&written["title"], &written["games"][0]["number"]), (&"Analysis".into(), &2.into()));
    // A game that is over has no lines.
    succeed(&format!("analyse {game} --html {page} --force"));
    assert_eq!(report(folder.read("page.html"))["games"][0]["analysis"]["lines"], serde_json::json!([]));
    // Moves of the command line are the game.
    succeed(&format!("analyse e4 e5 Nf3 --depth 1 --html {page} --force"));
    assert_eq!(report(folder.read("page.html"))["games"][0]["analysis"]["node"], 3);
    assert!(fail(&format!("analyse --depth 1 --html {game}")).contains("the file exists"));
    assert!(fail(&format!("analyse {game} --html {game} --force")).contains(&game));
}

#[test]
fn analyse_uses_tablebases() {
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy");
    let text = succeed(&format!("analyse --depth 2 --syzygy {tables} 8/8/8/8/8/2k5/8/KBN5 w - - 0 1"));
    assert!(text.contains("found tablebases of up to 4 pieces: 19 WDL, 17 DTZ\n"), "{text}");
    let json = run(&format!("analyse --depth 1 --json --syzygy {tables}"));
    assert!(json.lines.iter().all(|line| line.starts_with('{')), "{}", json.text());
    assert!(json.errors.starts_with("found tablebases"), "{}", json.errors);
    assert!(fail("analyse --syzygy /nowhere").contains("/nowhere"));
    assert!(fail("analyse --multipv 0").contains("1..=256"));
    assert!(fail("book build games.pgn -o book.bin --depth 0").contains("1.."));
}

#[test]
fn perft() {
    let text = succeed("perft 4");
    assert!(text.starts_with("Nodes searched: 197281\n"), "{text}");
    let text = succeed(&format!("perft 3 --divide {KIWIPETE}"));
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
    let text = succeed("eval");
    assert!(text.contains("white to move"), "{text}");
    let text = succeed(&format!("eval --evaluation classic {KIWIPETE}"));
    assert!(text.contains("value for side to move"), "{text}");
    for evaluation in ["handcrafted", "classic"] {
        let text = succeed(&format!("eval --json --evaluation {evaluation} {KIWIPETE}"));
        let data: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(data["fen"], KIWIPETE);
        assert_eq!(data["evaluation"], evaluation);
        assert_eq!(data["value"], data["white_value"]);
        assert!(data["value"].is_i64());
    }
}

#[test]
fn commands_use_the_network_of_a_file() {
    let folder = Folder::new();
    let file = format!("--eval-file {}", folder.write("random.nnue", random_network(1)));
    let text = succeed(&format!("eval {file} {KIWIPETE}"));
    assert!(text.contains("Network (768x1hm -> 64)x2 -> 1x2\nrandom, seed 1\n"), "{text}");
    assert!(text.contains("+-------+") && text.contains("<- in use"), "{text}");
    let json = succeed(&format!("eval --json --evaluation nnue {file} {KIWIPETE}"));
    let data: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(data["evaluation"], "nnue");
    assert_eq!(data["network"]["hidden"], 64);
    assert_eq!(data["pieces"].as_array().map(Vec::len), Some(32));
    assert_eq!(data["white_bucket_values"][1], data["white_value"]);
    let with_network = succeed(&format!("bench 3 {file}"));
    let nodes = |text: &str| text.lines().last().and_then(|line| line.split(' ').next()).map(str::to_owned);
    assert_ne!(nodes(&with_network), nodes(&succeed("bench 3 --evaluation classic")));
    let analysis = format!("analyse --depth 5 --hash 1 {file} {KIWIPETE}");
    assert_ne!(succeed(&analysis), succeed(&format!("analyse --depth 5 --hash 1 {KIWIPETE}")));
    assert!(fail(&format!("eval --evaluation classic {file}")).contains("--eval-file has no effect"));

    folder.write("random.nnue", "not a network");
    let message = format!("error: the network {}: not a Tabiya network", folder.name("random.nnue"));
    for command in ["eval", "bench 3", "analyse", "play"] {
        let error = fail(&format!("{command} {file}"));
        assert!(error.starts_with(&message), "{error}");
    }
}

#[test]
fn bench_ends_with_its_node_count() {
    let nodes = |text: String| {
        let last = text.lines().last().unwrap_or_default().to_owned();
        let tokens: Vec<&str> = last.split(' ').collect();
        let [nodes, "nodes", nps, "nps"] = tokens[..] else { panic!("{last}") };
        assert!(nps.parse::<u64>().is_ok(), "{last}");
        nodes.parse::<u64>().unwrap()
    };
    let first = nodes(succeed("bench 3"));
    assert!(first > 1000, "{first}");
    assert_eq!(nodes(succeed("bench 3")), first);
}

#[test]
fn reports_bad_arguments() {
    assert!(fail("analyse 8/8 w - -").contains("there are 2 ranks (expected 8)"));
    assert!(fail("eval 4k3/8/8/8/8/8/8/4KK2 w - - 0 1").contains("more than one king"));
    assert!(fail("perft").contains("DEPTH"));
    assert!(fail("perft x").contains("invalid value 'x'"));
    assert!(fail("perft 31").contains("0..=30"));
    assert!(fail("perft 2 nonsense").contains("neither a position"));
    assert!(fail("analyse --depth 0").contains("--depth"));
    assert!(fail("analyse --movetime soon").contains("unknown unit"));
    assert!(fail("analyse --hash 0").contains("from 1 to"));
    assert!(fail("eval --evaluation neural").contains("nnue, handcrafted, classic"));
    assert!(fail("play --side green").contains("white, black"));
    assert!(fail("play --chess960 960").contains("0..=959"));
    assert!(fail("play --fen nonsense").contains("neither a position"));
    assert!(fail("bench 0").contains("DEPTH"));
    assert!(fail("pgn annotate .").contains(". cannot be read: it is a directory"));
    assert!(fail("pgn annotate games.pgn -j 1025").contains("1..=1024"));
    let illegal = fail("analyse 8/8/8/8/8/8/8/8 w - - 0 1");
    assert_eq!(illegal.matches("white has no king").count(), 1, "{illegal}");
    assert!(fail("nonsense").contains("unrecognized subcommand"));
}

#[test]
fn help_has_examples() {
    for command in ["", "analyse ", "pgn annotate "] {
        let text = succeed(&format!("{command}--help"));
        assert!(text.contains("Examples:\n  tabiya"), "{command}: {text}");
    }
    assert!(succeed("--version").starts_with("tabiya "));
}

#[test]
fn closed_output_is_not_an_error() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(["perft", "5", "--divide"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("start tabiya");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("exited");
    assert!(output.status.success(), "{}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn logs_to_standard_error() {
    use std::process::{Command, Stdio};
    let log = |level: &str| {
        let child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .env("TABIYA_LOG", level)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("start tabiya");
        {
            use std::io::Write;
            let _ = child.stdin.as_ref().map(|mut stdin| stdin.write_all(b"isready\n"));
        }
        let output = child.wait_with_output().expect("exited");
        assert!(output.status.success(), "{}", output.status);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "readyok\n", "{level}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(log(""), "");
    assert_eq!(log("error"), "");
    let text = log("debug");
    assert!(text.contains("> \"isready\"") && text.contains("< \"readyok\""), "{text}");
    // A bad filter is reported, and the engine runs without a log.
    assert!(log("a=b=c").starts_with("TABIYA_LOG: "));
}

const GAMES: &str = "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"B\"]\n\n1. e4 e5 2. Ke3 *\n\n\
                     [White \"C\"]\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n";

#[test]
fn annotates_games_in_order() {
    let folder = Folder::new();
    let games = folder.write("games.pgn", GAMES);
    let output = folder.write("annotated.pgn", "");
    let errors = run(&format!("pgn annotate {games} -o {output} --force --nodes 2000 -j 2")).failure();
    assert!(errors.contains("game 2: invalid game, line 7, column 13: 2. Ke3 cannot"), "{errors}");
    assert!(errors.ends_with("error: shortened 1 game\n"), "{errors}");
    let text = folder.read("annotated.pgn");
    let [a, b, c] = ["A", "B", "C"].map(|name| text.find(&format!("[White \"{name}\"]")).unwrap());
    assert!(a < b && b < c, "{text}");
    // A line may end between the command and its value.
    assert!(text.replace('\n', " ").contains("[%eval #-1] "), "the mate after 2. g4: {text}");
    assert!(text.contains("[Annotator \"Tabiya ") && text.contains("[BlackAccuracy \""), "{text}");
    // The result does not depend on the number of jobs.
    let again = run(&format!("pgn annotate {games} --nodes 2000 -j 1"));
    assert_eq!(again.text().trim_end(), text.trim_end());
    assert!(fail("pgn annotate /nowhere.pgn").contains("/nowhere.pgn cannot be read"));
    // Without a valid game there is nothing to write.
    let invalid = folder.write("invalid.pgn", "[FEN \"8/8 w - -\"]\n\n1. e5 *\n");
    run(&format!("pgn annotate {invalid} -o {} --nodes 100", folder.name("nothing.pgn"))).failure();
    assert!(!folder.path("nothing.pgn").exists());
    assert!(
        fail(&format!("pgn annotate {games} -o - --nodes 100"))
            .contains("use /dev/stdout for standard output")
    );
}

#[test]
fn annotates_games_with_unknown_tokens() {
    let exit = run("pgn annotate ../../tests/data/pgn/faults/unknown-tokens.pgn --nodes 100 --no-lines");
    assert!(exit.status.success() && exit.errors.contains("annotated 5 games, 31 moves"), "{}", exit.errors);
    assert!(!exit.errors.contains("game 2"), "{}", exit.errors);
    for warning in [
        "game 1: invalid game, line 6, column 64, at \"!!!\": invalid glyph",
        "game 3: invalid game, line 20, column 27: 2... Nf5 cannot be played",
        "game 4: invalid game, line 27, column 31, at \"∆\": unexpected text",
        "game 4: invalid game, line 27, column 46, at \"→\": unexpected text",
        "game 5: invalid game, line 30, column 1, at \"[White\": a tag must have the form",
    ] {
        assert!(exit.errors.contains(warning), "{warning} in {}", exit.errors);
    }
}

#[test]
fn builds_and_shows_a_book() {
    let folder = Folder::new();
    let (games, book) = (folder.write("games.pgn", GAMES), folder.write("book.bin", ""));
    let exit = run(&format!("book build {games} -o {book} --force --min-games 2 --depth 2"));
    assert!(exit.status.success(), "{}", exit.errors);
    assert!(exit.text().starts_with("wrote 2 moves from 3 games to "), "{}", exit.text());
    assert!(exit.errors.contains("game 2: "), "{}", exit.errors);
    assert!(exit.errors.ends_with("; the moves from there on are left out\n"), "{}", exit.errors);
    let text = succeed(&format!("book show --book {book}"));
    assert_eq!(succeed(&format!("book show {book}")), text);
    assert!(text.contains("1. e4") && text.contains("100.0 %"), "{text}");
    assert!(succeed("book show").contains("1. d4"));
    let mut builder =
        Tabiya::with_arguments(&["book", "build", "-", "--force", "--min-games", "1", "-o", &book]);
    builder.send("1. c4 1-0");
    assert!(builder.finish_well().text().starts_with("wrote 1 move from 1 game to "));
    let mixed = folder.write("mixed", "1. e4 *\n\n[FEN \"4k3/8/8/8/8/8/8/4K1R1 w G - 0 1\"]\n\n1. Rg2 *");
    let exit = run(&format!("book build {mixed} -o {book} --force --min-games 1"));
    assert!(
        exit.errors.starts_with("left out 1 game of Chess960") && exit.status.success(),
        "{}",
        exit.errors
    );
    let empty = fail(&format!("book build {mixed} -o {book} --force --min-games 2"));
    assert_eq!(empty, "error: there is only one game (--min-games 2)\n");
    for arguments in [&format!("--book {games}.bin"), "nosuch.bin", "./nosuch", "/nowhere/nosuch"] {
        assert!(fail(&format!("book show {arguments}")).contains("cannot read the book"), "{arguments}");
    }
}

#[test]
fn solves_suites() {
    let folder = Folder::new();
    let suite = folder.write(
        "suite.epd",
        "# mates\n7k/8/5K2/6Q1/8/8/8/8 w - - bm Qg7#; id \"one\";\n\n7k/8/5K2/8/8/8/8/6Q1 w - - am Qg7#;\n",
    );
    let text = succeed(&format!("epd {suite} --depth 3"));
    assert!(text.contains("solved  one ") && text.contains("\n1 of 2 solved"), "{text}");
    assert!(text.contains("avoid Qg7#"), "{text}");
    assert!(fail("epd /nowhere.epd").contains("cannot be read"));
    // A line in Latin-1, as old suites have, does not change one in UTF-8.
    let mate = "7k/8/5K2/6Q1/8/8/8/8 w - - bm Qg7#; id \"R\u{e9}ti\";\n".to_owned();
    let latin_1: Vec<u8> = mate.chars().map(|c| c as u8).collect();
    let suite = folder.write("latin-1.epd", [latin_1.as_slice(), mate.as_bytes()].concat());
    assert_eq!(succeed(&format!("epd {suite} --depth 3")).matches("solved  R\u{e9}ti ").count(), 2);
    let mut solver = Tabiya::with_arguments(&["epd", "-", "--depth", "3"]);
    solver.send("7k/8/5K2/6Q1/8/8/8/8 w - - bm Qg7#;");
    assert!(solver.finish_well().text().contains("\n1 of 1 solved"));
    // Errors are found before the first search.
    let bad = folder
        .write("bad.epd", "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8;\nR5k1/5ppp/8/8/8/8/8/6K1 b - - bm Kh8;\n");
    let exit = run(&format!("epd {bad} --depth 3"));
    assert!(!exit.status.success() && exit.text().is_empty(), "{}", exit.text());
    assert!(
        exit.errors.contains("line 2") && exit.errors.contains("Kh8 is not a legal move"),
        "{}",
        exit.errors
    );
}

#[test]
fn prints_completions_and_manual() {
    assert!(succeed("completions bash").contains("_tabiya"));
    for shell in ["zsh", "fish", "powershell", "elvish"] {
        assert!(succeed(&format!("completions {shell}")).contains("tabiya"), "{shell}");
    }
    assert!(fail("completions nonsense").contains("possible values"));
    let page = succeed("man");
    assert!(page.contains(".TH tabiya 1") && page.contains("annotate"), "{page}");
    // The options of a program that `tabiya web` starts.
    assert!(succeed("completions bash").contains("--allow-host"));
    let folder = Folder::new();
    succeed(&format!("man --dir {}", folder.path("man").display()));
    assert_eq!(folder.read("man/tabiya.1").trim_end(), page.trim_end());
    assert!(!page.contains("help(1)"), "{page}");
    let page = folder.read("man/tabiya-web.1");
    assert!(page.contains(r"\-\-allow\-host\fR \fI<NAME>"), "{page}");
}

/// A folder with the program, for what depends on the files beside it.
#[cfg(unix)]
fn folder_with_program() -> (Folder, std::path::PathBuf) {
    let folder = Folder::new();
    let program = folder.path("tabiya");
    fs::copy(env!("CARGO_BIN_EXE_tabiya"), &program).unwrap();
    (folder, program)
}

#[test]
fn errors_of_positions_are_one_line() {
    for (arguments, expected) in [
        (
            "analyse e9",
            "neither a position nor moves (expected a FEN, such as 4k3/8/8/8/8/8/8/4K2R w K - 0 1, or moves",
        ),
        ("eval rnbqkbnr/ppp", "invalid FEN, piece placement, byte 12: rank 7 has 3 files (expected 8)"),
        ("perft 3 8/8/8/8/8/8/8/8 w - - 0 1", "illegal position: white has no king"),
        ("play --fen 4k3/8/8/8/8/8/4P3/4K3 x", "invalid FEN, side to move, byte 22: expected w or b"),
        ("analyse nowhere.pgn", "nowhere.pgn cannot be read: "),
    ] {
        let error = fail(arguments);
        assert!(error.starts_with(&format!("error: {expected}")), "{arguments}: {error}");
        assert_eq!(error.lines().count(), 1, "{arguments}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn web_starts_the_program_beside_it_or_on_path() {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    let (folder, program) = folder_with_program();
    let web = |arguments: &[&str], path: &std::path::Path| {
        let output = Command::new(&program).arg("web").args(arguments).env("PATH", path).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let nowhere = folder.path("nowhere");
    let (code, _, errors) = web(&[], &nowhere);
    assert_eq!(code, Some(1));
    assert!(errors.starts_with("error: tabiya-web, the program with the page, is neither"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    let write = |path: &std::path::Path, name: &str| {
        fs::write(path, format!("#!/bin/sh\necho {name} \"$@\"\nexit 7\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    let path = folder.path("path");
    fs::create_dir(&path).unwrap();
    write(&path.join("tabiya-web"), "found");
    assert_eq!(web(&["--port", "0", "a b"], &path), (Some(7), "found --port 0 a b\n".into(), String::new()));
    write(&folder.path("tabiya-web"), "neighbour");
    assert_eq!(web(&["--help"], &path), (Some(7), "neighbour --help\n".into(), String::new()));
}

#[cfg(unix)]
#[test]
fn examples_of_completions_work_in_a_new_home() {
    let (folder, program) = folder_with_program();
    let home = folder.path("home");
    fs::create_dir(&home).unwrap();
    let help = succeed("completions --help");
    let examples = help.lines().filter(|line| line.contains("mkdir -p"));
    for example in examples {
        let status = std::process::Command::new("sh")
            .args(["-c", example])
            .env("HOME", &home)
            .env(
                "PATH",
                std::env::join_paths([program.parent().unwrap(), "/usr/bin".as_ref(), "/bin".as_ref()])
                    .unwrap(),
            )
            .status();
        assert!(status.unwrap().success(), "{example}");
    }
    for file in [
        ".local/share/bash-completion/completions/tabiya",
        ".zfunc/_tabiya",
        ".config/fish/completions/tabiya.fish",
    ] {
        assert!(fs::metadata(home.join(file)).unwrap().len() > 1000, "{file}");
    }
}

#[test]
fn help_has_examples_of_protocol_commands() {
    let help = succeed("--help");
    assert!(help.contains("tabiya \"go depth 5\" quit"), "{help}");
    assert!(help.contains("tabiya web"), "{help}");
}
