//! Makes the table of popular opening positions, `src/popular_positions.bin`.
//!
//! ```sh
//! cargo run --release -p tabiya-player --example opening_table -- popularpos_lichess_v3.epd games.pgn crates/player/src/popular_positions.bin
//! ```
//!
//! The first file has positions in the order of their popularity, from the fifth ply on: `popularpos_lichess_v3.epd` of
//! Stockfish's opening books, which was made from the Lichess database. Games of the Lichess database supply the plies
//! before. Both are in the public domain (CC0).
//!
//! Each record has 5 bytes: the upper half of the position's key, little-endian, and the popularity as its binary logarithm in
//! eighths. The records are sorted by key.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, File};
use tabiya_core::Move;
use tabiya_core::notation::{Next, PgnReader};
use tabiya_movegen::{GameVisitor, Position, Replay, ReplayError};

/// Number of positions taken from the list.
const POSITIONS: usize = 14_000;
/// Number of plies taken from the games.
const PLIES: usize = 5;
/// Popularity of the first position of the list, in games of the second file, times `RANK_OFFSET`. The popularity falls with
/// the inverse of the rank (Zipf's law).
const ZIPF: f64 = 700.0;
const RANK_OFFSET: f64 = 50.0;
/// Unit of popularity: the reciprocal of the least that can be stored, in games.
const UNIT: f64 = 32.0;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [list, games, out] = &arguments[..] else { return Err("expected LIST.epd GAMES.pgn OUT".into()) };
    let mut popularity: BTreeMap<u32, f64> = BTreeMap::new();
    let mut reader = PgnReader::new(File::open(games)?);
    let mut counter = Replay::new(Counter { popularity: &mut popularity, plies: 0 });
    while reader.read_game(&mut counter)?.is_some() {}
    for (rank, line) in fs::read_to_string(list)?.lines().take(POSITIONS).enumerate() {
        let fields: Vec<&str> = line.split_whitespace().take(3).collect();
        let position = Position::from_fen(&format!("{} - 0 1", fields.join(" ")))?;
        let value = popularity.entry(index(&position)).or_default();
        *value = value.max(ZIPF / (rank as f64 + RANK_OFFSET));
    }
    let mut bytes = Vec::new();
    for (key, value) in popularity {
        bytes.extend(key.to_le_bytes());
        bytes.push((8.0 * (value * UNIT).log2()).round().clamp(0.0, 255.0) as u8);
    }
    fs::write(out, bytes)?;
    Ok(())
}

fn index(position: &Position) -> u32 {
    (position.key() >> 32) as u32
}

/// Counts the positions of the first plies.
struct Counter<'a> {
    popularity: &'a mut BTreeMap<u32, f64>,
    plies: usize,
}

impl GameVisitor for Counter<'_> {
    type Output = ();

    fn begin_game(&mut self) {
        self.plies = 0;
    }

    fn play(&mut self, position: &Position, mv: Move) -> Next {
        let mut after = position.clone();
        after.play_unchecked(mv);
        *self.popularity.entry(index(&after)).or_default() += 1.0;
        self.plies += 1;
        if self.plies < PLIES { Next::Read } else { Next::Skip }
    }

    fn error(&mut self, _: ReplayError) -> Next {
        Next::Read
    }

    fn end_game(&mut self, _: &Position) {}
}
