//! Parser of the check language; see `checks/README.md`.
//!
//! A file contains any number of checks, with one directive per line. [`parse`] is pure; the runner
//! executes its result.

mod expectation;
mod need;
mod pattern;
mod text;

pub(crate) use expectation::Expectation;
pub(crate) use need::{Need, Requirement};
pub(crate) use pattern::{BestMove, Pattern};

use clap::ValueEnum;
use clap::builder::PossibleValue;
use std::fmt;
use std::time::Duration;
use text::{expand, read_time, split_time};

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
        f.pad(self.to_possible_value().as_ref().map_or("", PossibleValue::get_name))
    }
}

/// A check: a script with its header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Check {
    /// Unique name.
    pub(crate) id: String,
    /// Reason why a failure matters.
    pub(crate) reason: String,
    /// The text or program that demands it.
    pub(crate) source: String,
    pub(crate) severity: Severity,
    /// Declarations of the engine without which the check is skipped.
    pub(crate) needs: Vec<Need>,
    /// True if the script starts the protocol itself.
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
    /// `play move...`: sends each move on its own line.
    Play(Vec<String>),
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
/// At the first invalid directive, or for a check without a reason, source, severity or steps.
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
        // White space in a text to send may be part of the test.
        builder.take(number, keyword, rest, line.trim_start()).map_err(error)?;
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
            source: String::new(),
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
                append(&mut self.check.reason, rest);
                return Ok(());
            }
            "source" => {
                append(&mut self.check.source, rest);
                return Ok(());
            }
            "severity" => {
                let severity = <Severity as ValueEnum>::from_str(rest, false);
                self.severity =
                    Some(severity.map_err(|_| format!("{rest:?} is not one of error, warning, advice"))?);
                return Ok(());
            }
            "needs" => {
                self.check.needs.push(Need::parse(rest)?);
                return Ok(());
            }
            "raw" => {
                expect_end(rest, "raw")?;
                self.check.raw = true;
                return Ok(());
            }
            ">" => Action::Send(expand(whole.strip_prefix("> ").unwrap_or_default())?),
            "play" if rest.is_empty() => return Err("expected `play MOVE...`".to_owned()),
            "play" => {
                let moves = expand(rest)?;
                Action::Play(String::from_utf8_lossy(&moves).split_whitespace().map(str::to_owned).collect())
            }
            "<" => {
                let (pattern, within) = split_time(rest, "within")?;
                Action::Await { pattern: Pattern::parse(pattern)?, within: within.unwrap_or(DEFAULT_TIMEOUT) }
            }
            "no" => {
                let (pattern, during) = split_time(rest, "for")?;
                let during = during.ok_or("expected `no PATTERN for TIME`")?;
                Action::Never { pattern: Pattern::parse(pattern)?, during }
            }
            "pause" => Action::Pause(read_time(rest)?),
            "close" => {
                expect_end(rest, "close")?;
                Action::Close
            }
            "exit" => {
                let (before, within) = split_time(rest, "within")?;
                expect_end(before, "exit [within TIME]")?;
                Action::Exit { within: within.unwrap_or(DEFAULT_TIMEOUT) }
            }
            "expect" => Action::Expect(Expectation::parse(rest)?),
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
        if self.check.source.is_empty() {
            return Err(error("source"));
        }
        if self.check.steps.is_empty() {
            return Err(error("steps"));
        }
        Ok(Check { severity, ..self.check })
    }
}

/// Fails if a directive has more words than its `usage` allows.
fn expect_end(rest: &str, usage: &str) -> Result<(), String> {
    if rest.is_empty() { Ok(()) } else { Err(format!("unexpected {rest:?} (expected `{usage}`)")) }
}

/// Appends a line to a text that may extend over several.
fn append(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(line);
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "check a\nreason why\nsource S\nseverity warning\n";

    fn actions(steps: &str) -> Vec<Action> {
        let checks = parse(&format!("{HEADER}{steps}")).unwrap();
        checks.into_iter().flat_map(|check| check.steps).map(|step| step.action).collect()
    }

    #[test]
    fn parses_checks_with_headers() {
        let text = "# a file\n\ncheck a\nreason one\nreason two\nsource S, 1\nseverity error\nneeds option Multi PV\nraw\n\
                    > uci\ncheck b\nreason why\nsource S\nseverity advice\nclose\n";
        let checks = parse(text).unwrap();
        let need = Need { requirement: Requirement::Option("Multi PV".to_owned()), negated: false };
        assert_eq!(checks.len(), 2);
        assert_eq!((checks[0].id.as_str(), checks[0].reason.as_str()), ("a", "one two"));
        assert_eq!((checks[0].severity, checks[0].raw), (Severity::Error, true));
        assert_eq!((checks[0].source.as_str(), &checks[0].needs), ("S, 1", &vec![need]));
        assert_eq!(checks[0].steps, [Step { line: 10, action: Action::Send(b"uci".to_vec()) }]);
        assert_eq!((checks[1].severity, checks[1].raw), (Severity::Advice, false));
    }

    #[test]
    fn parses_steps() {
        let ms = Duration::from_millis;
        let words = |text: &str| Pattern::Words(vec![text.split(' ').map(str::to_owned).collect()]);
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
            actions("play e2e4 {repeat 1 any}"),
            [Action::Play(["e2e4", "any"].map(str::to_owned).to_vec())]
        );
        assert_eq!(actions("> ping  1 "), [Action::Send(b"ping  1 ".to_vec())]);
        assert_eq!(
            actions("pause 5ms\nclose\nexit within 2s\nexit"),
            [
                Action::Pause(ms(5)),
                Action::Close,
                Action::Exit { within: ms(2000) },
                Action::Exit { within: DEFAULT_TIMEOUT }
            ]
        );
        assert_eq!(actions("expect multipv 3"), [Action::Expect(Expectation::MultiPv(3))]);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, message) in [
            ("> uci", "line 1: expected `check NAME` first"),
            ("check a b", "line 1: \"a b\" is not a name"),
            ("check a\nseverity error\n> x", "line 1: the check a has no reason"),
            ("check a\nreason x\n> x", "line 1: the check a has no severity"),
            ("check a\nreason x\nseverity error\n> x", "line 1: the check a has no source"),
            ("check a\nreason x\nsource y\nseverity error", "line 1: the check a has no steps"),
            ("check a\nplay", "line 2: expected `play MOVE...`"),
            ("check a\nseverity fatal", "line 2: \"fatal\" is not one of"),
            ("check a\nneeds MultiPV", "line 2: expected `needs option NAME`"),
            ("check a\nno bestmove", "line 2: expected `no PATTERN for TIME`"),
            ("check a\npause 5", "line 2: \"5\" is not a time"),
            ("check a\nexpect luck", "line 2: \"luck\" is not a known expectation"),
            ("check a\nwait", "line 2: \"wait\" is not a directive"),
            ("check a\n> {shuffle x}", "line 2: \"shuffle x\" has no count"),
            ("check a\n> {shuffle 3", "line 2: unclosed {"),
            ("check a\n<", "line 2: expected the first words"),
            ("check a\nraw uci", "line 2: unexpected \"uci\" (expected `raw`)"),
            ("check a\nclose within 1s", "line 2: unexpected \"within 1s\" (expected `close`)"),
            ("check a\nexit 500ms", "line 2: unexpected \"500ms\" (expected `exit [within TIME]`)"),
            ("check a\nexit soon within 1s", "line 2: unexpected \"soon\" (expected `exit [within TIME]`)"),
            ("check a\nexit within 5", "line 2: \"5\" is not a time"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }
}
