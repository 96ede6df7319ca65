//! Random games and positions, the same in every run.

use tabiya_core::{Move, Piece, PieceType};
use tabiya_movegen::Position;

/// SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Where a random game starts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start {
    Standard,
    Chess960,
    /// Chess960 with a different row for each side.
    DoubleChess960,
}

impl Start {
    /// A starting position as Shredder-FEN. Another crate writes it, so that the way from a number
    /// to a position is not taken on trust.
    pub(crate) fn fen(self, random: &mut Random) -> String {
        let mut number = || random.below(960) as u32;
        let board = match self {
            Start::Standard => cozy_chess::Board::startpos(),
            Start::Chess960 => cozy_chess::Board::chess960_startpos(number()),
            Start::DoubleChess960 => cozy_chess::Board::double_chess960_startpos(number(), number()),
        };
        format!("{board:#}")
    }
}

/// A random legal move, or `None` where the game is over. Rare kinds of move are played more often
/// than chance would have them.
pub(crate) fn choose(position: &Position, random: &mut Random) -> Option<Move> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return None;
    }
    let rare = |mv: &Move| mv.is_castle() || mv.is_en_passant() || mv.promotion().is_some();
    let rare_moves: Vec<Move> = moves.iter().copied().filter(rare).collect();
    if !rare_moves.is_empty() && random.below(3) == 0 {
        return Some(*random.pick(&rare_moves));
    }
    if random.below(4) == 0 {
        let is_pawn =
            |mv: &Move| position.piece_on(mv.from()).map(Piece::piece_type) == Some(PieceType::Pawn);
        let pawn_moves: Vec<Move> = moves.iter().copied().filter(is_pawn).collect();
        if !pawn_moves.is_empty() {
            return Some(*random.pick(&pawn_moves));
        }
    }
    Some(*random.pick(&moves))
}

/// A FEN with both kings and some pieces anywhere. Often it is no legal position; those that are
/// have checks and pins that games hardly ever show.
pub(crate) fn scattered_fen(random: &mut Random) -> String {
    let mut squares = ['.'; 64];
    let mut put = |random: &mut Random, piece: char| {
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
        let piece = *random.pick(&['P', 'p', 'P', 'p', 'N', 'n', 'B', 'b', 'R', 'r', 'Q', 'q']);
        put(random, piece);
    }
    let ranks: Vec<String> = squares.chunks(8).map(|rank| rank.iter().collect()).collect();
    let mut placement = ranks.join("/");
    for empty in (1..=8).rev() {
        placement = placement.replace(&".".repeat(empty), &empty.to_string());
    }
    format!("{placement} {} - - 0 1", random.pick(&['w', 'b']))
}
