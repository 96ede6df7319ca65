//! Feature indices.

use super::king_buckets::KingBuckets;
use super::limits::FEATURES_PER_BUCKET;
use tabiya_core::{Color, Piece, PieceType, Square};

/// A side's view of the board, which turns pieces into feature indices.
///
/// It depends on the colour and on the square of that side's king. A feature index is
/// `king_bucket * 768 + (own ? 0 : 384) + piece_type * 64 + square`, with the square's rank flipped for Black and then its file
/// mirrored if the king stands on files e to h, unless the buckets are without mirroring. A piece in
/// [threat state](super::ThreatStates) 1 to 3 also has a threat feature. Its index has `state - 1` in place of `king_bucket`.
///
/// ```
/// use tabiya_core::{Color, Piece, Square};
/// use tabiya_eval::nnue::{KingBuckets, Perspective};
///
/// let white = Perspective::new(&KingBuckets::single(), Color::White, Square::D1);
/// assert_eq!(white.feature(Piece::WhitePawn, Square::A2), 8);
/// assert_eq!(white.feature(Piece::BlackKing, Square::A8), 384 + 5 * 64 + 56);
/// assert_eq!(white.threat_feature(Piece::WhitePawn, Square::A2, 3), 2 * 768 + 8);
///
/// // The same for Black; its king on the e-file mirrors the board.
/// let black = Perspective::new(&KingBuckets::single(), Color::Black, Square::E8);
/// assert_eq!(black.feature(Piece::BlackPawn, Square::H7), 8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    king_bucket: u8,
    /// The bits of a square's index that are flipped: 56 for the rank, 7 for the file.
    flip: u8,
}

impl Perspective {
    /// The perspective of `color` with its king on `king`.
    #[inline]
    pub fn new(king_buckets: &KingBuckets, color: Color, king: Square) -> Perspective {
        let king = king.relative_to(color);
        let rank_flip = if color == Color::White { 0 } else { 56 };
        let file_flip = if king_buckets.mirrors() && king.file().index() >= 4 { 7 } else { 0 };
        Perspective { color, king_bucket: king_buckets.bucket(king) as u8, flip: rank_flip ^ file_flip }
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

    /// Returns the index of the feature `piece` on `square`, below [`Architecture::features`](super::Architecture::features).
    #[inline]
    pub fn feature(self, piece: Piece, square: Square) -> usize {
        self.index(self.king_bucket(), piece, square)
    }

    /// Returns the index of the threat feature `piece` on `square` in threat state 1 to 3, below
    /// [`THREAT_FEATURES`](super::THREAT_FEATURES).
    ///
    /// # Panics
    /// In debug builds, for the state 0, which has no feature.
    #[inline]
    pub fn threat_feature(self, piece: Piece, square: Square, state: usize) -> usize {
        self.index(state - 1, piece, square)
    }

    #[inline]
    fn index(self, bucket: usize, piece: Piece, square: Square) -> usize {
        let enemy = usize::from(piece.color() != self.color);
        let kind = PieceType::COUNT * enemy + piece.piece_type().index();
        FEATURES_PER_BUCKET * bucket + Square::COUNT * kind + (square.index() ^ usize::from(self.flip))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::limits::THREAT_FEATURES;
    use crate::nnue::{Architecture, ThreatStates};

    fn buckets() -> KingBuckets {
        let map = std::array::from_fn(|square| (square / 8) as u8);
        KingBuckets::new(map).expect("four buckets")
    }

    fn all_pieces() -> impl Iterator<Item = Piece> {
        Color::ALL
            .into_iter()
            .flat_map(|color| PieceType::ALL.map(|piece_type| Piece::new(color, piece_type)))
    }

    #[test]
    fn symmetric_under_colour_flip_and_file_mirror() {
        let buckets = buckets();
        for king in Square::ALL {
            let white = Perspective::new(&buckets, Color::White, king);
            let black = Perspective::new(&buckets, Color::Black, king.flip_rank());
            let mirrored = Perspective::new(&buckets, Color::White, king.flip_file());
            assert_ne!(white.is_mirrored(), mirrored.is_mirrored());
            for piece in all_pieces() {
                let other = Piece::new(!piece.color(), piece.piece_type());
                for square in Square::ALL {
                    let index = white.feature(piece, square);
                    assert_eq!(black.feature(other, square.flip_rank()), index);
                    assert_eq!(mirrored.feature(piece, square.flip_file()), index);
                    let index = white.threat_feature(piece, square, 2);
                    assert_eq!(black.threat_feature(other, square.flip_rank(), 2), index);
                    assert_eq!(mirrored.threat_feature(piece, square.flip_file(), 2), index);
                }
            }
        }
    }

    #[test]
    fn indices_are_distinct_and_in_range() {
        let buckets = buckets();
        for (color, king) in
            [(Color::White, Square::A1), (Color::Black, Square::F1), (Color::White, Square::H5)]
        {
            let perspective = Perspective::new(&buckets, color, king);
            let mut seen = [false; FEATURES_PER_BUCKET];
            for piece in all_pieces() {
                for square in Square::ALL {
                    let index = perspective.feature(piece, square);
                    let start = FEATURES_PER_BUCKET * perspective.king_bucket();
                    assert!(!std::mem::replace(&mut seen[index - start], true));
                }
            }
            let mut seen = [false; THREAT_FEATURES];
            for piece in all_pieces() {
                for square in Square::ALL {
                    for state in 1..ThreatStates::COUNT {
                        let index = perspective.threat_feature(piece, square, state);
                        assert!(!std::mem::replace(&mut seen[index], true));
                    }
                }
            }
        }
    }

    #[test]
    fn without_mirroring_squares_keep_their_files() {
        let plain = buckets().without_mirroring();
        for king in Square::ALL {
            let white = Perspective::new(&plain, Color::White, king);
            assert_eq!(white.king_bucket(), Perspective::new(&buckets(), Color::White, king).king_bucket());
            for square in Square::ALL {
                assert_eq!(white.feature(Piece::WhitePawn, square) % 64, square.index());
            }
        }
    }

    #[test]
    fn own_king_is_seen_on_files_a_to_d() {
        let architecture = Architecture::new(32, buckets(), 1, 400).expect("valid sizes");
        for color in Color::ALL {
            for king in Square::ALL {
                let piece = Piece::new(color, PieceType::King);
                let index = Perspective::new(architecture.king_buckets(), color, king).feature(piece, king);
                assert!(index % 8 < 4, "{king}");
                assert!(index < architecture.features());
            }
        }
    }
}
