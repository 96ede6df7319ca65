//! Sequential reading from a [`Source`].

use crate::error::TableFault;
use crate::source::Source;
use std::borrow::Cow;

/// A position in a file from which bytes are read.
pub(super) struct Cursor<'a> {
    source: &'a Source,
    position: u64,
}

impl<'a> Cursor<'a> {
    /// Starts at an offset from the beginning of the file, in bytes.
    pub(super) fn new(source: &'a Source, position: u64) -> Cursor<'a> {
        Cursor { source, position }
    }

    /// The offset of the next byte.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    pub(super) fn bytes(&mut self, count: usize) -> Result<Cow<'a, [u8]>, TableFault> {
        let bytes = self.source.bytes(self.position, count)?;
        self.position += count as u64;
        Ok(bytes)
    }

    pub(super) fn u8(&mut self) -> Result<u8, TableFault> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    pub(super) fn u16(&mut self) -> Result<u16, TableFault> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(super) fn u32(&mut self) -> Result<u32, TableFault> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], TableFault> {
        let array = self.source.array(self.position)?;
        self.position += N as u64;
        Ok(array)
    }

    /// Skips to the next multiple of `alignment` bytes.
    pub(super) fn align(&mut self, alignment: u64) {
        self.position = self.position.next_multiple_of(alignment);
    }
}
