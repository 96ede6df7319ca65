//! Feature indices.

use super::architecture::Architecture;
use super::limits::FEATURES_PER_BUCKET;
use tabiya_core::{Color, Piece, PieceType, Square};

/// A side's view of the board, which turns pieces into feature indices.
///
/// It depends on the colour and on the square of that side's king. A feature index is
/// `bucket * 768 + (own ? 0 : 384) + piece_type * 64 + square`, with the square's rank flipped for Black and then its file
/// mirrored if the king stands on files e to h, unless the king buckets are without mirroring. The bucket is that of the king. In a network
/// with threats it is four times that, plus the piece's [threat state](super::ThreatStates).
///
/// ```
/// use tabiya_core::{Color, Piece, Square};
/// use tabiya_eval::nnue::{Architecture, KingBuckets, Perspective};
///
/// let architecture = Architecture::new(32, KingBuckets::single(), 1, 400)?;
/// let white = Perspective::new(&architecture, Color::White, Square::D1);
/// assert_eq!(white.feature(Piece::WhitePawn, Square::A2, 0), 8);
/// assert_eq!(white.feature(Piece::BlackKing, Square::A8, 0), 384 + 5 * 64 + 56);
///
/// // The same for Black; its king on the e-file mirrors the board.
/// let black = Perspective::new(&architecture, Color::Black, Square::E8);
/// assert_eq!(black.feature(Piece::BlackPawn, Square::H7, 0), 8);
/// # Ok::<(), tabiya_eval::nnue::ArchitectureError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    king_bucket: u8,
    /// The bucket of features in threat state 0.
    feature_bucket: u8,
    /// The bits of a square's index that are flipped: 56 for the rank, 7 for the file.
    flip: u8,
}

impl Perspective {
    /// The perspective of `color` with its king on `king`.
    #[inline]
    pub fn new(architecture: &Architecture, color: Color, king: Square) -> Perspective {
        let king_buckets = architecture.king_buckets();
        let king = king.relative_to(color);
        let rank_flip = if color == Color::White { 0 } else { 56 };
        let file_flip = if king_buckets.mirrors() && king.file().index() >= 4 { 7 } else { 0 };
        let king_bucket = king_buckets.bucket(king);
        Perspective {
            color,
            king_bucket: king_bucket as u8,
            feature_bucket: (king_bucket * architecture.threat_state_count()) as u8,
            flip: rank_flip ^ file_flip,
        }
    }

    /// The side whose perspective this is.
    #[inline]
    pub fn color(self) -> Color {
        self.color
    }

    /// The king bucket.
    #[inline]
    pub fn king_bucket(self) -> usize {
        usize::from(self.king_bucket)
    }

    /// True if files are mirrored.
    #[inline]
    pub fn is_mirrored(self) -> bool {
        self.flip & 7 != 0
    }

    /// Returns the index of the feature `piece` on `square` in a threat state, below [`Architecture::features`]. The state is 0 in
    /// networks without threats.
    #[inline]
    pub fn feature(self, piece: Piece, square: Square, state: usize) -> usize {
        let enemy = usize::from(piece.color() != self.color);
        let kind = PieceType::COUNT * enemy + piece.piece_type().index();
        FEATURES_PER_BUCKET * (usize::from(self.feature_bucket) + state)
            + Square::COUNT * kind
            + (square.index() ^ usize::from(self.flip))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::KingBuckets;

    /// Networks with four king buckets, without and with threats.
    fn architectures() -> [Architecture; 2] {
        let map = std::array::from_fn(|square| (square / 8) as u8);
        let plain = architecture(KingBuckets::new(map).expect("four buckets"));
        [plain.clone(), plain.with_threats().expect("few king buckets")]
    }

    fn architecture(king_buckets: KingBuckets) -> Architecture {
        Architecture::new(32, king_buckets, 1, 400).expect("valid sizes")
    }

    fn all_pieces() -> impl Iterator<Item = Piece> {
        Color::ALL
            .into_iter()
            .flat_map(|color| PieceType::ALL.map(|piece_type| Piece::new(color, piece_type)))
    }

    #[test]
    fn symmetric_under_colour_flip_and_file_mirror() {
        for architecture in architectures() {
            let state = architecture.threat_state_count() - 1;
            for king in Square::ALL {
                let white = Perspective::new(&architecture, Color::White, king);
                let black = Perspective::new(&architecture, Color::Black, king.flip_rank());
                let mirrored = Perspective::new(&architecture, Color::White, king.flip_file());
                assert_ne!(white.is_mirrored(), mirrored.is_mirrored());
                for piece in all_pieces() {
                    let other = Piece::new(!piece.color(), piece.piece_type());
                    for square in Square::ALL {
                        let index = white.feature(piece, square, state);
                        assert_eq!(black.feature(other, square.flip_rank(), state), index);
                        assert_eq!(mirrored.feature(piece, square.flip_file(), state), index);
                    }
                }
            }
        }
    }

    #[test]
    fn indices_are_distinct_and_in_range() {
        let kings = [
            (Color::White, Square::A1),
            (Color::Black, Square::F5),
            (Color::White, Square::H5),
            (Color::White, Square::D8),
        ];
        for architecture in architectures() {
            let mut seen = vec![false; architecture.features()];
            for (color, king) in kings {
                let perspective = Perspective::new(&architecture, color, king);
                for state in 0..architecture.threat_state_count() {
                    for piece in all_pieces() {
                        for square in Square::ALL {
                            let index = perspective.feature(piece, square, state);
                            assert!(!std::mem::replace(&mut seen[index], true));
                        }
                    }
                }
            }
            assert!(seen.iter().all(|&seen| seen));
        }
    }

    #[test]
    fn without_mirroring_squares_keep_their_files() {
        let [mirrored, _] = architectures();
        let plain = architecture(mirrored.king_buckets().clone().without_mirroring());
        for king in Square::ALL {
            let white = Perspective::new(&plain, Color::White, king);
            assert_eq!(white.king_bucket(), Perspective::new(&mirrored, Color::White, king).king_bucket());
            for square in Square::ALL {
                assert_eq!(white.feature(Piece::WhitePawn, square, 0) % 64, square.index());
            }
        }
    }

    #[test]
    fn own_king_is_seen_on_files_a_to_d() {
        for architecture in architectures() {
            for color in Color::ALL {
                for king in Square::ALL {
                    let piece = Piece::new(color, PieceType::King);
                    let index = Perspective::new(&architecture, color, king).feature(piece, king, 0);
                    assert!(index % 8 < 4, "{king}");
                    assert!(index < architecture.features());
                }
            }
        }
    }
}
