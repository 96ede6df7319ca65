//! The opening tree of a PGN file: every position of the first 30 plies, with the moves played there and their results.
//!
//! `cargo run --release -p tabiya-movegen --example opening_tree -- games.pgn e4 c5` prints the moves after 1. e4 c5.

use std::error::Error;
use std::fs::File;
use tabiya_core::notation::{GameResult, Next, PgnReader, TagToken};
use tabiya_core::{Color, Move, PackedBoard};
use tabiya_movegen::{GameCounts, GameVisitor, Position, Replay, ReplayError};

/// Every move with its position and the result of its game: sorted, a tree in which transpositions meet.
#[derive(Default)]
struct OpeningTree(Vec<(PackedBoard, Move, GameResult)>, GameResult);

impl GameVisitor for OpeningTree {
    type Output = ();

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        self.1 = if tag.name_bytes() == b"Result" { tag.value().parse().unwrap_or_default() } else { self.1 };
        Next::Read
    }
    fn play(&mut self, position: &Position, mv: Move) -> Next {
        self.0.push((position.pack(), mv, self.1));
        if position.fullmove_number() < 15 || position.side_to_move() == Color::White {
            Next::Read
        } else {
            Next::Skip
        }
    }
    fn error(&mut self, _: ReplayError) -> Next {
        Next::Skip
    }
    fn end_game(&mut self, _: &Position) {
        self.1 = GameResult::Unknown;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("the first argument must be a PGN file")?;
    let mut replay = Replay::new(OpeningTree::default());
    PgnReader::new(File::open(path)?).read_all(&mut replay)?;
    let mut tree = replay.into_inner().0;
    tree.sort_unstable();
    let mut position = Position::startpos();
    for san in arguments {
        position = position.play(position.parse_san(&san)?)?;
    }
    let here = &tree[tree.partition_point(|node| node.0 < position.pack())..];
    let here = &here[..here.partition_point(|node| node.0 == position.pack())];
    for games in here.chunk_by(|a, b| a.1 == b.1) {
        let mut counts = GameCounts::default();
        games.iter().for_each(|game| counts.add(game.2));
        println!("{}: {} games, {counts:?}", position.san(games[0].1), counts.total());
    }
    Ok(())
}
