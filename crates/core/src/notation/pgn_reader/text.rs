use alloc::borrow::Cow;

/// Bytes as text: UTF-8 if they are valid UTF-8, otherwise Latin-1 (ISO 8859-1), the character
/// set of the PGN standard, in which any bytes are valid.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match core::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// The text of a comment, from what stands between the braces.
pub(in crate::notation) fn comment_text(bytes: &[u8]) -> Cow<'_, str> {
    unwrap_lines(decode(bytes))
}

/// Makes one blank of each line break and the blanks around it, and cuts blanks off both ends.
fn unwrap_lines(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(['\n', '\r']) {
        return match text {
            Cow::Borrowed(text) => Cow::Borrowed(trim(text)),
            Cow::Owned(text) => Cow::Owned(trim(&text).to_owned()),
        };
    }
    let mut plain = String::with_capacity(text.len());
    for line in text.split(['\n', '\r']).map(trim).filter(|line| !line.is_empty()) {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.push_str(line);
    }
    Cow::Owned(plain)
}

/// Cuts off blanks, but not the special ones of Unicode: whoever wrote those meant them.
fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings() {
        assert_eq!(decode("Réti".as_bytes()), "Réti");
        assert_eq!(decode(b"R\xe9ti"), "Réti");
    }

    #[test]
    fn line_breaks() {
        for (wrapped, plain) in
            [(" a b ", "a b"), ("a  b", "a  b"), ("a\nb", "a b"), ("a  \r\n \r\n\tb\n", "a b"), ("\n", "")]
        {
            assert_eq!(unwrap_lines(Cow::Borrowed(wrapped)), plain);
        }
    }
}
