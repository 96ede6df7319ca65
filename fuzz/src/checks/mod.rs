//! One function for each fuzz target. Each takes any bytes, and panics if something that ought to
//! hold for any bytes does not.

#![allow(unreachable_pub, reason = "the fuzz targets use these, the replay of the corpus includes them")]

mod agreement;
mod epd;
mod fen;
#[path = "../../../crates/movegen/tests/oracle/mod.rs"]
#[allow(dead_code, unused_imports, reason = "it serves other tests too")]
mod oracle;
mod pgn;
mod pgn_events;
mod pgn_replay;
mod position_play;
mod san;
mod uci_move;

pub use epd::epd;
pub use fen::fen;
pub use pgn::pgn;
pub use position_play::position_play;
pub use san::san;
pub use uci_move::uci_move;

use tabiya_movegen::Position;

/// The input of the targets that read moves: a FEN, and on each further line a move to be read
/// in that position. The first line may be anything else; then it is the start position.
fn position_and_moves(data: &[u8]) -> (Position, impl Iterator<Item = &[u8]>) {
    let mut lines = data.split(|&byte| byte == b'\n');
    let fen = lines.next().and_then(|line| str::from_utf8(line).ok()).unwrap_or_default();
    (Position::from_fen(fen).unwrap_or_default(), lines)
}

/// Is this a place in the text at which an error may be reported?
fn is_place_in(text: &str, position: usize) -> bool {
    position <= text.len() && text.is_char_boundary(position)
}
