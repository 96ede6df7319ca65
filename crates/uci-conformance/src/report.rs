//! Conformance results as a table and as JSON.

use crate::protocol::Protocol;
use crate::runner::{Outcome, Verdict};
use crate::script::{Check, Severity};
use serde::Serialize;
use std::fmt::Write;

/// Results of one engine.
#[derive(Debug)]
pub(crate) struct EngineReport<'a> {
    pub(crate) protocol: Protocol,
    pub(crate) name: String,
    pub(crate) command: String,
    pub(crate) outcomes: Vec<(&'a Check, Outcome)>,
}

impl EngineReport<'_> {
    /// Number of failed checks with at least this severity.
    pub(crate) fn failures(&self, severity: Severity) -> usize {
        self.count(|check, verdict| check.severity >= severity && matches!(verdict, Verdict::Failed(_)))
    }

    fn count(&self, predicate: impl Fn(&Check, &Verdict) -> bool) -> usize {
        self.outcomes.iter().filter(|(check, outcome)| predicate(check, &outcome.verdict)).count()
    }

    /// Returns the table: a line per check, with failures, then the totals.
    pub(crate) fn table(&self, with_sessions: bool) -> String {
        let mut table = format!("{} ({})\n\n", self.name, self.command);
        for (check, outcome) in &self.outcomes {
            let (word, detail) = match &outcome.verdict {
                Verdict::Passed => ("pass", ""),
                Verdict::Failed(problem) => ("FAIL", problem.as_str()),
                Verdict::Skipped(reason) => ("skip", reason.as_str()),
            };
            let Check { id, severity, .. } = check;
            let seconds = outcome.time.as_secs_f64();
            let line = format!("  {word}  {severity:<8}  {id:<36}  {seconds:>5.1} s  {detail}");
            // Writing to a string cannot fail.
            let _ = writeln!(table, "{}", line.trim_end());
            if with_sessions && matches!(outcome.verdict, Verdict::Failed(_)) {
                let _ = writeln!(table, "        why it matters: {}", check.reason);
                let _ = writeln!(table, "        source: {}", check.source);
                for line in &outcome.session_lines {
                    let _ = writeln!(table, "        {line}");
                }
            }
        }
        let passed = self.count(|_, verdict| *verdict == Verdict::Passed);
        let skipped = self.count(|_, verdict| matches!(verdict, Verdict::Skipped(_)));
        let of = |severity| {
            self.count(|check, verdict| check.severity == severity && matches!(verdict, Verdict::Failed(_)))
        };
        let _ = write!(
            table,
            "\n{passed} passed, {skipped} skipped; failed: {} errors, {} warnings, {} advice\n",
            of(Severity::Error),
            of(Severity::Warning),
            of(Severity::Advice)
        );
        table
    }
}

/// JSON report.
#[derive(Serialize)]
pub(crate) struct JsonReport<'a> {
    engines: Vec<JsonEngine<'a>>,
}

#[derive(Serialize)]
struct JsonEngine<'a> {
    protocol: Protocol,
    name: &'a str,
    command: &'a str,
    checks: Vec<JsonCheck<'a>>,
}

#[derive(Serialize)]
struct JsonCheck<'a> {
    id: &'a str,
    severity: Severity,
    reason: &'a str,
    source: &'a str,
    /// `passed`, `failed` or `skipped`.
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
    seconds: f64,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    conversation: &'a [String],
}

/// Returns the results of all engines for serialisation.
pub(crate) fn json<'a>(reports: &'a [EngineReport<'a>]) -> JsonReport<'a> {
    let engine = |report: &'a EngineReport<'a>| JsonEngine {
        protocol: report.protocol,
        name: &report.name,
        command: &report.command,
        checks: report.outcomes.iter().map(|(check, outcome)| json_check(check, outcome)).collect(),
    };
    JsonReport { engines: reports.iter().map(engine).collect() }
}

fn json_check<'a>(check: &'a Check, outcome: &'a Outcome) -> JsonCheck<'a> {
    let (verdict, detail, conversation) = match &outcome.verdict {
        Verdict::Passed => ("passed", None, &[][..]),
        Verdict::Failed(problem) => ("failed", Some(problem.as_str()), outcome.session_lines.as_slice()),
        Verdict::Skipped(reason) => ("skipped", Some(reason.as_str()), &[][..]),
    };
    let Check { id, severity, reason, source, .. } = check;
    let seconds = outcome.time.as_secs_f64();
    JsonCheck { id, severity: *severity, reason, source, verdict, detail, seconds, conversation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script;
    use std::time::Duration;

    fn checks() -> Vec<Check> {
        script::parse(
            "check a\nreason r\nsource S\nseverity error\nclose\ncheck b\nreason r\nsource S\nseverity advice\nclose\n\
             check c\nreason r\nsource S\nseverity advice\nclose\n",
        )
        .unwrap()
    }

    fn report(checks: &[Check]) -> EngineReport<'_> {
        let verdicts = [
            Verdict::Passed,
            Verdict::Failed("line 3: no".to_owned()),
            Verdict::Skipped("has none".to_owned()),
        ];
        let outcome = |verdict| Outcome {
            verdict,
            time: Duration::ZERO,
            session_lines: vec!["> go".to_owned()],
            started: Some(true),
        };
        let outcomes = checks.iter().zip(verdicts.map(outcome)).collect();
        EngineReport { protocol: Protocol::Uci, name: "X 1".to_owned(), command: "x".to_owned(), outcomes }
    }

    #[test]
    fn table_counts_by_severity() {
        let checks = checks();
        let report = report(&checks);
        let table = report.table(false);
        assert!(table.contains("FAIL  advice    b"), "{table}");
        assert!(table.ends_with("1 passed, 1 skipped; failed: 0 errors, 0 warnings, 1 advice\n"), "{table}");
        assert!(!table.contains("> go") && report.table(true).contains("> go"));
        assert_eq!((report.failures(Severity::Error), report.failures(Severity::Advice)), (0, 1));
    }

    #[test]
    fn json_has_sessions_of_failures_only() {
        let checks = checks();
        let value = serde_json::to_value(json(&[report(&checks)])).unwrap();
        let checks = &value["engines"][0]["checks"];
        assert_eq!((&checks[0]["verdict"], &checks[1]["verdict"]), (&"passed".into(), &"failed".into()));
        assert_eq!(checks[1]["conversation"][0], "> go");
        assert!(checks[0].get("conversation").is_none());
        assert_eq!(checks[1]["source"], "S");
        assert_eq!(checks[2]["detail"], "has none");
    }
}
