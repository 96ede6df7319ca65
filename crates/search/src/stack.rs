//! The search stack: the state that the nodes of the current line share, by ply.

use std::ops::{Index, IndexMut};
use tabiya_core::{Board, BoardObserver, Key, MAX_PLY, Move, Piece, PieceType, Square, Value, zobrist};

/// The number of entries before the root, so that looking back needs no check for the root.
const BEFORE_ROOT: usize = 6;
/// The number of entries after the last ply.
const AFTER_LAST: usize = 3;

/// A moved piece and its target square as an index into the continuation histories.
pub(crate) type PieceTo = u16;
/// The number of piece-square pairs.
pub(crate) const PIECE_TO_COUNT: usize = Piece::COUNT * Square::COUNT;
/// The index for "no move": before the root and after a null move.
pub(crate) const NO_PIECE_TO: PieceTo = PIECE_TO_COUNT as PieceTo;

/// Returns the index of a move by this piece.
#[inline]
pub(crate) fn piece_to(piece: Piece, mv: Move) -> PieceTo {
    (piece.index() * Square::COUNT + mv.to().index()) as PieceTo
}

/// Zobrist keys of parts of the position, by which the correction history is indexed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct CorrectionKeys {
    /// The key of knights, bishops and kings.
    pub(crate) minor: Key,
    /// The keys of each side's pieces without its pawns.
    pub(crate) pieces: [Key; 2],
}

impl CorrectionKeys {
    pub(crate) fn of(board: &Board) -> CorrectionKeys {
        let mut keys = CorrectionKeys::default();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                keys.put(piece, square);
            }
        }
        keys
    }
}

impl BoardObserver for CorrectionKeys {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        if piece.piece_type() == PieceType::Pawn {
            return;
        }
        let key = zobrist::piece(piece, square);
        self.pieces[piece.color().index()] ^= key;
        if matches!(piece.piece_type(), PieceType::Knight | PieceType::Bishop | PieceType::King) {
            self.minor ^= key;
        }
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.put(piece, square);
    }
}

/// The state of one ply of the current line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackEntry {
    /// The corrected static evaluation; `None` in check.
    pub(crate) static_eval: Option<Value>,
    /// Piece and target square of the move that is being searched from here; [`NO_PIECE_TO`] for a null move.
    pub(crate) moved: PieceTo,
    /// True if that move is neither a capture nor a promotion.
    pub(crate) moved_quiet: bool,
    /// The move that a singular search of this node excludes.
    pub(crate) excluded: Option<Move>,
    /// The number of double and triple extensions on the line up to here.
    pub(crate) double_extensions: i32,
    /// The killer move: the last quiet move that caused a cutoff at this ply since the grandparent was
    /// entered. Sibling nodes differ by one move of the opponent, which rarely affects the refutation.
    /// Source: Akl and Newborn, *The Principal Continuation and the Killer Heuristic*, 1977.
    pub(crate) killer: Option<Move>,
    /// The number of nodes at this ply that cut off since their grandparent was entered. At ply 1 it is
    /// counted from the start of the search: resetting it in each iteration solved 9 fewer of 300 tactical
    /// positions.
    pub(crate) cutoffs: u32,
    pub(crate) keys: CorrectionKeys,
    /// The reduction of the move that is being searched from here with reduced depth, in plies; 0 in any other search.
    pub(crate) reduction: i32,
}

impl StackEntry {
    const EMPTY: StackEntry = StackEntry {
        static_eval: None,
        moved: NO_PIECE_TO,
        moved_quiet: false,
        excluded: None,
        double_extensions: 0,
        killer: None,
        cutoffs: 0,
        keys: CorrectionKeys { minor: 0, pieces: [0; 2] },
        reduction: 0,
    };
}

/// One [`StackEntry`] per ply, indexed by ply.
#[derive(Debug)]
pub(crate) struct Stack {
    entries: Box<[StackEntry]>,
    /// The highest ply that has been entered since the last reset. A node changes its own entry and the next two.
    max_ply: usize,
}

impl Stack {
    pub(crate) fn new() -> Stack {
        let entries = vec![StackEntry::EMPTY; BEFORE_ROOT + MAX_PLY as usize + AFTER_LAST].into();
        Stack { entries, max_ply: 0 }
    }

    /// Clears the stack for a search of this root.
    pub(crate) fn reset(&mut self, root: &Board) {
        // Short searches would spend a noticeable time on the whole stack.
        let changed = (BEFORE_ROOT + self.max_ply + AFTER_LAST).min(self.entries.len());
        self.entries[..changed].fill(StackEntry::EMPTY);
        self.max_ply = 0;
        self[0].keys = CorrectionKeys::of(root);
    }

    /// Sets the keys of the position after a move or null move, at `ply`.
    #[inline]
    pub(crate) fn enter(&mut self, ply: usize, keys: CorrectionKeys) {
        self.max_ply = self.max_ply.max(ply);
        self[ply].keys = keys;
    }

    /// Initialises the entries of a node's children and grandchildren.
    #[inline]
    pub(crate) fn begin_node(&mut self, ply: usize) {
        self[ply + 1].double_extensions = self[ply].double_extensions;
        self[ply + 2].cutoffs = 0;
        self[ply + 2].killer = None;
    }

    /// Returns the entry `back` plies (at most 6) before `ply`; an empty one before the root.
    #[inline]
    pub(crate) fn before(&self, ply: usize, back: usize) -> &StackEntry {
        &self.entries[ply + BEFORE_ROOT - back]
    }
}

impl Index<usize> for Stack {
    type Output = StackEntry;

    #[inline]
    fn index(&self, ply: usize) -> &StackEntry {
        &self.entries[ply + BEFORE_ROOT]
    }
}

impl IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.entries[ply + BEFORE_ROOT]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_movegen::Position;

    #[test]
    fn incremental_keys_equal_keys_from_scratch() {
        let mut position = Position::startpos();
        let mut keys = CorrectionKeys::of(position.board());
        for text in ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5d8", "g1f3", "g8f6", "f1c4", "e7e6", "e1g1"] {
            let mv = position.parse_uci(text).expect("a legal move");
            position.play_observed(mv, &mut keys);
            assert_eq!(keys, CorrectionKeys::of(position.board()), "after {text}");
        }
    }

    #[test]
    fn entries_before_the_root_are_empty() {
        let mut stack = Stack::new();
        stack.reset(Position::startpos().board());
        stack[0].moved = 5;
        assert_eq!((stack.before(1, 1).moved, stack.before(0, 6).moved), (5, NO_PIECE_TO));
        stack.reset(Position::startpos().board());
        assert_eq!(stack[0].moved, NO_PIECE_TO);
    }
}
