//! Seeded random numbers.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

/// The generator used by all commands. Unlike `rand::rngs::StdRng`, it is a fixed algorithm, so that a seed
/// gives the same opening order and the same games with every version of `rand`. Shuffling and sampling from
/// ranges are still left to `rand`; a test fails if a new version changes them.
pub type Random = Xoshiro256PlusPlus;

/// Returns the generator with this seed.
pub fn seeded(seed: u64) -> Random {
    Random::seed_from_u64(seed)
}

/// Returns the generator for one part (a game, an iteration) of a run with this seed. The streams of
/// adjacent seeds and of adjacent indices are independent.
pub fn substream(seed: u64, index: u64) -> Random {
    seeded(seeded(seed).next_u64() ^ seeded(!index).next_u64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use rand::seq::SliceRandom;

    #[test]
    fn seeded_stream_is_stable() {
        let mut random = seeded(1);
        let mut items: Vec<u32> = (0..10).collect();
        items.shuffle(&mut random);
        assert_eq!(items, [4, 9, 8, 1, 6, 0, 3, 7, 5, 2]);
        assert_eq!([100, 960, 1_000_000].map(|bound| random.random_range(0..bound)), [74, 96, 746_216]);
    }

    #[test]
    fn substreams_differ() {
        let first = |seed, index| substream(seed, index).next_u64();
        let all: std::collections::HashSet<u64> =
            (0..40).flat_map(|seed| (0..40).map(move |index| first(seed, index))).collect();
        assert_eq!(all.len(), 40 * 40);
        assert_eq!(first(7, 3), first(7, 3));
    }
}
