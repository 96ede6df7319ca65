//! Packed books of positions: a few hundred kilobytes for tens of thousands.
//!
//! A file begins with [`MAGIC`]. A position takes a byte of [flags](WHITE_TO_MOVE), 64 bits that mark the squares that
//! differ from the start position of chess (bit 0 is a1), the contents of these squares as half-bytes, the file of an
//! en-passant square if there is one, and four half-bytes of castling files if they are not the usual ones. Clocks are not
//! kept: openings begin at move 1.

use super::PackedError;
use tabiya_core::{
    Board, BoardBuilder, CastlingRights, CastlingSide, Color, File, Piece, PieceType, Rank, Square,
};
use tabiya_movegen::{Game, Position};

/// The first bytes of a packed book, which no text file begins with. The last is the version of the format.
pub(super) const MAGIC: &[u8; 8] = b"\x7fTABOOK1";

/// White is to move.
const WHITE_TO_MOVE: u8 = 1;
/// There is an en-passant square.
const EN_PASSANT: u8 = 2;
/// The castling rooks are not on their usual squares.
const CASTLING_FILES: u8 = 4;
/// The first of four bits of castling rights: White king side, White queen side, Black king side, Black queen side.
const FIRST_RIGHT: u32 = 4;

/// Half-byte of an empty square and of no castling right. Pieces and files have their index.
const NONE: u8 = 15;

/// The castling rights in the order of their bits.
const RIGHTS: [(Color, CastlingSide); 4] = [
    (Color::White, CastlingSide::King),
    (Color::White, CastlingSide::Queen),
    (Color::Black, CastlingSide::King),
    (Color::Black, CastlingSide::Queen),
];

/// Appends a position.
pub(super) fn pack(board: &Board, bytes: &mut Vec<u8>) {
    let board = board.to_builder();
    let start = Board::startpos().to_builder();
    let mut changed = 0_u64;
    let mut nibbles = Vec::new();
    for (index, (piece, usual)) in board.pieces.iter().zip(start.pieces).enumerate() {
        if *piece != usual {
            changed |= 1 << index;
            nibbles.push(piece.map_or(NONE, |piece| piece.index() as u8));
        }
    }
    let files = RIGHTS.map(|(color, side)| board.castling.rook_file(color, side));
    let is_usual = |(file, (_, side)): (Option<File>, (Color, CastlingSide))| {
        file.is_none_or(|file| file == usual_file(side))
    };
    let usual = files.into_iter().zip(RIGHTS).all(is_usual);
    let mut flags = if board.side_to_move == Color::White { WHITE_TO_MOVE } else { 0 };
    flags |= if board.en_passant.is_some() { EN_PASSANT } else { 0 };
    flags |= if usual { 0 } else { CASTLING_FILES };
    for (bit, file) in (FIRST_RIGHT..).zip(files) {
        flags |= u8::from(file.is_some()) << bit;
    }
    if let Some(square) = board.en_passant {
        nibbles.push(square.file().index() as u8);
    }
    if !usual {
        nibbles.extend(files.map(|file| file.map_or(NONE, |file| file.index() as u8)));
    }
    bytes.push(flags);
    bytes.extend(changed.to_le_bytes());
    bytes.extend(nibbles.chunks(2).map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 4));
}

/// Reads the positions after [`MAGIC`].
///
/// # Errors
/// If the bytes are not whole, legal positions.
pub(super) fn unpack(bytes: &[u8]) -> Result<Vec<Game>, PackedError> {
    let mut rest = bytes;
    let mut games = Vec::new();
    while !rest.is_empty() {
        let offset = MAGIC.len() + bytes.len() - rest.len();
        let position = unpack_one(&mut rest)
            .and_then(|board| Position::new(board).map_err(|error| error.to_string()))
            .map_err(|message| PackedError { offset, message })?;
        games.push(Game::from_position(position));
    }
    Ok(games)
}

fn unpack_one(rest: &mut &[u8]) -> Result<Board, String> {
    let truncated = || "the position is not complete".to_owned();
    let (&flags, after) = rest.split_first().ok_or_else(truncated)?;
    let (changed, after) = after.split_first_chunk::<8>().ok_or_else(truncated)?;
    let changed = u64::from_le_bytes(*changed);
    let count = changed.count_ones() as usize
        + usize::from(flags & EN_PASSANT != 0)
        + if flags & CASTLING_FILES != 0 { RIGHTS.len() } else { 0 };
    let (packed, after) = after.split_at_checked(count.div_ceil(2)).ok_or_else(truncated)?;
    *rest = after;
    let mut nibbles = packed.iter().flat_map(|&byte| [byte & 15, byte >> 4]);
    let mut next = || nibbles.next().unwrap_or(NONE);

    let mut builder: BoardBuilder = Board::startpos().to_builder();
    builder.side_to_move = if flags & WHITE_TO_MOVE != 0 { Color::White } else { Color::Black };
    for (index, content) in builder.pieces.iter_mut().enumerate() {
        if changed >> index & 1 != 0 {
            *content = match next() {
                NONE => None,
                code => Some(piece(code)?),
            };
        }
    }
    if flags & EN_PASSANT != 0 {
        let rank = Rank::Sixth.relative_to(builder.side_to_move);
        builder.en_passant = Some(Square::new(file(next())?, rank));
    }
    builder.castling = CastlingRights::NONE;
    for (bit, (color, side)) in (FIRST_RIGHT..).zip(RIGHTS) {
        let code = if flags & CASTLING_FILES != 0 { next() } else { usual_file(side).index() as u8 };
        if flags >> bit & 1 != 0 {
            builder.castling.set(color, side, Some(file(code)?));
        }
    }
    builder.build().map_err(|error| error.to_string())
}

/// The file from which a rook castles in standard chess.
fn usual_file(side: CastlingSide) -> File {
    match side {
        CastlingSide::King => File::H,
        CastlingSide::Queen => File::A,
    }
}

fn piece(index: u8) -> Result<Piece, String> {
    let piece_type =
        PieceType::from_index(usize::from(index) / 2).ok_or_else(|| format!("invalid piece {index}"))?;
    Ok(Piece::new(Color::ALL[usize::from(index) % 2], piece_type))
}

fn file(code: u8) -> Result<File, String> {
    if code < 8 { Ok(File::wrapping(code)) } else { Err(format!("invalid file {code}")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::test_games::random_games;

    #[test]
    fn positions_round_trip() {
        let mut boards = Vec::new();
        for game in random_games(60, 5) {
            game.visit(|position, _, _| {
                let mut builder = position.board().to_builder();
                (builder.halfmove_clock, builder.fullmove_number) = (0, 1);
                boards.push(builder.build().unwrap());
            });
        }
        assert!(boards.iter().any(|board| board.en_passant().is_some()));
        let mut bytes = Vec::new();
        boards.iter().for_each(|board| pack(board, &mut bytes));
        let games = unpack(&bytes).unwrap();
        assert!(games.iter().map(|game| game.position().board()).eq(&boards));
    }

    #[test]
    fn openings_take_few_bytes() {
        let mut bytes = Vec::new();
        pack(&Board::startpos(), &mut bytes);
        assert_eq!(bytes.len(), 9);
        let opening =
            Board::from_fen("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq -").unwrap();
        bytes.clear();
        pack(&opening, &mut bytes);
        assert_eq!(bytes.len(), 9 + 6);
    }

    #[test]
    fn damage_is_an_error() {
        let mut bytes = Vec::new();
        pack(&Board::startpos(), &mut bytes);
        let opening = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K -").unwrap();
        pack(&opening, &mut bytes);
        for length in 10..bytes.len() {
            let error = unpack(&bytes[..length]).unwrap_err();
            assert_eq!(error.to_string(), "byte 17: the position is not complete");
        }
        for byte in 0..bytes.len() {
            for value in [0, 0x77, 0xff] {
                let mut bytes = bytes.clone();
                bytes[byte] = value;
                // The test passes if nothing panics.
                let _ = unpack(&bytes);
            }
        }
    }
}
