//! The openings that people play.

use std::sync::LazyLock;
use tabiya_core::Move;
use tabiya_movegen::{Game, Position};

/// Positions that people reach often, as `examples/opening_table.rs` writes them.
static POPULAR_POSITIONS: &[u8] = include_bytes!("popular_positions.bin");
/// Number of bytes of a position: the upper half of its key, and its popularity.
const RECORD: usize = 5;
/// The popularity doubles with each so many units.
const UNITS_PER_DOUBLING: f64 = 8.0;
/// The last ply of the opening. Later positions of the table are reached by transposition only.
const MAX_PLY: usize = 20;

/// Returns the share that each move has among the moves that people play in an opening position, from 0 to 1. Empty if the position is
/// not in the table of positions that people reach often, or after ply 20.
///
/// ```
/// use tabiya_movegen::Game;
/// use tabiya_player::popular_moves;
///
/// let moves = popular_moves(&Game::new());
/// let (mv, _) = moves.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("the initial position is known");
/// assert_eq!(mv.to_uci(false).to_string(), "e2e4");
/// ```
pub fn popular_moves(game: &Game) -> Vec<(Move, f64)> {
    if game.moves().len() > MAX_PLY {
        return Vec::new();
    }
    let position = game.position();
    let mut moves: Vec<(Move, f64)> = position
        .legal_moves()
        .into_iter()
        .filter_map(|mv| Some((mv, popularity(&position.play(mv).ok()?)?)))
        .collect();
    let sum: f64 = moves.iter().map(|&(_, popularity)| popularity).sum();
    moves.iter_mut().for_each(|(_, popularity)| *popularity /= sum);
    moves
}

/// Returns a number proportional to the popularity of a position.
fn popularity(position: &Position) -> Option<f64> {
    static KEYS: LazyLock<Vec<u32>> = LazyLock::new(|| {
        POPULAR_POSITIONS
            .chunks_exact(RECORD)
            .map(|record| u32::from_le_bytes([record[0], record[1], record[2], record[3]]))
            .collect()
    });
    let index = KEYS.binary_search(&((position.key() >> 32) as u32)).ok()?;
    Some((f64::from(POPULAR_POSITIONS[index * RECORD + RECORD - 1]) / UNITS_PER_DOUBLING).exp2())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(moves: &[&str], mv: &str) -> f64 {
        let mut game = Game::new();
        for mv in moves {
            game.play_uci(mv).expect("a legal move");
        }
        let found = popular_moves(&game).into_iter().find(|(m, _)| m.to_uci(false).to_string() == mv);
        found.map_or(0.0, |(_, share)| share)
    }

    #[test]
    fn people_begin_with_central_moves() {
        assert!(share(&[], "e2e4") > 0.4 && share(&[], "d2d4") > 0.15);
        assert!(["a2a3", "b1a3", "g1h3", "g2g4"].iter().map(|mv| share(&[], mv)).sum::<f64>() < 0.05);
        assert!(share(&["e2e4", "e7e5"], "g1f3") > 0.4);
        assert!(share(&["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"], "a7a6") > 0.2);
    }

    #[test]
    fn unknown_positions_have_no_shares() {
        let position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("a position");
        assert!(popular_moves(&Game::from_position(position)).is_empty());
    }
}
