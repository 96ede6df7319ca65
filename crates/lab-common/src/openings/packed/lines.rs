//! Openings as moves from the start position of chess: 7 bytes for one of eight to eleven plies, compressed.
//!
//! An opening takes a byte for its number of plies and a byte for each move: the move's place among the legal moves, which are
//! ordered by origin, target and promotion.

use super::PackedError;
use crate::openings::Opening;
use tabiya_core::Move;
use tabiya_movegen::{Game, Position};

/// The byte of this format.
pub(super) const FORMAT: u8 = b'2';

/// The largest number of plies of an opening.
const MAX_PLIES: usize = u8::MAX as usize;

/// Returns true if the opening can be packed as moves.
pub(super) fn is_packable(opening: &Opening) -> bool {
    let is_from_start = opening.start == Position::startpos().pack() && opening.counters == (0, 1);
    is_from_start && (1..=MAX_PLIES).contains(&opening.moves.len())
}

/// Returns the openings, all of which are [packable](is_packable).
pub(super) fn pack(openings: &[Opening]) -> Vec<u8> {
    let mut contents = Vec::new();
    for opening in openings {
        contents.push(opening.moves.len() as u8);
        let mut position = Position::startpos();
        for &mv in &opening.moves {
            let index = sort_keys(&position.legal_moves()).iter().filter(|&&key| key < sort_key(mv)).count();
            // There are at most 218 moves.
            contents.push(index as u8);
            position.play_unchecked(mv);
        }
    }
    contents
}

/// Reads openings.
///
/// # Errors
/// If the bytes are not whole openings of legal moves.
pub(super) fn unpack(contents: &[u8]) -> Result<Vec<Game>, PackedError> {
    let mut rest = contents;
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
        // With sorted moves, books took more than twice as long to load in debug builds, and nearly every test of matches loads one.
        let moves = game.position().legal_moves();
        let keys = sort_keys(&moves);
        let is_chosen = |key: &u16| keys.iter().filter(|&other| other < key).count() == usize::from(index);
        let mv = moves[keys.iter().position(is_chosen)?];
        game.play(mv).ok()?;
    }
    Some(game)
}

fn sort_keys(moves: &[Move]) -> Vec<u16> {
    moves.iter().map(|&mv| sort_key(mv)).collect()
}

/// Origin, target and promotion in one number, which does not depend on the move generator.
fn sort_key(mv: Move) -> u16 {
    let promotion = mv.promotion().map_or(0, |piece_type| piece_type.index());
    ((mv.from().index() << 9) | (mv.to().index() << 3) | promotion) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_moves_do_not_depend_on_the_move_generator() {
        let mut game = Game::new();
        for san in ["e4", "a6", "e5", "d5"] {
            game.play_san(san).unwrap();
        }
        let contents = pack(&[Opening::new(game).unwrap()]);
        // White's knights on b1 and g1 come first, then the pawns, each with one and two steps; of Black's, the pawns.
        assert_eq!(contents, [4, 13, 1, 29, 5]);
    }

    #[test]
    fn damage_is_an_error() {
        let error = |contents: &[u8]| unpack(contents).unwrap_err().to_string();
        assert_eq!(error(&[1, 0, 2, 3]), "byte 2: the opening is not complete");
        assert_eq!(error(&[1, 20]), "byte 0: a move does not exist");
    }
}
