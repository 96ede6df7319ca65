//! King safety.
//!
//! One attacker near a king means little, four often mean mate. So the threats to a king are first added up
//! in king-danger units; the penalty in the middlegame is the square of the sum. In the endgame an exposed
//! king matters less, and the penalty is linear.

use super::super::attack_map::AttackMap;
use super::super::score::{KingDanger, Score};
use super::super::side::Side;
use super::super::tracer::{Tracer, count};
use super::shelter::Shelter;
use tabiya_core::{Bitboard, Board, File, PieceType, Value};
use tabiya_movegen::attacks;

/// Squared king-danger units per centipawn of the middlegame penalty.
pub(crate) const MG_DIVISOR: Value = 1024;

/// King-danger units per centipawn of the endgame penalty.
pub(crate) const EG_DIVISOR: Value = 16;

/// The cap on king-danger units. Their penalty is worth more than a queen and two rooks.
pub(crate) const MAX_DANGER: Value = 1600;

/// Converts the danger to a king into a penalty, in centipawns, for the side of that king.
#[inline(always)]
pub(crate) fn penalty(danger: KingDanger) -> Score {
    let mg = danger.mg().clamp(0, MAX_DANGER);
    let eg = danger.eg().clamp(0, MAX_DANGER);
    Score::new((mg * mg / MG_DIVISOR) as i16, (eg / EG_DIVISOR) as i16)
}

/// The danger to the king of `S`.
#[inline(always)]
pub(crate) fn king_danger<S: Side, T: Tracer>(
    board: &Board,
    map: &AttackMap,
    shelter: &Shelter,
    tracer: &mut T,
) -> KingDanger {
    let (ours, theirs) = (map.of(S::US), map.of(S::THEM));
    let king = board.king(S::US);
    let mut danger = shelter.danger;
    count!(tracer, S, danger, king_danger_base);
    for (kind, &attackers) in theirs.ring_attackers.iter().enumerate() {
        count!(tracer, S, danger, king_danger_attacker[kind] * attackers);
    }
    count!(tracer, S, danger, king_danger_attacks * theirs.king_attacks);

    let [_, _, _, _, queens, kings] = ours.by;
    let weak = (theirs.all - ours.twice) & (!ours.all | queens | kings);
    count!(tracer, S, danger, king_danger_weak_ring * (weak & ours.ring).count());
    if board.pieces(S::THEM, PieceType::Queen).is_empty() {
        count!(tracer, S, danger, king_danger_no_queen);
    }
    danger += checks::<S, T>(board, map, weak, tracer);

    let flank = king_flank(king.file()) & (S::rank(0) | S::rank(1) | S::rank(2) | S::rank(3) | S::rank(4));
    let attacked = theirs.all & flank;
    let attacks = attacked.count() + (attacked & theirs.twice).count();
    count!(tracer, S, danger, king_danger_flank_attack * attacks);
    count!(tracer, S, danger, king_danger_flank_defence * (ours.all & flank).count());
    if !(board.pieces(S::US, PieceType::Knight) & ours.ring).is_empty() {
        count!(tracer, S, danger, king_danger_knight_defender);
    }
    count!(tracer, S, danger, king_danger_pinned * ours.blockers.count());
    danger
}

/// The danger from checks that the enemy could give with its next move, by type of piece.
#[inline(always)]
fn checks<S: Side, T: Tracer>(board: &Board, map: &AttackMap, weak: Bitboard, tracer: &mut T) -> KingDanger {
    let (ours, theirs) = (map.of(S::US), map.of(S::THEM));
    let king = board.king(S::US);
    let safe = !board.by_color(S::THEM) & (!ours.all | (weak & theirs.twice));
    let occupied = board.occupied() ^ board.pieces(S::US, PieceType::Queen);
    let diagonal = attacks::bishop_attacks(king, occupied);
    let orthogonal = attacks::rook_attacks(king, occupied);
    let [_, knights, bishops, rooks, queens, _] = theirs.by;
    let by_kind = [
        attacks::knight_attacks(king) & knights,
        diagonal & bishops,
        orthogonal & rooks,
        (diagonal | orthogonal) & queens,
    ];
    let mut danger = KingDanger::ZERO;
    for (kind, &checks) in by_kind.iter().enumerate() {
        let safe_checks = checks & safe;
        if safe_checks.any() {
            let several = usize::from(safe_checks.more_than_one());
            count!(tracer, S, danger, king_danger_safe_check[kind][several]);
        }
    }
    let unsafe_checks = (by_kind[0] | by_kind[1] | by_kind[2]) - safe - board.by_color(S::THEM);
    count!(tracer, S, danger, king_danger_unsafe_check * unsafe_checks.count());
    danger
}

/// The king's flank: three or four files around the king.
#[inline(always)]
fn king_flank(king: File) -> Bitboard {
    const FLANKS: [Bitboard; 8] = {
        let mut flanks = [Bitboard::EMPTY; 8];
        let mut file = 0;
        while file < 8 {
            let (first, last) = match file {
                0 => (0, 2),
                1 | 2 => (0, 3),
                3 | 4 => (2, 5),
                5 | 6 => (4, 7),
                _ => (5, 7),
            };
            let mut each = first;
            while each <= last {
                flanks[file] = flanks[file].with(File::wrapping(each).bitboard());
                each += 1;
            }
            file += 1;
        }
        flanks
    };
    FLANKS[king.index()]
}

#[cfg(test)]
mod tests {
    use super::super::super::side::adjacent_files;
    use super::*;

    #[test]
    fn flanks_are_symmetric_and_contain_the_adjacent_files() {
        for file in File::ALL {
            assert_eq!(king_flank(file).flip_files(), king_flank(File::wrapping(7 - file as u8)));
            assert!((file.bitboard() | adjacent_files(file)).is_subset_of(king_flank(file)), "{file}");
        }
    }

    #[test]
    fn penalty_is_quadratic_in_the_middlegame_and_linear_in_the_endgame() {
        assert_eq!(penalty(KingDanger::new(-500, -500)), Score::ZERO);
        assert_eq!(penalty(KingDanger::new(320, 320)), Score::new(100, 20));
        assert_eq!(penalty(KingDanger::new(640, 640)), Score::new(400, 40));
        assert_eq!(penalty(KingDanger::new(9000, 0)), penalty(KingDanger::new(MAX_DANGER as i16, 0)));
    }
}
