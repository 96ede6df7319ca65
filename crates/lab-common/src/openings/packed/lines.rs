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
            let index = ordered_moves(&position).iter().position(|&legal| legal == mv);
            // The moves of an opening are legal, and there are at most 218.
            contents.push(index.unwrap_or_default() as u8);
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
