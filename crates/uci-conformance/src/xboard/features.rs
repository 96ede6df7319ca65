//! The syntax of an xboard engine's `feature` lines.

use tabiya_uci_engine::xboard::{Assignment, assignments};

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

/// True if the protocol gives the feature a meaning.
pub(crate) fn is_known(name: &str) -> bool {
    KNOWN.iter().any(|&(known, _)| known == name)
}

/// Checks the syntax of a line; lines other than `feature` lines pass.
///
/// # Errors
/// A description of what is wrong.
pub(crate) fn check_line(line: &str) -> Result<(), String> {
    for assignment in assignments(line) {
        let Assignment { name, value, is_quoted } = assignment.map_err(|error| error.to_string())?;
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

#[cfg(test)]
mod tests {
    use super::*;

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
