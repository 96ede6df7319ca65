//! Conditions on an engine for running a check.

/// Something that the engine must have, or must not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Need {
    pub(crate) requirement: Requirement,
    pub(crate) negated: bool,
}

/// Something that an engine declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Requirement {
    Option(String),
    /// A feature of an xboard engine that is on, or a list that contains `item`.
    Feature {
        name: String,
        item: Option<String>,
    },
}

impl Need {
    /// Parses `[no] option NAME` or `[no] feature NAME [ITEM]`.
    pub(crate) fn parse(text: &str) -> Result<Need, String> {
        let (negated, text) = text.strip_prefix("no ").map_or((false, text), |text| (true, text));
        let words: Vec<_> = text.split_whitespace().collect();
        let requirement = match words.as_slice() {
            ["option", name @ ..] if !name.is_empty() => Requirement::Option(name.join(" ")),
            ["feature", name] => Requirement::Feature { name: (*name).to_owned(), item: None },
            ["feature", name, item] => {
                Requirement::Feature { name: (*name).to_owned(), item: Some((*item).to_owned()) }
            }
            _ => return Err("expected `needs option NAME` or `needs feature NAME [ITEM]`".to_owned()),
        };
        Ok(Need { requirement, negated })
    }

    /// The reason for skipping a check.
    pub(crate) fn reason(&self) -> String {
        let verb = if self.negated { "has" } else { "has no" };
        match &self.requirement {
            Requirement::Option(name) => format!("{verb} option {name}"),
            Requirement::Feature { name, item: None } => format!("{verb} feature {name}"),
            Requirement::Feature { name, item: Some(item) } => format!("{verb} {item} in feature {name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_needs() {
        for (text, reason) in [
            ("option Multi PV", "has no option Multi PV"),
            ("feature ping", "has no feature ping"),
            ("feature variants fischerandom", "has no fischerandom in feature variants"),
            ("no feature setboard", "has feature setboard"),
        ] {
            assert_eq!(Need::parse(text).unwrap().reason(), reason);
        }
        for text in ["", "option", "feature", "MultiPV", "no", "feature a b c"] {
            assert!(Need::parse(text).is_err(), "{text}");
        }
    }
}
