//! A lone rook or queen against a lone pawn: won unless king and pawn have come far together.

use tabiya_core::{Board, Color, File, KNOWN_WIN, PieceType, Square, Value};

/// The value for `stronger`, if it is such an end game.
#[cold]
pub(super) fn value(board: &Board, stronger: Color) -> Option<Value> {
    let weaker = !stronger;
    if board.by_color(stronger).count() != 2 || board.by_color(weaker).count() != 2 {
        return None;
    }
    let pawn = board.pieces(weaker, PieceType::Pawn).first()?;
    let turned = |square: Square| square.relative_to(weaker);
    let lone = Lone {
        king: turned(board.king(stronger)),
        other: turned(board.king(weaker)),
        pawn: turned(pawn),
        goal: turned(pawn),
        to_move: board.side_to_move() == stronger,
    };
    let lone = Lone { goal: Square::new(lone.pawn.file(), tabiya_core::Rank::Eighth), ..lone };
    if board.pieces(stronger, PieceType::Rook).any() {
        Some(rook(&lone))
    } else if board.pieces(stronger, PieceType::Queen).any() {
        Some(queen(&lone))
    } else {
        None
    }
}

/// The squares of such an end game, with the pawn going up the board.
struct Lone {
    king: Square,
    other: Square,
    pawn: Square,
    goal: Square,
    to_move: bool,
}

/// The rook wins if its king stands in the pawn's way or the other one is far from it. Else it is a race
/// to the square where the pawn becomes a queen.
fn rook(lone: &Lone) -> Value {
    const WON: Value = 450;
    const DRAWN: Value = 30;
    let tempo = Value::from(lone.to_move);
    let distance = |from: Square, to: Square| Value::from(from.distance(to));
    let in_front = lone.king.file() == lone.pawn.file() && lone.king.rank() > lone.pawn.rank();
    let alone = distance(lone.other, lone.pawn) >= 3 + (1 - tempo);
    if in_front || alone {
        return WON - 5 * distance(lone.king, lone.pawn);
    }
    let pawn_race = distance(lone.pawn, lone.goal) + distance(lone.other, lone.goal);
    let king_race = distance(lone.king, lone.goal) - tempo;
    if king_race > pawn_race - 1 { DRAWN } else { (DRAWN + 45 * (pawn_race - king_race)).min(WON) }
}

/// The queen wins but for a rook's or bishop's pawn one step from promotion, its king beside it and hers
/// far away: there is stalemate in the corner.
fn queen(lone: &Lone) -> Value {
    const DRAWN: Value = 30;
    const WON: Value = KNOWN_WIN / 4;
    let distance = |from: Square, to: Square| Value::from(from.distance(to));
    let drawing_file = matches!(lone.pawn.file(), File::A | File::C | File::F | File::H);
    let last_step = distance(lone.pawn, lone.goal) == 1 && lone.other.distance(lone.goal) <= 1;
    if drawing_file && last_step && distance(lone.king, lone.goal) - Value::from(lone.to_move) > 3 {
        return DRAWN;
    }
    WON - 10 * distance(lone.king, lone.goal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fen: &str) -> Option<Value> {
        let board: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        value(&board, Color::White)
    }

    #[test]
    fn rook_against_pawn() {
        assert!(of("8/8/8/8/8/3k4/3p4/3K3R w - - 0 1") > Some(300), "the king is in front");
        assert!(of("7R/8/8/8/8/2k5/2p5/7K b - - 0 1") < Some(100), "both have come far");
        assert!(of("8/k7/8/8/6p1/8/8/K6R w - - 0 1") > Some(300), "the pawn is alone");
    }

    #[test]
    fn queen_against_pawn() {
        assert!(of("7K/8/8/8/3Q4/8/2p5/1k6 b - - 0 1") < Some(100), "a bishop's pawn");
        assert!(of("7K/8/8/8/4Q3/8/3p4/2k5 b - - 0 1") > Some(1000), "a centre pawn");
        assert!(of("8/8/8/8/8/1KQ5/2p5/1k6 w - - 0 1") > Some(1000), "the king is near");
        assert_eq!(of("7K/8/8/8/3N4/8/2p5/1k6 b - - 0 1"), None);
    }
}
