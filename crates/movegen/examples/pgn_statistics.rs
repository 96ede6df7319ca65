//! Prints statistics of the games in a PGN file: results, lengths, openings, material.
//!
//! `cargo run --release -p tabiya-movegen --example pgn_statistics -- games.pgn`, or with the games on standard
//! input. The file is streamed, so it may be of any size.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use tabiya_core::notation::{GameResult, Next, PgnReader};
use tabiya_core::{Color, Move, PieceType};
use tabiya_movegen::{GameVisitor, Position, Replay, ReplayError};

/// Number of plies that make up an opening.
const OPENING_PLIES: usize = 4;

#[derive(Default)]
struct Statistics {
    results: [u64; 4],
    plies: u64,
    longest: usize,
    errors: u64,
    openings: HashMap<String, u64>,
    /// Games by the number of pieces left at the end, kings and pawns included, less one.
    pieces_left: [u64; 32],
    castling_moves: u64,
    promotions: HashMap<PieceType, u64>,
    // The current game.
    ply: usize,
    opening: String,
}

impl GameVisitor for Statistics {
    type Output = ();

    fn begin_game(&mut self) {
        self.ply = 0;
        self.opening.clear();
    }

    fn play(&mut self, position: &Position, mv: Move) -> Next {
        if self.ply < OPENING_PLIES {
            if position.side_to_move() == Color::White {
                self.opening += &format!("{}. ", position.fullmove_number());
            }
            self.opening += &format!("{} ", position.san(mv));
        }
        self.ply += 1;
        self.castling_moves += u64::from(mv.is_castle());
        if let Some(piece) = mv.promotion() {
            *self.promotions.entry(piece).or_default() += 1;
        }
        Next::Read
    }

    fn result(&mut self, result: GameResult) {
        self.results[result as usize] += 1;
    }

    fn error(&mut self, error: ReplayError) -> Next {
        eprintln!("{error}");
        self.errors += 1;
        Next::Read
    }

    fn end_game(&mut self, last: &Position) {
        self.plies += self.ply as u64;
        self.longest = self.longest.max(self.ply);
        self.pieces_left[last.occupied().count() as usize - 1] += 1;
        *self.openings.entry(self.opening.trim_end().to_owned()).or_default() += 1;
    }
}

fn main() -> io::Result<()> {
    let input: Box<dyn Read> = match std::env::args().nth(1) {
        Some(path) => Box::new(File::open(path)?),
        None => Box::new(io::stdin()),
    };
    let mut reader = PgnReader::new(input);
    let mut replay = Replay::new(Statistics::default());
    let mut games = 0_u64;
    while reader.read_game(&mut replay)?.is_some() {
        games += 1;
    }

    let statistics = replay.into_inner();
    let share = |count: u64| 100.0 * count as f64 / games.max(1) as f64;
    println!("{games} games, {} with errors", statistics.errors);
    for (result, count) in ["1-0", "0-1", "1/2-1/2", "*"].into_iter().zip(statistics.results) {
        println!("{result:<8} {count:>9} {:>6.1} %", share(count));
    }
    let average = statistics.plies as f64 / games.max(1) as f64;
    println!("plies: {average:.1} on average, {} in the longest game", statistics.longest);
    println!("{} castling moves", statistics.castling_moves);
    for piece in PieceType::PROMOTIONS {
        println!("{} promotions to a {piece}", statistics.promotions.get(&piece).copied().unwrap_or(0));
    }
    println!("pieces left at the end:");
    for (low, high) in [(2, 6), (7, 12), (13, 18), (19, 24), (25, 32)] {
        let count = statistics.pieces_left[low - 1..high].iter().sum();
        println!("{low:>3}-{high:<4} {count:>9} {:>6.1} %", share(count));
    }
    let mut openings: Vec<_> = statistics.openings.into_iter().collect();
    openings.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    println!("most played:");
    for (opening, count) in openings.into_iter().take(10) {
        println!("{count:>9} {:>6.1} %  {opening}", share(count));
    }
    Ok(())
}
