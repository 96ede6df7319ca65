use super::Place;
use core::cell::Cell;
use std::io::{self, Read};

/// How many bytes are held at a time.
const CAPACITY: usize = 64 * 1024;

/// How many bytes before the next one can always be seen: they tell whether it starts a line, and
/// may be a byte order mark.
const LOOK_BEHIND: usize = 3;

/// The most a scanner may leave unread when it asks for more: what remains of the buffer takes the
/// next read.
pub(super) const LONGEST_TOKEN: usize = CAPACITY / 2;

/// The text that is being read: a window of fixed size that moves over it.
#[derive(Debug)]
pub(super) struct Source<R> {
    input: R,
    buffer: Box<[u8]>,
    /// How much of the buffer is filled.
    len: usize,
    /// The next byte to be read.
    pub(super) at: usize,
    at_end: bool,
    /// The place of the first byte of the buffer.
    start: Mark,
    /// The last place that was asked for. The next one is usually a little further on, so that all
    /// of them together count each line once.
    mark: Cell<Mark>,
}

/// A place in a form that is easy to count on from.
#[derive(Clone, Copy, Debug)]
struct Mark {
    offset: u64,
    /// Line ends before it.
    lines: u64,
    /// Where its line begins.
    line_start: u64,
}

/// What of the text can be seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<'a> {
    pub(super) data: &'a [u8],
    /// Is the end of `data` the end of the text?
    pub(super) at_end: bool,
    start: Mark,
    mark: &'a Cell<Mark>,
}

impl<R: Read> Source<R> {
    pub(super) fn new(input: R) -> Source<R> {
        let start = Mark { offset: 0, lines: 0, line_start: 0 };
        Source {
            input,
            buffer: vec![0; CAPACITY].into_boxed_slice(),
            len: 0,
            at: 0,
            at_end: false,
            start,
            mark: Cell::new(start),
        }
    }

    /// Discards what has been read, but for the last bytes of it, and reads some more.
    pub(super) fn fill(&mut self) -> io::Result<()> {
        let read = self.at.saturating_sub(LOOK_BEHIND);
        self.start = self.window().mark_at(read);
        if self.mark.get().offset < self.start.offset {
            self.mark.set(self.start);
        }
        self.buffer.copy_within(read..self.len, 0);
        self.len -= read;
        self.at -= read;
        let count = loop {
            match self.input.read(&mut self.buffer[self.len..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        // An input may claim to have read more than there was room for.
        self.len = self.len.saturating_add(count).min(CAPACITY);
        self.at_end = count == 0;
        Ok(())
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
    /// The place in the whole text of a byte of the window.
    pub(super) fn place(&self, at: usize) -> Place {
        let mark = self.mark_at(at);
        if mark.offset > self.mark.get().offset {
            self.mark.set(mark);
        }
        Place { offset: mark.offset, line: mark.lines + 1, column: mark.offset - mark.line_start + 1 }
    }

    fn mark_at(&self, at: usize) -> Mark {
        let (offset, known) = (self.offset(at), self.mark.get());
        // The mark is never before the window; should it be, its start will do.
        let known_at = self.index(known.offset).unwrap_or(0);
        if at >= known_at {
            let between = &self.data[known_at..at.min(self.data.len())];
            let last = between.iter().rposition(|&byte| byte == b'\n');
            let line_start = last.map_or(known.line_start, |last| self.offset(known_at + last + 1));
            Mark { offset, lines: known.lines + count_lines(between), line_start }
        } else if known.line_start <= offset {
            Mark { offset, ..known }
        } else {
            let last = self.data[..at].iter().rposition(|&byte| byte == b'\n');
            let line_start = last.map_or(self.start.line_start, |last| self.offset(last + 1));
            Mark { offset, lines: known.lines - count_lines(&self.data[at..known_at]), line_start }
        }
    }

    /// Bytes from the start of the text.
    pub(super) fn offset(&self, at: usize) -> u64 {
        self.start.offset + at as u64
    }

    /// Where in the window a byte of the text is.
    pub(super) fn index(&self, offset: u64) -> Option<usize> {
        let at = usize::try_from(offset.checked_sub(self.start.offset)?).ok()?;
        Some(at).filter(|&at| at <= self.data.len())
    }
}

fn count_lines(bytes: &[u8]) -> u64 {
    // In pieces whose count fits a byte, so that the compiler can count many bytes at once.
    bytes
        .chunks(255)
        .map(|chunk| u64::from(chunk.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>()))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_survive_refills() {
        // A line of seven bytes over and over, read in pieces.
        let text = b"abcdef\n".repeat(30_000);
        let mut source = Source::new(&text[..]);
        let mut seen = 0;
        loop {
            source.fill().unwrap();
            let window = source.window();
            // Forwards and backwards.
            for at in [source.at, window.data.len() / 2, window.data.len(), window.data.len() - 3, source.at]
            {
                let place = window.place(at);
                assert_eq!(place.line, place.offset / 7 + 1);
                assert_eq!(place.column, place.offset % 7 + 1);
                assert_eq!(window.index(place.offset), Some(at));
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
