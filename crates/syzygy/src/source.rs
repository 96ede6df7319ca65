//! The bytes of a table, wherever they are.

use crate::error::TableFault;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Files up to this size are kept in memory once they are needed: all tables of up to four pieces, and
/// those of five and six that are asked for most often.
const SMALL: u64 = 1 << 20;

/// Random access to a file.
///
/// There is no memory map, on purpose: a file that shrinks or a disk that fails while it is mapped ends
/// the program, and the mapping is `unsafe` for that reason. A read by position is a microsecond slower,
/// and says what went wrong.
#[derive(Debug)]
pub(super) enum Source {
    Memory(Box<[u8]>),
    File { file: PositionedFile, length: u64 },
}

impl Source {
    pub(super) fn open(path: &Path) -> io::Result<Source> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        if length > SMALL {
            return Ok(Source::File { file: PositionedFile::new(file), length });
        }
        let mut bytes = Vec::with_capacity(length as usize);
        file.read_to_end(&mut bytes)?;
        Ok(Source::Memory(bytes.into()))
    }

    /// The length of a file, and its first bytes (zeros if there are not so many).
    pub(super) fn peek(path: &Path) -> io::Result<(u64, [u8; 4])> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut first = [0; 4];
        if length >= 4 {
            file.read_exact(&mut first)?;
        }
        Ok((length, first))
    }

    /// The length of the file in bytes.
    pub(super) fn length(&self) -> u64 {
        match self {
            Source::Memory(bytes) => bytes.len() as u64,
            Source::File { length, .. } => *length,
        }
    }

    /// So many bytes from a place on.
    ///
    /// # Errors
    /// If the file ends before, or the system refuses.
    pub(super) fn bytes(&self, offset: u64, count: usize) -> Result<Cow<'_, [u8]>, TableFault> {
        let end = offset.checked_add(count as u64).filter(|&end| end <= self.length());
        let Some(end) = end else {
            let expected = offset.checked_add(count as u64);
            return Err(TableFault::Length { found: self.length(), expected });
        };
        match self {
            // The end is within the slice, so both fit.
            Source::Memory(bytes) => Ok(Cow::Borrowed(&bytes[offset as usize..end as usize])),
            Source::File { file, .. } => {
                let mut buffer = vec![0; count];
                file.read_exact_at(&mut buffer, offset)?;
                Ok(Cow::Owned(buffer))
            }
        }
    }

    /// A fixed number of bytes from a place on.
    pub(super) fn array<const N: usize>(&self, offset: u64) -> Result<[u8; N], TableFault> {
        let mut array = [0; N];
        array.copy_from_slice(&self.bytes(offset, N)?);
        Ok(array)
    }
}

/// A file that several threads read from without moving each other's place in it.
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
        let mut file = self.file.lock().map_err(|_| io::Error::other("another thread failed in reading"))?;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn large_files_are_read_by_position_like_small_ones_in_memory() {
        let path: PathBuf =
            std::env::temp_dir().join(format!("tabiya-tablebase-source-{}", std::process::id()));
        let bytes: Vec<u8> = (0..SMALL + 100).map(|index| (index * 7 % 251) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        let large = Source::open(&path).unwrap();
        assert!(matches!(large, Source::File { .. }));
        let small = Source::Memory(bytes.clone().into());
        for (offset, count) in [(0, 16), (SMALL - 3, 64), (SMALL + 84, 16), (5, 0)] {
            let expected = &bytes[offset as usize..offset as usize + count];
            assert_eq!(large.bytes(offset, count).unwrap(), expected);
            assert_eq!(small.bytes(offset, count).unwrap(), expected);
        }
        for source in [&large, &small] {
            let beyond = source.bytes(SMALL + 85, 16).unwrap_err();
            let length = SMALL + 100;
            assert_eq!(beyond, TableFault::Length { found: length, expected: Some(length + 1) });
            assert!(source.bytes(u64::MAX, 16).is_err());
        }
        std::fs::remove_file(&path).unwrap();
    }
}
