//! A small pseudo-random generator with a fixed stream.

/// The increment of the state: 2^64 divided by the golden ratio.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The SplitMix64 generator (Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*, 2014).
///
/// Its stream is part of this crate's interface: the same seed gives the same numbers in every version and on every
/// machine. Zobrist keys, random openings and reproducible tests depend on it. It is not suitable for cryptography.
///
/// ```
/// use tabiya_core::SplitMix64;
///
/// let mut random = SplitMix64::new(1_234_567);
/// assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
/// assert!(random.below(6) < 6);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// Creates a generator from a seed.
    pub const fn new(seed: u64) -> SplitMix64 {
        SplitMix64 { state: seed }
    }

    /// Returns the next number, uniform over all 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        let number = SplitMix64::hash(self.state);
        self.state = self.state.wrapping_add(GAMMA);
        number
    }

    /// Returns a number from 0 up to `bound`, exclusive; 0 if `bound` is 0.
    ///
    /// The bias is at most `bound` / 2^64.
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next_u64() as u128 * bound as u128) >> 64) as usize
    }

    /// Returns the first number of the stream with the given seed: a 64-bit hash of the seed.
    pub const fn hash(seed: u64) -> u64 {
        let z = seed.wrapping_add(GAMMA);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stream_is_the_published_one() {
        let mut random = SplitMix64::new(1_234_567);
        let published = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([(); 3].map(|()| random.next_u64()), published);
    }

    #[test]
    fn below_scales_the_stream() {
        let mut random = SplitMix64::new(1_234_567);
        assert_eq!([(); 3].map(|()| random.below(100)), [35, 17, 53], "hundredths of 2^64");
        assert_eq!(random.below(0), 0);
        assert_eq!(random.below(1), 0);
    }
}
