//! Results and reports of complete matches.

use crate::fixture::{FAKE, MATCHES, RANDOM, TestFolder, assert_success, replay, stderr, stdout, wait_until};
use serde_json::Value;
use std::io::Write as _;
use std::process::{Command, Stdio};

#[test]
fn match_writes_games_and_reports() {
    let folder = TestFolder::new();
    let output = folder.selfplay(&RANDOM, "run", "--games 12 --max-moves 60 --concurrency 2");
    assert_success(&output);
    assert!(stdout(&output).contains("a vs b\n  Games   12:"), "{}", stdout(&output));

    let plies = replay(&folder.path("run/games.pgn"));
    let mut written: Vec<usize> =
        folder.games("run").iter().map(|game| game["plies"].as_u64().unwrap() as usize).collect();
    assert_eq!(written.len(), 12);
    assert_eq!(plies, written);
    written.sort_unstable();
    assert!(written.last() <= Some(&120));

    let report = folder.json("run/report.json");
    let pairing = &report["summary"]["pairings"][0];
    let pairs: u64 = pairing["ptnml"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(pairs, 6);
    let page = std::fs::read_to_string(folder.path("run/report.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("Depth by move") && page.ends_with("</html>\n"));
    assert!(!page.contains("http-equiv") && !page.contains("src="), "the page loads external resources");
    assert_eq!(folder.running_engines(), 0);
}

#[test]
fn same_seed_gives_the_same_games() {
    let folder = TestFolder::new();
    for (out, seed) in [("one", 7), ("two", 7), ("three", 8)] {
        let arguments = format!("--games 6 --reproducible --concurrency 1 --max-moves 40 --seed {seed}");
        assert_success(&folder.selfplay(&RANDOM, out, &arguments));
    }
    let games = |out: &str| std::fs::read(folder.path(out).join("games.pgn")).unwrap();
    assert!(games("one") == games("two"));
    assert!(games("one") != games("three"));
    let text = String::from_utf8(games("one")).unwrap();
    assert!(text.contains("[Date \"????.??.??\"]"), "{text}");
}

#[test]
fn sprt_stops_the_match() {
    let folder = TestFolder::new();
    // The second engine loses every game by an illegal move.
    let engines = [("a", "random"), ("b", "illegal at=3")];
    let output = folder.selfplay(&engines, "run", "--sprt 0 50 --concurrency 1 --nodes 10");
    assert_success(&output);
    assert!(stdout(&output).contains("H1 accepted"), "{}", stdout(&output));
    let games = folder.games("run").len();
    assert!((10..200).contains(&games), "{games}");
    let sprt = folder.json("run/report.json")["summary"]["pairings"][0]["sprt"].clone();
    assert!(sprt["llr"].as_f64().unwrap() >= sprt["upper"].as_f64().unwrap(), "{sprt}");
    assert!(folder.path("run/report.html").exists());
}

#[test]
fn spsa_says_when_the_parameters_do_nothing() {
    let folder = TestFolder::new();
    let arguments = "Style --games 20 --nodes 1 --max-moves 20 --concurrency 1";
    let output = folder.command("spsa", &[("a", "random")], "run", arguments).output().unwrap();
    assert_success(&output);
    let message = "all pairs tie because the parameters do nothing: both games of each of the first 8 pairs";
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
    assert!(stdout(&output).contains("No parameter has moved"), "{}", stdout(&output));
}

#[test]
fn spsa_reads_the_lines_that_an_engine_prints() {
    let folder = TestFolder::new();
    let arguments = "--parameters - --games 2 --nodes 1 --max-moves 20 --concurrency 1";
    let mut command = folder.command("spsa", &[("a", "random")], "run", arguments);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"Style, int, 10, 2, 18, 3, 0.002\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_success(&output);
    let parameter = &folder.json("run/spsa.json")["schedule"]["parameters"][0];
    assert_eq!((&parameter["name"], &parameter["c_end"]), (&Value::from("Style"), &Value::from(3.0)));
}

#[test]
fn running_matches_are_watched() {
    let folder = TestFolder::new();
    let arguments = "--sprt 0 5 --nodes 1 --max-moves 20 --concurrency 1";
    let mut playing = folder.command("selfplay", &RANDOM, "all/run", arguments).spawn().unwrap();
    wait_until("some games", || {
        folder.path("all/run/games.jsonl").metadata().is_ok_and(|file| file.len() > 2000)
    });
    let report = |arguments: &[&str]| {
        Command::new(MATCHES)
            .args(["report", "all"])
            .args(arguments)
            .current_dir(folder.root())
            .output()
            .unwrap()
    };
    assert_success(&report(&[]));
    let page = std::fs::read_to_string(folder.path("all/index.html")).unwrap();
    for part in ["Running: Self-play: a - b", "Log-likelihood ratio", "Ptnml", "nodes/s"] {
        assert!(page.contains(part), "{part}");
    }
    playing.kill().unwrap();
    playing.wait().unwrap();
    // Ends, since nothing is played any more.
    let output = report(&["--watch"]);
    assert_success(&output);
    assert!(stdout(&output).contains("no match is being played"), "{}", stdout(&output));
    assert!(std::fs::read_to_string(folder.path("all/index.html")).unwrap().contains("(interrupted)"));
}

#[test]
fn adjudicates_wins_and_draws() {
    let folder = TestFolder::new();
    let engines = [("a", "random score=700"), ("b", "random score=-700")];
    assert_success(&folder.selfplay(&engines, "won", "--games 2 --resign 3,600 --book chess960"));
    for game in folder.games("won") {
        assert_eq!(game["reason"], "win-adjudication");
        assert_eq!(game["plies"], 6);
        assert_eq!(game["result"], if game["white"] == "a" { "1-0" } else { "0-1" });
    }
    let engines = [("a", "random score=7"), ("b", "random score=-7")];
    assert_success(&folder.selfplay(&engines, "drawn", "--games 2 --draw 8,2,10"));
    for game in folder.games("drawn") {
        assert_eq!((&game["reason"], &game["result"]), (&"draw-adjudication".into(), &"1/2-1/2".into()));
    }
}

/// The example commands of fastchess's README and manual, and its shortcuts for a match and for a test of an engine. Each is refused with
/// ours, which runs; here with engines of the tests and two games.
#[test]
fn arguments_of_fastchess_are_answered_with_ours() {
    const README: &str = "fastchess.exe -engine cmd=Engine1.exe name=Engine1 -engine cmd=Engine2.exe
        name=Engine2 -each tc=10+0.1 -rounds 200 -repeat -concurrency 4";
    const QUICK: &str = "-quick cmd=Engine1.exe cmd=Engine2.exe book=book.epd";
    const MANUAL: &str = "fastchess -engine cmd=Engine1.exe name=Engine1 -engine cmd=Engine2.exe
        name=Engine2 -openings file=book.epd format=epd order=random
        -each tc=60+0.6 option.Hash=64 -rounds 200 -repeat -concurrency 4";
    const MANUAL_SPRT: &str = "fastchess
        -engine cmd=Engine1.exe name=Engine1 option.Threads=1 nodes=2000000
        -engine cmd=Engine2.exe name=Engine2 option.Threads=2 nodes=1000000
        -openings file=book.epd format=epd order=random
        -each tc=300+5 -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20
        -sprt elo0=0 elo1=2 alpha=0.05 beta=0.05
        -rounds 100000 -concurrency 3 -pgnout notation=san nodes=true file=./games/sprt.pgn";
    let folder = TestFolder::new();
    std::fs::write(folder.path("book.epd"), "4k3/8/8/8/8/8/8/4K2R w K -\n8/8/4k3/8/8/4K3/4P3/8 w - -\n")
        .unwrap();
    for (number, example) in [README, QUICK, MANUAL, MANUAL_SPRT].into_iter().enumerate() {
        let command =
            |word: &str| if word.starts_with("cmd=") { format!("cmd={FAKE}") } else { word.to_owned() };
        let foreign: Vec<String> = example.split_whitespace().map(command).collect();
        let output = folder.command("selfplay", &[], "refused", "").args(&foreign).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("cargo xtask selfplay \\\n"), "{}", stderr(&output));
        let translation = tabiya_matches::fastchess::translate(&foreign).unwrap();
        let mut arguments: Vec<&str> = translation.arguments();
        let games = arguments.iter().position(|&argument| argument == "--games").unwrap() + 1;
        arguments[games] = "2";
        let out = format!("run{number}");
        let output =
            folder.command(arguments[0], &[], &out, "--max-moves 5").args(&arguments[1..]).output().unwrap();
        assert_success(&output);
        assert_eq!(folder.games(&out).len(), 2, "{example}");
    }
    assert!(!folder.path("refused").exists());

    let foreign = ["./fastchess", "--compliance", FAKE, "random"];
    let output = folder.command("selfplay", &[], "refused", "").args(foreign).output().unwrap();
    let ours = format!("cargo xtask conformance '{FAKE} random'\n");
    assert!(stderr(&output).contains(&ours), "{}", stderr(&output));
    let output = Command::new(MATCHES)
        .args(["conformance", &format!("{FAKE} random"), "--only", "castling-standard-played"])
        .output()
        .unwrap();
    assert!(stdout(&output).contains("castling-standard-played"), "{}", stdout(&output));
}

#[test]
fn gauntlet_reports_ratings() {
    let folder = TestFolder::new();
    let engines = [("b", "random seed=2"), ("c", "illegal at=20 seed=3")];
    let new = format!("name=new,cmd={FAKE},args=random seed=1");
    let arguments = "--games 10 --max-moves 60 --anchor b --anchor-elo 1500 --nodes 10 --concurrency 2";
    let output =
        folder.command("gauntlet", &engines, "run", arguments).args(["--new", &new]).output().unwrap();
    assert_success(&output);
    let text = stdout(&output);
    assert!(text.contains("new vs b") && text.contains("new vs c"), "{text}");
    assert!(text.contains("1500  anchor"), "{text}");
    let report = folder.json("run/report.json");
    let rows = report["ratings"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[2]["name"], "c");
    assert_eq!(folder.games("run").len(), 20);

    let output =
        folder.command("gauntlet", &engines, "x", "--anchor z").args(["--new", &new]).output().unwrap();
    assert!(
        stderr(&output).contains("--anchor \"z\" is not a player (expected one of new, b, c)"),
        "{}",
        stderr(&output)
    );
}

/// The levels differ in nothing but the nodes: openings and opponent are the same.
#[test]
fn scaling_plays_all_levels_and_is_resumed() {
    let folder = TestFolder::new();
    let levels = "--levels 40,10,20 --games 4 --max-moves 40 --concurrency 1 --reproducible";
    let scaling = |out: &str, delay: u32| {
        let mut command = folder.command("scaling", &[("b", "random seed=2")], out, levels);
        command.args(["--new", &format!("name=new,cmd={FAKE},args=random seed=3 delay={delay}")]);
        command
    };
    assert_success(&scaling("whole", 0).output().unwrap());
    let mut child = scaling("killed", 1).spawn().unwrap();
    wait_until("five games", || {
        std::fs::read_to_string(folder.path("killed/games.jsonl")).is_ok_and(|text| text.lines().count() >= 5)
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let resume = ["scaling", "--resume", "killed", "-j", "1"];
    let output = Command::new(MATCHES).args(resume).current_dir(folder.root()).output().unwrap();
    assert_success(&output);
    let read = |path: &str| std::fs::read_to_string(folder.path(path)).unwrap();
    assert_eq!(read("whole/games.pgn"), read("killed/games.pgn"));

    let text = stdout(&output);
    for row in [
        "         10  10 nodes per move        4 ",
        "         40  40 nodes per move        4   37.50 %",
        "\nSlope     +0.0 ± ",
    ] {
        assert!(text.contains(row), "{text}");
    }
    let report = folder.json("killed/report.json");
    let levels = report["summary"]["scaling"]["levels"].as_array().unwrap();
    let nodes: Vec<_> = levels.iter().map(|level| level["nodes"].as_u64().unwrap()).collect();
    assert_eq!(nodes, [10, 20, 40]);
    let pgn = read("whole/games.pgn");
    let openings = |player: &str| -> Vec<String> {
        let games = pgn.split("[Event ").filter(|game| game.contains(&format!("[White \"{player}\"]")));
        let moves = games.filter_map(|game| Some(game.split_once("\n\n")?.1.rsplit_once("{ book }")?.0));
        moves.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(openings("new@10").len(), 2);
    assert_eq!(openings("new@10"), openings("new@40"));
    assert_eq!(openings("b@10"), openings("b@20"));
    assert!(read("killed/report.html").contains("doublings of the nodes from 10"));

    for (arguments, message) in [
        ("--levels 5,5", "--levels: a slope needs two different numbers of nodes (only 5 given)"),
        ("--nodes 5", "use --levels instead of --nodes"),
        ("--new name=a,cmd=a,nodes=5", "the player under test has the nodes of --levels"),
    ] {
        let output = folder.command("scaling", &[("b", "random")], "x", arguments).output().unwrap();
        assert!(stderr(&output).contains(message), "{arguments}: {}", stderr(&output));
    }
}

#[test]
fn sprt_command_matches_published_results() {
    let calculate = |arguments: &[&str]| Command::new(MATCHES).arg("sprt").args(arguments).output().unwrap();
    let ptnml = ["--ptnml", "379,10170,21828,10640,343", "--elo0", "0", "--elo1", "2"];
    let output = calculate(&ptnml);
    assert_success(&output);
    assert!(stdout(&output).contains("LLR 2.9455 (-2.94, 2.94) [0, 2] normalized"), "{}", stdout(&output));
    assert!(stdout(&output).contains("H1 accepted"), "{}", stdout(&output));
    let output = calculate(&[&ptnml[..], &["--model", "logistic", "--json"]].concat());
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["games"], 86_720);
    assert!(answer["sprt"]["llr"].as_f64().is_some());
    let output = calculate(&["--ptnml", "1,2,3"]);
    assert!(stderr(&output).contains("expected 5 whole numbers"), "{}", stderr(&output));
    let output = calculate(&["--wdl", "10,10,10", "--elo0", "-3", "--elo1", "-5"]);
    assert!(stderr(&output).contains("elo0 must be less than elo1"), "{}", stderr(&output));
}

#[test]
fn xboard_engines_take_part() {
    let folder = TestFolder::new();
    let engines =
        [("a", "random seed=1"), ("b", "random seed=2,proto=xboard,option.Style=wild,option.Hash=8")];
    let arguments = "--games 4 --max-moves 40 --tc 60+1 --concurrency 1 --strict --book chess960";
    let output = folder.selfplay(&engines, "run", arguments);
    assert_success(&output);
    replay(&folder.path("run/games.pgn"));
    let text = std::fs::read_to_string(folder.path("run/games.pgn")).unwrap();
    for part in ["[WhiteEngine \"Fake X\"]", "[BlackEngine \"Fake\"]", "[GameDuration \"00:0", "+0.00/3"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let engines = [("a", "random seed=1"), ("b", "resign at=3,proto=xboard")];
    assert_success(&folder.selfplay(&engines, "resigned", "--games 2 --tc 60 --concurrency 1"));
    assert_eq!(folder.games("resigned")[0]["reason"], "resignation");
    assert_eq!(folder.games("resigned")[0]["result"], "1-0");
    // Without --recover: the engine is not at fault otherwise and plays on.
    let engines = [("a", "random seed=1"), ("b", "claim at=3,proto=xboard")];
    assert_success(&folder.selfplay(&engines, "claimed", "--games 2 --tc 600 --concurrency 1"));
    let game = &folder.games("claimed")[0];
    assert_eq!((&game["reason"], &game["result"]), (&"false-claim".into(), &"1-0".into()));
    let fault = "b loses by claiming \"1/2-1/2 {Draw by agreement}\" in an unfinished game";
    assert_eq!(game["fault"], fault);
    let output = folder.selfplay(&engines, "nodes", "--games 2 --nodes 10");
    assert!(stderr(&output).contains("xboard engines have no node limit"), "{}", stderr(&output));
    let engines = [("a", "random seed=1"), ("b", "random seed=2,proto=xboard,option.Threads=2")];
    let output = folder.selfplay(&engines, "options", "--games 2 --tc 60");
    assert!(
        stderr(&output).contains("has no option \"Threads\"; its options are Style"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn clocks_run_by_the_time_of_engines() {
    let folder = TestFolder::new();
    let engines = [("a", "random seed=1 time=150"), ("b", "random seed=2 time=1000")];
    let arguments = "--games 2 --max-moves 8 --tc 1+0.2 --engine-time --pgn-details";
    let output = folder.selfplay(&engines, "run", arguments);
    assert_success(&output);
    let text = std::fs::read_to_string(folder.path("run/games.pgn")).unwrap();
    // Nobody loses on time: the second engine's clock falls to its increment.
    for part in ["0.150s", "tl=1.050", "1.000s", "tl=0.200", "too many moves"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("on time"), "{text}");
    // The first move of the second engine in each game takes its whole second, and each later one more than its clock has.
    let players = &folder.json("run/report.json")["summary"]["players"];
    let moves = players[1]["moves"].as_u64().unwrap();
    assert_eq!(players[0]["latency"]["overruns"], 0);
    assert_eq!(players[1]["latency"]["overruns"], moves - 2);
    assert!(
        stdout(&output).contains(&format!("; lowest clock 0.200 s, {} overruns", moves - 2)),
        "{}",
        stdout(&output)
    );

    let output = folder.selfplay(&RANDOM, "untimed", arguments);
    assert_success(&output);
    for game in folder.games("untimed") {
        let warnings = game["warnings"].as_array().unwrap();
        // One for each engine.
        assert!(
            warnings.len() == 2 && warnings[0].as_str().unwrap().contains("without a reported time"),
            "{game}"
        );
    }
}

/// A book whose positions repeat has as many openings as it has different positions.
#[test]
fn repeated_openings_are_left_out() {
    let folder = TestFolder::new();
    let book = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - -\n".repeat(3) + "4k3/pppp4/8/8/8/8/PPPP4/4K3 b - -\n";
    std::fs::write(folder.path("double.epd"), book).unwrap();
    let output = folder.selfplay(&RANDOM, "run", "--games 4 --nodes 1 --max-moves 5 --book double.epd");
    assert_success(&output);
    let note = "note: 2 of 4 openings of the book ";
    assert!(stderr(&output).contains(note), "{}", stderr(&output));
    assert!(stdout(&output).contains(", 2 openings from "), "{}", stdout(&output));
    // Runs of versions that played the repeats go on as they began.
    let mut state = folder.json("run/state.json");
    state["plan"]["openings"].as_object_mut().unwrap().remove("distinct");
    std::fs::write(folder.path("run/state.json"), state.to_string()).unwrap();
    let output = folder.resume("run");
    assert!(stdout(&output).contains(", 4 openings from "), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn engines_ponder_on_the_expected_move() {
    let folder = TestFolder::new();
    // The first guesses right, the second wrong.
    let engines = [("a", "random seed=1 ponder=2"), ("b", "random seed=2 ponder=3")];
    let arguments =
        "--games 2 --max-moves 40 --tc 60+1 --concurrency 1 --ponder --strict --pgn-details --resend-options";
    assert_success(&folder.selfplay(&engines, "run", arguments));
    replay(&folder.path("run/games.pgn"));
    let text = std::fs::read_to_string(folder.path("run/games.pgn")).unwrap();
    let hits = text.matches(" ponderhit").count();
    // All moves of the first engine but one or two in each game.
    let moves: usize = folder.games("run").iter().map(|game| game["plies"].as_u64().unwrap() as usize).sum();
    // The second engine's guesses are right where there are few moves.
    assert!(hits * 4 > moves && hits * 4 < moves * 3, "{hits} of {moves}: {text}");
    assert_eq!(folder.running_engines(), 0);
    // Engines whose option is off do not ponder.
    let off = engines.map(|(name, command)| (name, format!("{command},option.Ponder=false")));
    let off = off.each_ref().map(|(name, command)| (*name, command.as_str()));
    assert_success(&folder.selfplay(&off, "off", arguments));
    let text = std::fs::read_to_string(folder.path("off/games.pgn")).unwrap();
    assert!(!text.contains(" ponderhit"), "{text}");
    let output = folder.selfplay(&engines, "nodes", "--games 2 --ponder");
    assert!(stderr(&output).contains("--ponder: \"a\" has no time limit"), "{}", stderr(&output));
}

#[test]
fn xboard_engines_ponder() {
    let folder = TestFolder::new();
    let engines = [("a", "random seed=1,proto=xboard"), ("b", "random seed=2")];
    let arguments = "--games 4 --max-moves 40 --tc 60+1 --concurrency 1 --strict --book chess960";
    // The engine reports depth 4 after pondering, and depth 3 for the first move of a game.
    let depths = |out: &str, ponder: &str, engines: &[(&str, &str)]| {
        assert_success(&folder.selfplay(engines, out, &format!("{arguments} {ponder}")));
        let path = folder.path(out).join("games.pgn");
        assert_eq!(replay(&path).len(), 4);
        let text = std::fs::read_to_string(path).unwrap();
        ["+0.00/3", "+0.00/4"].map(|part| text.matches(part).count())
    };
    let [first, later] = depths("run", "--ponder", &engines);
    assert!(first == 4 && later > 40, "{first} {later}");
    let [first, later] = depths("easy", "", &engines);
    assert!(first > 40 && later == 0, "{first} {later}");
    let off = [("a", "random seed=1,proto=xboard,option.Ponder=false"), engines[1]];
    assert_eq!(depths("off", "--ponder", &off)[1], 0);
    assert_eq!(folder.running_engines(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn games_have_processors_of_their_own() {
    let folder = TestFolder::new();
    let arguments = "--games 2 --max-moves 20 --concurrency 1 --affinity";
    assert_success(&folder.selfplay(&RANDOM, "run", arguments));
    let arguments = "--games 8 --concurrency 4 --affinity";
    let engines = [("a", "random,option.Threads=100000"), ("b", "random")];
    let output = folder.selfplay(&engines, "many", arguments);
    assert!(
        stderr(&output).contains("--affinity: 4 parallel games on 100000 processors"),
        "{}",
        stderr(&output)
    );
}
