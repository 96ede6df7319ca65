//! The danger to a king.
//!
//! One attacker near a king means little, four mean mate: so what threatens the king is added up in units first,
//! and in the middle game it is the square of the sum that counts. In the end game a king in danger is a
//! nuisance, and the sum counts as it is.

use crate::Score;
use crate::attack_map::AttackMap;
use crate::side::Side;
use crate::terms::shelter::Shelter;
use crate::tracer::{Tracer, count};
use tabiya_core::{Bitboard, Board, File, PieceType, Value};
use tabiya_movegen::attacks;

/// The square of the units is divided by this.
pub(crate) const SQUARE_DIVISOR: Value = 1024;

/// The units themselves are divided by this.
pub(crate) const LINE_DIVISOR: Value = 16;

/// More units than this count no more: their square is worth more than a queen and two rooks.
pub(crate) const MOST_UNITS: Value = 1600;

/// What so much danger costs the king's side.
#[inline(always)]
pub(crate) fn cost(danger: Score) -> Score {
    let middle_game = danger.middle_game().clamp(0, MOST_UNITS);
    let end_game = danger.end_game().clamp(0, MOST_UNITS);
    Score::new((middle_game * middle_game / SQUARE_DIVISOR) as i16, (end_game / LINE_DIVISOR) as i16)
}

/// The danger to the king of `S`.
#[inline(always)]
pub(crate) fn danger<S: Side, T: Tracer>(
    board: &Board,
    map: &AttackMap,
    shelter: &Shelter,
    tracer: &mut T,
) -> Score {
    let (ours, theirs) = (map.of(S::US), map.of(S::THEM));
    let king = board.king(S::US);
    let mut danger = shelter.danger;
    count!(tracer, S, danger, danger_base);
    for (kind, &attackers) in theirs.ring_attackers.iter().enumerate() {
        count!(tracer, S, danger, danger_attacker[kind] * attackers);
    }
    count!(tracer, S, danger, danger_attacks * theirs.king_attacks);

    let [_, _, _, _, queens, kings] = ours.by;
    let weak = (theirs.all - ours.twice) & (!ours.all | queens | kings);
    count!(tracer, S, danger, danger_weak_ring * (weak & ours.ring).count());
    if board.pieces(S::THEM, PieceType::Queen).is_empty() {
        count!(tracer, S, danger, danger_no_queen);
    }
    danger += checks::<S, T>(board, map, weak, tracer);

    let camp = flank(king.file()) & (S::rank(0) | S::rank(1) | S::rank(2) | S::rank(3) | S::rank(4));
    let attacked = theirs.all & camp;
    let attacks = attacked.count() + (attacked & theirs.twice).count();
    count!(tracer, S, danger, danger_flank_attack * attacks);
    count!(tracer, S, danger, danger_flank_defence * (ours.all & camp).count());
    if !(board.pieces(S::US, PieceType::Knight) & ours.ring).is_empty() {
        count!(tracer, S, danger, danger_knight_defender);
    }
    count!(tracer, S, danger, danger_pinned * ours.blockers.count());
    danger
}

/// Checks that the enemy could give at once, by each kind of piece.
#[inline(always)]
fn checks<S: Side, T: Tracer>(board: &Board, map: &AttackMap, weak: Bitboard, tracer: &mut T) -> Score {
    let (ours, theirs) = (map.of(S::US), map.of(S::THEM));
    let king = board.king(S::US);
    let safe = !board.by_color(S::THEM) & (!ours.all | (weak & theirs.twice));
    let through = board.occupied() ^ board.pieces(S::US, PieceType::Queen);
    let diagonal = attacks::bishop_attacks(king, through);
    let straight = attacks::rook_attacks(king, through);
    let [_, knights, bishops, rooks, queens, _] = theirs.by;
    let by_kind = [
        attacks::knight_attacks(king) & knights,
        diagonal & bishops,
        straight & rooks,
        (diagonal | straight) & queens,
    ];
    let mut danger = Score::ZERO;
    for (kind, &checks) in by_kind.iter().enumerate() {
        if (checks & safe).any() {
            count!(tracer, S, danger, danger_safe_check[kind][usize::from((checks & safe).more_than_one())]);
        }
    }
    let unsafe_checks = (by_kind[0] | by_kind[1] | by_kind[2]) - safe - board.by_color(S::THEM);
    count!(tracer, S, danger, danger_unsafe_check * unsafe_checks.count());
    danger
}

/// The king's flank: the half or the middle of the board where he is.
#[inline(always)]
fn flank(king: File) -> Bitboard {
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
    use super::*;
    use crate::side::files_beside;

    #[test]
    fn flanks_mirror_and_hold_their_king() {
        for file in File::ALL {
            assert_eq!(flank(file).flip_files(), flank(File::wrapping(7 - file as u8)));
            assert!((file.bitboard() | files_beside(file)).is_subset_of(flank(file)), "{file}");
        }
    }

    #[test]
    fn danger_grows_with_its_square() {
        assert_eq!(cost(Score::new(-500, -500)), Score::ZERO);
        assert_eq!(cost(Score::new(320, 320)), Score::new(100, 20));
        assert_eq!(cost(Score::new(640, 640)), Score::new(400, 40));
        assert_eq!(cost(Score::new(9000, 0)), cost(Score::new(MOST_UNITS as i16, 0)));
    }
}
