//! Probabilities of bits that are learnt while they are coded, in integers, so that all machines learn the same.
//!
//! A bit has several contexts, and each context estimates its probability. The estimates are combined as log-odds with learnt weights
//! (logistic mixing). Source: Mahoney, *Adaptive weighing of context models for lossless data compression*, 2005.

use super::range_coder::{Coder, PROBABILITY_BITS};
use std::sync::LazyLock;

/// The number of probabilities that a coder distinguishes.
const PROBABILITIES: usize = 1 << PROBABILITY_BITS;

/// The log-odds of 1/4096, in 256ths of a bit.
const MAX_ODDS: i32 = 12 * 256;

/// Observations after which a probability adapts no more slowly.
const MAX_OBSERVATIONS: usize = 250;

/// The weight 1 of a context.
const WEIGHT_ONE: i32 = 1 << 16;

/// The learning rate of weights.
const WEIGHT_RATE: i32 = 3;

/// The part of the error, in 65536ths, by which a probability changes after a number of observations.
const RATES: [u32; MAX_OBSERVATIONS + 1] = {
    let mut rates = [0; MAX_OBSERVATIONS + 1];
    let mut observations = 0;
    while observations < rates.len() {
        rates[observations] = (2 << 16) / (2 * observations as u32 + 3);
        observations += 1;
    }
    rates
};

/// A probability in 22 bits, and in the other ten the number of bits that it was learnt from.
#[derive(Clone, Copy)]
struct Probability(u32);

impl Probability {
    const EVEN: Probability = Probability(1 << 31);
    const OBSERVATIONS: u32 = 1 << 10;

    #[inline]
    fn get(self) -> usize {
        (self.0 >> (32 - PROBABILITY_BITS)) as usize
    }

    #[inline]
    fn update(&mut self, bit: bool) {
        let observations = self.0 % Probability::OBSERVATIONS;
        let old = i64::from(self.0 / Probability::OBSERVATIONS);
        let target = if bit { i64::from(u32::MAX / Probability::OBSERVATIONS) } else { 0 };
        let change = (target - old) * i64::from(RATES[observations as usize]);
        let new = old + (change >> 16);
        let observations = (observations + 1).min(MAX_OBSERVATIONS as u32);
        self.0 = new as u32 * Probability::OBSERVATIONS + observations;
    }
}

/// The log-odds of each probability, and the probability of each log-odds.
struct Tables {
    odds: Vec<i16>,
    probabilities: Vec<u16>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let odds = |index: usize| {
        // The middle of the interval.
        let (set, clear) = (2 * index as u64 + 1, 2 * (PROBABILITIES - index) as u64 - 1);
        (log2(set) - log2(clear)) as i16
    };
    let odds: Vec<i16> = (0..PROBABILITIES).map(odds).collect();
    let probability = |wanted: i32| {
        let index = odds.partition_point(|&odds| i32::from(odds) < wanted);
        index.clamp(1, PROBABILITIES - 1) as u16
    };
    let probabilities = (-MAX_ODDS..=MAX_ODDS).map(probability).collect();
    Tables { odds, probabilities }
});

/// The binary logarithm, in 256ths.
fn log2(number: u64) -> i32 {
    let exponent = number.ilog2();
    let mut fraction = 0;
    // From 1 to 2, with 32 bits after the point.
    let mut mantissa = u128::from(number) << 32 >> exponent;
    for _ in 0..8 {
        mantissa = (mantissa * mantissa) >> 32;
        fraction <<= 1;
        if mantissa >= 2 << 32 {
            mantissa >>= 1;
            fraction |= 1;
        }
    }
    256 * exponent as i32 + fraction
}

/// The probability of a log-odds.
#[inline]
fn probability_of(odds: i32) -> u32 {
    let index = odds.clamp(-MAX_ODDS, MAX_ODDS) + MAX_ODDS;
    u32::from(TABLES.probabilities[index as usize])
}

/// Bits with `N` contexts each.
pub(super) struct Mixed<const N: usize> {
    probabilities: [Vec<Probability>; N],
    weights: Vec<[i32; N]>,
}

impl<const N: usize> Mixed<N> {
    /// Creates bits whose contexts have these numbers of values, with several sets of weights.
    pub(super) fn new(contexts: [usize; N], sets: usize) -> Mixed<N> {
        Mixed {
            probabilities: contexts.map(|count| vec![Probability::EVEN; count]),
            weights: vec![[WEIGHT_ONE * 2 / (N as i32 + 1); N]; sets],
        }
    }

    /// Returns the log-odds of each context.
    #[inline]
    fn inputs(&self, contexts: [usize; N]) -> [i32; N] {
        std::array::from_fn(|index| i32::from(TABLES.odds[self.probabilities[index][contexts[index]].get()]))
    }

    #[inline]
    fn sum(&self, inputs: [i32; N], set: usize) -> i32 {
        let products = inputs.iter().zip(&self.weights[set]);
        (products.map(|(&input, &weight)| i64::from(input) * i64::from(weight)).sum::<i64>() >> 16) as i32
    }

    /// Returns the log-odds that a bit is set.
    #[inline]
    pub(super) fn odds(&self, contexts: [usize; N], set: usize) -> i32 {
        self.sum(self.inputs(contexts), set)
    }

    /// Codes a bit and learns from it.
    #[inline]
    pub(super) fn code(
        &mut self,
        coder: &mut impl Coder,
        contexts: [usize; N],
        set: usize,
        bit: bool,
    ) -> bool {
        let inputs = self.inputs(contexts);
        let probability = probability_of(self.sum(inputs, set));
        let bit = coder.bit(probability, bit);
        let target = if bit { PROBABILITIES as i32 } else { 0 };
        let error = (target - probability as i32) * WEIGHT_RATE;
        for (weight, input) in self.weights[set].iter_mut().zip(inputs) {
            *weight = (*weight + ((input * error + (1 << 15)) >> 16)).clamp(-8 * WEIGHT_ONE, 8 * WEIGHT_ONE);
        }
        for (probabilities, context) in self.probabilities.iter_mut().zip(contexts) {
            probabilities[context].update(bit);
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::super::range_coder::{Decoder, Encoder};
    use super::*;
    use crate::random::seeded;
    use rand::RngExt;

    #[test]
    fn odds_and_probabilities_are_inverse() {
        assert_eq!(log2(1 << 20), 20 * 256);
        assert_eq!(log2(3), (3.0_f64.log2() * 256.0) as i32);
        assert_eq!(probability_of(0), 2048);
        for probability in 1..PROBABILITIES {
            let again = probability_of(TABLES.odds[probability].into()) as usize;
            assert!(again.abs_diff(probability) <= 1 + probability.min(PROBABILITIES - probability) / 200);
        }
    }

    #[test]
    fn the_informative_context_is_learnt() {
        let mut random = seeded(3);
        let samples: Vec<([usize; 2], bool)> = (0..20_000)
            .map(|_| {
                let mut number = || random.random_range(..16_u64) as usize;
                let contexts = [number(), number()];
                (contexts, number() < contexts[1])
            })
            .collect();
        let mut model = Mixed::new([16; 2], 1);
        let mut encoder = Encoder::new();
        for &(contexts, bit) in &samples {
            model.code(&mut encoder, contexts, 0, bit);
        }
        let bytes = encoder.finish();
        // The mean entropy of the bits, given the second context, is 0.69 bits.
        assert!(bytes.len() * 8 < 20_000 * 73 / 100, "{}", bytes.len());
        let mut model = Mixed::new([16; 2], 1);
        let mut decoder = Decoder::new(&bytes);
        assert!(samples.iter().all(|&(contexts, bit)| model.code(&mut decoder, contexts, 0, false) == bit));
    }
}
