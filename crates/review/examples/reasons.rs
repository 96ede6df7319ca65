//! Measures how many bad moves have a reason: `cargo run --release -p tabiya-review --example reasons -- GAMES.pgn REVIEWS.jsonl [GAMES] [NODES]`
//!
//! Reviews the first games of a file with NODES nodes for each position and keeps the reviews in REVIEWS.jsonl. If that file exists, its
//! reviews are used instead, so that two versions of the reasons are compared on the same lines. Prints each marked move with its reason,
//! then the counts.

use std::error::Error;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;
use tabiya_core::Move;
use tabiya_movegen::{GameTree, Position};
use tabiya_review::{BatchOptions, GameReview, GameReviews, Reviewer, before_exchange_at, reason};
use tabiya_search::{Engine, Limits, Options};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [games, reviews, rest @ ..] = &arguments[..] else {
        return Err("expected GAMES.pgn and REVIEWS.jsonl".into());
    };
    let number = |index: usize, default: u64| rest.get(index).map_or(Ok(default), |text| text.parse());
    if !Path::new(reviews).exists() {
        review(games, reviews, number(0, 50)?, number(1, 20_000)?)?;
    }
    print_reasons(&fs::read_to_string(reviews)?)
}

/// Reviews the first `count` games with `nodes` nodes for each position.
fn review(games: &str, reviews: &str, count: u64, nodes: u64) -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(fs::File::create(reviews)?);
    let reviewer = Reviewer::new(Engine::new(Options::default())?, Limits::nodes(nodes));
    let games = GameReviews::start(fs::File::open(games)?, vec![reviewer], BatchOptions::default())?;
    for game in games.take(count as usize) {
        let (tree, review) = game?.game?;
        serde_json::to_writer(&mut out, &(tree.pgn().to_string(), review))?;
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

/// Prints the reasons of the reviewed games.
fn print_reasons(reviews: &str) -> Result<(), Box<dyn Error>> {
    let (mut marked, mut explained) = (0, 0);
    for line in reviews.lines() {
        let (pgn, review): (String, GameReview) = serde_json::from_str(line)?;
        let tree: GameTree = pgn.parse()?;
        for (reviewed, positions) in review.moves.iter().zip(review.positions.windows(2)) {
            let (Some(judgement), [before, after]) = (reviewed.judgement, positions) else { continue };
            let Some(parent) = tree.node(reviewed.parent) else { continue };
            let position = parent.position();
            let start = before_exchange_at(parent);
            let Some(reason) = reason(start, position, reviewed.mv, before, after) else { continue };
            let san = |start: &Position, moves: &[Move]| {
                let mut position = start.clone();
                let play = |&mv: &Move| {
                    let san = position.san(mv).to_string();
                    position = position.play(mv).ok()?;
                    Some(san)
                };
                moves.iter().take(9).map_while(play).collect::<Vec<_>>().join(" ")
            };
            let scores = [before, after]
                .map(|review| review.score.map(|(score, _)| score.to_string()).unwrap_or_default());
            let played: Vec<Move> = [reviewed.mv].iter().chain(&after.line).copied().collect();
            println!(
                "{position}\n  {} {} | {}",
                judgement.name(),
                scores.join(" -> "),
                san(position, &played)
            );
            println!("  better: {}\n  {}", san(position, &before.line), reason.text);
            marked += 1;
            explained += usize::from(reason.fault.is_some() || reason.purpose.is_some());
        }
    }
    println!("{explained} of {marked} marked moves have a reason");
    Ok(())
}
