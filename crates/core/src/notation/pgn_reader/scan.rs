//! The scanner of the PGN reader: movetext and variations.

use super::bytes::{
    Blank, at_line_start, blank, ends_name, is_white_space, line_end, whole_characters, word_end,
};
use super::source::Window;
use super::state::{Inside, Skipping, Stage, State, Step};
use super::visitor::Origin;
use super::{Excerpt, Location, Next, PgnError, PgnErrorKind, PgnVisitor, SanToken};
use crate::notation::{GameResult, Nag, San};

/// The maximum length of a word, in bytes. Longer words are skipped as unexpected text.
pub(super) const LONGEST_WORD: usize = 255;

/// The maximum distance, in bytes, to look ahead for the rest of a tag or for a blank line.
pub(super) const LOOK_AHEAD: usize = 512;

/// A scan of one window with one visitor.
pub(super) struct Scan<'a, V> {
    pub(super) state: &'a mut State,
    pub(super) window: &'a Window<'a>,
    pub(super) at: usize,
    pub(super) visitor: &'a mut V,
}

impl<'a, V: PgnVisitor> Scan<'a, V> {
    /// Scans until the game ends, the window ends, or the visitor must be switched.
    pub(super) fn run(&mut self) -> Step {
        loop {
            let step = match self.state.inside {
                Inside::Nothing => match self.state.stage {
                    Stage::Tags => self.tags(),
                    Stage::Moves => Some(self.moves()),
                    Stage::AfterResult => self.after_result(),
                },
                Inside::BraceComment => self.brace_comment(self.at, self.at),
                Inside::LineComment => self.line_comment(self.at),
                Inside::Line => self.rest_of_line(),
                Inside::Word => self.rest_of_word(),
            };
            if let Some(step) = step {
                return step;
            }
        }
    }

    /// Scans movetext. Moves and move numbers are handled in this loop for speed; other tokens have their own
    /// functions.
    fn moves(&mut self) -> Step {
        let data = self.window.data;
        let mut at = self.at;
        loop {
            let Some(&byte) = data.get(at) else {
                self.at = at;
                return self.end_of_window();
            };
            match byte {
                0..=b' ' => at += 1,
                b'A'..=b'Z' | b'a'..=b'z' | b'@' => {
                    let end = word_end(data, at);
                    let after = data.get(end);
                    if (after.is_none() && !self.window.at_end) || end - at > LONGEST_WORD {
                        self.at = at;
                        match self.unfinished_word(end) {
                            Some(step) => return step,
                            None => at = self.at,
                        }
                        continue;
                    }
                    let bytes = &data[at..end];
                    if !ends_like_a_move(bytes) || after == Some(&b'(') {
                        self.at = at;
                        match self.odd_word(bytes, at) {
                            Some(step) => return step,
                            None => at = self.at,
                        }
                        if self.state.stage != Stage::Moves {
                            return Step::Switch;
                        }
                        continue;
                    }
                    let next = self.san(bytes, at);
                    at = end;
                    if next == Next::Skip {
                        self.at = end;
                        return self.skip_game();
                    }
                }
                b'0'..=b'9' => {
                    let mut end = at + 1;
                    while data.get(end).is_some_and(u8::is_ascii_digit) {
                        end += 1;
                    }
                    if data.get(end) == Some(&b'.') && end - at <= LONGEST_WORD && byte != b'0' {
                        at = end + 1;
                        continue;
                    }
                    self.at = at;
                    match self.number(end) {
                        Some(step) => return step,
                        None => at = self.at,
                    }
                    if self.state.stage != Stage::Moves {
                        return Step::Switch;
                    }
                }
                b'.' => at += 1,
                _ => {
                    if byte == b'{'
                        && let Some(end) = self.plain_comment(at + 1)
                    {
                        at = end;
                        continue;
                    }
                    self.at = at;
                    match self.symbol_token(byte) {
                        Some(step) => return step,
                        None => at = self.at,
                    }
                    if self.state.inside != Inside::Nothing || self.state.stage != Stage::Moves {
                        return Step::Switch;
                    }
                }
            }
        }
    }

    pub(super) fn end_of_window(&self) -> Step {
        if self.window.at_end { Step::End } else { Step::More }
    }

    #[inline]
    pub(super) fn san(&mut self, bytes: &[u8], at: usize) -> Next {
        self.state.move_seen = true;
        self.visitor.san(SanToken { bytes, origin: Origin { window: self.window, at } })
    }

    /// Handles a word that may be a glyph, a word to ignore, a result, a move with a sign such as `+-` glued to it, or a move
    /// in an unusual form. Any other word is unexpected text.
    #[cold]
    pub(super) fn odd_word(&mut self, bytes: &'a [u8], at: usize) -> Option<Step> {
        let Some(bytes) = self.with_promotion(bytes, at) else {
            self.at = at;
            return Some(Step::More);
        };
        let end = at + bytes.len();
        if let Some(result) = GameResult::from_bytes(bytes) {
            return self.result(result, end);
        }
        self.at = end;
        if bytes == b"N" {
            self.visitor.nag(Nag::NOVELTY);
        } else if let Some((mv, nag)) = San::split_sign(bytes) {
            if self.san(mv, at) == Next::Skip {
                return Some(self.skip_game());
            }
            self.visitor.nag(nag);
        } else if let Some(first) = before_punctuation(bytes) {
            return self.odd_word(first, at);
        } else if San::from_bytes(bytes).is_ok() || contains_square(bytes) {
            let next = self.san(bytes, at);
            return self.step_after(next);
        } else if !matches!(bytes, b"e.p." | b"ep" | b"ep.") {
            return self.error(at, end, PgnErrorKind::UnexpectedText);
        }
        None
    }

    /// Returns the word at `at` with the promotion in parentheses after it, as in `b8(Q)`, if it has one. `None` if more text is needed to
    /// decide.
    fn with_promotion(&self, word: &'a [u8], at: usize) -> Option<&'a [u8]> {
        let Window { data, at_end, .. } = *self.window;
        let end = at + word.len();
        if data.get(end) != Some(&b'(') || !matches!(word, [.., b'1' | b'8'] | [.., b'1' | b'8', b'=']) {
            return Some(word);
        }
        match data.get(at..end + b"(Q)".len()) {
            None if !at_end => None,
            Some(mv) if San::from_bytes(mv).is_ok() => Some(mv),
            _ => Some(word),
        }
    }

    /// Returns the step for the return value of a visitor's method: `None` to continue.
    pub(super) fn step_after(&mut self, next: Next) -> Option<Step> {
        match next {
            Next::Read => None,
            Next::Skip => Some(self.skip_game()),
        }
    }

    /// Skips the rest of the game.
    pub(super) fn skip_game(&mut self) -> Step {
        self.state.skipping = Skipping::Game;
        Step::Switch
    }

    /// Reports an error in the token between these indices of the window; returns a step if the rest of the game must be
    /// skipped.
    #[cold]
    pub(super) fn error(&mut self, at: usize, end: usize, kind: PgnErrorKind) -> Option<Step> {
        self.error_at(self.window.location(at), &self.window.data[at..end], kind)
    }

    #[cold]
    pub(super) fn error_at(&mut self, location: Location, token: &[u8], kind: PgnErrorKind) -> Option<Step> {
        let next = self.visitor.error(PgnError { location, token: Excerpt::of(token), kind });
        self.step_after(next)
    }

    /// Handles a word that reaches the end of the window or is longer than [`LONGEST_WORD`].
    #[cold]
    pub(super) fn unfinished_word(&mut self, end: usize) -> Option<Step> {
        let at = self.at;
        // The word ends before a character at the end of the window that turns out to be a blank.
        let end = if self.window.at_end { end } else { end.min(whole_characters(self.window.data)) };
        if end - at <= LONGEST_WORD {
            return Some(Step::More);
        }
        self.at = end;
        self.state.inside = Inside::Word;
        Some(self.error(at, end, PgnErrorKind::UnexpectedText).unwrap_or(Step::Switch))
    }

    fn rest_of_word(&mut self) -> Option<Step> {
        let data = self.window.data;
        self.at = word_end(data, self.at);
        if self.at == data.len() {
            if !self.window.at_end {
                self.at = whole_characters(data);
            }
            return Some(self.end_of_window());
        }
        self.state.inside = Inside::Nothing;
        None
    }

    /// Skips the rest of the line.
    pub(super) fn skip_line(&mut self) {
        self.state.inside = Inside::Line;
    }

    fn rest_of_line(&mut self) -> Option<Step> {
        match line_end(self.window.data, self.at) {
            Some(end) => {
                self.at = end;
                self.state.inside = Inside::Nothing;
                None
            }
            None => {
                self.at = self.window.data.len();
                Some(self.end_of_window())
            }
        }
    }

    /// Scans a word that starts with a number, which ends before `end`: a move number, a result, castling with zeros, or
    /// a null move. Numbers with a dot get here only if they start with 0, as in `0.5-0.5`.
    fn number(&mut self, end: usize) -> Option<Step> {
        let (data, at) = (self.window.data, self.at);
        if end - at > LONGEST_WORD {
            return self.unfinished_word(end);
        }
        let Some(&next) = data.get(end) else {
            if self.window.at_end {
                self.at = end;
                return None;
            }
            return Some(Step::More);
        };
        let number = &data[at..end];
        let is_number = match next {
            b' ' if matches!(number, b"0" | b"1") => match self.spaced_result_end(end) {
                Some(result_end) => result_end == end,
                None => return Some(Step::More),
            },
            b'-' | b'/' => false,
            b':' => !matches!(number, b"0" | b"1"),
            b'.' | b',' if number == b"0" => match data.get(end + 1) {
                None if !self.window.at_end => return Some(Step::More),
                decimal => decimal != Some(&b'5'),
            },
            0x80.. => match blank(data, end) {
                Blank::Yes(_) => true,
                Blank::More if !self.window.at_end => return Some(Step::More),
                _ => false,
            },
            _ => true,
        };
        if is_number {
            self.at = end;
            let mv: &[u8] = match number {
                b"0000" => b"--",
                b"00" | b"000" => number,
                _ => return None,
            };
            let next = self.san(mv, at);
            return self.step_after(next);
        }
        match self.word_or_result(end) {
            Ok(bytes) => self.odd_word(bytes, at),
            Err(step) => step,
        }
    }

    /// Scans a token that does not start with a letter or a digit.
    fn symbol_token(&mut self, byte: u8) -> Option<Step> {
        let at = self.at;
        match byte {
            b'{' => self.brace_comment(at + 1, at),
            b';' => {
                self.at = at + 1;
                self.line_comment(at + 1)
            }
            b'(' => self.open_variation(),
            b')' => self.close_variation(),
            b'$' => self.numeric_glyph(),
            b'!' | b'?' => self.annotation_marks(),
            b'*' => self.result(GameResult::Unknown, at + 1),
            b',' | b':' => {
                self.at = at + 1;
                None
            }
            b'%' if at_line_start(self.window.data, at) => {
                self.skip_line();
                None
            }
            b'[' => match starts_tag(self.window, at) {
                None => Some(Step::More),
                Some(true) => Some(Step::End),
                Some(false) => self.unexpected_word(),
            },
            b'}' => {
                self.at = at + 1;
                self.error(at, at + 1, PgnErrorKind::UnexpectedClosingBrace)
            }
            b'+' | b'-' | b'=' | b'~' | b'#' | 0x80.. => self.symbol(),
            _ => self.unexpected_word(),
        }
    }

    fn open_variation(&mut self) -> Option<Step> {
        let at = self.at;
        self.at = at + 1;
        let mut next = Next::Skip;
        let mut step = None;
        if self.state.skipping == Skipping::Nothing {
            if self.state.move_seen {
                next = self.visitor.begin_variation();
            } else {
                step = self.error(at, at + 1, PgnErrorKind::VariationBeforeMove);
            }
        }
        // The variation counts as open even if it is skipped.
        if self.state.depth == 0 {
            self.state.variation_offset = self.window.offset(at);
            self.state.variation_location = None;
        }
        let outer_depth = self.state.depth;
        self.state.depth = outer_depth.saturating_add(1);
        let move_seen = core::mem::replace(&mut self.state.move_seen, false);
        if self.state.skipping == Skipping::Nothing && next == Next::Skip {
            self.state.move_seen_before_skip = move_seen;
            self.state.skipping = Skipping::Variation(outer_depth);
            step = Some(Step::Switch);
        }
        step
    }

    fn close_variation(&mut self) -> Option<Step> {
        let at = self.at;
        self.at = at + 1;
        if self.state.depth == 0 {
            return self.error(at, at + 1, PgnErrorKind::UnexpectedClosingParenthesis);
        }
        self.state.depth -= 1;
        if self.state.skipping == Skipping::Variation(self.state.depth) {
            self.state.skipping = Skipping::Nothing;
            self.state.move_seen = self.state.move_seen_before_skip;
            return Some(Step::Switch);
        }
        // A variation that is read replaces a move of the enclosing line.
        self.state.move_seen = true;
        self.visitor.end_variation();
        None
    }
}

/// Returns true if a word ends as only moves do. Other words may still be moves.
#[inline]
fn ends_like_a_move(word: &[u8]) -> bool {
    matches!(
        word,
        [.., b'a'..=b'h', b'1'..=b'8']
            | [.., b'a'..=b'h', b'1'..=b'8', b'+' | b'#']
            | [.., b'-', b'O']
            | [.., b'1' | b'8', b'=', b'Q' | b'R' | b'B']
    )
}

/// Returns the move or result before a comma, full stop or colon of a word that is not a move, as in `e4,`. The longest counts, because
/// `e2:d3` and `exd6e.p.` have such marks too.
fn before_punctuation(word: &[u8]) -> Option<&[u8]> {
    let is_known = |part: &[u8]| San::from_bytes(part).is_ok() || GameResult::from_bytes(part).is_some();
    if San::from_bytes(word).is_ok() {
        return None;
    }
    let marks = (0..word.len()).rev().filter(|&at| matches!(word[at], b',' | b'.' | b':'));
    marks.map(|at| &word[..at]).find(|part| is_known(part))
}

/// Returns true if a word contains the name of a square, so that it may be a move in a form that is not known.
fn contains_square(word: &[u8]) -> bool {
    word.windows(2).any(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8']))
}

/// Returns true if the bracket at `at` begins a tag, or `None` if more text is needed to decide.
pub(super) fn starts_tag(window: &Window<'_>, at: usize) -> Option<bool> {
    let ahead = &window.data[at + 1..window.data.len().min(at + LOOK_AHEAD)];
    let is_complete = ahead.len() + 1 == LOOK_AHEAD || window.at_end;
    let undecided = if is_complete { Some(false) } else { None };
    let Some(name) = ahead.iter().position(|byte| !is_white_space(*byte)) else { return undecided };
    let Some(length) = ahead[name..].iter().position(|&byte| ends_name(byte)) else { return undecided };
    let after = &ahead[name + length..];
    match after.iter().find(|byte| !is_white_space(**byte)) {
        None => undecided,
        Some(&byte) => Some(byte == b'"' && length > 0),
    }
}
