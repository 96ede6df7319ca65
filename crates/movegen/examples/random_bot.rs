//! A UCI engine that plays random moves, except for mates in one.
//!
//! `cargo run --release -p tabiya-movegen --example random_bot`; or build it and load
//! `target/release/examples/random_bot` into a chess GUI.

use std::io::{self, BufRead};
use std::time::{SystemTime, UNIX_EPOCH};
use tabiya_core::{Move, SplitMix64};
use tabiya_movegen::{Game, Position};

fn choose_move(position: &Position, random: &mut SplitMix64) -> Option<Move> {
    let mate = position.legal().find(|mv| mv.gives_check() && mv.play().is_checkmate());
    let moves = position.legal_moves();
    mate.map(|mv| mv.mv()).or_else(|| moves.get(random.below(moves.len())).copied())
}

/// Parses the arguments of the `position` command: `startpos` or `fen <FEN>`, optionally `moves` and the moves.
fn set_up(arguments: &str) -> Result<Game, Box<dyn std::error::Error>> {
    let (start, moves) = arguments.split_once("moves").unwrap_or((arguments, ""));
    let start = match start.trim().strip_prefix("fen") {
        Some(fen) => fen.parse()?,
        None => Position::startpos(),
    };
    let mut game = Game::from_position(start);
    moves.split_whitespace().try_for_each(|mv| game.play_uci(mv).map(drop))?;
    Ok(game)
}

fn main() -> io::Result<()> {
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let (mut game, mut random, mut chess960) = (Game::new(), SplitMix64::new(clock), false);
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (command, arguments) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match command {
            "uci" => println!(
                "id name Random\nid author you\noption name UCI_Chess960 type check default false\nuciok"
            ),
            "isready" => println!("readyok"),
            "setoption" => chess960 = arguments == "name UCI_Chess960 value true",
            "position" => match set_up(arguments) {
                Ok(set_up) => game = set_up,
                Err(error) => println!("info string {error}"),
            },
            "go" => match choose_move(game.position(), &mut random) {
                Some(mv) => println!("bestmove {}", mv.to_uci(chess960)),
                None => println!("bestmove 0000"),
            },
            "quit" => break,
            _ => {}
        }
    }
    Ok(())
}
