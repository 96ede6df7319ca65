//! Run-time dispatch to code for processors with wide vector registers.
//!
//! AVX2 took three quarters and AVX-512 three fifths of the time of the SSE2 of the x86-64 baseline, at N = 256 and before the
//! computation by columns. No operation fuses or reorders float arithmetic, so all versions compute the same numbers.

// Calling a function with target features from one without them is unsafe.
#![allow(unsafe_code)]

use std::fmt;

/// A computation that is compiled once for each kind of processor.
pub(super) trait Work {
    type Output;

    /// Computes the result. Implementations and all that they call must be `#[inline(always)]`: only code inlined into
    /// the function with target features uses them.
    fn run(self) -> Self::Output;
}

/// A set of vector instructions for which a computation is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum InstructionSet {
    /// AVX-512 with the extensions VL, DQ and BW.
    Avx512,
    Avx2,
    /// The instructions that every processor of the target has.
    Baseline,
}

impl InstructionSet {
    /// Returns the sets that this processor has, the fastest first.
    pub(super) fn available() -> impl Iterator<Item = InstructionSet> {
        [InstructionSet::Avx512, InstructionSet::Avx2, InstructionSet::Baseline]
            .into_iter()
            .filter(|set| set.is_available())
    }

    /// Returns the fastest set that this processor has.
    pub(super) fn best() -> InstructionSet {
        InstructionSet::available().next().unwrap_or(InstructionSet::Baseline)
    }

    #[cfg(target_arch = "x86_64")]
    fn is_available(self) -> bool {
        match self {
            InstructionSet::Avx512 => {
                std::is_x86_feature_detected!("avx512f")
                    && std::is_x86_feature_detected!("avx512vl")
                    && std::is_x86_feature_detected!("avx512dq")
                    && std::is_x86_feature_detected!("avx512bw")
            }
            InstructionSet::Avx2 => std::is_x86_feature_detected!("avx2"),
            InstructionSet::Baseline => true,
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn is_available(self) -> bool {
        self == InstructionSet::Baseline
    }

    /// Runs a computation with these instructions, or with the baseline if the processor lacks them.
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has all target features of the function, as just checked.
            InstructionSet::Avx512 if self.is_available() => unsafe { with_avx512(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has all target features of the function, as just checked.
            InstructionSet::Avx2 if self.is_available() => unsafe { with_avx2(work) },
            _ => work.run(),
        }
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            InstructionSet::Avx512 => "AVX-512",
            InstructionSet::Avx2 => "AVX2",
            InstructionSet::Baseline => "baseline",
        })
    }
}

/// Runs a computation with the fastest code for this processor.
pub(super) fn dispatch<W: Work>(work: W) -> W::Output {
    InstructionSet::best().run(work)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw")]
fn with_avx512<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A dot product with operations that a compiler could fuse or reorder.
    struct Dot([Vec<f32>; 2]);

    impl Work for Dot {
        type Output = f32;

        #[inline(always)]
        fn run(self) -> f32 {
            self.0[0].iter().zip(&self.0[1]).map(|(a, b)| a * b + 0.1).sum()
        }
    }

    #[test]
    fn all_versions_agree() {
        let numbers = |factor: f32| (0..999).map(|index| (index as f32 * factor).sin()).collect();
        let dot = || Dot([numbers(0.7), numbers(1.3)]);
        let expected = dot().run();
        for instructions in InstructionSet::available() {
            assert_eq!(instructions.run(dot()), expected, "{instructions}");
        }
        assert!(InstructionSet::available().any(|instructions| instructions == InstructionSet::best()));
    }
}
