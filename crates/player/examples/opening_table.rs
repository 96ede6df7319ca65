//! Makes the table of popular opening positions, `src/popular_positions.bin`, and that of their results, `src/popular_results.bin`.
//!
//! ```sh
//! cargo run --release -p tabiya-player --example opening_table -- popularpos_lichess_v3.epd games.pgn crates/player/src
//! ```
//!
//! The first file has positions in the order of their popularity, from the fifth ply on: `popularpos_lichess_v3.epd` of
//! Stockfish's opening books, which was made from the Lichess database. Games of the Lichess database supply the plies
//! before. Both are in the public domain (CC0).
//!
//! Each record of the first table has 5 bytes: the upper half of the position's key, little-endian, and the popularity as its binary
//! logarithm in eighths. Each record of the second has 10: the same half of the key, then three counts of two bytes each: the games
//! with the position that White won, that were drawn and that Black won. A position without games has no record. The records are
//! sorted by key.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs::{self, File};
use std::path::Path;
use tabiya_core::Move;
use tabiya_core::notation::{GameResult, Next, PgnReader};
use tabiya_movegen::{GameCounts, GameVisitor, Position, Replay, ReplayError};

/// Number of positions taken from the list.
const POSITIONS: usize = 14_000;
/// Number of plies of the games whose positions are popular.
const PLIES: usize = 5;
/// Number of plies of the games whose positions have results: the last move of an opening is the 21st.
const RESULT_PLIES: usize = 21;
/// Popularity of the first position of the list, in games of the second file, times `RANK_OFFSET`. The popularity falls with
/// the inverse of the rank (Zipf's law).
const ZIPF: f64 = 700.0;
const RANK_OFFSET: f64 = 50.0;
/// Unit of popularity: the reciprocal of the least that can be stored, in games.
const UNIT: f64 = 32.0;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [list, games, folder] = &arguments[..] else {
        return Err("expected LIST.epd GAMES.pgn FOLDER".into());
    };
    let mut reader = PgnReader::new(File::open(games)?);
    let mut counter = Replay::new(Counter::default());
    while reader.read_game(&mut counter)?.is_some() {}
    let Counter { mut popularity, results, .. } = counter.into_inner();
    for (rank, line) in fs::read_to_string(list)?.lines().take(POSITIONS).enumerate() {
        let fields: Vec<&str> = line.split_whitespace().take(3).collect();
        let position = Position::from_fen(&format!("{} - 0 1", fields.join(" ")))?;
        let value = popularity.entry(index(&position)).or_default();
        *value = value.max(ZIPF / (rank as f64 + RANK_OFFSET));
    }
    let mut bytes = Vec::new();
    let mut result_bytes = Vec::new();
    for (key, value) in popularity {
        bytes.extend(key.to_le_bytes());
        bytes.push((8.0 * (value * UNIT).log2()).round().clamp(0.0, 255.0) as u8);
        if let Some(counts) = results.get(&key) {
            result_bytes.extend(key.to_le_bytes());
            for count in [counts.white_wins, counts.draws, counts.black_wins] {
                result_bytes.extend(u16::try_from(count)?.to_le_bytes());
            }
        }
    }
    fs::write(Path::new(folder).join("popular_positions.bin"), bytes)?;
    fs::write(Path::new(folder).join("popular_results.bin"), result_bytes)?;
    Ok(())
}

fn index(position: &Position) -> u32 {
    (position.key() >> 32) as u32
}

/// Counts the positions of the first plies.
#[derive(Default)]
struct Counter {
    popularity: BTreeMap<u32, f64>,
    results: BTreeMap<u32, GameCounts>,
    /// The positions of the current game.
    reached: BTreeSet<u32>,
    plies: usize,
}

impl GameVisitor for Counter {
    type Output = ();

    fn begin_game(&mut self) {
        self.plies = 0;
        self.reached.clear();
    }

    fn play(&mut self, position: &Position, mv: Move) -> Next {
        self.plies += 1;
        if self.plies > RESULT_PLIES {
            // The result is at the end of the moves.
            return Next::Read;
        }
        let mut after = position.clone();
        after.play_unchecked(mv);
        if self.plies <= PLIES {
            *self.popularity.entry(index(&after)).or_default() += 1.0;
        }
        self.reached.insert(index(&after));
        Next::Read
    }

    fn result(&mut self, result: GameResult) {
        if result != GameResult::Unknown {
            for &position in &self.reached {
                self.results.entry(position).or_default().add(result);
            }
        }
    }

    fn error(&mut self, _: ReplayError) -> Next {
        Next::Read
    }

    fn end_game(&mut self, _: &Position) {}
}
