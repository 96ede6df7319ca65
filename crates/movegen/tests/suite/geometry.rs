//! Attack tables against a reference implementation that walks square by square.

use tabiya_core::{Bitboard, Color, Piece, PieceType, SplitMix64, Square};
use tabiya_movegen::attacks;

const ORTHOGONAL: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Returns the squares from `square` in one direction, nearest first.
fn walk(square: Square, (files, ranks): (i8, i8)) -> impl Iterator<Item = Square> {
    std::iter::successors(square.offset(files, ranks), move |at| at.offset(files, ranks))
}

/// Returns the squares a slider attacks, up to and including the first piece in each direction.
fn slide(square: Square, occupied: Bitboard, directions: &[(i8, i8)]) -> Bitboard {
    let mut attacks = Bitboard::EMPTY;
    for &direction in directions {
        for target in walk(square, direction) {
            attacks |= target.bitboard();
            if occupied.contains(target) {
                break;
            }
        }
    }
    attacks
}

fn leap(square: Square, steps: &[(i8, i8)]) -> Bitboard {
    steps.iter().filter_map(|&(files, ranks)| square.offset(files, ranks)).collect()
}

fn all_directions() -> Vec<(i8, i8)> {
    [ORTHOGONAL, DIAGONAL].concat()
}

#[test]
fn leapers_on_every_square() {
    for square in Square::ALL {
        assert_eq!(attacks::knight_attacks(square), leap(square, &KNIGHT), "knight on {square}");
        assert_eq!(attacks::king_attacks(square), leap(square, &all_directions()), "king on {square}");
        let white = leap(square, &[(-1, 1), (1, 1)]);
        let black = leap(square, &[(-1, -1), (1, -1)]);
        assert_eq!(attacks::pawn_attacks(Color::White, square), white, "white pawn on {square}");
        assert_eq!(attacks::pawn_attacks(Color::Black, square), black, "black pawn on {square}");
    }
}

fn assert_sliders(square: Square, occupied: Bitboard) {
    let bishop = slide(square, occupied, &DIAGONAL);
    let rook = slide(square, occupied, &ORTHOGONAL);
    let context = || format!("{square} with\n{occupied}");
    assert_eq!(attacks::bishop_attacks(square, occupied), bishop, "bishop on {}", context());
    assert_eq!(attacks::rook_attacks(square, occupied), rook, "rook on {}", context());
    assert_eq!(attacks::queen_attacks(square, occupied), bishop | rook, "queen on {}", context());
}

/// Covers pieces off the lines, on the edges and on the slider's own square. Unit tests cover all occupancies of the lines.
#[test]
fn sliders_with_random_occupancies() {
    let mut random = SplitMix64::new(1);
    for _ in 0..4_000 {
        let (a, b) = (random.next_u64(), random.next_u64());
        for occupied in [a, a & b, a | b] {
            let square = Square::ALL[random.below(64)];
            assert_sliders(square, Bitboard(occupied));
        }
    }
    for square in Square::ALL {
        assert_sliders(square, Bitboard::EMPTY);
        assert_sliders(square, Bitboard::FULL);
    }
}

#[test]
fn attacks_by_piece() {
    let mut random = SplitMix64::new(2);
    for square in Square::ALL {
        let occupied = Bitboard(random.next_u64() & random.next_u64());
        for piece in Piece::ALL {
            let expected = match piece.piece_type() {
                PieceType::Pawn => attacks::pawn_attacks(piece.color(), square),
                PieceType::Knight => leap(square, &KNIGHT),
                PieceType::Bishop => slide(square, occupied, &DIAGONAL),
                PieceType::Rook => slide(square, occupied, &ORTHOGONAL),
                PieceType::Queen => slide(square, occupied, &all_directions()),
                PieceType::King => leap(square, &all_directions()),
            };
            assert_eq!(attacks::piece_attacks(piece, square, occupied), expected, "{piece} on {square}");
        }
    }
}

#[test]
fn between_and_line_for_every_pair() {
    for a in Square::ALL {
        for b in Square::ALL {
            let direction = all_directions().into_iter().find(|&d| walk(a, d).any(|square| square == b));
            let (between, line) = match direction {
                None => (Bitboard::EMPTY, Bitboard::EMPTY),
                Some((files, ranks)) => {
                    let between = walk(a, (files, ranks)).take_while(|&square| square != b).collect();
                    let ahead: Bitboard = walk(a, (files, ranks)).collect();
                    let behind: Bitboard = walk(a, (-files, -ranks)).collect();
                    (between, ahead | behind | a.bitboard())
                }
            };
            assert_eq!(attacks::between(a, b), between, "between {a} and {b}");
            assert_eq!(attacks::line(a, b), line, "line through {a} and {b}");
        }
    }
}
