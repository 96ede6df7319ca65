//! A binary range coder: the bits of both directions go through one trait, so that a model describes packing and unpacking once.
//!
//! Source: Martin, *Range encoding: an algorithm for removing redundancy from a digitised message*, 1979; the carry is resolved
//! as in LZMA.

/// Bits of a probability.
pub(super) const PROBABILITY_BITS: u32 = 12;

/// The range is refilled below this.
const LOW_RANGE: u32 = 1 << 24;

/// Packs or unpacks bits.
pub(super) trait Coder {
    /// Codes a bit that is set with this probability, in 4096ths and neither 0 nor 1. An encoder writes `bit`, a decoder ignores it;
    /// both return the bit that was coded.
    fn bit(&mut self, probability: u32, bit: bool) -> bool;
}

/// Writes bits.
pub(super) struct Encoder {
    low: u64,
    range: u32,
    /// The last byte, to which a carry may still be added, and the number of bytes 255 after it.
    last: u8,
    carriers: u64,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn new() -> Encoder {
        Encoder { low: 0, range: u32::MAX, last: 0, carriers: 0, bytes: Vec::new() }
    }

    /// Returns the packed bytes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        (0..5).for_each(|_| self.shift());
        self.bytes
    }

    /// Moves the highest byte of `low` to the output.
    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        if self.low < 0xff00_0000 || carry == 1 {
            self.bytes.push(self.last.wrapping_add(carry));
            self.bytes.extend((0..self.carriers).map(|_| 0xff_u8.wrapping_add(carry)));
            self.carriers = 0;
            self.last = (self.low >> 24) as u8;
        } else {
            self.carriers += 1;
        }
        self.low = self.low << 8 & 0xffff_ff00;
    }
}

impl Coder for Encoder {
    #[inline]
    fn bit(&mut self, probability: u32, bit: bool) -> bool {
        let bound = (self.range >> PROBABILITY_BITS) * probability;
        if bit {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        while self.range < LOW_RANGE {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

/// Reads bits. After the last byte it reads zeros.
pub(super) struct Decoder<'a> {
    code: u32,
    range: u32,
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder { code: 0, range: u32::MAX, bytes: bytes.iter() };
        (0..5).for_each(|_| decoder.shift());
        decoder
    }

    fn shift(&mut self) {
        self.code = self.code << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
    }
}

impl Coder for Decoder<'_> {
    #[inline]
    fn bit(&mut self, probability: u32, _: bool) -> bool {
        let bound = (self.range >> PROBABILITY_BITS) * probability;
        let bit = self.code < bound;
        if bit {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        while self.range < LOW_RANGE {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::seeded;
    use rand::RngExt;

    #[test]
    fn bits_round_trip_at_their_entropy() {
        let mut random = seeded(1);
        for probability in [1, 41, 2048, 4000, 4095] {
            let bits: Vec<bool> =
                (0..100_000).map(|_| random.random_range(..4096_u32) < probability).collect();
            let mut encoder = Encoder::new();
            bits.iter().for_each(|&bit| {
                encoder.bit(probability, bit);
            });
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            assert!(bits.iter().all(|&bit| decoder.bit(probability, false) == bit));
            let p = f64::from(probability) / 4096.0;
            let entropy = -(p * p.log2() + (1.0 - p) * (1.0 - p).log2()) * 100_000.0 / 8.0;
            assert!((bytes.len() as f64) < entropy * 1.1 + 10.0, "{probability}: {} bytes", bytes.len());
        }
    }
}
