//! Which reversible move leads from one position to another, told by their keys alone.

use std::sync::LazyLock;
use tabiya_core::{Bitboard, Color, Key, Piece, PieceType, zobrist};
use tabiya_movegen::attacks;

/// How many places the table has: more than twice as many as there are moves. A power of two.
const PLACES: usize = 8192;

/// Every move of a piece from one square to another on an empty board, there or back, under the key by which
/// it changes a position.
///
/// A cuckoo hash table: a move stands at one of two places, so that looking for it costs two
/// look-ups at most. (Marcel van Kervinck, *The design and implementation of the Rookie 2.0 chess
/// playing program*, 2002, found cycles so.)
static REVERSALS: LazyLock<Box<[Reversal]>> = LazyLock::new(fill);

#[derive(Clone, Copy)]
struct Reversal {
    key: Key,
    between: Bitboard,
}

fn places(key: Key) -> [usize; 2] {
    [key as usize % PLACES, (key >> 16) as usize % PLACES]
}

fn fill() -> Box<[Reversal]> {
    let mut table: Box<[Reversal]> = vec![Reversal { key: 0, between: Bitboard::EMPTY }; PLACES].into();
    let pieces = [Color::White, Color::Black].into_iter().flat_map(|color| {
        [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen, PieceType::King]
            .map(|piece_type| Piece::new(color, piece_type))
    });
    for piece in pieces {
        for from in Bitboard::FULL {
            let targets = attacks::piece_attacks(piece, from, Bitboard::EMPTY);
            for to in targets.into_iter().filter(|to| to.index() > from.index()) {
                let key = zobrist::piece(piece, from) ^ zobrist::piece(piece, to) ^ zobrist::black_to_move();
                insert(&mut table, Reversal { key, between: attacks::between(from, to) });
            }
        }
    }
    table
}

fn insert(table: &mut [Reversal], mut reversal: Reversal) {
    let mut place = places(reversal.key)[0];
    loop {
        std::mem::swap(&mut table[place], &mut reversal);
        if reversal.key == 0 {
            return;
        }
        // Whoever was there goes to his other place.
        let [first, second] = places(reversal.key);
        place = if place == first { second } else { first };
    }
}

/// Is there a move, of either side, that makes one of two positions of the other, by what their keys
/// differ in; and is nothing in its way?
#[inline]
pub(super) fn connects(difference: Key, occupied: Bitboard) -> bool {
    places(difference).into_iter().any(|place| {
        let reversal = &REVERSALS[place];
        reversal.key == difference && reversal.between.is_disjoint(occupied)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::Square;
    use tabiya_movegen::Position;

    #[test]
    fn the_table_holds_every_move() {
        assert_eq!(REVERSALS.iter().filter(|reversal| reversal.key != 0).count(), 3668);
    }

    #[test]
    fn moves_are_told_from_keys() {
        let start: Position = "4k3/8/8/8/8/8/4P3/R3K2N w - - 0 1".parse().expect("a legal position");
        for (text, expected) in
            [("a1a8", true), ("h1g3", true), ("e1d2", true), ("e2e4", false), ("e2e3", false)]
        {
            let after = start.play(start.parse_uci(text).expect("legal")).expect("legal");
            assert_eq!(connects(start.key() ^ after.key(), after.occupied()), expected, "{text}");
        }
        let after = start.play(start.parse_uci("a1a8").expect("legal")).expect("legal");
        let in_the_way = after.occupied() | Square::A4.bitboard();
        assert!(!connects(start.key() ^ after.key(), in_the_way));
        assert!(!connects(start.key(), after.occupied()));
    }
}
