use super::{Board, BoardBuilder};
use crate::{Bitboard, CastlingSide, Color, File, Piece, PieceType, Rank, Square};
use core::fmt;

/// Why a set-up is not a chess position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    /// This side has more pieces than its missing pawns could have become by promotion.
    TooManyPromoted(Color),
    /// A pawn stands on the first or the last rank.
    PawnOnBackRank(Square),
    /// The side that has just moved is in check.
    OpponentInCheck,
    /// More pieces give check, or in another way, than one move can bring about.
    ImpossibleCheck,
    /// A castling right, but this side's king is not on its first rank.
    CastlingWithoutKing(Color),
    /// A castling right, but this side has no rook there on the right side of its king.
    CastlingWithoutRook(Color, File),
    /// The en-passant square is not one that a pawn has just passed: it must lie on the sixth rank
    /// as the side to move counts, be empty like the square behind it, and have the pawn in front.
    ImpossibleEnPassant(Square),
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BoardError::NoKing(color) => write!(f, "{color} has no king; each side needs exactly one"),
            BoardError::TooManyKings(color) => {
                write!(f, "{color} has more than one king; each side needs exactly one")
            }
            BoardError::TooManyPieces(color) => write!(f, "{color} has more than 16 pieces"),
            BoardError::TooManyPawns(color) => write!(f, "{color} has more than 8 pawns"),
            BoardError::TooManyPromoted(color) => {
                write!(f, "{color} has more pieces than its missing pawns could have become")
            }
            BoardError::PawnOnBackRank(square) => {
                write!(f, "there is a pawn on {square}; pawns stand on ranks 2 to 7")
            }
            BoardError::OpponentInCheck => {
                f.write_str("the side that is not to move is in check: its king could be captured")
            }
            BoardError::ImpossibleCheck => {
                f.write_str("the side to move is in a check that no single move can give")
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

/// Checks everything that can be told from one position alone.
///
/// This is the one place in this crate that looks along lines for attackers. It does so step by
/// step: fast look-ups live in `tabiya-movegen`, and a position is checked once.
pub(super) fn validate(builder: &BoardBuilder, board: &Board) -> Result<(), BoardError> {
    for color in Color::ALL {
        material(board, color)?;
    }
    let pawns = board.by_type(PieceType::Pawn);
    if let Some(square) = (pawns & (Rank::First.bitboard() | Rank::Eighth.bitboard())).first() {
        return Err(BoardError::PawnOnBackRank(square));
    }
    for color in Color::ALL {
        castling(board, color)?;
    }
    if let Some(square) = builder.en_passant {
        en_passant(board, square)?;
    }
    checks(builder, board)
}

fn material(board: &Board, color: Color) -> Result<(), BoardError> {
    let count = |piece_type| board.pieces(color, piece_type).count();
    match count(PieceType::King) {
        0 => return Err(BoardError::NoKing(color)),
        1 => {}
        _ => return Err(BoardError::TooManyKings(color)),
    }
    if board.by_color(color).count() > 16 {
        return Err(BoardError::TooManyPieces(color));
    }
    let pawns = count(PieceType::Pawn);
    if pawns > 8 {
        return Err(BoardError::TooManyPawns(color));
    }
    // The two first bishops stand on squares of different colours.
    let bishops = board.pieces(color, PieceType::Bishop);
    let promoted = count(PieceType::Knight).saturating_sub(2)
        + (bishops & Bitboard::LIGHT).count().saturating_sub(1)
        + (bishops & Bitboard::DARK).count().saturating_sub(1)
        + count(PieceType::Rook).saturating_sub(2)
        + count(PieceType::Queen).saturating_sub(1);
    if pawns + promoted > 8 {
        return Err(BoardError::TooManyPromoted(color));
    }
    Ok(())
}

fn castling(board: &Board, color: Color) -> Result<(), BoardError> {
    let king = board.king(color);
    for side in CastlingSide::ALL {
        let Some(file) = board.castling().rook_file(color, side) else { continue };
        if king.rank() != Rank::First.relative_to(color) {
            return Err(BoardError::CastlingWithoutKing(color));
        }
        let rook_square = Square::new(file, king.rank());
        let right_side = match side {
            CastlingSide::King => rook_square > king,
            CastlingSide::Queen => rook_square < king,
        };
        let rook = Piece::new(color, PieceType::Rook);
        if !right_side || board.piece_on(rook_square) != Some(rook) {
            return Err(BoardError::CastlingWithoutRook(color, file));
        }
    }
    Ok(())
}

fn en_passant(board: &Board, square: Square) -> Result<(), BoardError> {
    let them = !board.side_to_move();
    let possible = square.rank() == Rank::Third.relative_to(them)
        && board.piece_on(square).is_none()
        && board.piece_on(Square::new(square.file(), Rank::Second.relative_to(them))).is_none()
        && board.piece_on(Square::new(square.file(), Rank::Fourth.relative_to(them)))
            == Some(Piece::new(them, PieceType::Pawn));
    if possible { Ok(()) } else { Err(BoardError::ImpossibleEnPassant(square)) }
}

fn checks(builder: &BoardBuilder, board: &Board) -> Result<(), BoardError> {
    let us = board.side_to_move();
    if attackers(board, board.king(!us), us, board.occupied()).any() {
        return Err(BoardError::OpponentInCheck);
    }
    let king = board.king(us);
    let checkers = attackers(board, king, !us, board.occupied());
    if checkers.count() > 2 {
        return Err(BoardError::ImpossibleCheck);
    }
    // After a double step, a check comes from the pawn itself or through the square it has left.
    if let Some(square) = builder.en_passant {
        let pawn = Square::new(square.file(), Rank::Fourth.relative_to(!us)).bitboard();
        let origin = Square::new(square.file(), Rank::Second.relative_to(!us)).bitboard();
        let before = (board.occupied() ^ pawn) | origin;
        if (checkers - pawn).any() && (attackers(board, king, !us, before) - pawn).any() {
            return Err(BoardError::ImpossibleCheck);
        }
    }
    Ok(())
}

/// The pieces of `color` that attack `target`, stepping outwards from it.
fn attackers(board: &Board, target: Square, color: Color, occupied: Bitboard) -> Bitboard {
    const ORTHOGONAL: [Step; 4] = [Bitboard::north, Bitboard::east, Bitboard::south, Bitboard::west];
    const DIAGONAL: [Step; 4] =
        [|b| b.north().east(), |b| b.south().east(), |b| b.south().west(), |b| b.north().west()];

    let start = target.bitboard();
    let beside = start.east() | start.west();
    let (near, far) = (beside.north() | beside.south(), beside.east() | beside.west());
    let two_away =
        beside.north().north() | beside.south().south() | (far - start).north() | (far - start).south();
    let around = beside | near | start.north() | start.south();
    let mut found = beside.forward(!color) & board.pieces(color, PieceType::Pawn)
        | two_away & board.pieces(color, PieceType::Knight)
        | around & board.pieces(color, PieceType::King);
    for (sliders, steps) in
        [(board.orthogonal_sliders(color), ORTHOGONAL), (board.diagonal_sliders(color), DIAGONAL)]
    {
        if sliders.any() {
            for step in steps {
                found |= first_on_ray(start, occupied, step) & sliders;
            }
        }
    }
    found
}

type Step = fn(Bitboard) -> Bitboard;

/// The first occupied square in one direction, if there is one.
fn first_on_ray(start: Bitboard, occupied: Bitboard, step: Step) -> Bitboard {
    let mut square = step(start);
    while square.any() && square.is_disjoint(occupied) {
        square = step(square);
    }
    square
}
