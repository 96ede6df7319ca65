//! The time that the side to move has taken.

use super::session::PlaySession;
use std::time::{Duration, Instant};
use tabiya_core::Color;

/// The current turn, whose length is the time for a move.
pub(super) struct Turn {
    key: TurnKey,
    pub(super) start: Instant,
}

/// The number of moves, the user's side, and true if the game is over. A turn lasts as long as they stay the same.
type TurnKey = (usize, Color, bool);

impl Turn {
    pub(super) fn start(session: &PlaySession) -> Turn {
        let key = (session.game().moves().len(), session.user(), session.game().outcome().is_some());
        Turn { key, start: Instant::now() }
    }

    /// Starts again if a move has been made or taken back, the sides have been swapped, or a result has been taken back.
    pub(super) fn update(&mut self, session: &PlaySession) {
        let now = Turn::start(session);
        if self.key != now.key {
            *self = now;
        }
    }

    /// Takes the time since `start` out of the turn: the engine has worked for the user.
    pub(super) fn exclude(&mut self, start: Instant) {
        self.start += start.elapsed();
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::DiagramStyle;
    use crate::play::record::Record;
    use tabiya_movegen::Position;

    #[test]
    fn starts_anew_when_a_result_is_taken_back() {
        let record = Record::new(Position::startpos(), Color::White, None, None);
        let mut session = PlaySession::new(record, DiagramStyle::default());
        let mut turn = Turn::start(&session);
        let first = turn.start;
        session.handle("board", Duration::ZERO);
        turn.update(&session);
        assert_eq!(turn.start, first);
        for line in ["resign", "undo", "switch"] {
            let before = turn.key;
            session.handle(line, Duration::ZERO);
            turn.update(&session);
            assert_ne!(turn.key, before, "{line}");
        }
    }
}
