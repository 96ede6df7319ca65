//! The program from outside: messages about bad arguments, and its end.

use std::fs;
use std::path::Path;
use std::process::Command;
#[cfg(unix)]
use std::{
    io::{BufRead, BufReader},
    process::Stdio,
};

#[test]
fn bad_arguments_are_reported_without_a_backtrace() {
    for (argument, value, message) in [
        (
            "--evaluation",
            "foo",
            "error: unknown evaluation \"foo\" (expected nnue, handcrafted or classic)\n",
        ),
        ("--threads", "1025", "error: invalid value '1025' for '--threads <N>': 1025 is not in 1..=1024\n"),
        (
            "--hash",
            "1048577",
            "error: invalid value '1048577' for '--hash <MIB>': 1048577 is not in 1..=1048576\n",
        ),
        ("--threads", "0", "error: invalid value '0' for '--threads <N>'"),
        ("--hash", "0", "error: invalid value '0' for '--hash <MIB>'"),
        (
            "--allow-host",
            "nb:8960",
            "error: invalid value 'nb:8960' for '--allow-host <NAME>': expected a name",
        ),
        ("--sessions", "0", "error: invalid value '0' for '--sessions <N>'"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya-web"));
        // No machine has this address, so that the program ends even if it accepts the argument.
        command.args(["--no-open", "--host", "192.0.2.1", argument, value]).env("RUST_BACKTRACE", "1");
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && text.starts_with(message) && !text.contains("backtrace"),
            "{text}"
        );
    }
}

/// `tabiya web` passes its arguments on, so that its manual page and completions have a list of their own.
#[test]
fn documents_and_tabiya_web_have_the_same_options() {
    let help = Command::new(env!("CARGO_BIN_EXE_tabiya-web")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let options: Vec<String> = help
        .lines()
        .filter(|line| line.trim_start().starts_with("--"))
        .map(|line| line.trim().replace(['<', '>'], ""))
        .collect();
    assert!(options.contains(&"--port PORT".to_owned()), "{options:?}");
    let read = |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    for (path, start, end) in [("../terminal/src/web.rs", "    (\"", "\""), ("../../docs/web.md", "| `", "`")]
    {
        let text = read(path);
        let listed: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix(start)?.split(end).next())
            .filter(|name| name.starts_with("--"))
            .collect();
        assert_eq!(listed, options, "{path}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya-web"));
    command.args(["--no-open", "--port", "0"]).stdout(fs::File::create("/dev/full").unwrap());
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success()
            && text.starts_with("error: cannot write to standard output: No space left on device"),
        "{text}"
    );
}

#[cfg(unix)]
#[test]
fn ends_when_asked_to() {
    for signal in ["INT", "TERM"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya-web"));
        let mut server = command.args(["--no-open", "--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with("Tabiya is at http://127.0.0.1:"), "{line}");
        let id = server.id().to_string();
        assert!(Command::new("sh").args(["-c", "kill -s $0 $1", signal, &id]).status().unwrap().success());
        assert!(server.wait().unwrap().success(), "{signal}");
    }
}
