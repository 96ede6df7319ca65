//! Analyses a position with three lines, shows its progress five times a second, and cancels the search as soon as the best line
//! is deep enough.
//!
//! `cargo run --release -p tabiya-search --example progress -- "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1" 20`

use std::time::Duration;
use tabiya_movegen::{Game, Position};
use tabiya_search::{Engine, Limits, Line, NoEvent, Options, SearchEvent};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let position = match arguments.next() {
        Some(fen) => Position::from_fen(&fen)?,
        None => Position::startpos(),
    };
    let depth: u32 = arguments.next().map_or(Ok(12), |depth| depth.parse())?;
    let mut engine = Engine::new(Options::default().with_hash_mb(64))?;
    let search = engine.go(&Game::from_position(position.clone()), Limits::default().with_multipv(3));
    // The search runs in its own thread: this one is free for other work, here for reading events with a timeout.
    let mut deepest = 0;
    loop {
        match search.events().next_timeout(Duration::from_millis(200)) {
            Ok(SearchEvent::Info(info)) if info.depth >= depth => break,
            Ok(SearchEvent::BestMove(_)) | Err(NoEvent::Ended) => break,
            Ok(_) | Err(NoEvent::Pending) => {}
        }
        let lines = search.lines();
        if lines.first().is_some_and(|line| line.depth > deepest) {
            deepest = lines[0].depth;
            lines.iter().for_each(|line| print_line(&position, line));
        }
    }
    // Any thread can do this, through `search.stop_handle()`. Dropping the search stops it, too.
    search.stop();
    let answer = search.answer();
    println!("{} nodes in {:.1} s:", answer.nodes, answer.time.as_secs_f64());
    answer.lines().iter().for_each(|line| print_line(&position, line));
    Ok(())
}

fn print_line(root: &Position, line: &Line) {
    let mut position = root.clone();
    let mut text = String::new();
    for &mv in &line.pv {
        text += &format!(" {}", position.san(mv));
        position.play_unchecked(mv);
    }
    println!("{:>3} {:>7} {:?}{text}", line.depth, line.score, line.bound);
}
