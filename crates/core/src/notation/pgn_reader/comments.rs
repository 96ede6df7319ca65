use super::bytes::{find, find_either, line_end};
use super::scan::Scan;
use super::source::LONGEST_TOKEN;
use super::state::{Inside, Step};
use super::visitor::Origin;
use super::{CommentToken, PgnErrorKind, PgnVisitor};

impl<'a, V: PgnVisitor> Scan<'a, V> {
    /// A comment whose text, or what is left of it, begins at `start`. `token` is where the brace
    /// is, or the same as `start` where the brace has gone from sight.
    pub(super) fn brace_comment(&mut self, start: usize, token: usize) -> Option<Step> {
        let (data, at_end) = self.piece_from(start);
        // Nearly all comments stay on their line.
        if self.state.searched == 0
            && let Some(end) = find_either(data, start, [b'}', b'\n'])
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
                // Break it at the end of a line, so that the next piece can be seen to begin one.
                let last_line = data[start + 1..].iter().rposition(|&byte| byte == b'\n');
                let cut = match last_line {
                    Some(last) => start + 1 + last,
                    None => character_start(data, data.len()),
                };
                if let Some(cut) = first_tag_line(data, start, cut, last_line.is_some()) {
                    return Some(self.unterminated_comment(start, cut, token));
                }
                if self.state.inside == Inside::Nothing {
                    self.state.comment_place = Some(self.window.place(token));
                }
                self.comment(start, cut, true);
                self.state.inside = Inside::BraceComment;
                self.at = cut;
                Some(Step::Switch)
            }
        }
    }

    /// Is the closing brace of a comment from `start` inside the value of a tag, `[Event "{a}"]`, on a
    /// line of its own? Then the comment has lost its own brace, and the line begins the next game: were
    /// it part of the comment, `"]` would follow it, which is no movetext either.
    fn brace_in_tag_line(&self, start: usize, brace: usize, at_end: bool) -> BraceIn {
        let (data, _) = self.piece_from(start);
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
        let place = match self.state.inside {
            Inside::BraceComment => self.state.comment_place,
            _ => None,
        };
        let place = place.unwrap_or_else(|| self.window.place(token));
        self.comment(start, cut, false);
        self.at = cut;
        // The game is over either way.
        let _ = self.error_at(place, PgnErrorKind::UnterminatedComment);
        Step::End
    }

    /// A comment to the end of the line, or what is left of it.
    pub(super) fn line_comment(&mut self, start: usize) -> Option<Step> {
        let (data, at_end) = self.piece_from(start);
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

    /// The window up to where a piece of a comment that begins at `start` ends at the latest, and
    /// whether that is the end of the text. Where comments are cut must not depend on how much of
    /// the text happens to be in sight.
    fn piece_from(&self, start: usize) -> (&'a [u8], bool) {
        let (data, most) = (self.window.data, start + LONGEST_TOKEN);
        match data.get(..most) {
            Some(piece) => (piece, false),
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

/// What the first closing brace after a comment's beginning belongs to.
enum BraceIn {
    Comment,
    /// A tag of the next game, on the line that begins there.
    TagLine(usize),
    /// More of the text must be seen.
    Unknown,
}

/// The last place up to `at` that is not inside a character of UTF-8.
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

/// The first line of the comment from `start` to `end` that is a tag and nothing else. Nobody
/// writes that into a comment; it means that the closing brace is missing and the next game has
/// begun. `ends_line` tells whether the comment's last line is a whole one.
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

/// Does the text start with `[Name "value"]` on a line of its own?
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
    fn tag_lines() {
        for line in ["[Event \"x\"]", "[Event \"x\"]\r\nmore", "[Event_2  \"a] b\"]  \n[", "[E \"\"]"] {
            assert!(is_tag_line(line.as_bytes(), true), "{line}");
        }
        for line in ["", "[", "[%clk 1:00]", "['x']", "[Event", "[Event \"x\"] and", "[Event]", "[e \"x\"]"] {
            assert!(!is_tag_line(line.as_bytes(), true), "{line}");
        }
        assert!(is_tag_line(b"[Event \"x\"]\n", false) && !is_tag_line(b"[Event \"x\"]", false));
    }

    #[test]
    fn characters_are_not_cut() {
        let text = "aé€𝄞b".as_bytes();
        let starts = [0, 1, 3, 6, 10];
        for at in 0..text.len() {
            let expected = starts.into_iter().rfind(|&start| start <= at).unwrap();
            assert_eq!(character_start(text, at), expected, "{at}");
        }
        assert_eq!(character_start(text, text.len()), text.len());
        // Cut off inside the last character.
        assert_eq!(character_start(&text[..9], 9), 6);
        // Four continuation bytes are no UTF-8.
        assert_eq!(character_start(&[0x80; 8], 8), 8);
    }
}
