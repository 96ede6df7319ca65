//! Random numbers that a seed stands for.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

/// The generator of all commands. Unlike the standard one of `rand`, it is the same algorithm in every
/// version: the order of the openings is part of a match, and the same seed should give the same games in
/// years to come. What is made of its numbers (shuffles, ranges) may change with a new version of `rand`; a
/// test says when it does.
pub(crate) type Random = Xoshiro256PlusPlus;

/// The stream with this seed.
pub(crate) fn seeded(seed: u64) -> Random {
    Random::seed_from_u64(seed)
}

/// The stream of one part, with its number, of something that has a seed. Neither neighbouring seeds nor
/// neighbouring numbers share anything.
pub(crate) fn part_of(seed: u64, number: u64) -> Random {
    seeded(seeded(seed).next_u64() ^ seeded(!number).next_u64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use rand::seq::SliceRandom;

    #[test]
    fn a_seed_stands_for_the_same_numbers_in_every_version() {
        let mut random = seeded(1);
        let mut items: Vec<u32> = (0..10).collect();
        items.shuffle(&mut random);
        assert_eq!(items, [4, 9, 8, 1, 6, 0, 3, 7, 5, 2]);
        assert_eq!([100, 960, 1_000_000].map(|bound| random.random_range(0..bound)), [74, 96, 746_216]);
    }

    #[test]
    fn parts_have_nothing_in_common() {
        let first = |seed, number| part_of(seed, number).next_u64();
        let all: std::collections::HashSet<u64> =
            (0..40).flat_map(|seed| (0..40).map(move |number| first(seed, number))).collect();
        assert_eq!(all.len(), 40 * 40);
        assert_eq!(first(7, 3), first(7, 3));
    }
}
