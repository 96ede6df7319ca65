//! Looking through bytes.

/// The bytes that end a word: blanks and control characters, and the signs that are tokens.
static ENDS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte <= b' ' as usize {
        table[byte] = true;
        byte += 1;
    }
    let signs = b"{}()[];$!?<>\"*";
    let mut index = 0;
    while index < signs.len() {
        table[signs[index] as usize] = true;
        index += 1;
    }
    table
};

/// U+FEFF, which some programs put at the start of each file, and so also between files that were
/// joined.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Does this byte separate words? Blanks do, and so do all other control characters.
pub(super) fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

/// The end of the word that starts at `at`: the next blank or sign, or the end.
#[inline]
pub(super) fn word_end(data: &[u8], at: usize) -> usize {
    let rest = data.get(at..).unwrap_or_default();
    at + rest.iter().position(|&byte| ENDS_WORD[byte as usize]).unwrap_or(rest.len())
}

/// Where the line ends that `from` is in: at a line feed, or a carriage return.
pub(super) fn line_end(data: &[u8], from: usize) -> Option<usize> {
    find_either(data, from, [b'\n', b'\r'])
}

/// Is this the first byte of a line?
pub(super) fn at_line_start(data: &[u8], at: usize) -> bool {
    match &data[..at] {
        // The bytes before the next one are always kept, so this is the start of the text.
        [] => true,
        before => matches!(before, [.., b'\n' | b'\r']) || before.ends_with(BYTE_ORDER_MARK),
    }
}

/// The first place in `bytes`, from `from` on, where `byte` stands.
#[inline]
pub(super) fn find(bytes: &[u8], from: usize, byte: u8) -> Option<usize> {
    find_either(bytes, from, [byte])
}

/// The first place in `bytes`, from `from` on, where one of these stands.
#[inline]
pub(super) fn find_either<const N: usize>(bytes: &[u8], from: usize, sought: [u8; N]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let rest = bytes.get(from..)?;
    let (words, tail) = rest.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let mut found = 0;
        for byte in sought {
            // A byte of `difference` that is zero is one that is sought; the lowest byte whose high
            // bit is set below is the first of them.
            let difference = u64::from_le_bytes(*word) ^ (ONES * u64::from(byte));
            found |= difference.wrapping_sub(ONES) & !difference & HIGHS;
        }
        if found != 0 {
            return Some(from + index * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let start = bytes.len() - tail.len();
    tail.iter().position(|byte| sought.contains(byte)).map(|at| start + at)
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
                let either = text.iter().skip(from).position(|&b| b == byte || b == 7).map(|at| from + at);
                assert_eq!(find_either(&text, from, [byte, 7]), either, "{byte} or 7 from {from}");
            }
        }
    }
}
