//! Boards for tests.

use tabiya_core::Board;

/// Parses a FEN.
///
/// # Panics
/// If the FEN is invalid; the message contains it.
#[track_caller]
pub(super) fn board(fen: &str) -> Board {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}
