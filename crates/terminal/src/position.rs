//! The position of a command line.

use crate::message::quote;
use std::io::{self, Write as _};
use tabiya_core::{Board, Epd, FenError, FenErrorKind, FenField};
use tabiya_movegen::Position;

/// Parses the position of a command line: the fields of a FEN as one or several arguments, or `startpos` or nothing for the start
/// position.
///
/// EPD operations, and castling rights and en-passant squares that contradict the pieces, are dropped and reported on standard error.
///
/// # Errors
/// If the FEN is invalid.
pub(crate) fn from_args(args: &[String]) -> Result<Position, FenError> {
    let text = args.join(" ");
    let text = text.trim();
    if matches!(text, "" | "startpos") {
        return Ok(Position::startpos());
    }
    let (fen, operations) = if text.ends_with(';') { Epd::split(text) } else { (text, "") };
    let (board, dropped) = Board::from_fen_lossy(fen)?;
    let mut notes: Vec<String> = dropped.iter().map(ToString::to_string).collect();
    if !operations.is_empty() {
        notes.push(format!("EPD operations after the FEN, {}", quote(operations)));
    }
    for note in notes {
        let note = note.strip_prefix("illegal position: ").unwrap_or(&note);
        // A closed standard error must not fail the command.
        let _ = writeln!(io::stderr(), "{note}; ignored");
    }
    Position::new(board).map_err(|error| FenError {
        field: FenField::Placement,
        position: 0,
        kind: FenErrorKind::Board(error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_command_line_positions() {
        let fields = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(from_args(&fields(fen)).unwrap().to_string(), fen);
        assert_eq!(from_args(&[fen.to_owned()]).unwrap().to_string(), fen);
        assert_eq!(from_args(&[]).unwrap(), Position::startpos());
        assert_eq!(from_args(&fields("startpos")).unwrap(), Position::startpos());
        assert!(from_args(&fields("e4 e5")).is_err());
        let untidy = "4k3/8/8/8/8/8/8/4K3 w KQkq e3 bm Kd2;";
        assert_eq!(from_args(&fields(untidy)).unwrap().to_string(), fen);
    }
}
