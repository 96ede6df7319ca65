//! The oracle's move generator: pseudo-legal moves, minus those that leave the king in check.

use super::{
    BISHOP_STEPS, Board, EMPTY, KING_STEPS, KNIGHT_STEPS, ROOK_STEPS, forward, letter, name, relative_rank,
    step,
};

/// The kind of a move, without its promotion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    Quiet,
    DoublePush,
    Capture,
    EnPassant,
    /// The king goes to the g-file.
    ShortCastling,
    /// The king goes to the c-file.
    LongCastling,
}

/// A move. Castling goes from the king's square to the rook's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    from: usize,
    to: usize,
    kind: Kind,
    promotion: Option<u8>,
}

impl Move {
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the lower-case letter of the promotion piece.
    pub(crate) fn promotion(&self) -> Option<char> {
        self.promotion.map(char::from)
    }

    pub(crate) fn is_en_passant(&self) -> bool {
        self.kind == Kind::EnPassant
    }

    /// Returns true for captures and promotions.
    pub(crate) fn is_tactical(&self) -> bool {
        matches!(self.kind, Kind::Capture | Kind::EnPassant) || self.promotion.is_some()
    }

    /// Returns the UCI move with castling as "king takes own rook", as in Chess960.
    pub(crate) fn uci(&self) -> String {
        let promotion = self.promotion.map_or(String::new(), |piece| (piece as char).to_string());
        format!("{}{}{promotion}", name(self.from), name(self.to))
    }

    /// Returns the UCI move with castling as a king move, as in standard chess.
    pub(crate) fn standard_uci(&self) -> String {
        match self.castling_targets() {
            Some((king_to, _)) => format!("{}{}", name(self.from), name(king_to)),
            None => self.uci(),
        }
    }

    /// Returns the target squares of king and rook if the move is castling.
    fn castling_targets(&self) -> Option<(usize, usize)> {
        let rank = self.from & 0x70;
        match self.kind {
            Kind::ShortCastling => Some((rank + 6, rank + 5)),
            Kind::LongCastling => Some((rank + 2, rank + 3)),
            _ => None,
        }
    }
}

impl Board {
    /// Returns every legal move, in unspecified order.
    pub(crate) fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in (0..128).filter(|square| square & 0x88 == 0) {
            if self.has_piece_of(self.white_to_move, from) {
                match self.squares[from].to_ascii_lowercase() {
                    b'p' => self.pawn_moves(from, &mut moves),
                    b'n' => self.steps(from, &KNIGHT_STEPS, 1, &mut moves),
                    b'b' => self.steps(from, &BISHOP_STEPS, 7, &mut moves),
                    b'r' => self.steps(from, &ROOK_STEPS, 7, &mut moves),
                    b'q' => self.steps(from, &KING_STEPS, 7, &mut moves),
                    _ => {
                        self.steps(from, &KING_STEPS, 1, &mut moves);
                        self.castling_moves(from, &mut moves);
                    }
                }
            }
        }
        moves.retain(|mv| !self.play(mv).king_is_attacked(self.white_to_move));
        moves
    }

    /// Adds the moves in each direction of at most `reach` steps, up to the first piece.
    fn steps(&self, from: usize, directions: &[i32], reach: u32, moves: &mut Vec<Move>) {
        for &direction in directions {
            let mut at = from;
            for _ in 0..reach {
                let Some(to) = step(at, direction) else { break };
                if self.squares[to] == EMPTY {
                    moves.push(Move { from, to, kind: Kind::Quiet, promotion: None });
                } else {
                    if self.has_piece_of(!self.white_to_move, to) {
                        moves.push(Move { from, to, kind: Kind::Capture, promotion: None });
                    }
                    break;
                }
                at = to;
            }
        }
    }

    fn pawn_moves(&self, from: usize, moves: &mut Vec<Move>) {
        let us = self.white_to_move;
        let mut push = |to: usize, kind: Kind| {
            if to >> 4 == relative_rank(7, us) {
                let pieces = b"nbrq".iter();
                moves.extend(pieces.map(|&piece| Move { from, to, kind, promotion: Some(piece) }));
            } else {
                moves.push(Move { from, to, kind, promotion: None });
            }
        };
        let is_empty = |square: &usize| self.squares[*square] == EMPTY;
        if let Some(one) = step(from, forward(us)).filter(is_empty) {
            push(one, Kind::Quiet);
            if from >> 4 == relative_rank(1, us)
                && let Some(two) = step(one, forward(us)).filter(is_empty)
            {
                push(two, Kind::DoublePush);
            }
        }
        for sideways in [-1, 1] {
            let Some(to) = step(from, forward(us) + sideways) else { continue };
            if self.has_piece_of(!us, to) {
                push(to, Kind::Capture);
            } else if self.en_passant == Some(to) && to >> 4 == relative_rank(5, us) {
                push(to, Kind::EnPassant);
            }
        }
    }

    /// Adds the castling moves with castling rights, unobstructed paths, and no attacked square on the king's path.
    fn castling_moves(&self, king: usize, moves: &mut Vec<Move>) {
        let first_rank = 16 * relative_rank(0, self.white_to_move);
        for rook in (first_rank..first_rank + 8).filter(|&square| self.may_castle[square]) {
            let kind = if rook > king { Kind::ShortCastling } else { Kind::LongCastling };
            let mv = Move { from: king, to: rook, kind, promotion: None };
            let Some((king_to, rook_to)) = mv.castling_targets() else { continue };
            let path = |a: usize, b: usize| a.min(b)..=a.max(b);
            let in_the_way =
                |square: usize| self.squares[square] != EMPTY && square != king && square != rook;
            let blocked = path(king, king_to).any(in_the_way) || path(rook, rook_to).any(in_the_way);
            let attacked = path(king, king_to).any(|square| self.is_attacked(square, !self.white_to_move));
            // In Chess960 the rook can shield the king's target square from an attack. The test for check after
            // the move rejects such castling.
            if !blocked && !attacked {
                moves.push(mv);
            }
        }
    }

    /// Returns the position after the move, which must be pseudo-legal.
    pub(crate) fn play(&self, mv: &Move) -> Board {
        let us = self.white_to_move;
        let mut next = *self;
        let piece = next.squares[mv.from];
        let is_pawn = piece.eq_ignore_ascii_case(&b'p');
        next.squares[mv.from] = EMPTY;
        if let Some((king_to, rook_to)) = mv.castling_targets() {
            next.squares[mv.to] = EMPTY;
            next.squares[king_to] = letter(b'k', us);
            next.squares[rook_to] = letter(b'r', us);
        } else {
            next.squares[mv.to] = mv.promotion.map_or(piece, |promotion| letter(promotion, us));
        }
        if mv.is_en_passant() {
            next.squares[(mv.to as i32 - forward(us)) as usize] = EMPTY;
        }

        // Castling rights are lost when the rook moves or is captured, and both are when the king moves.
        next.may_castle[mv.from] = false;
        next.may_castle[mv.to] = false;
        if piece.eq_ignore_ascii_case(&b'k') {
            let first_rank = 16 * relative_rank(0, us);
            next.may_castle[first_rank..first_rank + 8].fill(false);
        }

        next.en_passant = (mv.kind == Kind::DoublePush).then_some((mv.from + mv.to) / 2);
        let irreversible = is_pawn || mv.kind == Kind::Capture;
        next.halfmove_clock = if irreversible { 0 } else { self.halfmove_clock + 1 };
        next.fullmove_number += u32::from(!us);
        next.white_to_move = !us;
        next
    }
}
