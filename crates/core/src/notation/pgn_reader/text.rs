//! The text of comments.

use crate::notation::decode;
use alloc::borrow::Cow;

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
