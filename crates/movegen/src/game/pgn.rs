//! Games as PGN has them, and back.

use crate::{DrawReason, Game, Outcome, Position, ReplayError, ReplayErrorKind, WinReason};
use alloc::borrow::ToOwned;
use alloc::string::ToString;
use tabiya_core::Color;
use tabiya_core::notation::{GameResult, NodeId, PgnGame};

impl Game {
    /// The game up to the current position as PGN has it, with its result. Tags can be added to that
    /// and it can be written.
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
    /// pgn.set_tag("White", "Somebody");
    /// assert!(pgn.to_string().ends_with("[Termination \"normal\"]\n\n1. d4 d5 0-1\n"));
    /// # Ok::<(), tabiya_movegen::ResolveSanError>(())
    /// ```
    pub fn to_pgn(&self) -> PgnGame {
        let mut pgn = PgnGame::new();
        describe_start(self.start(), &mut pgn);
        self.san_moves().fold(NodeId::ROOT, |last, san| pgn.add_move(last, san));
        if let Some(outcome) = self.outcome() {
            pgn.set_result(outcome.into());
            pgn.set_tag("Termination", termination(outcome));
        }
        pgn
    }

    /// Plays the main line of a game in PGN. A result that no rule brings about is taken as declared,
    /// for the reason that the tag `Termination` gives.
    ///
    /// To read a text, see the [`FromStr`](core::str::FromStr) of this type for one game and
    /// [`GameBuilder`](crate::GameBuilder) for many.
    ///
    /// # Errors
    /// The first thing that cannot be played.
    pub fn from_pgn(pgn: &PgnGame) -> Result<Game, ReplayError> {
        let mut game = Game::from_position(start_of(pgn)?);
        for san in pgn.mainline().filter_map(|node| node.san()) {
            let position = game.position();
            let mv = position.resolve_san(san).map_err(|error| ReplayError::illegal(position, san, error))?;
            game.play_legal(mv);
        }
        game.declare(pgn.result(), pgn.tag("Termination"));
        Ok(game)
    }

    /// Ends the game as PGN says it has ended, unless that is what the rules say too.
    pub(crate) fn declare(&mut self, result: GameResult, termination: Option<&str>) {
        let by_rule = self.outcome().map_or(GameResult::Unknown, GameResult::from);
        if result == by_rule || result == GameResult::Unknown {
            return;
        }
        let termination = termination.unwrap_or_default().to_ascii_lowercase();
        let says = |words: &[&str]| words.iter().any(|&word| termination.contains(word));
        let win = |winner| {
            let reason = if says(&["time", "clock"]) {
                WinReason::Time
            } else if says(&["rules", "infraction", "abandon", "death", "emergency", "forfeit"]) {
                WinReason::Forfeit
            } else if says(&["adjudication"]) {
                WinReason::Adjudication
            } else {
                WinReason::Resignation
            };
            Outcome::Win { winner, reason }
        };
        self.end(match result {
            GameResult::WhiteWins => win(Color::White),
            GameResult::BlackWins => win(Color::Black),
            _ => {
                let reason = if says(&["time", "clock"]) {
                    DrawReason::Time
                } else if says(&["adjudication"]) {
                    DrawReason::Adjudication
                } else {
                    self.claimable_draw().unwrap_or(DrawReason::Agreement)
                };
                Outcome::Draw { reason }
            }
        });
    }
}

/// The position that a game in PGN starts from.
pub(crate) fn start_of(pgn: &PgnGame) -> Result<Position, ReplayError> {
    let fen = pgn.tag("FEN").unwrap_or_default();
    // Some programs write the tag into every game.
    if fen.trim().is_empty() {
        return Ok(Position::startpos());
    }
    Position::from_fen(fen).map_err(|error| {
        let kind = ReplayErrorKind::Start { fen: fen.to_owned(), error };
        ReplayError { place: None, kind }
    })
}

/// Sets the tags that tell the position a game starts from.
pub(crate) fn describe_start(start: &Position, pgn: &mut PgnGame) {
    if *start == Position::startpos() {
        pgn.remove_tag("SetUp");
        pgn.remove_tag("FEN");
        return;
    }
    pgn.set_tag("SetUp", "1");
    pgn.set_tag("FEN", &start.to_string());
    if !start.has_standard_castling() && pgn.tag("Variant").is_none() {
        pgn.set_tag("Variant", "Chess960");
    }
}

/// The word for the tag `Termination`, of those that the standard has.
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

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::new();
        moves.iter().for_each(|san| assert!(game.play_san(san).is_ok(), "{san}"));
        game
    }

    #[test]
    fn outcomes_survive_pgn() {
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
    fn what_the_players_say_counts_where_it_contradicts_the_rules() {
        let mut pgn = game(&["f3", "e5", "g4", "Qh4#"]).to_pgn();
        pgn.set_result(GameResult::WhiteWins);
        let game = Game::from_pgn(&pgn).unwrap();
        assert_eq!(game.outcome().unwrap().winner(), Some(Color::White));
    }

    #[test]
    fn starts_survive_pgn() {
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
    fn errors_without_a_place() {
        let mut pgn = PgnGame::new();
        let e4 = pgn.add_move(NodeId::ROOT, "e4".parse().unwrap());
        pgn.add_move(e4, "e4".parse().unwrap());
        let error = Game::from_pgn(&pgn).unwrap_err().to_string();
        assert!(error.starts_with("bad game: 1... e4 cannot be played: no legal move fits"), "{error}");
        pgn.set_tag("FEN", "?");
        assert!(matches!(Game::from_pgn(&pgn).unwrap_err().kind, ReplayErrorKind::Start { .. }));
    }
}
