//! Generates the JavaScript interface of `tabiya-wasm`.
//!
//! It does what the program `wasm-bindgen` does, whose version must be exactly that of the crate. As a dependency of the workspace, the
//! lock file keeps both in step, and nothing has to be installed. `cargo xtask web` runs it.

use anyhow::{Context, Result};
use clap::Parser;
use std::path::PathBuf;
use wasm_bindgen_cli_support::Bindgen;

/// Generates the JavaScript interface of tabiya-wasm.
#[derive(Parser)]
struct Args {
    /// The compiled crate, a .wasm file.
    input: PathBuf,
    /// Folder for the .wasm file and its .js file.
    output: PathBuf,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let mut bindgen = Bindgen::new();
    bindgen.input_path(&args.input).typescript(false).web(true)?;
    bindgen.generate(&args.output).with_context(|| format!("cannot convert {}", args.input.display()))
}
