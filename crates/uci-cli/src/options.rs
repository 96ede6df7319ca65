//! The options of the protocol: declared once, here, with their ranges.

use crate::command::quote;
use std::fmt;
use std::time::Duration;
use tabiya_eval::Evaluation;
use tabiya_search::{DEFAULT_HASH_MB, MAX_HASH_MB, MAX_THREADS, MIN_HASH_MB, Options};

/// A change that `setoption` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Setting {
    HashMb(usize),
    Threads(usize),
    ClearHash,
    /// Whether the GUI will ponder. Nothing depends on it: the engine ponders when told to.
    Ponder(bool),
    MoveOverhead(Duration),
    Chess960(bool),
    Evaluation(Evaluation),
}

/// A connection that needs more than this is not worth a clock.
const MAX_MOVE_OVERHEAD_MS: u64 = 5000;

/// An option: its name, its type with default and range, and the setting it makes of a value.
struct Spec {
    name: &'static str,
    kind: Kind,
}

enum Kind {
    Spin { default: u64, min: u64, max: u64, make: fn(u64) -> Setting },
    Check { default: bool, make: fn(bool) -> Setting },
    Combo { default: &'static str, values: &'static [&'static str], make: fn(&str) -> Option<Setting> },
    Button { setting: Setting },
}

fn specs() -> [Spec; 7] {
    [
        Spec {
            name: "Hash",
            kind: Kind::Spin {
                default: DEFAULT_HASH_MB as u64,
                min: MIN_HASH_MB as u64,
                max: MAX_HASH_MB as u64,
                make: |mb| Setting::HashMb(mb as usize),
            },
        },
        Spec { name: "Clear Hash", kind: Kind::Button { setting: Setting::ClearHash } },
        Spec {
            name: "Threads",
            kind: Kind::Spin {
                default: 1,
                min: 1,
                max: MAX_THREADS as u64,
                make: |threads| Setting::Threads(threads as usize),
            },
        },
        Spec { name: "Ponder", kind: Kind::Check { default: false, make: Setting::Ponder } },
        Spec {
            name: "Move Overhead",
            kind: Kind::Spin {
                default: Options::default().move_overhead.as_millis() as u64,
                min: 0,
                max: MAX_MOVE_OVERHEAD_MS,
                make: |ms| Setting::MoveOverhead(Duration::from_millis(ms)),
            },
        },
        Spec { name: "UCI_Chess960", kind: Kind::Check { default: false, make: Setting::Chess960 } },
        Spec {
            name: "Evaluation",
            kind: Kind::Combo {
                default: "main",
                values: &["main", "classic"],
                make: |value| value.parse().ok().map(Setting::Evaluation),
            },
        },
    ]
}

/// The `option` lines with which the engine answers `uci`.
pub(crate) fn announcement() -> String {
    specs().iter().map(|spec| format!("option {spec}\n")).collect()
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type ", self.name)?;
        match &self.kind {
            Kind::Spin { default, min, max, .. } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Combo { default, values, .. } => {
                write!(f, "combo default {default}")?;
                values.iter().try_for_each(|value| write!(f, " var {value}"))
            }
            Kind::Button { .. } => f.write_str("button"),
        }
    }
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum OptionError {
    /// There is no such option.
    Unknown { name: String },
    /// The option needs a value.
    MissingValue { name: &'static str, expected: String },
    /// The value is not one the option takes.
    BadValue { name: &'static str, value: String, expected: String },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown { name } => write!(f, "no such option: {}", quote(name)),
            OptionError::MissingValue { name, expected } => {
                write!(f, "option {name}: the value is missing; expected {expected}")
            }
            OptionError::BadValue { name, value, expected } => {
                write!(f, "option {name}: expected {expected}, found {}", quote(value))
            }
        }
    }
}

/// Reads the name and the value of a `setoption`.
///
/// Neither is case-sensitive, and white space in a name does not matter: `MoveOverhead` is `Move
/// Overhead`.
///
/// # Errors
/// If there is no such option, or the value is not one that it takes. The option keeps its value.
pub(crate) fn parse(name: &str, value: Option<&str>) -> Result<Setting, OptionError> {
    let spec = specs()
        .into_iter()
        .find(|spec| same_name(spec.name, name))
        .ok_or_else(|| OptionError::Unknown { name: name.to_owned() })?;
    spec.read(value.filter(|value| !value.is_empty()))
}

fn same_name(a: &str, b: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect()
    };
    letters(a) == letters(b)
}

impl Spec {
    fn read(&self, value: Option<&str>) -> Result<Setting, OptionError> {
        let name = self.name;
        let expected = match &self.kind {
            Kind::Button { setting } => return Ok(*setting),
            Kind::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            Kind::Check { .. } => "true or false".to_owned(),
            Kind::Combo { values, .. } => values.join(" or "),
        };
        let Some(value) = value else {
            return Err(OptionError::MissingValue { name, expected });
        };
        let lower = value.to_ascii_lowercase();
        let setting = match &self.kind {
            Kind::Button { setting } => Some(*setting),
            Kind::Spin { min, max, make, .. } => {
                value.parse().ok().filter(|number| (*min..=*max).contains(number)).map(make)
            }
            Kind::Check { make, .. } => lower.parse().ok().map(make),
            Kind::Combo { make, .. } => make(&lower),
        };
        setting.ok_or_else(|| OptionError::BadValue { name, value: value.to_owned(), expected })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_valid_values() {
        for spec in specs() {
            let default = match spec.kind {
                Kind::Spin { default, .. } => default.to_string(),
                Kind::Check { default, .. } => default.to_string(),
                Kind::Combo { default, .. } => default.to_owned(),
                Kind::Button { .. } => continue,
            };
            assert!(spec.read(Some(&default)).is_ok(), "{}", spec.name);
        }
        for value in ["main", "classic"] {
            assert!(parse("evaluation", Some(value)).is_ok(), "{value}");
        }
    }

    #[test]
    fn names_and_values_in_any_case() {
        assert_eq!(parse("HASH", Some("32")), Ok(Setting::HashMb(32)));
        assert_eq!(parse("clear  hash", None), Ok(Setting::ClearHash));
        assert_eq!(parse("uci_chess960", Some("TRUE")), Ok(Setting::Chess960(true)));
        assert_eq!(parse("Evaluation", Some("Classic")), Ok(Setting::Evaluation(Evaluation::Classic)));
        let overhead = Setting::MoveOverhead(Duration::from_millis(100));
        for name in ["Move Overhead", "MoveOverhead", "move overhead"] {
            assert_eq!(parse(name, Some("100")), Ok(overhead));
        }
    }

    #[test]
    fn says_what_is_wrong() {
        let message = |name, value| parse(name, value).unwrap_err().to_string();
        assert_eq!(message("Hush", Some("1")), r#"no such option: "Hush""#);
        let range = format!("a whole number from 1 to {MAX_HASH_MB}");
        assert_eq!(message("Hash", None), format!("option Hash: the value is missing; expected {range}"));
        for value in ["0", "-1", "x", "99999999999999999999", "1.5"] {
            let expected = format!("option Hash: expected {range}, found \"{value}\"");
            assert_eq!(message("hash", Some(value)), expected);
        }
        assert_eq!(
            message("Evaluation", Some("neural")),
            r#"option Evaluation: expected main or classic, found "neural""#
        );
        assert_eq!(
            message("Ponder", Some("maybe")),
            r#"option Ponder: expected true or false, found "maybe""#
        );
    }
}
