//! The fault of a move that loses no material.

use super::Comparison;
use super::kinds::{Fault, NamedPiece};
use super::searched_line::{SearchedLine, named_piece};
use super::structure::{doubled_files, is_on_outpost, is_passed, isolated_pawns, passed_pawns};
use super::threats::{new_threats, threatened};
use tabiya_core::{Bitboard, Color, File, Move, PieceType, Rank, Square};
use tabiya_movegen::{Position, attacks};
use tabiya_search::Score;

/// The largest material of an ending, without pawns, of both sides together in pawns: two rooks and two minor pieces.
pub(super) const ENDING: i32 = 16;
/// The evaluation from which a position is won, in centipawns.
pub(super) const WON: i32 = 250;
/// The evaluation from which a side has an advantage, in centipawns.
const ADVANTAGE: i32 = 150;
/// The largest loss that a bishop pair, castling, an outpost, a tempo or the pawn structure explains, in centipawns.
const STRUCTURAL_LOSS: i32 = 200;
/// The evaluation up to which a position is level, in centipawns.
pub(super) const LEVEL: i32 = 60;
/// The plies after which a change of the pawn structure is the move's effect. It must last to the end of the line.
const EFFECT: usize = 4;

/// Returns the fault of a move after which no material is lost, the most telling first.
pub(super) fn find(comparison: &Comparison) -> Option<Fault> {
    let context = Context::new(comparison)?;
    won_ending(&context)
        .or_else(|| bishop_pair(&context))
        .or_else(|| lost_pawn_ending(&context))
        .or_else(|| shelter(&context))
        .or_else(|| exposed_king(&context))
        .or_else(|| attack(&context))
        .or_else(|| castling(&context))
        .or_else(|| passed_pawn(&context))
        .or_else(|| outpost(&context))
        .or_else(|| pawn_structure(&context))
        .or_else(|| advantage(&context))
        .or_else(|| lost_tempo(&context))
}

impl Comparison {
    /// The scores before and after the move in centipawns, if both are.
    fn centipawns(&self) -> Option<(i32, i32)> {
        match (self.before?, self.after?) {
            (Score::Centipawns(before), Score::Centipawns(after)) => Some((before, after)),
            _ => None,
        }
    }

    /// Returns true if the better line has the same reply, so that it does not tell the moves apart.
    pub(super) fn is_reply_common(&self) -> bool {
        self.better.line.moves().get(1) == self.refutation.line.moves().get(1)
    }

    /// Returns true if the move loses no more than a structural fault explains.
    pub(super) fn is_loss_structural(&self) -> bool {
        self.centipawns().is_some_and(|(before, after)| before - after <= STRUCTURAL_LOSS)
    }
}

/// A comparison with the position before the move and the side that moves.
struct Context<'c> {
    comparison: &'c Comparison,
    refutation: &'c SearchedLine,
    better: &'c SearchedLine,
    start: &'c Position,
    side: Color,
    played: Move,
}

impl<'c> Context<'c> {
    fn new(comparison: &'c Comparison) -> Option<Context<'c>> {
        let refutation = &comparison.refutation;
        let start = refutation.position(0)?;
        let played = *refutation.line.moves().first()?;
        Some(Context {
            comparison,
            refutation,
            better: &comparison.better,
            start,
            side: start.side_to_move(),
            played,
        })
    }
}

/// An ending that was won is level.
fn won_ending(context: &Context<'_>) -> Option<Fault> {
    let (before, after) = context.comparison.centipawns()?;
    (pieces_value(context.start) <= ENDING && before >= WON && after.abs() <= LEVEL)
        .then_some(Fault::ThrowsAwayWonEnding)
}

/// One of two bishops is exchanged at once, and the opponent keeps its own pair if it has one.
fn bishop_pair(context: &Context<'_>) -> Option<Fault> {
    let has_pair = |position: &Position, side| position.pieces(side, PieceType::Bishop).count() == 2;
    let [refutation, better] = [context.refutation, context.better].map(|searched| searched.position(2));
    let (start, refutation) = (context.start, refutation?);
    let loses_pair = |side| has_pair(start, side) && !has_pair(refutation, side);
    let gives_up = context.comparison.is_loss_structural()
        && loses_pair(context.side)
        && !loses_pair(!context.side)
        && has_pair(better?, context.side);
    gives_up.then_some(Fault::GivesUpBishopPair)
}

/// The better move is one of the next two of its side in the line of the move played: the same piece reaches the same square.
fn lost_tempo(context: &Context<'_>) -> Option<Fault> {
    let best = *context.better.line.moves().first()?;
    let line = &context.refutation;
    // The moved piece may have been on its way there.
    let from = if best.from() == context.played.from() { context.played.destination() } else { best.from() };
    let is_best = |&ply: &usize| {
        let later = line.line.moves().get(ply);
        later.is_some_and(|later| later.from() == from && later.destination() == best.destination())
    };
    // A recapture is another matter than a capture.
    let is_quiet = |ply: usize| line.line.moves().get(ply).is_some_and(|mv| !mv.is_capture());
    let ply = [2, 4].into_iter().find(is_best)?;
    let is_alone = !best.is_capture() && !context.played.is_capture() && is_quiet(ply);
    (is_alone && context.comparison.is_loss_structural())
        .then_some(Fault::LosesTempo { later: line.san_at(ply)? })
}

/// The last pieces are exchanged, and the pawn ending is lost.
fn lost_pawn_ending(context: &Context<'_>) -> Option<Fault> {
    let (before, after) = context.comparison.centipawns()?;
    let is_pawn_ending = |position: &Position| pieces_value(position) == 0;
    let is_reached =
        |searched: &SearchedLine| (0..=EFFECT).any(|ply| searched.position(ply).is_some_and(is_pawn_ending));
    let is_lost = after <= -WON && before > -WON;
    (is_lost
        && !is_pawn_ending(context.start)
        && is_reached(context.refutation)
        && !is_reached(context.better))
    .then_some(Fault::LosesPawnEnding)
}

/// A pawn leaves the shelter of the castled king, which is checked in the line.
fn shelter(context: &Context<'_>) -> Option<Fault> {
    let king = context.start.king(context.side);
    let home = if context.side == Color::White { Rank::First } else { Rank::Eighth };
    let shelter = attacks::king_attacks(king) & context.start.pieces(context.side, PieceType::Pawn);
    let weakens = king.rank() == home
        && king.file() != File::E
        && shelter.contains(context.played.from())
        && !context.played.is_capture()
        && checks(context.refutation, context.side) > 0;
    weakens.then(|| Fault::WeakensShelter { square: context.played.from() })
}

/// The reply is a check, followed by others, and the better line has none.
fn exposed_king(context: &Context<'_>) -> Option<Fault> {
    let is_check = context.refutation.position(2)?.in_check();
    let is_exposed = is_check
        && checks(context.refutation, context.side) >= 2
        && checks(context.better, context.side) == 0;
    if is_exposed { Some(Fault::ExposesKing { reply: context.refutation.san()? }) } else { None }
}

/// The reply attacks a piece that was safe.
fn attack(context: &Context<'_>) -> Option<Fault> {
    let (before, after) = (context.refutation.position(1)?, context.refutation.position(2)?);
    let reply = context.refutation.mv()?;
    let victims = new_threats(before, after, reply.destination(), !context.side);
    // An exchange of the moved piece is no attack on another, even if the recapturing piece makes one.
    let is_exchange = reply.is_capture() && reply.destination() == context.played.destination();
    if is_exchange || context.comparison.is_reply_common() || !is_safe(after, reply) {
        return None;
    }
    let piece = most_valuable(after, victims)?;
    let answer = context.refutation.line.moves().get(2);
    let drives_away = answer.is_some_and(|answer| answer.from() == piece.square && !answer.is_capture());
    Some(Fault::AllowsAttack { reply: context.refutation.san()?, piece, drives_away })
}

/// The king or rook moves, and the side could still castle.
fn castling(context: &Context<'_>) -> Option<Fault> {
    let can_castle = |ply: usize, searched: &SearchedLine| {
        searched.position(ply).is_some_and(|position| position.castling().any(context.side))
    };
    let better = *context.better.line.moves().first()?;
    let gives_up = context.comparison.is_loss_structural()
        && can_castle(0, context.refutation)
        && !context.played.is_castle()
        && !can_castle(1, context.refutation)
        && (better.is_castle() || can_castle(1, context.better));
    gives_up.then_some(Fault::GivesUpCastling)
}

/// The opponent gets a passed pawn, or advances one.
fn passed_pawn(context: &Context<'_>) -> Option<Fault> {
    let (enemy, refutation) = (!context.side, context.refutation);
    let reply = refutation.mv()?;
    let (before, after) = (refutation.position(1)?, refutation.position(2)?);
    let is_advance = kind(before, reply) == Some(PieceType::Pawn)
        && !reply.is_capture()
        && is_passed(before, reply.from())
        && reply.destination().relative_to(enemy).rank() >= Rank::Fifth
        && is_safe(after, reply)
        && !context.better.line.moves().contains(&reply);
    if is_advance {
        return Some(Fault::AllowsPawnAdvance { reply: refutation.san()?, square: reply.destination() });
    }
    // Another passed pawn than before, not one that has changed its file.
    let (early, late) =
        (passed_pawns(refutation.at_most(EFFECT)?, enemy), passed_pawns(refutation.end()?, enemy));
    let known = [passed_pawns(context.start, enemy), passed_pawns(context.better.end()?, enemy)];
    let is_more = known.iter().all(|known| late.count() > known.count() && early.count() > known.count());
    let on_known_file =
        |square: Square| known.iter().any(|&known| !known.is_disjoint(square.file().bitboard()));
    let square = late.into_iter().find(|&square| !on_known_file(square))?;
    (is_more && context.comparison.is_loss_structural()).then_some(Fault::AllowsPassedPawn { square })
}

/// The opponent's knight or bishop reaches an outpost that the pawn moves have made.
fn outpost(context: &Context<'_>) -> Option<Fault> {
    let (reply, after) = (context.refutation.mv()?, context.refutation.position(2)?);
    let square = reply.destination();
    let is_new = context.comparison.is_loss_structural()
        && is_on_outpost(after, square)
        && !context.comparison.is_reply_common()
        && is_safe(after, reply);
    if !is_new {
        return None;
    }
    Some(Fault::AllowsOutpost { reply: context.refutation.san()?, piece: named_piece(after, square)? })
}

/// The side gets doubled or isolated pawns.
fn pawn_structure(context: &Context<'_>) -> Option<Fault> {
    if !context.comparison.is_loss_structural() {
        return None;
    }
    let Context { refutation, better, start, side, .. } = *context;
    let (early, late, other) = (refutation.at_most(EFFECT)?, refutation.end()?, better.end()?);
    let is_doubled =
        |position: &Position, file: File| doubled_files(position, side).any(|doubled| doubled == file);
    let doubled = doubled_files(late, side)
        .find(|&file| is_doubled(early, file) && !is_doubled(start, file) && !is_doubled(other, file));
    if let Some(file) = doubled {
        return Some(Fault::DoublesPawns { file });
    }
    let isolated = |position| isolated_pawns(position, side);
    let new = (isolated(late) & isolated(early)) - isolated(start) - isolated(other);
    // The better line must have the pawn, or the isolation is not what tells the moves apart.
    let square = (new & other.pieces(side, PieceType::Pawn)).first()?;
    Some(Fault::IsolatesPawn { square })
}

/// The evaluation says that an advantage is gone.
fn advantage(context: &Context<'_>) -> Option<Fault> {
    let (before, after) = context.comparison.centipawns()?;
    (before >= ADVANTAGE && after.abs() <= LEVEL).then_some(Fault::ThrowsAwayAdvantage)
}

/// The number of checks to `side` in a line.
fn checks(searched: &SearchedLine, side: Color) -> usize {
    searched
        .positions()
        .skip(1)
        .filter(|position| position.side_to_move() == side && position.in_check())
        .count()
}

/// Returns true if the piece that has moved cannot be captured with profit.
pub(super) fn is_safe(after: &Position, mv: Move) -> bool {
    !threatened(after, after.side_to_move()).contains(mv.destination())
}

/// The most valuable of some pieces.
pub(super) fn most_valuable(position: &Position, squares: Bitboard) -> Option<NamedPiece> {
    let pieces = squares.into_iter().filter_map(|square| named_piece(position, square));
    pieces.max_by_key(|named| named.piece.pawns())
}

/// The type of the piece that moves.
fn kind(position: &Position, mv: Move) -> Option<PieceType> {
    position.piece_on(mv.from()).map(|piece| piece.piece_type())
}

/// The value of both sides' pieces without pawns, in pawns.
pub(super) fn pieces_value(position: &Position) -> i32 {
    let types = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    types.iter().map(|&piece| (piece.pawns() * position.by_type(piece).count()) as i32).sum()
}
