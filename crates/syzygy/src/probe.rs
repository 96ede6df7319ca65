//! From what the tables hold to what a position is worth.
//!
//! The tables pack better where a value does not matter: where a capture is at least as good as what
//! they hold, they may hold anything lower. And they know nothing of en passant. So captures are always
//! looked at first. (Ronald de Man's method.)

use crate::layout::Kind;
use crate::table::Refusal;
use crate::{Tablebases, Wdl};
use tabiya_core::{Move, MoveList, PieceType};
use tabiya_movegen::Position;

/// A win for the side to move; a loss is its negative.
pub(super) const WIN: i8 = 2;
/// Less than any outcome.
const NONE: i8 = -3;

/// The outcome of a position, and whether a capture is what leads to it.
#[derive(Clone, Copy)]
pub(super) struct Outcome {
    pub(super) value: i8,
    /// A capture is the best move, so the way to it is one ply long.
    pub(super) by_capture: bool,
}

impl Tablebases {
    /// The outcome with best play, from 2 to -2, as if no move had been made since the last capture or
    /// pawn move. `None` if a table is missing.
    pub(super) fn outcome(&self, position: &Position) -> Option<Outcome> {
        let (mut best_capture, mut best_en_passant) = (NONE, NONE);
        for mv in captures(position) {
            let value = -self.outcome_between(&after(position, mv), -WIN, -best_capture)?;
            if value == WIN {
                return Some(Outcome { value, by_capture: true });
            }
            let best = if mv.is_en_passant() { &mut best_en_passant } else { &mut best_capture };
            *best = value.max(*best);
        }
        let value = self.table_outcome(position)?;
        let best = best_capture.max(best_en_passant);
        if best_en_passant > best_capture && best_en_passant > value {
            return Some(Outcome { value: best_en_passant, by_capture: true });
        }
        if best >= value {
            return Some(Outcome { value: best, by_capture: best > 0 });
        }
        // The table took it for a stalemate, as it knows nothing of the en-passant capture, which is
        // forced in truth.
        if best_en_passant > NONE
            && value == 0
            && !position.in_check()
            && position.legal_moves().iter().all(|mv| mv.is_en_passant())
        {
            return Some(Outcome { value: best_en_passant, by_capture: true });
        }
        Some(Outcome { value, by_capture: false })
    }

    /// The outcome of a position without en passant, as far as it lies between the two bounds.
    fn outcome_between(&self, position: &Position, mut alpha: i8, beta: i8) -> Option<i8> {
        for mv in captures(position) {
            let value = -self.outcome_between(&after(position, mv), -beta, -alpha)?;
            if value >= beta {
                return Some(value);
            }
            alpha = alpha.max(value);
        }
        Some(alpha.max(self.table_outcome(position)?))
    }

    /// Plies to the next capture or pawn move of the best line: positive if the side to move wins,
    /// negative if it loses; beyond 100 where the fifty-move rule makes it a draw. Where the win is
    /// counted in moves, it may be one too few. `None` if a table is missing.
    pub(super) fn distance(&self, position: &Position) -> Option<i32> {
        let Outcome { value: outcome, by_capture } = self.outcome(position)?;
        if outcome == 0 {
            return Some(0);
        }
        let nearest = nearest(outcome);
        if by_capture {
            return Some(nearest);
        }
        // A winning pawn move is the other way to have it behind oneself at once.
        let moves = position.legal_moves();
        if outcome > 0 {
            for &mv in moves.iter().filter(|&&mv| is_pawn_move(position, mv) && !mv.is_capture()) {
                if -self.outcome(&after(position, mv))?.value == outcome {
                    return Some(nearest);
                }
            }
        }
        match self.ask(position, Kind::Dtz, |table, first| table.distance(position, first, outcome)) {
            Ok(distance) => return Some(nearest + if outcome > 0 { distance } else { -distance }),
            Err(Refusal::OtherSide) => {}
            Err(_) => return None,
        }
        // Only the other side's distances are stored: one ply on.
        let mut best = if outcome > 0 { i32::MAX } else { nearest };
        for &mv in moves.iter().filter(|&&mv| !is_zeroing(position, mv)) {
            let child = after(position, mv);
            let distance = -self.distance(&child)?;
            if distance == 1 && child.is_checkmate() {
                best = 1;
            } else if outcome > 0 {
                if distance > 0 {
                    best = best.min(distance + 1);
                }
            } else {
                best = best.min(distance - 1);
            }
        }
        (best != i32::MAX).then_some(best)
    }

    fn table_outcome(&self, position: &Position) -> Option<i8> {
        // Two kings need no table.
        if position.occupied().count() == 2 {
            return Some(0);
        }
        self.ask(position, Kind::Wdl, |table, first| table.outcome(position, first)).ok()
    }
}

/// The distance of an outcome that the next move brings about.
pub(super) fn nearest(outcome: i8) -> i32 {
    match outcome {
        WIN => 1,
        1 => 101,
        0 => 0,
        -1 => -101,
        _ => -1,
    }
}

impl Wdl {
    pub(super) fn from_outcome(outcome: i8) -> Wdl {
        match outcome {
            i8::MIN..=-2 => Wdl::Loss,
            -1 => Wdl::BlessedLoss,
            0 => Wdl::Draw,
            1 => Wdl::CursedWin,
            2.. => Wdl::Win,
        }
    }
}

/// Is this a move after which the half-move clock begins anew?
pub(super) fn is_zeroing(position: &Position, mv: Move) -> bool {
    mv.is_capture() || is_pawn_move(position, mv)
}

fn is_pawn_move(position: &Position, mv: Move) -> bool {
    position.piece_on(mv.from()).is_some_and(|piece| piece.piece_type() == PieceType::Pawn)
}

fn captures(position: &Position) -> impl Iterator<Item = Move> {
    let mut moves = MoveList::new();
    position.generate_tactical(&mut moves);
    moves.into_iter().filter(|mv| mv.is_capture())
}

/// The position after a legal move.
pub(super) fn after(position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}
