//! Zobrist keys: the random numbers from which the keys of boards are computed.
//!
//! The key of a board is the exclusive or of one number for each feature that distinguishes positions under
//! the repetition rule: a piece on a square, a castling right (by the file of its rook), the file of a
//! possible en-passant capture, and Black to move. The numbers come from a fixed generator evaluated at
//! compile time, so keys, and with them node counts, are the same on every machine and in every build.
//!
//! Source: Albert L. Zobrist, *A New Hashing Method with Application for Game Playing* (1970).

use crate::{Color, File, Piece, SplitMix64, Square};

/// A 64-bit Zobrist key.
pub type Key = u64;

/// The numbers of all features.
struct Keys {
    pieces: [[Key; Square::COUNT]; Piece::COUNT],
    castling: [[Key; 8]; 2],
    en_passant: [Key; 8],
    black_to_move: Key,
}

static KEYS: Keys = Keys::generate();

impl Keys {
    const fn generate() -> Keys {
        // The seed is the first digits of pi.
        let mut random = SplitMix64::new(0x3141_5926_5358_9793);
        let mut keys =
            Keys { pieces: [[0; 64]; 12], castling: [[0; 8]; 2], en_passant: [0; 8], black_to_move: 0 };
        let mut piece = 0;
        while piece < 12 {
            let mut square = 0;
            while square < 64 {
                keys.pieces[piece][square] = random.next_u64();
                square += 1;
            }
            piece += 1;
        }
        let mut file = 0;
        while file < 8 {
            keys.castling[0][file] = random.next_u64();
            keys.castling[1][file] = random.next_u64();
            keys.en_passant[file] = random.next_u64();
            file += 1;
        }
        keys.black_to_move = random.next_u64();
        keys
    }
}

/// The number for `piece` standing on `square`.
#[inline]
pub fn piece(piece: Piece, square: Square) -> Key {
    KEYS.pieces[piece.index()][square.index()]
}

/// The number for the right of `color` to castle with its rook on `rook_file`.
#[inline]
pub fn castling(color: Color, rook_file: File) -> Key {
    KEYS.castling[color.index()][rook_file.index()]
}

/// The number for a possible en-passant capture on `file`.
#[inline]
pub fn en_passant(file: File) -> Key {
    KEYS.en_passant[file.index()]
}

/// The number for Black to move.
#[inline]
pub fn black_to_move() -> Key {
    KEYS.black_to_move
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_are_distinct_and_nonzero() {
        let mut all: Vec<Key> = KEYS.pieces.iter().flatten().copied().collect();
        all.extend(KEYS.castling.iter().flatten());
        all.extend(KEYS.en_passant);
        all.push(KEYS.black_to_move);
        assert_eq!(all.len(), 12 * 64 + 16 + 8 + 1);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 12 * 64 + 16 + 8 + 1);
        assert!(!all.contains(&0));
    }
}
