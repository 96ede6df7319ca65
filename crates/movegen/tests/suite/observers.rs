//! Board observers, null moves and predicted keys.

use crate::observed_pieces::ObservedPieces;
use crate::random::{Start, random_move};
use tabiya_core::SplitMix64;
use tabiya_movegen::Position;

#[test]
fn observer_tracks_the_pieces() {
    let mut random = SplitMix64::new(31);
    for start in [Start::Standard, Start::Chess960, Start::DoubleChess960].into_iter().cycle().take(60) {
        let mut position = Position::from_fen(&start.fen(&mut random)).expect("a start position is legal");
        let mut pieces = ObservedPieces::of(&position);
        for _ in 0..150 {
            let Some(mv) = random_move(&position, &mut random) else { break };
            let mut unobserved = position.clone();
            unobserved.play_unchecked(mv);
            position.play_observed(mv, &mut pieces);
            assert_eq!(position, unobserved);
            assert_eq!(pieces, ObservedPieces::of(&position), "{position:#}");
        }
    }
}

#[test]
fn null_move_changes_only_the_side_to_move() {
    let mut random = SplitMix64::new(32);
    for _ in 0..40 {
        let mut position = Position::from_fen(&Start::Chess960.fen(&mut random)).expect("it is legal");
        for _ in 0..100 {
            if !position.in_check() {
                let mut passed = position.clone();
                passed.play_null();
                assert_eq!(passed.side_to_move(), !position.side_to_move());
                assert_eq!(passed.key(), passed.key_from_scratch());
                assert_eq!(passed.pawn_key(), position.pawn_key());
                assert_eq!(passed.castling(), position.castling());
                assert_eq!(passed.en_passant(), None);
                assert_eq!(passed.halfmove_clock(), position.halfmove_clock() + 1);
                assert_eq!(Position::from_fen(&passed.to_string()), Ok(passed));
            }
            let Some(mv) = random_move(&position, &mut random) else { break };
            position.play_unchecked(mv);
        }
    }
}

#[test]
fn likely_key_after_predicts_most_keys() {
    let mut random = SplitMix64::new(33);
    let (mut predicted, mut all) = (0, 0);
    for start in [Start::Standard, Start::Chess960].into_iter().cycle().take(40) {
        let mut position = Position::from_fen(&start.fen(&mut random)).expect("a start position is legal");
        for _ in 0..150 {
            let Some(mv) = random_move(&position, &mut random) else { break };
            let before = position.clone();
            position.play_unchecked(mv);
            let is_right = before.likely_key_after(mv) == position.key();
            let is_plain = !mv.is_castle() && !mv.is_en_passant() && mv.promotion().is_none();
            if is_plain && position.castling() == before.castling() && position.en_passant().is_none() {
                assert!(is_right, "{mv:?} in {before}");
            }
            predicted += usize::from(is_right);
            all += 1;
        }
    }
    assert!(predicted * 10 > all * 9, "{predicted} of {all}");
}
