//! Byte searches and character classes for the PGN reader.

/// The bytes that may end a word: white space, control characters, punctuation that forms separate tokens, and the
/// first bytes of [`blank`]s.
static ENDS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte <= b' ' as usize {
        table[byte] = true;
        byte += 1;
    }
    let others = b"{}()[];$!?<>\"*\x85\xa0\xc2\xe2\xe3\xef";
    let mut index = 0;
    while index < others.len() {
        table[others[index] as usize] = true;
        index += 1;
    }
    table
};

/// U+FEFF in UTF-8. Some programs write it at the start of a file, so it also occurs in the middle of
/// concatenated files.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns true for spaces and control characters, all of which separate words.
pub(super) fn is_white_space(byte: u8) -> bool {
    byte <= b' '
}

/// Returns true if no tag name contains this byte.
pub(super) fn ends_name(byte: u8) -> bool {
    is_white_space(byte) || matches!(byte, b'"' | b'[' | b']')
}

/// A character that separates words although it is not ASCII.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Blank {
    /// A blank of this many bytes.
    Yes(usize),
    No,
    /// The data ends inside the character.
    More,
}

/// Determines whether the character at `at` is a blank: a no-break space or another space of Unicode, a mark of the writing direction,
/// or an ellipsis, which text documents have for dots. Programs insert them when a game is copied from a web page or a document.
pub(super) fn blank(data: &[u8], at: usize) -> Blank {
    match data[at..] {
        [0..=0x7f, ..] => Blank::No,
        // The ellipsis and the no-break space of Windows-1252. In UTF-8 these bytes only continue a character.
        [0x85 | 0xa0, ..] if at == 0 || data[at - 1] < 0x80 => Blank::Yes(1),
        [0xc2, 0x85 | 0xa0, ..] => Blank::Yes(2),
        // U+2000 to U+200F, U+2026, U+2028 to U+202F, U+205F, U+2060, U+2066 to U+2069, U+3000 and the byte-order mark.
        [0xe2, 0x80, 0x80..=0x8f | 0xa6 | 0xa8..=0xaf, ..]
        | [0xe2, 0x81, 0x9f | 0xa0 | 0xa6..=0xa9, ..]
        | [0xe3, 0x80, 0x80, ..]
        | [0xef, 0xbb, 0xbf, ..] => Blank::Yes(3),
        [0xc2 | 0xe2 | 0xe3 | 0xef] | [0xe2, 0x80 | 0x81] | [0xe3, 0x80] | [0xef, 0xbb] => Blank::More,
        _ => Blank::No,
    }
}

/// The end of the word that starts at `at`: the next byte that ends a word, or the end of the data.
#[inline]
pub(super) fn word_end(data: &[u8], at: usize) -> usize {
    let rest = data.get(at..).unwrap_or_default();
    let end = at + first_word_end(rest);
    if data.get(end).is_some_and(|&byte| byte >= 0x80) { word_end_beyond(data, end) } else { end }
}

/// The index of the first byte that may end a word, or the length. A loop over the bytes would end after a number of turns that
/// the processor cannot predict, so eight bytes are looked at together.
#[inline]
fn first_word_end(rest: &[u8]) -> usize {
    let ends_word = |byte: u8| ENDS_WORD[usize::from(byte)];
    if let Some(word) = rest.first_chunk::<8>() {
        let value = u64::from_le_bytes(*word);
        let (low_bits, lowest_five) = (value & !HIGHS, value & (ONES * 0x1f));
        // The bytes below 0x2B, from 0x80 on, and those whose last five bits are 0x1B or more. These are all bytes of the table and
        // some others, as `#` and `=`, for which the loop decides. No addition carries into the next byte.
        let found = (!(low_bits + ONES * 0x55) | value | (lowest_five + ONES * 0x65)) & HIGHS;
        let at = found.trailing_zeros() as usize / 8;
        if at < 8 && ends_word(word[at]) {
            return at;
        }
    }
    rest.iter().position(|&byte| ends_word(byte)).unwrap_or(rest.len())
}

/// The end of the word that reaches at least to `at`, the start of a character that may be a blank.
#[cold]
fn word_end_beyond(data: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = data.get(at) {
        if ENDS_WORD[byte as usize] {
            match blank(data, at) {
                Blank::No => {}
                Blank::More => return data.len(),
                Blank::Yes(_) => return at,
            }
            if byte < 0x80 {
                return at;
            }
        }
        at += 1;
    }
    at
}

/// The length of the data without the start of a character at its end that may be a blank.
pub(super) fn whole_characters(data: &[u8]) -> usize {
    let length = data.len();
    (length.saturating_sub(2)..length).find(|&at| blank(data, at) == Blank::More).unwrap_or(length)
}

/// The position of the next line feed or carriage return.
pub(super) fn line_end(data: &[u8], from: usize) -> Option<usize> {
    find_any(data, from, [b'\n', b'\r'])
}

/// Returns true if `at` is the first byte of a line.
pub(super) fn at_line_start(data: &[u8], at: usize) -> bool {
    match &data[..at] {
        // The window keeps a few bytes before the next one, so this is the start of the text.
        [] => true,
        before => matches!(before, [.., b'\n' | b'\r']) || before.ends_with(BYTE_ORDER_MARK),
    }
}

/// The position of the first occurrence of `byte`, starting at `from`.
#[inline]
pub(super) fn find(bytes: &[u8], from: usize, byte: u8) -> Option<usize> {
    find_any(bytes, from, [byte])
}

/// A word of eight bytes with this value.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The highest bit of each of eight bytes.
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The position of the first brace or line feed, starting at `from`. Finds with few operations the bytes below 0x20 and
/// from 0x7B to 0x7F, and looks at these.
#[inline]
pub(super) fn find_comment_mark(bytes: &[u8], from: usize) -> Option<usize> {
    let is_mark = |byte: &u8| matches!(byte, b'{' | b'}' | b'\n');
    let rest = bytes.get(from..)?;
    let (words, tail) = rest.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let value = u64::from_le_bytes(*word);
        let low_bits = value & !HIGHS;
        // Neither addition carries into the next byte.
        let mut found = ((low_bits + ONES * 0x05) | !(low_bits + ONES * 0x60)) & !value & HIGHS;
        while found != 0 {
            let at = found.trailing_zeros() as usize / 8;
            if is_mark(&word[at]) {
                return Some(from + index * 8 + at);
            }
            found &= found - 1;
        }
    }
    let start = bytes.len() - tail.len();
    tail.iter().position(is_mark).map(|at| start + at)
}

/// The position of the first occurrence of any of these bytes, starting at `from`. Compares eight bytes at a
/// time.
#[inline]
pub(super) fn find_any<const N: usize>(bytes: &[u8], from: usize, needles: [u8; N]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let (words, tail) = rest.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let mut matches = 0;
        for byte in needles {
            // A zero byte of `difference` is a match. The expression below sets the high bit of matching
            // bytes; it may have false positives, but only above the first match.
            let difference = u64::from_le_bytes(*word) ^ (ONES * u64::from(byte));
            matches |= difference.wrapping_sub(ONES) & !difference & HIGHS;
        }
        if matches != 0 {
            return Some(from + index * 8 + matches.trailing_zeros() as usize / 8);
        }
    }
    let start = bytes.len() - tail.len();
    tail.iter().position(|byte| needles.contains(byte)).map(|at| start + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_blanks() {
        for (text, end) in [
            ("e4", 2),
            ("e4 e5", 2),
            ("e4\u{a0}e5", 2),
            ("e4\u{2009}e5", 2),
            ("e4\u{3000}", 2),
            ("e4\u{200e}e5", 2),
            ("e4… e5", 2),
            ("♘×d4± e5", 9),
            ("à4 e5", 3),
            ("♘×d4!", 7),
        ] {
            assert_eq!(word_end(text.as_bytes(), 0), end, "{text}");
        }
        assert_eq!(word_end(b"e4\xa0e5", 0), 2);
        assert_eq!(word_end(b"e4\x85e5", 0), 2);
        assert_eq!(word_end(b"e4\xe2\x80", 0), 4, "more is needed to decide");
        for byte in 0..=255 {
            let word = [b'e', b'8', b'=', b'Q', b'#', byte, b'+', b'4', b'5', b' '];
            let end = if ENDS_WORD[usize::from(byte)] { 5 } else { 9 };
            assert_eq!(first_word_end(&word), end, "{byte}");
            assert_eq!(first_word_end(&word[5..]), end - 5, "{byte}");
            assert_eq!(first_word_end(&word[..6]), end.min(6), "{byte}");
        }
        assert_eq!(blank(b"\xc2", 0), Blank::More);
        assert_eq!(blank(b"\xe2\x99\x98", 0), Blank::No);
        for (text, length) in
            [(&b"e4"[..], 2), (b"e4\xc2", 2), (b"e4\xe2\x80", 2), (b"e4\xc2\x85", 4), (b"\xe3", 0), (b"", 0)]
        {
            assert_eq!(whole_characters(text), length, "{text:?}");
        }
    }

    #[test]
    fn find_agrees_with_linear_search() {
        let text: Vec<u8> = (0..400u32).map(|n| (n * n % 256) as u8 ^ (n / 3) as u8).collect();
        assert!(b"{}\n".iter().all(|byte| text.contains(byte)));
        for from in 0..=text.len() + 1 {
            for byte in 0..=255 {
                let plain = text.iter().skip(from).position(|&b| b == byte).map(|at| from + at);
                assert_eq!(find(&text, from, byte), plain, "{byte} from {from}");
                let either = text.iter().skip(from).position(|&b| b == byte || b == 7).map(|at| from + at);
                assert_eq!(find_any(&text, from, [byte, 7]), either, "{byte} or 7 from {from}");
            }
            let mark = text.iter().skip(from).position(|b| b"{}\n".contains(b)).map(|at| from + at);
            assert_eq!(find_comment_mark(&text, from), mark, "from {from}");
        }
    }
}
