//! The engine's options, declared once in [`table::table`]: name, type, default, range, description and effect.
//!
//! UCI's `option` lines, xboard's `feature option` lines, the parsing of values and the `help` text derive from that list; a test
//! compares it with the table in `docs/options.md`.

mod table;

use crate::controller::{Controller, Settings};
use crate::message::quote;
use anyhow::Result;
use std::fmt;
use std::sync::LazyLock;

/// Upper limit of `MultiPV`: the capacity of a move list, more than the legal moves of any position.
pub(crate) const MAX_MULTIPV: u64 = 256;

/// UCI's notation for an empty string.
const EMPTY: &str = "<empty>";

/// An option of the engine.
struct EngineOption {
    name: &'static str,
    /// The description in `help` and in `docs/options.md`.
    help: &'static str,
    /// True if xboard has a command for it or no use for it.
    uci_only: bool,
    kind: Kind,
}

/// The type of an option with default, range and effect.
enum Kind {
    Spin {
        default: u64,
        min: u64,
        max: u64,
        effect: Effect<u64>,
    },
    Check {
        default: bool,
        effect: Effect<bool>,
    },
    Combo {
        default: &'static str,
        values: Vec<&'static str>,
        /// Returns the value that a text in lower case stands for.
        parse: fn(&str) -> Option<&'static str>,
        effect: Effect<&'static str>,
    },
    Text {
        default: &'static str,
        effect: Effect<String>,
    },
    Button {
        effect: Effect<()>,
    },
    #[cfg(feature = "tune")]
    Tunable(&'static tabiya_search::tuning::Tunable),
}

/// The effect of a new value.
enum Effect<T> {
    /// Sets a field of the settings.
    Setting(fn(&mut Settings, T)),
    /// Changes the engine or its resources.
    Engine(fn(&mut Controller, T) -> Result<()>),
    /// No effect: the option exists because GUIs expect it.
    None,
}

/// The effect of an option with a given value.
type BoundEffect = Box<dyn FnOnce(&mut Controller) -> Result<()>>;

impl<T: 'static> Effect<T> {
    fn bind(&self, value: T) -> BoundEffect {
        match *self {
            Effect::Setting(set) => Box::new(move |controller| {
                set(&mut controller.settings, value);
                Ok(())
            }),
            Effect::Engine(change) => Box::new(move |controller| change(controller, value)),
            Effect::None => Box::new(|_| Ok(())),
        }
    }
}

/// The type of an option as text, for the protocols and the documents.
struct Declaration {
    /// The name of the type in both protocols.
    kind: &'static str,
    default: String,
    /// The values of a combo option.
    values: Vec<&'static str>,
    /// The range of a spin option.
    range: Option<(String, String)>,
}

impl Kind {
    fn declaration(&self) -> Declaration {
        let declaration = |kind, default: &dyn fmt::Display| Declaration {
            kind,
            default: default.to_string(),
            values: Vec::new(),
            range: None,
        };
        match self {
            Kind::Spin { default, min, max, .. } => Declaration {
                range: Some((min.to_string(), max.to_string())),
                ..declaration("spin", default)
            },
            Kind::Check { default, .. } => declaration("check", default),
            Kind::Combo { default, values, .. } => {
                Declaration { values: values.clone(), ..declaration("combo", default) }
            }
            Kind::Text { default, .. } => declaration("string", default),
            Kind::Button { .. } => declaration("button", &""),
            #[cfg(feature = "tune")]
            Kind::Tunable(tunable) => Declaration {
                range: Some((tunable.min.to_string(), tunable.max.to_string())),
                ..declaration("spin", &tunable.default)
            },
        }
    }

    /// Parses a value. Returns it in its normal form with its effect, or a description of the values that are valid.
    fn parse(&'static self, text: Option<&str>) -> Result<(String, BoundEffect), String> {
        let lower = text.unwrap_or_default().to_ascii_lowercase();
        let expected_range =
            |min: &dyn fmt::Display, max: &dyn fmt::Display| format!("a whole number from {min} to {max}");
        match self {
            Kind::Spin { min, max, effect, .. } => {
                let number = lower.parse().ok().filter(|number| (*min..=*max).contains(number));
                let number: u64 = number.ok_or_else(|| expected_range(min, max))?;
                Ok((number.to_string(), effect.bind(number)))
            }
            Kind::Check { effect, .. } => {
                let on = match lower.as_str() {
                    "true" | "1" => true,
                    "false" | "0" => false,
                    _ => return Err("true or false".to_owned()),
                };
                Ok((on.to_string(), effect.bind(on)))
            }
            Kind::Combo { values, parse, effect, .. } => {
                let value = parse(&lower).ok_or_else(|| values.join(" or "))?;
                Ok((value.to_owned(), effect.bind(value)))
            }
            Kind::Text { effect, .. } => {
                let text = text.filter(|text| *text != EMPTY).unwrap_or_default().to_owned();
                Ok((text.clone(), effect.bind(text)))
            }
            Kind::Button { effect } => Ok((String::new(), effect.bind(()))),
            #[cfg(feature = "tune")]
            Kind::Tunable(tunable) => {
                let value = lower.parse().ok().filter(|value| (tunable.min..=tunable.max).contains(value));
                let value: i32 = value.ok_or_else(|| expected_range(&tunable.min, &tunable.max))?;
                let name = tunable.name;
                let set = move |_: &mut Controller| {
                    anyhow::ensure!(
                        tabiya_search::tuning::set_tunable(name, value),
                        "{name} cannot be {value}"
                    );
                    Ok(())
                };
                Ok((value.to_string(), Box::new(set)))
            }
        }
    }
}

static OPTIONS: LazyLock<Vec<EngineOption>> = LazyLock::new(table::table);

/// The `option` lines of the answer to `uci`.
pub(crate) fn uci_lines() -> String {
    OPTIONS.iter().map(|option| format!("option {}\n", UciOption(option))).collect()
}

/// The `feature option` lines of the xboard protocol. Names are written without spaces there, because some
/// GUIs take only the first word as the name.
pub(crate) fn xboard_features() -> String {
    let options = OPTIONS.iter().filter(|option| !option.uci_only);
    options.map(|option| format!("feature option=\"{}\"\n", XboardOption(option))).collect()
}

/// The options with their descriptions, for `help`.
pub(crate) fn help() -> String {
    OPTIONS.iter().map(|option| format!("  {:<18} {}\n", option.name, option.help)).collect()
}

/// An option as UCI announces it: `name Hash type spin default 16 min 1 max 1048576`.
struct UciOption<'a>(&'a EngineOption);

impl fmt::Display for UciOption<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Declaration { kind, default, values, range } = self.0.kind.declaration();
        write!(f, "name {} type {kind}", self.0.name)?;
        match (kind, default.as_str()) {
            ("button", _) => {}
            (_, "") => write!(f, " default {EMPTY}")?,
            (_, default) => write!(f, " default {default}")?,
        }
        if let Some((min, max)) = range {
            write!(f, " min {min} max {max}")?;
        }
        values.iter().try_for_each(|value| write!(f, " var {value}"))
    }
}

/// An option as xboard announces it: `SkillLevel -spin 20 0 20`.
struct XboardOption<'a>(&'a EngineOption);

impl fmt::Display for XboardOption<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Declaration { kind, default, values, range } = self.0.kind.declaration();
        write!(f, "{} -{kind}", self.0.name.replace(' ', ""))?;
        match kind {
            "button" => Ok(()),
            "check" => write!(f, " {}", u8::from(default == "true")),
            "combo" => {
                let mark = |value: &&str| format!("{}{value}", if **value == default { "*" } else { "" });
                write!(f, " {}", values.iter().map(mark).collect::<Vec<_>>().join(" /// "))
            }
            _ => {
                write!(f, " {default}")?;
                range.map_or(Ok(()), |(min, max)| write!(f, " {min} {max}"))
            }
        }
    }
}

/// The reason why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum OptionError {
    /// No option has this name.
    Unknown { name: String },
    /// The option needs a value.
    MissingValue { name: &'static str, expected: String },
    /// The value has the wrong type or is out of range.
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

/// An option with a valid new value, to be applied now or after the running search.
pub(crate) struct Change {
    name: &'static str,
    value: String,
    effect: BoundEffect,
}

impl Change {
    /// The option's name.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// The new value in its normal form: a decimal number, `true` or `false`, or the text; empty for a button.
    pub(crate) fn value(&self) -> &str {
        &self.value
    }

    /// Sets the option. If the option concerns the engine, a running search ends.
    ///
    /// # Errors
    /// If the change fails, for lack of memory or because a file cannot be read. The option keeps its value.
    pub(crate) fn apply(self, controller: &mut Controller) -> Result<()> {
        (self.effect)(controller)
    }
}

/// Parses the name and value of a `setoption`.
///
/// Names and values are case-insensitive, and spaces in names are ignored: `MoveOverhead` is `Move Overhead`.
///
/// # Errors
/// If there is no such option, or the value is invalid.
pub(crate) fn parse(name: &str, value: Option<&str>) -> Result<Change, OptionError> {
    let option = OPTIONS
        .iter()
        .find(|option| same_name(option.name, name))
        .ok_or_else(|| OptionError::Unknown { name: name.to_owned() })?;
    let text = value.filter(|value| !value.is_empty());
    let name = option.name;
    match (option.kind.parse(text), text) {
        (Ok((value, effect)), _) => Ok(Change { name, value, effect }),
        (Err(expected), None) => Err(OptionError::MissingValue { name, expected }),
        (Err(expected), Some(text)) => Err(OptionError::BadValue { name, value: text.to_owned(), expected }),
    }
}

fn same_name(a: &str, b: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect()
    };
    letters(a) == letters(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_search::{MAX_HASH_MB, Options};

    /// The rows of the table in `docs/options.md`.
    #[cfg(feature = "embedded-network")]
    fn documentation_rows() -> Vec<String> {
        let row = |option: &EngineOption| {
            let Declaration { kind, default, values, range } = option.kind.declaration();
            let default = if default.is_empty() { default } else { format!("`{default}`") };
            let values = match (kind, range) {
                (_, Some((min, max))) => format!("{min} to {max}"),
                ("check", _) => "true, false".to_owned(),
                ("combo", _) => values.join(", "),
                ("string", _) => "text".to_owned(),
                (kind, _) => kind.to_owned(),
            };
            format!("| `{}` | {default} | {values} | {} |", option.name, option.help)
        };
        table::standard().iter().map(row).collect()
    }

    fn error(name: &str, value: Option<&str>) -> String {
        match parse(name, value) {
            Ok(change) => panic!("{} accepted {:?}", change.name(), change.value()),
            Err(error) => error.to_string(),
        }
    }

    fn value(name: &str, value: Option<&str>) -> String {
        parse(name, value).unwrap_or_else(|error| panic!("{error}")).value
    }

    // The table is that of the default build, with a network.
    #[cfg(feature = "embedded-network")]
    #[test]
    fn documentation_matches_the_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/options.md");
        let text = std::fs::read_to_string(path).unwrap();
        let documented: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
        let expected = documentation_rows();
        assert_eq!(documented, expected, "the rows of docs/options.md should be:\n{}", expected.join("\n"));
    }

    #[test]
    fn defaults_are_valid_and_descriptions_uniform() {
        for option in OPTIONS.iter() {
            let name = option.name;
            assert!(parse(name, Some(&option.kind.declaration().default)).is_ok(), "{name}");
            assert!(option.help.starts_with(|c: char| c.is_uppercase()), "{name}");
        }
    }

    /// XBoard and Cute Chess read the numbers of an option into an `int`.
    #[test]
    fn numbers_fit_an_int() {
        for option in OPTIONS.iter() {
            if let Kind::Spin { max, .. } = option.kind {
                assert!(i32::try_from(max).is_ok(), "{}", option.name);
            }
        }
    }

    #[test]
    fn defaults_change_nothing() {
        let mut controller = Controller::new(Options::default().with_hash_mb(1)).unwrap();
        for option in OPTIONS.iter().filter(|option| option.name != "Hash") {
            let Declaration { kind, default, .. } = option.kind.declaration();
            if matches!(kind, "spin" | "check" | "combo") {
                let change = parse(option.name, Some(&default)).unwrap_or_else(|error| panic!("{error}"));
                change.apply(&mut controller).unwrap();
            }
        }
        assert_eq!(controller.settings, Settings::default());
        let (options, defaults) = (controller.player.engine().options(), Options::default());
        assert_eq!(options.threads, defaults.threads);
        assert_eq!(options.move_overhead, defaults.move_overhead);
        assert_eq!(options.evaluation, defaults.evaluation);
    }

    #[test]
    fn names_and_values_are_case_insensitive() {
        assert_eq!(value("HASH", Some("32")), "32");
        assert_eq!(value("clear  hash", None), "");
        assert_eq!(value("uci_chess960", Some("TRUE")), "true");
        assert_eq!(value("Evaluation", Some("Classic")), "classic");
        for name in ["Move Overhead", "MoveOverhead", "move overhead"] {
            assert_eq!(value(name, Some("100")), "100");
        }
    }

    #[test]
    fn text_may_be_empty() {
        for empty in [None, Some(""), Some("<empty>")] {
            assert_eq!(value("Debug Log File", empty), "");
        }
        let opponent = "GM 2800 human Gary Kasparov";
        assert_eq!(value("UCI_Opponent", Some(opponent)), opponent);
    }

    #[test]
    fn xboard_names_have_no_spaces() {
        let features = xboard_features();
        assert!(features.contains("feature option=\"MoveOverhead -spin 30 0 5000\"\n"), "{features}");
        let names = tabiya_eval::Evaluation::available();
        let names: Vec<&str> = names.iter().map(|evaluation| evaluation.name()).collect();
        let evaluation = format!("feature option=\"Evaluation -combo *{}\"\n", names.join(" /// "));
        assert!(features.contains(&evaluation), "{features}");
        assert!(features.contains("feature option=\"ClearHash -button\"\n"), "{features}");
        assert!(!features.contains("\"Hash") && !features.contains("Threads"), "{features}");
    }

    #[cfg(feature = "tune")]
    #[test]
    fn search_parameters_are_options() {
        let lines = uci_lines();
        assert!(lines.contains("option name razoring_base type spin default "), "{lines}");
        assert_eq!(value("Razoring_Base", Some("251")), "251");
        let error = error("razoring_base", Some("-1"));
        assert!(error.starts_with("option razoring_base: expected a whole number from "), "{error}");
    }

    #[test]
    fn errors_state_what_is_expected() {
        assert_eq!(error("Hush", Some("1")), r#"no such option: "Hush""#);
        let range = format!("a whole number from 1 to {MAX_HASH_MB}");
        assert_eq!(error("Hash", None), format!("option Hash: the value is missing; expected {range}"));
        for value in ["0", "-1", "x", "99999999999999999999", "1.5"] {
            let expected = format!("option Hash: expected {range}, found \"{value}\"");
            assert_eq!(error("hash", Some(value)), expected);
        }
        let neural = error("Evaluation", Some("neural"));
        assert!(neural.ends_with(r#"handcrafted or classic, found "neural""#), "{neural}");
        assert_eq!(error("Ponder", Some("maybe")), r#"option Ponder: expected true or false, found "maybe""#);
    }
}
