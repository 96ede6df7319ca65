//! Game history: playing, undo, redo and declared outcomes.

use crate::random::{Start, random_move};
use tabiya_core::{Color, Move, MoveKind, SplitMix64, Square};
use tabiya_movegen::{DrawReason, Game, Outcome, Position, WinReason};

/// Compares random moves, undos and redos with a plain list of moves and positions.
#[test]
fn random_undo_and_redo() {
    let mut random = SplitMix64::new(51);
    for start in [Start::Standard, Start::Chess960].into_iter().cycle().take(40) {
        let start = Position::from_fen(&start.fen(&mut random)).expect("a start position is legal");
        let mut game = Game::from_position(start.clone());
        let mut line: Vec<(Move, Position)> = Vec::new();
        let mut ply = 0;
        for _ in 0..400 {
            match random.below(10) {
                0..6 => {
                    let Some(mv) = random_move(game.position(), &mut random) else { continue };
                    game.play(mv).expect("a generated move is legal");
                    line.truncate(ply);
                    line.push((mv, game.position().clone()));
                    ply += 1;
                }
                6..8 => {
                    let expected = ply.checked_sub(1).map(|last| line[last].0);
                    assert_eq!(game.undo(), expected);
                    ply = ply.saturating_sub(1);
                }
                _ => {
                    assert_eq!(game.redo(), line.get(ply).map(|(mv, _)| *mv));
                    ply = line.len().min(ply + 1);
                }
            }
            assert_eq!(*game.start(), start);
            assert_eq!(game.moves(), line[..ply].iter().map(|(mv, _)| *mv).collect::<Vec<_>>());
            let expected = ply.checked_sub(1).map_or(&start, |last| &line[last].1);
            assert_eq!(game.position(), expected);

            let mut keys: Vec<_> = game.keys().collect();
            let mut expected_keys = vec![start.key()];
            expected_keys.extend(line[..ply].iter().map(|(_, position)| position.key()));
            assert_eq!(keys, expected_keys);
            let same = expected_keys.iter().filter(|&&key| key == expected.key()).count();
            assert_eq!(game.repetitions(), same);
            keys.reverse();
            assert_eq!(game.keys().rev().collect::<Vec<_>>(), keys);
        }
    }
}

#[test]
fn illegal_move_leaves_the_game_unchanged() {
    let mut game = Game::new();
    let illegal = Move::new(Square::E2, Square::E5, MoveKind::Quiet);
    let error = game.play(illegal).expect_err("a pawn does not go three squares");
    assert!(error.to_string().contains("e2e5"), "{error}");
    assert!(game.moves().is_empty());
    assert_eq!(*game.position(), Position::startpos());
    let mv = game.position().parse_san("e4").expect("it is legal");
    game.play(mv).expect("it is legal");
    game.undo();
    // The undone moves are kept too.
    game.play(illegal).expect_err("it is still illegal");
    assert_eq!(game.redo(), Some(mv));
}

#[test]
fn declared_outcome_is_discarded_by_play_undo_and_redo() {
    let resigned = Outcome::Win { winner: Color::Black, reason: WinReason::Resignation };
    let agreed = Outcome::Draw { reason: DrawReason::Agreement };
    let mut game = Game::new();
    let mv = game.position().parse_san("e4").expect("it is legal");
    game.end(resigned);
    assert_eq!(game.outcome(), Some(resigned));
    assert_eq!((game.declared_outcome(), game.outcome_by_rule()), (Some(resigned), None));
    game.play(mv).expect("it is legal");
    assert_eq!(game.outcome(), None);
    game.end(agreed);
    game.undo();
    assert_eq!(game.outcome(), None, "after undo");
    game.end(agreed);
    game.redo();
    assert_eq!(game.outcome(), None, "after redo");
}

#[test]
fn move_counters_saturate() {
    let mut position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 65534 65534".parse().unwrap();
    for (uci, clocks) in [
        ("e1e2", "65535 65534"),
        ("e8d8", "65535 65535"),
        ("h1h2", "65535 65535"),
        ("d8e8", "65535 65535"),
        ("h2h3", "65535 65535"),
        ("e8e7", "65535 65535"),
    ] {
        position = position.play(position.parse_uci(uci).unwrap()).unwrap();
        assert!(position.to_string().ends_with(clocks), "{position}");
        assert_eq!(position.to_string().parse(), Ok(position.clone()));
    }
    position.play_null();
    assert!(position.to_string().ends_with("b - - 65535 65535"), "{position}");
}
