//! Runs checks against an engine, which starts again for each.

use crate::protocol::Protocol;
use crate::script::{Check, Need, Requirement};
use crate::session::{Received, Session, Timing};
use crate::xboard::features::is_known;
use anyhow::{Result, bail};
use std::time::{Duration, Instant};
use tabiya_uci_engine::xboard::Features;
use tabiya_uci_engine::{EngineCommand, EngineOption};

/// Start-up timeout; some engines load large files.
const START: Duration = Duration::from_secs(20);

/// Time that an xboard engine gets to declare features, according to the protocol, unless it asks for more.
const FEATURES: Duration = Duration::from_secs(2);

/// Time for the first move of an xboard engine that declares no features.
const FIRST_MOVE: Duration = Duration::from_secs(10);

/// Lines of the session in an error message.
const SHOWN_LINES: usize = 10;

/// Result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Passed,
    /// The failure, with the line of the script.
    Failed(String),
    /// The reason for skipping.
    Skipped(String),
}

/// Result of a check with its duration and session.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    pub(crate) time: Duration,
    /// The end of the session.
    pub(crate) session_lines: Vec<String>,
    /// False if the engine could not be started, or did not complete the start of the protocol; `None` if that is not known, as
    /// after a skipped check or one that starts the protocol itself.
    pub(crate) started: Option<bool>,
}

impl Outcome {
    /// A check that was not run.
    pub(crate) fn skipped(reason: &str) -> Outcome {
        let verdict = Verdict::Skipped(reason.to_owned());
        Outcome { verdict, time: Duration::ZERO, session_lines: Vec::new(), started: None }
    }
}

/// The declared options or features of an engine.
#[derive(Debug)]
enum Declaration {
    /// Options of a UCI engine.
    Uci(Vec<EngineOption>),
    /// Features of an xboard engine.
    Xboard(Features),
}

/// An engine under test.
pub(crate) struct TestedEngine {
    pub(crate) command: EngineCommand,
    /// The engine's name for itself, or the command's name.
    pub(crate) name: String,
    pub(crate) protocol: Protocol,
    declaration: Declaration,
    /// Commands that set options, sent before every script.
    settings: Vec<String>,
    timing: Timing,
}

impl TestedEngine {
    /// Starts the engine once to read what it declares.
    ///
    /// # Errors
    /// If it cannot be started, does not speak the protocol, or does not have one of the options of `settings`.
    pub(crate) fn new(
        command: EngineCommand,
        protocol: Protocol,
        settings: &[(String, String)],
        timing: Timing,
    ) -> Result<TestedEngine> {
        let patience = timing.patience;
        let mut session = Session::spawn(&command, protocol, timing)?;
        let declared = match protocol {
            Protocol::Uci => start_uci(&mut session, &[], patience).map(|()| {
                let lines = &session.log.other;
                let name = lines.iter().find_map(|line| line.trim().strip_prefix("id name "));
                let options = lines.iter().filter_map(|line| EngineOption::parse(line).ok()).collect();
                (name.map(|name| name.trim().to_owned()), Declaration::Uci(options))
            }),
            Protocol::Xboard => start_xboard(&mut session, &[], patience).and_then(|features| {
                if features.is_empty() {
                    check_first_move(&mut session, patience)?;
                }
                Ok((features.value("myname").map(str::to_owned), Declaration::Xboard(features)))
            }),
        };
        let (name, declaration) = match declared {
            Ok(declared) => declared,
            Err(error) => {
                let first = session.lines.len().saturating_sub(SHOWN_LINES);
                bail!("{}: {error}\n    {}", command.name, session.lines[first..].join("\n    "));
            }
        };
        let name = name.unwrap_or_else(|| command.name.clone());
        let settings = settings
            .iter()
            .map(|(name, value)| declaration.setting(name, value))
            .collect::<Result<_, _>>()
            .map_err(|error| anyhow::anyhow!("{}: {error}", command.name))?;
        Ok(TestedEngine { command, name, protocol, declaration, settings, timing })
    }

    /// Runs one check in a new process.
    pub(crate) fn run_check(&self, check: &Check) -> Outcome {
        let started = Instant::now();
        if let Some(need) = check.needs.iter().find(|need| !self.declaration.meets(need)) {
            return Outcome::skipped(&need.reason());
        }
        let mut session = match Session::spawn(&self.command, self.protocol, self.timing) {
            Ok(session) => session,
            Err(error) => {
                let verdict = Verdict::Failed(error.kind.to_string());
                let (time, session_lines) = (started.elapsed(), error.transcript);
                return Outcome { verdict, time, session_lines, started: Some(false) };
            }
        };
        let patience = self.timing.patience;
        let ready = match self.protocol {
            _ if check.raw => Ok(()),
            Protocol::Uci => start_uci(&mut session, &self.settings, patience),
            Protocol::Xboard => start_xboard(&mut session, &self.settings, patience).map(drop),
        };
        let completed_start = (!check.raw).then_some(ready.is_ok());
        let result = ready.and_then(|()| {
            check.steps.iter().try_for_each(|step| {
                session.execute(&step.action).map_err(|error| format!("line {}: {error}", step.line))
            })
        });
        let verdict = result.map_or_else(Verdict::Failed, |()| Verdict::Passed);
        Outcome { verdict, time: started.elapsed(), session_lines: session.lines, started: completed_start }
    }
}

/// Completes `uci` and `isready`, with the settings between.
fn start_uci(session: &mut Session, settings: &[String], patience: f64) -> Result<(), String> {
    exchange(session, "uci", "uciok", patience)?;
    settings.iter().for_each(|line| session.send(line.as_bytes()));
    exchange(session, "isready", "readyok", patience)
}

/// Sends a command and waits for its answer.
fn exchange(session: &mut Session, command: &str, answer: &str, patience: f64) -> Result<(), String> {
    session.send(command.as_bytes());
    let limit = START.mul_f64(patience);
    let found = session.find(limit, |line| (line.text.trim() == answer).then_some(()))?;
    found.ok_or_else(|| format!("no {answer:?} within {} ms", limit.as_millis()))
}

/// Reads the features, and sends the settings and what GUIs send before a game.
fn start_xboard(session: &mut Session, settings: &[String], patience: f64) -> Result<Features, String> {
    session.send(b"xboard");
    session.send(b"protover 2");
    let started = Instant::now();
    let mut features = Features::default();
    while !features.is_on("done") {
        let allowed = if features.value("done").is_some() { START } else { FEATURES }.mul_f64(patience);
        let left = allowed.saturating_sub(started.elapsed());
        let read =
            |line: Received| Some(features.read(&line.text, is_known)).filter(|answers| !answers.is_empty());
        match session.find(left, read)? {
            Some(answers) => answers.iter().for_each(|answer| session.send(answer.as_bytes())),
            None if features.value("done").is_some() => {
                return Err("no \"done=1\" after \"done=0\"".to_owned());
            }
            // Engines of version 1 of the protocol declare nothing.
            None => break,
        }
    }
    settings.iter().for_each(|line| session.send(line.as_bytes()));
    // The protocol turns pondering off in this way: `easy` alone is a switch in old engines.
    for line in ["new", "level 40 1 0", "hard", "easy", "nopost"] {
        session.send(line.as_bytes());
    }
    if features.is_on("ping") {
        exchange(session, "ping 1", "pong 1", patience)?;
    }
    Ok(features)
}

/// Checks that an engine without features makes a move. A program of another protocol does not.
fn check_first_move(session: &mut Session, patience: f64) -> Result<(), String> {
    session.send(b"go");
    let is_move = |line: Received| crate::xboard::output::move_text(&line.text).map(drop);
    match session.find(FIRST_MOVE.mul_f64(patience), is_move)? {
        Some(()) => Ok(()),
        None => {
            Err("neither a feature nor a move: the program does not speak the xboard protocol".to_owned())
        }
    }
}

impl Declaration {
    /// Returns true if the engine has declared what a check needs.
    fn meets(&self, need: &Need) -> bool {
        let found = match (&need.requirement, self) {
            (Requirement::Option(name), Declaration::Uci(options)) => {
                options.iter().any(|option| option.name.eq_ignore_ascii_case(name))
            }
            (Requirement::Option(name), Declaration::Xboard(features)) => features.option(name).is_some(),
            (Requirement::Feature { name, item: None }, Declaration::Xboard(features)) => {
                features.is_on(name)
            }
            (Requirement::Feature { name, item: Some(item) }, Declaration::Xboard(features)) => {
                features.lists(name, item)
            }
            (Requirement::Feature { .. }, Declaration::Uci(_)) => false,
        };
        found != need.negated
    }

    /// Returns the command that sets an option.
    fn setting(&self, name: &str, value: &str) -> Result<String, String> {
        match self {
            Declaration::Uci(options) => {
                let option = options
                    .iter()
                    .find(|option| option.name.eq_ignore_ascii_case(name))
                    .ok_or_else(|| format!("it has no option {name:?}"))?;
                option.check(value).map_err(|expected| {
                    format!("{value:?} is not a value of its option {name:?} (expected {expected})")
                })?;
                Ok(format!("setoption name {} value {value}", option.name))
            }
            Declaration::Xboard(features) => match name {
                "memory" if features.is_on("memory") => Ok(format!("memory {value}")),
                "cores" if features.is_on("smp") => Ok(format!("cores {value}")),
                _ => match features.option(name) {
                    Some(option) => Ok(format!("option {option}={value}")),
                    None => Err(format!("it has no option {name:?}")),
                },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(line: &str) -> Declaration {
        let mut features = Features::default();
        features.read(line, is_known);
        Declaration::Xboard(features)
    }

    fn options(lines: &[&str]) -> Declaration {
        Declaration::Uci(lines.iter().map(|line| EngineOption::parse(line).unwrap()).collect())
    }

    #[test]
    fn needs_are_met_by_declarations() {
        let need = |text: &str| Need::parse(text).unwrap();
        let engine = features("feature ping=1 variants=\"normal,fischerandom\" option=\"Book -check 1\"");
        for text in ["feature ping", "feature variants fischerandom", "no feature setboard", "option book"] {
            assert!(engine.meets(&need(text)), "{text}");
        }
        for text in ["feature setboard", "feature variants atomic", "no feature ping", "option Hash"] {
            assert!(!engine.meets(&need(text)), "{text}");
        }
        let engine = options(&["option name Hash type spin default 1 min 1 max 9"]);
        assert!(engine.meets(&need("option hash")) && !engine.meets(&need("feature ping")));
    }

    #[test]
    fn settings_are_checked() {
        let uci = options(&["option name Hash type spin default 1 min 1 max 9"]);
        assert_eq!(uci.setting("hash", "5"), Ok("setoption name Hash value 5".to_owned()));
        assert!(uci.setting("hash", "50").is_err() && uci.setting("Threads", "1").is_err());
        let xboard = features("feature memory=1 option=\"Book -check 1\"");
        assert_eq!(xboard.setting("memory", "5"), Ok("memory 5".to_owned()));
        assert_eq!(xboard.setting("Book", "0"), Ok("option Book=0".to_owned()));
        assert!(xboard.setting("cores", "1").is_err());
    }
}
