//! The main evaluation: tapered material and piece squares.

use crate::endgame;
use crate::psqt::piece_on_square;
use crate::weights::{BISHOP_PAIR, TEMPO};
use crate::{Phase, Score, Value};
use tabiya_core::{Board, Color, PieceType};
use tabiya_movegen::Position;

/// The main evaluation, from the point of view of the side to move, in centipawns.
///
/// Each piece brings its material and its square's value, twice over: for the middle game and for
/// the end game. Two bishops and the right to move add theirs, the [`Phase`] blends the two sums,
/// and material that cannot win scales the result down, to nothing where the position is dead.
///
/// The value is always strictly between `-MATE_IN_MAX_PLY` and `MATE_IN_MAX_PLY`. It says nothing of
/// mate, stalemate, repetition or the fifty-move rule: those are the search's to see.
///
/// ```
/// use tabiya_eval::evaluate;
/// use tabiya_movegen::Position;
///
/// let start = Position::startpos();
/// assert!(evaluate(&start) > 0, "the side to move has a little more");
/// let a_rook_up = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 b - - 0 1")?;
/// assert!(evaluate(&a_rook_up) < -300, "and Black is to move");
/// # Ok::<(), tabiya_core::FenError>(())
/// ```
pub fn evaluate(position: &Position) -> Value {
    let board = position.board();
    let mut score = Score::ZERO;
    for square in board.occupied() {
        if let Some(piece) = board.piece_on(square) {
            score += piece_on_square(piece, square);
        }
    }
    score += bishop_pair(board, Color::White) - bishop_pair(board, Color::Black);
    score += tempo(board, Color::White) - tempo(board, Color::Black);
    let value = Phase::of(board).taper(score);
    let value = value * endgame::scale(position, value) / endgame::FULL;
    match board.side_to_move() {
        Color::White => value,
        Color::Black => -value,
    }
}

/// What `color` has for two bishops or more.
#[inline]
pub(crate) fn bishop_pair(board: &Board, color: Color) -> Score {
    if board.pieces(color, PieceType::Bishop).more_than_one() { BISHOP_PAIR } else { Score::ZERO }
}

/// What `color` has for being to move.
#[inline]
pub(crate) fn tempo(board: &Board, color: Color) -> Score {
    if board.side_to_move() == color { TEMPO } else { Score::ZERO }
}
