//! WDL and DTZ of a position from the stored values.
//!
//! To compress better, a table may store any lower value where a capture is at least as good as the true value, and the tables
//! ignore en passant. A probe therefore searches captures first. (Ronald de Man's method.)

use crate::layout::Kind;
use crate::table::ProbeFailure;
use crate::tablebases::Tablebases;
use tabiya_core::{Move, MoveList, PieceType};
use tabiya_movegen::Position;

/// The WDL score of a win for the side to move; a loss is its negative.
pub(super) const WIN: i8 = 2;
/// A score below every WDL score.
const NONE: i8 = -3;

/// The WDL score of a position.
#[derive(Clone, Copy)]
pub(super) struct WdlProbe {
    /// From 2 (win) to -2 (loss).
    pub(super) score: i8,
    /// True if a capture is the best move; the DTZ is then one ply.
    pub(super) by_capture: bool,
}

impl Tablebases {
    /// Returns the result with best play, as if the half-move clock were 0. `None` if a table is missing.
    pub(super) fn wdl(&self, position: &Position) -> Option<WdlProbe> {
        let (mut best_capture, mut best_en_passant) = (NONE, NONE);
        for mv in captures(position) {
            let value = -self.search_captures(&play(position, mv), -WIN, -best_capture)?;
            if value == WIN {
                return Some(WdlProbe { score: value, by_capture: true });
            }
            let best = if mv.is_en_passant() { &mut best_en_passant } else { &mut best_capture };
            *best = value.max(*best);
        }
        let value = self.table_wdl(position)?;
        let best = best_capture.max(best_en_passant);
        if best_en_passant > best_capture && best_en_passant > value {
            return Some(WdlProbe { score: best_en_passant, by_capture: true });
        }
        if best >= value {
            return Some(WdlProbe { score: best, by_capture: best > 0 });
        }
        // En passant is the only legal move: the table stores a stalemate, since it ignores en passant.
        if best_en_passant > NONE
            && value == 0
            && !position.in_check()
            && position.legal_moves().iter().all(|mv| mv.is_en_passant())
        {
            return Some(WdlProbe { score: best_en_passant, by_capture: true });
        }
        Some(WdlProbe { score: value, by_capture: false })
    }

    /// Returns the WDL score of a position without an en-passant square, by an alpha-beta search of its captures.
    fn search_captures(&self, position: &Position, mut alpha: i8, beta: i8) -> Option<i8> {
        for mv in captures(position) {
            let value = -self.search_captures(&play(position, mv), -beta, -alpha)?;
            if value >= beta {
                return Some(value);
            }
            alpha = alpha.max(value);
        }
        Some(alpha.max(self.table_wdl(position)?))
    }

    /// Returns the distance to the next capture or pawn move of the best line, in plies; see
    /// [`probe_dtz`](Tablebases::probe_dtz). `None` if a table is missing.
    pub(super) fn dtz(&self, position: &Position) -> Option<i32> {
        let WdlProbe { score: wdl, by_capture } = self.wdl(position)?;
        if wdl == 0 {
            return Some(0);
        }
        let shortest = dtz_before_zeroing(wdl);
        if by_capture {
            return Some(shortest);
        }
        // A winning pawn move zeroes the clock at once, like a capture.
        let moves = position.legal_moves();
        if wdl > 0 {
            for &mv in moves.iter().filter(|&&mv| is_pawn_move(position, mv) && !mv.is_capture()) {
                if -self.wdl(&play(position, mv))?.score == wdl {
                    return Some(shortest);
                }
            }
        }
        match self.probe_table(position, Kind::Dtz, |table, first| table.dtz(position, first, wdl)) {
            Ok(dtz) => return Some(shortest + if wdl > 0 { dtz } else { -dtz }),
            Err(ProbeFailure::OtherSide) => {}
            Err(_) => return None,
        }
        // The table stores the other side to move only: search one ply.
        let mut best = if wdl > 0 { i32::MAX } else { shortest };
        for &mv in moves.iter().filter(|&&mv| !is_zeroing(position, mv)) {
            let child = play(position, mv);
            let dtz = -self.dtz(&child)?;
            if dtz == 1 && child.is_checkmate() {
                best = 1;
            } else if wdl > 0 {
                if dtz > 0 {
                    best = best.min(dtz + 1);
                }
            } else {
                best = best.min(dtz - 1);
            }
        }
        (best != i32::MAX).then_some(best)
    }

    /// Returns the score stored in the WDL table.
    fn table_wdl(&self, position: &Position) -> Option<i8> {
        // King against king has no table.
        if position.occupied().count() == 2 {
            return Some(0);
        }
        self.probe_table(position, Kind::Wdl, |table, first| table.wdl(position, first)).ok()
    }
}

/// Returns the DTZ of a position whose best move zeroes the half-move clock.
pub(super) fn dtz_before_zeroing(wdl: i8) -> i32 {
    match wdl {
        WIN => 1,
        1 => 101,
        0 => 0,
        -1 => -101,
        _ => -1,
    }
}

/// Returns true if the move resets the half-move clock.
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

/// Returns the position after a legal move.
pub(super) fn play(position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}
