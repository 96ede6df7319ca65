//! Validates FENs and points at the first error in each.
//!
//! `cargo run -p tabiya-core --example fen_validator -- "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1"`, or one FEN per
//! line on standard input. Exits with status 1 if any FEN is invalid.

use std::io::{self, BufRead};
use std::process::ExitCode;
use tabiya_core::{Board, FenErrorKind};

/// Prints a report on one FEN; returns true if it is valid.
fn validate(fen: &str) -> bool {
    match (Board::from_fen_strict(fen), Board::from_fen(fen)) {
        (Ok(board), _) => println!("valid    {board}"),
        (Err(error), Ok(board)) => {
            println!("lenient  {fen}\n         {error}\n         standard form: {board}");
        }
        (Err(_), Err(error)) => {
            let before = fen.get(..error.position).unwrap_or(fen).chars().count();
            println!("invalid  {fen}\n         {}^ {} field", " ".repeat(before), error.field);
            match error.kind {
                FenErrorKind::Board(reason) => println!("         illegal position: {reason}"),
                _ => println!("         {error}"),
            }
            return false;
        }
    }
    true
}

fn main() -> io::Result<ExitCode> {
    let mut all_valid = true;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.is_empty() {
        for line in io::stdin().lock().lines() {
            all_valid &= validate(line?.trim());
        }
    }
    for fen in arguments {
        all_valid &= validate(&fen);
    }
    Ok(if all_valid { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
