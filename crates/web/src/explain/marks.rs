//! Features of a position that a board can mark.

use serde::Serialize;
use tabiya_core::{Bitboard, Color, File, PieceType, Square};
use tabiya_motifs::is_en_prise;
use tabiya_movegen::Position;
use tabiya_movegen::attacks::king_attacks;

/// Squares with a feature, for one side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Marks {
    /// Pawns without a pawn of either side in front of them, and without an enemy pawn ahead on the neighbouring files.
    pub passed: Vec<String>,
    /// Pawns without a pawn of their side on a neighbouring file.
    pub isolated: Vec<String>,
    /// Pawns behind another pawn of their side.
    pub doubled: Vec<String>,
    /// Squares on files c to f of the side's third and fourth rank that its pawns can no longer defend.
    pub holes: Vec<String>,
    /// Squares around the king that the enemy attacks and only the king defends, if anything.
    pub king_danger: Vec<String>,
    /// Pieces that the enemy attacks and that are undefended or worth more than an attacker.
    pub hanging: Vec<String>,
}

impl Marks {
    /// The features of one side.
    pub(super) fn of(position: &Position, color: Color) -> Marks {
        let own = position.pieces(color, PieceType::Pawn);
        let enemy = position.pieces(!color, PieceType::Pawn);
        let camp = |square: &Square| {
            let rank = square.relative_to(color).rank().index();
            (2..=3).contains(&rank) && (2..=5).contains(&square.file().index())
        };
        let defended_by_pawn = |square: Square| ahead_of_neighbours(own, square, !color);
        let king = position.king(color);
        Marks {
            passed: names(own.into_iter().filter(|&pawn| is_passed(own, enemy, pawn, color))),
            isolated: names(own.into_iter().filter(|&pawn| (neighbours(pawn) & own).is_empty())),
            doubled: names(
                own.into_iter().filter(|&pawn| (ahead(pawn, color) & own & pawn.file().bitboard()).any()),
            ),
            holes: names(all_squares().filter(camp).filter(|&square| !defended_by_pawn(square))),
            king_danger: names((king_attacks(king) | king.bitboard()).into_iter().filter(|&square| {
                let defenders = position.attackers(square, color) & !king.bitboard();
                position.attackers(square, !color).any() && defenders.is_empty()
            })),
            hanging: names(
                (position.by_color(color) - king.bitboard())
                    .into_iter()
                    .filter(|&square| is_en_prise(position, square)),
            ),
        }
    }
}

fn names(squares: impl Iterator<Item = Square>) -> Vec<String> {
    squares.map(|square| square.to_string()).collect()
}

fn all_squares() -> impl Iterator<Item = Square> {
    (0..64).filter_map(Square::from_index)
}

/// The files beside a square's file.
fn neighbours(square: Square) -> Bitboard {
    let file = square.file().bitboard();
    file.east() | file.west()
}

/// The squares on ranks in front of a square, as a side sees them.
fn ahead(square: Square, color: Color) -> Bitboard {
    let rank = square.relative_to(color).rank().index();
    all_squares()
        .filter(|other| other.relative_to(color).rank().index() > rank)
        .fold(Bitboard::EMPTY, |set, other| set | other.bitboard())
}

fn is_passed(own: Bitboard, enemy: Bitboard, pawn: Square, color: Color) -> bool {
    let file: File = pawn.file();
    let front = ahead(pawn, color);
    ((neighbours(pawn) | file.bitboard()) & front & enemy).is_empty()
        && (file.bitboard() & front & own).is_empty()
}

/// True if a pawn on a neighbouring file is ahead of a square, as a side sees it.
fn ahead_of_neighbours(pawns: Bitboard, square: Square, color: Color) -> bool {
    (neighbours(square) & ahead(square, color) & pawns).any()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(fen: &str, color: Color) -> Marks {
        Marks::of(&fen.parse().unwrap(), color)
    }

    #[test]
    fn finds_pawn_features() {
        let fen = "4k3/p6p/8/3P4/8/P6P/7P/4K3 w - - 0 1";
        let white = marks(fen, Color::White);
        assert_eq!(white.passed, ["d5"]);
        assert_eq!(white.doubled, ["h2"]);
        assert_eq!(white.isolated, ["h2", "a3", "h3", "d5"]);
        assert_eq!(marks(fen, Color::Black).passed, [""; 0]);
    }

    #[test]
    fn initial_position_has_no_features() {
        for color in Color::ALL {
            assert_eq!(
                marks("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", color),
                Marks::default()
            );
        }
    }

    #[test]
    fn finds_hanging_pieces_and_king_danger() {
        let fen = "6k1/5ppp/8/8/3n4/4P3/5PPP/q5K1 w - - 0 1";
        assert_eq!(marks(fen, Color::Black).hanging, ["d4"], "a pawn attacks the knight");
        let white = marks(fen, Color::White);
        assert_eq!((white.king_danger, white.hanging), (vec!["f1".to_owned(), "g1".to_owned()], vec![]));
    }

    #[test]
    fn holes_cannot_be_defended_by_pawns() {
        // White's c- and e-pawns have passed d3 and d4, while f3 and c3 can be defended.
        let white = marks("4k3/8/8/2P1P3/8/8/1P4P1/4K3 w - - 0 1", Color::White);
        assert!(
            white.holes.contains(&"d3".to_owned()) && white.holes.contains(&"d4".to_owned()),
            "{white:?}"
        );
        assert!(
            !white.holes.contains(&"f3".to_owned()) && !white.holes.contains(&"c3".to_owned()),
            "{white:?}"
        );
    }
}
