//! The check of target `fen`.

use super::agreement::assert_agree;
use super::is_valid_position;
use super::oracle::Board as Oracle;
use tabiya_core::{Board, FenError, FenErrorKind};
use tabiya_movegen::Position;

/// Any text is rejected with a valid error position, or is a position that round-trips.
pub fn fen(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let lenient = Board::from_fen(text);
    let strict = Board::from_fen_strict(text);
    for error in [&lenient, &strict].into_iter().filter_map(|result| result.as_ref().err()) {
        check_error(text, error);
    }
    if strict.is_ok() {
        assert_eq!(lenient, strict, "lenient and strict parsing agree on a strict FEN");
    }
    if let Ok(board) = lenient {
        check_board(&board);
    }
}

fn check_error(text: &str, error: &FenError) {
    assert!(is_valid_position(text, error.position), "{error:?}");
    assert!(!error.to_string().is_empty());
    let at = &text[error.position..];
    match error.kind {
        FenErrorKind::InvalidPiece(c)
        | FenErrorKind::InvalidCastling(c)
        | FenErrorKind::DuplicateCastling(c)
        | FenErrorKind::UnavailableCastling(c) => assert!(at.starts_with(c), "{error:?}"),
        FenErrorKind::MissingField => assert_eq!(at, "", "{error:?}"),
        FenErrorKind::AdjacentDigits => assert!(at.starts_with(|c: char| c.is_ascii_digit()), "{error:?}"),
        FenErrorKind::TrailingText => assert!(!at.is_empty(), "{error:?}"),
        _ => {}
    }
}

fn check_board(board: &Board) {
    assert_eq!(board.key(), board.key_from_scratch());
    assert_eq!(board.pawn_key(), board.pawn_key_from_scratch());
    assert_eq!(board.to_builder().build().as_ref(), Ok(board));
    for written in [board.to_string(), format!("{board:#}")] {
        assert_eq!(Board::from_fen_strict(&written).as_ref(), Ok(board), "{written}");
    }
    let fen = board.to_string();
    assert_eq!(Board::from_fen(&fen).map(|board| board.to_string()).as_ref(), Ok(&fen));

    let position = Position::new(board.clone()).expect("a board is legal");
    assert_eq!(Position::from_fen(&fen).as_ref(), Ok(&position));
    // Only the en-passant square may differ: `Position` drops it if no capture is legal.
    let mut without = board.clone();
    without.clear_en_passant();
    assert!(*position == *board || *position == without, "{fen} as {position}");

    let oracle = Oracle::from_fen(&fen).expect("the oracle parses the written FEN");
    assert_agree(&position, &oracle, &oracle.legal_moves());
    let (to_move, not_to_move) = if fen.contains(" w ") { (" w ", " b ") } else { (" b ", " w ") };
    let other_side = Oracle::from_fen(&fen.replacen(to_move, not_to_move, 1))
        .expect("changing the side to move keeps the FEN valid");
    assert!(!other_side.in_check(), "the side not to move is in check in {fen}");
}
