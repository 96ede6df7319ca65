//! Decoding of UTF-16 while it is read.

use std::io::{self, Read};

/// The number of bytes to read at a time.
const CHUNK: usize = 4096;

/// A decoder of a text in UTF-16 to UTF-8. Invalid parts become U+FFFD.
#[derive(Debug)]
pub(super) struct Utf16 {
    is_big_endian: bool,
    /// The bytes that have been read and not decoded.
    pending: Vec<u8>,
}

impl Utf16 {
    /// Returns a decoder if the text begins with the byte-order mark of UTF-16. `start` is the text read so far.
    pub(super) fn detect(start: &[u8]) -> Option<Utf16> {
        let (is_big_endian, rest) = match start {
            [0xff, 0xfe, rest @ ..] => (false, rest),
            [0xfe, 0xff, rest @ ..] => (true, rest),
            _ => return None,
        };
        Some(Utf16 { is_big_endian, pending: rest.to_vec() })
    }

    /// Reads from `input` and writes decoded text to `out`, which has room for a character. Returns the number of bytes
    /// written, 0 only at the end of the text.
    pub(super) fn read(&mut self, input: &mut impl Read, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.decode(out, false);
            if count > 0 {
                return Ok(count);
            }
            let mut chunk = [0; CHUNK];
            match read(input, &mut chunk)? {
                0 => return Ok(self.decode(out, true)),
                count => self.pending.extend_from_slice(&chunk[..count]),
            }
        }
    }

    fn decode(&mut self, out: &mut [u8], at_end: bool) -> usize {
        let (mut used, mut written) = (0, 0);
        while used < self.pending.len() {
            let (first, second) = (self.unit(used), self.unit(used + 2));
            let is_surrogate = first.is_some_and(|unit| matches!(unit, 0xd800..=0xdbff));
            if !at_end && (first.is_none() || is_surrogate && second.is_none()) {
                break;
            }
            let pair = [first.unwrap_or(0xdfff), second.filter(|_| is_surrogate).unwrap_or(0)];
            let decoded = char::decode_utf16(pair).next().and_then(Result::ok);
            let c = decoded.unwrap_or(char::REPLACEMENT_CHARACTER);
            let Some(room) = out.get_mut(written..written + c.len_utf8()) else { break };
            c.encode_utf8(room);
            written += c.len_utf8();
            used += 2 * c.len_utf16();
        }
        self.pending.drain(..used.min(self.pending.len()));
        written
    }

    /// The code unit at this byte, if it is complete.
    fn unit(&self, at: usize) -> Option<u16> {
        let bytes = *self.pending.get(at..)?.first_chunk()?;
        Some(if self.is_big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }
}

/// Reads once, again if interrupted.
pub(super) fn read(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // A faulty `Read` may return more than the length of the slice.
            result => return result.map(|count| count.min(buffer.len())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_both_byte_orders_and_replaces_invalid_parts() {
        let text = "1. e4 é € 𝄞";
        let units: Vec<u16> = text.encode_utf16().chain([0xd800, 0x41, 0xdc00, 0x42, 0xd800]).collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).chain([7]).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).chain([7]).collect();
        for (mark, bytes) in [([0xff, 0xfe], little), ([0xfe, 0xff], big)] {
            // The first bytes were read before the encoding was known.
            let mut decoder = Utf16::detect(&[&mark[..], &bytes[..5]].concat()).unwrap();
            let (mut input, mut decoded, mut out) = (&bytes[5..], Vec::new(), [0; 4]);
            loop {
                match decoder.read(&mut input, &mut out).unwrap() {
                    0 => break,
                    count => decoded.extend_from_slice(&out[..count]),
                }
            }
            assert_eq!(
                String::from_utf8(decoded).unwrap(),
                format!("{text}\u{fffd}A\u{fffd}B\u{fffd}\u{fffd}")
            );
        }
        assert!(Utf16::detect(b"\xef\xbb\xbf").is_none() && Utf16::detect(b"\xff").is_none());
    }
}
