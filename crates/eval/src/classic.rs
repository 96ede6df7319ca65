//! The evaluation of the ChessBin tutorial, number for number.
//!
//! Tabiya grew out of the design of the tutorial's engine. This is that engine's evaluation, kept as a
//! baseline for newer ones. It can be selected at run time
//! ([`Evaluation::Classic`](crate::Evaluation::Classic)), and [`trace()`] shows every term.
//!
//! # Terms
//! All values are in centipawns. Every piece counts its piece value, plus the action values of the pieces
//! that defend it, minus those of the pieces that attack it, minus ten times the difference if the attackers
//! outweigh the defenders, plus one for each of its valid moves, plus terms of its type ([`PieceTerm`] lists
//! them all). Each side also counts check, castling, the right to move, isolated pawns and passed files
//! ([`SideTrace`]). The endgame begins when fewer than ten pieces are left, kings and pawns included.
//! Checkmate, stalemate, the fifty-move rule and insufficient material override all terms ([`Verdict`]).
//!
//! # Details that the tutorial leaves open
//! - **Attackers and defenders** are found along the pieces' lines on the current board. Pins are ignored,
//!   kings attack and defend like other pieces, and no piece attacks through another.
//! - **Valid moves** of a piece go to squares that are empty or hold an enemy piece other than the king; pins
//!   and checks are ignored, and a promotion is one move. A king may not step to a square that an enemy
//!   piece, the enemy king included, attacks on the current board, so it may step back along the line of a
//!   checking rook. En passant counts for each pawn that attacks the en-passant square, which is only set if
//!   the capture is legal. Castling counts for both sides, whoever is to move, if the side has the right and
//!   is not in check, every square between is empty, and no square that the king crosses or reaches is
//!   attacked.
//! - **The first pawn of a file**, which is not penalised as doubled, is the foremost one. The *first
//!   bishop*, which gets no bonus for the pair, is the foremost one too, and on equal ranks the one nearest to
//!   the a-file. The sums do not depend on this choice.
//! - **Insufficient material** is defined as in the tutorial: no pawn, rook or queen, at most one bishop and
//!   at most one knight on the whole board. Bishop and knight against a bare king therefore count as a draw.
//!
//! # History that a position does not contain
//! The tutorial's engine remembers which pieces have moved and who has castled. Here this is inferred from
//! the position:
//! - A **rook has moved** unless its side has the right to castle with it.
//! - A **king has moved** if its side has no castling right left.
//! - A **queen has moved** unless it stands on d1 (d8 for Black).
//! - A side **has castled** if it has no castling right left and its king stands where castling puts it: on
//!   its first rank, on the a-, b-, c-, g- or h-file, with no own rook between it and the corner on that
//!   wing. (A king that has walked to g1 past its rook on h1 has not castled.) In the endgame, where kings
//!   leave their shelter, every side without castling rights has castled.
//!
//! The tutorial's FEN parser treats every side without castling rights as castled. That would reward any
//! first king move with 40 centipawns, so it is not followed before the endgame.
//!
//! # Corrected errors
//! The tutorial's listing has errors that are corrected here: the fifty-move rule counts 100 plies, and
//! checkmate takes precedence over it; White's passed a-pawn depends on the a-file; black pawns attack and
//! defend like white ones; White may not castle with a rook that has moved; and the endgame flag is that of
//! the current position, not of the position evaluated before. Repetition depends on the game's history and
//! is left to the search.

mod analysis;
mod inferred_history;
mod piece;
mod side;
mod tables;
mod trace;

pub use piece::{PieceTerm, PieceTrace};
pub use side::SideTrace;
pub use tables::MATE_SCORE;
pub use trace::{Trace, Verdict, trace};

use crate::evaluate::relative_to;
use analysis::Analysis;
use inferred_history::InferredHistory;
use tabiya_core::{Board, Color, PieceType, TB_WIN_IN_MAX_PLY, VALUE_DRAW, Value};
use tabiya_movegen::Position;

/// Returns the value of a position in centipawns from the point of view of the side to move.
///
/// This is [`white_value`], negated for Black, and clamped to lie strictly between `-TB_WIN_IN_MAX_PLY` and
/// `TB_WIN_IN_MAX_PLY`, even for checkmate: decisive values depend on the distance to mate, which only the
/// search knows.
///
/// ```
/// use tabiya_eval::classic;
/// use tabiya_movegen::Position;
///
/// // Only the right to move distinguishes the sides.
/// assert_eq!(classic::evaluate(&Position::startpos()), 10);
/// ```
pub fn evaluate(position: &Position) -> Value {
    let value = white_value(position).clamp(1 - TB_WIN_IN_MAX_PLY, TB_WIN_IN_MAX_PLY - 1);
    relative_to(position.side_to_move(), value)
}

/// Returns the value as the tutorial defines it: White minus Black in centipawns, 32767 if Black is mated and
/// -32767 if White is.
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
            let context = Context::of(position);
            let mut sum = VALUE_DRAW;
            let files = piece::evaluate_all(&context, |piece| sum += piece.white_total());
            let [white, black] = Color::ALL.map(|color| side::evaluate(&context, &files, color).total());
            sum + white - black
        }
    }
}

/// A position with everything that is computed once for all terms.
struct Context<'a> {
    position: &'a Position,
    analysis: Analysis,
    history: InferredHistory,
    end_game: bool,
}

impl Context<'_> {
    fn of(position: &Position) -> Context<'_> {
        let end_game = position.occupied().count() < tables::END_GAME_PIECES;
        Context {
            position,
            analysis: Analysis::of(position),
            history: InferredHistory::of(position, end_game),
            end_game,
        }
    }
}

/// The rule by which this position ends the game, if any.
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
    let mating_material =
        board.by_type(PieceType::Pawn) | board.by_type(PieceType::Rook) | board.by_type(PieceType::Queen);
    mating_material.is_empty()
        && !board.by_type(PieceType::Bishop).more_than_one()
        && !board.by_type(PieceType::Knight).more_than_one()
}
