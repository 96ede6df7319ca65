//! The fault of a bad move.

use super::Comparison;
use super::kinds::{Fault, Tactic, TbResult, Winnings};
use super::positional::{self, LEVEL, WON};
use super::searched_line::{SearchedLine, named_piece};
use super::structure::is_passed;
use super::threats::threatened;
use tabiya_core::PieceType;
use tabiya_motifs::{Motif, defenders, is_en_prise};
use tabiya_movegen::Position;
use tabiya_search::Score;

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
            | Fault::IgnoresThreat { .. }
            | Fault::AllowsAttack { .. }
            | Fault::ExposesKing { .. }
            | Fault::AllowsPawnAdvance { .. }
            | Fault::AllowsOutpost { .. }
            | Fault::LosesMaterial { .. } => true,
            Fault::MissesMate { .. }
            | Fault::Stalemates
            | Fault::MissesGain { .. }
            | Fault::WorsensTbResult { .. }
            | Fault::EntersTbResult { .. }
            | Fault::ThrowsAwayWonEnding
            | Fault::GivesUpBishopPair
            | Fault::GivesUpCastling
            | Fault::DoublesPawns { .. }
            | Fault::IsolatesPawn { .. }
            | Fault::AllowsPassedPawn { .. }
            | Fault::LosesPawnEnding
            | Fault::LosesTempo { .. }
            | Fault::ThrowsAwayAdvantage
            | Fault::WeakensShelter { .. } => false,
        }
    }
}

/// Returns the fault that the lines show.
pub(super) fn find(comparison: &Comparison) -> Option<Fault> {
    let Comparison { refutation, better, before, after, .. } = comparison;
    if refutation.position(1).is_some_and(Position::is_stalemate) {
        return Some(Fault::Stalemates);
    }
    if let Some(fault) = tablebase(comparison) {
        return Some(fault);
    }
    if let (Some(Score::Mate(moves @ ..=-1)), Some(reply)) = (after, refutation.san()) {
        return Some(Fault::AllowsMate { reply, moves: moves.unsigned_abs(), pattern: refutation.mate() });
    }
    if let Some(Score::Mate(moves @ 1..)) = before {
        return Some(Fault::MissesMate { moves: moves.unsigned_abs(), pattern: better.mate() });
    }
    let misses_gain = better.wins_material() && refutation.loss() <= 0;
    let loses_pawns = matches!(refutation.winnings(), Some(Winnings::Pawn | Winnings::TwoPawns));
    if misses_gain && loses_pawns && better.gain() > refutation.gain() {
        return Some(Fault::MissesGain { winnings: better.winnings()? });
    }
    if refutation.gain() > better.loss().max(0)
        && !is_loss_common(comparison)
        && let Some(fault) = material_loss(refutation)
    {
        return Some(fault);
    }
    if misses_gain {
        return Some(Fault::MissesGain { winnings: better.winnings()? });
    }
    // A change of material that has no sentence is the reason all the same, not a positional one.
    if better.gain() > 0 || refutation.gain() != 0 {
        return None;
    }
    positional::find(comparison)
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

/// Returns true if the opponent has the same reply to the better move, and wins material with it, too.
fn is_loss_common(comparison: &Comparison) -> bool {
    comparison.is_reply_common() && comparison.better.loss() > 0
}

/// The opponent wins material.
fn material_loss(refutation: &SearchedLine) -> Option<Fault> {
    let (start, position) = (refutation.position(0)?, refutation.position(1)?);
    let (played, mv) = (*refutation.line.moves().first()?, refutation.mv()?);
    let (reply, winnings) = (refutation.san()?, refutation.winnings()?);
    let tactic = refutation.tactic();
    let square = mv.destination();
    if mv.is_capture() && !mv.is_en_passant() && matches!(tactic, None | Some(Tactic::HangingPiece { .. })) {
        let piece = named_piece(position, square)?;
        let side = start.side_to_move();
        let was_defended = defenders(start, square, side).contains(played.from());
        let is_defended = defenders(position, square, side).any();
        // The opponent could have won the piece before the move.
        let was_threatened = if start.in_check() {
            is_en_prise(start, square)
        } else {
            threatened(start, !side).contains(square)
        };
        return Some(match () {
            () if square == played.destination()
                && refutation.gains_on(square)
                && winnings.includes(piece.piece) =>
            {
                Fault::LosesMovedPiece { reply, piece, winnings }
            }
            // An exchange, or a capture after which something else is lost.
            () if square == played.destination() => Fault::LosesMaterial { reply, winnings },
            () if was_threatened => Fault::IgnoresThreat { reply, piece, winnings },
            () if was_defended && !is_defended => Fault::RemovesDefender { reply, piece, winnings },
            () if tactic.is_some() => Fault::LeavesUndefended { reply, piece, winnings },
            () if piece.piece == PieceType::Pawn
                && winnings == Winnings::Pawn
                && is_passed(position, square) =>
            {
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
