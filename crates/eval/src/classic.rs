//! The guide's evaluation, number for number.
//!
//! Tabiya grew out of the design of a tutorial engine; this is that engine's evaluation, kept as a
//! yardstick for everything newer. It can be chosen at run time
//! ([`Evaluation::Classic`](crate::Evaluation::Classic)), and [`trace()`] shows each term.
//!
//! # What it counts
//! Centipawns, white minus black. Every piece brings its value; plus the action values of the
//! pieces that protect it, less those of the pieces that attack it; a further ten times the
//! difference where it is attacked more than protected; one for each of its valid moves; and what
//! its kind brings ([`PieceTerm`] lists them all). Then the board: check, castling, the right to
//! move, isolated pawns and passed files ([`SideTrace`]). The end game has begun when fewer than ten
//! pieces are left, kings and pawns included. Mate, stalemate, the fifty-move rule and insufficient
//! material decide the result whatever the terms say ([`Verdict`]).
//!
//! # Where the guide leaves room
//! - **Attacked and protected** follow the pieces' lines on the board as it stands. Pins do not
//!   matter, kings attack and protect like every other piece, and nothing attacks through another
//!   piece.
//! - **Valid moves** of a piece are the squares it may go to by its own rules: empty or taken by an
//!   enemy piece other than the king; pins and checks do not matter, and a promotion is one move.
//!   A king may not go where an enemy piece, the enemy king included, attacks on the board as it
//!   stands (so it may step back along the line of a checking rook). En passant counts for each
//!   pawn that attacks the square, as long as the position records it, that is, as long as the
//!   capture is legal. Castling counts for both sides, whoever is to move: right in hand, not in
//!   check, every square between empty, and none that the king passes or reaches attacked.
//! - **The first pawn of a file**, the one without the penalty for doubled pawns, is the foremost;
//!   the *first bishop*, the one without the bonus of the pair, is the foremost too (the nearest to
//!   the a-file among equals). The sums do not depend on it.
//! - **Insufficient material** is the guide's: no pawn, rook or queen, at most one bishop in all and
//!   at most one knight in all. A bishop and a knight against a bare king score nothing here.
//!
//! # What a position does not tell
//! The guide's engine remembers which pieces have moved and who has castled. An evaluation of a
//! position alone has to tell from what it sees:
//! - A **rook has moved** unless its side may still castle with it.
//! - A **king has moved** when its side has no castling right left.
//! - A **queen has moved** unless she stands on d1 (d8 for Black).
//! - A side **has castled** when it has no castling right left and its king stands where castling
//!   brings it: on its first rank, on the a-, b-, c-, g- or h-file, with no rook of its own between
//!   it and the corner of that wing (a king that has walked to g1 past its rook on h1 has not
//!   castled). In the end game, where kings leave their shelter, a side has castled when it has no
//!   castling right left.
//!
//! The guide's own FEN reader calls every side without a right castled. That would pay a king 40
//! points for any first step, so it is not followed in the middle game.
//!
//! # What is corrected
//! The guide's listing has slips, which are corrected: the fifty-move rule counts 100 half-moves and
//! yields to mate; White's passed a-pawn looks at the a-file; black pawns attack and protect
//! like white ones; White may not castle with a rook that has moved; and the end game is that of
//! this position, not of the one evaluated before. Repetition needs a history and is left to the
//! search.

mod analysis;
mod past;
mod piece;
mod side;
mod tables;
mod trace;

pub use piece::{PieceTerm, PieceTrace};
pub use side::SideTrace;
pub use tables::MATE_SCORE;
pub use trace::{Trace, Verdict, trace};

use analysis::Analysis;
use past::Past;
use tabiya_core::{Board, Color, MATE_IN_MAX_PLY, PieceType, VALUE_DRAW, Value};
use tabiya_movegen::Position;

/// The guide's evaluation from the point of view of the side to move, in centipawns.
///
/// It is [`white_value`], turned round for Black, and held strictly between `-MATE_IN_MAX_PLY` and
/// `MATE_IN_MAX_PLY`: being mated on the board is as bad as an evaluation can say, but how far away a
/// mate is belongs to the search.
///
/// ```
/// use tabiya_eval::classic;
/// use tabiya_movegen::Position;
///
/// // Everything is the same for both sides but the right to move.
/// assert_eq!(classic::evaluate(&Position::startpos()), 10);
/// ```
pub fn evaluate(position: &Position) -> Value {
    let value = white_value(position).clamp(1 - MATE_IN_MAX_PLY, MATE_IN_MAX_PLY - 1);
    match position.side_to_move() {
        Color::White => value,
        Color::Black => -value,
    }
}

/// The guide's evaluation as the guide has it: white minus black, in centipawns, 32767 where Black
/// is mated and -32767 where White is.
///
/// ```
/// use tabiya_eval::classic;
/// use tabiya_movegen::Position;
///
/// let mated = Position::from_fen("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")?;
/// assert_eq!(classic::white_value(&mated), -32_767);
/// # Ok::<(), tabiya_core::FenError>(())
/// ```
pub fn white_value(position: &Position) -> Value {
    match verdict(position) {
        Some(verdict) => verdict.white_value(),
        None => {
            let view = View::of(position);
            let mut sum = VALUE_DRAW;
            let files = piece::each(&view, |piece| sum += piece.white_total());
            let [white, black] = Color::ALL.map(|color| side::evaluate(&view, &files, color).total());
            sum + white - black
        }
    }
}

/// What all terms look at: the position with everything that is computed once for it.
struct View<'a> {
    position: &'a Position,
    analysis: Analysis,
    past: Past,
    end_game: bool,
}

impl View<'_> {
    fn of(position: &Position) -> View<'_> {
        let end_game = position.occupied().count() < tables::END_GAME_PIECES;
        View { position, analysis: Analysis::of(position), past: Past::of(position, end_game), end_game }
    }
}

/// How this position ends the game, if it does.
fn verdict(position: &Position) -> Option<Verdict> {
    if !position.has_legal_move() {
        return Some(if position.in_check() {
            Verdict::Checkmate { winner: !position.side_to_move() }
        } else {
            Verdict::Stalemate
        });
    }
    if position.halfmove_clock() >= tables::FIFTY_MOVES {
        return Some(Verdict::FiftyMoves);
    }
    is_insufficient(position).then_some(Verdict::InsufficientMaterial)
}

fn is_insufficient(board: &Board) -> bool {
    let heavy =
        board.by_type(PieceType::Pawn) | board.by_type(PieceType::Rook) | board.by_type(PieceType::Queen);
    heavy.is_empty()
        && !board.by_type(PieceType::Bishop).more_than_one()
        && !board.by_type(PieceType::Knight).more_than_one()
}
