//! An opening explorer: the moves played in a position, with their frequencies and results.
//!
//! `cargo run --release -p tabiya-book --example explorer -- games.pgn e4 c5 Nf3` counts the games of a PGN file that reach the
//! position after these moves, also by transposition, and adds the moves of the built-in book.

use std::collections::HashMap;
use std::error::Error;
use std::fs::File;
use tabiya_book::Book;
use tabiya_core::notation::{GameResult, Next, PgnReader, TagToken};
use tabiya_core::{Color, Move};
use tabiya_movegen::{GameVisitor, Position, Replay, ReplayError};

/// Counts the moves that games play in one position.
struct Explorer {
    position: Position,
    /// For each move, the games that White won, drawn games, games that Black won, and other games.
    moves: HashMap<Move, [u32; 4]>,
    result: GameResult,
}

impl GameVisitor for Explorer {
    type Output = ();

    fn begin_game(&mut self) {
        self.result = GameResult::Unknown;
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        if tag.name_bytes() == b"Result" {
            self.result = tag.value().parse().unwrap_or_default();
        }
        Next::Read
    }

    fn play(&mut self, position: &Position, mv: Move) -> Next {
        // Most positions differ in their keys, so this is cheap.
        if position.key() != self.position.key() || !position.is_repetition_of(&self.position) {
            return Next::Read;
        }
        let column = match self.result {
            GameResult::WhiteWins => 0,
            GameResult::Draw => 1,
            GameResult::BlackWins => 2,
            GameResult::Unknown => 3,
        };
        self.moves.entry(mv).or_default()[column] += 1;
        Next::Skip
    }

    fn error(&mut self, _: ReplayError) -> Next {
        Next::Read
    }

    fn end_game(&mut self, _: &Position) {}
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("the first argument must be a PGN file")?;
    let mut position = Position::startpos();
    for san in arguments {
        position = position.play(position.parse_san(&san)?)?;
    }
    print!("{}\n{position}\n\n", position.diagram());

    let explorer =
        Explorer { position: position.clone(), moves: HashMap::new(), result: GameResult::Unknown };
    let mut replay = Replay::new(explorer);
    let mut reader = PgnReader::new(File::open(path)?);
    while reader.read_game(&mut replay)?.is_some() {}

    let mut moves: Vec<(Move, [u32; 4])> = replay.into_inner().moves.into_iter().collect();
    moves.sort_by_key(|(mv, games)| (std::cmp::Reverse(games.iter().sum::<u32>()), *mv));
    for (mv, games) in moves {
        let total: u32 = games.iter().sum();
        let score = if position.side_to_move() == Color::White { games[0] } else { games[2] };
        let percent = f64::from(2 * score + games[1]) * 50.0 / f64::from(total - games[3]).max(1.0);
        println!("{:<7} {total:>6} games, score {percent:>5.1} %", position.san(mv).to_string());
    }
    for reply in Book::main_lines().moves(&position) {
        println!("{:<7} in the built-in book, weight {}", position.san(reply.mv).to_string(), reply.weight);
    }
    Ok(())
}
