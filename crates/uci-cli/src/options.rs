//! The options of the protocols: declared once, here, with their ranges and a word on each.
//!
//! The `option` lines of UCI, the `option` features of xboard, the reading of values and the list that
//! `help` prints are all made from [`specs`].

use crate::command::quote;
use crate::resources::{DEFAULT_BOOK_DEPTH, MAX_TABLE_PIECES, Resource};
use std::fmt;
use std::time::Duration;
use tabiya_eval::Evaluation;
use tabiya_play::{MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO};
use tabiya_search::{DEFAULT_HASH_MB, MAX_HASH_MB, MAX_THREADS, MIN_HASH_MB, Options};

/// A change that `setoption` asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Setting {
    HashMb(usize),
    Threads(usize),
    ClearHash,
    /// How many lines to show.
    MultiPv(usize),
    /// Whether the GUI will ponder. Nothing depends on it: the engine ponders when told to.
    Ponder(bool),
    MoveOverhead(Duration),
    Chess960(bool),
    ShowWdl(bool),
    /// Whether this is an analysis, in which nothing is played weakly.
    AnalyseMode(bool),
    LimitStrength(bool),
    Elo(u16),
    SkillLevel(u8),
    /// What makes weak play repeatable; 0 for something else each time.
    StrengthSeed(u64),
    Opponent(String),
    /// The GUI has no business to change this text.
    EngineAbout,
    Evaluation(Evaluation),
    /// Where to log; nothing for nowhere.
    DebugLogFile(String),
    Minimal(bool),
    /// Tablebases and books.
    Resource(Resource),
    /// A number of the search.
    #[cfg(feature = "tune")]
    Tunable(&'static str, i32),
}

/// A connection that needs more than this is not worth a clock.
const MAX_MOVE_OVERHEAD_MS: u64 = 5000;

/// More than any position has moves.
pub(crate) const MAX_MULTIPV: u64 = 256;

/// The strength where it is limited and nothing else is said.
pub(crate) const DEFAULT_ELO: u64 = 1500;

/// What the engine says about itself.
const ABOUT: &str = concat!("Tabiya ", env!("CARGO_PKG_VERSION"), ", free software under MIT or Apache-2.0");

/// How an empty text is written in UCI.
const EMPTY: &str = "<empty>";

/// An option: its name, its type with default and range, and the setting it makes of a value.
struct Spec {
    name: &'static str,
    /// What it does, in a few words.
    help: &'static str,
    /// Is it only for UCI, because xboard has a command for it or no use?
    uci_only: bool,
    kind: Kind,
}

enum Kind {
    Spin {
        default: u64,
        min: u64,
        max: u64,
        make: fn(u64) -> Setting,
    },
    Check {
        default: bool,
        make: fn(bool) -> Setting,
    },
    Combo {
        default: &'static str,
        values: &'static [&'static str],
        make: fn(&str) -> Option<Setting>,
    },
    Text {
        default: &'static str,
        make: fn(&str) -> Setting,
    },
    Button {
        setting: Setting,
    },
    #[cfg(feature = "tune")]
    Tunable(&'static tabiya_search::Tunable),
}

fn option(name: &'static str, help: &'static str, kind: Kind) -> Spec {
    Spec { name, help, uci_only: false, kind }
}

fn uci_option(name: &'static str, help: &'static str, kind: Kind) -> Spec {
    Spec { uci_only: true, ..option(name, help, kind) }
}

fn spin(default: u64, min: u64, max: u64, make: fn(u64) -> Setting) -> Kind {
    Kind::Spin { default, min, max, make }
}

fn check(default: bool, make: fn(bool) -> Setting) -> Kind {
    Kind::Check { default, make }
}

fn text(default: &'static str, make: fn(&str) -> Setting) -> Kind {
    Kind::Text { default, make }
}

fn specs() -> Vec<Spec> {
    let overhead = Options::default().move_overhead.as_millis() as u64;
    let (min_hash, max_hash) = (MIN_HASH_MB as u64, MAX_HASH_MB as u64);
    let (min_elo, max_elo) = (u64::from(MIN_ELO), u64::from(MAX_ELO));
    let most_skill = u64::from(MAX_SKILL_LEVEL);
    let evaluation = Kind::Combo {
        default: "handcrafted",
        values: &["handcrafted", "classic"],
        make: |value| value.parse().ok().map(Setting::Evaluation),
    };
    let mut specs = vec![
        uci_option(
            "Hash",
            "size of the transposition table in MiB",
            spin(DEFAULT_HASH_MB as u64, min_hash, max_hash, |mb| Setting::HashMb(mb as usize)),
        ),
        option("Clear Hash", "empties the table", Kind::Button { setting: Setting::ClearHash }),
        uci_option(
            "Threads",
            "search threads",
            spin(1, 1, MAX_THREADS as u64, |threads| Setting::Threads(threads as usize)),
        ),
        option(
            "MultiPV",
            "how many lines to show",
            spin(1, 1, MAX_MULTIPV, |lines| Setting::MultiPv(lines as usize)),
        ),
        uci_option("Ponder", "the GUI may let the engine ponder", check(false, Setting::Ponder)),
        option(
            "Move Overhead",
            "milliseconds a move held back for the way to the GUI",
            spin(overhead, 0, MAX_MOVE_OVERHEAD_MS, |ms| Setting::MoveOverhead(Duration::from_millis(ms))),
        ),
        uci_option("UCI_Chess960", "castling is king takes rook", check(false, Setting::Chess960)),
        uci_option("UCI_ShowWDL", "show chances to win, draw and lose", check(false, Setting::ShowWdl)),
        uci_option(
            "UCI_AnalyseMode",
            "never limit the strength, nor play from a book",
            check(false, Setting::AnalyseMode),
        ),
        option("UCI_LimitStrength", "play as strong as UCI_Elo says", check(false, Setting::LimitStrength)),
        option(
            "UCI_Elo",
            "strength to play at, if it is limited",
            spin(DEFAULT_ELO, min_elo, max_elo, |elo| Setting::Elo(elo as u16)),
        ),
        option(
            "Skill Level",
            "strength in steps; 20 is full strength",
            spin(most_skill, 0, most_skill, |level| Setting::SkillLevel(level as u8)),
        ),
        option(
            "Strength Seed",
            "makes limited play repeatable; 0 for another game each time",
            spin(0, 0, u64::from(u32::MAX), Setting::StrengthSeed),
        ),
        uci_option(
            "UCI_Opponent",
            "whom the engine plays",
            text("", |name| Setting::Opponent(name.to_owned())),
        ),
        uci_option("UCI_EngineAbout", "about the engine", text(ABOUT, |_| Setting::EngineAbout)),
        option("Evaluation", "which evaluation", evaluation),
        option(
            "Debug Log File",
            "a file that logs the conversation, for tabiya replay",
            text("", |file| Setting::DebugLogFile(file.to_owned())),
        ),
        uci_option("Minimal", "only the last line of a search", check(false, Setting::Minimal)),
    ];
    specs.extend(resource_specs());
    #[cfg(feature = "tune")]
    specs.extend(tabiya_search::TUNABLES.iter().map(|tunable| {
        uci_option(tunable.name, "a number of the search, to be tuned", Kind::Tunable(tunable))
    }));
    specs
}

/// The options about tablebases and books.
fn resource_specs() -> [Spec; 7] {
    [
        option(
            "SyzygyPath",
            "directories of Syzygy tablebases",
            text("", |path| Setting::Resource(Resource::SyzygyPath(path.to_owned()))),
        ),
        option(
            "SyzygyProbeDepth",
            "look positions of the largest tables up with so many plies left",
            spin(1, 1, 100, |depth| Setting::Resource(Resource::SyzygyProbeDepth(depth as u32))),
        ),
        option(
            "SyzygyProbeLimit",
            "look up positions of so many pieces at most; 0 for none",
            spin(MAX_TABLE_PIECES, 0, MAX_TABLE_PIECES, |pieces| {
                Setting::Resource(Resource::SyzygyProbeLimit(pieces as usize))
            }),
        ),
        option(
            "Syzygy50MoveRule",
            "wins that come too late for the fifty-move rule are draws",
            check(true, |on| Setting::Resource(Resource::Syzygy50MoveRule(on))),
        ),
        option("OwnBook", "play from a book", check(false, |on| Setting::Resource(Resource::OwnBook(on)))),
        option(
            "BookFile",
            "a Polyglot book or one in text; without it, main lines of our own",
            text("", |file| Setting::Resource(Resource::BookFile(file.to_owned()))),
        ),
        option(
            "Book Depth",
            "ask the book for so many moves of a game",
            spin(DEFAULT_BOOK_DEPTH, 0, DEFAULT_BOOK_DEPTH, |moves| {
                Setting::Resource(Resource::BookDepth(moves as u32))
            }),
        ),
    ]
}

/// The `option` lines with which the engine answers `uci`.
pub(crate) fn announcement() -> String {
    specs().iter().map(|spec| format!("option {spec}\n")).collect()
}

/// The options as `feature` lines of the xboard protocol. Names are written without spaces there, as
/// some programs take only the first word for the name.
pub(crate) fn xboard_features() -> String {
    let ours = specs().into_iter().filter(|spec| !spec.uci_only);
    ours.map(|spec| format!("feature option=\"{}\"\n", XboardSpec(&spec))).collect()
}

/// The options as a list for people.
pub(crate) fn help() -> String {
    specs().iter().map(|spec| format!("  {:<18} {}\n", spec.name, spec.help)).collect()
}

/// Is there an option of this name?
pub(crate) fn exists(name: &str) -> bool {
    specs().iter().any(|spec| same_name(spec.name, name))
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
            Kind::Text { default: "", .. } => write!(f, "string default {EMPTY}"),
            Kind::Text { default, .. } => write!(f, "string default {default}"),
            Kind::Button { .. } => f.write_str("button"),
            #[cfg(feature = "tune")]
            Kind::Tunable(number) => {
                write!(f, "spin default {} min {} max {}", number.default, number.min, number.max)
            }
        }
    }
}

/// An option in the words of xboard: `Skill -spin 20 0 20`.
struct XboardSpec<'a>(&'a Spec);

impl fmt::Display for XboardSpec<'_> {
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
            Kind::Tunable(number) => write!(f, "-spin {} {} {}", number.default, number.min, number.max),
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
            Kind::Button { setting } => return Ok(setting.clone()),
            Kind::Text { make, .. } => {
                return Ok(make(value.filter(|value| *value != EMPTY).unwrap_or_default()));
            }
            Kind::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            Kind::Check { .. } => "true or false".to_owned(),
            Kind::Combo { values, .. } => values.join(" or "),
            #[cfg(feature = "tune")]
            Kind::Tunable(number) => format!("a whole number from {} to {}", number.min, number.max),
        };
        let Some(value) = value else {
            return Err(OptionError::MissingValue { name, expected });
        };
        let lower = value.to_ascii_lowercase();
        let setting = match &self.kind {
            Kind::Spin { min, max, make, .. } => {
                value.parse().ok().filter(|number| (*min..=*max).contains(number)).map(make)
            }
            Kind::Check { make, .. } => match lower.as_str() {
                "true" | "1" => Some(make(true)),
                "false" | "0" => Some(make(false)),
                _ => None,
            },
            Kind::Combo { make, .. } => make(&lower),
            #[cfg(feature = "tune")]
            Kind::Tunable(number) => {
                let value = value.parse().ok().filter(|value| (number.min..=number.max).contains(value));
                value.map(|value| Setting::Tunable(number.name, value))
            }
            Kind::Text { .. } | Kind::Button { .. } => None,
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
                Kind::Text { default, .. } => default.to_owned(),
                Kind::Button { .. } => continue,
                #[cfg(feature = "tune")]
                Kind::Tunable(number) => number.default.to_string(),
            };
            assert!(spec.read(Some(&default)).is_ok(), "{}", spec.name);
            assert!(!spec.help.is_empty() && exists(spec.name));
        }
        for value in ["handcrafted", "classic", "main"] {
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
            assert_eq!(parse(name, Some("100")), Ok(overhead.clone()));
        }
    }

    #[test]
    fn texts_may_be_empty() {
        for value in [None, Some(""), Some("<empty>")] {
            assert_eq!(parse("Debug Log File", value), Ok(Setting::DebugLogFile(String::new())));
        }
        let opponent = "GM 2800 human Gary Kasparov";
        assert_eq!(parse("UCI_Opponent", Some(opponent)), Ok(Setting::Opponent(opponent.to_owned())));
    }

    #[test]
    fn xboard_gets_names_of_one_word() {
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
    fn numbers_of_the_search_are_options() {
        let lines = announcement();
        assert!(lines.contains("option name razoring_base type spin default "), "{lines}");
        assert_eq!(parse("Razoring_Base", Some("251")), Ok(Setting::Tunable("razoring_base", 251)));
        let error = parse("razoring_base", Some("-1")).unwrap_err().to_string();
        assert!(error.starts_with("option razoring_base: expected a whole number from "), "{error}");
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
            r#"option Evaluation: expected handcrafted or classic, found "neural""#
        );
        assert_eq!(
            message("Ponder", Some("maybe")),
            r#"option Ponder: expected true or false, found "maybe""#
        );
    }
}
