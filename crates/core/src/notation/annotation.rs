//! Commands embedded in PGN comments, such as `[%clk 0:05:00]`.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::time::Duration;

/// A command in a comment, `[%name value]`, as written by chess servers and programs.
///
/// ```
/// use std::time::Duration;
/// use tabiya_core::notation::{Annotation, PgnScore, annotations};
///
/// let comment = "[%eval -0.35,24] [%clk 0:05:01.5] best was [%cal Gd2d4,Rg1f3]";
/// let commands: Vec<Annotation> = annotations(comment).collect();
/// assert_eq!(commands[0], Annotation::Eval { score: PgnScore::Centipawns(-35), depth: Some(24) });
/// assert_eq!(commands[1], Annotation::Clock(Duration::from_millis(301_500)));
/// assert_eq!(commands[2], Annotation::Other { name: "cal", value: "Gd2d4,Rg1f3" });
/// assert_eq!(commands[0].to_string(), "[%eval -0.35,24]");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Annotation<'a> {
    /// `[%eval 0.17]`, `[%eval #-3]`: an engine's evaluation of the position after the move.
    Eval {
        /// The score, from White's point of view.
        score: PgnScore,
        /// The search depth in plies, if given.
        depth: Option<u32>,
    },
    /// `[%clk 0:05:00]`: the remaining time of the player who has moved.
    Clock(Duration),
    /// `[%emt 0:00:07]`: the time spent on the move.
    ElapsedMoveTime(Duration),
    /// `[%egt 1:17:30]`: the total time the player has spent on the game.
    ElapsedGameTime(Duration),
    /// Any other command, or one with an invalid value.
    Other {
        /// The name, without the percent sign.
        name: &'a str,
        /// The value: the text up to the closing bracket.
        value: &'a str,
    },
}

/// The score of an `[%eval]` command, from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PgnScore {
    /// A score in centipawns; written in pawns, such as `0.17`.
    Centipawns(i32),
    /// Mate in this number of moves, negative if Black mates; written as `#3`.
    Mate(i32),
}

/// Iterates over the commands in a comment, from left to right.
pub fn annotations(comment: &str) -> impl Iterator<Item = Annotation<'_>> {
    segments(comment).filter_map(|segment| match segment {
        Segment::Command(name, value) => Some(Annotation::parse(name, value)),
        Segment::Text(_) => None,
    })
}

/// Returns the text of a comment without its commands.
///
/// ```
/// let comment = "[%clk 0:05:00] A quiet move. [%csl Gd4]";
/// assert_eq!(tabiya_core::notation::without_annotations(comment), "A quiet move.");
/// ```
pub fn without_annotations(comment: &str) -> String {
    let mut plain = String::new();
    for segment in segments(comment) {
        let Segment::Text(text) = segment else { continue };
        // Avoid a double space where a command was removed.
        let text = if plain.is_empty() || plain.ends_with(' ') { text.trim_start() } else { text };
        plain.push_str(text);
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// A part of a comment.
enum Segment<'a> {
    Text(&'a str),
    /// The name and the value of a command.
    Command(&'a str, &'a str),
}

fn segments(comment: &str) -> impl Iterator<Item = Segment<'_>> {
    let mut rest = comment;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(start) = rest.find("[%") else { return Some(Segment::Text(core::mem::take(&mut rest))) };
        if start > 0 {
            let text;
            (text, rest) = rest.split_at(start);
            return Some(Segment::Text(text));
        }
        let Some((command, after)) = rest[2..].split_once(']') else {
            return Some(Segment::Text(core::mem::take(&mut rest)));
        };
        rest = after;
        let command = command.trim();
        let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        Some(Segment::Command(name, value.trim_start()))
    })
}

impl<'a> Annotation<'a> {
    fn parse(name: &'a str, value: &'a str) -> Annotation<'a> {
        let parsed = match name {
            "eval" => eval(value),
            "clk" => duration(value).map(Annotation::Clock),
            "emt" => duration(value).map(Annotation::ElapsedMoveTime),
            "egt" => duration(value).map(Annotation::ElapsedGameTime),
            _ => None,
        };
        parsed.unwrap_or(Annotation::Other { name, value })
    }
}

/// Parses an evaluation such as `0.17`, `#-3` or `-1.2,18`.
fn eval(value: &str) -> Option<Annotation<'static>> {
    let (score, depth) = match value.split_once(',') {
        Some((score, depth)) => (score.trim_end(), Some(depth.trim().parse().ok()?)),
        None => (value, None),
    };
    Some(Annotation::Eval { score: PgnScore::parse(score)?, depth })
}

impl PgnScore {
    /// Parses a score such as `0.17` or `#-3`.
    pub(crate) fn parse(text: &str) -> Option<PgnScore> {
        Some(match text.strip_prefix('#') {
            Some(moves) => PgnScore::Mate(moves.parse().ok()?),
            None => PgnScore::Centipawns(centipawns(text)?),
        })
    }
}

/// Parses a number of pawns as centipawns. Decimals after the second are ignored.
fn centipawns(text: &str) -> Option<i32> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (pawns, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    if !pawns.bytes().chain(decimals.bytes()).all(|byte| byte.is_ascii_digit())
        || digits.len() < 2 - pawns.len().min(1)
    {
        return None;
    }
    let pawns: i32 = if pawns.is_empty() { 0 } else { pawns.parse().ok()? };
    let mut places = decimals.bytes().map(|digit| i32::from(digit - b'0'));
    let hundredths = places.next().unwrap_or(0) * 10 + places.next().unwrap_or(0);
    let centipawns = pawns.checked_mul(100)?.checked_add(hundredths)?;
    Some(if negative { -centipawns } else { centipawns })
}

/// Parses `h:mm:ss`, `mm:ss` or `ss`, with an optional fraction of a second.
fn duration(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut seconds = 0u64;
    for (index, part) in whole.split(':').enumerate() {
        if index > 2 || part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    let mut nanoseconds = 0;
    for index in 0..9 {
        nanoseconds *= 10;
        match fraction.as_bytes().get(index) {
            Some(digit @ b'0'..=b'9') => nanoseconds += u32::from(digit - b'0'),
            Some(_) => return None,
            None => {}
        }
    }
    Some(Duration::new(seconds, nanoseconds))
}

/// Writes the command in its brackets, such as `[%clk 0:05:00]`.
impl fmt::Display for Annotation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, time) = match *self {
            Annotation::Eval { score, depth } => {
                return match depth {
                    Some(depth) => write!(f, "[%eval {score},{depth}]"),
                    None => write!(f, "[%eval {score}]"),
                };
            }
            Annotation::Other { name, value: "" } => return write!(f, "[%{name}]"),
            Annotation::Other { name, value } => return write!(f, "[%{name} {value}]"),
            Annotation::Clock(time) => ("clk", time),
            Annotation::ElapsedMoveTime(time) => ("emt", time),
            Annotation::ElapsedGameTime(time) => ("egt", time),
        };
        let seconds = time.as_secs();
        write!(f, "[%{name} {}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        if time.subsec_millis() > 0 {
            let milliseconds = format!("{:03}", time.subsec_millis());
            write!(f, ".{}", milliseconds.trim_end_matches('0'))?;
        }
        f.write_str("]")
    }
}

impl fmt::Display for PgnScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PgnScore::Centipawns(value) => {
                let sign = if value < 0 { "-" } else { "" };
                write!(f, "{sign}{}.{:02}", value.unsigned_abs() / 100, value.unsigned_abs() % 100)
            }
            PgnScore::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_round_trip() {
        for text in [
            "[%eval 0.17]", "[%eval -12.05]", "[%eval #3]", "[%eval #-12,40]", "[%clk 0:05:00]",
            "[%clk 12:00:59.9]", "[%emt 0:00:00.125]", "[%egt 1:17:30]", "[%csl Gd4,Re5]", "[%mark]",
        ] {
            let commands: Vec<String> = annotations(text).map(|command| command.to_string()).collect();
            assert_eq!(commands, [text]);
            assert_eq!(without_annotations(text), "");
        }
    }

    #[test]
    fn reads_noncanonical_values() {
        for (text, canonical) in [
            ("[%eval 1]", "[%eval 1.00]"),
            ("[%eval +.5]", "[%eval 0.50]"),
            ("[%eval -0.129]", "[%eval -0.12]"),
            ("[%clk 5:00]", "[%clk 0:05:00]"),
            ("[%clk 90]", "[%clk 0:01:30]"),
            ("[%clk  1:05:23 ]", "[%clk 1:05:23]"),
        ] {
            let commands: Vec<String> = annotations(text).map(|command| command.to_string()).collect();
            assert_eq!(commands, [canonical]);
        }
    }

    #[test]
    fn commands_with_invalid_values_are_kept_as_other() {
        for (name, value) in [
            ("eval", ""),
            ("eval", "-"),
            ("eval", "."),
            ("eval", "1.2.3"),
            ("eval", "99999999"),
            ("eval", "#"),
            ("eval", "1,x"),
            ("clk", ":"),
            ("clk", "1:2:3:4"),
            ("clk", "-0:00:01"),
            ("clk", "99999999999999999999"),
            ("clk", "307445734561825860:59:59"),
            ("clk", "1.x"),
        ] {
            let text = format!("[%{name} {value}]");
            let commands: Vec<Annotation> = annotations(&text).collect();
            assert_eq!(commands, [Annotation::Other { name, value }], "{text}");
        }
        assert_eq!(annotations("[%clk 0:01:00").count(), 0);
        assert_eq!(without_annotations("a [%clk 0:01:00"), "a [%clk 0:01:00");
    }
}
