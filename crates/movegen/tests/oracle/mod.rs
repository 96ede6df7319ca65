//! The oracle: an independent reference implementation of the rules of chess on a 0x88 board, slow and simple.
//!
//! It shares no code with the move generator that it checks, only text: it has its own board and FEN parser, writes
//! moves in UCI notation, and finds legal moves by playing each pseudo-legal move and testing for check.
//!
//! On a 0x88 board a square is `16 * rank + file`, so the board is the left half of a 16 x 8 table. A step across any
//! edge sets a bit of `0x88`, so one test detects it.

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
    /// For each square, true if a rook with castling rights stands there.
    may_castle: [bool; 128],
    /// The square behind a pawn that has just made a double push, even if it cannot be captured.
    en_passant: Option<usize>,
    halfmove_clock: u32,
    fullmove_number: u32,
}

/// Returns the square at an offset; `None` if it is off the board.
fn step(square: usize, offset: i32) -> Option<usize> {
    let target = square as i32 + offset;
    (target & 0x88 == 0).then_some(target as usize)
}

/// Returns the name of a square: `e4` for `0x34`.
fn name(square: usize) -> String {
    format!("{}{}", (b'a' + (square & 7) as u8) as char, (square >> 4) + 1)
}

/// Returns a piece letter in the case of its colour.
fn letter(lower: u8, white: bool) -> u8 {
    if white { lower.to_ascii_uppercase() } else { lower }
}

/// Returns the offset of a pawn push.
fn forward(white: bool) -> i32 {
    if white { 16 } else { -16 }
}

/// Returns a rank (0 to 7) from this colour's point of view.
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

    /// Returns the first piece from `square` in a direction, or `EMPTY` if there is none.
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

    /// Returns true if a piece of this colour attacks the square.
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

    /// Returns true if the side to move is in check.
    pub(crate) fn in_check(&self) -> bool {
        self.king_is_attacked(self.white_to_move)
    }

    /// Returns the number of leaves of the game tree at `depth` plies.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.legal_moves().iter().map(|mv| self.play(mv).perft(depth - 1)).sum(),
        }
    }
}
