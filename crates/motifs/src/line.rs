//! A line: a position and the moves played from it, seen from one side.

use crate::motif::{Finding, Motif};
use alloc::vec::Vec;
use core::fmt;
use tabiya_core::{Bitboard, Color, Move, Piece, Square};
use tabiya_movegen::Position;

/// A position and the moves played from it, with the side whose play is examined.
#[derive(Clone, Debug)]
pub struct Line {
    /// The positions before each move, and the last one.
    positions: Vec<Position>,
    moves: Vec<Move>,
    side: Color,
}

/// A move of a line that is illegal in its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalLine {
    /// The move's index.
    pub ply: usize,
}

impl fmt::Display for IllegalLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {} of the line is illegal", self.ply + 1)
    }
}

impl core::error::Error for IllegalLine {}

impl Line {
    /// Plays the moves from `start`. The motifs are those of `side`, which may be the side to move or its opponent: the
    /// opponent's move before the tactic tells a recapture from the capture of a hanging piece.
    ///
    /// # Errors
    /// If a move is illegal.
    pub fn new(start: Position, moves: &[Move], side: Color) -> Result<Line, IllegalLine> {
        let mut positions = Vec::with_capacity(moves.len() + 1);
        positions.push(start);
        for (ply, &mv) in moves.iter().enumerate() {
            let next = positions[ply].play(mv).map_err(|_| IllegalLine { ply })?;
            positions.push(next);
        }
        Ok(Line { positions, moves: moves.to_vec(), side })
    }

    /// The side whose play is examined.
    pub fn side(&self) -> Color {
        self.side
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position before the move with this index, or after the last one.
    pub fn position(&self, ply: usize) -> Option<&Position> {
        self.positions.get(ply)
    }

    /// The position before the side's first move.
    pub(crate) fn start(&self) -> &Position {
        &self.positions[self.first().min(self.moves.len())]
    }

    /// The position after the last move.
    pub(crate) fn end(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// The index of the side's first move.
    fn first(&self) -> usize {
        usize::from(self.positions[0].side_to_move() != self.side)
    }

    /// The moves of the side.
    pub(crate) fn turns(&self) -> impl DoubleEndedIterator<Item = Turn<'_>> {
        (self.first()..self.moves.len()).step_by(2).map(|ply| Turn { line: self, ply })
    }
}

/// A move of the side whose play is examined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<'l> {
    line: &'l Line,
    /// The move's index in the line.
    pub(crate) ply: usize,
}

impl<'l> Turn<'l> {
    pub(crate) fn mv(self) -> Move {
        self.line.moves[self.ply]
    }

    pub(crate) fn to(self) -> Square {
        self.mv().destination()
    }

    /// The position before the move.
    pub(crate) fn before(self) -> &'l Position {
        &self.line.positions[self.ply]
    }

    /// The position after the move.
    pub(crate) fn after(self) -> &'l Position {
        &self.line.positions[self.ply + 1]
    }

    /// The moved piece as it was before the move.
    pub(crate) fn piece(self) -> Option<Piece> {
        self.before().piece_on(self.mv().from())
    }

    /// The captured piece and its square.
    pub(crate) fn captured(self) -> Option<(Piece, Square)> {
        captured(self.before(), self.mv())
    }

    /// The opponent's answer.
    pub(crate) fn reply(self) -> Option<Move> {
        self.line.moves.get(self.ply + 1).copied()
    }

    /// The opponent's move before this one, and the position before it.
    pub(crate) fn preceding(self) -> Option<(Move, &'l Position)> {
        let ply = self.ply.checked_sub(1)?;
        Some((self.line.moves[ply], &self.line.positions[ply]))
    }

    /// The side's next move.
    pub(crate) fn next(self) -> Option<Turn<'l>> {
        (self.ply + 2 < self.line.moves.len()).then(|| Turn { ply: self.ply + 2, ..self })
    }

    /// The side's move before this one.
    pub(crate) fn previous(self) -> Option<Turn<'l>> {
        self.ply.checked_sub(2).map(|ply| Turn { ply, ..self })
    }

    /// A finding of this move with the moved piece as the actor.
    pub(crate) fn finding(self, motif: Motif, targets: Bitboard) -> Finding {
        Finding { motif, ply: self.ply, actor: self.to(), targets }
    }

    /// The side's moves after this one.
    pub(crate) fn following(self) -> impl Iterator<Item = Turn<'l>> {
        core::iter::successors(self.next(), |turn| turn.next())
    }
}

/// The piece that a legal move captures, and its square.
pub(crate) fn captured(position: &Position, mv: Move) -> Option<(Piece, Square)> {
    let square = if mv.is_en_passant() { Square::new(mv.to().file(), mv.from().rank()) } else { mv.to() };
    mv.is_capture().then(|| position.piece_on(square).map(|piece| (piece, square))).flatten()
}
