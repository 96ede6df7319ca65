//! Strings in quotes, as in PGN tags and EPD operands: a backslash stands before each quote and
//! backslash of the text.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write};

/// A text in quotes. Control characters, which would break the line, become blanks.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if c.is_control() => f.write_char(' ')?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// Takes the backslashes off that stand before quotes and backslashes. Others mean themselves.
pub(crate) fn unescape(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&escaped @ ('"' | '\\'))) => {
                plain.push(escaped);
                chars.next();
            }
            _ => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        for (escaped, plain) in [
            ("plain", "plain"),
            (r#"a \"b\" c"#, r#"a "b" c"#),
            (r"C:\\pgn", r"C:\pgn"),
            (r"one \ other", r"one \ other"),
            ("\\", "\\"),
        ] {
            assert_eq!(unescape(Cow::Borrowed(escaped)), plain);
            let quoted = Quoted(plain).to_string();
            assert_eq!(unescape(Cow::Borrowed(&quoted[1..quoted.len() - 1])), plain);
        }
        assert_eq!(Quoted("a\tb\n").to_string(), "\"a b \"");
    }
}
