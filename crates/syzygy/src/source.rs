//! Random access to the bytes of a file.

use crate::error::TableFault;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use tabiya_files::input;

/// The largest file, in bytes, that is read into memory on first use: all tables of up to four pieces and many of five.
const MAX_IN_MEMORY: u64 = 1 << 20;

/// A file, in memory if small.
///
/// Files are not memory-mapped: if a mapped file shrinks or the disk fails, a signal ends the process, which is why mapping
/// is `unsafe`. A positioned read costs a microsecond more and returns an error.
#[derive(Debug)]
pub(super) enum Source {
    Memory(Box<[u8]>),
    File { file: PositionedFile, length: u64 },
}

impl Source {
    pub(super) fn open(path: &Path) -> io::Result<Source> {
        let mut file = input::open(path)?;
        let length = file.metadata()?.len();
        if length > MAX_IN_MEMORY {
            return Ok(Source::File { file: PositionedFile::new(file), length });
        }
        let mut bytes = Vec::with_capacity(length as usize);
        file.read_to_end(&mut bytes)?;
        Ok(Source::Memory(bytes.into()))
    }

    /// Returns the length of a file and its first four bytes, zeros if the file is shorter.
    pub(super) fn peek(path: &Path) -> io::Result<(u64, [u8; 4])> {
        let mut file = input::open(path)?;
        let length = file.metadata()?.len();
        let mut first = [0; 4];
        if length >= 4 {
            file.read_exact(&mut first)?;
        }
        Ok((length, first))
    }

    /// Returns the length of the file in bytes.
    pub(super) fn length(&self) -> u64 {
        match self {
            Source::Memory(bytes) => bytes.len() as u64,
            Source::File { length, .. } => *length,
        }
    }

    /// Returns `count` bytes from `offset` on.
    ///
    /// # Errors
    /// If the file ends too early or cannot be read.
    pub(super) fn bytes(&self, offset: u64, count: usize) -> Result<Cow<'_, [u8]>, TableFault> {
        let end = offset.checked_add(count as u64).filter(|&end| end <= self.length());
        let Some(end) = end else {
            let expected = offset.checked_add(count as u64);
            return Err(TableFault::Length { found: self.length(), expected });
        };
        match self {
            // `end` is at most the slice's length, so both casts are lossless.
            Source::Memory(bytes) => Ok(Cow::Borrowed(&bytes[offset as usize..end as usize])),
            Source::File { file, .. } => {
                let mut buffer = vec![0; count];
                file.read_exact_at(&mut buffer, offset)?;
                Ok(Cow::Owned(buffer))
            }
        }
    }

    /// Returns `N` bytes from `offset` on.
    pub(super) fn array<const N: usize>(&self, offset: u64) -> Result<[u8; N], TableFault> {
        let mut array = [0; N];
        array.copy_from_slice(&self.bytes(offset, N)?);
        Ok(array)
    }
}

/// A file with positioned reads, so that threads do not move each other's file offset.
#[derive(Debug)]
pub(super) struct PositionedFile {
    #[cfg(any(unix, windows))]
    file: File,
    #[cfg(not(any(unix, windows)))]
    file: std::sync::Mutex<File>,
}

impl PositionedFile {
    #[cfg(any(unix, windows))]
    fn new(file: File) -> PositionedFile {
        PositionedFile { file }
    }

    #[cfg(unix)]
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, offset)
    }

    #[cfg(windows)]
    fn read_exact_at(&self, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !buffer.is_empty() {
            let read = std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            buffer = &mut buffer[read..];
            offset += read as u64;
        }
        Ok(())
    }

    #[cfg(not(any(unix, windows)))]
    fn new(file: File) -> PositionedFile {
        PositionedFile { file: std::sync::Mutex::new(file) }
    }

    #[cfg(not(any(unix, windows)))]
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        use std::io::{Seek, SeekFrom};
        let mut file =
            self.file.lock().map_err(|_| io::Error::other("another thread panicked while reading"))?;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positioned_reads_agree_with_memory() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let bytes: Vec<u8> = (0..MAX_IN_MEMORY + 100).map(|index| (index * 7 % 251) as u8).collect();
        std::fs::write(file.path(), &bytes).unwrap();
        let large = Source::open(file.path()).unwrap();
        assert!(matches!(large, Source::File { .. }));
        let small = Source::Memory(bytes.clone().into());
        for (offset, count) in [(0, 16), (MAX_IN_MEMORY - 3, 64), (MAX_IN_MEMORY + 84, 16), (5, 0)] {
            let expected = &bytes[offset as usize..offset as usize + count];
            assert_eq!(large.bytes(offset, count).unwrap(), expected);
            assert_eq!(small.bytes(offset, count).unwrap(), expected);
        }
        for source in [&large, &small] {
            let beyond = source.bytes(MAX_IN_MEMORY + 85, 16).unwrap_err();
            let length = MAX_IN_MEMORY + 100;
            assert_eq!(beyond, TableFault::Length { found: length, expected: Some(length + 1) });
            assert!(source.bytes(u64::MAX, 16).is_err());
        }
    }
}
