//! The inner loops, for several instruction sets, selected at run time.
//!
//! A kernel has four functions: `update` adds and removes a few features on the way from one accumulator to the next, `update_many`
//! any number of features in place; `output` computes an output's sum of products, and `threat_output` that of neurons with threats.
//! No intermediate result of [`Network`](super::Network) parameters overflows where it matters, so all kernels give the same integers.
//!
//! `portable` has plain loops. The other kernels are written once, in `functions`, over the vector operations that each
//! instruction set's module names.

// Calling a function with target features from one without them is unsafe.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod functions;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;

use super::block::{Block, ByteBlock};
use std::fmt;

/// An instruction set that this processor has, for the evaluation of networks. All of them give the same values.
///
/// ```
/// use tabiya_eval::nnue::Kernel;
///
/// let kernels = Kernel::available();
/// assert_eq!(kernels.first(), Some(&Kernel::best()));
/// assert_eq!(kernels.last(), Some(&Kernel::PORTABLE));
/// ```
// The field is private: a kernel of an instruction set exists only where the processor has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Kernel(InstructionSet);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum InstructionSet {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Sse2,
    #[cfg(target_arch = "aarch64")]
    Neon,
    Portable,
}

/// Calls a function of the kernel's module.
macro_rules! dispatch {
    ($kernel:expr, $($call:tt)+) => {
        match $kernel.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available` makes this kernel only where the processor has the function's target features.
            InstructionSet::Avx512 => unsafe { avx512::$($call)+ },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            InstructionSet::Avx2 => unsafe { avx2::$($call)+ },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            InstructionSet::Sse2 => unsafe { sse2::$($call)+ },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: as above.
            InstructionSet::Neon => unsafe { neon::$($call)+ },
            InstructionSet::Portable => portable::$($call)+,
        }
    };
}

impl Kernel {
    /// Plain code, for any processor.
    pub const PORTABLE: Kernel = Kernel(InstructionSet::Portable);

    /// Returns the kernels that this processor can run, the fastest first.
    pub fn available() -> Vec<Kernel> {
        let mut kernels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if std::is_x86_feature_detected!("avx512f")
                && std::is_x86_feature_detected!("avx512bw")
                && std::is_x86_feature_detected!("avx512vnni")
            {
                kernels.push(Kernel(InstructionSet::Avx512));
            }
            if std::is_x86_feature_detected!("avx2") {
                kernels.push(Kernel(InstructionSet::Avx2));
            }
            if std::is_x86_feature_detected!("sse2") {
                kernels.push(Kernel(InstructionSet::Sse2));
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            kernels.push(Kernel(InstructionSet::Neon));
        }
        kernels.push(Kernel::PORTABLE);
        kernels
    }

    /// Returns the fastest kernel of this processor.
    pub fn best() -> Kernel {
        Kernel::available().first().copied().unwrap_or(Kernel::PORTABLE)
    }

    /// The name of the instruction set: `avx512`, `avx2`, `sse2`, `neon` or `portable`.
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Sse2 => "sse2",
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => "neon",
            InstructionSet::Portable => "portable",
        }
    }

    /// Writes `source` plus the rows of `added` minus those of `removed` to `target`. `weights` has a row as long as `target`
    /// for each feature.
    #[inline]
    pub(super) fn update<const A: usize, const R: usize>(
        self,
        weights: &[Block],
        source: &[Block],
        target: &mut [Block],
        added: [usize; A],
        removed: [usize; R],
    ) {
        dispatch!(self, update(weights, source, target, added, removed));
    }

    /// Adds the rows of `added` to `sums` and subtracts those of `removed`. `weights` has a row as long as `sums` for each feature.
    #[inline]
    pub(super) fn update_many(self, weights: &[Block], sums: &mut [Block], added: &[u16], removed: &[u16]) {
        dispatch!(self, update_many(weights, sums, added, removed));
    }

    /// Returns the sum over both perspectives of the squared activations of their sums times their weights. All slices have
    /// the same length.
    #[inline]
    pub(super) fn output(self, sums: [&[Block]; 2], weights: [&[Block]; 2]) -> i32 {
        dispatch!(self, output(sums, weights))
    }

    /// As [`output`](Self::output), after adding the rows of `features` to the sums of their perspective. `rows` has a row of bytes as
    /// long as the other slices for each feature.
    #[inline]
    pub(super) fn threat_output(
        self,
        sums: [&[Block]; 2],
        weights: [&[Block]; 2],
        rows: &[ByteBlock],
        features: [&[u16]; 2],
    ) -> i32 {
        dispatch!(self, threat_output(sums, weights, rows, features))
    }
}

/// The fastest kernel.
impl Default for Kernel {
    fn default() -> Kernel {
        Kernel::best()
    }
}

/// The [name](Kernel::name).
impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::block::{numbers, to_byte_blocks};
    use crate::nnue::limits::HIDDEN_STEP;
    use tabiya_core::SplitMix64;

    /// Rows of random numbers up to `limit` in magnitude.
    fn random_row(random: &mut SplitMix64, blocks: usize, limit: i64) -> Vec<Block> {
        let mut number = || (random.next_u64() % (2 * limit as u64 + 1)) as i64 - limit;
        (0..blocks).map(|_| Block(std::array::from_fn::<_, HIDDEN_STEP, _>(|_| number() as i16))).collect()
    }

    /// Compares with the portable kernel, for every length of a row. Accumulators wrap around here.
    #[test]
    fn all_kernels_give_the_same_integers() {
        let mut random = SplitMix64::new(9);
        let lengths: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 31, 32] };
        for &blocks in lengths {
            let weights = random_row(&mut random, 40 * blocks, 32_767);
            let source = random_row(&mut random, blocks, 32_767);
            let mut features = || random.below(40);
            let (added, removed) = ([features(), features()], [features(), features()]);
            let many: Vec<u16> = (0..20).map(|_| features() as u16).collect();
            let run = |kernel: Kernel| {
                let mut targets = vec![vec![Block::ZERO; blocks]; 5];
                kernel.update(&weights, &source, &mut targets[0], [added[0]], [removed[0]]);
                kernel.update(&weights, &source, &mut targets[1], [added[0]], removed);
                kernel.update(&weights, &source, &mut targets[2], added, removed);
                kernel.update(&weights, &source, &mut targets[3], [], []);
                targets[4].copy_from_slice(&source);
                kernel.update_many(&weights, &mut targets[4], &many[..13], &many[13..]);
                let before = targets[4].clone();
                kernel.update_many(&weights, &mut targets[4], &[], &[]);
                assert_eq!(targets[4], before);
                targets
            };
            let expected = run(Kernel::PORTABLE);
            assert_eq!(expected[3], source);
            for kernel in Kernel::available() {
                assert_eq!(run(kernel), expected, "{kernel}, {blocks} blocks");
            }
        }
    }

    /// Compares output sums with 64-bit arithmetic, for the largest weights and for clipped sums of all sizes.
    #[test]
    fn outputs_are_exact() {
        let mut random = SplitMix64::new(10);
        let lengths: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 3, 4, 8, 32] };
        for &blocks in lengths {
            for limit in [200, 600, 32_767] {
                let own = random_row(&mut random, blocks, limit);
                let enemy = random_row(&mut random, blocks, limit);
                // The sum of magnitudes is at most 33,025 in a network.
                let weights = random_row(&mut random, 2 * blocks, if blocks <= 4 { 127 } else { 16 });
                let sums = own.iter().chain(&enemy).flat_map(|block| block.0);
                let products = sums.zip(weights.iter().flat_map(|block| block.0)).map(|(sum, weight)| {
                    let activation = i64::from(sum).clamp(0, 255);
                    activation * activation * i64::from(weight)
                });
                let expected: i64 = products.sum();
                for kernel in Kernel::available() {
                    let found = kernel.output([&own, &enemy], weights.split_at(blocks).into());
                    assert_eq!(i64::from(found), expected, "{kernel}, {blocks} blocks, sums up to {limit}");
                }
            }
        }
    }

    /// Compares with [`Kernel::update_many`] and [`Kernel::output`], for networks of up to 1,024 neurons with threats.
    #[test]
    fn threats_are_added_before_the_output() {
        let mut random = SplitMix64::new(11);
        let lengths: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 3, 4, 7, 8, 32] };
        for &blocks in lengths {
            let sums = [300, 300].map(|limit| random_row(&mut random, blocks, limit));
            let weights = [16, 16].map(|limit| random_row(&mut random, blocks, limit));
            let rows = random_row(&mut random, 40 * blocks, 127);
            let bytes = to_byte_blocks(numbers(&rows));
            let features =
                [13, 32].map(|count| -> Vec<u16> { (0..count).map(|_| random.below(40) as u16).collect() });
            let complete = [0, 1].map(|side| {
                let mut sums = sums[side].clone();
                Kernel::PORTABLE.update_many(&rows, &mut sums, &features[side], &[]);
                sums
            });
            let [own, enemy] = weights.each_ref().map(Vec::as_slice);
            let expected = Kernel::PORTABLE.output(complete.each_ref().map(Vec::as_slice), [own, enemy]);
            for kernel in Kernel::available() {
                let sums = sums.each_ref().map(Vec::as_slice);
                let features = features.each_ref().map(Vec::as_slice);
                let found = kernel.threat_output(sums, [own, enemy], &bytes, features);
                assert_eq!(found, expected, "{kernel}, {blocks} blocks");
            }
        }
    }

    #[test]
    fn kernels_have_distinct_names() {
        let names: Vec<&str> = Kernel::available().into_iter().map(Kernel::name).collect();
        let mut distinct = names.clone();
        distinct.dedup();
        assert_eq!(names, distinct);
        #[cfg(target_arch = "x86_64")]
        assert!(names.contains(&"sse2"));
    }
}
