//! A training record as the network sees it: the rows of its features, its output bucket and its target.

use super::loss::Blend;
use super::tensors::Shape;
use bulletformat::ChessBoard;
use tabiya_core::{Color, Piece, PieceType, Square};
use tabiya_eval::nnue::{Architecture, FEATURES_PER_BUCKET, Perspective, PieceSets};

/// The largest number of pieces on a board.
const MAX_PIECES: usize = 32;

/// A training example.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Example {
    /// Rows of the active features, from the perspectives of the side to move and of the other side.
    rows: [[u16; MAX_PIECES]; 2],
    pieces: u8,
    output_bucket: u8,
    /// Target of the network's sigmoid, from 0 to 1.
    pub(super) target: f32,
}

impl Example {
    /// Looks up the features of a checked record.
    pub(super) fn new(record: &ChessBoard, architecture: &Architecture, blend: Blend) -> Example {
        // The record shows the board to the side to move as White sees it.
        let perspectives = [
            Perspective::new(architecture, Color::White, Square::wrapping(record.ksq)),
            Perspective::new(architecture, Color::Black, Square::wrapping(record.opp_ksq ^ 56)),
        ];
        let board = || {
            record.into_iter().take(MAX_PIECES).filter_map(|(piece, square)| {
                let color = if piece & 8 == 0 { Color::White } else { Color::Black };
                let piece_type = PieceType::from_index(usize::from(piece & 7))?;
                Some((Piece::new(color, piece_type), Square::wrapping(square)))
            })
        };
        let mut sets = PieceSets::default();
        for (piece, square) in board() {
            sets[piece.color().index()][piece.piece_type().index()] |= square.bitboard();
        }
        let states = architecture.threat_states(&sets);
        let shape = Shape::new(architecture);
        let mut rows = [[0; MAX_PIECES]; 2];
        let mut pieces = 0;
        for (piece, square) in board() {
            for (rows, perspective) in rows.iter_mut().zip(perspectives) {
                let feature = perspective.feature(piece, square);
                rows[pieces] =
                    row(shape.in_bucket(feature, states.state(square)), shape.feature_buckets) as u16;
            }
            pieces += 1;
        }
        Example {
            rows,
            pieces: pieces as u8,
            output_bucket: architecture.output_bucket(pieces) as u8,
            target: blend.target(record),
        }
    }

    /// Rows of the active features from a perspective: that of the side to move (0) or of the other side (1).
    #[inline(always)]
    pub(super) fn rows(&self, perspective: usize) -> &[u16] {
        &self.rows[perspective][..usize::from(self.pieces)]
    }

    #[inline(always)]
    pub(super) fn output_bucket(&self) -> usize {
        usize::from(self.output_bucket)
    }
}

/// Returns the row of a feature's weights during training, where the buckets of a feature are adjacent: they share the row of
/// the factoriser.
pub(super) fn row(feature: usize, feature_buckets: usize) -> usize {
    feature % FEATURES_PER_BUCKET * feature_buckets + feature / FEATURES_PER_BUCKET
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tabiya_core::Board;
    use tabiya_eval::nnue::KingBuckets;

    const BLEND: Blend = Blend { lambda: 0.5, eval_scale: 400.0 };

    fn example(text: &str, architecture: &Architecture) -> Example {
        Example::new(&text.parse().unwrap(), architecture, BLEND)
    }

    fn architecture(king_buckets: KingBuckets) -> Architecture {
        Architecture::new(32, king_buckets, 8, 400).unwrap()
    }

    fn rows(example: &Example, side: usize) -> BTreeSet<u16> {
        example.rows(side).iter().copied().collect()
    }

    #[test]
    fn mirrored_and_colour_flipped_positions_have_the_same_rows() {
        let map = std::array::from_fn(|square| (square / 8) as u8);
        let by_rank = architecture(KingBuckets::new(map).unwrap());
        let with_threats = by_rank.clone().with_threats().unwrap();
        for architecture in [architecture(KingBuckets::single()), by_rank, with_threats] {
            let first = example("1k2r3/pp6/8/8/3N4/8/5PPP/6K1 w - - 0 1 | 30 | 1.0", &architecture);
            let mirrored = example("3r2k1/6pp/8/8/4N3/8/PPP5/1K6 w - - 0 1 | 30 | 1.0", &architecture);
            let flipped = example("6k1/5ppp/8/3n4/8/8/PP6/1K2R3 b - - 0 1 | -30 | 0.0", &architecture);
            for side in [0, 1] {
                assert_eq!(rows(&first, side), rows(&mirrored, side));
                assert_eq!(rows(&first, side), rows(&flipped, side));
            }
            assert_ne!(rows(&first, 0), rows(&first, 1));
            assert_eq!(first.target, flipped.target);
            assert_eq!(first.output_bucket(), 1);
        }
    }

    #[test]
    fn without_mirroring_a_piece_keeps_its_file() {
        let text = "1k2r3/pp6/8/8/3N4/8/5PPP/6K1 w - - 0 1 | 30 | 1.0";
        let plain = example(text, &architecture(KingBuckets::single().without_mirroring()));
        // The own knight on d4.
        assert!(rows(&plain, 0).contains(&(64 + 27)));
        assert!(!rows(&example(text, &architecture(KingBuckets::single())), 0).contains(&(64 + 27)));
    }

    #[test]
    fn threat_states_are_those_of_the_board() {
        let architecture = architecture(KingBuckets::single()).with_threats().unwrap();
        let text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R";
        for (side, color) in [('w', Color::White), ('b', Color::Black)] {
            let board = Board::from_fen(&format!("{text} {side} KQkq - 0 1")).unwrap();
            let example = example(&format!("{board} | 30 | 1.0"), &architecture);
            let sets =
                Color::ALL.map(|color| PieceType::ALL.map(|piece_type| board.pieces(color, piece_type)));
            let states = architecture.threat_states(&sets);
            for (index, color) in [color, !color].into_iter().enumerate() {
                let perspective = Perspective::new(&architecture, color, board.king(color));
                let feature = |square: Square| {
                    let piece = board.piece_on(square).unwrap();
                    let state = states.state(square);
                    row(768 * state + perspective.feature(piece, square), 4) as u16
                };
                assert_eq!(rows(&example, index), board.occupied().into_iter().map(feature).collect());
            }
        }
    }

    #[test]
    fn rows_number_the_features() {
        let buckets = 3;
        let rows: BTreeSet<usize> =
            (0..FEATURES_PER_BUCKET * buckets).map(|feature| row(feature, buckets)).collect();
        assert_eq!(rows.len(), FEATURES_PER_BUCKET * buckets);
        assert_eq!(rows.last(), Some(&(FEATURES_PER_BUCKET * buckets - 1)));
        assert_eq!(row(768 + 5, 3), row(5, 3) + 1);
    }
}
