//! King buckets.

use super::error::ArchitectureError;
use super::limits::MAX_KING_BUCKETS;
use tabiya_core::Square;

/// A bucket for each square of a king on files a to d. Each bucket has its own feature weights.
///
/// A king on files e to h has the bucket of the mirrored square. The board is then mirrored, too, unless the buckets are
/// [without mirroring](KingBuckets::without_mirroring).
///
/// ```
/// use tabiya_core::Square;
/// use tabiya_eval::nnue::KingBuckets;
///
/// // The first rank, and the rest of the board.
/// let mut map = [1; 32];
/// map[..4].fill(0);
/// let buckets = KingBuckets::new(map)?;
/// assert_eq!(buckets.count(), 2);
/// assert_eq!(buckets.bucket(Square::C1), 0);
/// assert_eq!(buckets.bucket(Square::F1), 0, "mirrored to c1");
/// assert_eq!(buckets.bucket(Square::C2), 1);
/// # Ok::<(), tabiya_eval::nnue::ArchitectureError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KingBuckets {
    /// In the order a1, b1, c1, d1, a2 to d8.
    map: [u8; 32],
    count: u8,
    mirrors: bool,
}

impl KingBuckets {
    /// The bucket of each square in the order a1, b1, c1, d1, a2 to d8, from the perspective of the king's side.
    ///
    /// # Errors
    /// If a bucket is 32 or more, or if a number below the greatest one is not used.
    pub fn new(map: [u8; 32]) -> Result<KingBuckets, ArchitectureError> {
        let mut used: u32 = 0;
        for (square, &bucket) in map.iter().enumerate() {
            if usize::from(bucket) >= MAX_KING_BUCKETS {
                return Err(ArchitectureError::KingBucket { square, found: bucket });
            }
            used |= 1 << bucket;
        }
        let count = 32 - used.leading_zeros();
        if used.trailing_ones() != count {
            return Err(ArchitectureError::UnusedKingBucket { bucket: used.trailing_ones() as u8 });
        }
        Ok(KingBuckets { map, count: count as u8, mirrors: true })
    }

    /// One bucket for all squares.
    pub fn single() -> KingBuckets {
        KingBuckets { map: [0; 32], count: 1, mirrors: true }
    }

    /// The same buckets for networks that never mirror the board, as in the plain architecture `(768 -> N)x2 -> 1`.
    ///
    /// ```
    /// use tabiya_core::{Color, Piece, Square};
    /// use tabiya_eval::nnue::{KingBuckets, Perspective};
    ///
    /// let white = Perspective::new(&KingBuckets::single().without_mirroring(), Color::White, Square::E1);
    /// assert_eq!(white.feature(Piece::WhitePawn, Square::A2), 8);
    /// ```
    #[must_use]
    pub fn without_mirroring(self) -> KingBuckets {
        KingBuckets { mirrors: false, ..self }
    }

    /// True if the board is mirrored for a king on files e to h.
    #[inline]
    pub fn mirrors(&self) -> bool {
        self.mirrors
    }

    /// The number K of buckets.
    pub fn count(&self) -> usize {
        usize::from(self.count)
    }

    /// The bucket of each square in the order a1, b1, c1, d1, a2 to d8.
    pub fn map(&self) -> &[u8; 32] {
        &self.map
    }

    /// Returns the bucket of a king's square as its own side sees it: for Black, with the rank flipped. Files e to h are
    /// mirrored.
    #[inline]
    pub fn bucket(&self, king: Square) -> usize {
        let file = king.file().index();
        usize::from(self.map[4 * king.rank().index() + file.min(7 - file)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_king_buckets_out_of_range_and_gaps() {
        let mut map = [0; 32];
        map[7] = 32;
        let error = KingBuckets::new(map).expect_err("bucket 32 does not exist");
        assert_eq!(error.to_string(), "king bucket 32 on d2 (expected 0 to 31)");
        map[7] = 2;
        assert_eq!(KingBuckets::new(map), Err(ArchitectureError::UnusedKingBucket { bucket: 1 }));
        let all: [u8; 32] = std::array::from_fn(|square| square as u8);
        assert_eq!(KingBuckets::new(all).map(|buckets| buckets.count()), Ok(32));
    }
}
