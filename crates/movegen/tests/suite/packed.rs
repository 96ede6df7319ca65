//! Packed boards of many positions.

use crate::random::{Start, random_move};
use std::collections::HashMap;
use tabiya_core::{PackedBoard, SplitMix64};
use tabiya_movegen::Position;

/// Plays random games, and passes on this many of their positions.
fn positions(count: usize, seed: u64, mut visit: impl FnMut(&Position)) {
    let mut random = SplitMix64::new(seed);
    let mut visited = 0;
    loop {
        let start = [Start::Standard, Start::Chess960, Start::DoubleChess960][random.below(3)];
        let mut position = Position::from_fen(&start.fen(&mut random)).expect("a start position is legal");
        for _ in 0..100 {
            visit(&position);
            visited += 1;
            if visited == count {
                return;
            }
            let Some(mv) = random_move(&position, &mut random) else { break };
            position.play_unchecked(mv);
        }
    }
}

#[test]
fn a_million_positions_round_trip() {
    positions(1_000_000, 56, |position| {
        let packed = PackedBoard::from_bytes(position.pack().to_bytes());
        let mut builder = packed.to_builder().unwrap_or_else(|error| panic!("{position}: {error}"));
        builder.halfmove_clock = position.halfmove_clock();
        builder.fullmove_number = position.fullmove_number();
        assert_eq!(builder.build().as_ref(), Ok(position.board()));
    });
}

#[test]
fn packed_boards_are_equal_under_the_repetition_rule() {
    let mut by_text: HashMap<String, PackedBoard> = HashMap::new();
    let mut by_bytes: HashMap<PackedBoard, String> = HashMap::new();
    let mut repetitions = 0;
    positions(20_000, 57, |position| {
        let (text, packed) = (position.epd(), position.pack());
        repetitions += usize::from(by_text.contains_key(&text));
        assert_eq!(*by_text.entry(text.clone()).or_insert(packed), packed, "{text}");
        assert_eq!(*by_bytes.entry(packed).or_insert(text.clone()), text);
    });
    assert!(repetitions > 100, "only {repetitions} positions occurred twice");
}
