//! Scanning of comments, including those whose closing brace is missing.

use super::bytes::{find, find_any, find_comment_mark, line_end};
use super::scan::Scan;
use super::source::LONGEST_TOKEN;
use super::state::{Inside, Step};
use super::visitor::Origin;
use super::{CommentToken, PgnErrorKind, PgnVisitor};

impl<'a, V: PgnVisitor> Scan<'a, V> {
    /// Scans a comment whose text begins at `start`, if it ends on its line and contains no brace, as nearly all do. Returns
    /// the index after its closing brace.
    #[inline]
    pub(super) fn plain_comment(&mut self, start: usize) -> Option<usize> {
        let data = self.window.data;
        let end = find_comment_mark(data, start)?;
        if data[end] != b'}' || self.state.searched > 0 || end - start >= LONGEST_TOKEN {
            return None;
        }
        self.visitor.comment(CommentToken {
            bytes: &data[start..end],
            continues: false,
            origin: Origin { window: self.window, at: start },
        });
        Some(end + 1)
    }

    /// Scans a comment in braces whose text, or the rest of it, begins at `start`. `token` is the position of
    /// the opening brace, or equal to `start` if the brace is no longer in the window.
    pub(super) fn brace_comment(&mut self, start: usize, token: usize) -> Option<Step> {
        let (data, _) = self.part_from(start);
        match self.comment_end(start) {
            CommentEnd::Brace(end) => {
                self.comment(start, end, false);
                self.at = end + 1;
                None
            }
            CommentEnd::Missing(cut) => Some(self.unterminated_comment(start, cut, token)),
            CommentEnd::Unknown if data.len() - start < LONGEST_TOKEN => {
                self.at = token;
                Some(Step::More)
            }
            CommentEnd::Unknown => {
                // Split at the end of a line, so that the next part is known to begin a line.
                let cut = match data[start + 1..].iter().rposition(|&byte| byte == b'\n') {
                    Some(last) => start + 1 + last,
                    None => character_start(data, data.len()),
                };
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

    /// Finds the closing brace of the comment whose text begins at `start`, in the part of the text that
    /// [`part_from`](Scan::part_from) returns.
    ///
    /// A line that consists of a tag belongs to the comment if the next brace outside such lines closes the comment. If
    /// that brace opens a comment, or there is none, the closing brace is missing and the line begins the next game.
    fn comment_end(&mut self, start: usize) -> CommentEnd {
        let (data, at_end) = self.part_from(start);
        let is_whole = at_end || data.len() - start == LONGEST_TOKEN;
        let mut at = start + self.state.searched;
        while let Some(found) = find_any(data, at, [b'{', b'}', b'\n']) {
            match (data[found], self.state.tag_line) {
                (b'{', Some(line)) => return CommentEnd::Missing(start + line),
                (b'{', None) => self.state.inner_braces += 1,
                (b'}', _) => match self.closing_brace(data, found, is_whole) {
                    Some(end) => return CommentEnd::Brace(end),
                    None => return self.search_on(start, found),
                },
                _ => {
                    let line = found + 1;
                    let line_feed = match data.get(line) {
                        Some(b'[') | None => find(data, line, b'\n'),
                        Some(_) => Some(line),
                    };
                    if line_feed.is_none() && !is_whole {
                        return self.search_on(start, found);
                    }
                    if is_tag_line(&data[line..], at_end) {
                        self.state.tag_line.get_or_insert(line - start);
                        at = line_feed.unwrap_or(data.len());
                        continue;
                    }
                }
            }
            at = found + 1;
        }
        match self.state.tag_line {
            Some(line) if is_whole => CommentEnd::Missing(start + line),
            _ if at_end => CommentEnd::Missing(data.len()),
            _ => self.search_on(start, at.max(data.len())),
        }
    }

    /// Records that the text from `start` up to `at` has been searched.
    fn search_on(&mut self, start: usize, at: usize) -> CommentEnd {
        self.state.searched = at - start;
        CommentEnd::Unknown
    }

    /// The closing brace of a comment whose first closing brace is at `brace`. Braces inside the comment are taken for
    /// nested ones as long as the next brace is another closing one, which would be an error otherwise. `None` if more
    /// text is needed to decide.
    fn closing_brace(&self, data: &[u8], mut brace: usize, is_whole: bool) -> Option<usize> {
        for _ in 0..self.state.inner_braces {
            match find_any(data, brace + 1, [b'{', b'}']) {
                // A tag may begin the next game, in which a stray brace is another matter.
                Some(next)
                    if data[next] == b'}' && !data[brace..next].windows(2).any(|pair| pair == b"\n[") =>
                {
                    brace = next;
                }
                None if !is_whole => return None,
                _ => break,
            }
        }
        Some(brace)
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
        let _ = self.error_at(location, b"{", PgnErrorKind::UnterminatedComment);
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
        (self.state.searched, self.state.inner_braces, self.state.tag_line) = (0, 0, None);
        self.state.inside = Inside::Nothing;
        self.visitor.comment(CommentToken {
            bytes: &self.window.data[start..end],
            continues,
            origin: Origin { window: self.window, at: start },
        });
    }
}

/// The end of a comment in braces.
enum CommentEnd {
    /// The closing brace.
    Brace(usize),
    /// The closing brace is missing; the text of the comment ends here.
    Missing(usize),
    /// The closing brace is not in the part that has been searched.
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
