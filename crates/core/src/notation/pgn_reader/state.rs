use super::Place;
use super::source::Window;

/// Why a scan stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// The window ends, perhaps inside a token.
    More,
    /// The visitor is to be changed for the silent one, or the other way round.
    Switch,
    /// The game is over.
    End,
}

/// Which part of a game is being read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    Tags,
    Moves,
    /// Between the result and the end of its line.
    AfterResult,
}

/// Whether, and how far, the visitor has asked to leave things out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Silence {
    Off,
    /// Until the depth of variations is this again.
    Variation(u32),
    Game,
}

/// Inside what the last window ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inside {
    Nothing,
    BraceComment,
    LineComment,
    /// A line, or a word, that is left out.
    Line,
    Word,
}

/// All that is remembered of a game from one window to the next: a fixed amount.
#[derive(Debug)]
pub(super) struct State {
    pub(super) stage: Stage,
    pub(super) silence: Silence,
    /// The number of variations that are open.
    pub(super) depth: u32,
    /// Where the outermost of them began.
    pub(super) opened: u64,
    pub(super) opened_place: Option<Place>,
    /// Has the current line a move that a variation could replace?
    pub(super) move_seen: bool,
    pub(super) inside: Inside,
    pub(super) comment_place: Option<Place>,
    /// How many bytes of a comment are known to have no end in them.
    pub(super) searched: usize,
    /// Line ends since the last tag.
    pub(super) line_ends: u32,
    /// The tags of the roster that have been read, a bit for each.
    pub(super) roster_seen: u8,
    /// A hash of the name of the first tag.
    pub(super) first_tag: Option<u64>,
}

impl State {
    pub(super) fn new() -> State {
        State {
            stage: Stage::Tags,
            silence: Silence::Off,
            depth: 0,
            opened: 0,
            opened_place: None,
            move_seen: false,
            inside: Inside::Nothing,
            comment_place: None,
            searched: 0,
            line_ends: 0,
            roster_seen: 0,
            first_tag: None,
        }
    }

    /// Works out the places that are in the window and may be wanted when it is gone.
    pub(super) fn before_refill(&mut self, window: &Window<'_>) {
        if self.depth > 0 && self.opened_place.is_none() {
            self.opened_place = window.index(self.opened).map(|at| window.place(at));
        }
    }

    /// Where the outermost open variation began.
    pub(super) fn opened_place(&self, window: &Window<'_>) -> Option<Place> {
        if self.depth == 0 {
            return None;
        }
        self.opened_place.or_else(|| window.index(self.opened).map(|at| window.place(at)))
    }
}
