//! PGN tags: the Seven Tag Roster, the syntax of tag names, and the tags of a game.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The tags that every PGN game must have, in the order of the standard, with the values that stand for
/// "unknown".
pub const SEVEN_TAG_ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The reason why a tag of a game cannot be set.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TagError {
    /// The name cannot be written: it is empty or contains white space, an ellipsis, a quote, a bracket, or a control or other
    /// invisible character.
    InvalidName(String),
    /// The tag of this name follows from something else, such as the start position of a game.
    Fixed(String),
    /// The value of the tag `Variant` is neither chess nor Chess960, the rules by which a game is checked.
    Variant(String),
}

impl fmt::Display for TagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TagError::InvalidName(name) => {
                let expected =
                    "a name without white space, ellipses, quotes, brackets or invisible characters";
                write!(f, "invalid tag name {name:?}: expected {expected}")
            }
            TagError::Fixed(name) => write!(f, "the tag {name} follows from the game and cannot be set"),
            TagError::Variant(name) => write!(f, "invalid variant {name:?}: expected chess or Chess960"),
        }
    }
}

impl core::error::Error for TagError {}

/// Returns an error unless this can be parsed again as a tag name.
pub(super) fn check_tag_name(name: &str) -> Result<(), TagError> {
    if is_tag_name(name) { Ok(()) } else { Err(TagError::InvalidName(name.to_owned())) }
}

/// Returns true if this can be parsed again as a tag name.
pub(super) fn is_tag_name(name: &str) -> bool {
    // The reader takes these for blanks, although they are not white space.
    let is_blank = |c| {
        let marks = '\u{200b}'..='\u{200f}';
        let (embeddings, isolates) = ('\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}');
        marks.contains(&c)
            || embeddings.contains(&c)
            || isolates.contains(&c)
            || matches!(c, '\u{2060}' | '\u{feff}' | '…')
    };
    let forbidden =
        |c: char| c.is_whitespace() || c.is_control() || is_blank(c) || matches!(c, '"' | '[' | ']');
    !name.is_empty() && !name.contains(forbidden)
}

/// The number of tags from which they are indexed by name. Few games have more, and searching fewer is faster than
/// keeping an index.
const INDEX_FROM: usize = 32;

/// The tags of a game, in the order in which they were added, each name once.
///
/// Setting a tag takes logarithmic time, so that a text with very many tags is read in nearly linear time.
#[derive(Clone, Default, Debug)]
pub(super) struct Tags {
    entries: Vec<(String, String)>,
    /// The position of each name in `entries`; `None` if there are few or the index is outdated. Boxed, because few games need it.
    index: Option<Box<Index>>,
}

/// The position of each name.
#[derive(Clone, Debug)]
struct Index(BTreeMap<String, usize>);

impl Tags {
    pub(super) const fn new() -> Tags {
        Tags { entries: Vec::new(), index: None }
    }

    pub(super) fn entries(&self) -> &[(String, String)] {
        &self.entries
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.find(name).map(|at| self.entries[at].1.as_str())
    }

    /// Adds a tag or replaces its value.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        if self.index.is_none() && self.entries.len() >= INDEX_FROM {
            let mut index = BTreeMap::new();
            for (at, (name, _)) in self.entries.iter().enumerate() {
                index.insert(name.clone(), at);
            }
            self.index = Some(Box::new(Index(index)));
        }
        match self.find(name) {
            Some(at) => value.clone_into(&mut self.entries[at].1),
            None => {
                if let Some(index) = &mut self.index {
                    index.0.insert(name.to_owned(), self.entries.len());
                }
                self.entries.push((name.to_owned(), value.to_owned()));
            }
        }
    }

    pub(super) fn remove(&mut self, name: &str) -> Option<String> {
        let at = self.find(name)?;
        self.index = None;
        Some(self.entries.remove(at).1)
    }

    fn find(&self, name: &str) -> Option<usize> {
        match &self.index {
            Some(index) => index.0.get(name).copied(),
            None => self.entries.iter().position(|(existing, _)| existing == name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn tags_keep_their_order_and_are_found_with_and_without_index() {
        let mut tags = Tags::new();
        for round in 0..2 {
            for number in 0..3 * INDEX_FROM {
                tags.set(&format!("T{number}"), &format!("{round}"));
            }
        }
        assert_eq!(tags.entries().len(), 3 * INDEX_FROM);
        assert_eq!(tags.remove("T40").as_deref(), Some("1"));
        assert_eq!((tags.get("T40"), tags.get("T41")), (None, Some("1")));
        assert_eq!(tags.remove("T40"), None);
        tags.set("T40", "last");
        tags.set("T41", "changed");
        assert_eq!(tags.entries().last().map(|(name, _)| name.as_str()), Some("T40"));
        assert_eq!((tags.get("T41"), &*tags.entries()[40].0), (Some("changed"), "T41"));
        while let Some((name, _)) = tags.entries().first().cloned() {
            assert!(tags.remove(&name).is_some());
        }
        tags.set("A", "b");
        assert_eq!(tags.get("A"), Some("b"));
    }
}
