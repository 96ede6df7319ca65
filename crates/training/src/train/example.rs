//! A training record as the network sees it: the rows of its features, its output bucket and its target.

use super::loss::Blend;
use bulletformat::ChessBoard;
use tabiya_core::{Bitboard, Color, Piece, PieceType, Square};
use tabiya_eval::nnue::{Architecture, FEATURES_PER_BUCKET, Perspective, ThreatStates};

/// The largest number of pieces on a board.
const MAX_PIECES: usize = 32;

/// A training example.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Example {
    /// Rows of the active features, from the perspectives of the side to move and of the other side.
    rows: [[u16; MAX_PIECES]; 2],
    /// Rows of the active threat features, from the perspective of the side to move, then from that of the other side. Empty if the
    /// network has no threats.
    threat_rows: Box<[u16]>,
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
        let states = (architecture.threat_neurons() > 0).then(|| threat_states(record));
        let mut rows = [[0; MAX_PIECES]; 2];
        let mut threat_rows = [[0; MAX_PIECES]; 2];
        let (mut pieces, mut attacked) = (0, 0);
        for (piece, square) in pieces_of(record) {
            for (rows, perspective) in rows.iter_mut().zip(perspectives) {
                rows[pieces] = row(perspective.feature(piece, square), king_buckets.count()) as u16;
            }
            pieces += 1;
            let state = states.map_or(0, |states| states.state(square));
            if state > 0 {
                for (rows, perspective) in threat_rows.iter_mut().zip(perspectives) {
                    rows[attacked] = perspective.threat_feature(piece, square, state) as u16;
                }
                attacked += 1;
            }
        }
        Example {
            rows,
            threat_rows: threat_rows.each_ref().map(|rows| &rows[..attacked]).concat().into(),
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

    /// Rows of the active threat features from a perspective.
    #[inline(always)]
    pub(super) fn threat_rows(&self, perspective: usize) -> &[u16] {
        let attacked = self.threat_rows.len() / 2;
        &self.threat_rows[perspective * attacked..][..attacked]
    }

    #[inline(always)]
    pub(super) fn output_bucket(&self) -> usize {
        usize::from(self.output_bucket)
    }
}

/// The pieces of a record with their squares.
#[inline]
fn pieces_of(record: &ChessBoard) -> impl Iterator<Item = (Piece, Square)> {
    record.into_iter().take(MAX_PIECES).filter_map(|(piece, square)| {
        let color = if piece & 8 == 0 { Color::White } else { Color::Black };
        let piece_type = PieceType::from_index(usize::from(piece & 7))?;
        Some((Piece::new(color, piece_type), Square::wrapping(square)))
    })
}

/// The threat states of the pieces of a record.
fn threat_states(record: &ChessBoard) -> ThreatStates {
    let mut sets = [[Bitboard::EMPTY; PieceType::COUNT]; 2];
    for (piece, square) in pieces_of(record) {
        sets[piece.color().index()][piece.piece_type().index()] |= square.bitboard();
    }
    ThreatStates::new(|color, piece_type| sets[color.index()][piece_type.index()])
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
    use tabiya_core::Board;
    use tabiya_eval::nnue::KingBuckets;

    const BLEND: Blend = Blend { lambda: 0.5, eval_scale: 400.0 };

    fn example(text: &str, king_buckets: &KingBuckets) -> Example {
        example_with_threats(text, king_buckets, 0)
    }

    fn example_with_threats(text: &str, king_buckets: &KingBuckets, threats: usize) -> Example {
        let plain = Architecture::new(32, king_buckets.clone(), 8, 400).unwrap();
        Example::new(&text.parse().unwrap(), &plain.with_threats(threats).unwrap(), BLEND)
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

    fn threat_rows(example: &Example, side: usize) -> BTreeSet<u16> {
        example.threat_rows(side).iter().copied().collect()
    }

    #[test]
    fn mirrored_and_colour_flipped_positions_have_the_same_threat_rows() {
        let king_buckets = KingBuckets::single();
        let [first, mirrored, flipped] = [
            "1k2r3/pp6/8/5q2/3N4/8/5PPP/4R1K1 w - - 0 1 | 30 | 1.0",
            "3r2k1/6pp/8/2q5/4N3/8/PPP5/1K1R4 w - - 0 1 | 30 | 1.0",
            "4r1k1/5ppp/8/3n4/5Q2/8/PP6/1K2R3 b - - 0 1 | -30 | 0.0",
        ]
        .map(|text| example_with_threats(text, &king_buckets, 32));
        for side in [0, 1] {
            // The queen, both rooks and the pawn on f2.
            assert_eq!(threat_rows(&first, side).len(), 4, "{first:?}");
            assert_eq!(threat_rows(&first, side), threat_rows(&mirrored, side));
            assert_eq!(threat_rows(&first, side), threat_rows(&flipped, side));
        }
        // The knight attacks the queen on f5; its king does not mirror the board, the own king on g1 does.
        assert!(threat_rows(&first, 0).contains(&(2 * 768 + 384 + 4 * 64 + 34)));
        assert!(threat_rows(&first, 1).contains(&(2 * 768 + 4 * 64 + 29)));
    }

    #[test]
    fn threat_rows_are_those_of_the_board() {
        let king_buckets = KingBuckets::new(std::array::from_fn(|square| (square / 8) as u8)).unwrap();
        let text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R";
        for (side, us) in [('w', Color::White), ('b', Color::Black)] {
            let board = Board::from_fen(&format!("{text} {side} KQkq - 0 1")).unwrap();
            let text = format!("{board} | 30 | 1.0");
            let example = example_with_threats(&text, &king_buckets, 32);
            let states = ThreatStates::new(|color, piece_type| board.pieces(color, piece_type));
            assert!(
                (1..ThreatStates::COUNT)
                    .all(|state| board.occupied().into_iter().any(|square| states.state(square) == state))
            );
            for (index, color) in [us, !us].into_iter().enumerate() {
                let perspective = Perspective::new(&king_buckets, color, board.king(color));
                let row = |square| {
                    let piece = board.piece_on(square).unwrap();
                    perspective.threat_feature(piece, square, states.state(square)) as u16
                };
                assert_eq!(threat_rows(&example, index), states.attacked().into_iter().map(row).collect());
                assert_eq!(example.rows(index), self::example(&text, &king_buckets).rows(index));
            }
            assert!(self::example(&text, &king_buckets).threat_rows(1).is_empty());
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
