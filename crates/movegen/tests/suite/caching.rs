//! Positions whose checkers and pinned pieces are cached, and positions where they are not.

use crate::random::{Start, random_move, scattered_fen};
use std::hash::{DefaultHasher, Hash, Hasher};
use tabiya_core::{Move, SplitMix64, Square};
use tabiya_movegen::Position;

/// Asserts that all queries return the same for a position just reached by a move, its cached copy, and the same board
/// set up again.
fn assert_agree(reached: &Position) {
    let mut cached = reached.clone();
    cached.cache_legality();
    let built = Position::new(reached.board().clone()).expect("moves lead to legal positions");
    for other in [&cached, &built] {
        assert_eq!(reached, other);
        assert_eq!(format!("{reached:?}"), format!("{other:?}"));
        assert_eq!(hash(reached), hash(other));
        assert_eq!(reached.checkers(), other.checkers(), "{reached}");
        assert_eq!(reached.pinned(), other.pinned(), "{reached}");
        assert_eq!(reached.in_check(), other.in_check(), "{reached}");
        assert_eq!(reached.check_mask(), other.check_mask(), "{reached}");
        assert_eq!(reached.legal_moves(), other.legal_moves(), "{reached}");
        assert_eq!(reached.count_legal_moves(), other.legal_moves().len(), "{reached}");
        assert_eq!(reached.has_legal_move(), !other.legal_moves().is_empty(), "{reached}");
        assert_eq!(reached.is_checkmate(), other.is_checkmate(), "{reached}");
        assert_eq!(reached.is_stalemate(), other.is_stalemate(), "{reached}");
    }
    let mut overwritten = Position::startpos();
    overwritten.clone_from(reached);
    assert_eq!(&overwritten, reached);
    assert_eq!(overwritten.pinned(), cached.pinned(), "the cache of the overwritten position is not used");
}

fn hash(position: &Position) -> u64 {
    let mut hasher = DefaultHasher::new();
    position.hash(&mut hasher);
    hasher.finish()
}

/// Asserts that every 16 bits are a legal move of both positions or of neither.
fn assert_same_legality(reached: &Position) {
    let mut cached = reached.clone();
    cached.cache_legality();
    for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
        assert_eq!(reached.is_legal(mv), cached.is_legal(mv), "{mv:?} in {reached}");
    }
}

#[test]
fn cached_and_computed_legality_agree_in_random_games() {
    let mut random = SplitMix64::new(11);
    for start in [Start::Standard, Start::Chess960, Start::DoubleChess960] {
        for _ in 0..15 {
            let mut position = Position::from_fen(&start.fen(&mut random)).unwrap();
            for ply in 0..120 {
                let Some(mv) = random_move(&position, &mut random) else { break };
                position.play_unchecked(mv);
                assert_agree(&position);
                if ply % 60 == 30 {
                    assert_same_legality(&position);
                }
                if !position.in_check() {
                    let mut passed = position.clone();
                    passed.play_null();
                    assert_agree(&passed);
                }
                if random.below(2) == 0 {
                    position.cache_legality();
                }
            }
        }
    }
}

#[test]
fn cached_and_computed_legality_agree_with_rare_pins_and_checks() {
    let mut random = SplitMix64::new(12);
    let mut positions = 0;
    while positions < 300 {
        let Ok(position) = Position::from_fen(&scattered_fen(&mut random)) else { continue };
        positions += 1;
        for mv in position.legal_moves() {
            assert_agree(&position.play(mv).unwrap());
        }
    }
}

#[test]
fn a_move_discards_the_cache() {
    let mut position: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
    assert!(!position.in_check());
    position.cache_legality();
    position.play_unchecked(position.parse_uci("a1a8").unwrap());
    assert_eq!(position.checkers(), Square::A8.bitboard());
    position.cache_legality();
    position.play_unchecked(position.parse_uci("e8d7").unwrap());
    assert!(!position.in_check());
}
