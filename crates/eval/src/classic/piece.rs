//! What one piece counts.

use super::View;
use super::side::PawnFiles;
use super::tables;
use std::fmt;
use tabiya_core::{Color, File, Piece, PieceType, Rank, Square, Value};

/// A reason for which the guide gives a piece points or takes some away.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum PieceTerm {
    /// The piece by itself: pawn 100, knight 320, bishop 325, rook 500, queen 975, king 32767.
    Value,
    /// Plus the action values (pawn 6, knight 3, bishop 3, rook 2, queen 1, king 1) of the pieces
    /// that protect it.
    Defended,
    /// Less the action values of the pieces that attack it.
    Attacked,
    /// Less ten times the difference, where it is attacked more than protected.
    Hanging,
    /// One for each valid move.
    Mobility,
    /// What its square adds, for pawns, knights, bishops and kings.
    Table,
    /// A pawn on the a- or h-file: -15.
    EdgeFile,
    /// A pawn with another of its side before it on the file: -16.
    Doubled,
    /// A bishop beyond the first of its side: 10.
    Pair,
    /// In the end game, a knight -10, a bishop 10.
    EndGame,
    /// A rook that has moved before its side has castled: -10. Before the end game, a queen that has
    /// moved: -10, and a king that has moved without castling: -30.
    Moved,
    /// A king with fewer than two moves: -5.
    Confined,
}

impl PieceTerm {
    /// How many terms there are.
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

    /// A short name in `snake_case`.
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

/// What one piece counts, term by term, from its own side's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTrace {
    /// The piece.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
    terms: [Value; PieceTerm::COUNT],
}

impl PieceTrace {
    /// What it counts for this reason.
    pub const fn get(&self, term: PieceTerm) -> Value {
        self.terms[term as usize]
    }

    /// Every term with what it counts, zeros included.
    pub fn terms(&self) -> impl Iterator<Item = (PieceTerm, Value)> {
        PieceTerm::ALL.into_iter().zip(self.terms)
    }

    /// The sum of all terms.
    pub fn total(&self) -> Value {
        self.terms.iter().sum()
    }

    /// The sum of all terms, from White's point of view.
    pub fn white_total(&self) -> Value {
        match self.piece.color() {
            Color::White => self.total(),
            Color::Black => -self.total(),
        }
    }
}

/// Shows every piece to `visit`, each side's foremost first, and returns what the pawns left on
/// their files.
pub(super) fn each(view: &View<'_>, mut visit: impl FnMut(PieceTrace)) -> [PawnFiles; 2] {
    let mut files = [PawnFiles::default(); 2];
    for color in Color::ALL {
        let mut bishops = 0;
        for rank in Rank::ALL.into_iter().rev() {
            let on_rank = view.position.by_color(color) & rank.relative_to(color).bitboard();
            for square in on_rank {
                let Some(piece) = view.position.piece_on(square) else { continue };
                visit(evaluate(view, piece, square, &mut files[color.index()], &mut bishops));
            }
        }
    }
    files
}

/// One piece of a side of which `pawns` and `bishops` have been counted so far.
fn evaluate(
    view: &View<'_>,
    piece: Piece,
    square: Square,
    pawns: &mut PawnFiles,
    bishops: &mut u32,
) -> PieceTrace {
    let (color, piece_type) = (piece.color(), piece.piece_type());
    let (attacked, defended) = (view.analysis.attacked(square), view.analysis.defended(square));
    let moves = view.analysis.moves(square);
    let seen = square.relative_to(color);
    let mut terms = [0; PieceTerm::COUNT];
    let mut set = |term: PieceTerm, value: Value| terms[term as usize] = value;

    set(PieceTerm::Value, tables::PIECE_VALUES[piece_type.index()]);
    set(PieceTerm::Defended, defended);
    set(PieceTerm::Attacked, -attacked);
    set(PieceTerm::Hanging, -tables::HANGING_FACTOR * (attacked - defended).max(0));
    set(PieceTerm::Mobility, moves);
    set(PieceTerm::Table, tables::square_value(piece_type, seen, view.end_game));
    match piece_type {
        PieceType::Pawn => {
            if matches!(square.file(), File::A | File::H) {
                set(PieceTerm::EdgeFile, tables::EDGE_FILE);
            }
            if pawns.has_pawn(square.file()) {
                set(PieceTerm::Doubled, tables::DOUBLED);
            }
            pawns.add(seen, attacked, defended);
        }
        PieceType::Knight if view.end_game => set(PieceTerm::EndGame, tables::KNIGHT_END_GAME),
        PieceType::Knight => {}
        PieceType::Bishop => {
            *bishops += 1;
            if *bishops > 1 {
                set(PieceTerm::Pair, tables::BISHOP_PAIR);
            }
            if view.end_game {
                set(PieceTerm::EndGame, tables::BISHOP_END_GAME);
            }
        }
        PieceType::Rook => {
            if view.past.has_moved(piece, square) && !view.past.has_castled(color) {
                set(PieceTerm::Moved, tables::ROOK_MOVED);
            }
        }
        PieceType::Queen => {
            if view.past.has_moved(piece, square) && !view.end_game {
                set(PieceTerm::Moved, tables::QUEEN_MOVED);
            }
        }
        PieceType::King => {
            if view.past.has_moved(piece, square) && !view.past.has_castled(color) && !view.end_game {
                set(PieceTerm::Moved, tables::KING_MOVED);
            }
            if moves < 2 {
                set(PieceTerm::Confined, tables::KING_CONFINED);
            }
        }
    }
    PieceTrace { piece, square, terms }
}
