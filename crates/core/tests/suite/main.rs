//! Tests of FEN, EPD and PGN through the public API, on files from `tests/data` and on synthetic texts.

mod epd;
mod events;
mod fen;
mod packed;
mod pgn_deviations;
mod pgn_errors;
mod pgn_files;
mod pgn_properties;
mod pgn_text;
mod pgn_writing;

use std::path::PathBuf;

/// The bytes of a file under `tests/data`.
fn data(path: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of a file under `tests/data`.
fn text(path: &str) -> String {
    String::from_utf8(data(path)).unwrap()
}
