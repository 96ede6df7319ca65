//! Files that are read and written: nothing is destroyed, and special files are refused.

use crate::folder::{Folder, errors};
use crate::network::random_network;
use crate::process::{Exit, Tabiya};
use std::fs::{self, OpenOptions};
use std::path::Path;

const GAMES: &str = "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";

/// Sets an option and returns the messages.
fn set(engine: &mut Tabiya, name: &str, path: &Path) -> String {
    engine.send(&format!("setoption name {name} value {}", path.display()));
    engine.sync().join("\n")
}

/// A short UCI session with a log.
fn session(log: &Path, position: &str) -> Exit {
    let mut engine = Tabiya::uci();
    engine.send(&format!("setoption name Debug Log File value {}", log.display()));
    engine.send(&format!("uci\nposition {position}"));
    engine.go("depth 2");
    engine.finish_well()
}

#[test]
fn output_is_never_an_input() {
    let folder = Folder::with_games(GAMES);
    fs::hard_link(folder.path("games.pgn"), folder.path("link.pgn")).unwrap();
    for output in ["games.pgn", "link.pgn", "./games.pgn"] {
        for command in [
            format!("book build games.pgn --min-games 1 -o {output}"),
            format!("book build games.pgn --min-games 1 -o {output} --force"),
            format!("pgn annotate games.pgn --depth 1 -o {output}"),
            format!("pgn annotate games.pgn --depth 1 -o {output} --force"),
        ] {
            let message = folder.fail(&command);
            let expected =
                format!("error: cannot write {output}: it is the same file as the input games.pgn");
            assert_eq!(message.trim_end(), expected, "{command}");
            assert_eq!(folder.read("games.pgn"), GAMES, "{command}");
        }
    }
    assert_eq!(folder.names(), ["games.pgn", "link.pgn"]);
}

#[test]
fn output_is_never_the_network() {
    let folder = Folder::with_games(GAMES);
    let network = random_network(1);
    folder.write("net.nnue", &network);
    for command in [
        "pgn annotate games.pgn --depth 1 -o net.nnue",
        "pgn annotate games.pgn --depth 1 --html net.nnue",
        "analyse games.pgn --ply 1 --depth 1 --html net.nnue",
    ] {
        let message = folder.fail(&format!("{command} --eval-file net.nnue --force"));
        let expected = "error: cannot write net.nnue: it is the same file as the input net.nnue";
        assert_eq!(message.trim_end(), expected, "{command}");
        assert!(fs::read(folder.path("net.nnue")).unwrap() == network, "{command}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::with_games(GAMES);
    let run = |arguments: &str, last: &[u8]| {
        let mut command = folder.command(arguments);
        command.arg(OsStr::from_bytes(last));
        Tabiya::spawn(command).finish()
    };
    fs::copy(folder.path("games.pgn"), folder.root().join(OsStr::from_bytes(b"\xe9.pgn"))).unwrap();
    let text = run("analyse --ply 1 --depth 1", b"\xe9.pgn").success();
    assert!(text.starts_with("A - ?, after 1. f3\n"), "{text}");
    run("book build games.pgn --min-games 1 -o", b"\xe9.bin").success();
    let text = run("book show", b"\xe9.bin").success();
    assert!(text.starts_with("0 of 2 book moves in "), "{text}");
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy");
    std::os::unix::fs::symlink(tables, folder.root().join(OsStr::from_bytes(b"tables-\xe9"))).unwrap();
    let text = run("analyse --depth 1 --syzygy", b"tables-\xe9").success();
    assert!(text.contains("found tablebases of up to 4 pieces"), "{text}");
    for command in ["analyse", "book show"] {
        let error = run(command, b"4k3/\xff").failure();
        assert_eq!(error, "error: the position \"4k3/\\xFF\" is not UTF-8 text\n", "{command}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_book_on_standard_output_is_nothing_else() {
    let folder = Folder::with_games(GAMES);
    let output = folder.command("book build games.pgn --min-games 1 -o /dev/stdout").output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    // Two moves of 16 bytes.
    assert_eq!(output.stdout.len(), 32);
    assert_eq!(errors(&output), "wrote 2 moves from 1 game to /dev/stdout\n");
}

#[test]
fn input_is_not_appended_to_by_redirection() {
    let folder = Folder::with_games(GAMES);
    for arguments in ["pgn annotate games.pgn --depth 1", "book build games.pgn -o book.bin", "epd games.pgn"]
    {
        let append = OpenOptions::new().append(true).open(folder.path("games.pgn")).unwrap();
        let output = folder.command(arguments).stdout(append).output().unwrap();
        let expected = "error: cannot write standard output: it is the same file as the input games.pgn";
        assert_eq!(errors(&output).trim_end(), expected, "{arguments}");
        assert_eq!(folder.read("games.pgn"), GAMES, "{arguments}");
    }
    // Another file may be appended to.
    fs::write(folder.path("more.pgn"), "; more\n").unwrap();
    let append = OpenOptions::new().append(true).open(folder.path("more.pgn")).unwrap();
    let output = folder.command("pgn annotate games.pgn --depth 1").stdout(append).output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    let text = folder.read("more.pgn");
    assert!(text.starts_with("; more\n[") && text.contains("[%eval "), "{text}");
}

#[test]
fn existing_file_is_overwritten_with_force_only() {
    let folder = Folder::with_games(GAMES);
    fs::write(folder.path("out"), "precious").unwrap();
    for command in ["book build games.pgn --min-games 1 -o out", "pgn annotate games.pgn --depth 1 -o out"] {
        let message = folder.fail(command);
        assert_eq!(message.trim_end(), "error: cannot write out: the file exists (--force overwrites it)");
        assert_eq!(folder.read("out"), "precious");
    }
    folder.succeed("pgn annotate games.pgn --depth 1 -o out --force");
    assert!(folder.read("out").contains("[%eval "));
    folder.succeed("book build games.pgn --min-games 1 -f -o out");
    assert_eq!(fs::read(folder.path("out")).unwrap().len() % 16, 0);
    // A command that fails leaves the file as it is.
    fs::write(folder.path("out"), "precious").unwrap();
    folder.fail("book build games.pgn --min-games 9 -o out --force");
    folder.fail("pgn annotate nowhere.pgn -o out --force");
    assert_eq!(folder.read("out"), "precious");
    assert_eq!(folder.names(), ["games.pgn", "out"]);
}

#[test]
fn manual_pages_are_overwritten_with_force_only() {
    let folder = Folder::with_games(GAMES);
    folder.succeed("man --dir man");
    let page = folder.read("man/tabiya-pgn-annotate.1");
    assert!(page.contains(".TH"), "{page}");
    assert!(folder.fail("man --dir man").contains("the file exists (--force overwrites it)"));
    folder.succeed("man --dir man --force");
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_names_the_file() {
    let folder = Folder::with_games(GAMES);
    for command in
        ["book build games.pgn --min-games 1 -o /dev/full", "pgn annotate games.pgn --depth 1 -o /dev/full"]
    {
        let message = folder.fail(command);
        assert!(
            message.starts_with("error: cannot write /dev/full: No space left on device"),
            "{command}: {message}"
        );
    }
    for command in ["--help", "--version", "analyse --help"] {
        let full = fs::File::create("/dev/full").unwrap();
        let output = folder.command(command).stdout(full).output().unwrap();
        let message = errors(&output);
        assert!(
            !output.status.success() && message.starts_with("error: No space left"),
            "{command}: {message}"
        );
    }
    let mut game = Tabiya::with_arguments(&["play", "--depth", "1"]);
    game.send("save /dev/full");
    let text = game.finish_well().text();
    assert!(text.contains("Not saved: cannot write /dev/full: No space left on device"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn special_outputs_are_written_directly() {
    let folder = Folder::with_games(GAMES);
    let expected = folder.succeed("pgn annotate games.pgn --depth 1");
    assert_eq!(folder.succeed("pgn annotate games.pgn --depth 1 -o /dev/stdout"), expected);
    folder.succeed("pgn annotate games.pgn --depth 1 -o /dev/null");
    let pipe = folder.make_pipe("pipe");
    let reader = std::thread::spawn(move || fs::read_to_string(pipe).unwrap());
    folder.succeed("pgn annotate games.pgn --depth 1 -o pipe");
    assert_eq!(reader.join().unwrap(), expected + "\n");
}

#[cfg(unix)]
#[test]
fn games_are_read_from_a_pipe() {
    let folder = Folder::with_games(GAMES);
    let expected = folder.succeed("pgn annotate games.pgn --depth 1");
    let pipe = folder.make_pipe("pipe");
    let writer = std::thread::spawn(move || fs::write(pipe, GAMES).unwrap());
    assert_eq!(folder.succeed("pgn annotate pipe --depth 1"), expected);
    writer.join().unwrap();
}

#[test]
fn log_file_is_appended_to() {
    let folder = Folder::with_games(GAMES);
    let log = folder.path("session.log");
    session(&log, "startpos");
    let first = folder.read("session.log");
    session(&log, "startpos moves e2e4");
    let both = folder.read("session.log");
    assert!(both.starts_with(&first) && both.matches("# Log of Tabiya: Tabiya ").count() == 2, "{both}");
    // Setting the option again continues the session.
    let mut engine = Tabiya::uci();
    set(&mut engine, "Debug Log File", &log);
    set(&mut engine, "Debug Log File", &log);
    engine.finish_well();
    assert_eq!(folder.read("session.log").matches("# Log of Tabiya").count(), 3);

    fs::write(&log, both.trim_end()).unwrap();
    let text = folder.succeed("replay session.log");
    assert!(text.contains("session 2 of 2") && text.contains("> position startpos moves e2e4"), "{text}");
    let text = folder.succeed("replay session.log --session 1");
    assert!(text.contains("session 1 of 2") && text.contains("> position startpos\n"), "{text}");
    assert!(folder.fail("replay session.log --session 3").contains("has 2 sessions: there is no session 3"));
    // An incomplete last line is completed.
    session(&log, "startpos");
    assert_eq!(folder.read("session.log").matches("\n# Log of Tabiya").count(), 2);
}

#[test]
fn log_file_with_other_contents_is_refused() {
    let folder = Folder::with_games(GAMES);
    let mut engine = Tabiya::uci();
    let path = folder.path("games.pgn");
    let message = set(&mut engine, "Debug Log File", &path);
    let expected =
        "cannot be written: it has contents that do not begin like a log of Tabiya; choose another name";
    assert!(message.contains(&path.display().to_string()) && message.contains(expected), "{message}");
    engine.finish_well();
    assert_eq!(folder.read("games.pgn"), GAMES);
}

#[test]
fn directories_are_refused() {
    let folder = Folder::with_games(GAMES);
    let mut engine = Tabiya::uci();
    for option in ["Debug Log File", "BookFile"] {
        let message = set(&mut engine, option, &folder.path(""));
        assert!(message.contains("it is a directory, not a regular file"), "{option}: {message}");
    }
    engine.finish_well();
    assert!(folder.fail("book build games.pgn -o . --force").contains("cannot write .: it is a directory"));
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_and_devices_are_refused() {
    let folder = Folder::with_games(GAMES);
    let pipe = folder.make_pipe("pipe");
    let mut engine = Tabiya::uci();
    for option in ["Debug Log File", "BookFile"] {
        let message = set(&mut engine, option, &pipe);
        assert!(message.contains("it is a named pipe, not a regular file"), "{option}: {message}");
        assert!(message.contains(&pipe.display().to_string()), "{option}: {message}");
        let message = set(&mut engine, option, Path::new("/dev/full"));
        assert!(message.contains("/dev/full"), "{option}: {message}");
        assert!(message.contains("it is a device, not a regular file"), "{option}: {message}");
    }
    for path in [pipe.as_path(), Path::new("/dev/full")] {
        let message = set(&mut engine, "SyzygyPath", path);
        assert!(message.contains("cannot read the tablebase directory"), "{message}");
    }
    engine.send("genfens 1 seed 1 book /dev/full");
    assert!(engine.expect("info string").contains("it is a device, not a regular file"));
    engine.finish_well();
    assert!(folder.fail("book show --book pipe").contains("it is a named pipe, not a regular file"));
}
