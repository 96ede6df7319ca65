//! Random games and positions with fixed seeds.

use tabiya_core::{Move, Piece, PieceType, SplitMix64};
use tabiya_movegen::Position;

/// Returns a random item.
fn pick<'a, T>(random: &mut SplitMix64, items: &'a [T]) -> &'a T {
    &items[random.below(items.len())]
}

/// The kind of start position of a random game.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start {
    Standard,
    Chess960,
    /// Chess960 with a different start array for each side.
    DoubleChess960,
}

impl Start {
    /// Returns a random start position as Shredder-FEN. cozy-chess writes it, so that the tests do not rely on
    /// our own conversion from number to position.
    pub(crate) fn fen(self, random: &mut SplitMix64) -> String {
        let mut number = || random.below(960) as u32;
        let board = match self {
            Start::Standard => cozy_chess::Board::startpos(),
            Start::Chess960 => cozy_chess::Board::chess960_startpos(number()),
            Start::DoubleChess960 => cozy_chess::Board::double_chess960_startpos(number(), number()),
        };
        format!("{board:#}")
    }
}

/// Returns a random legal move; `None` if there is none. Castling, en passant, promotions and pawn moves are more
/// likely than under a uniform choice.
pub(crate) fn random_move(position: &Position, random: &mut SplitMix64) -> Option<Move> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return None;
    }
    let rare = |mv: &Move| mv.is_castle() || mv.is_en_passant() || mv.promotion().is_some();
    let rare_moves: Vec<Move> = moves.iter().copied().filter(rare).collect();
    if !rare_moves.is_empty() && random.below(3) == 0 {
        return Some(*pick(random, &rare_moves));
    }
    if random.below(4) == 0 {
        let is_pawn =
            |mv: &Move| position.piece_on(mv.from()).map(Piece::piece_type) == Some(PieceType::Pawn);
        let pawn_moves: Vec<Move> = moves.iter().copied().filter(is_pawn).collect();
        if !pawn_moves.is_empty() {
            return Some(*pick(random, &pawn_moves));
        }
    }
    Some(*pick(random, &moves))
}

/// Returns a FEN with both kings and up to 13 other pieces on random squares. Many are not legal positions; the legal
/// ones have checks and pins that are rare in games.
pub(crate) fn scattered_fen(random: &mut SplitMix64) -> String {
    let mut squares = ['.'; 64];
    let mut put = |random: &mut SplitMix64, piece: char| {
        let square = random.below(64);
        let is_back_rank = !(8..56).contains(&square);
        if squares[square] == '.' && !(is_back_rank && piece.eq_ignore_ascii_case(&'p')) {
            squares[square] = piece;
            true
        } else {
            false
        }
    };
    for king in ['K', 'k'] {
        while !put(random, king) {}
    }
    for _ in 0..random.below(14) {
        let piece = *pick(random, &['P', 'p', 'P', 'p', 'N', 'n', 'B', 'b', 'R', 'r', 'Q', 'q']);
        put(random, piece);
    }
    let ranks: Vec<String> = squares.chunks(8).map(|rank| rank.iter().collect()).collect();
    let mut placement = ranks.join("/");
    for empty in (1..=8).rev() {
        placement = placement.replace(&".".repeat(empty), &empty.to_string());
    }
    format!("{placement} {} - - 0 1", pick(random, &['w', 'b']))
}
