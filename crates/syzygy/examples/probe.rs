//! Prints the tablebase result of a position and of each of its moves.
//!
//! `cargo run -p tabiya-syzygy --example probe -- DIRECTORY 'FEN'`

use std::error::Error;
use tabiya_movegen::Position;
use tabiya_syzygy::{FiftyMoves, Tablebases};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(directory), Some(fen)) = (arguments.next(), arguments.next()) else {
        return Err("two arguments are needed: a directory of tables and a FEN".into());
    };
    let tables = Tablebases::open(&[directory])?;
    let position: Position = fen.parse()?;
    match (tables.probe_wdl(&position), tables.probe_dtz(&position)) {
        (Some(wdl), Some(dtz)) => println!("{wdl:?}, DTZ {dtz}"),
        (Some(wdl), None) => println!("{wdl:?}"),
        _ => println!("no table for this position (up to {} pieces are there)", tables.max_pieces()),
    }

    let mut moves = tables.probe_root(&position, FiftyMoves::Counted { repeated: false }).unwrap_or_default();
    moves.sort_by_key(|ranked| std::cmp::Reverse(ranked.rank));
    for ranked in moves {
        println!("{:<7} {:?}", position.san(ranked.mv).to_string(), ranked.wdl);
    }
    tables.problems().iter().for_each(|problem| eprintln!("{problem}"));
    Ok(())
}
