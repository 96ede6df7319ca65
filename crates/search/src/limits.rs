use std::time::Duration;
use tabiya_core::Move;

/// When a search ends, and what it may look at.
///
/// Every limit that is given holds, and the first one reached ends the search. With none at all the
/// search goes on until it is stopped or has nothing left to look at.
///
/// ```
/// use std::time::Duration;
/// use tabiya_search::Limits;
///
/// let limits = Limits { movetime: Some(Duration::from_millis(100)), ..Limits::default() };
/// assert_eq!(Limits::movetime(Duration::from_millis(100)), limits);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The last iteration to search, in plies; 0 is read as 1, and more than 249 as 249.
    pub depth: Option<u32>,
    /// How many nodes (moves made on the board) to search: exactly so many with one thread, if nothing else
    /// ends the search before. Several threads notice only now and then that it is enough, and search some
    /// hundreds of nodes more each. 0 is read as 1.
    pub nodes: Option<u64>,
    /// How long to think. The answer comes at this time or shortly before, never on purpose after it.
    pub movetime: Option<Duration>,
    /// End as soon as a mate in so many moves, or fewer, has been found for the side to move, or when it
    /// is certain that there is none.
    pub mate: Option<u32>,
    /// The game clock, from which the search allots itself a time for this move.
    pub clock: Option<Clock>,
    /// Hold the best move back until the search is told to stop.
    pub infinite: bool,
    /// The position is one expected after the opponent's answer. Neither the clock nor `movetime`
    /// counts, and the best move is held back, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Look at these moves only, at the root. Illegal ones are passed over; where no legal one is left,
    /// all are searched.
    pub search_moves: Vec<Move>,
    /// How many lines to look for, each with another first move; 0 is read as 1.
    pub multipv: usize,
}

impl Limits {
    /// Nothing but a depth.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Nothing but a number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Nothing but a time.
    pub fn movetime(movetime: Duration) -> Limits {
        Limits { movetime: Some(movetime), ..Limits::default() }
    }

    /// Until stopped.
    pub fn infinite() -> Limits {
        Limits { infinite: true, ..Limits::default() }
    }
}

/// The clock of the side to move, in milliseconds.
///
/// The numbers are signed and may be anything, because a clock that has run out is sent as a negative
/// one: a move comes at once then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub remaining: i64,
    /// Time added after each move.
    pub increment: i64,
    /// Moves until the clock is wound again, or `None` if it has to last for the whole game.
    pub moves_to_go: Option<u32>,
}
