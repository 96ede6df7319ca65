//! The state of the PGN reader that persists between windows.

use super::Location;
use super::source::Window;

/// The reason why a scan stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// The window ends, possibly inside a token.
    More,
    /// Skipping has started or ended, so the visitor must be switched.
    Switch,
    /// The game has ended.
    End,
}

/// The part of a game that is being read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    Tags,
    Moves,
    /// Between the result and the end of its line.
    AfterResult,
}

/// The part of the text that is hidden from the visitor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Skipping {
    Nothing,
    /// Until the variation depth is back at this value.
    Variation(u32),
    /// The rest of the game.
    Game,
}

/// The token inside which the last window ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inside {
    Nothing,
    BraceComment,
    LineComment,
    /// A line that is skipped.
    Line,
    /// A word that is skipped.
    Word,
}

/// The state of a game that persists from one window to the next; its size is fixed.
#[derive(Debug)]
pub(super) struct State {
    pub(super) stage: Stage,
    pub(super) skipping: Skipping,
    /// The number of open variations.
    pub(super) depth: u32,
    /// The offset in the text at which the outermost open variation begins.
    pub(super) variation_offset: u64,
    /// Its location, once it has left the window.
    pub(super) variation_location: Option<Location>,
    /// True if the current line has a move that a variation could replace.
    pub(super) move_seen: bool,
    /// `move_seen` of the line that the skipped variation interrupts.
    pub(super) move_seen_before_skip: bool,
    pub(super) inside: Inside,
    /// The location of the comment that is being read in parts.
    pub(super) comment_location: Option<Location>,
    /// The number of bytes of a comment that have already been searched for its end.
    pub(super) searched: usize,
    /// The number of inner opening braces in these bytes.
    pub(super) inner_braces: u32,
    /// The offset from the start of the comment of the first line in these bytes that looks like a tag.
    pub(super) tag_line: Option<usize>,
    /// The number of tags.
    pub(super) tags: u32,
    /// The number of line ends since the last tag.
    pub(super) line_ends: u32,
    /// The tags of the Seven Tag Roster that have been read, one bit each.
    pub(super) roster_seen: u8,
    /// The hash of the first tag's name.
    pub(super) first_tag: Option<u64>,
}

impl State {
    pub(super) fn new() -> State {
        State {
            stage: Stage::Tags,
            skipping: Skipping::Nothing,
            depth: 0,
            variation_offset: 0,
            variation_location: None,
            move_seen: false,
            move_seen_before_skip: false,
            inside: Inside::Nothing,
            comment_location: None,
            searched: 0,
            inner_braces: 0,
            tag_line: None,
            tags: 0,
            line_ends: 0,
            roster_seen: 0,
            first_tag: None,
        }
    }

    /// Computes the locations inside the window that may be needed after it has moved.
    pub(super) fn before_refill(&mut self, window: &Window<'_>) {
        self.variation_location = self.variation_location(window);
    }

    /// The location of the outermost open variation.
    pub(super) fn variation_location(&self, window: &Window<'_>) -> Option<Location> {
        if self.depth == 0 {
            return None;
        }
        self.variation_location.or_else(|| window.index(self.variation_offset).map(|at| window.location(at)))
    }
}
