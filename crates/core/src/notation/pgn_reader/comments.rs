//! Scanning of comments, including those whose closing brace is missing.

use super::bytes::{find, find_any, line_end};
use super::scan::Scan;
use super::source::LONGEST_TOKEN;
use super::state::{Inside, Step};
use super::visitor::Origin;
use super::{CommentToken, PgnErrorKind, PgnVisitor};

impl<'a, V: PgnVisitor> Scan<'a, V> {
    /// Scans a comment in braces whose text, or the rest of it, begins at `start`. `token` is the position of
    /// the opening brace, or equal to `start` if the brace is no longer in the window.
    pub(super) fn brace_comment(&mut self, start: usize, token: usize) -> Option<Step> {
        let (data, at_end) = self.part_from(start);
        // Fast path: nearly all comments end on the line they begin on.
        if self.state.searched == 0
            && let Some(end) = find_any(data, start, [b'}', b'\n'])
            && data[end] == b'}'
        {
            self.comment(start, end, false);
            self.at = end + 1;
            return None;
        }
        match find(data, start + self.state.searched, b'}') {
            Some(end) => match self.brace_in_tag_line(start, end, at_end) {
                BraceIn::Comment => match first_tag_line(data, start, end, false) {
                    None => {
                        self.comment(start, end, false);
                        self.at = end + 1;
                        None
                    }
                    Some(cut) => Some(self.unterminated_comment(start, cut, token)),
                },
                BraceIn::TagLine(line) => {
                    let cut = first_tag_line(data, start, line, false).unwrap_or(line);
                    Some(self.unterminated_comment(start, cut, token))
                }
                BraceIn::Unknown => {
                    self.state.searched = end - start;
                    self.at = token;
                    Some(Step::More)
                }
            },
            None if at_end => {
                let cut = first_tag_line(data, start, data.len(), true).unwrap_or(data.len());
                Some(self.unterminated_comment(start, cut, token))
            }
            None if data.len() - start < LONGEST_TOKEN => {
                self.state.searched = data.len() - start;
                self.at = token;
                Some(Step::More)
            }
            None => {
                // Split at the end of a line, so that the next part is known to begin a line.
                let last_line = data[start + 1..].iter().rposition(|&byte| byte == b'\n');
                let cut = match last_line {
                    Some(last) => start + 1 + last,
                    None => character_start(data, data.len()),
                };
                if let Some(cut) = first_tag_line(data, start, cut, last_line.is_some()) {
                    return Some(self.unterminated_comment(start, cut, token));
                }
                if self.state.inside == Inside::Nothing {
                    self.state.comment_location = Some(self.window.location(token));
                }
                self.comment(start, cut, true);
                self.state.inside = Inside::BraceComment;
                self.at = cut;
                Some(Step::Switch)
            }
        }
    }

    /// Determines whether the first closing brace after `start` belongs to the comment or to the value of a
    /// tag, such as `[Event "{a}"]`, on a separate line.
    ///
    /// In the latter case the comment's own brace is missing, and the line begins the next game. If the line
    /// were part of the comment, the comment would be followed by `"]`, which is not movetext.
    fn brace_in_tag_line(&self, start: usize, brace: usize, at_end: bool) -> BraceIn {
        let (data, _) = self.part_from(start);
        let Some(before) = data[start..brace].iter().rposition(|&byte| byte == b'\n') else {
            return BraceIn::Comment;
        };
        let line = start + before + 1;
        if data[line] != b'[' {
            return BraceIn::Comment;
        }
        let ends = at_end || find(data, brace, b'\n').is_some();
        if !ends && data.len() - start < LONGEST_TOKEN {
            return BraceIn::Unknown;
        }
        if is_tag_line(&data[line..], at_end) { BraceIn::TagLine(line) } else { BraceIn::Comment }
    }

    #[cold]
    fn unterminated_comment(&mut self, start: usize, cut: usize, token: usize) -> Step {
        let location = match self.state.inside {
            Inside::BraceComment => self.state.comment_location,
            _ => None,
        };
        let location = location.unwrap_or_else(|| self.window.location(token));
        self.comment(start, cut, false);
        self.at = cut;
        // The return value does not matter, because the game ends here.
        let _ = self.error_at(location, PgnErrorKind::UnterminatedComment);
        Step::End
    }

    /// Scans a comment that ends with the line, or the rest of one.
    pub(super) fn line_comment(&mut self, start: usize) -> Option<Step> {
        let (data, at_end) = self.part_from(start);
        let end = match line_end(data, start) {
            Some(end) => end,
            None if at_end => data.len(),
            None if data.len() - start < LONGEST_TOKEN => {
                self.state.inside = Inside::LineComment;
                self.at = start;
                return Some(Step::More);
            }
            None => {
                let cut = character_start(data, data.len());
                self.comment(start, cut, true);
                self.state.inside = Inside::LineComment;
                self.at = cut;
                return Some(Step::More);
            }
        };
        self.comment(start, end, false);
        self.at = end;
        None
    }

    /// The window up to the maximum end of a comment part that begins at `start`, and true if that is the
    /// end of the text. The limit is fixed, so that splitting does not depend on how much of the text is in
    /// the window.
    fn part_from(&self, start: usize) -> (&'a [u8], bool) {
        let (data, max_end) = (self.window.data, start + LONGEST_TOKEN);
        match data.get(..max_end) {
            Some(part) => (part, false),
            None => (data, self.window.at_end),
        }
    }

    fn comment(&mut self, start: usize, end: usize, continues: bool) {
        self.state.searched = 0;
        self.state.inside = Inside::Nothing;
        self.visitor.comment(CommentToken {
            bytes: &self.window.data[start..end],
            continues,
            origin: Origin { window: self.window, at: start },
        });
    }
}

/// The element that a closing brace belongs to.
enum BraceIn {
    Comment,
    /// A tag of the next game, on the line that begins at this position.
    TagLine(usize),
    /// More text is needed to decide.
    Unknown,
}

/// The last position up to `at` that is not inside a UTF-8 character.
fn character_start(data: &[u8], at: usize) -> usize {
    let is_continuation = |at: usize| data.get(at).is_some_and(|&byte| byte & 0xc0 == 0x80);
    (at.saturating_sub(3)..=at)
        .rev()
        .find(|&start| {
            let whole = start == data.len() && data.last().is_none_or(|&byte| byte < 0x80);
            whole || (start < data.len() && !is_continuation(start))
        })
        .unwrap_or(at)
}

/// The first line of the comment from `start` to `end` that consists of a tag. Such a line does not occur
/// in real comments; it means that the closing brace is missing and the next game has begun. `ends_line` is
/// true if the last line of the comment is complete.
fn first_tag_line(data: &[u8], start: usize, end: usize, ends_line: bool) -> Option<usize> {
    let text = &data[..end];
    let mut from = start;
    while let Some(at) = find(text, from, b'\n') {
        from = at + 1;
        if is_tag_line(&text[from..], ends_line) {
            return Some(from);
        }
    }
    None
}

/// Returns true if the first line of the text is `[Name "value"]`.
fn is_tag_line(text: &[u8], ends_line: bool) -> bool {
    let [b'[', b'A'..=b'Z', rest @ ..] = text else { return false };
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let Some(length) = rest.iter().position(|byte| !is_name(byte)) else { return false };
    let line = match find(rest, length, b'\n') {
        Some(end) => &rest[length..end],
        None if ends_line => &rest[length..],
        None => return false,
    };
    let line = line.trim_ascii_end();
    line.starts_with(b" ") && line.trim_ascii_start().starts_with(b"\"") && line.ends_with(b"\"]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_tag_lines() {
        for line in ["[Event \"x\"]", "[Event \"x\"]\r\nmore", "[Event_2  \"a] b\"]  \n[", "[E \"\"]"] {
            assert!(is_tag_line(line.as_bytes(), true), "{line}");
        }
        for line in ["", "[", "[%clk 1:00]", "['x']", "[Event", "[Event \"x\"] and", "[Event]", "[e \"x\"]"] {
            assert!(!is_tag_line(line.as_bytes(), true), "{line}");
        }
        assert!(is_tag_line(b"[Event \"x\"]\n", false) && !is_tag_line(b"[Event \"x\"]", false));
    }

    #[test]
    fn utf_8_characters_are_not_split() {
        let text = "aé€𝄞b".as_bytes();
        let starts = [0, 1, 3, 6, 10];
        for at in 0..text.len() {
            let expected = starts.into_iter().rfind(|&start| start <= at).unwrap();
            assert_eq!(character_start(text, at), expected, "{at}");
        }
        assert_eq!(character_start(text, text.len()), text.len());
        // The data ends inside the last character.
        assert_eq!(character_start(&text[..9], 9), 6);
        // Four continuation bytes are not valid UTF-8.
        assert_eq!(character_start(&[0x80; 8], 8), 8);
    }
}
