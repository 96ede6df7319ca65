//! Analyses a position until Enter is pressed: one thread prints the reports, another stops the search.
//!
//! `cargo run --release -p tabiya-search --example analyse -- "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1"`

use tabiya_movegen::{Game, Position};
use tabiya_search::{Engine, Limits, Options, SearchEvent};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let position = match std::env::args().nth(1) {
        Some(fen) => Position::from_fen(&fen)?,
        None => Position::startpos(),
    };
    let mut engine = Engine::new(Options::default())?;
    let search = engine.go(&Game::from_position(position), Limits::infinite());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // The end of the input stops the search too.
            let _ = std::io::stdin().read_line(&mut String::new());
            search.stop();
        });
        for event in search.events() {
            match event {
                SearchEvent::Info(info) => {
                    let line: Vec<String> = info.pv.iter().map(|mv| mv.to_uci(false).to_string()).collect();
                    println!("{:>3} {:>7} {:>12}  {}", info.depth, info.score, info.nodes, line.join(" "));
                }
                SearchEvent::CurrentMove { mv, number, .. } => println!("  {number}. {}", mv.to_uci(false)),
                SearchEvent::BestMove(answer) => println!("{:?}", answer.best),
                _ => {}
            }
        }
    });
    Ok(())
}
