//! Parser of the check language; see `checks/README.md`.
//!
//! A file contains any number of checks, with one directive per line. [`parse`] is pure; the runner
//! executes its result.

use std::fmt;
use std::time::Duration;

/// Severity of a failed check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Deviation without practical consequences.
    Advice,
    /// Some GUIs will have problems.
    Warning,
    /// Games are lost, or GUIs hang.
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

/// A check: a script with its header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Check {
    /// Unique name.
    pub(crate) id: String,
    /// Reason why a failure matters.
    pub(crate) reason: String,
    pub(crate) severity: Severity,
    /// Options that the engine must have; otherwise the check is skipped.
    pub(crate) needs: Vec<String>,
    /// True if the script sends `uci` itself.
    pub(crate) raw: bool,
    pub(crate) steps: Vec<Step>,
}

/// A directive with its line number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// Line number, from 1.
    pub(crate) line: usize,
    pub(crate) action: Action,
}

/// A directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// `> text`: sends a line, which need not be UTF-8.
    Send(Vec<u8>),
    /// `< pattern [within time]`: waits for a line.
    Await { pattern: Pattern, within: Duration },
    /// `no pattern for time`: fails if such a line arrives.
    Never { pattern: Pattern, during: Duration },
    /// `pause time`: waits.
    Pause(Duration),
    /// `close`: closes the engine's standard input.
    Close,
    /// `exit within time`: waits for the process to exit.
    Exit { within: Duration },
    /// `expect FACT`: checks the session so far.
    Expect(Expectation),
}

/// Pattern of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pattern {
    /// `bestmove` with a condition on the move.
    BestMove(BestMove),
    /// A line that starts with these words.
    Words(Vec<String>),
}

/// Condition on the best move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BestMove {
    /// Any text.
    Any,
    /// A legal move.
    Legal,
    /// `0000` or `(none)`.
    None,
    /// One of these moves.
    OneOf(Vec<String>),
}

/// A condition on the session so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Expectation {
    /// `id name` and `id author` were sent.
    Identity,
    /// Every `option` line is well-formed and consistent.
    Options,
    /// Every `info` line is well-formed.
    InfoSyntax,
    /// At least one `info` line has depth, score, nodes, time and PV.
    InfoContent,
    /// Every PV is legal in the searched position.
    PvLegal,
    /// Every ponder move is legal after its `bestmove`.
    PonderLegal,
    /// Every PV starts with one of these moves.
    PvStarts(Vec<String>),
    /// PV lines of each iteration are numbered from 1 to this number and have different first moves.
    MultiPv(usize),
    /// Number of `bestmove` lines.
    BestMoves(usize),
    /// Maximum depth of the last search.
    DepthAtMost(u64),
    /// Depth that some `info` line of the last search reaches.
    DepthReached(u64),
    /// Maximum node count of the last search.
    NodesAtMost(u64),
    /// Last score of the last search: mate in this many moves.
    Mate(i64),
    /// Minimum duration of the last search.
    TookAtLeast(Duration),
}

/// A syntax error in a file of checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ScriptError {
    /// Line number, from 1.
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ScriptError {}

/// Timeout of a `<` without a time.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(5);

/// Parses a file of checks.
///
/// # Errors
/// At the first invalid directive, or for a check without a reason, severity or steps.
pub(crate) fn parse(text: &str) -> Result<Vec<Check>, ScriptError> {
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
                return Err(error(format!("{rest:?} is not a name (expected one word)")));
            }
            checks.push(CheckBuilder::new(number, rest));
            continue;
        }
        let builder = checks.last_mut().ok_or_else(|| error("expected `check NAME` first".to_owned()))?;
        builder.take(number, keyword, rest, trimmed).map_err(error)?;
    }
    checks.into_iter().map(CheckBuilder::finish).collect()
}

/// A check being parsed.
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
            // White space in the sent text may be part of the test.
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

/// Splits `text within 2s` at the last occurrence of `word`.
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
        [] => Err("expected the first words of a line".to_owned()),
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
        _ => return Err(format!("{text:?} is not a known expectation")),
    })
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Expands `{shuffle N}` to N plies of knight moves back and forth, `{repeat N TEXT}` to N copies of the
/// text, and escape sequences.
fn expand(text: &str) -> Result<Vec<u8>, String> {
    const KNIGHTS: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let mut expanded = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (macro_text, after) = after.split_once('}').ok_or("unclosed {")?;
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

/// Replaces `\t`, `\r` and `\xHH` by their bytes.
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
    fn parses_checks_with_headers() {
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
    fn parses_steps() {
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
    fn expands_macros_and_escapes() {
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
            ("check a\nexpect luck", "line 2: \"luck\" is not a known expectation"),
            ("check a\nwait", "line 2: \"wait\" is not a directive"),
            ("check a\n> {shuffle x}", "line 2: \"shuffle x\" has no count"),
            ("check a\n> {shuffle 3", "line 2: unclosed {"),
            ("check a\n<", "line 2: expected the first words"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }
}
