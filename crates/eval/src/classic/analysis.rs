//! Valid-move analysis: the attackers and defenders of each piece, and the number of its moves.

use super::tables::ACTION_VALUES;
use tabiya_core::{Bitboard, Board, CastlingSide, Color, PieceType, Rank, Square, Value};
use tabiya_movegen::{Position, attacks};

/// Attackers, defenders and mobility of all pieces, as in the tutorial's analysis of valid moves.
pub(super) struct Analysis {
    /// By square: the sum of the action values of the pieces that attack the piece there.
    attacked: [Value; Square::COUNT],
    /// By square: the sum of the action values of the pieces that defend the piece there.
    defended: [Value; Square::COUNT],
    /// By square: the number of valid moves of the piece there.
    moves: [Value; Square::COUNT],
}

impl Analysis {
    pub(super) fn of(position: &Position) -> Analysis {
        let board = position.board();
        let mut analysis = Analysis {
            attacked: [0; Square::COUNT],
            defended: [0; Square::COUNT],
            moves: [0; Square::COUNT],
        };
        // The tutorial's attack boards. Kings come last, because their moves depend on the attacks of all
        // other pieces.
        let mut attack_boards = [Bitboard::EMPTY; 2];
        for square in board.occupied() {
            let Some(piece) = board.piece_on(square) else { continue };
            let us = piece.color();
            let reach = attacks::piece_attacks(piece, square, board.occupied());
            attack_boards[us.index()] |= reach;
            analysis.add_action_values(board, us, piece.piece_type(), reach);
            analysis.moves[square.index()] = match piece.piece_type() {
                PieceType::Pawn => pawn_moves(board, us, square),
                PieceType::King => 0,
                _ => (reach - board.by_color(us) - board.pieces(!us, PieceType::King)).count() as Value,
            };
        }
        for us in Color::ALL {
            let king = board.king(us);
            let unsafe_squares = attack_boards[(!us).index()];
            let steps = attacks::king_attacks(king) - board.by_color(us) - unsafe_squares;
            analysis.moves[king.index()] =
                steps.count() as Value + castling_moves(board, us, king, unsafe_squares);
        }
        analysis
    }

    /// The sum of the action values of the pieces that attack the piece on `square`.
    pub(super) fn attacked(&self, square: Square) -> Value {
        self.attacked[square.index()]
    }

    /// The sum of the action values of the pieces that defend the piece on `square`.
    pub(super) fn defended(&self, square: Square) -> Value {
        self.defended[square.index()]
    }

    /// The number of valid moves of the piece on `square`.
    pub(super) fn moves(&self, square: Square) -> Value {
        self.moves[square.index()]
    }

    fn add_action_values(&mut self, board: &Board, us: Color, piece_type: PieceType, reach: Bitboard) {
        let action = ACTION_VALUES[piece_type.index()];
        for target in reach & board.by_color(us) {
            self.defended[target.index()] += action;
        }
        for target in reach & board.by_color(!us) {
            self.attacked[target.index()] += action;
        }
    }
}

fn pawn_moves(board: &Board, us: Color, square: Square) -> Value {
    let empty = !board.occupied();
    let step = square.bitboard().forward(us) & empty;
    let double_step = (step & Rank::Third.relative_to(us).bitboard()).forward(us) & empty;
    let mut targets = board.by_color(!us) - board.pieces(!us, PieceType::King);
    if board.side_to_move() == us {
        targets |= board.en_passant().map_or(Bitboard::EMPTY, Square::bitboard);
    }
    let captures = attacks::pawn_attacks(us, square) & targets;
    (step | double_step | captures).count() as Value
}

/// The number of castling moves of `us`, which need not be the side to move.
fn castling_moves(board: &Board, us: Color, king: Square, attacked: Bitboard) -> Value {
    if attacked.contains(king) {
        return 0;
    }
    let can_castle = |side: &CastlingSide| -> bool {
        let Some(rook) = board.castling_rook(us, *side) else { return false };
        let king_to = Square::new(side.king_file(), king.rank());
        let rook_to = Square::new(side.rook_file(), king.rank());
        let king_path = attacks::between(king, king_to) | king_to.bitboard();
        let rook_path = attacks::between(rook, rook_to) | rook_to.bitboard();
        let others = board.occupied() - king.bitboard() - rook.bitboard();
        (king_path | rook_path).is_disjoint(others) && king_path.is_disjoint(attacked)
    };
    CastlingSide::ALL.iter().filter(|side| can_castle(side)).count() as Value
}
