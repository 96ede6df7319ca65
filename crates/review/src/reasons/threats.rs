//! Threats: captures that win material by static exchange evaluation.

use tabiya_core::{Bitboard, Color, Move, PieceType, Square, Value};
use tabiya_movegen::Position;
use tabiya_movegen::see::{PieceValues, see_ge};

/// Pawn, knight, bishop, rook, queen.
const VALUES: PieceValues = PieceValues::new([100, 300, 300, 500, 900]);
/// Minimum gain of a threat, in centipawns: a pawn.
const GAIN: Value = 100;

/// Returns the pieces that `side` could win by a capture if it were to move. Nothing if its opponent is in check.
pub(super) fn threatened(position: &Position, side: Color) -> Bitboard {
    let mut position = position.clone();
    if position.side_to_move() != side {
        if position.in_check() {
            return Bitboard::EMPTY;
        }
        position.play_null();
    }
    let wins = |mv: &Move| mv.is_capture() && see_ge(&position, *mv, GAIN, &VALUES);
    position.legal_moves().iter().filter(|mv| wins(mv)).map(|mv| mv.destination()).collect()
}

/// Plays on at the end of a line what is left of its exchanges: the recaptures on the square of the last move and, if the opponent of
/// `side` is to move then, its best capture with the recaptures. Each capture wins material by static exchange evaluation.
pub(super) fn settled(position: Position, last: Option<&Move>, side: Color) -> Position {
    let mut position = match last.filter(|mv| mv.is_capture()) {
        Some(last) => exchanged(position, last.destination()),
        None => position,
    };
    if position.side_to_move() != side
        && let Some(mv) = best_capture(&position)
    {
        position.play_unchecked(mv);
        position = exchanged(position, mv.destination());
    }
    position
}

/// Plays the captures on a square that win material, each with the least valuable piece.
fn exchanged(mut position: Position, square: Square) -> Position {
    let recapture = |position: &Position| {
        let moves = position.legal_moves();
        let on_square = moves.iter().copied().filter(|mv| mv.is_capture() && mv.destination() == square);
        let winning = on_square.filter(|&mv| see_ge(position, mv, GAIN, &VALUES));
        winning.min_by_key(|mv| position.piece_on(mv.from()).map(|piece| VALUES.value(piece.piece_type())))
    };
    while let Some(mv) = recapture(&position) {
        position.play_unchecked(mv);
    }
    position
}

/// Returns the capture that wins most.
fn best_capture(position: &Position) -> Option<Move> {
    let moves = position.legal_moves();
    let captures = || moves.iter().copied().filter(|mv| mv.is_capture());
    let gains = [900, 800, 600, 500, 400, 300, 200, GAIN];
    gains.into_iter().find_map(|gain| captures().find(|&mv| see_ge(position, mv, gain, &VALUES)))
}

/// Returns the pieces, but for pawns, that a move of `side` to `square` newly threatens by the moved piece.
pub(super) fn new_threats(before: &Position, after: &Position, square: Square, side: Color) -> Bitboard {
    let pawns = after.pieces(!side, PieceType::Pawn);
    (threatened(after, side) - threatened(before, side) - pawns) & after.attacks_from(square)
}
