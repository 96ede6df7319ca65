//! Threat states: how each piece is attacked and defended.

use tabiya_core::{Bitboard, Color, PieceType, Square};
use tabiya_movegen::Threats;

/// The threat state of every piece on a board, as networks with threats see it.
///
/// | state | the piece is |
/// |---|---|
/// | 0 | not attacked |
/// | 1 | attacked and defended, by no enemy of lower value |
/// | 2 | attacked and undefended, by no enemy of lower value |
/// | 3 | attacked by an enemy of lower value |
///
/// Knights and bishops have the same value, and kings the highest: a king in check has state 3. Pins are ignored, and a piece defends the
/// squares that it attacks, whatever stands on them.
///
/// ```
/// use tabiya_core::{Board, Color, PieceType, Square};
/// use tabiya_eval::nnue::ThreatStates;
///
/// let board = Board::from_fen("4k3/8/2p5/3N4/8/3Q4/8/3RK2r w - - 0 1")?;
/// let states = ThreatStates::new(|color, piece_type| board.pieces(color, piece_type));
/// assert_eq!(states.state(Square::D5), 3, "a pawn attacks the knight");
/// assert_eq!(states.state(Square::E1), 3, "the king is in check");
/// assert_eq!(states.state(Square::D3), 0);
/// # Ok::<(), tabiya_core::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreatStates {
    /// The bits of the states: squares with state 1 or 3, and with state 2 or 3.
    bits: [Bitboard; 2],
}

impl ThreatStates {
    /// The number of states.
    pub const COUNT: usize = 4;

    /// The states of a board with these pieces, which need not be a legal position.
    #[inline]
    pub fn new(pieces: impl Fn(Color, PieceType) -> Bitboard) -> ThreatStates {
        let sides = Color::ALL.map(|color| {
            PieceType::ALL
                .into_iter()
                .fold(Bitboard::EMPTY, |all, piece_type| all | pieces(color, piece_type))
        });
        let occupied = sides[0] | sides[1];
        let threats = Color::ALL
            .map(|color| Threats::by_pieces(color, occupied, |piece_type| pieces(color, piece_type)));
        let mut bits = [Bitboard::EMPTY; 2];
        for color in Color::ALL {
            let (own, enemy) = (&threats[color.index()], &threats[(!color).index()]);
            let by_lower = PieceType::ALL
                .into_iter()
                .fold(pieces(color, PieceType::King) & enemy.all, |squares, piece_type| {
                    squares | (pieces(color, piece_type) & enemy.by_lesser(piece_type))
                });
            let attacked = sides[color.index()] & enemy.all;
            bits[0] |= by_lower | (attacked & own.all);
            bits[1] |= by_lower | (attacked & !own.all);
        }
        ThreatStates { bits }
    }

    /// The state of the piece on a square; 0 without a piece.
    #[inline]
    pub fn state(self, square: Square) -> usize {
        let [low, high] = self.bits.map(|bits| usize::from(bits.contains(square)));
        low + 2 * high
    }

    /// The pieces in states 1 to 3.
    #[inline]
    pub fn attacked(self) -> Bitboard {
        self.bits[0] | self.bits[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::test_data::random_positions;
    use tabiya_core::Board;
    use tabiya_movegen::Position;

    fn states(board: &Board) -> ThreatStates {
        ThreatStates::new(|color, piece_type| board.pieces(color, piece_type))
    }

    /// The definition, piece by piece.
    fn expected(position: &Position, square: Square) -> usize {
        let Some(piece) = position.piece_on(square) else { return 0 };
        let value = |piece_type| match piece_type {
            PieceType::Pawn => 1,
            PieceType::Knight | PieceType::Bishop => 3,
            PieceType::Rook => 5,
            PieceType::Queen => 9,
            PieceType::King => 10,
        };
        let attackers = position.attackers(square, !piece.color());
        let is_lower = |attacker: Square| {
            let attacker = position.piece_on(attacker).expect("an attacker is a piece");
            value(attacker.piece_type()) < value(piece.piece_type())
        };
        match (attackers.is_empty(), position.attackers(square, piece.color()).is_empty()) {
            (true, _) => 0,
            _ if attackers.into_iter().any(is_lower) => 3,
            (_, true) => 2,
            (_, false) => 1,
        }
    }

    #[test]
    fn states_are_those_of_the_definition() {
        let mut counts = [0; ThreatStates::COUNT];
        for position in random_positions(if cfg!(miri) { 1 } else { 300 }, 80) {
            let states = states(position.board());
            for square in Square::ALL {
                let state = expected(&position, square);
                assert_eq!(states.state(square), state, "{square} {position}");
                counts[state] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
    }

    #[test]
    fn states_of_both_colours_mirror() {
        for position in random_positions(3, 60) {
            let board = position.board();
            let flipped =
                ThreatStates::new(|color, piece_type| board.pieces(!color, piece_type).flip_ranks());
            for square in Square::ALL {
                assert_eq!(
                    flipped.state(square.flip_rank()),
                    states(board).state(square),
                    "{square} {position}"
                );
            }
        }
    }
}
