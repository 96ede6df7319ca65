//! Which pieces are on the board: the key by which tables are found.

use tabiya_core::{Board, Color, PieceType};

/// The most pieces a tablebase has, kings included.
pub const MAX_PIECES: usize = 7;

/// The order of the letters in a file name.
const BY_WORTH: [PieceType; 6] = [
    PieceType::King,
    PieceType::Queen,
    PieceType::Rook,
    PieceType::Bishop,
    PieceType::Knight,
    PieceType::Pawn,
];

/// How many pieces of each kind each side has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Material {
    /// By side (the first one is White's in a position, the stronger one's in a table), then by kind.
    counts: [[u8; PieceType::COUNT]; 2],
}

impl Material {
    /// What is on a board, White first.
    pub(super) fn of(board: &Board) -> Material {
        Material {
            counts: Color::ALL
                .map(|color| PieceType::ALL.map(|piece_type| board.pieces(color, piece_type).count() as u8)),
        }
    }

    /// Reads the name of a table, `KRPvKR`. `None` if it is no such name, or of too many pieces.
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
        // Letters in another order, or other characters, do not come back.
        (has_kings && fits && material.name() == name).then_some(material)
    }

    /// As a table of this material is called: `KRPvKR`.
    pub(super) fn name(&self) -> String {
        let side = |counts: &[u8; PieceType::COUNT]| -> String {
            let letters = |piece: PieceType| {
                std::iter::repeat_n(piece.to_char().to_ascii_uppercase(), counts[piece.index()].into())
            };
            BY_WORTH.into_iter().flat_map(letters).collect()
        };
        format!("{}v{}", side(&self.counts[0]), side(&self.counts[1]))
    }

    /// The same with the sides exchanged.
    pub(super) fn swapped(&self) -> Material {
        Material { counts: [self.counts[1], self.counts[0]] }
    }

    /// Do both sides have the same?
    pub(super) fn is_symmetric(&self) -> bool {
        self.counts[0] == self.counts[1]
    }

    /// How many pieces there are, kings included.
    pub(super) fn pieces(&self) -> usize {
        self.counts.iter().flatten().map(|&count| usize::from(count)).sum()
    }

    /// How many of one kind a side has; the first side is 0.
    pub(super) fn count(&self, side: usize, piece_type: PieceType) -> usize {
        self.counts[side][piece_type.index()].into()
    }

    /// How many pieces there are that are the only one of their kind and side; the kings count.
    pub(super) fn unique_pieces(&self) -> usize {
        self.counts.iter().flatten().filter(|&&count| count == 1).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
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
    fn of_a_board() {
        let board: Board = "4k3/8/8/3n4/8/4PP2/8/4K2R w K - 0 1".parse().unwrap();
        let material = Material::of(&board);
        assert_eq!((material.name().as_str(), material.pieces()), ("KRPPvKN", 6));
        assert_eq!(material.swapped().name(), "KNvKRPP");
        assert_eq!(material.unique_pieces(), 4);
        assert!(!material.is_symmetric());
        assert!(Material::parse("KPvKP").unwrap().is_symmetric());
    }
}
