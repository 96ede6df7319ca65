//! How much of an advantage can be won with: material that looks like an advantage and is none.

use crate::weights::MATERIAL;
use crate::{VALUE_DRAW, Value};
use tabiya_core::{Board, Color, PieceType};
use tabiya_movegen::Position;

/// A scale of "all of it".
pub(crate) const FULL: Value = 64;

/// The part, in 64ths, that is left of an advantage of `value` (White's point of view).
///
/// - Nothing where no sequence of moves mates, nor against two knights' bare king.
/// - Without pawns, an edge of a minor piece or less rarely wins: a quarter. With nothing but a
///   minor piece it never does: nothing.
#[inline]
pub(crate) fn scale(position: &Position, value: Value) -> Value {
    let stronger = if value > VALUE_DRAW { Color::White } else { Color::Black };
    if position.pieces(stronger, PieceType::Pawn).any() {
        return FULL;
    }
    if position.is_dead() {
        return 0;
    }
    without_pawns(position.board(), stronger)
}

fn without_pawns(board: &Board, stronger: Color) -> Value {
    let worth = |piece_type: PieceType| MATERIAL[piece_type.index()].end_game();
    let strength = |color| -> Value {
        [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen]
            .into_iter()
            .map(|piece_type| board.pieces(color, piece_type).count() as Value * worth(piece_type))
            .sum()
    };
    let (ours, theirs) = (strength(stronger), strength(!stronger));
    let two_knights = ours == 2 * worth(PieceType::Knight) && board.by_color(!stronger).count() == 1;
    if ours < worth(PieceType::Rook) || two_knights {
        0
    } else if ours - theirs <= worth(PieceType::Bishop) {
        FULL / 4
    } else {
        FULL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale_of(fen: &str, value: Value) -> Value {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        scale(&position, value)
    }

    #[test]
    fn what_can_be_won() {
        let bare_kings = "8/8/4k3/8/8/3K4/8/8 w - - 0 1";
        assert_eq!(scale_of(bare_kings, 50), 0);
        assert_eq!(scale_of("8/8/4k3/8/8/3KN3/8/8 w - - 0 1", 300), 0);
        assert_eq!(scale_of("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", 600), 0);
        assert_eq!(scale_of("8/8/4k3/8/8/3KBB2/8/8 w - - 0 1", 700), FULL);
        assert_eq!(scale_of("8/8/4k3/8/8/3K3R/8/8 w - - 0 1", 530), FULL);
        assert_eq!(scale_of("8/8/3bk3/8/8/3K3R/8/8 w - - 0 1", 200), FULL / 4);
        assert_eq!(scale_of("8/8/4k3/8/8/3KP3/8/8 w - - 0 1", 108), FULL);
        // A lone knight does not beat a pawn, but the pawn may yet win.
        assert_eq!(scale_of("8/8/4k3/8/3p4/3KN3/8/8 w - - 0 1", 200), 0);
        assert_eq!(scale_of("8/8/4k3/8/3p4/3KN3/8/8 w - - 0 1", -20), FULL);
    }
}
