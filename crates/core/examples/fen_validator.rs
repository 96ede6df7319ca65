//! Says of each FEN what is wrong with it, and where.
//!
//! `cargo run -p tabiya-core --example fen_validator -- "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1"`, or one FEN a line
//! on standard input. Exits with 1 if any of them is wrong.

use std::io::{self, BufRead};
use std::process::ExitCode;
use tabiya_core::{Board, FenErrorKind};

/// Reports on one FEN; true if it is right.
fn validate(fen: &str) -> bool {
    match (Board::from_fen_strict(fen), Board::from_fen(fen)) {
        (Ok(board), _) => println!("right    {board}"),
        (Err(error), Ok(board)) => {
            // Readable, but not as the standard has it.
            println!("lenient  {fen}\n         {error}\n         should be: {board}");
        }
        (Err(_), Err(error)) => {
            let before = fen.get(..error.position).unwrap_or(fen).chars().count();
            println!("wrong    {fen}\n         {}^ {} field", " ".repeat(before), error.field);
            match error.kind {
                FenErrorKind::Board(reason) => println!("         no legal position: {reason}"),
                _ => println!("         {error}"),
            }
            return false;
        }
    }
    true
}

fn main() -> io::Result<ExitCode> {
    let mut all_right = true;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.is_empty() {
        for line in io::stdin().lock().lines() {
            all_right &= validate(line?.trim());
        }
    }
    for fen in arguments {
        all_right &= validate(&fen);
    }
    Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
