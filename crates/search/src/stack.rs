//! What the nodes of the current line know of each other.

use std::ops::{Index, IndexMut};
use tabiya_core::{Board, BoardObserver, Key, MAX_PLY, Move, Piece, PieceType, Square, Value, zobrist};

/// How far a node looks back before the root.
const BEFORE_ROOT: usize = 6;
/// How far a node looks ahead.
const BEHIND_LAST: usize = 3;

/// A piece and the square it went to, as an index: what a continuation follows on. The last one stands for
/// "no move", where the line is too short or a null move was made.
pub(crate) type PieceTo = u16;
/// How many [`PieceTo`] there are, "no move" left out.
pub(crate) const PIECE_TO_COUNT: usize = Piece::COUNT * Square::COUNT;
/// No move.
pub(crate) const NO_PIECE_TO: PieceTo = PIECE_TO_COUNT as PieceTo;

/// The index of a move by a piece.
#[inline]
pub(crate) fn piece_to(piece: Piece, mv: Move) -> PieceTo {
    (piece.index() * Square::COUNT + mv.to().index()) as PieceTo
}

/// Keys of parts of the position: what the correction of the evaluation is learnt by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PartKeys {
    /// Knights, bishops and kings.
    pub(crate) minor: Key,
    /// Each side's pieces without its pawns.
    pub(crate) pieces: [Key; 2],
}

impl PartKeys {
    pub(crate) fn of(board: &Board) -> PartKeys {
        let mut keys = PartKeys::default();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                keys.put(piece, square);
            }
        }
        keys
    }
}

impl BoardObserver for PartKeys {
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

/// What is known at one ply of the line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The evaluation, corrected; none in check.
    pub(crate) static_eval: Option<Value>,
    /// The move that is being searched from here.
    pub(crate) moved: PieceTo,
    /// Is that move neither capture nor promotion?
    pub(crate) moved_quiet: bool,
    /// The move that is left out here, to see what the others are worth.
    pub(crate) excluded: Option<Move>,
    /// How often moves of this line up to here were extended by more than a ply.
    pub(crate) double_extensions: i32,
    /// The quiet move that caused a cut-off at this ply last, since the grandparent was entered: siblings
    /// differ by one move of the opponent's, and mostly one that the refutation does not mind. After Selim
    /// Akl and Monroe Newborn, *The Principal Continuation and the Killer Heuristic* (1977).
    pub(crate) killer: Option<Move>,
    /// How many nodes at this ply cut off since their grandparent was entered; at the first ply, since the
    /// search began (to count them anew in each iteration solves nine fewer of 300 tactical positions).
    pub(crate) cutoffs: u32,
    pub(crate) keys: PartKeys,
}

impl Frame {
    const EMPTY: Frame = Frame {
        static_eval: None,
        moved: NO_PIECE_TO,
        moved_quiet: false,
        excluded: None,
        double_extensions: 0,
        killer: None,
        cutoffs: 0,
        keys: PartKeys { minor: 0, pieces: [0; 2] },
    };
}

/// One [`Frame`] for each ply of the line, from some plies before the root on.
#[derive(Debug)]
pub(crate) struct Stack {
    frames: Box<[Frame]>,
}

impl Stack {
    pub(crate) fn new() -> Stack {
        Stack { frames: vec![Frame::EMPTY; BEFORE_ROOT + MAX_PLY as usize + BEHIND_LAST].into() }
    }

    /// Starts a new line.
    pub(crate) fn reset(&mut self, root: &Board) {
        self.frames.fill(Frame::EMPTY);
        self[0].keys = PartKeys::of(root);
    }

    /// A node at this ply begins: clears what its children and theirs are to begin with.
    #[inline]
    pub(crate) fn begin_node(&mut self, ply: usize) {
        self[ply + 1].excluded = None;
        self[ply + 1].double_extensions = self[ply].double_extensions;
        self[ply + 2].cutoffs = 0;
        self[ply + 2].killer = None;
    }

    /// The frame `back` plies, at most 6, before `ply`; an empty one before the root.
    #[inline]
    pub(crate) fn before(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + BEFORE_ROOT - back]
    }
}

impl Index<usize> for Stack {
    type Output = Frame;

    #[inline]
    fn index(&self, ply: usize) -> &Frame {
        &self.frames[ply + BEFORE_ROOT]
    }
}

impl IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE_ROOT]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_movegen::Position;

    #[test]
    fn part_keys_follow_the_moves() {
        let mut position = Position::startpos();
        let mut keys = PartKeys::of(position.board());
        for text in ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5d8", "g1f3", "g8f6", "f1c4", "e7e6", "e1g1"] {
            let mv = position.parse_uci(text).expect("a legal move");
            position.play_observed(mv, &mut keys);
            assert_eq!(keys, PartKeys::of(position.board()), "after {text}");
        }
    }

    #[test]
    fn a_line_begins_before_the_root() {
        let mut stack = Stack::new();
        stack.reset(Position::startpos().board());
        stack[0].moved = 5;
        assert_eq!((stack.before(1, 1).moved, stack.before(0, 6).moved), (5, NO_PIECE_TO));
        stack.reset(Position::startpos().board());
        assert_eq!(stack[0].moved, NO_PIECE_TO);
    }
}
