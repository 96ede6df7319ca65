//! The language in which the checks are written: see `crates/lab/conformance/README.md`.
//!
//! A file holds any number of checks; a line is one directive. [`parse`] is pure: what it returns is
//! data that the runner follows.

use std::fmt;
use std::time::Duration;

/// How much it matters that an engine fails a check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Severity {
    /// Good manners; nobody is hurt.
    Advice,
    /// Some program will trip over it.
    Warning,
    /// Games are lost, or programs hang.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Severity::Advice => "advice",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// One thing that an engine should do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Check {
    /// What it is called; unique among all checks.
    pub(super) id: String,
    /// Why it matters.
    pub(super) reason: String,
    pub(super) severity: Severity,
    /// Options without which there is nothing to check.
    pub(super) needs: Vec<String>,
    /// Whether the script itself opens the conversation, `uci` included.
    pub(super) raw: bool,
    pub(super) steps: Vec<Step>,
}

/// A directive and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Step {
    /// Counted from 1.
    pub(super) line: usize,
    pub(super) action: Action,
}

/// What to do or to find.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// `> text`: send a line, which need not be UTF-8.
    Send(Vec<u8>),
    /// `< pattern [within time]`: wait for a line.
    Await { pattern: Pattern, within: Duration },
    /// `no pattern for time`: no such line may come.
    Never { pattern: Pattern, during: Duration },
    /// `pause time`.
    Pause(Duration),
    /// `close`: end of file on the engine's input.
    Close,
    /// `exit within time`: the process must end.
    Exit { within: Duration },
    /// `expect expectation`: about the lines that have come so far.
    Expect(Expectation),
}

/// Which line is meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Pattern {
    /// `bestmove` with a condition on the move.
    BestMove(BestMove),
    /// A line that begins with these words.
    Words(Vec<String>),
}

/// Which move is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum BestMove {
    /// Whatever it is.
    Any,
    /// A legal one.
    Legal,
    /// The text for "there is none": `0000` or `(none)`.
    None,
    /// One of these texts.
    OneOf(Vec<String>),
}

/// Something that must be true of what the engine has said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Expectation {
    /// `id name` and `id author` have come.
    Identity,
    /// Every `option` line can be read and makes sense.
    Options,
    /// Every `info` line can be read.
    InfoSyntax,
    /// At least one `info` line has a depth, a score, nodes, a time and a line of moves.
    InfoContent,
    /// Every line of moves can be played from the position that is searched.
    PvLegal,
    /// Every `ponder` move can be played after its `bestmove`.
    PonderLegal,
    /// Every line of moves begins with one of these.
    PvStarts(Vec<String>),
    /// The lines of each iteration are numbered from 1 to this, with different first moves.
    MultiPv(usize),
    /// So many `bestmove` lines have come.
    BestMoves(usize),
    /// No `info` line has a greater depth.
    DepthAtMost(u64),
    /// Some `info` line has this depth.
    DepthReached(u64),
    /// The last node count of the last search is at most this.
    NodesAtMost(u64),
    /// The last score of the last search is mate in so many moves.
    Mate(i64),
    /// The last search took at least so long.
    TookAtLeast(Duration),
}

/// Why a file of checks cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ScriptError {
    /// Counted from 1.
    pub(super) line: usize,
    pub(super) message: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ScriptError {}

/// How long a `<` waits that does not say.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(5);

/// Reads a file of checks.
///
/// # Errors
/// At the first line that is no directive, and for a check without a reason, severity or steps.
pub(super) fn parse(text: &str) -> Result<Vec<Check>, ScriptError> {
    let mut checks: Vec<CheckBuilder> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let error = |message: String| ScriptError { line: number, message };
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let (keyword, rest) = trimmed.split_once(' ').unwrap_or((trimmed, ""));
        let rest = rest.trim();
        if keyword == "check" {
            if rest.is_empty() || rest.contains(' ') {
                return Err(error(format!("{rest:?} is not a name: one word is wanted")));
            }
            checks.push(CheckBuilder::new(number, rest));
            continue;
        }
        let builder = checks.last_mut().ok_or_else(|| error("expected `check NAME` first".to_owned()))?;
        builder.take(number, keyword, rest, trimmed).map_err(error)?;
    }
    checks.into_iter().map(CheckBuilder::finish).collect()
}

/// A check that is being read.
struct CheckBuilder {
    line: usize,
    severity: Option<Severity>,
    check: Check,
}

impl CheckBuilder {
    fn new(line: usize, id: &str) -> CheckBuilder {
        let check = Check {
            id: id.to_owned(),
            reason: String::new(),
            severity: Severity::Error,
            needs: Vec::new(),
            raw: false,
            steps: Vec::new(),
        };
        CheckBuilder { line, severity: None, check }
    }

    fn take(&mut self, line: usize, keyword: &str, rest: &str, whole: &str) -> Result<(), String> {
        let action = match keyword {
            "reason" => {
                if !self.check.reason.is_empty() {
                    self.check.reason.push(' ');
                }
                self.check.reason.push_str(rest);
                return Ok(());
            }
            "severity" => {
                self.severity = Some(match rest {
                    "error" => Severity::Error,
                    "warning" => Severity::Warning,
                    "advice" => Severity::Advice,
                    other => return Err(format!("{other:?} is not one of error, warning, advice")),
                });
                return Ok(());
            }
            "needs" => {
                let name = rest.strip_prefix("option ").ok_or("expected `needs option NAME`")?;
                self.check.needs.push(name.trim().to_owned());
                return Ok(());
            }
            "raw" => {
                self.check.raw = true;
                return Ok(());
            }
            // White space in what is sent may be the very thing that is tested.
            ">" => Action::Send(expand(whole.strip_prefix("> ").unwrap_or_default())?),
            "<" => {
                let (pattern, within) = split_time(rest, "within")?;
                Action::Await { pattern: read_pattern(pattern)?, within: within.unwrap_or(DEFAULT_TIMEOUT) }
            }
            "no" => {
                let (pattern, during) = split_time(rest, "for")?;
                let during = during.ok_or("expected `no PATTERN for TIME`")?;
                Action::Never { pattern: read_pattern(pattern)?, during }
            }
            "pause" => Action::Pause(read_time(rest)?),
            "close" => Action::Close,
            "exit" => {
                let (_, within) = split_time(rest, "within")?;
                Action::Exit { within: within.unwrap_or(DEFAULT_TIMEOUT) }
            }
            "expect" => Action::Expect(read_expectation(rest)?),
            other => return Err(format!("{other:?} is not a directive")),
        };
        self.check.steps.push(Step { line, action });
        Ok(())
    }

    fn finish(self) -> Result<Check, ScriptError> {
        let error = |what: &str| {
            let message = format!("the check {} has no {what}", self.check.id);
            ScriptError { line: self.line, message }
        };
        let severity = self.severity.ok_or_else(|| error("severity"))?;
        if self.check.reason.is_empty() {
            return Err(error("reason"));
        }
        if self.check.steps.is_empty() {
            return Err(error("steps"));
        }
        Ok(Check { severity, ..self.check })
    }
}

/// Splits `text within 2s` at the last such word.
fn split_time<'a>(text: &'a str, word: &str) -> Result<(&'a str, Option<Duration>), String> {
    let mut words = text.rsplitn(3, ' ');
    match (words.next(), words.next()) {
        (Some(time), Some(found)) if found == word => {
            Ok((words.next().unwrap_or_default(), Some(read_time(time)?)))
        }
        _ => Ok((text, None)),
    }
}

fn read_time(text: &str) -> Result<Duration, String> {
    let number = |digits: &str| digits.parse::<u64>().ok();
    text.strip_suffix("ms")
        .and_then(number)
        .map(Duration::from_millis)
        .or_else(|| text.strip_suffix('s').and_then(number).map(Duration::from_secs))
        .ok_or_else(|| format!("{text:?} is not a time such as 500ms or 2s"))
}

fn read_pattern(text: &str) -> Result<Pattern, String> {
    let words: Vec<_> = text.split_whitespace().collect();
    match words.as_slice() {
        [] => Err("expected the words that a line begins with".to_owned()),
        ["bestmove"] => Ok(Pattern::BestMove(BestMove::Any)),
        ["bestmove", "legal"] => Ok(Pattern::BestMove(BestMove::Legal)),
        ["bestmove", "none"] => Ok(Pattern::BestMove(BestMove::None)),
        ["bestmove", moves @ ..] => Ok(Pattern::BestMove(BestMove::OneOf(owned(moves)))),
        words => Ok(Pattern::Words(owned(words))),
    }
}

fn read_expectation(text: &str) -> Result<Expectation, String> {
    let words: Vec<_> = text.split_whitespace().collect();
    let number = |word: &str| word.parse::<u64>().map_err(|_| format!("{word:?} is not a number"));
    Ok(match words.as_slice() {
        ["identity"] => Expectation::Identity,
        ["options", "well-formed"] => Expectation::Options,
        ["info", "well-formed"] => Expectation::InfoSyntax,
        ["info", "complete"] => Expectation::InfoContent,
        ["pv", "legal"] => Expectation::PvLegal,
        ["pv", "starts", moves @ ..] if !moves.is_empty() => Expectation::PvStarts(owned(moves)),
        ["ponder", "legal"] => Expectation::PonderLegal,
        ["multipv", count] => Expectation::MultiPv(number(count)? as usize),
        ["bestmoves", count] => Expectation::BestMoves(number(count)? as usize),
        ["depth", "<=", depth] => Expectation::DepthAtMost(number(depth)?),
        ["depth", depth] => Expectation::DepthReached(number(depth)?),
        ["nodes", "<=", nodes] => Expectation::NodesAtMost(number(nodes)?),
        ["mate", moves] => {
            Expectation::Mate(moves.parse().map_err(|_| format!("{moves:?} is not a number of moves"))?)
        }
        ["took", ">=", time] => Expectation::TookAtLeast(read_time(time)?),
        _ => return Err(format!("{text:?} is not something that can be expected")),
    })
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Replaces `{shuffle N}` by N plies of knights going out and back, `{repeat N TEXT}` by N times the
/// text, and `\t`, `\r` by the characters they stand for.
fn expand(text: &str) -> Result<Vec<u8>, String> {
    const KNIGHTS: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let mut expanded = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (macro_text, after) = after.split_once('}').ok_or("a { without its }")?;
        expanded.push_str(before);
        let mut words = macro_text.splitn(3, ' ');
        let name = words.next().unwrap_or_default();
        let count: usize = words
            .next()
            .and_then(|count| count.parse().ok())
            .ok_or_else(|| format!("{macro_text:?} has no count"))?;
        match (name, words.next()) {
            ("shuffle", None) => {
                let moves: Vec<_> = (0..count).map(|ply| KNIGHTS[ply % KNIGHTS.len()]).collect();
                expanded.push_str(&moves.join(" "));
            }
            ("repeat", Some(text)) => expanded.push_str(&text.repeat(count)),
            _ => return Err(format!("{macro_text:?} is neither `shuffle N` nor `repeat N TEXT`")),
        }
        rest = after;
    }
    expanded.push_str(rest);
    bytes(&expanded)
}

/// Puts the bytes in that `\t`, `\r` and `\xHH` stand for.
fn bytes(text: &str) -> Result<Vec<u8>, String> {
    let mut parts = text.split('\\');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let mut characters = part.chars();
        match characters.next() {
            Some('t') => bytes.push(b'\t'),
            Some('r') => bytes.push(b'\r'),
            Some('x') => {
                let number = part.get(1..3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
                bytes.push(
                    number.ok_or_else(|| format!("\\{part:.3} is not \\x and two hexadecimal digits"))?,
                );
                characters = part[3..].chars();
            }
            _ => return Err(format!("\\{part:.1} is none of \\t, \\r and \\xHH")),
        }
        bytes.extend_from_slice(characters.as_str().as_bytes());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "check a\nreason why\nseverity warning\n";

    fn actions(steps: &str) -> Vec<Action> {
        let checks = parse(&format!("{HEADER}{steps}")).unwrap();
        checks.into_iter().flat_map(|check| check.steps).map(|step| step.action).collect()
    }

    #[test]
    fn checks_and_their_headers() {
        let text = "# a file\n\ncheck a\nreason one\nreason two\nseverity error\nneeds option Multi PV\nraw\n> uci\n\
                    check b\nreason why\nseverity advice\nclose\n";
        let checks = parse(text).unwrap();
        assert_eq!(checks.len(), 2);
        assert_eq!((checks[0].id.as_str(), checks[0].reason.as_str()), ("a", "one two"));
        assert_eq!((checks[0].severity, checks[0].raw), (Severity::Error, true));
        assert_eq!(checks[0].needs, ["Multi PV"]);
        assert_eq!(checks[0].steps, [Step { line: 9, action: Action::Send(b"uci".to_vec()) }]);
        assert_eq!((checks[1].severity, checks[1].raw), (Severity::Advice, false));
    }

    #[test]
    fn steps() {
        let ms = Duration::from_millis;
        let words = |text: &str| Pattern::Words(text.split(' ').map(str::to_owned).collect());
        assert_eq!(
            actions("< readyok"),
            [Action::Await { pattern: words("readyok"), within: DEFAULT_TIMEOUT }]
        );
        assert_eq!(
            actions("< info string x within 20ms"),
            [Action::Await { pattern: words("info string x"), within: ms(20) }]
        );
        assert_eq!(
            actions("no bestmove for 1s"),
            [Action::Never { pattern: Pattern::BestMove(BestMove::Any), during: ms(1000) }]
        );
        let moves = ["e1g1", "e1h1"].map(str::to_owned).to_vec();
        assert_eq!(
            actions("< bestmove e1g1 e1h1"),
            [Action::Await { pattern: Pattern::BestMove(BestMove::OneOf(moves)), within: DEFAULT_TIMEOUT }]
        );
        assert_eq!(
            actions("pause 5ms\nclose\nexit within 2s\nexit"),
            [
                Action::Pause(ms(5)),
                Action::Close,
                Action::Exit { within: ms(2000) },
                Action::Exit { within: DEFAULT_TIMEOUT }
            ]
        );
        assert_eq!(
            actions("expect multipv 3\nexpect mate -2\nexpect depth <= 5\nexpect took >= 10ms"),
            [
                Expectation::MultiPv(3),
                Expectation::Mate(-2),
                Expectation::DepthAtMost(5),
                Expectation::TookAtLeast(ms(10))
            ]
            .map(Action::Expect)
        );
    }

    #[test]
    fn what_is_sent_can_be_long_or_odd() {
        let send = |text: &str| actions(text);
        assert_eq!(send(">   go\\tdepth 1\\r"), [Action::Send(b"  go\tdepth 1\r".to_vec())]);
        assert_eq!(send(">"), [Action::Send(Vec::new())]);
        assert_eq!(send("> m {shuffle 5}."), [Action::Send(b"m g1f3 g8f6 f3g1 f6g8 g1f3.".to_vec())]);
        assert_eq!(send("> {repeat 3 ab }x"), [Action::Send(b"ab ab ab x".to_vec())]);
        assert_eq!(send("> \\xff\\x00é"), [Action::Send(vec![0xff, 0, 0xc3, 0xa9])]);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, message) in [
            ("> uci", "line 1: expected `check NAME` first"),
            ("check a b", "line 1: \"a b\" is not a name"),
            ("check a\nseverity error\n> x", "line 1: the check a has no reason"),
            ("check a\nreason x\n> x", "line 1: the check a has no severity"),
            ("check a\nreason x\nseverity error", "line 1: the check a has no steps"),
            ("check a\nseverity fatal", "line 2: \"fatal\" is not one of"),
            ("check a\nneeds MultiPV", "line 2: expected `needs option NAME`"),
            ("check a\nno bestmove", "line 2: expected `no PATTERN for TIME`"),
            ("check a\npause 5", "line 2: \"5\" is not a time"),
            ("check a\nexpect luck", "line 2: \"luck\" is not something"),
            ("check a\nwait", "line 2: \"wait\" is not a directive"),
            ("check a\n> {shuffle x}", "line 2: \"shuffle x\" has no count"),
            ("check a\n> {shuffle 3", "line 2: a { without its }"),
            ("check a\n<", "line 2: expected the words"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }
}
