//! The engine's options, declared once in [`table::table`]: name, type, default, range, description and effect.
//!
//! UCI's `option` lines, xboard's `feature option` lines, the parsing of values, the `help` text, the
//! defaults of [`Settings`] and the table in `docs/options.md` all derive from that list.

mod table;

use crate::controller::{Controller, Settings};
use crate::message::quote;
use anyhow::Result;
use std::fmt;
use std::sync::LazyLock;
use tabiya_search::{EngineError, Options};

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
        /// Returns the value that a text in lower case stands for, which may be a former name.
        parse: fn(&str) -> Option<&'static str>,
        effect: Effect<&'static str>,
    },
    Text {
        default: &'static str,
        effect: Effect<String>,
    },
    Button {
        press: fn(&mut Controller),
    },
    #[cfg(feature = "tune")]
    Tunable(&'static tabiya_search::tuning::Tunable),
}

/// The effect of a new value.
enum Effect<T> {
    /// Sets a field of the settings. The field's default is that of the option.
    Setting(fn(&mut Settings, T)),
    /// Changes the engine, whose own default the option declares.
    Engine(fn(&mut Controller, T) -> Result<()>),
    /// No effect: the option exists because GUIs expect it.
    None,
}

impl<T> Effect<T> {
    fn apply(&self, controller: &mut Controller, value: T) -> Result<()> {
        match self {
            Effect::Setting(set) => set(&mut controller.settings, value),
            Effect::Engine(change) => change(controller, value)?,
            Effect::None => {}
        }
        Ok(())
    }

    fn apply_default(&self, settings: &mut Settings, value: T) {
        if let Effect::Setting(set) = self {
            set(settings, value);
        }
    }
}

static OPTIONS: LazyLock<Vec<EngineOption>> = LazyLock::new(table::table);

/// The settings with every option at its default.
pub(crate) fn default_settings() -> Settings {
    let mut settings = Settings::default();
    for option in OPTIONS.iter() {
        match &option.kind {
            Kind::Spin { default, effect, .. } => effect.apply_default(&mut settings, *default),
            Kind::Check { default, effect } => effect.apply_default(&mut settings, *default),
            Kind::Combo { default, effect, .. } => effect.apply_default(&mut settings, default),
            Kind::Text { default, effect } => effect.apply_default(&mut settings, (*default).to_owned()),
            Kind::Button { .. } => {}
            #[cfg(feature = "tune")]
            Kind::Tunable(_) => {}
        }
    }
    settings
}

/// An engine with these options and every other option at its default.
///
/// # Errors
/// If memory or threads cannot be allocated.
pub(crate) fn controller(options: Options) -> Result<Controller, EngineError> {
    Controller::new(options, default_settings())
}

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
        write!(f, "name {} type ", self.0.name)?;
        match &self.0.kind {
            Kind::Spin { default, min, max, .. } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Combo { default, values, .. } => {
                write!(f, "combo default {default}")?;
                values.iter().try_for_each(|value| write!(f, " var {value}"))
            }
            Kind::Text { default: "", .. } => write!(f, "string default {EMPTY}"),
            Kind::Text { default, .. } => write!(f, "string default {default}"),
            Kind::Button { .. } => f.write_str("button"),
            #[cfg(feature = "tune")]
            Kind::Tunable(tunable) => {
                write!(f, "spin default {} min {} max {}", tunable.default, tunable.min, tunable.max)
            }
        }
    }
}

/// An option as xboard announces it: `SkillLevel -spin 20 0 20`.
struct XboardOption<'a>(&'a EngineOption);

impl fmt::Display for XboardOption<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.0.name.replace(' ', ""))?;
        match &self.0.kind {
            Kind::Spin { default, min, max, .. } => write!(f, "-spin {default} {min} {max}"),
            Kind::Check { default, .. } => write!(f, "-check {}", u8::from(*default)),
            Kind::Combo { default, values, .. } => {
                let mark = |value: &&str| format!("{}{value}", if value == default { "*" } else { "" });
                write!(f, "-combo {}", values.iter().map(mark).collect::<Vec<_>>().join(" /// "))
            }
            Kind::Text { default, .. } => write!(f, "-string {default}"),
            Kind::Button { .. } => f.write_str("-button"),
            #[cfg(feature = "tune")]
            Kind::Tunable(tunable) => write!(f, "-spin {} {} {}", tunable.default, tunable.min, tunable.max),
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
    option: &'static EngineOption,
    value: Value,
}

/// A valid value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Number(u64),
    Flag(bool),
    /// One of the values of a combo option.
    Choice(&'static str),
    Text(String),
    Pressed,
    #[cfg(feature = "tune")]
    Tunable(i32),
}

impl Change {
    /// The option's name.
    pub(crate) fn name(&self) -> &'static str {
        self.option.name
    }

    /// The new value.
    pub(crate) fn value(&self) -> &Value {
        &self.value
    }

    /// Sets the option. If the option concerns the engine, a running search ends.
    ///
    /// # Errors
    /// If the change fails, for lack of memory or because a file cannot be read. The option keeps its value.
    pub(crate) fn apply(self, controller: &mut Controller) -> Result<()> {
        match (&self.option.kind, self.value) {
            (Kind::Spin { effect, .. }, Value::Number(number)) => effect.apply(controller, number),
            (Kind::Check { effect, .. }, Value::Flag(on)) => effect.apply(controller, on),
            (Kind::Combo { effect, .. }, Value::Choice(choice)) => effect.apply(controller, choice),
            (Kind::Text { effect, .. }, Value::Text(text)) => effect.apply(controller, text),
            (Kind::Button { press }, Value::Pressed) => {
                press(controller);
                Ok(())
            }
            #[cfg(feature = "tune")]
            (Kind::Tunable(tunable), Value::Tunable(value)) => {
                let name = tunable.name;
                anyhow::ensure!(tabiya_search::tuning::set_tunable(name, value), "{name} cannot be {value}");
                Ok(())
            }
            (_, value) => unreachable!("{} parsed as {value:?}", self.option.name),
        }
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
    let value = option.parse_value(value.filter(|value| !value.is_empty()))?;
    Ok(Change { option, value })
}

fn same_name(a: &str, b: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect()
    };
    letters(a) == letters(b)
}

impl EngineOption {
    fn parse_value(&'static self, text: Option<&str>) -> Result<Value, OptionError> {
        let lower = text.unwrap_or_default().to_ascii_lowercase();
        let (value, expected) = match &self.kind {
            Kind::Button { .. } => return Ok(Value::Pressed),
            Kind::Text { .. } => {
                return Ok(Value::Text(text.filter(|text| *text != EMPTY).unwrap_or_default().to_owned()));
            }
            Kind::Spin { min, max, .. } => {
                let number = lower.parse().ok().filter(|number| (*min..=*max).contains(number));
                (number.map(Value::Number), format!("a whole number from {min} to {max}"))
            }
            Kind::Check { .. } => {
                let flag = match lower.as_str() {
                    "true" | "1" => Some(true),
                    "false" | "0" => Some(false),
                    _ => None,
                };
                (flag.map(Value::Flag), "true or false".to_owned())
            }
            Kind::Combo { values, parse, .. } => (parse(&lower).map(Value::Choice), values.join(" or ")),
            #[cfg(feature = "tune")]
            Kind::Tunable(tunable) => {
                let value = lower.parse().ok().filter(|value| (tunable.min..=tunable.max).contains(value));
                (value.map(Value::Tunable), format!("a whole number from {} to {}", tunable.min, tunable.max))
            }
        };
        let name = self.name;
        value.ok_or_else(|| match text {
            None => OptionError::MissingValue { name, expected },
            Some(text) => OptionError::BadValue { name, value: text.to_owned(), expected },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_search::MAX_HASH_MB;

    /// The rows of the table in `docs/options.md`.
    #[cfg(feature = "embedded-network")]
    fn documentation_rows() -> Vec<String> {
        let quoted = |value: &str| if value.is_empty() { String::new() } else { format!("`{value}`") };
        let row = |option: &EngineOption| {
            let (default, values) = match &option.kind {
                Kind::Spin { default, min, max, .. } => (default.to_string(), format!("{min} to {max}")),
                Kind::Check { default, .. } => (default.to_string(), "true, false".to_owned()),
                Kind::Combo { default, values, .. } => ((*default).to_owned(), values.join(", ")),
                Kind::Text { default, .. } => ((*default).to_owned(), "text".to_owned()),
                Kind::Button { .. } => (String::new(), "button".to_owned()),
                #[cfg(feature = "tune")]
                Kind::Tunable(_) => return None,
            };
            Some(format!("| `{}` | {} | {values} | {} |", option.name, quoted(&default), option.help))
        };
        OPTIONS.iter().filter_map(row).collect()
    }

    fn error(name: &str, value: Option<&str>) -> String {
        match parse(name, value) {
            Ok(change) => panic!("{} accepted {:?}", change.name(), change.value()),
            Err(error) => error.to_string(),
        }
    }

    fn value(name: &str, value: Option<&str>) -> Value {
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
            let default = match &option.kind {
                Kind::Spin { default, .. } => default.to_string(),
                Kind::Check { default, .. } => default.to_string(),
                Kind::Combo { default, .. } => (*default).to_owned(),
                Kind::Text { default, .. } => (*default).to_owned(),
                Kind::Button { .. } => String::new(),
                #[cfg(feature = "tune")]
                Kind::Tunable(tunable) => tunable.default.to_string(),
            };
            let name = option.name;
            assert!(parse(name, Some(&default)).is_ok(), "{name}");
            assert!(option.help.starts_with(|c: char| c.is_uppercase()), "{name}");
        }
    }

    #[test]
    fn defaults_change_nothing() {
        let mut controller = controller(Options::default().with_hash_mb(1)).unwrap();
        for option in OPTIONS.iter().filter(|option| option.name != "Hash") {
            let default = match &option.kind {
                Kind::Spin { default, .. } => default.to_string(),
                Kind::Check { default, .. } => default.to_string(),
                Kind::Combo { default, .. } => (*default).to_owned(),
                _ => continue,
            };
            let change = parse(option.name, Some(&default)).unwrap_or_else(|error| panic!("{error}"));
            change.apply(&mut controller).unwrap();
        }
        assert_eq!(controller.settings, default_settings());
        let (options, defaults) = (controller.engine.options(), Options::default());
        assert_eq!(options.threads, defaults.threads);
        assert_eq!(options.move_overhead, defaults.move_overhead);
        assert_eq!(controller.evaluation, defaults.evaluation);
    }

    #[test]
    fn names_and_values_are_case_insensitive() {
        assert_eq!(value("HASH", Some("32")), Value::Number(32));
        assert_eq!(value("clear  hash", None), Value::Pressed);
        assert_eq!(value("uci_chess960", Some("TRUE")), Value::Flag(true));
        assert_eq!(value("Evaluation", Some("Classic")), Value::Choice("classic"));
        assert_eq!(value("Evaluation", Some("main")), Value::Choice("handcrafted"), "the former name");
        for name in ["Move Overhead", "MoveOverhead", "move overhead"] {
            assert_eq!(value(name, Some("100")), Value::Number(100));
        }
    }

    #[test]
    fn text_may_be_empty() {
        for empty in [None, Some(""), Some("<empty>")] {
            assert_eq!(value("Debug Log File", empty), Value::Text(String::new()));
        }
        let opponent = "GM 2800 human Gary Kasparov";
        assert_eq!(value("UCI_Opponent", Some(opponent)), Value::Text(opponent.to_owned()));
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
        assert_eq!(value("Razoring_Base", Some("251")), Value::Tunable(251));
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
