//! The fault of a bad move.

use super::course::{Course, named_piece};
use super::kinds::{Fault, Tactic, TbResult};
use super::{Comparison, MAX_LINE};
use tabiya_core::{Color, File, PieceType, Rank, Square};
use tabiya_motifs::{Motif, defenders};
use tabiya_movegen::{Position, attacks};
use tabiya_search::Score;

/// The largest material of an ending, without pawns, of both sides together in pawns: two rooks and two minor pieces.
const ENDING: i32 = 16;
/// The evaluation from which an ending is won, and up to which it is level, in centipawns.
const WON: i32 = 250;
const LEVEL: i32 = 60;

impl Fault {
    /// Returns true if the fault is what the opponent's reply does.
    pub(super) fn names_reply(&self) -> bool {
        match self {
            Fault::AllowsMate { .. }
            | Fault::LosesMovedPiece { .. }
            | Fault::RemovesDefender { .. }
            | Fault::LeavesUndefended { .. }
            | Fault::LosesPassedPawn { .. }
            | Fault::AllowsGain { .. }
            | Fault::AllowsPromotion { .. }
            | Fault::LosesMaterial { .. } => true,
            Fault::MissesMate { .. }
            | Fault::MissesGain { .. }
            | Fault::WorsensTbResult { .. }
            | Fault::EntersTbResult { .. }
            | Fault::ThrowsAwayWonEnding
            | Fault::GivesUpBishopPair
            | Fault::WeakensShelter { .. } => false,
        }
    }
}

/// Returns the fault that the lines show.
pub(super) fn find(comparison: &Comparison) -> Option<Fault> {
    let Comparison { refutation, better, before, after, .. } = comparison;
    if let Some(fault) = tablebase(comparison) {
        return Some(fault);
    }
    if let (Some(Score::Mate(moves @ ..=-1)), Some(reply)) = (after, refutation.san()) {
        return Some(Fault::AllowsMate { reply, moves: moves.unsigned_abs(), pattern: refutation.mate() });
    }
    if let Some(Score::Mate(moves @ 1..)) = before {
        return Some(Fault::MissesMate { moves: moves.unsigned_abs(), pattern: better.mate() });
    }
    if refutation.gain() > 0
        && let Some(fault) = material_loss(refutation)
    {
        return Some(fault);
    }
    if better.gain() > 0 && refutation.gain() >= 0 {
        return Some(Fault::MissesGain { winnings: better.winnings()? });
    }
    // A change of material that has no sentence is the reason all the same, not a positional one.
    if better.gain() > 0 || refutation.gain() != 0 {
        return None;
    }
    positional(comparison)
}

/// The tablebases know that the move gives up a win or a draw.
fn tablebase(comparison: &Comparison) -> Option<Fault> {
    let after = comparison.tb_after?;
    if let Some(before) = comparison.tb_before {
        return (after < before).then_some(Fault::WorsensTbResult { before, after });
    }
    // Without tables for the position before, its evaluation must be clear.
    let is_worse = match (comparison.before?, after) {
        (Score::Centipawns(value), TbResult::Draw) => value >= WON,
        (Score::Centipawns(value), TbResult::Loss) => value >= -LEVEL,
        (Score::Mate(moves), TbResult::Draw | TbResult::Loss) => moves > 0,
        (_, TbResult::Win) => false,
    };
    is_worse.then_some(Fault::EntersTbResult { after })
}

/// The opponent wins material.
fn material_loss(refutation: &Course) -> Option<Fault> {
    let (start, position) = (refutation.position(0)?, refutation.position(1)?);
    let (played, mv) = (*refutation.line.moves().first()?, refutation.mv()?);
    let (reply, winnings) = (refutation.san()?, refutation.winnings()?);
    let tactic = refutation.tactic();
    let square = mv.destination();
    if mv.is_capture() && !mv.is_en_passant() && matches!(tactic, None | Some(Tactic::HangingPiece { .. })) {
        let piece = named_piece(position, square)?;
        let side = start.side_to_move();
        let was_defended = defenders(start, square, side).contains(played.from());
        let is_defended = defenders(position, square, side).contains(played.destination());
        return Some(match () {
            () if square == played.destination() => Fault::LosesMovedPiece { reply, piece, winnings },
            () if was_defended && !is_defended => Fault::RemovesDefender { reply, piece, winnings },
            () if tactic.is_some() => Fault::LeavesUndefended { reply, piece, winnings },
            () if piece.piece == PieceType::Pawn && is_passed(position, square) => {
                Fault::LosesPassedPawn { reply, square }
            }
            () => Fault::AllowsGain { reply, tactic: None, winnings },
        });
    }
    Some(match tactic {
        Some(_) => Fault::AllowsGain { reply, tactic, winnings },
        None if refutation.shows(Motif::Promotion) => Fault::AllowsPromotion { reply },
        None => Fault::LosesMaterial { reply, winnings },
    })
}

/// The fault of a move that loses no material.
fn positional(comparison: &Comparison) -> Option<Fault> {
    let Comparison { refutation, better, before, after, .. } = comparison;
    let start = refutation.position(0)?;
    let side = start.side_to_move();
    let is_ending = Color::ALL.into_iter().map(|color| pieces_value(start, color)).sum::<i32>() <= ENDING;
    if let (Some(Score::Centipawns(WON..)), Some(Score::Centipawns(value))) = (before, after)
        && is_ending
        && value.abs() <= LEVEL
    {
        return Some(Fault::ThrowsAwayWonEnding);
    }
    let bishops = |position: &Position, color| position.pieces(color, PieceType::Bishop).count();
    let after_reply = |course: &Course| course.position(2).map(|position| bishops(position, side));
    if bishops(start, side) == 2 && after_reply(refutation) == Some(1) && after_reply(better) == Some(2) {
        return Some(Fault::GivesUpBishopPair);
    }
    let played = *refutation.line.moves().first()?;
    let king = start.king(side);
    let home = if side == Color::White { Rank::First } else { Rank::Eighth };
    let shelter = attacks::king_attacks(king) & start.pieces(side, PieceType::Pawn);
    let is_checked = |ply: usize| {
        refutation
            .position(ply)
            .is_some_and(|position| position.side_to_move() == side && position.in_check())
    };
    let weakens = king.rank() == home
        && king.file() != File::E
        && shelter.contains(played.from())
        && !played.is_capture()
        && (2..=MAX_LINE).any(is_checked);
    weakens.then(|| Fault::WeakensShelter { square: played.from() })
}

/// The value of a side's pieces without pawns, in pawns.
fn pieces_value(position: &Position, color: Color) -> i32 {
    let types = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    types.iter().map(|&piece| (piece.pawns() * position.pieces(color, piece).count()) as i32).sum()
}

/// Returns true if no enemy pawn stands before the pawn on `square`, on its file or beside it.
fn is_passed(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_on(square) else { return false };
    let color = piece.color();
    let files = square.file().bitboard() | square.file().bitboard().east() | square.file().bitboard().west();
    let enemies = position.pieces(!color, PieceType::Pawn) & files;
    let rank = |square: Square| square.relative_to(color).rank();
    enemies.into_iter().all(|enemy| rank(enemy) <= rank(square))
}
