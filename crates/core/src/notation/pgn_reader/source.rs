//! The buffered input of the PGN reader: a window of fixed size that moves over the text.

use super::Location;
use super::utf16::{Utf16, read};
use core::cell::Cell;
use std::io::{self, Read};

/// The size of the buffer, in bytes.
const CAPACITY: usize = 64 * 1024;

/// The number of bytes before the next one that stay in the buffer: enough to detect the start of a line,
/// also after a byte-order mark.
const LOOK_BEHIND: usize = 3;

/// The maximum number of bytes that a scanner may leave unread when it requests more. The rest of the buffer
/// receives the next read.
pub(super) const LONGEST_TOKEN: usize = CAPACITY / 2;

/// The input and its buffer.
#[derive(Debug)]
pub(super) struct Source<R> {
    input: R,
    /// The decoder, if the text is in UTF-16.
    utf16: Option<Utf16>,
    buffer: Box<[u8]>,
    /// The number of buffered bytes.
    len: usize,
    /// The index of the next byte to read.
    pub(super) at: usize,
    at_end: bool,
    /// The location of the first byte of the buffer.
    start: Mark,
    /// The furthest location that has been computed. Later ones are computed from it, so that each line is
    /// counted only once.
    mark: Cell<Mark>,
}

/// A location in a form from which others can be computed.
#[derive(Clone, Copy, Debug)]
struct Mark {
    offset: u64,
    /// The number of line ends before it.
    lines: u64,
    /// The offset of the start of its line.
    line_start: u64,
}

/// The buffered part of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<'a> {
    pub(super) data: &'a [u8],
    /// True if the end of `data` is the end of the text.
    pub(super) at_end: bool,
    start: Mark,
    mark: &'a Cell<Mark>,
}

impl<R: Read> Source<R> {
    pub(super) fn new(input: R) -> Source<R> {
        let start = Mark { offset: 0, lines: 0, line_start: 0 };
        Source {
            input,
            utf16: None,
            buffer: vec![0; CAPACITY].into_boxed_slice(),
            len: 0,
            at: 0,
            at_end: false,
            start,
            mark: Cell::new(start),
        }
    }

    /// Discards the bytes that have been read, except the last [`LOOK_BEHIND`], and reads more.
    pub(super) fn fill(&mut self) -> io::Result<()> {
        let read = self.at.saturating_sub(LOOK_BEHIND);
        self.start = self.window().mark_at(read);
        if self.mark.get().offset < self.start.offset {
            self.mark.set(self.start);
        }
        self.buffer.copy_within(read..self.len, 0);
        self.len -= read;
        self.at -= read;
        let is_start = self.start.offset == 0 && self.len == 0;
        let mut count = self.read()?;
        if is_start {
            // The byte-order mark of UTF-16 has two bytes.
            while count > 0 && matches!(self.buffer[..self.len], [0xfe | 0xff]) {
                count = self.read()?;
            }
            self.utf16 = Utf16::detect(&self.buffer[..self.len]);
            if self.utf16.is_some() {
                self.len = 0;
                count = self.read()?;
            }
        }
        self.at_end = count == 0;
        Ok(())
    }

    /// Reads once, and returns the number of new bytes in the buffer.
    fn read(&mut self) -> io::Result<usize> {
        let space = &mut self.buffer[self.len..];
        let count = match &mut self.utf16 {
            Some(utf16) => utf16.read(&mut self.input, space)?,
            None => read(&mut self.input, space)?,
        };
        self.len += count;
        Ok(count)
    }

    #[inline]
    pub(super) fn window(&self) -> Window<'_> {
        Window { data: &self.buffer[..self.len], at_end: self.at_end, start: self.start, mark: &self.mark }
    }

    pub(super) fn input(&self) -> &R {
        &self.input
    }

    pub(super) fn into_input(self) -> R {
        self.input
    }
}

impl Window<'_> {
    /// The location in the text of the byte at this index of the window.
    pub(super) fn location(&self, at: usize) -> Location {
        let mark = self.mark_at(at);
        if mark.offset > self.mark.get().offset {
            self.mark.set(mark);
        }
        Location { offset: mark.offset, line: mark.lines + 1, column: mark.offset - mark.line_start + 1 }
    }

    fn mark_at(&self, at: usize) -> Mark {
        let (offset, cached) = (self.offset(at), self.mark.get());
        // The mark is never before the window.
        let cached_at = self.index(cached.offset).unwrap_or(0);
        if at >= cached_at {
            let between = &self.data[cached_at..at.min(self.data.len())];
            let last = between.iter().rposition(|&byte| byte == b'\n');
            let line_start = last.map_or(cached.line_start, |last| self.offset(cached_at + last + 1));
            Mark { offset, lines: cached.lines + count_lines(between), line_start }
        } else if cached.line_start <= offset {
            Mark { offset, ..cached }
        } else {
            let last = self.data[..at].iter().rposition(|&byte| byte == b'\n');
            let line_start = last.map_or(self.start.line_start, |last| self.offset(last + 1));
            Mark { offset, lines: cached.lines - count_lines(&self.data[at..cached_at]), line_start }
        }
    }

    /// The offset in the text of this index of the window.
    pub(super) fn offset(&self, at: usize) -> u64 {
        self.start.offset + at as u64
    }

    /// The index in the window of this offset in the text, if it is inside the window.
    pub(super) fn index(&self, offset: u64) -> Option<usize> {
        let at = usize::try_from(offset.checked_sub(self.start.offset)?).ok()?;
        Some(at).filter(|&at| at <= self.data.len())
    }
}

fn count_lines(bytes: &[u8]) -> u64 {
    // Chunks whose count fits a byte let the compiler vectorize the loop.
    bytes
        .chunks(255)
        .map(|chunk| u64::from(chunk.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>()))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_survive_refills() {
        // A repeated line of seven bytes, which fills the buffer several times.
        let text = b"abcdef\n".repeat(30_000);
        let mut source = Source::new(&text[..]);
        let mut seen = 0;
        loop {
            source.fill().unwrap();
            let window = source.window();
            // Query locations in both directions.
            for at in [source.at, window.data.len() / 2, window.data.len(), window.data.len() - 3, source.at]
            {
                let location = window.location(at);
                assert_eq!(location.line, location.offset / 7 + 1);
                assert_eq!(location.column, location.offset % 7 + 1);
                assert_eq!(window.index(location.offset), Some(at));
            }
            seen = window.offset(window.data.len()).max(seen);
            if window.at_end {
                break;
            }
            source.at = window.data.len() - 5;
        }
        assert_eq!(seen, text.len() as u64);
    }
}
