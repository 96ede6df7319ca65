//! [`decode`]: text from bytes in an unknown character set.

use alloc::borrow::Cow;

/// The characters of the bytes 0x80 to 0x9F in Windows-1252. The five unused bytes keep their values, as in browsers.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', //
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes bytes as UTF-8 if valid, otherwise as Windows-1252, in which all bytes are valid. Outside 0x80 to 0x9F that
/// is Latin-1 (ISO 8859-1), the character set of the PGN standard, which has no printable characters there.
///
/// The PGN reader decodes each tag, comment and token so.
///
/// ```
/// use tabiya_core::notation::decode;
///
/// assert_eq!(decode("Réti".as_bytes()), "Réti");
/// assert_eq!(decode(b"R\xe9ti"), "Réti");
/// ```
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let windows_1252 = |&byte: &u8| match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    };
    match core::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(windows_1252).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_utf_8_and_windows_1252() {
        assert_eq!(decode("Réti".as_bytes()), "Réti");
        assert_eq!(decode(b"R\xe9ti"), "Réti");
        assert_eq!(decode(b"O\x92Neil \x97 5 \x80 \x8a\x9f\x81"), "O’Neil — 5 € ŠŸ\u{81}");
    }
}
