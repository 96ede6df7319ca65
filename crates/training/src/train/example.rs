//! A training record as the network sees it: the rows of its features, its output bucket and its target.

use super::loss::Blend;
use bulletformat::ChessBoard;
use tabiya_core::{Color, Piece, PieceType, Square};
use tabiya_eval::nnue::{Architecture, FEATURES_PER_BUCKET, Perspective};

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
        let king_buckets = architecture.king_buckets();
        let perspectives = [
            Perspective::new(king_buckets, Color::White, Square::wrapping(record.ksq)),
            Perspective::new(king_buckets, Color::Black, Square::wrapping(record.opp_ksq ^ 56)),
        ];
        let mut rows = [[0; MAX_PIECES]; 2];
        let mut pieces = 0;
        for (piece, square) in record.into_iter().take(MAX_PIECES) {
            let color = if piece & 8 == 0 { Color::White } else { Color::Black };
            let Some(piece_type) = PieceType::from_index(usize::from(piece & 7)) else { continue };
            for (rows, perspective) in rows.iter_mut().zip(perspectives) {
                let feature = perspective.feature(Piece::new(color, piece_type), Square::wrapping(square));
                rows[pieces] = row(feature, king_buckets.count()) as u16;
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

/// Returns the row of a feature's weights during training, where the king buckets of a feature are adjacent: they share
/// the row of the factoriser.
pub(super) fn row(feature: usize, king_buckets: usize) -> usize {
    feature % FEATURES_PER_BUCKET * king_buckets + feature / FEATURES_PER_BUCKET
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tabiya_eval::nnue::KingBuckets;

    const BLEND: Blend = Blend { lambda: 0.5, eval_scale: 400.0 };

    fn example(text: &str, king_buckets: &KingBuckets) -> Example {
        let architecture = Architecture::new(32, king_buckets.clone(), 8, 400).unwrap();
        Example::new(&text.parse().unwrap(), &architecture, BLEND)
    }

    fn rows(example: &Example, side: usize) -> BTreeSet<u16> {
        example.rows(side).iter().copied().collect()
    }

    #[test]
    fn mirrored_and_colour_flipped_positions_have_the_same_rows() {
        let map = std::array::from_fn(|square| (square / 8) as u8);
        for king_buckets in [KingBuckets::single(), KingBuckets::new(map).unwrap()] {
            let first = example("1k2r3/pp6/8/8/3N4/8/5PPP/6K1 w - - 0 1 | 30 | 1.0", &king_buckets);
            let mirrored = example("3r2k1/6pp/8/8/4N3/8/PPP5/1K6 w - - 0 1 | 30 | 1.0", &king_buckets);
            let flipped = example("6k1/5ppp/8/3n4/8/8/PP6/1K2R3 b - - 0 1 | -30 | 0.0", &king_buckets);
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
        let plain = example(text, &KingBuckets::single().without_mirroring());
        // The own knight on d4.
        assert!(rows(&plain, 0).contains(&(64 + 27)));
        assert!(!rows(&example(text, &KingBuckets::single()), 0).contains(&(64 + 27)));
    }

    #[test]
    fn rows_number_the_features() {
        let king_buckets = 3;
        let rows: BTreeSet<usize> =
            (0..FEATURES_PER_BUCKET * king_buckets).map(|feature| row(feature, king_buckets)).collect();
        assert_eq!(rows.len(), FEATURES_PER_BUCKET * king_buckets);
        assert_eq!(rows.last(), Some(&(FEATURES_PER_BUCKET * king_buckets - 1)));
        assert_eq!(row(768 + 5, 3), row(5, 3) + 1);
    }
}
