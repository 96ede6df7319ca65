//! Material signatures, the keys and names of tables.

use tabiya_core::{Board, Color, PieceType};

/// The largest number of pieces in a Syzygy table, kings included.
pub const MAX_PIECES: usize = 7;

/// The order of the piece letters in a file name.
const NAME_ORDER: [PieceType; 6] = [
    PieceType::King,
    PieceType::Queen,
    PieceType::Rook,
    PieceType::Bishop,
    PieceType::Knight,
    PieceType::Pawn,
];

/// The number of pieces of each type on each side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Material {
    /// Indexed by side (0 is White in a position and the stronger side in a table), then by piece type.
    counts: [[u8; PieceType::COUNT]; 2],
}

impl Material {
    /// Returns the material of a board, White first.
    pub(super) fn of(board: &Board) -> Material {
        Material {
            counts: Color::ALL
                .map(|color| PieceType::ALL.map(|piece_type| board.pieces(color, piece_type).count() as u8)),
        }
    }

    /// Parses the name of a table, such as `KRPvKR`. `None` if it is not a valid name or has too many pieces.
    pub(super) fn parse(name: &str) -> Option<Material> {
        let (first, second) = name.split_once('v')?;
        let mut counts = [[0; PieceType::COUNT]; 2];
        for (side, letters) in counts.iter_mut().zip([first, second]) {
            for letter in letters.chars().filter(char::is_ascii_uppercase) {
                side[PieceType::from_char(letter.to_ascii_lowercase())?.index()] += 1;
            }
        }
        let material = Material { counts };
        let has_kings = material.counts.iter().all(|side| side[PieceType::King.index()] == 1);
        let fits = (3..=MAX_PIECES).contains(&material.pieces());
        // Comparing with the canonical name rejects letters in another order and other characters.
        (has_kings && fits && material.name() == name).then_some(material)
    }

    /// Returns the name of the table, such as `KRPvKR`.
    pub(super) fn name(&self) -> String {
        let side = |counts: &[u8; PieceType::COUNT]| -> String {
            let letters = |piece: PieceType| {
                std::iter::repeat_n(piece.to_char().to_ascii_uppercase(), counts[piece.index()].into())
            };
            NAME_ORDER.into_iter().flat_map(letters).collect()
        };
        format!("{}v{}", side(&self.counts[0]), side(&self.counts[1]))
    }

    /// Returns the material with the sides swapped.
    pub(super) fn swapped(&self) -> Material {
        Material { counts: [self.counts[1], self.counts[0]] }
    }

    /// Returns true if both sides have the same pieces.
    pub(super) fn is_symmetric(&self) -> bool {
        self.counts[0] == self.counts[1]
    }

    /// Returns the number of pieces, kings included.
    pub(super) fn pieces(&self) -> usize {
        self.counts.iter().flatten().map(|&count| usize::from(count)).sum()
    }

    /// Returns the number of pieces of one type on side 0 or 1.
    pub(super) fn count(&self, side: usize, piece_type: PieceType) -> usize {
        self.counts[side][piece_type.index()].into()
    }

    /// Returns the number of pieces, kings included, that are the only one of their type on their side.
    pub(super) fn unique_pieces(&self) -> usize {
        self.counts.iter().flatten().filter(|&&count| count == 1).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_names_round_trip() {
        for name in ["KQvK", "KRPvKR", "KBNvK", "KQRBNPvK", "KPvKP", "KRBvKNN"] {
            let material = Material::parse(name).unwrap();
            assert_eq!(material.name(), name);
            assert_eq!(material.swapped().swapped(), material);
        }
        for bad in
            ["", "K", "KvK", "KQ", "QKvK", "KQvQ", "KXvK", "KQRBNPPvK", "kqvk", "KKvK", "K1QvK", "vKQK"]
        {
            assert_eq!(Material::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn reads_a_board() {
        let board: Board = "4k3/8/8/3n4/8/4PP2/8/4K2R w K - 0 1".parse().unwrap();
        let material = Material::of(&board);
        assert_eq!((material.name().as_str(), material.pieces()), ("KRPPvKN", 6));
        assert_eq!(material.swapped().name(), "KNvKRPP");
        assert_eq!(material.unique_pieces(), 4);
        assert!(!material.is_symmetric());
        assert!(Material::parse("KPvKP").unwrap().is_symmetric());
    }
}
