//! One function per fuzz target. Each takes arbitrary bytes and panics if a property is violated.

#![allow(
    unreachable_pub,
    reason = "public for the fuzz targets; the corpus test includes this module privately"
)]

mod agreement;
mod epd;
mod fen;
mod game_tree;
mod observed_pieces;
#[path = "../../../crates/movegen/tests/oracle/mod.rs"]
#[allow(dead_code, unused_imports, reason = "other tests use the rest of it")]
mod oracle;
mod pgn;
mod pgn_events;
mod pgn_replay;
mod position_play;
mod san;
mod uci_move;

pub use epd::epd;
pub use fen::fen;
pub use game_tree::game_tree;
pub use pgn::pgn;
pub use position_play::position_play;
pub use san::san;
pub use uci_move::uci_move;

use tabiya_movegen::Position;

/// Splits the input of the move targets: a FEN on the first line, and on each further line a move to parse
/// in that position. If the first line is not a FEN, the position is the start position.
fn position_and_moves(data: &[u8]) -> (Position, impl Iterator<Item = &[u8]>) {
    let mut lines = data.split(|&byte| byte == b'\n');
    let fen = lines.next().and_then(|line| str::from_utf8(line).ok()).unwrap_or_default();
    (Position::from_fen(fen).unwrap_or_default(), lines)
}

/// Returns true if an error may be reported at this byte position of the text.
fn is_valid_position(text: &str, position: usize) -> bool {
    position <= text.len() && text.is_char_boundary(position)
}
