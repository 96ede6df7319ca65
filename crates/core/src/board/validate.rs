//! Validation of a board: [`BoardError`] and the checks behind it.

use super::Board;
use crate::{Bitboard, CastlingRights, CastlingSide, Color, File, Piece, PieceType, Rank, Square};
use core::fmt;

/// The reason why the contents of a [`BoardBuilder`](crate::BoardBuilder) are not a legal chess position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum BoardError {
    /// This side has no king.
    NoKing(Color),
    /// This side has more than one king.
    TooManyKings(Color),
    /// This side has more than sixteen pieces.
    TooManyPieces(Color),
    /// This side has more than eight pawns.
    TooManyPawns(Color),
    /// A pawn stands on the first or the last rank.
    PawnOnBackRank(Square),
    /// The side that is not to move is in check.
    OpponentInCheck,
    /// This side has a castling right, but its king is not on its first rank.
    CastlingWithoutKing(Color),
    /// This side has a castling right with a rook on this file, but there is no such rook on that side of
    /// its king.
    CastlingWithoutRook(Color, File),
    /// The last move cannot have been a double push over the en-passant square. The square must be on the side to
    /// move's sixth rank, with an enemy pawn in front of it; it and the pawn's origin must be empty; and the
    /// side to move must not be in a check that the push can neither have given nor uncovered.
    ImpossibleEnPassant(Square),
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BoardError::NoKing(color) => write!(f, "{color} has no king (expected exactly 1)"),
            BoardError::TooManyKings(color) => {
                write!(f, "{color} has more than one king (expected exactly 1)")
            }
            BoardError::TooManyPieces(color) => write!(f, "{color} has more than 16 pieces"),
            BoardError::TooManyPawns(color) => write!(f, "{color} has more than 8 pawns"),
            BoardError::PawnOnBackRank(square) => {
                write!(f, "there is a pawn on {square} (pawns stand on ranks 2 to 7)")
            }
            BoardError::OpponentInCheck => {
                f.write_str("the side that is not to move is in check, so its king could be captured")
            }
            BoardError::CastlingWithoutKing(color) => {
                write!(f, "{color} has a castling right, but its king is not on its first rank")
            }
            BoardError::CastlingWithoutRook(color, file) => write!(
                f,
                "{color} has a castling right on the {file}-file, but no rook there on that side of its king"
            ),
            BoardError::ImpossibleEnPassant(square) => {
                write!(f, "no pawn can just have passed over the en-passant square {square}")
            }
        }
    }
}

impl core::error::Error for BoardError {}

/// Passes every violated condition of [`BoardError`] to `report`, until that returns an error.
///
/// Apart from the pawns that attack an en-passant square, this is the only code in this crate that computes attacks. It uses
/// bit arithmetic rather than the attack tables of `tabiya-movegen`: only set-ups are validated, not positions after a
/// move, so speed matters little.
///
/// `rights` and `en_passant` are those of the builder. The board itself has no en-passant square unless a pawn attacks it. With
/// `has_extra_pieces`, the limit on pieces applies to both sides together instead of to each.
pub(super) fn validate(
    board: &Board,
    rights: CastlingRights,
    en_passant: Option<Square>,
    has_extra_pieces: bool,
    mut report: impl FnMut(BoardError) -> Result<(), BoardError>,
) -> Result<(), BoardError> {
    let any_material = has_extra_pieces && board.occupied().count() <= 2 * MAX_PIECES;
    for color in Color::ALL {
        match board.pieces(color, PieceType::King).count() {
            0 => report(BoardError::NoKing(color))?,
            1 => {}
            _ => report(BoardError::TooManyKings(color))?,
        }
        if !any_material && board.by_color(color).count() > MAX_PIECES {
            report(BoardError::TooManyPieces(color))?;
        }
        if !any_material && board.pieces(color, PieceType::Pawn).count() > MAX_PAWNS {
            report(BoardError::TooManyPawns(color))?;
        }
    }
    let back_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
    for square in board.by_type(PieceType::Pawn) & back_ranks {
        report(BoardError::PawnOnBackRank(square))?;
    }
    for (color, side, file) in rights.iter() {
        if let Some(king) = board.pieces(color, PieceType::King).first() {
            check_castling(board, king, (color, side, file)).or_else(&mut report)?;
        }
    }
    let us = board.side_to_move();
    let mut kings = board.pieces(!us, PieceType::King).into_iter();
    if kings.any(|king| attackers(board, king, us, board.occupied()).any()) {
        report(BoardError::OpponentInCheck)?;
    }
    en_passant.map_or(Ok(()), |square| check_en_passant(board, square).or_else(report))
}

/// The maximum number of pieces of a side.
const MAX_PIECES: u32 = 16;

/// The maximum number of pawns of a side.
const MAX_PAWNS: u32 = 8;

fn check_castling(
    board: &Board,
    king: Square,
    (color, side, file): (Color, CastlingSide, File),
) -> Result<(), BoardError> {
    if king.rank() != Rank::First.relative_to(color) {
        return Err(BoardError::CastlingWithoutKing(color));
    }
    let rook_square = Square::new(file, king.rank());
    let is_on_that_side = match side {
        CastlingSide::King => rook_square > king,
        CastlingSide::Queen => rook_square < king,
    };
    let rook = Piece::new(color, PieceType::Rook);
    if !is_on_that_side || board.piece_on(rook_square) != Some(rook) {
        return Err(BoardError::CastlingWithoutRook(color, file));
    }
    Ok(())
}

fn check_en_passant(board: &Board, square: Square) -> Result<(), BoardError> {
    let (us, them) = (board.side_to_move(), !board.side_to_move());
    let origin = Square::new(square.file(), Rank::Second.relative_to(them));
    let target = Square::new(square.file(), Rank::Fourth.relative_to(them));
    let fits_pieces = square.rank() == Rank::Third.relative_to(them)
        && board.piece_on(square).is_none()
        && board.piece_on(origin).is_none()
        && board.piece_on(target) == Some(Piece::new(them, PieceType::Pawn));
    // After a double push, a check comes from the pawn itself, or is discovered on a line through the square it
    // left.
    let (king, pawn) = (board.king(us), target.bitboard());
    let before = (board.occupied() ^ pawn) | origin.bitboard();
    let attacks_king = |occupied| (attackers(board, king, them, occupied) - pawn).any();
    if !fits_pieces || (attacks_king(board.occupied()) && attacks_king(before)) {
        return Err(BoardError::ImpossibleEnPassant(square));
    }
    Ok(())
}

/// The pieces of `color` that attack `target`.
fn attackers(board: &Board, target: Square, color: Color, occupied: Bitboard) -> Bitboard {
    let start = target.bitboard();
    let beside = start.east() | start.west();
    let (diagonal_neighbors, two_files_away) =
        (beside.north() | beside.south(), beside.east() | beside.west());
    let knight_squares = beside.north().north()
        | beside.south().south()
        | (two_files_away - start).north()
        | (two_files_away - start).south();
    let king_squares = beside | diagonal_neighbors | start.north() | start.south();
    let mut attackers = beside.forward(!color) & board.pieces(color, PieceType::Pawn)
        | knight_squares & board.pieces(color, PieceType::Knight)
        | king_squares & board.pieces(color, PieceType::King);
    let orthogonal = board.orthogonal_sliders(color);
    let diagonal = board.diagonal_sliders(color);
    let (file, rank) = (target.file().index() as i32, target.rank().index() as i32);
    let along = |line: Bitboard| first_on_line(start, line, occupied);
    attackers |= (along(target.file().bitboard()) | along(target.rank().bitboard())) & orthogonal;
    attackers |= (along(shift_ranks(DIAGONAL, rank - file))
        | along(shift_ranks(ANTI_DIAGONAL, rank + file - 7)))
        & diagonal;
    attackers
}

/// The diagonal a1-h8.
const DIAGONAL: u64 = 0x8040_2010_0804_0201;
/// The diagonal a8-h1.
const ANTI_DIAGONAL: u64 = 0x0102_0408_1020_4080;

/// Shifts a set up by this many ranks, or down if negative; squares that leave the board are dropped.
fn shift_ranks(set: u64, ranks: i32) -> Bitboard {
    Bitboard(if ranks >= 0 { set << (8 * ranks) } else { set >> (-8 * ranks) })
}

/// The nearest occupied squares on a line in both directions from `start`.
fn first_on_line(start: Bitboard, line: Bitboard, occupied: Bitboard) -> Bitboard {
    let blockers = (line & occupied) - start;
    let above = blockers.0 & !(start.0 | (start.0 - 1));
    let below = blockers.0 & (start.0 - 1);
    // The nearest blockers are the lowest square above `start` and the highest below it.
    let lowest = above & above.wrapping_neg();
    let highest = if below == 0 { 0 } else { 1 << (63 - below.leading_zeros()) };
    Bitboard(lowest | highest)
}
