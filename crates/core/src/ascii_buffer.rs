//! [`AsciiBuffer`]: short ASCII text, built on the stack.

use crate::Square;

/// An ASCII text of at most `N` bytes.
///
/// Passing the finished text to a formatter as one string is several times faster than writing it in parts.
pub(crate) struct AsciiBuffer<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> AsciiBuffer<N> {
    pub(crate) fn new() -> AsciiBuffer<N> {
        AsciiBuffer { bytes: [0; N], len: 0 }
    }

    /// Appends an ASCII byte.
    pub(crate) fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    /// Appends an ASCII text.
    pub(crate) fn push_str(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.push(byte));
    }

    /// Appends the coordinates of a square.
    pub(crate) fn push_square(&mut self, square: Square) {
        self.push(square.file().to_char() as u8);
        self.push(square.rank().to_char() as u8);
    }

    pub(crate) fn as_str(&self) -> &str {
        // Only ASCII is pushed.
        str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}
