//! The features that an xboard engine declares.

use std::fmt;

/// Features that are on unless an engine declares otherwise.
const ON_BY_DEFAULT: [&str; 7] = ["time", "draw", "sigint", "sigterm", "reuse", "analyze", "colors"];

/// The features that an engine has declared so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Features(Vec<(String, String)>);

impl Features {
    /// Reads a `feature` line and returns the answers to send: `accepted` for the features that `is_supported` names, `rejected` for
    /// the others. Malformed parts are ignored, and so are other lines.
    pub fn read(&mut self, line: &str, is_supported: impl Fn(&str) -> bool) -> Vec<String> {
        let mut answers = Vec::new();
        for Assignment { name, value, .. } in assignments(line).filter_map(Result::ok) {
            self.0.push((name.to_owned(), value.to_owned()));
            answers.push(format!("{} {name}", if is_supported(name) { "accepted" } else { "rejected" }));
        }
        answers
    }

    /// True if the engine has declared nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The last value declared for a feature.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// True if the feature is on, by declaration or by default.
    pub fn is_on(&self, name: &str) -> bool {
        self.value(name).map_or(ON_BY_DEFAULT.contains(&name), |value| value == "1")
    }

    /// True if the value of the feature is a list that contains `item`.
    pub fn lists(&self, name: &str, item: &str) -> bool {
        self.value(name).is_some_and(|value| value.split(',').any(|found| found.trim() == item))
    }

    /// The names of the engine's own options.
    pub fn options(&self) -> impl Iterator<Item = &str> {
        let definitions = self.0.iter().filter(|(name, _)| name == "option");
        // NAME -TYPE VALUE...
        definitions.map(|(_, value)| value.split(" -").next().unwrap_or_default().trim())
    }

    /// The name of an option as the engine writes it, found without regard to case.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options().find(|option| option.eq_ignore_ascii_case(name))
    }
}

/// A part of a `feature` line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assignment<'a> {
    /// The feature.
    pub name: &'a str,
    /// Its value, without quotes.
    pub value: &'a str,
    /// The value was in quotes.
    pub is_quoted: bool,
}

/// A malformed part of a `feature` line.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AssignmentError {
    /// A name without `=`.
    NoValue {
        /// The name.
        name: String,
    },
    /// A quote that is not closed.
    UnclosedQuote {
        /// The feature.
        name: String,
    },
}

impl fmt::Display for AssignmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AssignmentError::NoValue { name } => write!(f, "{name:?} has no value"),
            AssignmentError::UnclosedQuote { name } => write!(f, "the quote of {name} is not closed"),
        }
    }
}

impl std::error::Error for AssignmentError {}

/// Splits a `feature` line into its parts; other lines have none.
pub fn assignments(line: &str) -> impl Iterator<Item = Result<Assignment<'_>, AssignmentError>> {
    let mut rest = match line.trim().split_once(char::is_whitespace) {
        Some(("feature", text)) => text,
        _ => "",
    };
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let name = &rest[..end];
        let Some(value) = rest[end..].strip_prefix('=') else {
            rest = &rest[end..];
            return Some(Err(AssignmentError::NoValue { name: name.to_owned() }));
        };
        let Some(quoted) = value.strip_prefix('"') else {
            let end = value.find(char::is_whitespace).unwrap_or(value.len());
            rest = &value[end..];
            return Some(Ok(Assignment { name, value: &value[..end], is_quoted: false }));
        };
        let Some((value, after)) = quoted.split_once('"') else {
            rest = "";
            return Some(Err(AssignmentError::UnclosedQuote { name: name.to_owned() }));
        };
        rest = after;
        Some(Ok(Assignment { name, value, is_quoted: true }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(features: &mut Features, line: &str) -> Vec<String> {
        features.read(line, |name| name != "newer")
    }

    #[test]
    fn features_are_read_and_answered() {
        let mut features = Features::default();
        let answers = read(&mut features, "feature ping=1 myname=\"Fruit 2.1 a=b\" newer=1 time=0");
        assert_eq!(answers, ["accepted ping", "accepted myname", "rejected newer", "accepted time"]);
        read(&mut features, "feature variants=\"normal, fischerandom\" option=\"Own Book -check 1\" done=1");
        read(&mut features, "feature option=\"Hash MB -spin 16 1 64\"");
        assert_eq!(features.value("myname"), Some("Fruit 2.1 a=b"));
        assert!(features.is_on("ping") && features.is_on("reuse") && features.is_on("done"));
        assert!(!features.is_on("time") && !features.is_on("setboard"));
        assert!(features.lists("variants", "fischerandom") && !features.lists("variants", "random"));
        assert_eq!(features.options().collect::<Vec<_>>(), ["Own Book", "Hash MB"]);
        assert_eq!((features.option("own book"), features.option("Own")), (Some("Own Book"), None));
    }

    #[test]
    fn last_value_counts() {
        let mut features = Features::default();
        assert!(features.is_empty());
        read(&mut features, "feature done=0");
        assert!(!features.is_on("done"));
        read(&mut features, "feature done=1");
        assert!(features.is_on("done"));
    }

    #[test]
    fn malformed_lines_are_harmless() {
        for text in ["", "=", "ping", "ping=", "myname=\"open", "a b=1", "=1 =2", "\"\"=\"\""] {
            let mut features = Features::default();
            read(&mut features, &format!("feature {text}"));
            assert!(!features.is_on("ping") && !features.is_on("done"), "{text}");
        }
        for line in ["", "feature", "features ping=1", "move e2e4"] {
            assert!(assignments(line).next().is_none(), "{line}");
        }
    }
}
