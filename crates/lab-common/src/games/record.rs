//! One game and its bytes.

use super::origin::Origin;
use super::{moves, start};
use crate::referee::Termination;
use std::fmt;
use tabiya_core::{Move, SplitMix64};
use tabiya_movegen::Position;
use tabiya_workspace::fingerprint::fingerprint;

/// Size of a move with its score, and of the end mark of a game, in bytes.
pub(super) const MOVE_SIZE: usize = 4;

/// The reason for the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// Unknown: a game by another program.
    Other,
    /// Checkmate.
    Checkmate,
    /// Stalemate, a dead position, a repetition or the fifty-move rule.
    RuleDraw,
    /// The engines agreed that one side was winning.
    WinAdjudication,
    /// The engines agreed on a draw.
    DrawAdjudication,
    /// A draw because the game had too many moves.
    MaxMoves,
    /// The result was known from tablebases.
    Tablebases,
}

impl EndReason {
    /// All reasons, in the order of their codes.
    pub const ALL: [EndReason; 7] = [
        EndReason::Other,
        EndReason::Checkmate,
        EndReason::RuleDraw,
        EndReason::WinAdjudication,
        EndReason::DrawAdjudication,
        EndReason::MaxMoves,
        EndReason::Tablebases,
    ];
}

impl From<Termination> for EndReason {
    fn from(termination: Termination) -> EndReason {
        match termination {
            Termination::Checkmate => EndReason::Checkmate,
            Termination::Stalemate
            | Termination::DeadPosition
            | Termination::Repetition
            | Termination::FiftyMoves => EndReason::RuleDraw,
            Termination::WinAdjudication => EndReason::WinAdjudication,
            Termination::DrawAdjudication => EndReason::DrawAdjudication,
            Termination::MaxMoves => EndReason::MaxMoves,
            Termination::TablebaseAdjudication => EndReason::Tablebases,
            // Engine faults, which do not occur in `datagen`.
            _ => EndReason::Other,
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            EndReason::Other => "unknown",
            EndReason::Checkmate => "checkmate",
            EndReason::RuleDraw => "draw by rule",
            EndReason::WinAdjudication => "win adjudicated",
            EndReason::DrawAdjudication => "draw adjudicated",
            EndReason::MaxMoves => "too many moves",
            EndReason::Tablebases => "tablebases",
        })
    }
}

/// A move and the score of the position before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// In centipawns from White's point of view; see [`score`](super::score).
    pub score: i16,
}

/// A game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// The position before the first move.
    pub start: Position,
    /// Result as White's half-points: 0, 1 or 2.
    pub half_points: u8,
    /// The kind of start position.
    pub origin: Origin,
    /// The reason for the end.
    pub end_reason: EndReason,
    /// Legal moves from the start position.
    pub moves: Vec<ScoredMove>,
}

/// Damage within a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameError {
    /// Offset of the damage in the file, in bytes.
    pub offset: u64,
    pub message: String,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for GameError {}

impl GameRecord {
    /// Packs the game.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = start::pack(&self.start).to_vec();
        bytes[start::RESULT] = self.half_points;
        bytes[start::EXTRA] = self.origin as u8 | (self.end_reason as u8) << 2;
        for ScoredMove { mv, score } in &self.moves {
            bytes.extend(moves::pack(*mv).to_le_bytes());
            bytes.extend(score.to_le_bytes());
        }
        bytes.extend([0; MOVE_SIZE]);
        bytes
    }

    /// Calls `visit` with each position from which a move was played, its ply (from the start of the game, random
    /// moves included) and the move.
    pub fn visit(&self, mut visit: impl FnMut(&Position, u32, ScoredMove)) {
        let mut position = self.start.clone();
        for (ply, &scored) in (self.first_ply()..).zip(&self.moves) {
            visit(&position, ply, scored);
            position.play_unchecked(scored.mv);
        }
    }

    /// The number of plies before the start position.
    pub fn first_ply(&self) -> u32 {
        ply(&self.start)
    }
}

/// The number of plies from the start of the game to a position, by its fullmove number.
pub fn ply(position: &Position) -> u32 {
    let board = position.board();
    2 * u32::from(board.fullmove_number().saturating_sub(1)) + board.side_to_move().index() as u32
}

/// Reads the result of a packed start position.
pub(super) fn result(start: &[u8; start::SIZE]) -> Result<u8, String> {
    match start[start::RESULT] {
        half_points @ 0..=2 => Ok(half_points),
        other => Err(format!("invalid result: {other} half-points (expected 0 to 2)")),
    }
}

/// Checks a packed start position without unpacking it: the pieces' number and the result. Finds most files of
/// other formats.
pub(super) fn check_start(start: &[u8; start::SIZE]) -> Result<(), String> {
    let occupied = start.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    if !(2..=32).contains(&occupied.count_ones()) {
        return Err(format!("{} pieces on the board (expected 2 to 32)", occupied.count_ones()));
    }
    result(start).map(drop)
}

/// A hash of the pieces, castling rights and side to move of the start position, and of the moves. All copies of a game have
/// the same, also if one has been rescored: what reading and writing a game may change (its scores, counters and an en-passant
/// square that no pawn attacks) is left out.
pub(super) fn identity(bytes: &[u8]) -> u64 {
    let (start, moves) = bytes.split_at(bytes.len().min(start::SIZE));
    let pieces = start.iter().copied().take(start::SIDE_AND_EN_PASSANT);
    let side = start.get(start::SIDE_AND_EN_PASSANT).map(|byte| byte & start::BLACK_TO_MOVE);
    let moves = moves.as_chunks::<MOVE_SIZE>().0.iter().flat_map(|&[low, high, ..]| [low, high]);
    let identity: Vec<u8> = pieces.chain(side).chain(moves).collect();
    // FNV's low bits are weak, and users divide by small numbers.
    SplitMix64::new(fingerprint(&identity)).next_u64()
}

/// Returns true if a game belongs to the validation set. This depends only on its identity, so that a game is never in
/// the training set of one command and the validation set of another.
pub fn is_validation(identity: u64, percent: u8) -> bool {
    identity % 100 < percent.into()
}

pub(super) const START_SIZE: usize = start::SIZE;
pub(super) const END_MARK: [u8; MOVE_SIZE] = [0; MOVE_SIZE];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::test_games::random_games;
    use tabiya_core::PieceType;

    #[test]
    fn identity_survives_reading_and_writing() {
        let position =
            Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").unwrap();
        let game = GameRecord { start: position, ..random_games(1, 9).remove(0) };
        let written = GameRecord { moves: Vec::new(), ..game }.to_bytes();
        let mut other = written.clone();
        // The identity ignores these: an en-passant square that no pawn attacks, a clock, an unknown move number, a score, a result
        // and the unused byte.
        other[start::SIDE_AND_EN_PASSANT] = start::BLACK_TO_MOVE | tabiya_core::Square::E3.index() as u8;
        other[start::SIDE_AND_EN_PASSANT + 1..start::SIZE].copy_from_slice(&[7, 0, 0, 30, 1, 2, 0]);
        let rewritten = GameRecord::from_bytes(&other).unwrap().to_bytes();
        assert_ne!(rewritten, other);
        for bytes in [&other, &rewritten] {
            assert_eq!(identity(bytes), identity(&written));
        }
        // Castling rights, the side to move and the moves.
        let mut differing = [written.clone(), written.clone(), written.clone()];
        differing[0][8] ^= start::CASTLING_ROOK ^ PieceType::Rook.index() as u8;
        differing[1][start::SIDE_AND_EN_PASSANT] ^= start::BLACK_TO_MOVE;
        differing[2][start::SIZE] = 1;
        for bytes in differing {
            assert_ne!(identity(&bytes), identity(&written));
        }
    }
}
