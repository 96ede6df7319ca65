//! Games: a start position, the moves, draw rules and results.

#[cfg(feature = "pgn")]
mod pgn;
#[cfg(feature = "std")]
mod read;
#[cfg(any(feature = "pgn", feature = "text"))]
mod recorded_result;

#[cfg(feature = "pgn")]
pub(crate) use pgn::{set_start_tags, set_valid_tag, start_from_tags, termination};
#[cfg(feature = "std")]
pub use read::{BrokenGame, GameBuilder};

use crate::outcome::{DrawReason, Outcome, WinReason};
use crate::position::{IllegalMove, Position};
use crate::resolve::{ResolveSanError, ResolveUciError};
use alloc::vec::Vec;
use tabiya_core::notation::San;
use tabiya_core::{Color, FenError, Key, Move};

/// A game: a start position, the moves played from it, and the undone moves that can be redone.
///
/// ```
/// use tabiya_core::Color;
/// use tabiya_movegen::{Game, Outcome, WinReason};
///
/// let mut game = Game::new();
/// for san in ["f3", "e5", "g4", "Qh4#"] {
///     game.play_san(san)?;
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
    /// The moves, of which those from index `ply` on have been undone.
    moves: Vec<Move>,
    /// The position after each move.
    positions: Vec<Position>,
    /// Number of moves from the start to the current position.
    ply: usize,
    /// The outcome declared in the current position.
    declared: Option<Outcome>,
}

impl Game {
    /// Creates a game from the start position of chess.
    pub fn new() -> Game {
        Game::from_position(Position::startpos())
    }

    /// Creates a game from the position of a FEN, read as [`Board::from_fen`](tabiya_core::Board::from_fen) does.
    ///
    /// ```
    /// use tabiya_movegen::Game;
    ///
    /// let mut game = Game::from_fen("4k3/8/4K3/8/8/8/8/R7 w - - 0 1")?;
    /// game.play_san("Ra8")?;
    /// assert_eq!(game.outcome().unwrap().to_string(), "1-0 (checkmate)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not a valid FEN, or the position is not legal.
    pub fn from_fen(fen: &str) -> Result<Game, FenError> {
        Ok(Game::from_position(Position::from_fen(fen)?))
    }

    /// Creates a game from any position.
    pub fn from_position(start: Position) -> Game {
        Game { start, moves: Vec::new(), positions: Vec::new(), ply: 0, declared: None }
    }

    /// Returns the position the game started from.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the current position.
    pub fn position(&self) -> &Position {
        match self.ply.checked_sub(1) {
            Some(last) => &self.positions[last],
            None => &self.start,
        }
    }

    /// Returns the moves from the start to the current position.
    pub fn moves(&self) -> &[Move] {
        &self.moves[..self.ply]
    }

    /// Returns the moves from the start to the current position in standard algebraic notation (SAN).
    ///
    /// ```
    /// let mut game = tabiya_movegen::Game::new();
    /// for mv in ["e2e4", "e7e5", "g1f3"] {
    ///     game.play_uci(mv)?;
    /// }
    /// let text: Vec<String> = game.san_moves().map(|san| san.to_string()).collect();
    /// assert_eq!(text, ["e4", "e5", "Nf3"]);
    /// # Ok::<(), tabiya_movegen::ResolveUciError>(())
    /// ```
    pub fn san_moves(&self) -> impl DoubleEndedIterator<Item = San> + ExactSizeIterator {
        self.positions().zip(self.moves()).map(|(position, &mv)| position.san(mv))
    }

    /// Returns every position from the start to the current one.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> + ExactSizeIterator {
        // There are `ply + 1` positions; the first is `start`. (A range of that length, unlike
        // `chain`, has an exact size.)
        (0..self.ply + 1).map(|ply| match ply {
            0 => &self.start,
            _ => &self.positions[ply - 1],
        })
    }

    /// Returns the keys of [`Game::positions`].
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = Key> + ExactSizeIterator {
        self.positions().map(|position| position.key())
    }

    /// Plays a move. Discards undone moves and a declared outcome.
    ///
    /// Moves can be played even after the game is over: the rules that end it only determine
    /// [`outcome`](Game::outcome).
    ///
    /// # Errors
    /// If the move is not legal in the current position. The game is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let next = self.position().play(mv)?;
        self.push(mv, next);
        Ok(())
    }

    /// Plays a move given in standard algebraic notation and returns it.
    ///
    /// # Errors
    /// If the text is not a SAN move, or not exactly one legal move matches. The game is then unchanged.
    pub fn play_san(&mut self, text: &str) -> Result<Move, ResolveSanError> {
        let mv = self.position().parse_san(text)?;
        self.play_legal(mv);
        Ok(mv)
    }

    /// Plays a move given in UCI notation and returns it.
    ///
    /// # Errors
    /// If the text is not a UCI move, or the move is not legal. The game is then unchanged.
    pub fn play_uci(&mut self, text: &str) -> Result<Move, ResolveUciError> {
        let mv = self.position().parse_uci(text)?;
        self.play_legal(mv);
        Ok(mv)
    }

    /// Plays a move that is known to be legal.
    pub(crate) fn play_legal(&mut self, mv: Move) {
        let mut next = self.position().clone();
        next.play_unchecked(mv);
        self.push(mv, next);
    }

    /// Appends a legal move and the position after it.
    pub(crate) fn push(&mut self, mv: Move, next: Position) {
        self.moves.truncate(self.ply);
        self.positions.truncate(self.ply);
        self.moves.push(mv);
        self.positions.push(next);
        self.ply += 1;
        self.declared = None;
    }

    /// Undoes the last move and returns it; `None` at the start. Discards a declared outcome.
    pub fn undo(&mut self) -> Option<Move> {
        self.ply = self.ply.checked_sub(1)?;
        self.declared = None;
        Some(self.moves[self.ply])
    }

    /// Redoes an undone move and returns it; `None` if there is none. Discards a declared outcome.
    pub fn redo(&mut self) -> Option<Move> {
        let mv = *self.moves.get(self.ply)?;
        self.ply += 1;
        self.declared = None;
        Some(mv)
    }

    /// Returns how often the current position has occurred, including now.
    pub fn repetitions(&self) -> usize {
        self.repetitions_of(self.position(), self.ply)
    }

    /// Returns how often `position` has occurred if it follows the first `ply` moves of this game.
    fn repetitions_of(&self, position: &Position, ply: usize) -> usize {
        // A position can recur only after an even number of reversible moves.
        let reversible = usize::from(position.halfmove_clock()).min(ply);
        let earlier = self.positions().take(ply).rev().take(reversible).skip(1).step_by(2);
        1 + earlier.filter(|earlier| earlier.key() == position.key()).count()
    }

    /// Returns the outcome of the game: the [declared outcome](Game::declared_outcome) if there is one,
    /// otherwise the [outcome by rule](Game::outcome_by_rule). `None` if the game is still in progress.
    pub fn outcome(&self) -> Option<Outcome> {
        self.declared.or_else(|| self.outcome_by_rule())
    }

    /// Returns the outcome that was declared with [`end`](Game::end), [`resign`](Game::resign) or a
    /// similar method in the current position; `None` if none was.
    ///
    /// ```
    /// use tabiya_core::Color;
    /// use tabiya_movegen::Game;
    ///
    /// let mut game = Game::new();
    /// assert_eq!(game.declared_outcome(), None);
    /// let resigned = game.resign(Color::White);
    /// assert_eq!((game.declared_outcome(), game.outcome_by_rule()), (Some(resigned), None));
    /// ```
    pub fn declared_outcome(&self) -> Option<Outcome> {
        self.declared
    }

    /// Returns the outcome that follows from the current position and its history, regardless of any declared outcome:
    /// checkmate, stalemate, dead position, fivefold repetition or the seventy-five-move rule.
    pub fn outcome_by_rule(&self) -> Option<Outcome> {
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

    /// Returns the draw that the side to move may claim now: the position has occurred three times, or
    /// fifty moves have been played without a capture or a pawn move.
    pub fn claimable_draw(&self) -> Option<DrawReason> {
        self.claimable_in(self.position(), self.ply)
    }

    /// Returns the draw that the side to move may claim by announcing this move, which must be legal.
    ///
    /// ```
    /// use tabiya_movegen::{DrawReason, Game};
    ///
    /// let mut game = Game::new();
    /// for san in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"] {
    ///     game.play_san(san)?;
    /// }
    /// assert_eq!(game.claimable_draw(), None);
    /// let back = game.position().parse_san("Ng8")?;
    /// assert_eq!(game.claimable_draw_with(back), Some(DrawReason::Repetition));
    /// # Ok::<(), tabiya_movegen::ResolveSanError>(())
    /// ```
    pub fn claimable_draw_with(&self, mv: Move) -> Option<DrawReason> {
        let mut next = self.position().clone();
        next.play_unchecked(mv);
        self.claimable_in(&next, self.ply + 1)
    }

    /// Returns the draw that can be claimed if `position` follows the first `ply` moves of this game.
    fn claimable_in(&self, position: &Position, ply: usize) -> Option<DrawReason> {
        if position.is_checkmate() {
            return None;
        }
        if self.repetitions_of(position, ply) >= 3 {
            return Some(DrawReason::Repetition);
        }
        (position.halfmove_clock() >= 100).then_some(DrawReason::FiftyMoves)
    }

    /// Declares the outcome, overriding the rules: for an adjudication. The next move,
    /// [`undo`](Game::undo) or [`redo`](Game::redo) discards it.
    ///
    /// [`resign`](Game::resign), [`agree_draw`](Game::agree_draw), [`claim_draw`](Game::claim_draw) and
    /// [`flag_fall`](Game::flag_fall) determine the outcome themselves.
    pub fn end(&mut self, outcome: Outcome) {
        self.declared = Some(outcome);
    }

    /// Takes back a declared outcome and returns it. Moves that were undone before can still be redone.
    ///
    /// ```
    /// use tabiya_core::Color;
    /// use tabiya_movegen::Game;
    ///
    /// let mut game = Game::new();
    /// let resigned = game.resign(Color::White);
    /// assert_eq!(game.take_back_outcome(), Some(resigned));
    /// assert_eq!(game.outcome(), None);
    /// ```
    pub fn take_back_outcome(&mut self) -> Option<Outcome> {
        self.declared.take()
    }

    /// Resigns for a side. Returns the outcome of the game, which is the earlier one if it was already over.
    pub fn resign(&mut self, color: Color) -> Outcome {
        self.end_with(Outcome::Win { winner: !color, reason: WinReason::Resignation })
    }

    /// Agrees on a draw. Returns the outcome of the game, which is the earlier one if it was already over.
    pub fn agree_draw(&mut self) -> Outcome {
        self.end_with(Outcome::Draw { reason: DrawReason::Agreement })
    }

    /// Claims a draw for the side to move. Returns the outcome of the game; `None` if it continues because no
    /// draw can be [claimed](Game::claimable_draw).
    pub fn claim_draw(&mut self) -> Option<Outcome> {
        if let Some(reason) = self.claimable_draw() {
            self.end_with(Outcome::Draw { reason });
        }
        self.outcome()
    }

    /// Ends the game because a side's time is up: it loses, or the game is drawn if the other side has no
    /// [mating material](Position::can_mate). Returns the outcome of the game, which is the earlier one if it
    /// was already over.
    ///
    /// ```
    /// use tabiya_core::Color;
    /// use tabiya_movegen::{Game, Position};
    ///
    /// let mut game = Game::from_position("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1".parse()?);
    /// assert_eq!(game.clone().flag_fall(Color::Black).to_string(), "1-0 (time)");
    /// assert_eq!(game.flag_fall(Color::White).result(), "1/2-1/2");
    /// # Ok::<(), tabiya_core::FenError>(())
    /// ```
    pub fn flag_fall(&mut self, color: Color) -> Outcome {
        self.end_with(match self.position().can_mate(!color) {
            true => Outcome::Win { winner: !color, reason: WinReason::Time },
            false => Outcome::Draw { reason: DrawReason::Time },
        })
    }

    /// Declares the outcome unless the game is already over. Returns the outcome of the game.
    fn end_with(&mut self, outcome: Outcome) -> Outcome {
        match self.outcome() {
            Some(earlier) => earlier,
            None => *self.declared.insert(outcome),
        }
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new()
    }
}

/// Two games are equal if they have the same start, moves and outcome. Undone moves are ignored.
impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.start == other.start && self.moves() == other.moves() && self.outcome() == other.outcome()
    }
}

impl Eq for Game {}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: &str, moves: &[&str]) -> Game {
        let mut game = Game::from_position(fen.parse().unwrap());
        for san in moves {
            game.play_san(san).unwrap();
        }
        game
    }

    #[test]
    fn first_outcome_stands() {
        let mut open = Game::new();
        assert_eq!(open.claim_draw(), None);
        let resigned = open.resign(Color::White);
        assert_eq!(resigned.to_string(), "0-1 (resignation)");
        assert_eq!(open.agree_draw(), resigned);
        assert_eq!(open.outcome(), Some(resigned));
        open.play_san("e4").unwrap();
        assert_eq!(open.agree_draw().to_string(), "1/2-1/2 (agreement)");

        let mut mated = game("4k3/8/4K3/8/8/8/8/R7 w - - 0 1", &["Ra8#"]);
        assert_eq!(mated.resign(Color::White).to_string(), "1-0 (checkmate)");
        assert_eq!(mated.flag_fall(Color::White).winner(), Some(Color::White));
        assert_eq!(mated.declared_outcome(), None, "checkmate needs no declaration");
    }

    #[test]
    fn claims_fifty_move_draw() {
        let mut fifty = game("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", &[]);
        let mv = fifty.position().parse_san("Ra2").unwrap();
        assert_eq!(fifty.claimable_draw_with(mv), Some(DrawReason::FiftyMoves));
        assert_eq!(fifty.claimable_draw(), None);
        fifty.play(mv).unwrap();
        assert_eq!(fifty.claim_draw().unwrap().to_string(), "1/2-1/2 (fifty-move rule)");

        let mating = game("4k3/8/4K3/8/8/8/8/R7 w - - 99 80", &[]);
        let mv = mating.position().parse_san("Ra8").unwrap();
        assert_eq!(mating.claimable_draw_with(mv), None);
    }

    #[test]
    fn equality_ignores_undone_moves() {
        let mut one = game("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &["Ra2", "Kd8"]);
        let other = game("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &["Ra2"]);
        assert_ne!(one, other);
        one.undo();
        assert_eq!(one, other);
        one.agree_draw();
        assert_ne!(one, other);
    }
}
