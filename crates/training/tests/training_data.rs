//! `datagen` and `data`: killed processes, a full disk, files of the wrong kind.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use tabiya_lab_common::games::Store;
use tempfile::TempDir;

const TRAINING: &str = env!("CARGO_BIN_EXE_tabiya-training");

const GAMES: &str = "datagen games.vf --nodes 20 --max-moves 30 --hash 1 -j 2";

/// The temporary folder of a test.
struct TestFolder {
    folder: TempDir,
}

impl TestFolder {
    fn new() -> TestFolder {
        TestFolder { folder: tempfile::tempdir().unwrap() }
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn assert_success(output: &Output) {
    assert!(output.status.success(), "{}\n{}", String::from_utf8_lossy(&output.stdout), stderr(output));
}

/// Polls until the condition holds. The deadline only keeps a broken test from hanging.
fn wait_until(event: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline, "timed out waiting for {event}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn training(folder: &TestFolder, arguments: &str) -> Command {
    let mut training = Command::new(TRAINING);
    training.args(arguments.split(' ')).current_dir(folder.root());
    training
}

fn run(folder: &TestFolder, arguments: &str) -> Output {
    training(folder, arguments).output().unwrap()
}

fn size(folder: &TestFolder, name: &str) -> u64 {
    std::fs::metadata(folder.path(name)).map_or(0, |metadata| metadata.len())
}

#[test]
fn killed_run_is_continued_to_the_same_file() {
    let whole = TestFolder::new();
    assert_success(&run(&whole, &format!("{GAMES} --games 30")));
    let folder = TestFolder::new();
    let mut child = training(&folder, &format!("{GAMES} --games 1000000")).spawn().unwrap();
    wait_until("some games", || size(&folder, "games.vf") > 1000);
    let second = run(&folder, &format!("{GAMES} --games 30"));
    assert!(stderr(&second).contains("is writing to games.vf"), "{}", stderr(&second));
    child.kill().unwrap();
    child.wait().unwrap();
    let expected = std::fs::read(whole.path("games.vf")).unwrap();
    let written = std::fs::read(folder.path("games.vf")).unwrap();
    let common = written.len().min(expected.len());
    assert!(written[..common] == expected[..common]);
    // As if it had been killed in the middle of a game.
    std::fs::write(folder.path("games.vf"), &expected[..expected.len() * 2 / 3]).unwrap();
    assert_success(&run(&folder, &format!("{GAMES} --games 30")));
    assert!(std::fs::read(folder.path("games.vf")).unwrap() == expected);

    let other = run(&folder, &format!("{GAMES} --games 30 --seed 2"));
    assert!(
        stderr(&other).contains("different settings (seed: \"1\" in the file, \"2\" given)"),
        "{}",
        stderr(&other)
    );
    // A file without settings is not one of ours and stays as it is.
    std::fs::write(folder.path("notes"), "text").unwrap();
    let notes = run(&folder, "datagen notes");
    assert!(
        stderr(&notes).contains("notes is not empty, but its settings notes.toml are missing"),
        "{}",
        stderr(&notes)
    );
    assert_eq!(std::fs::read(folder.path("notes")).unwrap(), b"text");
}

#[test]
fn other_commands_take_neither_the_file_nor_the_settings_of_datagen() {
    let folder = TestFolder::new();
    assert_success(&run(&folder, &format!("{GAMES} --games 4")));
    assert_success(&run(&folder, "data pack games.vf --out games.packed"));
    std::fs::write(folder.path("games.pgn"), "").unwrap();
    let store = Store::open(&folder.path("run.vf")).unwrap();
    for command in [
        "merge games.vf --out run.vf",
        "split games.vf --train run.vf --valid valid.vf",
        "split games.vf --train train.vf --valid run.vf",
        "from-pgn games.pgn --out run.vf",
        "pack games.vf --out run.vf",
        "unpack games.packed --out run.vf",
    ] {
        let output = run(&folder, &format!("data {command} --force"));
        assert!(stderr(&output).contains("is writing to run.vf"), "{command}: {}", stderr(&output));
    }
    drop(store);
    for command in ["merge games.vf", "unpack games.packed"] {
        std::fs::copy(folder.path("games.vf.toml"), folder.path("run.vf.toml")).unwrap();
        assert_success(&run(&folder, &format!("data {command} --out run.vf --force")));
        let continued = run(&folder, &GAMES.replace("games.vf", "run.vf"));
        let expected = "run.vf is not empty, but its settings run.vf.toml are missing";
        assert!(stderr(&continued).contains(expected), "{command}: {}", stderr(&continued));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_keeps_whole_games() {
    let folder = TestFolder::new();
    // A limit of the size of files, in blocks of 512 or 1024 bytes, behaves like a full disk.
    let script = format!("trap '' XFSZ && ulimit -f 4 && exec \"$0\" {GAMES} --games 1000");
    let output =
        Command::new("sh").args(["-c", &script, TRAINING]).current_dir(folder.root()).output().unwrap();
    let text = stderr(&output);
    let kept =
        text.split_once("cannot write games.vf; kept ").and_then(|(_, rest)| rest.split_once(" games"));
    let Some((kept, _)) = kept else { panic!("{text}") };
    assert!(text.contains("too large"), "{text}");
    let length = size(&folder, "games.vf");
    assert!((1000..=4096).contains(&length), "{length}");
    // Nothing is left to remove, and the run goes on.
    let stats = run(&folder, "data stats games.vf");
    assert_success(&stats);
    assert!(!stderr(&stats).contains("incomplete"), "{}", stderr(&stats));
    let counts = String::from_utf8_lossy(&stats.stdout);
    assert!(counts.starts_with(&format!("Games       {kept}, ")), "{kept}: {counts}");
    assert_success(&run(&folder, &format!("{GAMES} --games 40")));

    let script = "trap '' XFSZ && ulimit -f 4 && exec \"$0\" data export games.vf --out train.bullet";
    let output =
        Command::new("sh").args(["-c", script, TRAINING]).current_dir(folder.root()).output().unwrap();
    let text = stderr(&output);
    assert!(text.contains("train.bullet") && text.contains("too large"), "{text}");
    assert_eq!(size(&folder, "train.bullet"), 0);
}

#[cfg(unix)]
#[test]
fn special_files_are_rejected() {
    let folder = TestFolder::new();
    std::fs::create_dir(folder.path("folder")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    for (name, kind) in [("folder", "a directory"), ("pipe", "a named pipe"), ("/dev/zero", "a device")] {
        for command in [
            "stats FILE",
            "export FILE --out a",
            "split FILE --train a --valid b",
            "merge FILE --out a",
            "shuffle FILE --out a",
            "rescore FILE --out a --nodes 1",
        ] {
            let output = run(&folder, &format!("data {}", command.replace("FILE", name)));
            let text = stderr(&output);
            assert!(text.contains(&format!("{name}: it is {kind}, not a regular file")), "{command}: {text}");
        }
        let output = run(&folder, &format!("datagen {name}"));
        assert!(stderr(&output).contains(&format!("{name}: it is {kind}")), "{}", stderr(&output));
    }
    assert!(!folder.path("a").exists());
}

/// A UCI engine that can play 1. e4 e5.
#[cfg(unix)]
const SCRIPT: &str = "#!/bin/sh
while read -r word rest; do
    case \"$word\" in
        uci) echo 'option name Style type spin default 1 min 0 max 9'; echo uciok ;;
        isready) echo readyok ;;
        position) case \"$rest\" in *moves*) best='e7e5 -7' ;; *) best='e2e4 31' ;; esac ;;
        go) echo \"info depth 3 score cp ${best#* }\"; echo \"bestmove ${best% *}\" ;;
        quit) exit ;;
    esac
done
";

#[cfg(unix)]
#[test]
fn other_engines_play_the_games() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TestFolder::new();
    std::fs::write(folder.path("engine"), SCRIPT).unwrap();
    std::fs::set_permissions(folder.path("engine"), PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::write(folder.path("start.epd"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n")
        .unwrap();
    let datagen = |option: &str| {
        run(
            &folder,
            &format!(
                "datagen games.vf --engine ./engine --option {option} --book start.epd --random-plies 0 --max-moves 1 --games 8 -j 1"
            ),
        )
    };
    let unknown = datagen("Elan=3");
    assert!(stderr(&unknown).contains("Elan") && !folder.path("games.vf").exists(), "{}", stderr(&unknown));
    // Half of the openings have one random move, after which the engine plays e5.
    assert_success(&datagen("Style=3"));
    let text = "--text --every-ply --out games.txt";
    assert_success(&run(&folder, &format!("data export games.vf {text}")));
    let lines = std::fs::read_to_string(folder.path("games.txt")).unwrap();
    assert!(
        lines.contains("w KQkq - 0 1 | 31 | 0.5\n") && lines.contains("b KQkq - 0 1 | 7 | 0.5\n"),
        "{lines}"
    );
    let other = datagen("Style=4");
    assert!(stderr(&other).contains("Style=3\" in the file"), "{}", stderr(&other));
}
