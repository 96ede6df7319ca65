use crate::{IllegalMove, Position};
use std::fmt;
use tabiya_core::{Color, Key, Move};

/// A game: a start position, the moves played from it, and those taken back.
///
/// ```
/// use tabiya_core::Color;
/// use tabiya_movegen::{Game, Outcome, WinReason};
///
/// let mut game = Game::new();
/// for san in ["f3", "e5", "g4", "Qh4#"] {
///     let mv = game.position().parse_san(san)?;
///     game.play(mv)?;
/// }
/// let mate = Outcome::Win { winner: Color::Black, reason: WinReason::Checkmate };
/// assert_eq!(game.outcome(), Some(mate));
/// game.undo();
/// assert_eq!(game.outcome(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    /// The moves and the positions after them; those past `ply` have been taken back.
    moves: Vec<Move>,
    positions: Vec<Position>,
    ply: usize,
    declared: Option<Outcome>,
}

impl Game {
    /// A game from the start position of chess.
    pub fn new() -> Game {
        Game::from_position(Position::startpos())
    }

    /// A game from any position.
    pub fn from_position(start: Position) -> Game {
        Game { start, moves: Vec::new(), positions: Vec::new(), ply: 0, declared: None }
    }

    /// The position the game started from.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        match self.ply.checked_sub(1) {
            Some(last) => &self.positions[last],
            None => &self.start,
        }
    }

    /// The moves from the start to the current position.
    pub fn moves(&self) -> &[Move] {
        &self.moves[..self.ply]
    }

    /// Every position from the start to the current one.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> + ExactSizeIterator {
        // One more than `ply` positions; the first is `start`.
        (0..self.ply + 1).map(|ply| match ply {
            0 => &self.start,
            _ => &self.positions[ply - 1],
        })
    }

    /// The keys of [`Game::positions`].
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = Key> + ExactSizeIterator {
        self.positions().map(|position| position.key())
    }

    /// Plays a move. Moves that were taken back before are forgotten, and so is a declared result.
    ///
    /// A game that is over can be played on: rules that end it are a matter of
    /// [`outcome`](Game::outcome).
    ///
    /// # Errors
    /// If the move is not legal in the current position; the game is unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let next = self.position().play(mv)?;
        self.moves.truncate(self.ply);
        self.positions.truncate(self.ply);
        self.moves.push(mv);
        self.positions.push(next);
        self.ply += 1;
        self.declared = None;
        Ok(())
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        self.ply = self.ply.checked_sub(1)?;
        self.declared = None;
        Some(self.moves[self.ply])
    }

    /// Plays a move again that was taken back, and returns it.
    pub fn redo(&mut self) -> Option<Move> {
        let mv = *self.moves.get(self.ply)?;
        self.ply += 1;
        self.declared = None;
        Some(mv)
    }

    /// How often the current position has occurred, this time included.
    pub fn repetitions(&self) -> usize {
        let current = self.position();
        // A position can come back only after an even number of reversible moves.
        let reversible = usize::from(current.halfmove_clock()).min(self.ply);
        1 + self
            .positions()
            .rev()
            .take(reversible + 1)
            .step_by(2)
            .skip(1)
            .filter(|position| position.key() == current.key())
            .count()
    }

    /// How the game has ended: by a result declared with [`end`](Game::end), or by a rule that ends
    /// it at once (checkmate, stalemate, dead position, fivefold repetition, 75 moves).
    pub fn outcome(&self) -> Option<Outcome> {
        if self.declared.is_some() {
            return self.declared;
        }
        let position = self.position();
        let draw = |reason| Some(Outcome::Draw { reason });
        if !position.has_legal_move() {
            return if position.in_check() {
                Some(Outcome::Win { winner: !position.side_to_move(), reason: WinReason::Checkmate })
            } else {
                draw(DrawReason::Stalemate)
            };
        }
        if position.is_dead() {
            return draw(DrawReason::DeadPosition);
        }
        if position.halfmove_clock() >= 150 {
            return draw(DrawReason::SeventyFiveMoves);
        }
        if self.repetitions() >= 5 {
            return draw(DrawReason::FivefoldRepetition);
        }
        None
    }

    /// The draw that the side to move may claim now: the position has occurred three times, or fifty
    /// moves have gone by without a capture or a pawn move.
    ///
    /// A player may also claim by announcing the move that would bring this about; for that, play
    /// it and ask again.
    pub fn claimable_draw(&self) -> Option<DrawReason> {
        let position = self.position();
        if position.is_checkmate() {
            return None;
        }
        if self.repetitions() >= 3 {
            return Some(DrawReason::Repetition);
        }
        (position.halfmove_clock() >= 100).then_some(DrawReason::FiftyMoves)
    }

    /// Declares a result: somebody resigned, a draw was agreed or claimed, time ran out.
    pub fn end(&mut self, outcome: Outcome) {
        self.declared = Some(outcome);
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new()
    }
}

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One side has won.
    Win {
        /// The side that has won.
        winner: Color,
        /// Why.
        reason: WinReason,
    },
    /// Nobody has won.
    Draw {
        /// Why.
        reason: DrawReason,
    },
}

/// Why a side has won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum WinReason {
    /// The other side is mated.
    Checkmate,
    /// The other side has resigned.
    Resignation,
    /// The other side's time is up.
    Time,
    /// The other side broke the rules or stopped playing.
    Forfeit,
    /// An arbiter says so.
    Adjudication,
}

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum DrawReason {
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Nobody can ever give mate.
    DeadPosition,
    /// The position has occurred three times, and a player has claimed the draw.
    Repetition,
    /// The position has occurred five times.
    FivefoldRepetition,
    /// Fifty moves without capture or pawn move, and a player has claimed the draw.
    FiftyMoves,
    /// Seventy-five moves without capture or pawn move.
    SeventyFiveMoves,
    /// The players have agreed on it.
    Agreement,
    /// An arbiter says so.
    Adjudication,
}

impl Outcome {
    /// The side that has won, if one has.
    pub fn winner(&self) -> Option<Color> {
        match *self {
            Outcome::Win { winner, .. } => Some(winner),
            Outcome::Draw { .. } => None,
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// The result with its reason: `1-0 (checkmate)`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win { reason, .. } => write!(f, "{} ({reason})", self.result()),
            Outcome::Draw { reason } => write!(f, "{} ({reason})", self.result()),
        }
    }
}

impl fmt::Display for WinReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            WinReason::Checkmate => "checkmate",
            WinReason::Resignation => "resignation",
            WinReason::Time => "time",
            WinReason::Forfeit => "forfeit",
            WinReason::Adjudication => "adjudication",
        })
    }
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            DrawReason::Stalemate => "stalemate",
            DrawReason::DeadPosition => "dead position",
            DrawReason::Repetition => "threefold repetition",
            DrawReason::FivefoldRepetition => "fivefold repetition",
            DrawReason::FiftyMoves => "fifty-move rule",
            DrawReason::SeventyFiveMoves => "seventy-five-move rule",
            DrawReason::Agreement => "agreement",
            DrawReason::Adjudication => "adjudication",
        })
    }
}
