//! Passes the compiler version to the `version` command.

use std::env;
use std::process::Command;

fn main() {
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output();
    let version = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    println!("cargo::rustc-env=TABIYA_RUSTC={}", version.as_deref().unwrap_or("an unknown rustc").trim());
    println!("cargo::rerun-if-changed=build.rs");
}
