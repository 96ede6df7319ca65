//! The terms of one piece.

use super::Context;
use super::side::PawnFiles;
use super::tables;
use crate::evaluate::relative_to;
use std::fmt;
use tabiya_core::{Color, File, Piece, PieceType, Rank, Square, Value};

/// A term of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[repr(u8)]
pub enum PieceTerm {
    /// The piece value: pawn 100, knight 320, bishop 325, rook 500, queen 975, king 32767.
    Value,
    /// The action values (pawn 6, knight 3, bishop 3, rook 2, queen 1, king 1) of the pieces that defend it.
    Defended,
    /// Minus the action values of the pieces that attack it.
    Attacked,
    /// Minus ten times the difference if its attackers outweigh its defenders.
    Hanging,
    /// One for each valid move.
    Mobility,
    /// The piece-square value of a pawn, knight, bishop or king.
    Table,
    /// A pawn on the a- or h-file: -15.
    EdgeFile,
    /// A pawn behind another pawn of its side on the file: -16.
    Doubled,
    /// A bishop beyond the first of its side: 10.
    Pair,
    /// In the endgame: knight -10, bishop 10.
    EndGame,
    /// A rook that has moved before its side has castled: -10. Before the endgame: a queen that has moved
    /// -10, a king that has moved without castling -30.
    Moved,
    /// A king with fewer than two moves: -5.
    Confined,
}

impl PieceTerm {
    /// The number of terms.
    pub const COUNT: usize = 12;

    /// All terms in the order of the table.
    pub const ALL: [PieceTerm; PieceTerm::COUNT] = [
        PieceTerm::Value,
        PieceTerm::Defended,
        PieceTerm::Attacked,
        PieceTerm::Hanging,
        PieceTerm::Mobility,
        PieceTerm::Table,
        PieceTerm::EdgeFile,
        PieceTerm::Doubled,
        PieceTerm::Pair,
        PieceTerm::EndGame,
        PieceTerm::Moved,
        PieceTerm::Confined,
    ];

    /// The short name, in `snake_case`.
    pub const fn name(self) -> &'static str {
        match self {
            PieceTerm::Value => "value",
            PieceTerm::Defended => "defended",
            PieceTerm::Attacked => "attacked",
            PieceTerm::Hanging => "hanging",
            PieceTerm::Mobility => "mobility",
            PieceTerm::Table => "table",
            PieceTerm::EdgeFile => "edge_file",
            PieceTerm::Doubled => "doubled",
            PieceTerm::Pair => "pair",
            PieceTerm::EndGame => "end_game",
            PieceTerm::Moved => "moved",
            PieceTerm::Confined => "confined",
        }
    }
}

/// The [short name](PieceTerm::name).
impl fmt::Display for PieceTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// All terms of one piece, in centipawns from its own side's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PieceTrace {
    /// The piece.
    pub piece: Piece,
    /// The square of the piece.
    pub square: Square,
    terms: [Value; PieceTerm::COUNT],
}

impl PieceTrace {
    /// The value of one term.
    pub const fn get(&self, term: PieceTerm) -> Value {
        self.terms[term as usize]
    }

    /// All terms with their values, zeros included.
    pub fn terms(&self) -> impl Iterator<Item = (PieceTerm, Value)> {
        PieceTerm::ALL.into_iter().zip(self.terms)
    }

    /// The sum of all terms.
    pub fn total(&self) -> Value {
        self.terms.iter().sum()
    }

    /// The sum of all terms, from White's point of view.
    pub fn white_total(&self) -> Value {
        relative_to(self.piece.color(), self.total())
    }
}

/// Passes the terms of every piece to `visit`, White's pieces first and each side's foremost first, and
/// returns both sides' pawn files.
pub(super) fn evaluate_all(context: &Context<'_>, mut visit: impl FnMut(PieceTrace)) -> [PawnFiles; 2] {
    let mut files = [PawnFiles::default(); 2];
    for color in Color::ALL {
        let mut bishops = 0;
        for rank in Rank::ALL.into_iter().rev() {
            let on_rank = context.position.by_color(color) & rank.relative_to(color).bitboard();
            for square in on_rank {
                let Some(piece) = context.position.piece_on(square) else { continue };
                visit(evaluate(context, piece, square, &mut files[color.index()], &mut bishops));
            }
        }
    }
    files
}

/// Evaluates one piece. `pawns` and `bishops` cover the pieces of its side that were evaluated before it.
fn evaluate(
    context: &Context<'_>,
    piece: Piece,
    square: Square,
    pawns: &mut PawnFiles,
    bishops: &mut u32,
) -> PieceTrace {
    let (color, piece_type) = (piece.color(), piece.piece_type());
    let (attacked, defended) = (context.analysis.attacked(square), context.analysis.defended(square));
    let moves = context.analysis.moves(square);
    let relative = square.relative_to(color);
    let mut terms = [0; PieceTerm::COUNT];
    let mut set = |term: PieceTerm, value: Value| terms[term as usize] = value;

    set(PieceTerm::Value, tables::PIECE_VALUES[piece_type.index()]);
    set(PieceTerm::Defended, defended);
    set(PieceTerm::Attacked, -attacked);
    set(PieceTerm::Hanging, -tables::HANGING_FACTOR * (attacked - defended).max(0));
    set(PieceTerm::Mobility, moves);
    set(PieceTerm::Table, tables::square_value(piece_type, relative, context.end_game));
    match piece_type {
        PieceType::Pawn => {
            if matches!(square.file(), File::A | File::H) {
                set(PieceTerm::EdgeFile, tables::EDGE_FILE);
            }
            if pawns.has_pawn(square.file()) {
                set(PieceTerm::Doubled, tables::DOUBLED);
            }
            pawns.add(relative, attacked, defended);
        }
        PieceType::Knight if context.end_game => set(PieceTerm::EndGame, tables::KNIGHT_END_GAME),
        PieceType::Knight => {}
        PieceType::Bishop => {
            *bishops += 1;
            if *bishops > 1 {
                set(PieceTerm::Pair, tables::BISHOP_PAIR);
            }
            if context.end_game {
                set(PieceTerm::EndGame, tables::BISHOP_END_GAME);
            }
        }
        PieceType::Rook => {
            if context.history.has_moved(piece, square) && !context.history.has_castled(color) {
                set(PieceTerm::Moved, tables::ROOK_MOVED);
            }
        }
        PieceType::Queen => {
            if context.history.has_moved(piece, square) && !context.end_game {
                set(PieceTerm::Moved, tables::QUEEN_MOVED);
            }
        }
        PieceType::King => {
            if context.history.has_moved(piece, square)
                && !context.history.has_castled(color)
                && !context.end_game
            {
                set(PieceTerm::Moved, tables::KING_MOVED);
            }
            if moves < 2 {
                set(PieceTerm::Confined, tables::KING_CONFINED);
            }
        }
    }
    PieceTrace { piece, square, terms }
}
