//! Messages about bad arguments of the program.

use std::process::Command;

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
