//! Options that an engine declares.

/// An option from an `option` line.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EngineOption {
    /// The name, which may contain spaces.
    pub name: String,
    /// Type and accepted values.
    pub kind: OptionType,
}

/// Type and accepted values of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum OptionType {
    /// `true` or `false`.
    Check {
        /// Default value.
        default: bool,
    },
    /// An integer.
    Spin {
        /// Default value.
        default: i64,
        /// Minimum.
        min: i64,
        /// Maximum.
        max: i64,
    },
    /// One of several values.
    Combo {
        /// Default value.
        default: String,
        /// Accepted values.
        choices: Vec<String>,
    },
    /// An action without a value.
    Button,
    /// A string.
    String {
        /// Default value. UCI writes an empty one as `<empty>`.
        default: String,
    },
}

/// The text by which UCI lines stand for an empty string.
pub(super) const EMPTY: &str = "<empty>";

/// The types of options.
const TYPES: [&str; 5] = ["check", "spin", "combo", "button", "string"];

impl EngineOption {
    /// Parses `option name ... type ...`. The name ends at the first `type` that a known type follows, so that it may contain
    /// the word. All that follows the `default` of a string is its value.
    ///
    /// Since engines omit them, a missing default counts as `false`, 0 or the empty string, and a
    /// missing limit as none.
    ///
    /// # Errors
    /// A description of the error, without the line itself.
    pub fn parse(line: &str) -> Result<EngineOption, String> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let rest = match words.as_slice() {
            ["option", "name", rest @ ..] => rest,
            _ => return Err("expected \"option name\"".to_owned()),
        };
        let at = (rest.windows(2).position(|words| words[0] == "type" && TYPES.contains(&words[1])))
            .or_else(|| rest.iter().position(|&word| word == "type"))
            .ok_or("\"type\" is missing")?;
        let (name, rest) = (rest[..at].join(" "), &rest[at + 1..]);
        if name.is_empty() {
            return Err("the name is empty".to_owned());
        }
        let Some((&kind, rest)) = rest.split_first() else {
            return Err("nothing follows \"type\"".to_owned());
        };
        let values = Values::split(rest);
        let number = |key: &str, missing: i64| match values.get(key) {
            None => Ok(missing),
            Some(text) => text.parse().map_err(|_| format!("{key} {text:?} is not an integer")),
        };
        let kind = match kind {
            "check" => OptionType::Check { default: values.get("default") == Some("true") },
            "spin" => OptionType::Spin {
                default: number("default", 0)?,
                min: number("min", i64::MIN)?,
                max: number("max", i64::MAX)?,
            },
            "combo" => OptionType::Combo {
                default: values.get("default").unwrap_or_default().to_owned(),
                choices: values.all("var"),
            },
            "button" => OptionType::Button,
            "string" => {
                let at = rest.iter().position(|&word| word == "default");
                let default = at.map_or_else(String::new, |at| rest[at + 1..].join(" "));
                OptionType::String { default: if default == EMPTY { String::new() } else { default } }
            }
            other => return Err(format!("{other:?} is not one of {}", TYPES.join(", "))),
        };
        Ok(EngineOption { name, kind })
    }

    /// Checks that the option accepts `value`.
    ///
    /// # Errors
    /// A description of the accepted values.
    pub fn check(&self, value: &str) -> Result<(), String> {
        match &self.kind {
            OptionType::Check { .. } if matches!(value, "true" | "false") => Ok(()),
            OptionType::Check { .. } => Err("true or false".to_owned()),
            OptionType::Spin { min, max, .. } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(()),
                _ => Err(format!("an integer from {min} to {max}")),
            },
            OptionType::Combo { choices, .. } => {
                if choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)) {
                    Ok(())
                } else {
                    Err(format!("one of {}", choices.join(", ")))
                }
            }
            OptionType::String { .. } if value.contains(char::is_control) => {
                Err("text without control characters".to_owned())
            }
            OptionType::Button | OptionType::String { .. } => Ok(()),
        }
    }
}

/// The `default`, `min`, `max` and `var` parts of an option line.
struct Values(Vec<(String, String)>);

impl Values {
    fn split(words: &[&str]) -> Values {
        let mut parts: Vec<(String, String)> = Vec::new();
        for &word in words {
            match parts.last_mut() {
                _ if matches!(word, "default" | "min" | "max" | "var") => {
                    parts.push((word.to_owned(), String::new()));
                }
                Some((_, value)) => {
                    if !value.is_empty() {
                        value.push(' ');
                    }
                    value.push_str(word);
                }
                None => {}
            }
        }
        Values(parts)
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(found, _)| found == key).map(|(_, value)| value.as_str())
    }

    fn all(&self, key: &str) -> Vec<String> {
        self.0.iter().filter(|(found, _)| found == key).map(|(_, value)| value.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> OptionType {
        EngineOption::parse(line).unwrap().kind
    }

    #[test]
    fn parses_every_option_type() {
        assert_eq!(
            EngineOption::parse("option name Move Overhead type spin default 10 min 0 max 5000"),
            Ok(EngineOption {
                name: "Move Overhead".to_owned(),
                kind: OptionType::Spin { default: 10, min: 0, max: 5000 }
            })
        );
        assert_eq!(kind("option name Ponder type check default true"), OptionType::Check { default: true });
        assert_eq!(
            kind("option name Style type combo default Fail High var Always var Fail High var Never"),
            OptionType::Combo {
                default: "Fail High".to_owned(),
                choices: ["Always", "Fail High", "Never"].map(str::to_owned).to_vec()
            }
        );
        assert_eq!(kind("option name Clear Hash type button"), OptionType::Button);
        assert_eq!(
            kind("option name Path type string default <empty>"),
            OptionType::String { default: String::new() }
        );
        assert_eq!(
            kind("option name Log type string default"),
            OptionType::String { default: String::new() }
        );
        assert_eq!(
            kind("option name P type string default /a/min max b default c var d"),
            OptionType::String { default: "/a/min max b default c var d".to_owned() }
        );
        assert_eq!(
            EngineOption::parse("option name Style type type combo default A var A").unwrap().name,
            "Style type"
        );
        assert_eq!(
            kind("option name X type spin"),
            OptionType::Spin { default: 0, min: i64::MIN, max: i64::MAX }
        );
    }

    #[test]
    fn errors_name_the_problem() {
        for (line, message) in [
            ("option", "\"option name\""),
            ("option name type spin", "the name is empty"),
            ("option name Hash", "\"type\" is missing"),
            ("option name Hash type", "nothing follows"),
            ("option name Hash type spin default x", "\"x\" is not an integer"),
            ("option name Hash type dial", "\"dial\" is not one of"),
        ] {
            let error = EngineOption::parse(line).unwrap_err();
            assert!(error.contains(message), "{line}: {error}");
        }
    }

    #[test]
    fn checks_values() {
        let spin = EngineOption::parse("option name Hash type spin default 16 min 1 max 64").unwrap();
        assert_eq!(spin.check("64"), Ok(()));
        assert_eq!(spin.check("65"), Err("an integer from 1 to 64".to_owned()));
        assert!(spin.check("many").is_err());
        let check = EngineOption::parse("option name Ponder type check").unwrap();
        assert_eq!(check.check("yes"), Err("true or false".to_owned()));
        let combo = EngineOption::parse("option name Style type combo default a var a var b").unwrap();
        assert_eq!(combo.check("B"), Ok(()));
        assert_eq!(combo.check("c"), Err("one of a, b".to_owned()));
        let string = EngineOption::parse("option name File type string").unwrap();
        assert_eq!(string.check("/a b/ä"), Ok(()));
        assert_eq!(string.check("a\nquit"), Err("text without control characters".to_owned()));
    }
}
