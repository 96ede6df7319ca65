//! The oracle: all the rules of chess on a 0x88 board, slow and as simple as they can be written.
//!
//! It is there to disagree with the fast generator, so it shares nothing with it but text: it has
//! its own board, reads FEN by itself, writes moves in UCI coordinates, and finds legal moves by
//! playing each candidate and looking whether the king can be taken.
//!
//! On a 0x88 board a square is `16 * rank + file`, so that the board is the left half of a 16 x 8
//! table. A step that leaves the board at any edge sets a bit of `0x88`, and one test catches it.

mod fen;
mod moves;

pub(crate) use moves::{Kind, Move};

/// An empty square.
const EMPTY: u8 = b'.';

const ROOK_STEPS: [i32; 4] = [1, -1, 16, -16];
const BISHOP_STEPS: [i32; 4] = [15, -15, 17, -17];
const KING_STEPS: [i32; 8] = [1, -1, 15, -15, 16, -16, 17, -17];
const KNIGHT_STEPS: [i32; 8] = [14, -14, 18, -18, 31, -31, 33, -33];

/// A position. Pieces are their FEN letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    squares: [u8; 128],
    white_to_move: bool,
    /// Does this rook still have the right to castle with its king?
    may_castle: [bool; 128],
    /// The square behind a pawn that has just moved two squares, whether it can be taken or not.
    en_passant: Option<usize>,
    halfmove_clock: u32,
    fullmove_number: u32,
}

/// The square one step further, if it is on the board.
fn step(square: usize, offset: i32) -> Option<usize> {
    let target = square as i32 + offset;
    (target & 0x88 == 0).then_some(target as usize)
}

/// `e4` for `0x34`.
fn name(square: usize) -> String {
    format!("{}{}", (b'a' + (square & 7) as u8) as char, (square >> 4) + 1)
}

/// A piece letter in the case of its colour.
fn letter(lower: u8, white: bool) -> u8 {
    if white { lower.to_ascii_uppercase() } else { lower }
}

/// The direction of this colour's pawns.
fn forward(white: bool) -> i32 {
    if white { 16 } else { -16 }
}

/// The rank (0 to 7) that this colour counts as `rank`.
fn relative_rank(rank: usize, white: bool) -> usize {
    if white { rank } else { 7 - rank }
}

impl Board {
    fn has_piece_of(&self, white: bool, square: usize) -> bool {
        let piece = self.squares[square];
        piece != EMPTY && piece.is_ascii_uppercase() == white
    }

    fn king(&self, white: bool) -> usize {
        let king = letter(b'k', white);
        self.squares.iter().position(|&piece| piece == king).expect("each side has a king")
    }

    /// The first piece from `square` in a direction, or `EMPTY` at the edge.
    fn first_piece(&self, square: usize, offset: i32) -> u8 {
        let mut at = square;
        while let Some(next) = step(at, offset) {
            if self.squares[next] != EMPTY {
                return self.squares[next];
            }
            at = next;
        }
        EMPTY
    }

    /// Does a piece of this colour attack the square?
    pub(crate) fn is_attacked(&self, square: usize, by_white: bool) -> bool {
        let is = |piece: u8, lower: u8| piece == letter(lower, by_white);
        let next = |offset: i32| step(square, offset).map_or(EMPTY, |target| self.squares[target]);
        // A pawn attacks forwards, so it stands behind the square it attacks.
        let behind = -forward(by_white);
        is(next(behind + 1), b'p')
            || is(next(behind - 1), b'p')
            || KNIGHT_STEPS.iter().any(|&offset| is(next(offset), b'n'))
            || KING_STEPS.iter().any(|&offset| is(next(offset), b'k'))
            || ROOK_STEPS.iter().any(|&offset| {
                let piece = self.first_piece(square, offset);
                is(piece, b'r') || is(piece, b'q')
            })
            || BISHOP_STEPS.iter().any(|&offset| {
                let piece = self.first_piece(square, offset);
                is(piece, b'b') || is(piece, b'q')
            })
    }

    fn king_is_attacked(&self, white: bool) -> bool {
        self.is_attacked(self.king(white), !white)
    }

    /// Is the side to move in check?
    pub(crate) fn in_check(&self) -> bool {
        self.king_is_attacked(self.white_to_move)
    }

    /// The number of lines of play of `depth` moves each.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.legal_moves().iter().map(|mv| self.play(mv).perft(depth - 1)).sum(),
        }
    }
}
