//! Scanning of results and of the text after them.

use super::bytes::{Blank, blank, is_white_space, word_end};
use super::scan::{LONGEST_WORD, LOOK_AHEAD, Scan, starts_tag};
use super::source::Window;
use super::state::{Stage, Step};
use super::{PgnErrorKind, PgnVisitor};
use crate::notation::GameResult;

/// The maximum length, in bytes, of a result with spaces around its dash.
const LONGEST_SPACED_RESULT: usize = 16;

/// The text after a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Continuation {
    /// A move number other than 1, with which the game continues although its result has been given.
    Moves,
    /// The end of the game: a blank line, a tag, move number 1, anything else on the next line, or the end of the text.
    End,
    /// Other text on the line of the result.
    Text,
}

impl<'a, V: PgnVisitor> Scan<'a, V> {
    /// Scans a word, of which the bytes before `scanned` are known to belong to it, and returns it.
    ///
    /// # Errors
    /// The step to return if the word is a result, is too long, or is not completely in the window.
    pub(super) fn word_or_result(&mut self, scanned: usize) -> Result<&'a [u8], Option<Step>> {
        let (data, at) = (self.window.data, self.at);
        let end = word_end(data, scanned);
        if (end == data.len() && !self.window.at_end) || end - at > LONGEST_WORD {
            return Err(self.unfinished_word(end));
        }
        let Some(result_end) = self.spaced_result_end(end) else { return Err(Some(Step::More)) };
        if let Some(result) = GameResult::from_bytes(&data[at..result_end]) {
            return Err(self.result(result, result_end));
        }
        self.at = end;
        Ok(&data[at..end])
    }

    /// The end of a result with spaces around its dash, as in `1 - 0`, if the word that ends before `end` begins one, and otherwise `end`.
    /// `None` if more text is needed to decide.
    pub(super) fn spaced_result_end(&self, end: usize) -> Option<usize> {
        let limit = self.at + LONGEST_SPACED_RESULT;
        let near = &self.window.data[..self.window.data.len().min(limit)];
        let is_complete = self.window.at_end || near.len() == limit;
        match near.get(end..).unwrap_or_default() {
            [b' ', b'-' | b':' | 0x80.., ..] => {}
            [] | [b' '] if !is_complete => return None,
            _ => return Some(end),
        }
        let dash_end = word_end(near, end + 1);
        let result_end = word_end(near, dash_end + 1).min(near.len());
        if result_end == near.len() && !is_complete {
            return None;
        }
        let is_result = GameResult::from_bytes(&near[self.at..result_end]).is_some();
        Some(if is_result { result_end } else { end })
    }

    /// Handles a result that ends before `end`. A result inside a variation is ignored, unless the game ends
    /// there.
    pub(super) fn result(&mut self, result: GameResult, end: usize) -> Option<Step> {
        if self.state.depth > 0 {
            match game_ends(self.window, end) {
                None => return Some(Step::More),
                Some(false) => {
                    self.at = end;
                    return None;
                }
                Some(true) => {}
            }
        }
        self.at = end;
        self.visitor.result(result);
        self.state.stage = Stage::AfterResult;
        None
    }

    /// Scans the rest of the line of the result: comments and other text on it still belong to the game, and so do moves after it.
    pub(super) fn after_result(&mut self) -> Option<Step> {
        loop {
            let Some(&byte) = self.window.data.get(self.at) else { return Some(self.end_of_window()) };
            match byte {
                // An unknown result does not replace the one before.
                b' ' | b'\t' | b'.' | b',' | b'*' => self.at += 1,
                b'{' => return self.brace_comment(self.at + 1, self.at),
                b';' => {
                    self.at += 1;
                    return self.line_comment(self.at);
                }
                _ => match continuation(self.window, self.at) {
                    None => return Some(Step::More),
                    Some(Continuation::End) => return Some(Step::End),
                    Some(Continuation::Moves) => return self.moves_after_result(),
                    Some(Continuation::Text) => return self.text_after_result(),
                },
            }
        }
    }

    #[cold]
    fn moves_after_result(&mut self) -> Option<Step> {
        while self.window.data.get(self.at).is_some_and(|&byte| is_white_space(byte)) {
            self.at += 1;
        }
        self.state.stage = Stage::Moves;
        let number = &self.window.data[self.at..];
        let digits = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.error(self.at, self.at + digits, PgnErrorKind::MovesAfterResult)
    }

    /// Scans a blank or a word on the line of the result: another result, which replaces it, or unexpected text.
    #[cold]
    fn text_after_result(&mut self) -> Option<Step> {
        let at = self.at;
        match blank(self.window.data, at) {
            Blank::Yes(length) => self.at += length,
            Blank::More if !self.window.at_end => return Some(Step::More),
            _ if is_white_space(self.window.data[at]) => self.at += 1,
            _ => match self.word_or_result(at + 1) {
                Ok(bytes) => return self.error(at, at + bytes.len(), PgnErrorKind::UnexpectedText),
                Err(step) => return step,
            },
        }
        None
    }
}

/// Returns true if a result that ends before `end` is followed by a blank line, a tag, or the end of the
/// text, so that the game ends there. `None` if more text is needed to decide.
fn game_ends(window: &Window<'_>, end: usize) -> Option<bool> {
    let ahead = &window.data[end..window.data.len().min(end + LOOK_AHEAD)];
    let next = ahead.iter().position(|byte| !is_white_space(*byte));
    match next {
        _ if line_feeds(&ahead[..next.unwrap_or(ahead.len())]) > 1 => Some(true),
        Some(next) if ahead[next] == b'[' => starts_tag(window, end + next),
        Some(_) => Some(false),
        None if window.at_end || ahead.len() == LOOK_AHEAD => Some(true),
        None => None,
    }
}

/// Determines what follows a result at `at` or on the next line. `None` if more text is needed to decide.
fn continuation(window: &Window<'_>, at: usize) -> Option<Continuation> {
    let ahead = &window.data[at..window.data.len().min(at + LOOK_AHEAD)];
    let is_complete = window.at_end || ahead.len() == LOOK_AHEAD;
    let next = ahead.iter().position(|byte| !is_white_space(*byte));
    let blanks = &ahead[..next.unwrap_or(ahead.len())];
    // A blank line decides without the text after it, which a pipe may give much later.
    if line_feeds(blanks) > 1 {
        return Some(Continuation::End);
    }
    let Some(start) = next else { return is_complete.then_some(Continuation::End) };
    let digits = ahead[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    match (&ahead[start..start + digits], ahead.get(start + digits)) {
        (_, None) if !is_complete => None,
        (b"1", Some(b'.')) => Some(Continuation::End),
        ([b'1'..=b'9', ..], Some(b'.')) => Some(Continuation::Moves),
        _ if blanks.contains(&b'\n') || blanks.contains(&b'\r') => Some(Continuation::End),
        (b"", Some(b'[')) => starts_tag(window, at + start)
            .map(|is_tag| if is_tag { Continuation::End } else { Continuation::Text }),
        _ => Some(Continuation::Text),
    }
}

fn line_feeds(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count()
}
