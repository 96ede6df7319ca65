use crate::folder::Folder;
use crate::network::random_network;
use crate::process::Tabiya;

fn set(engine: &mut Tabiya, option: &str) -> Vec<String> {
    engine.send(&format!("setoption name {option}"));
    engine.sync()
}

#[test]
fn sets_every_option_in_any_case() {
    let mut engine = Tabiya::uci();
    let options = [
        "Hash value 1",
        "hash value 32",
        "HASH  value  2",
        "Clear Hash",
        "clear hash",
        "ClearHash",
        "Threads value 1",
        "Ponder value true",
        "ponder value FALSE",
        "nodestime value 0",
        "Human Pace value false",
        "Move Overhead value 0",
        "MoveOverhead value 100",
        "move   overhead value 5000",
        "UCI_Chess960 value true",
        "uci_chess960 value False",
        "Evaluation value classic",
        "evaluation value HANDCRAFTED",
        "MultiPV value 3",
        "multipv value 1",
        "UCI_ShowWDL value true",
        "UCI_AnalyseMode value true",
        "UCI_AnalyseMode value false",
        "UCI_LimitStrength value true",
        "UCI_Elo value 800",
        "UCI_LimitStrength value false",
        "Skill Level value 5",
        "SkillLevel value 20",
        "Strength Seed value 7",
        "UCI_Opponent value GM 2800 human Gary Kasparov",
        "UCI_Opponent value <empty>",
        "UCI_EngineAbout value anything",
        "Debug Log File value <empty>",
        "Debug Log File",
        "Minimal value true",
        "EvalFile value <empty>",
        "SyzygyPath value <empty>",
        "SyzygyProbeDepth value 5",
        "syzygyprobelimit value 6",
        "Syzygy50MoveRule value false",
        "OwnBook value false",
        "BookFile value <empty>",
        "Book Depth value 10",
    ];
    let words = |text: &str| text.replace(' ', "").to_lowercase();
    engine.send("uci");
    let lines = engine.sync();
    let offered: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("option name ")).collect();
    assert!(!offered.is_empty());
    for line in offered {
        let (name, _) = line.split_once(" type ").unwrap();
        assert!(options.iter().any(|option| words(option).starts_with(&words(name))), "{name} is not tried");
    }
    for option in options {
        assert_eq!(set(&mut engine, option), [""; 0], "{option}");
        assert_ne!(engine.go("depth 2").best(), "0000", "{option}");
    }
    engine.finish_well();
}

#[test]
fn reports_bad_options() {
    let mut engine = Tabiya::uci();
    for (option, fragments) in [
        ("Hash value 0", ["Hash", "from 1 to", "\"0\""]),
        ("Hash value 99999999999999999999", ["Hash", "from 1 to", "\"99999999999999999999\""]),
        ("Hash value -5", ["Hash", "from 1 to", "\"-5\""]),
        ("Hash value many", ["Hash", "from 1 to", "\"many\""]),
        ("Hash value", ["Hash", "the value is missing", "from 1 to"]),
        ("Hash", ["Hash", "the value is missing", "from 1 to"]),
        ("Threads value 2000", ["Threads", "from 1 to 1024", "\"2000\""]),
        ("UCI_Elo value 799", ["UCI_Elo", "from 800 to 2800", "\"799\""]),
        ("UCI_Elo value 2801", ["UCI_Elo", "from 800 to 2800", "\"2801\""]),
        ("Skill Level value 21", ["Skill Level", "from 0 to 20", "\"21\""]),
        ("MultiPV value 0", ["MultiPV", "from 1 to 256", "\"0\""]),
        ("Debug Log File value /no/such/folder/log", ["the log file", "cannot be written", "/no/such"]),
        ("UCI_Chess960 value maybe", ["UCI_Chess960", "true or false", "\"maybe\""]),
        ("Evaluation value neural", ["Evaluation", "handcrafted or classic", "\"neural\""]),
        ("Nonsense value 3", ["no such option", "\"Nonsense\"", ""]),
        ("value 3", ["setoption", "an option name", "at byte 15"]),
    ] {
        let lines = set(&mut engine, option);
        assert_eq!(lines.len(), 1, "{option}: {lines:?}");
        let line = &lines[0];
        assert!(line.starts_with("info string "), "{line}");
        assert!(fragments.iter().all(|fragment| line.contains(fragment)), "{line}");
    }
    engine.send("setoption");
    assert_eq!(engine.sync().len(), 1);
    engine.send("setoption Hash value 3");
    assert_eq!(engine.sync().len(), 1);
    engine.finish_well();
}

#[test]
fn switches_the_evaluation() {
    let mut engine = Tabiya::uci();
    engine.send("setoption name Evaluation value classic\neval");
    engine.expect("value for side to move       10");
    engine.send("setoption name Evaluation value handcrafted\neval");
    engine.expect("Tempo");
    engine.finish_well();
}

#[test]
fn loads_a_network_and_keeps_it_on_error() {
    let folder = Folder::new();
    let file = random_network(1);
    let good = folder.write("good one.nnue", &file);
    folder.write("truncated.nnue", &file[..1000]);
    let mut engine = Tabiya::uci();
    assert_eq!(set(&mut engine, "Evaluation value handcrafted"), [""; 0]);
    let notice = set(&mut engine, &format!("EvalFile value {good}"));
    assert!(notice[0].ends_with(
        "good one.nnue is (768x1hm -> 64)x2 -> 1x2, random, seed 1; in use if Evaluation is nnue"
    ));
    assert_eq!(set(&mut engine, "Evaluation value nnue"), [""; 0]);
    assert_ne!(engine.go("depth 6").best(), "0000");
    let value = |engine: &mut Tabiya| {
        engine.send("eval");
        engine.expect("Network (768x1hm -> 64)x2 -> 1x2");
        engine.expect("Value for white to move")
    };
    let before = value(&mut engine);
    let bad = [
        ("missing.nnue", "cannot be read"),
        ("truncated.nnue", "truncated: 1000 bytes"),
        ("", "a directory"),
    ];
    #[cfg(unix)]
    folder.make_pipe("pipe.nnue");
    #[cfg(unix)]
    let bad = [&bad[..], &[("pipe.nnue", "a named pipe")]].concat();
    for (name, expected) in bad {
        let lines = set(&mut engine, &format!("EvalFile value {}", folder.name(name)));
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].starts_with("info string ") && lines[0].contains(expected), "{lines:?}");
        assert_eq!(value(&mut engine), before);
    }
    // Another network, set during a search, is in use from the next search on.
    let other = folder.write("other.nnue", random_network(2));
    engine.send(&format!("go infinite\nsetoption name EvalFile value {other}\nstop"));
    engine.expect("bestmove");
    assert!(engine.sync().iter().any(|line| line.ends_with("random, seed 2")));
    assert_ne!(value(&mut engine), before);
    assert_ne!(engine.go("depth 4").best(), "0000");
    engine.finish_well();
}
