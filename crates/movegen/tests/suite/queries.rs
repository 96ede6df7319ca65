//! Attacks, checks and pins of positions against slower implementations.

use crate::random::{Start, random_move, scattered_fen};
use tabiya_core::{Bitboard, PieceType, SplitMix64, Square};
use tabiya_movegen::{Position, attacks};

/// Returns positions of random games and positions with scattered pieces.
fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = SplitMix64::new(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = Position::from_fen(&Start::Chess960.fen(&mut random)).expect("it is legal");
        for _ in 0..100 {
            positions.push(position.clone());
            let Some(mv) = random_move(&position, &mut random) else { break };
            position.play_unchecked(mv);
        }
        positions.extend((0..100).filter_map(|_| Position::from_fen(&scattered_fen(&mut random)).ok()));
    }
    positions
}

/// Computes attacks from each attacker, also with an occupancy other than the position's.
#[test]
fn attackers_of_a_square() {
    let mut random = SplitMix64::new(71);
    for position in positions(1_000, 72) {
        for occupied in [position.occupied(), position.occupied() & Bitboard(random.next_u64())] {
            let square = Square::ALL[random.below(64)];
            let attacks_it = |&from: &Square| {
                position
                    .piece_on(from)
                    .is_some_and(|piece| attacks::piece_attacks(piece, from, occupied).contains(square))
            };
            let expected: Bitboard = Square::ALL.into_iter().filter(attacks_it).collect();
            assert_eq!(position.attackers_to(square, occupied), expected, "{square} in {position}");
        }
    }
}

#[test]
fn checkers_and_check_mask() {
    for position in positions(3_000, 73) {
        let us = position.side_to_move();
        let king = position.king(us);
        let checkers = position.attackers_to(king, position.occupied()) & position.by_color(!us);
        assert_eq!(position.checkers(), checkers, "in {position}");
        assert_eq!(position.in_check(), checkers.any());
        let expected = match checkers.count() {
            0 => Bitboard::FULL,
            1 => checkers.into_iter().fold(checkers, |mask, checker| mask | attacks::between(king, checker)),
            _ => Bitboard::EMPTY,
        };
        assert_eq!(position.check_mask(), expected, "in {position}");
    }
}

/// A piece is pinned if removing it gives check by another piece.
#[test]
fn pinned_pieces() {
    for position in positions(3_000, 74) {
        let us = position.side_to_move();
        let king = position.king(us);
        let guards = |from: &Square| {
            let without = position.occupied() - from.bitboard();
            let attackers = position.attackers_to(king, without) & position.by_color(!us);
            *from != king && attackers != position.checkers()
        };
        let expected: Bitboard = position.by_color(us).into_iter().filter(guards).collect();
        assert_eq!(position.pinned(), expected, "in {position}");
        let knights = position.pieces(us, PieceType::Knight) & position.pinned();
        let moves = position.legal_moves();
        assert!(moves.iter().all(|mv| !knights.contains(mv.from())), "a pinned knight moves in {position}");
    }
}
