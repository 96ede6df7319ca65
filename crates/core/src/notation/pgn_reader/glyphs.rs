//! Scanning of glyphs, symbols used in print, and unexpected text.

use super::bytes::{Blank, blank, word_end};
use super::scan::{LONGEST_WORD, Scan};
use super::state::{Inside, Step};
use super::{PgnErrorKind, PgnVisitor};
use crate::notation::{Nag, decode};

impl<V: PgnVisitor> Scan<'_, V> {
    /// Scans a numeric annotation glyph: `$` and a number.
    pub(super) fn numeric_glyph(&mut self) -> Option<Step> {
        let (data, at) = (self.window.data, self.at);
        let mut end = at + 1;
        let mut number = Some(0u8);
        while let Some(digit) = data.get(end).filter(|byte| byte.is_ascii_digit()) {
            number = number.and_then(|number| number.checked_mul(10)?.checked_add(digit - b'0'));
            end += 1;
        }
        if end - at > LONGEST_WORD {
            self.at = end;
            self.state.inside = Inside::Word;
            return self.error(at, end, PgnErrorKind::InvalidNag);
        }
        if end == data.len() && !self.window.at_end {
            return Some(Step::More);
        }
        self.at = end;
        match number.filter(|_| end > at + 1) {
            Some(number) => {
                self.visitor.nag(Nag(number));
                None
            }
            None => self.error(at, end, PgnErrorKind::InvalidNag),
        }
    }

    /// Scans `!`, `?` or a pair of them. Very long runs are scanned in parts.
    pub(super) fn annotation_marks(&mut self) -> Option<Step> {
        let (data, at) = (self.window.data, self.at);
        let mut end = at + 1;
        while end - at < LONGEST_WORD && matches!(data.get(end), Some(b'!' | b'?')) {
            end += 1;
        }
        if end == data.len() && !self.window.at_end && end - at < LONGEST_WORD {
            return Some(Step::More);
        }
        self.at = end;
        match core::str::from_utf8(&data[at..end]).ok().and_then(Nag::from_symbol) {
            Some(nag) => {
                self.visitor.nag(nag);
                None
            }
            None => self.error(at, end, PgnErrorKind::InvalidNag),
        }
    }

    /// Scans a blank that is not ASCII, or a word that starts with a symbol: a glyph used in print, a null move, a move that starts with a
    /// figurine, a result, or a check mark that is separated from its move.
    pub(super) fn symbol(&mut self) -> Option<Step> {
        let at = self.at;
        match blank(self.window.data, at) {
            Blank::No => {}
            Blank::More if !self.window.at_end => return Some(Step::More),
            Blank::More => {}
            Blank::Yes(length) => {
                self.at += length;
                return None;
            }
        }
        let bytes = match self.word_or_result(at) {
            Ok(bytes) => bytes,
            Err(step) => return step,
        };
        if bytes.starts_with(b"--") || is_figurine(bytes) {
            return self.odd_word(bytes, at);
        }
        if matches!(bytes, b"+" | b"++" | b"#") {
            return None;
        }
        match Nag::from_symbol(&decode(bytes)) {
            Some(nag) => {
                self.visitor.nag(nag);
                None
            }
            None => self.error(at, self.at, PgnErrorKind::UnexpectedText),
        }
    }

    /// Scans text that is not PGN syntax: up to the next byte that ends a word, or from `<` to `>`, which the
    /// standard reserves for future expansion.
    pub(super) fn unexpected_word(&mut self) -> Option<Step> {
        let (data, at) = (self.window.data, self.at);
        let mut end = word_end(data, at + 1);
        if data[at] == b'<' {
            let near = &data[..data.len().min(at + LONGEST_WORD)];
            match near[at + 1..].iter().position(|byte| matches!(byte, b'<' | b'>' | b'\n')) {
                Some(length) if near[at + 1 + length] == b'>' => end = at + length + 2,
                None if near.len() == data.len() && !self.window.at_end => return Some(Step::More),
                _ => {}
            }
        }
        if end == data.len() && !self.window.at_end {
            return self.unfinished_word(end);
        }
        self.at = end;
        self.error(at, end, PgnErrorKind::UnexpectedText)
    }
}

/// Returns true if these bytes start with a figurine, U+2654 to U+265F.
fn is_figurine(bytes: &[u8]) -> bool {
    matches!(bytes, [0xe2, 0x99, 0x94..=0x9f, ..])
}
