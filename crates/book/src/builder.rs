//! Making a book from games.

use crate::polyglot::{Entry, polyglot_key, polyglot_move};
use std::collections::HashMap;
use tabiya_core::notation::GameResult;
use tabiya_core::{Color, Move};
use tabiya_movegen::Position;

/// Counts the moves of games, and makes a Polyglot book of them.
///
/// A move is weighted by what it has scored: two for each win of the side that played it, one for each
/// draw, as Polyglot itself does it.
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
    /// By the key of the position and the move.
    tallies: HashMap<(u64, u16), Tally>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    games: u64,
    score: u64,
}

impl PolyglotBuilder {
    /// A builder that has seen no game.
    pub fn new() -> PolyglotBuilder {
        PolyglotBuilder::default()
    }

    /// A move has been played in a game that ended like this. Games without a result count as draws.
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

    /// The content of the file: moves that have been played in at least so many games, and have scored.
    pub fn build(&self, min_games: u64) -> Vec<u8> {
        let mut moves: Vec<(u64, u64, u16)> = self
            .tallies
            .iter()
            .filter(|(_, tally)| tally.games >= min_games && tally.score > 0)
            .map(|(&(key, mv), tally)| (key, tally.score, mv))
            .collect();
        // The best first, and always in the same order.
        moves.sort_unstable_by_key(|&(key, score, mv)| (key, std::cmp::Reverse(score), mv));
        let mut bytes = Vec::new();
        for replies in moves.chunk_by(|a, b| a.0 == b.0) {
            let highest = replies.iter().map(|&(_, score, _)| score).max().unwrap_or(1);
            for &(key, score, mv) in replies {
                // What does not fit into 16 bits is made smaller in proportion, but not nothing.
                let weight = if highest > u64::from(u16::MAX) {
                    (score * u64::from(u16::MAX) / highest).max(1)
                } else {
                    score
                };
                Entry { key, mv, weight: weight as u16 }.write(&mut bytes);
            }
        }
        bytes
    }
}
