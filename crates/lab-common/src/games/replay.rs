//! Replays a packed game: its positions one after the other, without storing them.

use super::origin::Origin;
use super::record::{EndReason, GameError, GameRecord, MOVE_SIZE, ScoredMove, ply, result};
use super::{moves, start};
use tabiya_movegen::Position;

/// A packed game whose start position has been checked. Its moves are checked when they are played.
pub struct Replay<'a> {
    /// The start position.
    pub start: Position,
    /// Result as White's half-points: 0, 1 or 2.
    pub half_points: u8,
    /// The kind of the start position.
    pub origin: Origin,
    /// The reason of the end.
    pub end_reason: EndReason,
    /// The moves without the end mark.
    moves: &'a [[u8; MOVE_SIZE]],
    /// Offset of the game in its file, in bytes, for errors.
    offset: u64,
}

impl<'a> Replay<'a> {
    /// Reads the start of a game; `bytes` includes the end mark, and `offset` is its place in the file.
    ///
    /// # Errors
    /// If the start position is not legal or the result is not one.
    pub(super) fn new(bytes: &'a [u8], offset: u64) -> Result<Replay<'a>, GameError> {
        let at_start = |message| GameError { offset, message };
        let (start, rest) =
            bytes.split_first_chunk().ok_or_else(|| at_start("the start position is truncated".into()))?;
        let half_points = result(start).map_err(at_start)?;
        let extra = usize::from(start[start::EXTRA]);
        let start =
            start::unpack(start).map_err(|error| at_start(format!("not a start position: {error}")))?;
        let moves = rest.as_chunks().0;
        Ok(Replay {
            start,
            half_points,
            origin: Origin::ALL[extra & 3],
            end_reason: EndReason::ALL.get(extra >> 2 & 7).copied().unwrap_or(EndReason::Other),
            moves: moves.split_last().map_or(&[], |(_, moves)| moves),
            offset,
        })
    }

    /// Calls `visit` with each position from which a move was played, the index of the move, and the move.
    ///
    /// # Errors
    /// At the first illegal move.
    pub fn play(&self, mut visit: impl FnMut(&Position, usize, ScoredMove)) -> Result<(), GameError> {
        let mut position = self.start.clone();
        for (index, &[low, high, score @ ..]) in self.moves.iter().enumerate() {
            // The test of the move and most visitors ask for it.
            position.cache_legality();
            let bits = u16::from_le_bytes([low, high]);
            let Some(mv) = moves::unpack(&position, bits) else {
                return Err(GameError {
                    offset: self.offset + (start::SIZE + index * MOVE_SIZE) as u64,
                    message: format!("{bits:#06x} is not a legal move in {position}"),
                });
            };
            visit(&position, index, ScoredMove { mv, score: i16::from_le_bytes(score) });
            position.play_unchecked(mv);
        }
        Ok(())
    }

    /// Plays the moves and keeps them.
    ///
    /// # Errors
    /// If one is illegal.
    pub(super) fn record(self) -> Result<GameRecord, GameError> {
        let mut moves = Vec::with_capacity(self.len());
        self.play(|_, _, scored| moves.push(scored))?;
        let Replay { start, half_points, origin, end_reason, .. } = self;
        Ok(GameRecord { start, half_points, origin, end_reason, moves })
    }

    /// Number of positions from which a move was played.
    #[expect(clippy::len_without_is_empty, reason = "a game is no collection")]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// The scores of the positions, in order.
    pub fn scores(&self) -> impl DoubleEndedIterator<Item = i16> + ExactSizeIterator {
        self.moves.iter().map(|&[_, _, low, high]| i16::from_le_bytes([low, high]))
    }

    /// The number of plies before the start position.
    pub fn first_ply(&self) -> u32 {
        ply(&self.start)
    }
}

impl GameRecord {
    /// Unpacks a game with its end mark, and plays its moves.
    ///
    /// # Errors
    /// If the start position is not legal, the result is not one, or a move is illegal.
    pub fn from_bytes(bytes: &[u8]) -> Result<GameRecord, GameError> {
        Replay::new(bytes, 0)?.record()
    }
}
