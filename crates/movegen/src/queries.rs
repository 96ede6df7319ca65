//! Attacks, blockers, moves that give check, and mating material of a position. Its checkers and pinned pieces belong to `position`.

use crate::attacks;
use crate::position::Position;
use crate::threats::Threats;
use tabiya_core::{Bitboard, Color, Move, MoveKind, Piece, PieceType, Square};

impl Position {
    /// Returns the squares that the piece on `square` attacks, including those occupied by its own side;
    /// empty if the square is empty.
    ///
    /// ```
    /// use tabiya_core::{Bitboard, Square};
    /// use tabiya_movegen::Position;
    ///
    /// let position = Position::startpos();
    /// assert_eq!(position.attacks_from(Square::B1).count(), 3);
    /// assert_eq!(position.attacks_from(Square::E4), Bitboard::EMPTY);
    /// ```
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        match self.piece_on(square) {
            Some(piece) => attacks::piece_attacks(piece, square, self.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// Returns the squares that the pieces of one colour attack, pinned or not, including those occupied by its own side.
    ///
    /// ```
    /// use tabiya_core::Color;
    /// use tabiya_movegen::Position;
    ///
    /// assert_eq!(Position::startpos().attacked_squares(Color::Black).count(), 22);
    /// ```
    pub fn attacked_squares(&self, by: Color) -> Bitboard {
        Threats::of(self, by).all
    }

    /// Returns the pieces of one colour that attack `square`, pinned or not.
    ///
    /// ```
    /// use tabiya_core::{Color, Square};
    /// use tabiya_movegen::Position;
    ///
    /// let position = Position::startpos();
    /// let defenders = position.attackers(Square::F3, Color::White);
    /// assert!(defenders.into_iter().eq([Square::G1, Square::E2, Square::G2]));
    /// ```
    #[inline]
    pub fn attackers(&self, square: Square, by: Color) -> Bitboard {
        self.attackers_to(square, self.occupied()) & self.by_color(by)
    }

    /// Returns the pieces of either colour that are the only piece between this colour's king and an enemy
    /// slider.
    ///
    /// Those of the king's colour are pinned; the others can give a discovered check.
    ///
    /// ```
    /// use tabiya_core::{Color, Square};
    /// use tabiya_movegen::Position;
    ///
    /// let position: Position = "4k3/3P4/4n3/8/B7/8/8/4R1K1 b - - 0 1".parse()?;
    /// let blockers = Square::E6.bitboard() | Square::D7.bitboard();
    /// assert_eq!(position.blockers(Color::Black), blockers);
    /// assert_eq!(position.pinned(), Square::E6.bitboard());
    /// assert!(position.blockers(Color::White).is_empty());
    /// # Ok::<(), tabiya_core::FenError>(())
    /// ```
    pub fn blockers(&self, color: Color) -> Bitboard {
        let king = self.king(color);
        let snipers = attacks::rook_rays(king) & self.orthogonal_sliders(!color)
            | attacks::bishop_rays(king) & self.diagonal_sliders(!color);
        snipers
            .into_iter()
            .map(|sniper| attacks::between(king, sniper) & self.occupied())
            .filter(|between| between.count() == 1)
            .fold(Bitboard::EMPTY, |all, blocker| all | blocker)
    }

    /// Returns true if the legal move gives check. For many moves of one position,
    /// [`CheckInfo`](crate::CheckInfo) is faster.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse()?;
    /// assert!(position.gives_check(position.parse_san("Ra8")?));
    /// assert!(!position.gives_check(position.parse_san("O-O-O")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else { return false };

        // The piece on its target and the occupancy after the move. Only sliders can give a discovered
        // check, so nothing else of the position after the move matters.
        let mut placed = Piece::new(us, mv.promotion().unwrap_or(piece.piece_type()));
        let mut target = to;
        let mut occupied = (self.occupied() ^ from.bitboard()) | to.bitboard();
        match mv.kind() {
            MoveKind::Castle(side) => {
                let rank = from.rank();
                target = Square::new(side.rook_file(), rank);
                placed = Piece::new(us, PieceType::Rook);
                let king_target = Square::new(side.king_file(), rank).bitboard();
                occupied = (occupied - to.bitboard()) | king_target | target.bitboard();
            }
            MoveKind::EnPassant => occupied ^= Square::new(to.file(), from.rank()).bitboard(),
            _ => {}
        }
        if attacks::piece_attacks(placed, target, occupied).contains(king) {
            return true;
        }
        let unmoved = !(from.bitboard() | to.bitboard());
        let diagonal = self.diagonal_sliders(us) & unmoved & attacks::bishop_rays(king);
        let orthogonal = self.orthogonal_sliders(us) & unmoved & attacks::rook_rays(king);
        (diagonal.any() && !attacks::bishop_attacks(king, occupied).is_disjoint(diagonal))
            || (orthogonal.any() && !attacks::rook_attacks(king, occupied).is_disjoint(orthogonal))
    }

    /// Returns true if this side has mating material: with it, some sequence of legal moves ends in mate,
    /// even if only by helpmate.
    ///
    /// If it has none, the game is drawn when the other side's time runs out. In a
    /// [dead position](Position::is_dead) neither side has mating material.
    ///
    /// ```
    /// use tabiya_core::Color;
    /// use tabiya_movegen::Position;
    ///
    /// let position: Position = "4k3/8/8/4r3/8/8/8/3NK3 w - - 0 1".parse()?;
    /// assert!(position.can_mate(Color::White)); // if Black's rook blocks its own king
    /// let position: Position = "4k3/8/8/4q3/8/8/8/3NK3 w - - 0 1".parse()?;
    /// assert!(!position.can_mate(Color::White));
    /// # Ok::<(), tabiya_core::FenError>(())
    /// ```
    pub fn can_mate(&self, color: Color) -> bool {
        let own = self.by_color(color);
        let [pawns, knights, bishops, rooks, queens, kings] = PieceType::ALL.map(|kind| self.by_type(kind));
        if !own.is_disjoint(pawns | rooks | queens) {
            return true;
        }
        match (knights & own).count() {
            // If all bishops of both sides are on squares of one colour, mate needs another piece to block
            // the king's escape. Only pawns and knights can: a rook or queen could always interpose.
            0 if bishops.is_subset_of(Bitboard::LIGHT) || bishops.is_subset_of(Bitboard::DARK) => {
                (bishops & own).any() && (pawns | knights).any()
            }
            0 => (bishops & own).any(),
            // A lone knight needs an enemy piece to block the king's escape, but not a queen, which could
            // always capture the knight.
            1 if (bishops & own).is_empty() => !self.by_color(!color).is_subset_of(kings | queens),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions with every kind of check: by promotion, castling, en passant, discovery.
    const CHECKS: [&str; 9] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
        "3k4/8/8/2pP4/8/8/8/3R1K2 w - c6 0 1",
        "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
        "1k6/4P3/4K3/8/8/8/8/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "1r2k1r1/pbppnp1p/1b3P2/8/Q7/B1PB1q2/P4PPP/3R1RK1 b - - 0 1",
    ];

    #[test]
    fn gives_check_agrees_with_playing() {
        let mut checks = 0;
        for fen in CHECKS {
            let root: Position = fen.parse().unwrap();
            for first in root.legal_moves() {
                let position = root.play(first).unwrap();
                for (position, mv) in [(&root, first)]
                    .into_iter()
                    .chain(position.legal_moves().into_iter().map(|second| (&position, second)))
                {
                    let check = position.play(mv).unwrap().in_check();
                    assert_eq!(position.gives_check(mv), check, "{mv:?} in {position}");
                    assert_eq!(
                        position.check_info().gives_check(position, mv),
                        check,
                        "{mv:?} in {position}"
                    );
                    checks += usize::from(check);
                }
            }
        }
        assert!(checks > 200, "only {checks} checks");
    }

    #[test]
    fn own_blockers_are_pinned() {
        for fen in CHECKS {
            let position: Position = fen.parse().unwrap();
            let us = position.side_to_move();
            assert_eq!(position.blockers(us) & position.by_color(us), position.pinned(), "{fen}");
        }
        let position: Position = "4k3/4P3/8/8/8/8/4R3/4K3 w - - 0 1".parse().unwrap();
        assert_eq!(position.blockers(Color::Black), Square::E7.bitboard());
    }
}
