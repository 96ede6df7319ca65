//! PGN tags: the Seven Tag Roster and the syntax of tag names.

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

/// Returns true if this can be parsed again as a tag name.
#[cfg(feature = "std")]
pub(super) fn is_tag_name(name: &str) -> bool {
    let forbidden = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '[' | ']');
    !name.is_empty() && !name.contains(forbidden)
}
