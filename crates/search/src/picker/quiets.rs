//! Receivers of generated quiet moves.
//!
//! The generator passes each piece with all of its targets, so that what depends on the piece alone is looked up once.

use super::{SortKey, SortKeys};
use crate::history::QuietScores;
use crate::params;
use crate::see;
use tabiya_core::{Bitboard, Move, MoveKind, MoveList, Piece, PieceType, Square};
use tabiya_movegen::{CheckInfo, Position, Sink, pawn_origin};

/// Stores quiet moves and their scores.
pub(super) struct ScoredQuiets<'a> {
    pub(super) moves: &'a mut MoveList,
    /// The sort keys of the moves in the list.
    pub(super) keys: &'a mut SortKeys,
    pub(super) quiets: QuietScores<'a>,
    pub(super) check_info: &'a CheckInfo,
    pub(super) position: &'a Position,
}

impl ScoredQuiets<'_> {
    /// Stores a move, with a bonus if it gives check and loses at most a pawn by SEE: a check has few replies, so the move is cheap to
    /// search, and one check often leads to another.
    #[inline]
    fn push(&mut self, mv: Move, score: i32, gives_check: bool) {
        let checks = gives_check && see::see_ge(self.position, mv, -see::value(PieceType::Pawn));
        let score = score + if checks { params::check_bonus() } else { 0 };
        let index = self.moves.len();
        self.keys[index] = SortKey::new(score, index);
        self.moves.push(mv);
    }
}

impl Sink for ScoredQuiets<'_> {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard, _: Bitboard) {
        let Some(piece) = self.position.piece_on(from) else { return };
        let scores = self.quiets.of_piece(piece, from);
        let checks = self.check_info.targets(piece.piece_type(), from);
        for to in targets {
            let mv = Move::new(from, to, MoveKind::Quiet);
            self.push(mv, scores.score(mv), checks.contains(to));
        }
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, step: i8, kind: MoveKind) {
        let pawn = Piece::new(self.position.side_to_move(), PieceType::Pawn);
        for to in to {
            let from = pawn_origin(to, step);
            let mv = Move::new(from, to, kind);
            let score = self.quiets.of_piece(pawn, from).score(mv);
            self.push(mv, score, self.check_info.targets(PieceType::Pawn, from).contains(to));
        }
    }

    fn promotions(&mut self, _: Bitboard, _: i8, _: bool) {}

    fn single(&mut self, mv: Move) {
        self.push(mv, self.quiets.score(mv), self.position.gives_check(mv));
    }
}

/// Stores the quiet moves that give check.
pub(super) struct QuietChecks<'a> {
    pub(super) moves: &'a mut MoveList,
    pub(super) check_info: &'a CheckInfo,
    pub(super) position: &'a Position,
}

impl Sink for QuietChecks<'_> {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard) {
        let Some(piece) = self.position.piece_on(from) else { return };
        self.moves.piece(from, targets & self.check_info.targets(piece.piece_type(), from), enemies);
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, step: i8, kind: MoveKind) {
        for to in to {
            let from = pawn_origin(to, step);
            if self.check_info.targets(PieceType::Pawn, from).contains(to) {
                self.moves.push(Move::new(from, to, kind));
            }
        }
    }

    fn promotions(&mut self, _: Bitboard, _: i8, _: bool) {}

    fn single(&mut self, mv: Move) {
        if self.position.gives_check(mv) {
            self.moves.push(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Histories, MoveContext};
    use crate::stack::Stack;
    use tabiya_core::SplitMix64;
    use tabiya_movegen::Threats;

    /// Compares the moves and scores with those found one by one, in random games.
    #[test]
    fn sinks_agree_with_single_moves() {
        let mut random = SplitMix64::new(6);
        let mut checks = 0;
        for start in (0..960).step_by(40) {
            let mut histories = Histories::new();
            let mut position = Position::chess960(start).expect("a number below 960");
            for _ in 0..80 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                checks += compare(&position, &mut histories);
                position.play_unchecked(moves[random.below(moves.len())]);
            }
        }
        assert!(checks > 500, "only {checks} checks");
    }

    /// Returns the number of quiet moves that give check.
    fn compare(position: &Position, histories: &mut Histories) -> usize {
        let mut stack = Stack::new();
        stack.reset(position.board());
        let context = MoveContext::new(position, &stack, 0, Threats::of(position, !position.side_to_move()));
        let mut expected = MoveList::new();
        position.generate_quiets(&mut expected);
        for (number, &mv) in (0..).zip(expected.iter()) {
            histories.update_quiet(&context, position, mv, 40 * number);
        }
        let check_info = context.check_info(position);

        let (mut moves, mut keys) = (MoveList::new(), [SortKey(0); MoveList::CAPACITY]);
        let quiets = histories.quiets(&context, position);
        position.generate_quiets(&mut ScoredQuiets {
            moves: &mut moves,
            keys: &mut keys,
            quiets: histories.quiets(&context, position),
            check_info,
            position,
        });
        assert_eq!(moves, expected);
        for (index, (&mv, key)) in moves.iter().zip(keys).enumerate() {
            let safe_check =
                position.gives_check(mv) && see::see_ge(position, mv, -see::value(PieceType::Pawn));
            let bonus = if safe_check { params::check_bonus() } else { 0 };
            assert_eq!(key.score(), quiets.score(mv) + bonus, "{mv:?} in {position}");
            assert_eq!(key.index(), index);
        }

        let mut moves = MoveList::new();
        position.generate_quiets(&mut QuietChecks { moves: &mut moves, check_info, position });
        expected.retain(|mv| position.gives_check(mv));
        assert_eq!(moves, expected, "{position}");
        moves.len()
    }
}
