//! The inner loops, for several instruction sets, selected at run time.
//!
//! A kernel has two functions: `update` adds and removes features on the way from one accumulator to another, and `output` computes an
//! output's sum of products. No intermediate result of
//! [`Network`](super::Network) parameters overflows where it matters, so all kernels give the same integers.
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

use super::active_pieces::FeatureChanges;
use super::block::{Block, ThreatBlock};
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

/// The weights of the hidden layer: a row for each feature, and one for each threat feature.
#[derive(Clone, Copy)]
pub(super) struct FeatureLayer<'a> {
    pub(super) weights: &'a [Block],
    pub(super) threat_weights: &'a [ThreatBlock],
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

    /// Writes `source` plus the rows of added features minus those of removed ones to `target`, which is as long as a row.
    #[inline]
    pub(super) fn update(
        self,
        layer: FeatureLayer<'_>,
        source: &[Block],
        target: &mut [Block],
        changes: FeatureChanges<'_>,
    ) {
        dispatch!(self, update(layer, source, target, changes));
    }

    /// Returns the sum over both accumulators of the squared activation times the weight. `weights` has a row for `own` and
    /// then one for `enemy`.
    #[inline]
    pub(super) fn output(self, own: &[Block], enemy: &[Block], weights: &[Block]) -> i32 {
        dispatch!(self, output(own, enemy, weights))
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
    use crate::nnue::block::{numbers, to_threat_blocks};
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
            let threat_weights: Vec<i8> = numbers(&random_row(&mut random, 30 * blocks, 128))
                .iter()
                .map(|&number| number.clamp(-128, 127) as i8)
                .collect();
            let threat_weights = to_threat_blocks(&threat_weights);
            let layer = FeatureLayer { weights: &weights, threat_weights: &threat_weights };
            let source = random_row(&mut random, blocks, 32_767);
            let features: Vec<u16> = (0..20).map(|_| random.below(40) as u16).collect();
            let threats: Vec<u16> = (0..20).map(|_| random.below(30) as u16).collect();
            let run = |kernel: Kernel| {
                [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2), (13, 7)].map(|(added, removed)| {
                    let mut target = vec![Block::ZERO; blocks];
                    let changes = FeatureChanges {
                        added: &features[..added],
                        removed: &features[13..][..removed],
                        threats_added: &threats[..removed],
                        threats_removed: &threats[7..][..added],
                    };
                    kernel.update(layer, &source, &mut target, changes);
                    target
                })
            };
            let expected = run(Kernel::PORTABLE);
            assert_eq!(expected[0], source);
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
                    let found = kernel.output(&own, &enemy, &weights);
                    assert_eq!(i64::from(found), expected, "{kernel}, {blocks} blocks, sums up to {limit}");
                }
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
