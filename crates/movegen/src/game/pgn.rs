//! Conversion between games and PGN.

use crate::game::Game;
use crate::outcome::{DrawReason, Outcome, WinReason};
use crate::position::Position;
use crate::replay_error::{ReplayError, ReplayErrorKind};
use crate::variant::check_variant;
use alloc::borrow::ToOwned;
use alloc::string::ToString;
use tabiya_core::notation::{NodeId, PgnGame};

/// Writes the game as PGN, as [`Game::to_pgn`] converts it.
///
/// ```
/// let game: tabiya_movegen::Game = "1. e4 e5 2. Nf3 1-0".parse()?;
/// assert_eq!(game.to_string().parse(), Ok(game));
/// # Ok::<(), tabiya_movegen::BrokenGame>(())
/// ```
#[cfg(feature = "std")]
impl core::fmt::Display for Game {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(&self.to_pgn(), f)
    }
}

impl Game {
    /// Converts the game up to the current position to a [`PgnGame`] with its result. Tags can be added to it,
    /// and it can be written as text.
    ///
    /// ```
    /// use tabiya_core::Color;
    /// use tabiya_movegen::Game;
    ///
    /// let mut game = Game::new();
    /// game.play_san("d4")?;
    /// game.play_san("d5")?;
    /// game.resign(Color::White);
    /// let mut pgn = game.to_pgn();
    /// pgn.set_tag("White", "Caruana")?;
    /// assert!(pgn.to_string().ends_with("[Termination \"normal\"]\n\n1. d4 d5 0-1\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_pgn(&self) -> PgnGame {
        let mut pgn = PgnGame::new();
        set_start_tags(self.start(), &mut pgn);
        self.san_moves().fold(NodeId::ROOT, |last, san| pgn.add_move(last, san));
        if let Some(outcome) = self.outcome() {
            pgn.set_result(outcome.into());
            set_valid_tag(&mut pgn, "Termination", termination(outcome));
        }
        pgn
    }

    /// Plays the main line of a PGN game. Unless the game ends by a rule, the result is declared, with the
    /// reason given by the `Termination` tag.
    ///
    /// To parse text, use [`FromStr`](core::str::FromStr) for one game and
    /// [`GameBuilder`](crate::GameBuilder) for many.
    ///
    /// # Errors
    /// If the start position is invalid or a move of the main line is illegal.
    pub fn from_pgn(pgn: &PgnGame) -> Result<Game, ReplayError> {
        let mut game = Game::from_position(start_from_tags(pgn)?);
        for san in pgn.mainline().filter_map(|node| node.san()) {
            let position = game.position();
            let mv = position.resolve_san(san).map_err(|error| ReplayError::illegal(position, san, error))?;
            game.play_legal(mv);
        }
        game.declare_result(pgn.result(), pgn.tag("Termination"));
        Ok(game)
    }
}

/// Returns the start position of a PGN game: its `FEN` tag, or the start position of chess.
pub(crate) fn start_from_tags(pgn: &PgnGame) -> Result<Position, ReplayError> {
    check_variant(pgn.tag("Variant").unwrap_or_default())?;
    let fen = pgn.tag("FEN").unwrap_or_default();
    // Some programs write an empty tag into every game.
    if fen.trim().is_empty() {
        return Ok(Position::startpos());
    }
    Position::from_fen(fen).map_err(|error| ReplayErrorKind::Start { fen: fen.to_owned(), error }.into())
}

/// Sets the `SetUp`, `FEN` and `Variant` tags for a start position, or removes the first two if it is the
/// start position of chess.
pub(crate) fn set_start_tags(start: &Position, pgn: &mut PgnGame) {
    if *start == Position::startpos() {
        pgn.remove_tag("SetUp");
        pgn.remove_tag("FEN");
        return;
    }
    set_valid_tag(pgn, "SetUp", "1");
    set_valid_tag(pgn, "FEN", &start.to_string());
    if !start.has_standard_castling() && pgn.tag("Variant").is_none() {
        set_valid_tag(pgn, "Variant", "Chess960");
    }
}

/// Sets a tag whose name is known to be valid.
pub(crate) fn set_valid_tag(pgn: &mut PgnGame, name: &str, value: &str) {
    let result = pgn.set_tag(name, value);
    debug_assert_eq!(result, Ok(()), "names of tags are valid");
}

/// Returns the value of the `Termination` tag, one of those defined by the PGN standard.
pub(crate) fn termination(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win { reason: WinReason::Time, .. } | Outcome::Draw { reason: DrawReason::Time } => {
            "time forfeit"
        }
        Outcome::Win { reason: WinReason::Forfeit, .. } => "rules infraction",
        Outcome::Win { reason: WinReason::Adjudication, .. }
        | Outcome::Draw { reason: DrawReason::Adjudication } => "adjudication",
        Outcome::Win { .. } | Outcome::Draw { .. } => "normal",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::Color;
    use tabiya_core::notation::GameResult;

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::new();
        moves.iter().for_each(|san| assert!(game.play_san(san).is_ok(), "{san}"));
        game
    }

    #[test]
    fn outcomes_round_trip_through_pgn() {
        let win = |reason| Outcome::Win { winner: Color::Black, reason };
        let draw = |reason| Outcome::Draw { reason };
        for outcome in [
            win(WinReason::Resignation),
            win(WinReason::Time),
            win(WinReason::Forfeit),
            win(WinReason::Adjudication),
            draw(DrawReason::Agreement),
            draw(DrawReason::Time),
            draw(DrawReason::Adjudication),
        ] {
            let mut game = game(&["e4", "c5"]);
            game.end(outcome);
            assert_eq!(Game::from_pgn(&game.to_pgn()), Ok(game), "{outcome}");
        }
        let mut repeated = game(&["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"]);
        repeated.claim_draw();
        assert_eq!(Game::from_pgn(&repeated.to_pgn()), Ok(repeated));
        let open = game(&["e4"]);
        assert_eq!(open.to_pgn().tag("Termination"), None);
        assert_eq!(Game::from_pgn(&open.to_pgn()), Ok(open));
        let mated = game(&["f3", "e5", "g4", "Qh4#"]);
        assert_eq!(mated.to_pgn().result(), GameResult::BlackWins);
        assert_eq!(Game::from_pgn(&mated.to_pgn()), Ok(mated));
    }

    #[test]
    fn recorded_result_does_not_override_the_rules() {
        let mut pgn = game(&["f3", "e5", "g4", "Qh4#"]).to_pgn();
        for result in [GameResult::WhiteWins, GameResult::Draw] {
            pgn.set_result(result);
            let game = Game::from_pgn(&pgn).unwrap();
            assert_eq!(game.outcome().unwrap().to_string(), "0-1 (checkmate)");
            assert_eq!(game.declared_outcome(), None);
        }
    }

    #[test]
    fn start_positions_round_trip_through_pgn() {
        for start in [
            Position::chess960(0).unwrap(),
            Position::double_chess960(518, 7).unwrap(),
            "4k3/8/8/8/8/8/8/4K2R w K - 3 17".parse().unwrap(),
        ] {
            let game = Game::from_position(start);
            let pgn = game.to_pgn();
            let variant = (!game.start().has_standard_castling()).then_some("Chess960");
            assert_eq!((pgn.tag("SetUp"), pgn.tag("Variant")), (Some("1"), variant));
            assert_eq!(Game::from_pgn(&pgn), Ok(game));
        }
        assert_eq!(game(&[]).to_pgn().tag("FEN"), None);
    }

    #[test]
    fn errors_of_a_pgn_game_have_no_location() {
        let mut pgn = PgnGame::new();
        let e4 = pgn.add_move(NodeId::ROOT, "e4".parse().unwrap());
        pgn.add_move(e4, "e4".parse().unwrap());
        let error = Game::from_pgn(&pgn).unwrap_err().to_string();
        assert!(error.starts_with("invalid game: 1... e4 cannot be played: no legal move fits"), "{error}");
        pgn.set_tag("FEN", "?").unwrap();
        assert!(matches!(Game::from_pgn(&pgn).unwrap_err().kind, ReplayErrorKind::Start { .. }));
    }
}
