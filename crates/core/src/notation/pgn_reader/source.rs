use super::Place;
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
    /// Bytes of the text before the buffer.
    discarded: u64,
    /// Line ends before the buffer.
    lines: u64,
    /// Where the line begins that the start of the buffer is in.
    line_start: u64,
}

/// What of the text can be seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<'a> {
    pub(super) data: &'a [u8],
    /// Is the end of `data` the end of the text?
    pub(super) at_end: bool,
    discarded: u64,
    lines: u64,
    line_start: u64,
}

impl<R: Read> Source<R> {
    pub(super) fn new(input: R) -> Source<R> {
        Source {
            input,
            buffer: vec![0; CAPACITY].into_boxed_slice(),
            len: 0,
            at: 0,
            at_end: false,
            discarded: 0,
            lines: 0,
            line_start: 0,
        }
    }

    /// Discards what has been read, but for the last bytes of it, and reads some more.
    pub(super) fn fill(&mut self) -> io::Result<()> {
        let read = self.at.saturating_sub(LOOK_BEHIND);
        let gone = &self.buffer[..read];
        if let Some(last) = gone.iter().rposition(|&byte| byte == b'\n') {
            self.lines += count_lines(gone);
            self.line_start = self.discarded + last as u64 + 1;
        }
        self.buffer.copy_within(read..self.len, 0);
        self.discarded += read as u64;
        self.len -= read;
        self.at -= read;
        let count = loop {
            match self.input.read(&mut self.buffer[self.len..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        // `get` and `min` guard against an input that claims to have read more than there is room.
        self.len = (self.len + count).min(CAPACITY);
        self.at_end = count == 0;
        Ok(())
    }

    #[inline]
    pub(super) fn window(&self) -> Window<'_> {
        Window {
            data: &self.buffer[..self.len],
            at_end: self.at_end,
            discarded: self.discarded,
            lines: self.lines,
            line_start: self.line_start,
        }
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
        let before = &self.data[..at.min(self.data.len())];
        let offset = self.offset(at);
        let line_start = match before.iter().rposition(|&byte| byte == b'\n') {
            Some(last) => self.offset(last + 1),
            None => self.line_start,
        };
        Place { offset, line: self.lines + count_lines(before) + 1, column: offset - line_start + 1 }
    }

    /// Bytes from the start of the text.
    pub(super) fn offset(&self, at: usize) -> u64 {
        self.discarded + at as u64
    }

    /// Where in the window a byte of the text is.
    pub(super) fn index(&self, offset: u64) -> Option<usize> {
        offset.checked_sub(self.discarded).map(|at| at as usize).filter(|&at| at <= self.data.len())
    }
}

fn count_lines(bytes: &[u8]) -> u64 {
    // In pieces whose count fits a byte, so that the compiler can count many bytes at once.
    bytes
        .chunks(255)
        .map(|chunk| u64::from(chunk.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>()))
        .sum()
}

/// The first place in `bytes`, from `from` on, where `byte` stands.
pub(super) fn find(bytes: &[u8], from: usize, byte: u8) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let rest = bytes.get(from..)?;
    let (words, tail) = rest.as_chunks::<8>();
    let pattern = ONES * u64::from(byte);
    for (index, word) in words.iter().enumerate() {
        // A byte of `difference` that is zero is the one that is sought; the lowest byte whose
        // high bit is set in `zeros` is the first of them.
        let difference = u64::from_le_bytes(*word) ^ pattern;
        let zeros = difference.wrapping_sub(ONES) & !difference & HIGHS;
        if zeros != 0 {
            return Some(from + index * 8 + zeros.trailing_zeros() as usize / 8);
        }
    }
    let start = bytes.len() - tail.len();
    tail.iter().position(|&b| b == byte).map(|at| start + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn find_agrees_with_a_plain_search() {
        let text: Vec<u8> = (0..200u32).map(|n| (n * n % 251) as u8).collect();
        for from in 0..=text.len() + 1 {
            for byte in 0..=255 {
                let plain = text.iter().skip(from).position(|&b| b == byte).map(|at| from + at);
                assert_eq!(find(&text, from, byte), plain, "{byte} from {from}");
            }
        }
    }

    #[test]
    fn places_survive_refills() {
        // A line of seven bytes over and over, read in pieces.
        let text = b"abcdef\n".repeat(30_000);
        let mut source = Source::new(&text[..]);
        let mut seen = 0;
        loop {
            source.fill().unwrap();
            let window = source.window();
            for at in [source.at, window.data.len() / 2, window.data.len()] {
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
