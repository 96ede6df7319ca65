//! Random numbers that never change, so that a seed stands for the same openings and the same errors for
//! ever: SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Spreads a number over all 64 bits.
pub(crate) fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(STEP);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A stream of numbers; it begins with its seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number less than `bound`. The bounds are small, so what is wrong with the odds is not to be seen.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let number = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        ((u128::from(number) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        let seed = 1_234_567_u64;
        let stream = [0, 1, 2].map(|number: u64| mix(seed.wrapping_add(number.wrapping_mul(STEP))));
        let published = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(stream, published);
        let mut random = Random(seed);
        assert_eq!([(); 3].map(|()| random.below(100)), [35, 17, 53], "hundredths of 2^64");
    }
}
