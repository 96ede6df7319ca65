//! The engine's options, declared once in [`table`]: name, type, default, range, description and effect.
//!
//! UCI's `option` lines, xboard's `feature option` lines, the parsing of values, the `help` text, the
//! defaults of [`Settings`] and the table in `docs/options.md` all derive from that list.

use crate::controller::{Controller, Settings};
use crate::logging;
use crate::message::quote;
use anyhow::Result;
use std::fmt;
use std::sync::LazyLock;
use std::time::Duration;
use tabiya_eval::Evaluation;
use tabiya_play::{MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO};
use tabiya_search::{EngineError, MAX_HASH_MB, MAX_THREADS, MIN_HASH_MB, Options};

/// Upper limit of `MultiPV`, more than the 218 legal moves a position can have.
pub(crate) const MAX_MULTIPV: u64 = 256;

/// Upper limit of `Move Overhead` in milliseconds.
const MAX_MOVE_OVERHEAD_MS: u64 = 5000;

/// Upper limit of `SyzygyProbeDepth` in plies.
const MAX_PROBE_DEPTH: u64 = 100;

/// Upper limit of `Book Depth` in moves, in effect no limit.
const MAX_BOOK_DEPTH: u64 = 255;

/// The value of `UCI_EngineAbout`.
const ABOUT: &str = concat!("Tabiya ", env!("CARGO_PKG_VERSION"), ", free software under MIT or Apache-2.0");

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
    Tunable(&'static tabiya_search::Tunable),
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

fn option(name: &'static str, help: &'static str, kind: Kind) -> EngineOption {
    EngineOption { name, help, uci_only: false, kind }
}

fn uci_option(name: &'static str, help: &'static str, kind: Kind) -> EngineOption {
    EngineOption { uci_only: true, ..option(name, help, kind) }
}

fn spin(default: u64, min: u64, max: u64, effect: Effect<u64>) -> Kind {
    Kind::Spin { default, min, max, effect }
}

fn check(default: bool, effect: Effect<bool>) -> Kind {
    Kind::Check { default, effect }
}

fn text(default: &'static str, effect: Effect<String>) -> Kind {
    Kind::Text { default, effect }
}

static OPTIONS: LazyLock<Vec<EngineOption>> = LazyLock::new(table);

/// All options, in the order in which they are announced.
fn table() -> Vec<EngineOption> {
    let engine = Options::default();
    let tablebases = &engine.tablebases;
    let options = vec![
        uci_option(
            "Hash",
            "Size of the transposition table in MiB",
            spin(
                engine.hash_mb as u64,
                MIN_HASH_MB as u64,
                MAX_HASH_MB as u64,
                Effect::Engine(|controller, mb| Ok(controller.engine.set_hash(mb as usize)?)),
            ),
        ),
        option(
            "Clear Hash",
            "Clear the transposition table",
            Kind::Button { press: |controller| controller.engine.clear() },
        ),
        uci_option(
            "Threads",
            "Number of search threads",
            spin(
                engine.threads as u64,
                1,
                MAX_THREADS as u64,
                Effect::Engine(|controller, threads| Ok(controller.engine.set_threads(threads as usize)?)),
            ),
        ),
        option(
            "MultiPV",
            "Number of lines to show",
            spin(1, 1, MAX_MULTIPV, Effect::Setting(|settings, lines| settings.multipv = lines as usize)),
        ),
        uci_option("Ponder", "The GUI may let the engine ponder", check(false, Effect::None)),
        option(
            "Move Overhead",
            "Milliseconds to reserve per move for delays between engine and GUI",
            spin(
                engine.move_overhead.as_millis() as u64,
                0,
                MAX_MOVE_OVERHEAD_MS,
                Effect::Engine(|controller, ms| {
                    controller.engine.set_move_overhead(Duration::from_millis(ms));
                    Ok(())
                }),
            ),
        ),
        uci_option(
            "UCI_Chess960",
            "Write castling as king takes rook",
            check(false, Effect::Setting(|settings, on| settings.chess960 = on)),
        ),
        uci_option(
            "UCI_ShowWDL",
            "Show win, draw and loss probabilities in per mille",
            check(false, Effect::Setting(|settings, on| settings.show_wdl = on)),
        ),
        uci_option(
            "UCI_AnalyseMode",
            "Play at full strength and without the book",
            check(false, Effect::Setting(|settings, on| settings.analyse_mode = on)),
        ),
        option(
            "UCI_LimitStrength",
            "Limit the strength to UCI_Elo",
            check(false, Effect::Setting(|settings, on| settings.limit_strength = on)),
        ),
        option(
            "UCI_Elo",
            "Elo rating to play at if UCI_LimitStrength is on",
            spin(
                1500,
                u64::from(MIN_ELO),
                u64::from(MAX_ELO),
                Effect::Setting(|settings, elo| settings.elo = elo as u16),
            ),
        ),
        option(
            "Skill Level",
            "Strength in steps; 20 is full strength",
            spin(
                u64::from(MAX_SKILL_LEVEL),
                0,
                u64::from(MAX_SKILL_LEVEL),
                Effect::Setting(|settings, level| settings.skill_level = level as u8),
            ),
        ),
        option(
            "Strength Seed",
            "Seed that makes limited play repeatable; 0 for a new one in each game",
            spin(0, 0, u64::from(u32::MAX), Effect::Setting(|settings, seed| settings.strength_seed = seed)),
        ),
        uci_option(
            "UCI_Opponent",
            "Title, rating and name of the opponent, for the log",
            text(
                "",
                Effect::Engine(|_, name| {
                    tracing::info!("opponent: {name}");
                    Ok(())
                }),
            ),
        ),
        uci_option("UCI_EngineAbout", "Information about the engine", text(ABOUT, Effect::None)),
        option(
            "Evaluation",
            "Evaluation function",
            Kind::Combo {
                default: engine.evaluation.name(),
                values: Evaluation::ALL.iter().map(|evaluation| evaluation.name()).collect(),
                parse: |text| text.parse().ok().map(Evaluation::name),
                effect: Effect::Engine(|controller, name| {
                    controller.evaluation = name.parse()?;
                    Ok(())
                }),
            },
        ),
        option(
            "Debug Log File",
            "File to log the session to, for tabiya replay",
            text("", Effect::Engine(|_, file| logging::log_to_file(&file))),
        ),
        uci_option(
            "Minimal",
            "Show only the final line of a search",
            check(false, Effect::Setting(|settings, on| settings.minimal = on)),
        ),
        option(
            "SyzygyPath",
            "Directories of Syzygy tablebases",
            text(
                "",
                Effect::Engine(|controller, path| {
                    controller.resources.open_tablebases(&path, &mut controller.engine)
                }),
            ),
        ),
        option(
            "SyzygyProbeDepth",
            "Minimum remaining depth to probe the largest tablebases",
            spin(
                u64::from(tablebases.probe_depth),
                1,
                MAX_PROBE_DEPTH,
                Effect::Engine(|Controller { resources, engine, .. }, depth| {
                    resources.set_tablebases(engine, |options| options.probe_depth = depth as u32);
                    Ok(())
                }),
            ),
        ),
        option(
            "SyzygyProbeLimit",
            "Maximum number of pieces to probe tablebases with; 0 for none",
            spin(
                tablebases.probe_limit as u64,
                0,
                tablebases.probe_limit as u64,
                Effect::Engine(|Controller { resources, engine, .. }, pieces| {
                    resources.set_tablebases(engine, |options| options.probe_limit = pieces as usize);
                    Ok(())
                }),
            ),
        ),
        option(
            "Syzygy50MoveRule",
            "Tablebase wins that exceed the fifty-move rule are draws",
            check(
                tablebases.fifty_move_rule,
                Effect::Engine(|Controller { resources, engine, .. }, on| {
                    resources.set_tablebases(engine, |options| options.fifty_move_rule = on);
                    Ok(())
                }),
            ),
        ),
        option(
            "OwnBook",
            "Play from an opening book",
            check(false, Effect::Setting(|settings, on| settings.own_book = on)),
        ),
        option(
            "BookFile",
            "Polyglot or text book; the built-in main lines if empty",
            text("", Effect::Engine(|controller, file| controller.resources.open_book(&file))),
        ),
        option(
            "Book Depth",
            "Last move number to play from the book",
            spin(
                MAX_BOOK_DEPTH,
                0,
                MAX_BOOK_DEPTH,
                Effect::Setting(|settings, moves| settings.book_depth = moves as u32),
            ),
        ),
    ];
    #[cfg(feature = "tune")]
    let options =
        {
            let mut options = options;
            options.extend(tabiya_search::TUNABLES.iter().map(|tunable| {
                uci_option(tunable.name, "Search parameter, for tuning", Kind::Tunable(tunable))
            }));
            options
        };
    options
}

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
                anyhow::ensure!(tabiya_search::set_tunable(name, value), "{name} cannot be {value}");
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
    use std::fs;

    /// The rows of the table in `docs/options.md`.
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

    #[test]
    fn documentation_matches_the_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/options.md");
        let text = fs::read_to_string(path).unwrap();
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
        let mut controller = controller(Options { hash_mb: 1, ..Options::default() }).unwrap();
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
        assert!(
            features.contains("feature option=\"Evaluation -combo *handcrafted /// classic\"\n"),
            "{features}"
        );
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
        assert_eq!(
            error("Evaluation", Some("neural")),
            r#"option Evaluation: expected handcrafted or classic, found "neural""#
        );
        assert_eq!(error("Ponder", Some("maybe")), r#"option Ponder: expected true or false, found "maybe""#);
    }
}
