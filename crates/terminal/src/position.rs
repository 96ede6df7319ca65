//! Positions as text of users: lenient reading of FENs.

use crate::message::quote;
use std::fmt::Display;
use std::io::{self, Write as _};
use tabiya_core::{Board, Epd, FenError, FenErrorKind, FenField};
use tabiya_movegen::Position;

/// Parses a FEN leniently, and returns the board with notes about what was dropped: EPD operations after the FEN, and castling rights and
/// en-passant squares that contradict the pieces.
///
/// # Errors
/// If the FEN is invalid.
pub fn lenient_board(text: &str) -> Result<(Board, Vec<String>), FenError> {
    let (fen, operations) = if text.trim_end().ends_with(';') { Epd::split(text) } else { (text, "") };
    let (board, dropped) = Board::from_fen_lossy(fen)?;
    let mut notes: Vec<String> = dropped.iter().map(|error| format!("{}; ignored", reason(error))).collect();
    if !operations.is_empty() {
        notes.push(format!("EPD operations after the FEN, {}; ignored", quote(operations)));
    }
    Ok((board, notes))
}

/// The position of a board.
///
/// # Errors
/// If it is illegal.
pub fn legal(board: Board) -> Result<Position, FenError> {
    Position::new(board).map_err(|error| FenError {
        field: FenField::Placement,
        position: 0,
        kind: FenErrorKind::Board(error),
    })
}

/// The text of an error without the introduction of one about an illegal position.
pub fn reason(error: &impl Display) -> String {
    let text = error.to_string();
    text.strip_prefix("illegal position: ").unwrap_or(&text).to_owned()
}

/// Parses the position of a command line: the fields of a FEN as one or several arguments, or `startpos` or nothing for the start
/// position. What is dropped, as by [`lenient_board`], is reported on standard error.
///
/// # Errors
/// If the FEN is invalid.
pub(crate) fn from_args(args: &[String]) -> Result<Position, FenError> {
    let text = args.join(" ");
    if matches!(text.trim(), "" | "startpos") {
        return Ok(Position::startpos());
    }
    let (board, notes) = lenient_board(text.trim())?;
    let position = legal(board)?;
    for note in notes {
        // A closed standard error must not fail the command.
        let _ = writeln!(io::stderr(), "{note}");
    }
    Ok(position)
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
