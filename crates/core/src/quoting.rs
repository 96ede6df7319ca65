//! Quoted strings, as in PGN tags and EPD operands: quotes and backslashes are escaped by a backslash.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write};

/// Displays a text in quotes, escaped. Control characters, which could break the line, become spaces.
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

/// Removes the backslashes that escape quotes and backslashes. Other backslashes are kept.
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
    fn quoting_round_trips() {
        for (escaped, plain) in [
            ("plain", "plain"),
            (r#"a \"b\" c"#, r#"a "b" c"#),
            (r"C:\\pgn", r"C:\pgn"),
            (r"a \ alone", r"a \ alone"),
            ("\\", "\\"),
        ] {
            assert_eq!(unescape(Cow::Borrowed(escaped)), plain);
            let quoted = Quoted(plain).to_string();
            assert_eq!(unescape(Cow::Borrowed(&quoted[1..quoted.len() - 1])), plain);
        }
        assert_eq!(Quoted("a\tb\n").to_string(), "\"a b \"");
    }
}
