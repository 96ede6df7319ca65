//! The purposes of a quiet better move, if it has no stronger effect: it prevents the reply, avoids or offers an exchange, or improves
//! a piece, the king or a pawn.

use super::Comparison;
use super::kinds::Purpose;
use super::positional::{ENDING, is_safe, most_valuable, pieces_value};
use super::searched_line::{SearchedLine, named_piece};
use super::structure::is_passed;
use tabiya_core::{Bitboard, Color, File, Move, PieceType, Rank, Square};
use tabiya_movegen::{Position, attacks};

/// The plies for which a line must go on without an exchange that it is said to avoid.
const LASTING: usize = 4;

/// The difference in squares that is told.
const MORE_SQUARES: u32 = 2;

/// Returns the first purpose of the better move that the move played does not have.
pub(super) fn find(comparison: &Comparison) -> Option<Purpose> {
    let Comparison { better, refutation, .. } = comparison;
    let others = effects(refutation)?;
    let is_new = |purpose: &Purpose| {
        // Another square of the same kind does not tell the moves apart.
        others.iter().all(|other| std::mem::discriminant(other) != std::mem::discriminant(purpose))
    };
    prevented_reply(comparison)
        .or_else(|| avoided_exchange(comparison))
        .or_else(|| effects(better)?.into_iter().find(is_new))
        .or_else(|| more_squares(comparison))
}

/// Both moves are of the same piece, which has clearly more safe squares after the better one.
fn more_squares(comparison: &Comparison) -> Option<Purpose> {
    let Comparison { refutation, better, .. } = comparison;
    // More than a better place is the reason for a larger loss.
    if !comparison.is_loss_structural() || refutation.gain() > 0 {
        return None;
    }
    let start = better.position(0)?;
    let side = start.side_to_move();
    let [best, played] = [better, refutation].map(|searched| searched.line.moves().first().copied());
    let (best, played) = (best?, played?);
    let piece = named_piece(start, best.from())?.piece;
    let squares = |searched: &SearchedLine, mv: Move| {
        let after = searched.position(1)?;
        let pawns = after.pieces(!side, PieceType::Pawn);
        let guarded: Bitboard = pawns
            .into_iter()
            .map(|pawn| attacks::pawn_attacks(!side, pawn))
            .fold(Bitboard::EMPTY, |all, one| all | one);
        let free = after.attacks_from(mv.destination()) - after.by_color(side) - guarded;
        is_safe(after, mv).then(|| free.count())
    };
    let is_same = best.from() == played.from() && !best.is_capture() && !played.is_capture();
    let is_piece = !matches!(piece, PieceType::Pawn | PieceType::King);
    let has_more =
        is_same && is_piece && squares(better, best)? >= squares(refutation, played)? + MORE_SQUARES;
    has_more.then_some(Purpose::MoreSquares { piece })
}

/// The opponent threatens the reply to the move played. After the better move it is impossible, or loses its piece.
fn prevented_reply(comparison: &Comparison) -> Option<Purpose> {
    let Comparison { better, printed, refutation, .. } = comparison;
    let (played, other) = (refutation.position(1)?, better.position(1)?);
    let (reply, best) = (refutation.mv()?, *better.line.moves().first()?);
    let is_quiet = !reply.is_capture() && !reply.is_castle() && reply.promotion().is_none();
    let is_same_piece = played.piece_on(reply.from()) == other.piece_on(reply.from());
    // A check only delays the reply, and an answer to a check is no threat.
    let is_check = played.in_check() || other.in_check();
    // A piece on the same square prevents every move to it, which says nothing.
    let is_occupied = best.destination() == reply.destination();
    if !is_quiet || !is_same_piece || is_check || is_occupied || printed.line.moves().contains(&reply) {
        return None;
    }
    let works = |position: &Position| {
        let after = position.play(reply).ok()?;
        Some(after.in_check() || is_safe(&after, reply))
    };
    // If the reply did not work before, the move played has allowed it.
    let mut passed = better.position(0).filter(|start| !start.in_check())?.clone();
    passed.play_null();
    let is_threat = [&passed, played].into_iter().all(|position| works(position) == Some(true));
    (is_threat && works(other) != Some(true)).then_some(Purpose::Prevents { reply: refutation.san()? })
}

/// After the move played, two pieces of a type are exchanged. In the better line none of them is.
fn avoided_exchange(comparison: &Comparison) -> Option<Purpose> {
    let Comparison { printed, refutation, .. } = comparison;
    let piece = (0..2).find_map(|ply| exchanged(refutation, ply))?;
    let count = |position: &Position| -> u32 {
        Color::ALL.into_iter().map(|color| position.pieces(color, piece).count()).sum()
    };
    let stays = printed.line.moves().len() >= LASTING && count(printed.end()?) == count(printed.position(0)?);
    stays.then_some(Purpose::AvoidsExchange { piece })
}

/// The type of two pieces, other than pawns, that are captured on one square by this move of a line and the next.
fn exchanged(searched: &SearchedLine, ply: usize) -> Option<PieceType> {
    let first = searched.captured(ply)?;
    (searched.captured(ply + 1)? == first && first.piece != PieceType::Pawn).then_some(first.piece)
}

/// The effects of a line's first move, the most telling first.
fn effects(searched: &SearchedLine) -> Option<Vec<Purpose>> {
    let (before, after) = (searched.position(0)?, searched.position(1)?);
    let mv = *searched.line.moves().first()?;
    let quiet = Quiet {
        before,
        after,
        mv,
        piece: named_piece(before, mv.from())?.piece,
        side: before.side_to_move(),
    };
    let found = [
        quiet.pin(),
        quiet.passed_pawn(),
        quiet.offer(),
        castling(searched, mv),
        quiet.escape_square(),
        quiet.half_open_file(),
        quiet.centre(),
    ];
    Some(found.into_iter().flatten().collect())
}

/// The side castles with its next move in the line, which it could not do before.
fn castling(searched: &SearchedLine, mv: Move) -> Option<Purpose> {
    let next = searched.line.moves().get(2)?;
    let could_castle = searched.position(0)?.legal_moves().iter().any(|mv| mv.is_castle());
    (next.is_castle() && !mv.is_castle() && !could_castle).then_some(Purpose::PreparesCastling)
}

/// A move with the positions around it.
struct Quiet<'c> {
    before: &'c Position,
    after: &'c Position,
    mv: Move,
    piece: PieceType,
    side: Color,
}

impl Quiet<'_> {
    /// A pinned piece is pinned no more.
    fn pin(&self) -> Option<Purpose> {
        let pinned = |position: &Position| position.blockers(self.side) & position.by_color(self.side);
        let freed = (pinned(self.before) - pinned(self.after)) & self.after.by_color(self.side);
        let pieces = freed - self.after.pieces(self.side, PieceType::Pawn) - self.mv.destination().bitboard();
        Some(Purpose::BreaksPin { piece: most_valuable(self.after, pieces)? })
    }

    /// A piece steps before a passed pawn in its own half.
    fn passed_pawn(&self) -> Option<Purpose> {
        let square = self.mv.destination().bitboard().forward(self.side).first()?;
        let pawns = self.after.pieces(!self.side, PieceType::Pawn);
        let is_far = square.relative_to(!self.side).rank() >= Rank::Fourth;
        let blocks = self.piece != PieceType::Pawn
            && pawns.contains(square)
            && is_far
            && is_passed(self.after, square)
            && is_safe(self.after, self.mv);
        blocks.then_some(Purpose::BlocksPassedPawn { square })
    }

    /// The piece faces an enemy of its type, which can capture it and would be recaptured.
    fn offer(&self) -> Option<Purpose> {
        let square = self.mv.destination();
        let enemies = self.after.pieces(!self.side, self.piece);
        let faced = (self.after.attacks_from(square) - self.before.attacks_from(self.mv.from())) & enemies;
        let is_exchange = |mv: &Move| mv.destination() == square && faced.contains(mv.from());
        let offers = !matches!(self.piece, PieceType::Pawn | PieceType::King)
            && !self.mv.is_capture()
            && is_safe(self.after, self.mv)
            && self.after.legal_moves().iter().any(is_exchange);
        offers.then_some(Purpose::OffersExchange { piece: self.piece })
    }

    /// The king could not leave its home rank, where none of its rooks stands. A pawn move gives it a square off the rank.
    fn escape_square(&self) -> Option<Purpose> {
        let king = self.before.king(self.side);
        let home = if self.side == Color::White { Rank::First } else { Rank::Eighth };
        let steps = |position: &Position| {
            let squares = attacks::king_attacks(king) - home.bitboard() - position.by_color(self.side);
            squares.into_iter().any(|square| !position.is_attacked(square, !self.side))
        };
        let has_heavy_piece = [PieceType::Rook, PieceType::Queen]
            .into_iter()
            .any(|piece| self.after.pieces(!self.side, piece).any());
        let gives = self.piece == PieceType::Pawn
            && king.rank() == home
            && has_heavy_piece
            && self.after.pieces(self.side, PieceType::Rook).is_disjoint(home.bitboard())
            && !steps(self.before)
            && steps(self.after);
        gives.then_some(Purpose::MakesEscapeSquare)
    }

    /// A rook moves to a file without pawns of its side.
    fn half_open_file(&self) -> Option<Purpose> {
        let own = self.after.pieces(self.side, PieceType::Pawn);
        let enemies = self.after.pieces(!self.side, PieceType::Pawn);
        let (from, file) = (self.mv.from().file(), self.mv.destination().file());
        let is_free = |file: File| own.is_disjoint(file.bitboard());
        let takes = self.piece == PieceType::Rook
            && !self.mv.is_castle()
            && is_free(file)
            && !is_free(from)
            && !enemies.is_disjoint(file.bitboard())
            && is_safe(self.after, self.mv);
        takes.then_some(Purpose::TakesHalfOpenFile { file })
    }

    /// Before the ending, a pawn advances to one of the four squares in the centre.
    fn centre(&self) -> Option<Purpose> {
        let square = self.mv.destination();
        let centre: Bitboard = [Square::D4, Square::E4, Square::D5, Square::E5].into_iter().collect();
        let takes = self.piece == PieceType::Pawn
            && !self.mv.is_capture()
            && centre.contains(square)
            && pieces_value(self.before) > ENDING
            && is_safe(self.after, self.mv);
        takes.then_some(Purpose::TakesCentre { square })
    }
}
