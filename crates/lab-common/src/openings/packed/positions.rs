//! Openings as positions: a [`PackedBoard`] for each, of which compression leaves about 12 bytes. Counters are not kept: openings begin at move 1.

use super::PackedError;
use crate::openings::Opening;
use anyhow::Result;
use tabiya_core::{PackedBoard, UnpackError};
use tabiya_movegen::{Game, Position};

/// The byte of this format.
pub(super) const FORMAT: u8 = b'3';

/// Returns the positions after the moves of the openings.
///
/// # Errors
/// Never for openings of a book.
pub(super) fn pack(openings: &[Opening]) -> Result<Vec<u8>> {
    let boards = openings.iter().map(|opening| Ok(opening.game()?.position().pack().to_bytes()));
    Ok(boards.collect::<Result<Vec<_>>>()?.concat())
}

/// Reads positions.
///
/// # Errors
/// If the bytes are not whole, legal positions.
pub(super) fn unpack(contents: &[u8]) -> Result<Vec<Game>, PackedError> {
    let (boards, rest) = contents.as_chunks();
    let complete = contents.len() - rest.len();
    if !rest.is_empty() {
        return Err(PackedError { offset: complete, message: "the position is not complete".to_owned() });
    }
    let offsets = (0..complete).step_by(PackedBoard::SIZE);
    let game = |(offset, &bytes)| {
        let position = position(PackedBoard::from_bytes(bytes));
        position.map(Game::from_position).map_err(|error| PackedError { offset, message: error.to_string() })
    };
    offsets.zip(boards).map(game).collect()
}

fn position(board: PackedBoard) -> Result<Position, UnpackError> {
    Ok(Position::from_builder(&board.to_builder()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_round_trip() {
        for fen in [
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 1",
            "1r2k1rr/8/8/8/8/8/8/1R2K1R1 b Qg - 0 1",
        ] {
            let game = Game::from_position(Position::from_fen(fen).unwrap());
            let read = unpack(&pack(&[Opening::new(game).unwrap()]).unwrap()).unwrap();
            assert_eq!(read.iter().map(|game| game.position().to_string()).collect::<Vec<_>>(), [fen]);
        }
    }

    #[test]
    fn damage_is_an_error() {
        let error = |contents: &[u8]| unpack(contents).unwrap_err().to_string();
        let start = Position::startpos().pack().to_bytes();
        assert_eq!(
            error(&[start, [0; 24]].concat()),
            "byte 24: invalid packed board: white has no king (expected exactly 1)"
        );
        assert_eq!(error(&[&start[..], &start[..5]].concat()), "byte 24: the position is not complete");
    }
}
