//! The oracle's own FEN parser and writer.

use super::{Board, EMPTY, letter, name, relative_rank};

impl Board {
    /// Parses a FEN of four to six fields, with castling rights as KQkq, X-FEN or Shredder-FEN; `None` if it is
    /// malformed. The position is not validated.
    pub(crate) fn from_fen(fen: &str) -> Option<Board> {
        let mut fields = fen.split_whitespace();
        let mut board = Board {
            squares: [EMPTY; 128],
            white_to_move: true,
            may_castle: [false; 128],
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        };
        let ranks: Vec<&str> = fields.next()?.split('/').collect();
        if ranks.len() != 8 {
            return None;
        }
        for (text, rank) in ranks.iter().zip((0..8).rev()) {
            let mut file = 0;
            for c in text.bytes() {
                match c {
                    b'1'..=b'8' => file += usize::from(c - b'0'),
                    _ if b"PNBRQKpnbrqk".contains(&c) && file < 8 => {
                        board.squares[16 * rank + file] = c;
                        file += 1;
                    }
                    _ => return None,
                }
            }
            if file != 8 {
                return None;
            }
        }
        board.white_to_move = match fields.next()? {
            "w" => true,
            "b" => false,
            _ => return None,
        };
        for c in fields.next()?.bytes().filter(|&c| c != b'-') {
            let rook = board.castling_rook(c)?;
            board.may_castle[rook] = true;
        }
        board.en_passant = match fields.next()?.as_bytes() {
            b"-" => None,
            &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Some(16 * usize::from(rank - b'1') + usize::from(file - b'a'))
            }
            _ => return None,
        };
        board.halfmove_clock = fields.next().unwrap_or("0").parse().ok()?;
        board.fullmove_number = fields.next().unwrap_or("1").parse().ok()?;
        Some(board)
    }

    /// Returns the square of the rook that a letter of the castling field stands for.
    fn castling_rook(&self, c: u8) -> Option<usize> {
        let white = c.is_ascii_uppercase();
        let first_rank = 16 * relative_rank(0, white);
        let is_rook = |&file: &usize| self.squares[first_rank + file] == letter(b'r', white);
        let king = self.squares.iter().position(|&piece| piece == letter(b'k', white))?;
        let king_file = king & 7;
        let file = match c.to_ascii_lowercase() {
            b'k' => (king_file + 1..8).rev().find(is_rook)?,
            b'q' => (0..king_file).find(is_rook)?,
            file @ b'a'..=b'h' => Some(usize::from(file - b'a')).filter(is_rook)?,
            _ => return None,
        };
        Some(first_rank + file)
    }

    /// Returns the position as Shredder-FEN. The en-passant square is written only if the capture is legal.
    pub(crate) fn fen(&self) -> String {
        let mut fen = String::new();
        for rank in (0..8).rev() {
            let pieces: String = (0..8).map(|file| self.squares[16 * rank + file] as char).collect();
            fen += &pieces;
            fen.push(if rank > 0 { '/' } else { ' ' });
        }
        for empty in (1..=8).rev() {
            fen = fen.replace(&".".repeat(empty), &empty.to_string());
        }
        fen.push(if self.white_to_move { 'w' } else { 'b' });
        fen.push(' ');
        let mut castling = String::new();
        for white in [true, false] {
            let first_rank = 16 * relative_rank(0, white);
            // Kingside first: that rook is on the higher file.
            for file in (0..8).rev().filter(|file| self.may_castle[first_rank + file]) {
                castling.push(letter(b'a' + file as u8, white) as char);
            }
        }
        fen += if castling.is_empty() { "-" } else { &castling };
        fen.push(' ');
        fen += &match self.en_passant {
            Some(square) if self.legal_moves().iter().any(|mv| mv.is_en_passant()) => name(square),
            _ => "-".to_string(),
        };
        format!("{fen} {} {}", self.halfmove_clock, self.fullmove_number)
    }
}
