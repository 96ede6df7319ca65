//! Pawn structure: passed, doubled and isolated pawns, and outposts.

use tabiya_core::{Bitboard, Color, File, PieceType, Rank, Square};
use tabiya_movegen::{Position, attacks};

/// Returns true if no enemy pawn stands before the pawn on `square`, on its file or beside it.
pub(super) fn is_passed(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_on(square) else { return false };
    let color = piece.color();
    let enemies = position.pieces(!color, PieceType::Pawn) & (beside(square) | square.file().bitboard());
    let rank = |square: Square| square.relative_to(color).rank();
    enemies.into_iter().all(|enemy| rank(enemy) <= rank(square))
}

/// The passed pawns of a side.
pub(super) fn passed_pawns(position: &Position, color: Color) -> Bitboard {
    let pawns = position.pieces(color, PieceType::Pawn);
    pawns.into_iter().filter(|&square| is_passed(position, square)).collect()
}

/// The files with two pawns of a side or more.
pub(super) fn doubled_files(position: &Position, color: Color) -> impl Iterator<Item = File> {
    let pawns = position.pieces(color, PieceType::Pawn);
    File::ALL.into_iter().filter(move |file| (pawns & file.bitboard()).more_than_one())
}

/// The pawns of a side without another on a file beside them.
pub(super) fn isolated_pawns(position: &Position, color: Color) -> Bitboard {
    let pawns = position.pieces(color, PieceType::Pawn);
    pawns.into_iter().filter(|&square| beside(square).is_disjoint(pawns)).collect()
}

/// Returns true if the knight or bishop on `square` stands on an outpost: in the enemy's half, defended by a pawn, and no enemy pawn
/// can ever attack it.
pub(super) fn is_on_outpost(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_on(square) else { return false };
    let color = piece.color();
    let rank = |square: Square| square.relative_to(color).rank();
    let defenders = attacks::pawn_attacks(!color, square) & position.pieces(color, PieceType::Pawn);
    let attackers = beside(square) & position.pieces(!color, PieceType::Pawn);
    matches!(piece.piece_type(), PieceType::Knight | PieceType::Bishop)
        && matches!(rank(square), Rank::Fifth | Rank::Sixth)
        && defenders.any()
        && attackers.into_iter().all(|attacker| rank(attacker) <= rank(square))
}

/// The files beside a square.
fn beside(square: Square) -> Bitboard {
    let file = square.file().bitboard();
    file.east() | file.west()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outposts_are_safe_from_pawns() {
        let is_outpost = |fen: &str| is_on_outpost(&fen.parse().unwrap(), Square::D5);
        assert!(is_outpost("4k3/pp3ppp/8/3N4/4P3/8/8/4K3 w - - 0 1"));
        assert!(is_outpost("4k3/3p4/8/2pN4/4P3/8/8/4K3 w - - 0 1"), "the pawn on c5 has passed by");
        assert!(!is_outpost("4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1"), "c6 drives it away");
        assert!(!is_outpost("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1"), "no pawn defends it");
        assert!(!is_outpost("4k3/8/8/3R4/4P3/8/8/4K3 w - - 0 1"), "a rook");
        assert!(!is_outpost("4k3/8/2p5/3n4/8/8/8/4K3 w - - 0 1"), "its own half");
    }

    #[test]
    fn pawns_are_passed_doubled_or_isolated() {
        let position: Position = "4k3/1p6/8/8/P2P1P2/5P2/8/4K3 w - - 0 1".parse().unwrap();
        let white = Color::White;
        assert_eq!(
            passed_pawns(&position, white),
            Square::D4.bitboard() | Square::F4.bitboard() | Square::F3.bitboard()
        );
        assert_eq!(doubled_files(&position, white).collect::<Vec<_>>(), [File::F]);
        assert_eq!(isolated_pawns(&position, white), position.pieces(white, PieceType::Pawn));
    }
}
