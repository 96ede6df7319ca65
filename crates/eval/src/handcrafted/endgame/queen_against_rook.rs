//! A lone queen against a lone rook (KQKR): won, apart from tactics that a short search sees.

use super::centre_distance;
use tabiya_core::{Board, Color, KNOWN_WIN, PieceType, Square, Value};

/// The value for `stronger`, which has the queen; `None` for other endings.
///
/// Queen and king drive the other king to the edge, until its rook has to leave it and is lost. That takes up to 31 moves: such progress
/// only shows in values that do not fade with the half-move clock, those of at least [`KNOWN_WIN`]. The queen does most near the
/// king, and a rook away from its king is lost to double attacks.
#[cold]
pub(super) fn value(board: &Board, stronger: Color) -> Option<Value> {
    let weaker = !stronger;
    let queen = board.pieces(stronger, PieceType::Queen).first()?;
    let rook = board.pieces(weaker, PieceType::Rook).first()?;
    if [stronger, weaker].into_iter().any(|color| board.by_color(color).count() != 2) {
        return None;
    }
    let (king, rook_king) = (board.king(stronger), board.king(weaker));
    let progress = 16 * centre_distance(rook_king)
        + 20 * (14 - steps(king, rook_king))
        + 4 * steps(rook, rook_king)
        + 4 * (7 - Value::from(queen.distance(rook_king)));
    Some(KNOWN_WIN + progress)
}

/// The number of files plus the number of ranks between two squares, from 0 to 14.
fn steps(from: Square, to: Square) -> Value {
    let files = from.file().index().abs_diff(to.file().index());
    let ranks = from.rank().index().abs_diff(to.rank().index());
    (files + ranks) as Value
}

#[cfg(test)]
mod tests {
    use super::super::super::test_board::board;
    use super::*;

    fn white_value(fen: &str) -> Option<Value> {
        value(&board(fen), Color::White)
    }

    #[test]
    fn rewards_a_driven_king_and_a_close_one() {
        let centre = white_value("8/8/8/4k3/4r3/8/8/K2Q4 w - - 0 1");
        assert!(centre > Some(KNOWN_WIN));
        assert!(centre < white_value("4k3/4r3/8/8/8/8/8/K2Q4 w - - 0 1"), "the king is at the edge");
        assert!(centre < white_value("8/8/8/4k3/4r3/2K5/8/3Q4 w - - 0 1"), "the kings are close");
        assert!(centre < white_value("8/8/8/4k3/8/8/4r3/K2Q4 w - - 0 1"), "the rook is away from its king");
        assert!(centre < white_value("8/8/6Q1/4k3/4r3/8/8/K7 w - - 0 1"), "the queen is close");
    }

    #[test]
    fn is_worth_less_than_against_a_pawn_or_a_bare_king() {
        // Almost won against a rook, and far from it against a pawn.
        let rook = white_value("7k/5Q2/6K1/8/8/8/8/r7 b - - 0 1");
        let pawn_board = board("7K/8/8/8/2Q5/8/1p6/7k w - - 0 1");
        let pawn = super::super::pawn_against_piece::value(&pawn_board, Color::White);
        assert!(rook < pawn, "{rook:?} {pawn:?}");
        let bare = super::super::bare_king::value(&board("8/8/8/4k3/8/8/8/KQ6 w - - 0 1"), Color::White);
        assert!(pawn < bare, "{pawn:?} {bare:?}");
    }

    #[test]
    fn other_material_is_not_known() {
        assert_eq!(white_value("8/8/8/4k3/4r3/7p/8/K2Q4 w - - 0 1"), None);
        assert_eq!(white_value("8/8/8/4k3/4b3/8/8/K2Q4 w - - 0 1"), None);
        assert_eq!(white_value("8/8/8/4k3/4q3/8/8/K2R4 w - - 0 1"), None);
    }
}
