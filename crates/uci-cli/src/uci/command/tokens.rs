//! Whitespace-separated tokens of a line, with their positions.

use super::{Problem, ProblemKind};

/// A token of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'a> {
    /// The byte offset in the line.
    pub(super) at: usize,
    pub(super) text: &'a str,
}

/// An iterator over the tokens of a line.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    line: &'a str,
    /// The byte offset of the next token, or the length of the line.
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(line: &'a str) -> Tokens<'a> {
        let mut tokens = Tokens { line, at: 0 };
        tokens.skip_space();
        tokens
    }

    /// The byte offset of the next token, or the length of the line.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The next token, without consuming it.
    pub(super) fn peek(&self) -> Option<Token<'a>> {
        let rest = &self.line[self.at..];
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        if rest.is_empty() { None } else { Some(Token { at: self.at, text: &rest[..end] }) }
    }

    /// Consumes the rest of the line and returns it, trimmed.
    pub(super) fn rest(&mut self) -> &'a str {
        let rest = self.line[self.at..].trim_end();
        self.at = self.line.len();
        rest
    }

    /// The trimmed text between two byte offsets.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.line.get(start..end).unwrap_or_default().trim()
    }

    /// The error for `found`, or for the end of the line, where `expected` should follow `after`.
    pub(super) fn unexpected(
        &self,
        found: Option<Token<'a>>,
        after: &'static str,
        expected: &'static str,
    ) -> Problem {
        match found {
            None => {
                Problem { at: self.line.trim_end().len(), kind: ProblemKind::Missing { after, expected } }
            }
            Some(token) => Problem {
                at: token.at,
                kind: ProblemKind::Unexpected { found: token.text.to_owned(), after, expected },
            },
        }
    }

    fn skip_space(&mut self) {
        let rest = &self.line[self.at..];
        self.at = self.line.len() - rest.trim_start().len();
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let token = self.peek()?;
        self.at += token.text.len();
        self.skip_space();
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yields_tokens_with_offsets() {
        let mut tokens = Tokens::new("  a  é\tb ");
        assert_eq!(tokens.next(), Some(Token { at: 2, text: "a" }));
        assert_eq!(tokens.next(), Some(Token { at: 5, text: "é" }));
        assert_eq!(tokens.peek(), Some(Token { at: 8, text: "b" }));
        assert_eq!(tokens.rest(), "b");
        assert_eq!(tokens.next(), None);
    }
}
