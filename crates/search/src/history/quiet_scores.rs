//! The move-ordering scores of quiet moves.

use super::{CONTINUATION_PLIES, Histories, MoveContext};
use crate::params;
use crate::stack::PIECE_TO_COUNT;
use crate::threat_bonus::PieceThreatBonus;
use tabiya_core::{Bitboard, Move, Piece, Square};
use tabiya_movegen::Position;

/// The histories and the position that the quiet moves of a node are scored by.
pub(crate) struct QuietScores<'a> {
    butterfly: &'a [i16; Square::COUNT * Square::COUNT * 4],
    pawn: &'a [i16; PIECE_TO_COUNT],
    continuations: [&'a [i16; PIECE_TO_COUNT]; CONTINUATION_PLIES.len()],
    context: &'a MoveContext,
    position: &'a Position,
}

impl Histories {
    /// Returns the move-ordering scores of a node's quiet moves.
    #[inline]
    pub(crate) fn quiets<'a>(&'a self, context: &'a MoveContext, position: &'a Position) -> QuietScores<'a> {
        QuietScores {
            butterfly: self.butterfly.row(context.side.index()),
            pawn: self.pawn.row(context.pawn_structure),
            continuations: context.previous.map(|previous| self.continuation.row(usize::from(previous))),
            context,
            position,
        }
    }
}

impl<'a> QuietScores<'a> {
    /// Returns the scores of the moves by one piece.
    #[inline]
    pub(crate) fn of_piece(&self, piece: Piece, from: Square) -> PieceScores<'a> {
        let threats = &self.context.threats;
        let is_attacked = usize::from(threats.all.contains(from));
        PieceScores {
            butterfly: &self.butterfly.as_chunks().0[from.index()],
            butterfly_offset: is_attacked * 2,
            pawn: to_squares(self.pawn, piece),
            continuations: self.continuations.map(|row| to_squares(row, piece)),
            attacked: threats.all,
            killer: self.context.killer,
            threat_bonus: self.context.threat_bonus(self.position).of_piece(piece.piece_type(), from),
        }
    }

    /// Returns the score of a move. That of many moves by the same piece is found sooner by
    /// [`of_piece`](QuietScores::of_piece).
    #[inline]
    pub(crate) fn score(&self, mv: Move) -> i32 {
        self.position.piece_on(mv.from()).map_or(0, |piece| self.of_piece(piece, mv.from()).score(mv))
    }
}

/// The scores of a piece's quiet moves.
pub(crate) struct PieceScores<'a> {
    /// By target; then whether origin and target are attacked.
    butterfly: &'a [i16; Square::COUNT * 4],
    /// The part of the index that says whether the origin is attacked.
    butterfly_offset: usize,
    pawn: &'a [i16; Square::COUNT],
    continuations: [&'a [i16; Square::COUNT]; CONTINUATION_PLIES.len()],
    /// The squares that the opponent attacks.
    attacked: Bitboard,
    killer: Option<Move>,
    threat_bonus: PieceThreatBonus,
}

impl PieceScores<'_> {
    /// Returns the score of a move by this piece: the weighted sum of its histories, the killer bonus and the threat bonus.
    #[inline]
    pub(crate) fn score(&self, mv: Move) -> i32 {
        let to = mv.to();
        let killer = if self.killer == Some(mv) { params::killer_bonus() } else { 0 };
        let squares = to.index() * 4 + self.butterfly_offset + usize::from(self.attacked.contains(to));
        let [ply_1, ply_2, ply_4, ply_6] = self.continuations.map(|row| i32::from(row[to.index()]));
        let history = params::order_butterfly() * i32::from(self.butterfly[squares])
            + params::order_pawn() * i32::from(self.pawn[to.index()])
            + params::order_cont_1() * ply_1
            + params::order_cont_2() * ply_2
            + params::order_cont_4() * ply_4
            + params::order_cont_6() * ply_6;
        history / 64 + killer + self.threat_bonus.of_target(to)
    }
}

/// Returns the part of a row that belongs to a piece, by target.
#[inline]
fn to_squares(row: &[i16; PIECE_TO_COUNT], piece: Piece) -> &[i16; Square::COUNT] {
    &row.as_chunks().0[piece.index()]
}
