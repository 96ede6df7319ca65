//! A cuckoo hash table of reversible moves, indexed by their Zobrist key difference. It shows whether a single
//! move leads from one position to another, given their keys.
//!
//! Each move is in one of two slots, so a look-up reads at most two. Source: van Kervinck, *The design and
//! implementation of the Rookie 2.0 chess playing program*, 2002.

use std::sync::LazyLock;
use tabiya_core::{Bitboard, Color, Key, Piece, PieceType, zobrist};
use tabiya_movegen::attacks;

/// The number of slots: a power of two, and more than twice the number of moves (3,668).
const SLOTS: usize = 8192;

/// All piece moves on an empty board, one entry for both directions.
static MOVES: LazyLock<Box<[ReversibleMove]>> = LazyLock::new(build);

#[derive(Clone, Copy)]
struct ReversibleMove {
    /// The XOR of the keys before and after the move; 0 in an empty slot.
    key: Key,
    /// The squares that must be empty.
    between: Bitboard,
}

/// The two slots in which a move may be.
fn slots(key: Key) -> [usize; 2] {
    [key as usize % SLOTS, (key >> 16) as usize % SLOTS]
}

fn build() -> Box<[ReversibleMove]> {
    let mut table: Box<[ReversibleMove]> =
        vec![ReversibleMove { key: 0, between: Bitboard::EMPTY }; SLOTS].into();
    let pieces = [Color::White, Color::Black].into_iter().flat_map(|color| {
        [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen, PieceType::King]
            .map(|piece_type| Piece::new(color, piece_type))
    });
    for piece in pieces {
        for from in Bitboard::FULL {
            let targets = attacks::piece_attacks(piece, from, Bitboard::EMPTY);
            for to in targets.into_iter().filter(|to| to.index() > from.index()) {
                let key = zobrist::piece(piece, from) ^ zobrist::piece(piece, to) ^ zobrist::black_to_move();
                insert(&mut table, ReversibleMove { key, between: attacks::between(from, to) });
            }
        }
    }
    table
}

fn insert(table: &mut [ReversibleMove], mut entry: ReversibleMove) {
    let mut slot = slots(entry.key)[0];
    loop {
        std::mem::swap(&mut table[slot], &mut entry);
        if entry.key == 0 {
            return;
        }
        // The displaced entry moves to its other slot.
        let [first, second] = slots(entry.key);
        slot = if slot == first { second } else { first };
    }
}

/// Returns true if a move of either side leads from one position to another whose keys differ by
/// `difference`, with no piece on the squares between.
#[inline]
pub(super) fn is_one_move_apart(difference: Key, occupied: Bitboard) -> bool {
    slots(difference).into_iter().any(|slot| {
        let entry = &MOVES[slot];
        entry.key == difference && entry.between.is_disjoint(occupied)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::Square;
    use tabiya_movegen::Position;

    #[test]
    fn table_holds_every_move() {
        assert_eq!(MOVES.iter().filter(|entry| entry.key != 0).count(), 3668);
    }

    #[test]
    fn finds_reversible_moves_only() {
        let start: Position = "4k3/8/8/8/8/8/4P3/R3K2N w - - 0 1".parse().expect("a legal position");
        for (text, expected) in
            [("a1a8", true), ("h1g3", true), ("e1d2", true), ("e2e4", false), ("e2e3", false)]
        {
            let after = start.play(start.parse_uci(text).expect("legal")).expect("legal");
            assert_eq!(is_one_move_apart(start.key() ^ after.key(), after.occupied()), expected, "{text}");
        }
        let after = start.play(start.parse_uci("a1a8").expect("legal")).expect("legal");
        let blocked = after.occupied() | Square::A4.bitboard();
        assert!(!is_one_move_apart(start.key() ^ after.key(), blocked));
        assert!(!is_one_move_apart(start.key(), after.occupied()));
    }
}
