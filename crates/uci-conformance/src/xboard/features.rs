//! The `feature` lines of an xboard engine.

/// The features with a meaning in section 9 of the protocol, with the kind of their values.
const KNOWN: &[(&str, Kind)] = &[
    ("ping", Kind::Flag),
    ("setboard", Kind::Flag),
    ("playother", Kind::Flag),
    ("san", Kind::Flag),
    ("usermove", Kind::Flag),
    ("time", Kind::Flag),
    ("draw", Kind::Flag),
    ("sigint", Kind::Flag),
    ("sigterm", Kind::Flag),
    ("reuse", Kind::Flag),
    ("analyze", Kind::Flag),
    ("myname", Kind::Text),
    ("variants", Kind::Text),
    ("colors", Kind::Flag),
    ("ics", Kind::Flag),
    ("name", Kind::Flag),
    ("pause", Kind::Flag),
    ("nps", Kind::Flag),
    ("debug", Kind::Flag),
    ("memory", Kind::Flag),
    ("smp", Kind::Flag),
    ("egt", Kind::Text),
    ("option", Kind::Option),
    ("exclude", Kind::Flag),
    ("setscore", Kind::Flag),
    ("highlight", Kind::Flag),
    ("done", Kind::Flag),
];

/// Features that are on unless an engine declares otherwise.
const ON_BY_DEFAULT: [&str; 7] = ["time", "draw", "sigint", "sigterm", "reuse", "analyze", "colors"];

/// The kind of a feature's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// 0 or 1.
    Flag,
    /// A string in quotes.
    Text,
    /// The definition of an option.
    Option,
}

/// The features that an engine has declared so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Features(Vec<(String, String)>);

impl Features {
    /// Reads a line and returns the answers to send. Malformed parts are ignored; `check_line` reports them.
    pub(crate) fn read(&mut self, line: &str) -> Vec<String> {
        let Some(text) = feature_text(line) else { return Vec::new() };
        let mut answers = Vec::new();
        for (name, value, _) in assignments(text).filter_map(Result::ok) {
            self.0.push((name.to_owned(), value.to_owned()));
            let is_known = KNOWN.iter().any(|&(known, _)| known == name);
            answers.push(format!("{} {name}", if is_known { "accepted" } else { "rejected" }));
        }
        answers
    }

    /// True if the engine has declared nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The last value declared for a feature.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// True if the feature is on, by declaration or by default.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.value(name).map_or(ON_BY_DEFAULT.contains(&name), |value| value == "1")
    }

    /// True if the value of the feature is a list that contains `item`.
    pub(crate) fn lists(&self, name: &str, item: &str) -> bool {
        self.value(name).is_some_and(|value| value.split(',').any(|found| found.trim() == item))
    }

    /// True if the engine has an option of this name.
    pub(crate) fn has_option(&self, name: &str) -> bool {
        let options = self.0.iter().filter(|(found, _)| found == "option");
        options.into_iter().any(|(_, value)| option_name(value).eq_ignore_ascii_case(name))
    }
}

/// Checks the syntax of a line; lines other than `feature` lines pass.
///
/// # Errors
/// A description of what is wrong.
pub(crate) fn check_line(line: &str) -> Result<(), String> {
    let Some(text) = feature_text(line) else { return Ok(()) };
    for assignment in assignments(text) {
        let (name, value, is_quoted) = assignment?;
        match KNOWN.iter().find(|&&(known, _)| known == name) {
            // The protocol lets engines declare features that a GUI does not know.
            None => {}
            Some((_, Kind::Flag)) if matches!(value, "0" | "1") => {}
            Some((_, Kind::Flag)) => return Err(format!("{name}={value} is neither 0 nor 1")),
            Some((_, Kind::Text)) if is_quoted => {}
            Some((_, Kind::Text)) => return Err(format!("the value of {name} is not in quotes")),
            Some((_, Kind::Option)) => check_option(value)?,
        }
    }
    Ok(())
}

fn check_option(value: &str) -> Result<(), String> {
    let (name, definition) = value.split_once(" -").ok_or_else(|| format!("option {value:?} has no type"))?;
    let words: Vec<&str> = definition.split_whitespace().collect();
    let number =
        |word: &str| word.parse::<i64>().map_err(|_| format!("option {name:?}: {word:?} is no number"));
    match words.as_slice() {
        ["button" | "save" | "reset"] | ["string" | "file" | "path", ..] => Ok(()),
        ["check", "0" | "1"] => Ok(()),
        ["combo", _, ..] => Ok(()),
        ["spin" | "slider", default, min, max] => {
            let (default, min, max) = (number(default)?, number(min)?, number(max)?);
            if (min..=max).contains(&default) {
                Ok(())
            } else {
                Err(format!("option {name:?}: {default} is not within {min} to {max}"))
            }
        }
        _ => Err(format!("option {name:?}: {definition:?} is not a type with its values")),
    }
}

fn option_name(definition: &str) -> &str {
    definition.split(" -").next().unwrap_or_default().trim()
}

fn feature_text(line: &str) -> Option<&str> {
    let (word, text) = line.trim().split_once(char::is_whitespace)?;
    (word == "feature").then(|| text.trim_start())
}

/// Splits `name=value name="value with spaces"` into names, values, and whether they are in quotes.
fn assignments(text: &str) -> impl Iterator<Item = Result<(&str, &str, bool), String>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let name = &rest[..end];
        let Some(value) = rest[end..].strip_prefix('=') else {
            rest = &rest[end..];
            return Some(Err(format!("{name:?} has no value")));
        };
        let Some(quoted) = value.strip_prefix('"') else {
            let end = value.find(char::is_whitespace).unwrap_or(value.len());
            rest = &value[end..];
            return Some(Ok((name, &value[..end], false)));
        };
        let Some((quoted, after)) = quoted.split_once('"') else {
            rest = "";
            return Some(Err(format!("the quote of {name} is not closed")));
        };
        rest = after;
        Some(Ok((name, quoted, true)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_and_answered() {
        let mut features = Features::default();
        let answers = features.read("feature ping=1 myname=\"Fruit 2.1 a=b\" newer=1 time=0");
        assert_eq!(answers, ["accepted ping", "accepted myname", "rejected newer", "accepted time"]);
        features.read("feature variants=\"normal, fischerandom\" option=\"Own Book -check 1\" done=1");
        assert_eq!(features.value("myname"), Some("Fruit 2.1 a=b"));
        assert!(features.is_on("ping") && features.is_on("reuse") && features.is_on("done"));
        assert!(!features.is_on("time") && !features.is_on("setboard"));
        assert!(features.lists("variants", "fischerandom") && !features.lists("variants", "random"));
        assert!(features.has_option("own book") && !features.has_option("Own"));
    }

    #[test]
    fn last_value_counts() {
        let mut features = Features::default();
        assert!(features.is_empty());
        features.read("feature done=0");
        assert!(!features.is_on("done"));
        features.read("feature done=1");
        assert!(features.is_on("done"));
    }

    #[test]
    fn checks_the_syntax() {
        for line in [
            "feature ping=1 setboard=0",
            "  feature myname=\"X = 1\" variants=\"normal\"",
            "feature option=\"Hash MB -spin 16 1 64\" option=\"Style -combo a /// *b\" option=\"Clear -button\"",
            "feature option=\"Log -file \" option=\"Book -check 1\" unknown=7",
            "move e2e4",
            "features ping",
        ] {
            assert_eq!(check_line(line), Ok(()), "{line}");
        }
        for (line, message) in [
            ("feature ping", "\"ping\" has no value"),
            ("feature ping=yes", "ping=yes"),
            ("feature myname=X", "not in quotes"),
            ("feature myname=\"X", "not closed"),
            ("feature option=\"Hash\"", "has no type"),
            ("feature option=\"Hash -spin 0 1 64\"", "0 is not within 1 to 64"),
            ("feature option=\"Hash -spin x 1 64\"", "\"x\" is no number"),
            ("feature option=\"Book -check true\"", "\"check true\""),
        ] {
            let error = check_line(line).unwrap_err();
            assert!(error.contains(message), "{line}: {error}");
        }
    }
}
