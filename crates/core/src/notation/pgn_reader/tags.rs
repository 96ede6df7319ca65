//! Scanning of tags.

use super::bytes::{Blank, at_line_start, blank, ends_name, find_any, is_white_space};
use super::scan::Scan;
use super::source::LONGEST_TOKEN;
use super::state::{Stage, Step};
use super::visitor::Origin;
use super::{PgnErrorKind, PgnVisitor, TagToken};
use crate::notation::decode;
use crate::notation::tags::is_tag_name;

/// The maximum number of tags of a game.
const MAX_TAGS: u32 = 1_000;

/// The result of parsing a tag.
enum Tag<'a> {
    Complete {
        name: &'a [u8],
        value: &'a [u8],
        end: usize,
    },
    Invalid(PgnErrorKind),
    /// The data ends inside the tag.
    More,
}

impl<V: PgnVisitor> Scan<'_, V> {
    /// Scans the tag section of a game.
    pub(super) fn tags(&mut self) -> Option<Step> {
        let data = self.window.data;
        loop {
            let Some(&byte) = data.get(self.at) else {
                return Some(if self.window.at_end { Step::End } else { Step::More });
            };
            match byte {
                b'\n' => {
                    self.state.line_ends += 1;
                    self.at += 1;
                }
                0..=b' ' => self.at += 1,
                b'%' if at_line_start(data, self.at) => {
                    self.skip_line();
                    return None;
                }
                b'[' => return self.tag(),
                // A comment before the first tag belongs to the game; a comment after a tag begins the
                // movetext.
                b'{' if self.state.first_tag.is_none() => return self.brace_comment(self.at + 1, self.at),
                b';' if self.state.first_tag.is_none() => {
                    self.at += 1;
                    return self.line_comment(self.at);
                }
                b'"' | b'<' | b'>' | b']' | b'}' | b')' => return self.unexpected_word(),
                0x80.. if blank(data, self.at) != Blank::No => match blank(data, self.at) {
                    Blank::Yes(length) => self.at += length,
                    _ if !self.window.at_end => return Some(Step::More),
                    _ => return self.unexpected_word(),
                },
                _ => {
                    self.state.stage = Stage::Moves;
                    let next = self.visitor.end_tags();
                    return self.step_after(next);
                }
            }
        }
    }

    /// Scans one tag, whose bracket is the next byte.
    fn tag(&mut self) -> Option<Step> {
        let (window, at) = (self.window, self.at);
        // Limit the length, so that the result does not depend on how the input is split into reads.
        let visible = &window.data[..window.data.len().min(at + LONGEST_TOKEN)];
        let is_complete = visible.len() - at < LONGEST_TOKEN;
        match parse_tag(visible, at) {
            Tag::More if is_complete && !window.at_end => Some(Step::More),
            Tag::Complete { name, value, end } => {
                if self.begins_another_game(name) {
                    return Some(Step::End);
                }
                self.at = end;
                self.state.tags = self.state.tags.saturating_add(1);
                if self.state.tags > MAX_TAGS {
                    let first = self.state.tags == MAX_TAGS + 1;
                    return if first { self.error(at, end, PgnErrorKind::TooManyTags) } else { None };
                }
                let next = self.visitor.tag(TagToken { name, value, origin: Origin { window, at } });
                self.step_after(next)
            }
            error => {
                let kind = match error {
                    Tag::Invalid(kind) => kind,
                    _ if is_complete => PgnErrorKind::UnterminatedTag,
                    _ => PgnErrorKind::TagTooLong,
                };
                self.at = at + 1;
                self.skip_line();
                let name_end = name_end(visible, at + 1).unwrap_or(visible.len());
                self.error(at, name_end, kind)
            }
        }
    }

    /// Returns true if this tag begins another game, the current one having neither moves nor a result: if it
    /// follows a blank line and repeats a tag of the current game.
    fn begins_another_game(&mut self, name: &[u8]) -> bool {
        let bit = match name {
            b"Event" => 1,
            b"Site" => 2,
            b"Date" => 4,
            b"Round" => 8,
            b"White" => 16,
            b"Black" => 32,
            b"Result" => 64,
            _ => 0u8,
        };
        if self.state.line_ends > 1 {
            let is_repeated = self.state.first_tag == Some(hash(name)) || self.state.roster_seen & bit != 0;
            if is_repeated {
                return true;
            }
        }
        self.state.line_ends = 0;
        self.state.roster_seen |= bit;
        self.state.first_tag.get_or_insert_with(|| hash(name));
        false
    }
}

/// Returns the index of the first byte from `at` on that is neither white space nor part of a blank. `None` if the data ends in what
/// may be a blank.
fn skip_spaces(data: &[u8], mut at: usize) -> Option<usize> {
    while let Some(&byte) = data.get(at) {
        if is_white_space(byte) {
            at += 1;
            continue;
        }
        match blank(data, at) {
            Blank::Yes(length) => at += length,
            Blank::More => return None,
            Blank::No => break,
        }
    }
    Some(at)
}

/// Returns the end of the name that begins at `at`. `None` if the data ends in what may be a blank.
fn name_end(data: &[u8], mut at: usize) -> Option<usize> {
    while data.get(at).is_some_and(|&byte| !ends_name(byte)) {
        match blank(data, at) {
            Blank::Yes(_) => break,
            Blank::More => return None,
            Blank::No => at += 1,
        }
    }
    Some(at)
}

/// Parses the tag whose bracket is at `at`.
fn parse_tag(data: &[u8], at: usize) -> Tag<'_> {
    let Some(name_start) = skip_spaces(data, at + 1) else { return Tag::More };
    let Some(name_end) = name_end(data, name_start) else { return Tag::More };
    let Some(quote) = skip_spaces(data, name_end) else { return Tag::More };
    match data.get(quote) {
        None => return Tag::More,
        Some(b'"') if name_end > name_start => {}
        Some(_) => return Tag::Invalid(PgnErrorKind::MalformedTag),
    }

    // The value ends at the first quote that is followed by a bracket, because unescaped quotes inside a
    // value are common.
    let value_start = quote + 1;
    let name = &data[name_start..name_end];
    if !name.iter().all(u8::is_ascii_graphic) && !is_tag_name(&decode(name)) {
        return Tag::Invalid(PgnErrorKind::MalformedTag);
    }
    let mut at = value_start;
    loop {
        let Some(next) = find_any(data, at, [b'"', b'\\', b'\n', b'\r']) else { return Tag::More };
        at = next;
        match data.get(at) {
            None => return Tag::More,
            // A backslash does not escape a line end.
            Some(b'\\') if !matches!(data.get(at + 1), Some(b'\n' | b'\r')) => at += 1,
            Some(b'"') => {
                let Some(bracket) = skip_spaces(data, at + 1) else { return Tag::More };
                match data.get(bracket) {
                    None => return Tag::More,
                    Some(b']') => {
                        return Tag::Complete { name, value: &data[value_start..at], end: bracket + 1 };
                    }
                    Some(_) => {}
                }
            }
            Some(b'\n' | b'\r') => break,
            Some(_) => {}
        }
        at += 1;
    }

    // The line ends without an unescaped closing quote. The last backslash may have been meant literally,
    // as in `"C:\"]`: accept an escaped quote at the end of the line.
    let line_end = at;
    let value = data[value_start..line_end]
        .trim_ascii_end()
        .strip_suffix(b"]")
        .and_then(|text| text.trim_ascii_end().strip_suffix(b"\""));
    match value {
        Some(value) => Tag::Complete { name, value, end: line_end },
        None => Tag::Invalid(PgnErrorKind::UnterminatedTag),
    }
}

/// The FNV-1a hash of a tag name.
fn hash(name: &[u8]) -> u64 {
    name.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
