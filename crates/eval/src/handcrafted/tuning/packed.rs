//! The packed form of a position's coefficients.
//!
//! A position begins with [`KNOWN`] and the value of the ending, as two bytes, or with its phase and its two scale
//! factors. Then come the counts of the [`GROUPS`] groups of weights: the number of counts, and for each the
//! distance of its weight from the one before and the number of times that it counts. Most distances are short and most weights count
//! once or twice for one of the sides, so that nearly all counts fit into a byte.

/// First byte of an ending with a known result. Phases are smaller.
const KNOWN: u8 = u8::MAX;

/// Groups of weights: those in centipawns (White's minus Black's), those of the danger to White's king, those of the
/// danger to Black's king, and those of the complexity.
pub(super) const GROUPS: usize = 4;

/// Bits of a count's first byte for the index in [`COMMON_TIMES`]; the others have the distance.
const TIMES_BITS: u32 = 2;

/// Numbers of times that need no further byte.
const COMMON_TIMES: [i32; 3] = [1, -1, 2];

/// The index that says that the number of times follows in further bytes.
const OTHER_TIMES: u8 = COMMON_TIMES.len() as u8;

/// The distance that says that one of at least this size follows in further bytes.
const LONG_DISTANCE: u8 = u8::MAX >> TIMES_BITS;

/// The blend of the middlegame and the endgame value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Blend {
    pub(super) phase: u8,
    /// The endgame scale factors, in 64ths, for White or Black being better.
    pub(super) scale_factors: [u8; 2],
}

/// The beginning of packed coefficients.
pub(super) enum Header {
    /// The value in centipawns of an ending with a known result, from White's point of view.
    Known(i16),
    /// Counts follow.
    Terms(Blend),
}

/// Packs an ending with a known result.
pub(super) fn known(value: i16) -> Vec<u8> {
    let [low, high] = value.to_le_bytes();
    vec![KNOWN, low, high]
}

/// Packs counts: group, weight and number of times, sorted.
pub(super) fn terms(blend: Blend, counts: &[(usize, usize, i32)]) -> Vec<u8> {
    let mut bytes = vec![blend.phase, blend.scale_factors[0], blend.scale_factors[1]];
    for group in 0..GROUPS {
        let counts = counts.iter().filter(|count| count.0 == group);
        write_number(&mut bytes, counts.clone().count() as u32);
        let mut next = 0;
        for &(_, weight, times) in counts {
            let distance = weight - next;
            next = weight + 1;
            let common = COMMON_TIMES.iter().position(|&common| common == times);
            let times_code = common.map_or(OTHER_TIMES, |code| code as u8);
            let distance_code = distance.min(LONG_DISTANCE.into()) as u8;
            bytes.push(distance_code << TIMES_BITS | times_code);
            if distance_code == LONG_DISTANCE {
                write_number(&mut bytes, (distance - usize::from(LONG_DISTANCE)) as u32);
            }
            if times_code == OTHER_TIMES {
                write_number(&mut bytes, zigzag(times));
            }
        }
    }
    bytes.shrink_to_fit();
    bytes
}

/// Reads packed coefficients group by group, and ends where bytes are missing.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Returns the header and a reader of what follows.
    pub(super) fn new(bytes: &'a [u8]) -> (Header, Reader<'a>) {
        let mut reader = Reader { bytes };
        let [first, second, third] = std::array::from_fn(|_| reader.byte());
        let header = if first == KNOWN {
            Header::Known(i16::from_le_bytes([second, third]))
        } else {
            Header::Terms(Blend { phase: first, scale_factors: [second, third] })
        };
        (header, reader)
    }

    /// Calls `visit` with each weight of the next group and the number of times that it counts.
    #[inline(always)]
    pub(super) fn for_each(&mut self, mut visit: impl FnMut(usize, f64)) {
        let mut next = 0_usize;
        for _ in 0..self.number() {
            let Some((&code, rest)) = self.bytes.split_first() else { return };
            self.bytes = rest;
            let mut distance = u32::from(code >> TIMES_BITS);
            if code >> TIMES_BITS == LONG_DISTANCE {
                distance = distance.saturating_add(self.number());
            }
            let times = match COMMON_TIMES.get(usize::from(code & OTHER_TIMES)) {
                Some(&times) => times,
                None => unzigzag(self.number()),
            };
            let weight = next.saturating_add(distance as usize);
            next = weight.saturating_add(1);
            visit(weight, f64::from(times));
        }
    }

    #[inline(always)]
    fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        first
    }

    /// Reads seven bits of each byte, the lowest first; the eighth bit is set in all but the last byte.
    fn number(&mut self) -> u32 {
        let mut number = 0;
        for shift in (0..u32::BITS).step_by(7) {
            let byte = self.byte();
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        number
    }
}

/// Writes what [`Reader::number`] reads.
fn write_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Maps numbers near 0 of either sign to small ones.
fn zigzag(number: i32) -> u32 {
    ((number << 1) ^ (number >> 31)).cast_unsigned()
}

/// The inverse of [`zigzag`].
fn unzigzag(number: u32) -> i32 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> (Header, Vec<(usize, usize, i32)>) {
        let (header, mut reader) = Reader::new(bytes);
        let mut counts = Vec::new();
        for group in 0..GROUPS {
            reader.for_each(|weight, times| counts.push((group, weight, times as i32)));
        }
        (header, counts)
    }

    #[test]
    fn counts_round_trip() {
        let blend = Blend { phase: 17, scale_factors: [64, 3] };
        let counts = [
            (0, 0, 1),
            (0, 1, -1),
            (0, 63, 2),
            (0, 64, -2),
            (0, 127, 3),
            (0, 191, 1),
            (0, 5000, -32_768),
            (2, 62, 64),
            (2, 700, 32_767),
            (3, 900, -1),
        ];
        let (header, read) = read(&terms(blend, &counts));
        assert_eq!(read, counts);
        assert!(matches!(header, Header::Terms(found) if found == blend));
    }

    #[test]
    fn common_counts_take_one_byte() {
        let blend = Blend { phase: 0, scale_factors: [0, 0] };
        let counts = [(0, 0, 1), (0, 1, -1), (0, 2, 2), (0, 65, 1)];
        assert_eq!(terms(blend, &counts).len(), 3 + GROUPS + counts.len());
    }

    #[test]
    fn known_values_round_trip() {
        for value in [0, 1, -1, i16::MAX, i16::MIN] {
            assert!(
                matches!(read(&known(value)), (Header::Known(found), counts) if found == value && counts.is_empty())
            );
        }
    }

    #[test]
    fn arbitrary_bytes_are_read_to_their_end() {
        for byte in 0..=u8::MAX {
            for length in 0..40 {
                // The test passes if nothing panics or takes long.
                read(&vec![byte; length]);
                read(&[vec![0; 3], vec![byte; length]].concat());
            }
        }
    }
}
