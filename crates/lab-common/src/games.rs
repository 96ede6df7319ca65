//! Files of whole games: *viriformat*, the format of Viridithas' self-play games.
//!
//! A file is a concatenation of games. Integers are little-endian. A game is its start position in 32 bytes, then four
//! bytes for each move, then four zero bytes:
//!
//! | bytes | content of a start position |
//! |---|---|
//! | 0-7 | occupancy bitboard, a1 = bit 0 |
//! | 8-23 | one nibble per occupied square, low nibble first: piece type (0 pawn to 5 king, 6 a rook with castling rights), plus 8 if Black's |
//! | 24 | en-passant square, or 64 for none; plus 128 if Black is to move |
//! | 25 | halfmove clock |
//! | 26-27 | fullmove number |
//! | 28-29 | 0 (the format allows a score) |
//! | 30 | result: White's half-points, 0 to 2 |
//! | 31 | unused by the format; here [`Origin`] in bits 0 and 1, [`EndReason`] in bits 2 to 4 |
//!
//! | bits | content of a move |
//! |---|---|
//! | 0-5, 6-11 | from and to; castling is king takes own rook |
//! | 12-13 | promotion piece, 0 knight to 3 queen |
//! | 14-15 | 1 en passant, 2 castling, 3 promotion, otherwise 0 |
//! | 16-31 | score of the position before the move, in centipawns from White's point of view; see [`score`] |
//!
//! The start position is the one after the random moves of the opening, and the fullmove number tells how many there
//! were. Every position of a game is kept, also those in check or decided, so that positions are selected when a file
//! is read. Other programs that read viriformat read these files, and theirs can be read here.
//!
//! A file that is being written may end with an incomplete game, which readers leave out. So may one after a power failure, with
//! zeros in place of what had not reached the disk.

mod games_output;
mod moves;
mod origin;
pub mod packed;
mod reader;
mod record;
mod replay;
pub mod score;
mod selection;
pub mod sidecar;
mod start;
mod store;

pub use games_output::GamesOutput;
pub use origin::Origin;
pub use packed::{BLOCK_GAMES, Block, PackedFile};
pub use reader::{Damage, GameFile, RawGame, note_incomplete};
pub use record::{EndReason, GameRecord, ScoredMove, is_validation, ply};
pub use replay::Replay;
pub use selection::Selection;
pub use store::Store;

pub mod test_games;

#[cfg(test)]
mod oracle_tests;
