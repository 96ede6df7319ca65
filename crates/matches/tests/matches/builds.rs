//! Engines built from the revisions of a repository: a small one with an engine that can play a move for each side.

use crate::fixture::{FAKE, MATCHES, RANDOM, TestFolder, assert_success, stderr, stdout, wait_until};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const ENGINE: &str = r#"
fn main() {
    let mut best = "";
    for line in std::io::stdin().lines().map_while(Result::ok) {
        match line.split(' ').next() {
            Some("uci") => println!("id name {}\nuciok", if cfg!(special) { "special" } else { "usual" }),
            Some("isready") => println!("readyok"),
            Some("position") => best = if line.contains("moves") { "e7e5" } else { "e2e4" },
            Some("go") => println!("info depth 1 score cp 0 nodes 1\nbestmove {best}"),
            Some("quit") => return,
            _ => {}
        }
    }
}
"#;

/// Creates the repository with one commit.
fn repository() -> TestFolder {
    let folder = TestFolder::new();
    fs::create_dir(folder.path("src")).unwrap();
    for (name, text) in [
        (
            "Cargo.toml",
            "[package]\nname = \"tabiya\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n",
        ),
        ("Cargo.lock", "version = 4\n\n[[package]]\nname = \"tabiya\"\nversion = \"0.1.0\"\n"),
        ("src/main.rs", ENGINE),
        ("start.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n"),
        (".gitignore", "/target\n/run*\n"),
    ] {
        fs::write(folder.path(name), text).unwrap();
    }
    git(folder.root(), &["init", "--quiet"]);
    commit(folder.root());
    folder
}

/// Commits all files.
fn commit(folder: &Path) {
    git(folder, &["add", "."]);
    let author = ["-c", "user.name=test", "-c", "user.email=test@localhost"];
    git(folder, &[&author[..], &["commit", "--quiet", "-m", "An engine"]].concat());
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git").args(arguments).current_dir(folder).output().unwrap();
    assert_success(&output);
    String::from_utf8(output.stdout).unwrap()
}

/// The command that plays two games of one move each between a revision and itself.
fn selfplay(folder: &TestFolder, out: &str, flags: &str) -> Command {
    let mut command = Command::new(MATCHES);
    command
        .args(["selfplay", "--base", "HEAD", "--new", "HEAD", "--book", "start.epd", "--out", out])
        .args(["--games", "2", "--nodes", "1", "--max-moves", "1"])
        .current_dir(folder.root())
        .env("CARGO_MANIFEST_DIR", folder.root())
        .env_remove("CARGO_TARGET_DIR")
        .env("RUSTFLAGS", flags)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn play(folder: &TestFolder, out: &str, flags: &str) -> Output {
    let output = selfplay(folder, out, flags).output().unwrap();
    assert_success(&output);
    output
}

#[test]
fn revisions_are_built_once_and_apart_from_the_checkout() {
    let folder = repository();
    let first = stderr(&play(&folder, "run1", ""));
    assert!(first.contains("building the engine of the revision HEAD, commit "), "{first}");
    // Cargo's own progress.
    assert!(first.contains("Compiling tabiya"), "{first}");
    let names: Vec<_> =
        fs::read_dir(folder.path("target")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["engines"]);
    assert!(!folder.path("target/engines/source").exists());
    assert_eq!(git(folder.root(), &["status", "--porcelain"]), "");

    let second = stderr(&play(&folder, "run2", ""));
    assert!(!second.contains("building") && !second.contains("Compiling"), "{second}");
    // Other flags make another program.
    let third = stderr(&play(&folder, "run3", "--cfg special"));
    assert!(third.contains("building the engine of the revision HEAD"), "{third}");
    let output = selfplay(&folder, "run4", "").arg("--fast").output().unwrap();
    assert_success(&output);
    assert!(stderr(&output).contains("(profile lab)"), "{}", stderr(&output));
    let player = &folder.json("run4/report.json")["summary"]["players"][0];
    assert_eq!(player["notes"][0], "built without link-time optimisation (--fast)");
    let pgn = |out: &str| fs::read_to_string(folder.path(out).join("games.pgn")).unwrap();
    assert!(
        pgn("run2").contains("[WhiteEngine \"usual\"]") && pgn("run3").contains("[WhiteEngine \"special\"]")
    );
}

#[test]
fn waiting_for_another_build_is_said() {
    let folder = repository();
    fs::create_dir_all(folder.path("target/engines")).unwrap();
    let lock = fs::File::create(folder.path("target/engines/lock")).unwrap();
    lock.lock().unwrap();
    let errors = fs::File::create(folder.path("run-errors")).unwrap();
    let mut child = selfplay(&folder, "run", "").stderr(errors).spawn().unwrap();
    let said = |text: &str| fs::read_to_string(folder.path("run-errors")).unwrap().contains(text);
    wait_until("the message", || said("waiting for another process that builds a revision"));
    assert!(!said("Compiling"));
    lock.unlock().unwrap();
    assert!(child.wait().unwrap().success());
    assert!(said("Compiling tabiya"));
}

/// A terminal sends Ctrl-C to all processes of a group: to the program and to the build that it has started.
#[cfg(unix)]
#[test]
fn ctrl_c_says_which_build_it_ended() {
    use std::os::unix::process::CommandExt as _;
    let folder = repository();
    // `sh build --package tabiya` stands for cargo.
    fs::write(folder.path("build"), "touch ../started; exec sleep 600\n").unwrap();
    commit(folder.root());
    let mut command = selfplay(&folder, "run", "");
    let child = command.env("CARGO", "sh").process_group(0).spawn().unwrap();
    wait_until("the build", || folder.path("target/engines/started").exists());
    let group = format!("-{}", child.id());
    assert!(Command::new("kill").args(["-INT", "--", &group]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let message = stderr(&output);
    let ended = message.lines().last().unwrap();
    assert!(
        ended.starts_with("error: cannot build the revision HEAD, commit ") && ended.contains("SIGINT"),
        "{message}"
    );
    assert!(!output.status.success() && !folder.path("run").exists());
}

/// The sources of this engine are a line that its build appends to a log, so that each build is seen.
#[cfg(unix)]
#[test]
fn revisions_of_another_repository_are_built_by_its_own_command() {
    let (ours, other) = (repository(), TestFolder::new());
    git(other.root(), &["init", "--quiet"]);
    for revision in ["first", "second"] {
        fs::write(other.path("engine.c"), format!("{revision}\n")).unwrap();
        fs::create_dir_all(other.path("folder")).unwrap();
        fs::write(other.path("folder/text"), "").unwrap();
        commit(other.root());
    }
    let log = ours.path("run.log");
    let build = format!("cat engine.c >> {} && mkdir bin && cp {FAKE} bin/fake", log.display());
    let play = |out: &str, build: &str| {
        let mut command = Command::new(MATCHES);
        // The whole repository is exported, even if `--repository` names a subfolder.
        command
            .args(["selfplay", "--repository"])
            .arg(other.path("folder"))
            .args(["--build", build, "--out", out]);
        command.args(["--program", "bin/fake", "--book", "start.epd", "--games", "2", "--nodes", "1"]);
        command.args(["--max-moves", "2"]).current_dir(ours.root()).env("CARGO_MANIFEST_DIR", ours.root());
        command.env_remove("CARGO_TARGET_DIR").output().unwrap()
    };
    for out in ["run1", "run2"] {
        assert_success(&play(out, &build));
    }
    // Each revision once, by both runs together.
    assert_eq!(fs::read_to_string(&log).unwrap(), "second\nfirst\n");
    let commits = git(other.root(), &["log", "--format=%H"]);
    let names: Vec<String> = commits.lines().map(|commit| format!("fake-{}", &commit[..8])).collect();
    let players = ours.json("run1/report.json")["summary"]["players"].clone();
    assert_eq!([&players[0]["name"], &players[1]["name"]], [names[0].as_str(), names[1].as_str()]);
    let failed = stderr(&play("run3", "true"));
    assert!(failed.contains("true has not written bin/fake (name it with --program)"), "{failed}");
    let failed = stderr(&play("run4", "exit 3"));
    assert!(failed.contains("exit 3: exit status: 3"), "{failed}");
    assert!(!ours.path("run3").exists() && !ours.path("target/engines/source").exists());
    assert_eq!(git(other.root(), &["status", "--porcelain"]), "");
}

/// The program as `cargo install` leaves it, apart from the repository.
#[test]
#[cfg(unix)]
fn installed_program_needs_no_checkout() {
    let folder = TestFolder::new();
    let installed = folder.path("tabiya-matches");
    // By another process: one that a test starts meanwhile would inherit the file, open for writing, so that it could not be run.
    assert!(Command::new("cp").arg(MATCHES).arg(&installed).status().unwrap().success());
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&installed);
        command.args(arguments).env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_TARGET_DIR");
        command.current_dir(folder.root()).output().unwrap()
    };
    let help = stdout(&run(&["selfplay", "--help"]));
    assert!(help.contains("Usage: tabiya-matches selfplay") && !help.contains("cargo xtask"), "{help}");

    let engines = folder.engines(&RANDOM);
    let mut arguments = vec!["selfplay", "--games", "2", "--max-moves", "5", "-j", "1"];
    arguments.extend(engines.iter().map(String::as_str));
    assert_success(&run(&arguments));
    assert_eq!(fs::read_dir(folder.path("target/runs/matches")).unwrap().count(), 1);
    let resumed = run(&["selfplay", "--resume"]);
    assert_success(&resumed);
    assert!(stdout(&resumed).contains("2 games already played"), "{}", stdout(&resumed));

    let other = repository();
    let build = format!("cp {FAKE} engine");
    let (repository, book) = (other.root().to_str().unwrap(), other.path("start.epd"));
    let mut arguments = vec!["selfplay", "--repository", repository, "--build", &build, "--new", "HEAD"];
    arguments.extend([
        "--base",
        "HEAD",
        "--book",
        book.to_str().unwrap(),
        "--games",
        "2",
        "--max-moves",
        "2",
    ]);
    assert_success(&run(&arguments));

    // Not from a repository that happens to be here.
    fs::create_dir_all(folder.path("tests/data/perft")).unwrap();
    fs::write(folder.path("tests/data/perft/own.epd"), "8/8/8/8/8/8/k1K5/8 w - - 0 1 ;D1 5\n").unwrap();
    for (arguments, remedy) in [
        (&["selfplay"][..], "--engine cmd=PROGRAM"),
        (&["gauntlet"], "cmd=PROGRAM"),
        (&["scaling", "--base", "cmd=x"], "cmd=PROGRAM"),
        (&["spsa"], "--engine cmd=PROGRAM"),
        (&["conformance"], "the command of an engine"),
        (&["perft"], "without a file"),
        (&["perft", "own"], "no file \"own\""),
        (&["openbench"], "--binary FILE"),
    ] {
        let message = stderr(&run(arguments));
        assert!(
            message.contains("installed without the sources of Tabiya") && message.contains(remedy),
            "{message}"
        );
    }
    assert!(stdout(&run(&["--version"])).starts_with("tabiya-matches "));
}
