//! Runs perft: `cargo run --release -p tabiya-movegen --example perft -- 6 [FEN]`.

use std::error::Error;
use std::time::Instant;
use tabiya_movegen::{Position, perft};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let depth = args.next().unwrap_or_else(|| "6".into()).parse()?;
    let fen: Vec<String> = args.collect();
    let position = if fen.is_empty() { Position::startpos() } else { fen.join(" ").parse()? };

    let start = Instant::now();
    let nodes = perft(&position, depth);
    let seconds = start.elapsed().as_secs_f64();
    println!("{nodes} nodes in {seconds:.3} s, {:.0} million per second", nodes as f64 / seconds / 1e6);
    Ok(())
}
