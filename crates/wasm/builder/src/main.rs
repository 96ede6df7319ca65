//! Generates the JavaScript interface of `tabiya-wasm`, and compresses the files of the page.
//!
//! It does what the program `wasm-bindgen` does, whose version must be exactly that of the crate. As a dependency of the workspace, the
//! lock file keeps both in step, and nothing has to be installed. `cargo xtask web` runs it.

mod compress;

use anyhow::{Context, Result};
use clap::Parser;
use std::path::PathBuf;
use wasm_bindgen_cli_support::Bindgen;

/// Generates the JavaScript interface of tabiya-wasm, and compresses the files of the page.
#[derive(Parser)]
enum Command {
    /// Generate the JavaScript interface.
    Generate {
        /// The compiled crate, a .wasm file.
        input: PathBuf,
        /// Folder for the .wasm file and its .js file.
        output: PathBuf,
    },
    /// Write the gzip and Brotli form of each file beside it.
    Compress {
        /// The folder.
        folder: PathBuf,
        /// Brotli quality of files above 256 KiB, 0 to 11: 11 takes about 18 times as long as 5.
        #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(i32).range(0..=11))]
        quality: i32,
    },
}

fn main() -> Result<()> {
    match Command::parse() {
        Command::Generate { input, output } => {
            let mut bindgen = Bindgen::new();
            bindgen.input_path(&input).typescript(false).web(true)?;
            bindgen.generate(&output).with_context(|| format!("cannot convert {}", input.display()))
        }
        Command::Compress { folder, quality } => compress::folder(&folder, quality),
    }
}
