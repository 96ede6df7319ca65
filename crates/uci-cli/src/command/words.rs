use super::{Problem, ProblemKind};
use std::fmt;

/// A word of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word<'a> {
    /// The byte at which it starts.
    pub(super) at: usize,
    pub(super) text: &'a str,
}

/// The words of a line, with their places.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    line: &'a str,
    /// Where the next word starts; the end of the line if there is none.
    at: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a str) -> Words<'a> {
        let mut words = Words { line, at: 0 };
        words.skip_space();
        words
    }

    /// Where the next word starts, or the line ends.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> Option<Word<'a>> {
        let rest = &self.line[self.at..];
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        if rest.is_empty() { None } else { Some(Word { at: self.at, text: &rest[..end] }) }
    }

    /// All that is left, without the white space around it; nothing is left afterwards.
    pub(super) fn rest(&mut self) -> &'a str {
        let rest = self.line[self.at..].trim_end();
        self.at = self.line.len();
        rest
    }

    /// A stretch of the line from one place to another, without the white space around it.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.line.get(start..end).unwrap_or_default().trim()
    }

    /// The problem that `found` stands here (or that nothing does) where something else should.
    pub(super) fn unexpected(
        &self,
        found: Option<Word<'a>>,
        after: &'static str,
        expected: &'static str,
    ) -> Problem {
        match found {
            None => {
                Problem { at: self.line.trim_end().len(), kind: ProblemKind::Missing { after, expected } }
            }
            Some(word) => Problem {
                at: word.at,
                kind: ProblemKind::Unexpected { found: word.text.to_owned(), after, expected },
            },
        }
    }

    fn skip_space(&mut self) {
        let rest = &self.line[self.at..];
        self.at = self.line.len() - rest.trim_start().len();
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let word = self.peek()?;
        self.at += word.text.len();
        self.skip_space();
        Some(word)
    }
}

/// A text from outside, made fit for one line of output: in quotes, with control characters escaped,
/// and cut if it is long.
pub(crate) fn quote(text: &str) -> Quoted<'_> {
    Quoted(text)
}

/// See [`quote`].
pub(crate) struct Quoted<'a>(&'a str);

impl Quoted<'_> {
    /// How many characters are shown.
    const LONGEST: usize = 40;
}

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0;
        let end = text.char_indices().nth(Self::LONGEST).map_or(text.len(), |(at, _)| at);
        write!(f, "{:?}{}", &text[..end], if end < text.len() { "..." } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_places() {
        let mut words = Words::new("  a  é\tb ");
        assert_eq!(words.next(), Some(Word { at: 2, text: "a" }));
        assert_eq!(words.next(), Some(Word { at: 5, text: "é" }));
        assert_eq!(words.peek(), Some(Word { at: 8, text: "b" }));
        assert_eq!(words.rest(), "b");
        assert_eq!(words.next(), None);
    }

    #[test]
    fn quoting() {
        assert_eq!(quote("a\n\"b\"\u{1b}").to_string(), r#""a\n\"b\"\u{1b}""#);
        assert_eq!(quote(&"é".repeat(41)).to_string(), format!("\"{}\"...", "é".repeat(40)));
    }
}
