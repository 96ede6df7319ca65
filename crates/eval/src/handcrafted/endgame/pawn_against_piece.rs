//! A lone rook or queen against a lone pawn: won unless king and pawn are far advanced.

use tabiya_core::{Board, Color, File, KNOWN_WIN, PieceType, Rank, Square, Value};

/// The value for `stronger`, which has the piece; `None` for other endings.
#[cold]
pub(super) fn value(board: &Board, stronger: Color) -> Option<Value> {
    let weaker = !stronger;
    if board.by_color(stronger).count() != 2 || board.by_color(weaker).count() != 2 {
        return None;
    }
    let pawn = board.pieces(weaker, PieceType::Pawn).first()?.relative_to(weaker);
    let ending = Ending {
        king: board.king(stronger).relative_to(weaker),
        pawn_king: board.king(weaker).relative_to(weaker),
        pawn,
        queening_square: Square::new(pawn.file(), Rank::Eighth),
        strong_to_move: board.side_to_move() == stronger,
    };
    if board.pieces(stronger, PieceType::Rook).any() {
        Some(rook_against_pawn(&ending))
    } else if board.pieces(stronger, PieceType::Queen).any() {
        Some(queen_against_pawn(&ending))
    } else {
        None
    }
}

/// The ending from the point of view of the side with the pawn: the pawn moves up the board.
struct Ending {
    /// The king of the side with the piece.
    king: Square,
    pawn_king: Square,
    pawn: Square,
    queening_square: Square,
    /// True if the side with the piece is to move.
    strong_to_move: bool,
}

/// King and rook against king and pawn (KRKP).
///
/// The rook wins if its king is in front of the pawn or the other king is far from the pawn. Otherwise the result
/// depends on a race to the queening square between the king and the pawn with its own king.
fn rook_against_pawn(ending: &Ending) -> Value {
    const WON: Value = 450;
    const DRAWN: Value = 30;
    let tempo = Value::from(ending.strong_to_move);
    let distance = |from: Square, to: Square| Value::from(from.distance(to));
    let in_front = ending.king.file() == ending.pawn.file() && ending.king.rank() > ending.pawn.rank();
    let pawn_is_alone = distance(ending.pawn_king, ending.pawn) >= 3 + (1 - tempo);
    if in_front || pawn_is_alone {
        return WON - 5 * distance(ending.king, ending.pawn);
    }
    let pawn_race =
        distance(ending.pawn, ending.queening_square) + distance(ending.pawn_king, ending.queening_square);
    let king_race = distance(ending.king, ending.queening_square) - tempo;
    if king_race > pawn_race - 1 { DRAWN } else { (DRAWN + 45 * (pawn_race - king_race)).min(WON) }
}

/// King and queen against king and pawn (KQKP).
///
/// Won unless a rook or bishop pawn stands on the seventh rank with its king beside it and the other king is
/// far away: then the weaker side has a stalemate defence. The way to win is long: the queen drives the king in front of its pawn,
/// and each time the other king comes a square closer. Such progress only shows in values that do not fade with the half-move
/// clock, those of at least [`KNOWN_WIN`].
fn queen_against_pawn(ending: &Ending) -> Value {
    const DRAWN: Value = 30;
    /// At any distance of the kings more than the win against a rook, and less than that against a bare king.
    const WON: Value = KNOWN_WIN + 700;
    let distance = |from: Square, to: Square| Value::from(from.distance(to));
    let drawing_file = matches!(ending.pawn.file(), File::A | File::C | File::F | File::H);
    let about_to_promote = distance(ending.pawn, ending.queening_square) == 1
        && ending.pawn_king.distance(ending.queening_square) <= 1;
    let king_distance = distance(ending.king, ending.queening_square);
    if drawing_file && about_to_promote && king_distance - Value::from(ending.strong_to_move) > 3 {
        return DRAWN;
    }
    WON - 20 * king_distance - 5 * distance(ending.pawn_king, ending.queening_square)
}

#[cfg(test)]
mod tests {
    use super::super::super::test_board::board;
    use super::*;

    fn white_value(fen: &str) -> Option<Value> {
        value(&board(fen), Color::White)
    }

    #[test]
    fn rook_against_pawn() {
        assert!(white_value("8/8/8/8/8/3k4/3p4/3K3R w - - 0 1") > Some(300), "the king is in front");
        assert!(white_value("7R/8/8/8/8/2k5/2p5/7K b - - 0 1") < Some(100), "king and pawn are advanced");
        assert!(white_value("8/k7/8/8/6p1/8/8/K6R w - - 0 1") > Some(300), "the pawn is alone");
    }

    #[test]
    fn queen_against_pawn() {
        assert!(white_value("7K/8/8/8/3Q4/8/2p5/1k6 b - - 0 1") < Some(100), "a bishop pawn");
        assert!(white_value("7K/8/8/8/4Q3/8/3p4/2k5 b - - 0 1") > Some(1000), "a centre pawn");
        assert!(white_value("8/8/8/8/8/1KQ5/2p5/1k6 w - - 0 1") > Some(1000), "the king is near");
        assert!(white_value("7K/8/8/8/4Q3/8/1p6/k7 w - - 0 1") >= Some(KNOWN_WIN), "the king is far away");
        assert_eq!(white_value("7K/8/8/8/3N4/8/2p5/1k6 b - - 0 1"), None);
    }
}
