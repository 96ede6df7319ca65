//! Conversion of raw bytes to text: character sets and line breaks in comments.

use alloc::borrow::Cow;

/// The characters of the bytes 0x80 to 0x9F in Windows-1252. The five unused bytes keep their values, as in browsers.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', //
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes bytes as UTF-8 if valid, otherwise as Windows-1252, in which all bytes are valid. Outside 0x80 to 0x9F that
/// is Latin-1 (ISO 8859-1), the character set of the PGN standard, which has no printable characters there.
///
/// [`PgnReader`](super::PgnReader) decodes each tag, comment and token so.
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

/// The text of a comment, from the bytes between its braces.
pub(in crate::notation) fn comment_text(bytes: &[u8]) -> Cow<'_, str> {
    unwrap_lines(decode(bytes))
}

/// Replaces a single line break and the white space around it by one space, because programs wrap long lines. An empty line
/// is deliberate: of several line breaks in a row, all but the first are kept. Trims both ends.
fn unwrap_lines(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(['\n', '\r']) {
        return match text {
            Cow::Borrowed(text) => Cow::Borrowed(trim(text)),
            Cow::Owned(text) => Cow::Owned(trim(&text).to_owned()),
        };
    }
    let text = text.replace("\r\n", "\n");
    let mut plain = String::with_capacity(text.len());
    let mut empty_lines = 0;
    for line in text.split(['\n', '\r']).map(trim) {
        if line.is_empty() {
            empty_lines += 1;
            continue;
        }
        if !plain.is_empty() {
            plain.push_str(if empty_lines == 0 { " " } else { "" });
            plain.extend(core::iter::repeat_n('\n', empty_lines));
        }
        empty_lines = 0;
        plain.push_str(line);
    }
    Cow::Owned(plain)
}

/// Trims ASCII white space. Unicode spaces such as U+00A0 are kept, because they are deliberate.
fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r'])
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

    #[test]
    fn line_breaks_become_spaces_and_empty_lines_are_kept() {
        for (wrapped, plain) in [
            (" a b ", "a b"),
            ("a  b", "a  b"),
            ("a\nb", "a b"),
            ("a  \r\n \r\n\tb\n", "a\nb"),
            ("a\r\rb\r", "a\nb"),
            ("\n\na\n\n\nb\nc\n\n", "a\n\nb c"),
            ("\n", ""),
        ] {
            assert_eq!(unwrap_lines(Cow::Borrowed(wrapped)), plain);
        }
    }
}
