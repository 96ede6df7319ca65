//! Comparison with the crate `viriformat`, the reference for the format.

use super::record::{GameRecord, START_SIZE};
use super::test_games::random_games;
use viriformat::chess::board::{DrawType, GameOutcome, WinType};
use viriformat::dataformat::Game;

/// A castling move, en passant, and promotions with and without capture.
const SPECIAL: [(&str, &[&str]); 4] = [
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &["e1h1", "e8a8"]),
    ("4k3/8/8/8/5p2/8/4P3/4K3 w - - 3 40", &["e2e4", "f4e3"]),
    ("1r2k3/P7/8/8/8/8/p7/1R2K3 b - - 0 9", &["a2b1n", "a7b8r", "e8e7", "e1e2"]),
    ("1r2k3/8/8/8/8/8/8/1R2K1R1 w Gb - 0 1", &["e1g1", "e8b8"]),
];

fn special_games() -> Vec<GameRecord> {
    let game = |&(fen, moves): &(&str, &[&str])| {
        let start = tabiya_movegen::Position::from_fen(fen).unwrap();
        let mut game = tabiya_movegen::Game::from_position(start.clone());
        let moves = moves.iter().map(|text| {
            let mv = game.play_uci(text).unwrap();
            super::ScoredMove { mv, score: -7 }
        });
        let moves = moves.collect();
        GameRecord { start, moves, ..random_games(1, 1).remove(0) }
    };
    SPECIAL.iter().map(game).collect()
}

/// Piece placement and side to move of a FEN. The crate has an en-passant square after every double push.
fn pieces(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

#[test]
fn viriformat_reads_these_games() {
    for game in random_games(30, 21).into_iter().chain(special_games()) {
        let bytes = game.to_bytes();
        // In a debug build the crate checks that position and moves are legal.
        let read = Game::deserialise_from(&mut bytes.as_slice(), Vec::new()).unwrap();
        let mut expected = Vec::new();
        game.visit(|position, _, scored| {
            let fen = position.to_string();
            expected.push((pieces(&fen), i32::from(scored.score)));
        });
        let mut boards = Vec::new();
        read.visit_positions(|board, score| {
            boards.push((pieces(&board.to_string()), score));
        });
        assert_eq!(boards, expected, "{}", game.start);
        let mut again = Vec::new();
        read.serialise_into(&mut again).unwrap();
        assert_eq!(again, bytes);
    }
}

#[test]
fn games_of_viriformat_are_read() {
    for (number, game) in random_games(30, 22).into_iter().chain(special_games()).enumerate() {
        let ours = game.to_bytes();
        let read = Game::deserialise_from(&mut ours.as_slice(), Vec::new()).unwrap();
        // The crate packs its own board.
        let mut theirs = Game::new(&read.initial_position());
        let outcome = match number % 3 {
            0 => GameOutcome::BlackWin(WinType::Adjudication),
            1 => GameOutcome::Draw(DrawType::Adjudication),
            _ => GameOutcome::WhiteWin(WinType::Adjudication),
        };
        theirs.set_outcome(outcome);
        for &(mv, score) in &read.moves {
            theirs.add_move(mv, score.get());
        }
        let mut bytes = Vec::new();
        theirs.serialise_into(&mut bytes).unwrap();
        let record = GameRecord::from_bytes(&bytes).unwrap();
        assert_eq!(record.half_points as usize, number % 3);
        assert_eq!((&record.start, &record.moves), (&game.start, &game.moves));
        // The crate leaves the byte of origin and ending at 0, and so do their readers.
        assert_eq!(bytes[..START_SIZE - 2], ours[..START_SIZE - 2], "{}", game.start);
    }
}
