//! The threat bonus of quiet moves in move ordering.

use crate::params;
use tabiya_core::{Bitboard, PieceType, Square};
use tabiya_movegen::{Position, Threats, attacks};

/// The threat bonus of a node's quiet moves: for leaving a square attacked by a less valuable piece, for
/// attacking a more valuable piece, and negative for moving to an attacked square.
///
/// Histories cannot replace it: they change too slowly to reflect that a piece has just been attacked.
#[derive(Clone, Debug)]
pub(crate) struct ThreatBonus {
    by_type: [PieceTypeBonus; PieceType::COUNT],
}

/// The bonuses of one type of piece.
#[derive(Clone, Copy, Debug)]
struct PieceTypeBonus {
    /// The squares on which such a piece is attacked by a less valuable one.
    attacked: Bitboard,
    /// The bonus for leaving such a square, and the malus for going to one.
    escape_bonus: i32,
    /// The squares from which such a piece attacks a more valuable one, but not those on which a pawn would hang.
    attacks_from: Bitboard,
    /// The bonus for going to such a square.
    attack_bonus: i32,
}

impl ThreatBonus {
    /// Computes the bonuses of the side to move, given the opponent's attacks.
    pub(crate) fn new(position: &Position, threats: &Threats) -> ThreatBonus {
        let (side, occupied) = (position.side_to_move(), position.occupied());
        let theirs = |piece_type| position.pieces(!side, piece_type);
        let queens = theirs(PieceType::Queen);
        let majors = theirs(PieceType::Rook) | queens;
        let minors = theirs(PieceType::Knight) | theirs(PieceType::Bishop);
        let in_front = (minors | majors).forward(!side);
        let mut pawn = in_front.east() | in_front.west();
        let pushes = position.pieces(side, PieceType::Pawn).forward(side) - occupied;
        for square in pawn & (pushes | pushes.forward(side)) & threats.all {
            // A hanging pawn threatens nothing.
            if !position.is_attacked(square, side) {
                pawn ^= square.bitboard();
            }
        }
        let (mut knight, mut bishop, mut rook) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
        for major in majors {
            knight |= attacks::knight_attacks(major);
            bishop |= attacks::bishop_attacks(major, occupied);
        }
        for queen in queens {
            rook |= attacks::rook_attacks(queen, occupied);
        }
        let by_type = PieceType::ALL.map(|piece_type| {
            let (escape_bonus, attacks_from, attack_bonus) = match piece_type {
                PieceType::Pawn => (0, pawn, params::attack_by_pawn()),
                PieceType::Knight => (params::threat_minor(), knight, params::attack_by_knight()),
                PieceType::Bishop => (params::threat_minor(), bishop, params::attack_by_bishop()),
                PieceType::Rook => (params::threat_rook(), rook, params::attack_by_rook()),
                PieceType::Queen => (params::threat_queen(), Bitboard::EMPTY, 0),
                PieceType::King => (0, Bitboard::EMPTY, 0),
            };
            PieceTypeBonus {
                attacked: threats.by_lesser(piece_type),
                escape_bonus,
                attacks_from,
                attack_bonus,
            }
        });
        ThreatBonus { by_type }
    }

    /// Returns the bonuses of the quiet moves by a piece of this type on `from`.
    #[inline]
    pub(crate) fn of_piece(&self, piece_type: PieceType, from: Square) -> PieceThreatBonus {
        let bonus = self.by_type[piece_type.index()];
        let escape = if bonus.attacked.contains(from) { bonus.escape_bonus } else { 0 };
        PieceThreatBonus { bonus, escape }
    }
}

/// The threat bonuses of a piece's quiet moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PieceThreatBonus {
    bonus: PieceTypeBonus,
    /// The bonus for leaving the square of the piece.
    escape: i32,
}

impl PieceThreatBonus {
    /// Returns the bonus of the move to this square.
    #[inline]
    pub(crate) fn of_target(&self, to: Square) -> i32 {
        let PieceTypeBonus { attacked, escape_bonus, attacks_from, attack_bonus } = self.bonus;
        if attacked.contains(to) {
            self.escape - escape_bonus
        } else if attacks_from.contains(to) {
            self.escape + attack_bonus
        } else {
            self.escape
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_attacks_get_a_bonus() {
        for (fen, text, expected) in [
            // A bishop attacks the rook; a pawn and the bishop guard squares that it could go to.
            ("4k3/8/1p6/8/2R5/3b4/P7/4K1N1 w - - 0 1", "c4c1", params::threat_rook()),
            ("4k3/8/1p6/8/2R5/3b4/P7/4K1N1 w - - 0 1", "c4c5", 0),
            ("4k3/8/1p6/8/2R5/3b4/P7/4K1N1 w - - 0 1", "g1f3", 0),
            ("4k3/8/1p6/8/2R5/8/P7/4K1N1 w - - 0 1", "c4c5", -params::threat_rook()),
            ("4k3/8/5p2/8/8/5N2/8/4K3 w - - 0 1", "f3g5", -params::threat_minor()),
            ("4k3/5r2/8/8/8/8/8/3QK3 w - - 0 1", "d1d7", -params::threat_queen()),
            // Attacks on a more valuable piece; a hanging pawn does not count.
            ("r3k3/8/8/3n4/8/8/2P5/4K3 w - - 0 1", "c2c4", params::attack_by_pawn()),
            ("r3k3/8/8/2n1n3/8/3P4/8/4K3 w - - 0 1", "d3d4", params::attack_by_pawn()),
            ("r3k3/8/8/2n1n3/3P4/8/8/4K3 w - - 0 1", "e1e2", 0),
            ("3rk3/8/8/2n5/8/3P4/8/4K3 w - - 0 1", "d3d4", 0),
            ("4k3/r7/8/8/8/N7/8/4K3 w - - 0 1", "a3b5", params::attack_by_knight()),
            ("4k3/r7/8/8/8/N7/8/4K3 w - - 0 1", "a3c4", 0),
            ("4k3/8/8/8/4q3/8/8/3K1B2 w - - 0 1", "f1d3", params::attack_by_bishop()),
            ("q3k3/8/8/8/8/8/8/3RK3 w - - 0 1", "d1d8", params::attack_by_rook()),
        ] {
            let position: Position = fen.parse().expect("a legal position");
            let threats = Threats::of(&position, !position.side_to_move());
            let mv = position.parse_uci(text).expect("a legal move");
            let piece = position.piece_on(mv.from()).expect("a piece moves").piece_type();
            let threat_bonus = ThreatBonus::new(&position, &threats);
            let bonus = threat_bonus.of_piece(piece, mv.from()).of_target(mv.to());
            assert_eq!(bonus, expected, "{text} in {fen}");
        }
    }
}
