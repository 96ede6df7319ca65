/// An option as an engine offers it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EngineOption {
    /// Its name, which may hold spaces.
    pub(crate) name: String,
    /// What values it takes.
    pub(crate) kind: OptionType,
}

/// What values an option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum OptionType {
    /// `true` or `false`.
    Check {
        /// Its default.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// Its default.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// One of a list.
    Combo {
        /// Its default.
        default: String,
        /// The list.
        choices: Vec<String>,
    },
    /// No value: setting it does something.
    Button,
    /// Any text.
    Text {
        /// Its default.
        default: String,
    },
}

impl EngineOption {
    /// Reads `option name ... type ...`.
    ///
    /// A default that is missing counts as `false`, 0 or no text, and limits that are missing as none:
    /// engines leave them out.
    ///
    /// # Errors
    /// What is wrong with the line, as a half-sentence.
    pub(crate) fn parse(line: &str) -> Result<EngineOption, String> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let rest = match words.as_slice() {
            ["option", "name", rest @ ..] => rest,
            _ => return Err("it does not start with \"option name\"".to_owned()),
        };
        let at = rest.iter().position(|&word| word == "type").ok_or("the word \"type\" is missing")?;
        let (name, rest) = (rest[..at].join(" "), &rest[at + 1..]);
        if name.is_empty() {
            return Err("the name is empty".to_owned());
        }
        let Some((&kind, rest)) = rest.split_first() else {
            return Err("nothing follows the word \"type\"".to_owned());
        };
        let values = Values::split(rest);
        let number = |key: &str, missing: i64| match values.get(key) {
            None => Ok(missing),
            Some(text) => text.parse().map_err(|_| format!("{key} {text:?} is not a whole number")),
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
            "string" => OptionType::Text { default: values.get("default").unwrap_or_default().to_owned() },
            other => return Err(format!("{other:?} is not one of check, spin, combo, button, string")),
        };
        Ok(EngineOption { name, kind })
    }

    /// Does the option take this value?
    ///
    /// # Errors
    /// What it takes instead, as a half-sentence.
    pub(crate) fn check(&self, value: &str) -> Result<(), String> {
        match &self.kind {
            OptionType::Check { .. } if matches!(value, "true" | "false") => Ok(()),
            OptionType::Check { .. } => Err("true or false".to_owned()),
            OptionType::Spin { min, max, .. } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(()),
                _ => Err(format!("a whole number from {min} to {max}")),
            },
            OptionType::Combo { choices, .. } => {
                if choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)) {
                    Ok(())
                } else {
                    Err(format!("one of {}", choices.join(", ")))
                }
            }
            OptionType::Button | OptionType::Text { .. } => Ok(()),
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
    fn reads_every_type() {
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
            OptionType::Text { default: "<empty>".to_owned() }
        );
        assert_eq!(kind("option name Log type string default"), OptionType::Text { default: String::new() });
        assert_eq!(
            kind("option name X type spin"),
            OptionType::Spin { default: 0, min: i64::MIN, max: i64::MAX }
        );
    }

    #[test]
    fn says_what_is_wrong() {
        for (line, message) in [
            ("option", "\"option name\""),
            ("option name type spin", "the name is empty"),
            ("option name Hash", "\"type\" is missing"),
            ("option name Hash type", "nothing follows"),
            ("option name Hash type spin default x", "\"x\" is not a whole number"),
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
        assert_eq!(spin.check("65"), Err("a whole number from 1 to 64".to_owned()));
        assert!(spin.check("many").is_err());
        let check = EngineOption::parse("option name Ponder type check").unwrap();
        assert_eq!(check.check("yes"), Err("true or false".to_owned()));
        let combo = EngineOption::parse("option name Style type combo default a var a var b").unwrap();
        assert_eq!(combo.check("B"), Ok(()));
        assert_eq!(combo.check("c"), Err("one of a, b".to_owned()));
    }
}
