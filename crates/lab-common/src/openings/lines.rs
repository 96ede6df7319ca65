//! Packed books of moves from the start position of chess: 7 bytes for an opening of eight to eleven plies.
//!
//! After [`MAGIC`] follows a zlib stream. In it an opening takes a byte for its number of plies and a byte for each move: the
//! move's place among the legal moves, which are ordered by origin, target and promotion.

use super::{Opening, PackedError};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use tabiya_core::Move;
use tabiya_movegen::{Game, Position};

/// The first bytes of a book of moves, which no text file begins with. The last is the version of the format.
pub(super) const MAGIC: &[u8; 8] = b"\x7fTABOOK2";

/// Effort of the compression, of at most 10.
const COMPRESSION_LEVEL: u8 = 10;

/// The size limit of the uncompressed openings: 256 MiB.
const MAX_CONTENTS: usize = 1 << 28;

/// The largest number of plies of an opening.
const MAX_PLIES: usize = u8::MAX as usize;

/// Returns true if the opening can be packed as moves.
pub(super) fn is_packable(opening: &Opening, start: &str) -> bool {
    &*opening.fen == start && (1..=MAX_PLIES).contains(&opening.moves.len())
}

/// Returns the openings, all of which are [packable](is_packable), as the contents of a file.
pub(super) fn pack<'a>(openings: impl IntoIterator<Item = &'a Opening>) -> Vec<u8> {
    let mut contents = Vec::new();
    for opening in openings {
        contents.push(opening.moves.len() as u8);
        let mut position = Position::startpos();
        for &mv in &opening.moves {
            let index = ordered_moves(&position).iter().position(|&legal| legal == mv);
            // The moves of an opening are legal, and there are at most 218.
            contents.push(index.unwrap_or_default() as u8);
            position.play_unchecked(mv);
        }
    }
    [&MAGIC[..], &compress_to_vec_zlib(&contents, COMPRESSION_LEVEL)].concat()
}

/// Reads the openings after [`MAGIC`].
///
/// # Errors
/// If the bytes are not whole openings of legal moves.
pub(super) fn unpack(bytes: &[u8]) -> Result<Vec<Game>, PackedError> {
    let contents = decompress_to_vec_zlib_with_limit(bytes, MAX_CONTENTS)
        .map_err(|error| PackedError { offset: MAGIC.len(), message: error.to_string() })?;
    let mut rest = &contents[..];
    let mut games = Vec::new();
    while let Some((&plies, after)) = rest.split_first() {
        let offset = contents.len() - rest.len();
        let error = |message: &str| PackedError { offset, message: message.to_owned() };
        let (moves, after) =
            after.split_at_checked(plies.into()).ok_or_else(|| error("the opening is not complete"))?;
        games.push(replay(moves).ok_or_else(|| error("a move does not exist"))?);
        rest = after;
    }
    Ok(games)
}

fn replay(indices: &[u8]) -> Option<Game> {
    let mut game = Game::new();
    for &index in indices {
        let &mv = ordered_moves(game.position()).get(usize::from(index))?;
        game.play(mv).ok()?;
    }
    Some(game)
}

/// The legal moves in an order that does not depend on the move generator.
fn ordered_moves(position: &Position) -> Vec<Move> {
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    moves.sort_unstable_by_key(|mv| (mv.from(), mv.to(), mv.promotion()));
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::test_games::random_games;
    use crate::openings::Book;

    fn openings() -> Vec<Opening> {
        let mut openings = Vec::new();
        for game in random_games(120, 8) {
            let moves = || game.moves.iter().map(|scored| scored.mv).take(40);
            let mut line = Game::from_position(game.start.clone());
            if *game.start.board() == *Position::startpos().board() {
                moves().for_each(|mv| line.play(mv).unwrap());
                openings.extend(Opening::new(line).ok());
            }
        }
        assert!(openings.len() > 2);
        openings
    }

    #[test]
    fn openings_round_trip() {
        let openings = openings();
        let bytes = pack(&openings);
        let read = unpack(bytes.strip_prefix(MAGIC).unwrap()).unwrap();
        assert!(read.into_iter().map(|game| Opening::new(game).unwrap()).eq(openings));
    }

    #[test]
    fn numbers_of_moves_do_not_depend_on_the_move_generator() {
        let mut game = Game::new();
        for san in ["e4", "a6", "e5", "d5"] {
            game.play_san(san).unwrap();
        }
        let opening = Opening::new(game).unwrap();
        let bytes = pack([&opening]);
        let contents = decompress_to_vec_zlib_with_limit(&bytes[MAGIC.len()..], 100).unwrap();
        // White's knights on b1 and g1 come first, then the pawns, each with one and two steps; of Black's, the pawns.
        assert_eq!(contents, [4, 13, 1, 29, 5]);
        assert!(Book::packed(&[opening]).unwrap() == bytes);
    }

    #[test]
    fn damage_is_an_error() {
        let bytes = pack(&openings());
        let bytes = bytes.strip_prefix(MAGIC).unwrap();
        let moves = |games: Vec<Game>| games.iter().map(|game| game.moves().to_vec()).collect::<Vec<_>>();
        let expected = moves(unpack(bytes).unwrap());
        assert!(unpack(&bytes[..bytes.len() / 2]).is_err());
        for byte in 0..bytes.len() {
            let mut bytes = bytes.to_vec();
            bytes[byte] ^= 0x40;
            // The checksum of the stream notices every change but that of unused bits at its end.
            assert!(unpack(&bytes).map_or(true, |games| moves(games) == expected), "byte {byte}");
        }
        let error = |contents: &[u8]| unpack(&compress_to_vec_zlib(contents, 1)).unwrap_err().to_string();
        assert_eq!(error(&[1, 0, 2, 3]), "byte 2: the opening is not complete");
        assert_eq!(error(&[1, 20]), "byte 0: a move does not exist");
    }
}
