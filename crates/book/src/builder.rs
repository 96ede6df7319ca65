//! [`PolyglotBuilder`]: Polyglot books made from games.

use crate::polyglot::{PolyglotEntry, polyglot_key, polyglot_move};
use std::collections::HashMap;
use tabiya_core::notation::GameResult;
use tabiya_core::{Color, Move};
use tabiya_movegen::Position;

/// A builder of Polyglot books that counts the moves of games.
///
/// As in Polyglot itself, the weight of a move is its score: two for each win of the side that played it, one for each draw.
///
/// ```
/// use tabiya_core::notation::GameResult;
/// use tabiya_movegen::{Game, Position};
/// use tabiya_book::{Book, PolyglotBook, PolyglotBuilder};
///
/// let game: Game = "1. e4 e5 2. Nf3 1-0".parse()?;
/// let mut builder = PolyglotBuilder::new();
/// for (position, &mv) in game.positions().zip(game.moves()) {
///     builder.add(position, mv, GameResult::WhiteWins);
/// }
/// let book = PolyglotBook::from_bytes(&builder.build(1))?;
/// assert_eq!(book.len(), 2); // e4 and Nf3; e5 has scored nothing
/// assert_eq!(book.moves(&Position::startpos())[0].weight, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PolyglotBuilder {
    /// Keyed by the position's key and the move.
    tallies: HashMap<(u64, u16), Tally>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    games: u64,
    score: u64,
}

impl PolyglotBuilder {
    /// Creates a builder without games.
    pub fn new() -> PolyglotBuilder {
        PolyglotBuilder::default()
    }

    /// Counts a move of a game with the given result. Games without a result count as draws.
    ///
    /// Positions should have standard castling rights; [`PolyglotBook::moves`](crate::PolyglotBook::moves) finds no others. The key is that of
    /// [`polyglot_key`](crate::polyglot_key), with its limit in positions where a pin forbids an en-passant capture.
    pub fn add(&mut self, position: &Position, mv: Move, result: GameResult) {
        let score = match (result, position.side_to_move()) {
            (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => 2,
            (GameResult::WhiteWins, _) | (GameResult::BlackWins, _) => 0,
            _ => 1,
        };
        let tally = self.tallies.entry((polyglot_key(position), polyglot_move(mv))).or_default();
        tally.games += 1;
        tally.score += score;
    }

    /// Returns the contents of the book file: the moves with at least `min_games` games and a score above 0.
    pub fn build(&self, min_games: u64) -> Vec<u8> {
        let mut moves: Vec<(u64, u64, u16)> = self
            .tallies
            .iter()
            .filter(|(_, tally)| tally.games >= min_games && tally.score > 0)
            .map(|(&(key, mv), tally)| (key, tally.score, mv))
            .collect();
        // The best replies first; the move breaks ties, so that the file is reproducible.
        moves.sort_unstable_by_key(|&(key, score, mv)| (key, std::cmp::Reverse(score), mv));
        let mut bytes = Vec::new();
        for replies in moves.chunk_by(|a, b| a.0 == b.0) {
            let highest = replies.iter().map(|&(_, score, _)| score).max().unwrap_or(1);
            for &(key, score, mv) in replies {
                // Scale weights to 16 bits, keeping each at least 1.
                let weight = if highest > u64::from(u16::MAX) {
                    (score * u64::from(u16::MAX) / highest).max(1)
                } else {
                    score
                };
                PolyglotEntry { key, mv, weight: weight as u16 }.write(&mut bytes);
            }
        }
        bytes
    }
}
