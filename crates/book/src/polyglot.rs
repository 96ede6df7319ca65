//! The Polyglot book format: big-endian entries of 16 bytes, sorted by position key.

use crate::book_move::BookMove;
use crate::error::BookError;
use crate::random::RANDOM;
use std::cmp::Reverse;
use tabiya_core::{Board, CastlingSide, Color, Move, PieceType, Square};
use tabiya_movegen::Position;

/// The size of an entry in bytes: key (8), move (2), weight (2) and learning data (4).
const ENTRY: usize = 16;

/// Promotion piece types, indexed by their code in a move.
const PROMOTIONS: [Option<PieceType>; 5] =
    [None, Some(PieceType::Knight), Some(PieceType::Bishop), Some(PieceType::Rook), Some(PieceType::Queen)];

/// A Polyglot book in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PolyglotBook {
    entries: Vec<PolyglotEntry>,
}

/// A position and a reply, as in a Polyglot file.
///
/// The entries of a book can be listed ([`PolyglotBook::entries`]) and collected into one, with weights of any kind:
///
/// ```
/// use tabiya_book::{PolyglotBook, PolyglotEntry};
/// use tabiya_movegen::Position;
///
/// let start = Position::startpos();
/// let entry = |san: &str, weight| start.parse_san(san).map(|mv| PolyglotEntry::new(&start, mv, weight));
/// let book: PolyglotBook = [entry("e4", 3)?, entry("d4", 7)?].into_iter().collect();
/// let other: PolyglotBook = [entry("e4", 5)?].into_iter().collect();
///
/// let merged: PolyglotBook = book.entries().iter().chain(other.entries()).copied().collect();
/// let weights: Vec<u16> = merged.entries().iter().map(|entry| entry.weight).collect();
/// assert_eq!(weights, [8, 7]);
/// let file: Vec<u8> = merged.to_bytes();
/// assert_eq!(PolyglotBook::from_bytes(&file)?, merged);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PolyglotEntry {
    /// The position: its [`polyglot_key`].
    pub key: u64,
    /// The reply: its [`polyglot_move`].
    pub mv: u16,
    /// The relative frequency of the reply; 0 means never.
    pub weight: u16,
}

impl PolyglotEntry {
    /// Returns the entry of a reply. The position should have standard castling rights; [`PolyglotBook::moves`] finds no others.
    pub fn new(position: &Position, mv: Move, weight: u16) -> PolyglotEntry {
        PolyglotEntry { key: polyglot_key(position), mv: polyglot_move(mv), weight }
    }

    fn read(bytes: &[u8; ENTRY]) -> PolyglotEntry {
        let [a, b, c, d, e, f, g, h, mv_high, mv_low, weight_high, weight_low, ..] = *bytes;
        PolyglotEntry {
            key: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
            mv: u16::from_be_bytes([mv_high, mv_low]),
            weight: u16::from_be_bytes([weight_high, weight_low]),
        }
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.key.to_be_bytes());
        out.extend(self.mv.to_be_bytes());
        out.extend(self.weight.to_be_bytes());
        out.extend([0; 4]);
    }
}

impl PolyglotBook {
    /// Parses the contents of a book file.
    ///
    /// # Errors
    /// If the length is not a multiple of 16 bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<PolyglotBook, BookError> {
        let (entries, rest) = bytes.as_chunks::<ENTRY>();
        if !rest.is_empty() {
            return Err(BookError::Length { bytes: bytes.len() });
        }
        let mut entries: Vec<PolyglotEntry> = entries.iter().map(PolyglotEntry::read).collect();
        // The format requires sorted entries, but files merged by hand may be unsorted.
        if !entries.is_sorted_by_key(|entry| entry.key) {
            entries.sort_by_key(|entry| entry.key);
        }
        Ok(PolyglotBook { entries })
    }

    /// Returns the contents of a book file: the entries in the order of their keys, without learning data.
    ///
    /// ```
    /// use tabiya_book::PolyglotBook;
    ///
    /// // 1. e4 with weight 7, and learning data, which is not kept.
    /// let file = [0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x03, 0x1c, 0, 7, 0, 0, 0, 1];
    /// let book = PolyglotBook::from_bytes(&file)?;
    /// assert_eq!(book.to_bytes()[..12], file[..12]);
    /// assert_eq!(book.to_bytes()[12..], [0; 4]);
    /// # Ok::<(), tabiya_book::BookError>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(ENTRY * self.entries.len());
        self.entries.iter().for_each(|entry| entry.write(&mut bytes));
        bytes
    }

    /// The entries, in the order of their keys.
    pub fn entries(&self) -> &[PolyglotEntry] {
        &self.entries
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if the book has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the legal replies to a position, in file order. Illegal moves, from key collisions, are skipped. There are none for
    /// castling rights that are not those of standard chess, because Polyglot keys do not tell them apart. The replies after a double push
    /// that only a pinned pawn could capture are not found, because of what [`polyglot_key`] says about such a [`Position`].
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        if !position.has_standard_castling() {
            return Vec::new();
        }
        let key = polyglot_key(position);
        let first = self.entries.partition_point(|entry| entry.key < key);
        self.entries[first..]
            .iter()
            .take_while(|entry| entry.key == key)
            .filter_map(|entry| {
                Some(BookMove { mv: resolve(position, entry.mv)?, weight: entry.weight.into() })
            })
            .collect()
    }
}

/// Sorts the entries: by key, then the highest weight first. The weights of entries for the same reply are added, up to 65,535.
impl FromIterator<PolyglotEntry> for PolyglotBook {
    fn from_iter<T: IntoIterator<Item = PolyglotEntry>>(entries: T) -> PolyglotBook {
        let mut entries: Vec<PolyglotEntry> = entries.into_iter().collect();
        entries.sort_unstable_by_key(|entry| (entry.key, entry.mv));
        entries.dedup_by(|next, kept| {
            let is_same = (next.key, next.mv) == (kept.key, kept.mv);
            if is_same {
                kept.weight = kept.weight.saturating_add(next.weight);
            }
            is_same
        });
        entries.sort_unstable_by_key(|entry| (entry.key, Reverse(entry.weight), entry.mv));
        PolyglotBook { entries }
    }
}

/// Returns the Polyglot key of a position.
///
/// The format hashes the en-passant file if a pawn stands beside the one that moved, even if a pin forbids the capture. A
/// [`Position`] keeps the square only if the capture is legal; a [`Board`] read from a FEN keeps it in either case.
///
/// ```
/// use tabiya_core::Board;
/// use tabiya_book::polyglot_key;
///
/// assert_eq!(polyglot_key(&Board::startpos()), 0x463b_9618_1691_fc9c);
/// ```
pub fn polyglot_key(board: &Board) -> u64 {
    const CASTLING: usize = 768;
    const EN_PASSANT: usize = 772;
    const WHITE_TO_MOVE: usize = 780;
    let mut key = 0;
    for color in Color::ALL {
        for piece_type in PieceType::ALL {
            let piece_index = 2 * piece_type.index() + usize::from(color == Color::White);
            for square in board.pieces(color, piece_type) {
                key ^= RANDOM[64 * piece_index + square.index()];
            }
        }
        for side in CastlingSide::ALL {
            if board.castling().rook_file(color, side).is_some() {
                key ^= RANDOM[CASTLING + 2 * color.index() + side.index()];
            }
        }
    }
    if let Some(square) = board.en_passant() {
        key ^= RANDOM[EN_PASSANT + square.file().index()];
    }
    if board.side_to_move() == Color::White {
        key ^= RANDOM[WHITE_TO_MOVE];
    }
    key
}

/// Encodes a move as in Polyglot books.
///
/// From bit 0: target square (6 bits), origin square (6), promotion (3; 1 is a knight, 4 a queen). Castling is the king's move
/// to its own rook's square.
pub fn polyglot_move(mv: Move) -> u16 {
    let promotion = PROMOTIONS.iter().position(|&piece| piece == mv.promotion()).unwrap_or(0);
    (mv.to().index() | mv.from().index() << 6 | promotion << 12) as u16
}

/// Finds the legal move with an encoding. Castling as a king move of two squares, which some programs write, is accepted.
fn resolve(position: &Position, bits: u16) -> Option<Move> {
    let square = |shift: u16| Square::wrapping((bits >> shift & 63) as u8);
    let (to, from) = (square(0), square(6));
    let promotion = *PROMOTIONS.get(usize::from(bits >> 12 & 7))?;
    let moves = position.legal_moves();
    let moves_from = || moves.iter().copied().filter(|mv| mv.from() == from);
    moves_from()
        .find(|mv| mv.to() == to && mv.promotion() == promotion)
        .or_else(|| moves_from().find(|mv| mv.is_castle() && mv.destination() == to))
}
