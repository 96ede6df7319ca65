//! Searches for the position with the most moves, by simulated annealing.
//!
//! A `MoveList` holds 256 moves. Positions reached from the start position have at most 218 (Petrović 1964), but a set-up may
//! have sixteen pieces of any type. The most that this search has found for a set-up is 241 moves, with fourteen queens, one other
//! piece, and enemy pieces that shield the enemy king from check.
//!
//! Usage: `cargo run --release -p tabiya-movegen --example most_moves [SEED]`

use tabiya_core::{BoardBuilder, Color, Piece, PieceType, SplitMix64, Square};
use tabiya_movegen::Position;

const RUNS: usize = 4;
const STEPS: u32 = 4_000_000;

fn main() {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut random = SplitMix64::new(seed);
    let mut best: Option<(i32, Position)> = None;
    for _ in 0..RUNS {
        let result = anneal(&mut random);
        if best.as_ref().is_none_or(|best| result.0 > best.0) {
            println!("{} moves: {}", result.0, result.1);
            best = Some(result);
        }
    }
}

/// Returns the position with the most moves that one run finds, and their number.
fn anneal(random: &mut SplitMix64) -> (i32, Position) {
    let mut board = start(random);
    let mut current = 0;
    let mut best = (0, Position::startpos());
    for step in 0..STEPS {
        let temperature = 3.0 * (1.0 - f64::from(step) / f64::from(STEPS)) + 0.05;
        let mut next = board.clone();
        change(&mut next, random);
        // Illegal set-ups count as positions without moves, so that a run can start from one.
        let position = legal(&next);
        let moves = position.as_ref().map_or(0, |position| position.count_legal_moves() as i32);
        let chance = (f64::from(moves - current) / temperature).exp();
        if moves >= current || chance > random.below(1 << 20) as f64 / f64::from(1 << 20) {
            (board, current) = (next, moves);
            if let Some(position) = position
                && moves > best.0
            {
                best = (moves, position);
            }
        }
    }
    best
}

/// Returns a board with both kings and fifteen white queens on random squares.
fn start(random: &mut SplitMix64) -> BoardBuilder {
    let mut board = BoardBuilder::empty();
    board.set(Square::E1, Some(Piece::WhiteKing));
    board.set(Square::H8, Some(Piece::BlackKing));
    let mut queens = 0;
    while queens < 15 {
        let square = Square::wrapping(random.below(64) as u8);
        if board.pieces[square.index()].is_none() {
            board.set(square, Some(Piece::WhiteQueen));
            queens += 1;
        }
    }
    board
}

/// Swaps two squares, changes the type of a white piece, or adds or removes a black knight.
fn change(board: &mut BoardBuilder, random: &mut SplitMix64) {
    const TYPES: [PieceType; 5] =
        [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    let (a, b) = (random.below(64), random.below(64));
    match (random.below(4), board.pieces[a]) {
        (0 | 1, _) => board.pieces.swap(a, b),
        (2, Some(piece)) if piece.color() == Color::White && piece != Piece::WhiteKing => {
            board.pieces[a] = Some(Piece::new(Color::White, TYPES[random.below(TYPES.len())]));
        }
        (3, Some(Piece::BlackKnight)) => board.pieces[a] = None,
        (3, None) => board.pieces[a] = Some(Piece::BlackKnight),
        _ => {}
    }
}

/// Returns the position of a legal set-up.
fn legal(board: &BoardBuilder) -> Option<Position> {
    Position::from_builder(board).ok()
}
