//! The report after a game: accuracy, and the worst moves of each side.

use crate::variation;
use std::fmt;
use tabiya_core::Color;
use tabiya_core::notation::PgnScore;
use tabiya_movegen::Game;
use tabiya_review::{GameReview, Judgement, MoveReview, PositionReview};

/// Number of moves shown for each side.
const WORST_MOVES: usize = 3;
/// Maximum length of a better line, in plies.
const MAX_LINE: usize = 6;

/// A review as text, without a line break at the end.
pub(super) struct ClosingReport<'a> {
    pub(super) game: &'a Game,
    pub(super) review: &'a GameReview,
    pub(super) user: Color,
}

impl fmt::Display for ClosingReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:16}{:>8}{:>14}{:>10}{:>10}", "", "accuracy", "inaccuracies", "mistakes", "blunders")?;
        for color in Color::ALL {
            let accuracy =
                self.review.accuracy(color).map_or("-".to_owned(), |percent| format!("{percent:.1} %"));
            let [inaccuracies, mistakes, blunders] = Judgement::ALL.map(|it| self.review.count(color, it));
            write!(
                f,
                "\n{:16}{accuracy:>8}{inaccuracies:>14}{mistakes:>10}{blunders:>10}",
                self.name(color)
            )?;
        }
        [self.user, !self.user].into_iter().try_for_each(|color| self.worst_moves(color, f))
    }
}

impl ClosingReport<'_> {
    fn name(&self, color: Color) -> String {
        let side = if color == Color::White { "White" } else { "Black" };
        let player = if color == self.user { "you" } else { "Tabiya" };
        format!("{side} ({player})")
    }

    fn worst_moves(&self, color: Color, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let worst = self.review.worst_moves(color, WORST_MOVES);
        if worst.is_empty() {
            return write!(f, "\n\n{} made no bad move.", self.name(color));
        }
        write!(f, "\n\nWorst moves of {}:", self.name(color))?;
        worst.into_iter().try_for_each(|index| self.worst_move(index, f))
    }

    /// Two lines: the move with its scores, and the better line.
    fn worst_move(&self, index: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(reviewed), Some(position)) =
            (self.review.moves.get(index), self.game.positions().nth(index))
        else {
            return Ok(());
        };
        let (Some(before), Some(after)) =
            (self.review.positions.get(index), self.review.positions.get(index + 1))
        else {
            return Ok(());
        };
        let MoveReview { mv, judgement, .. } = reviewed;
        let glyph = judgement.and_then(|judgement| judgement.nag().symbol()).unwrap_or_default();
        let played = format!("{}{glyph}", variation::numbered(position, &[*mv]));
        write!(f, "\n  {played:<14} {} to {}", score(before), score(after))?;
        let line = &before.line[..before.line.len().min(MAX_LINE)];
        write!(f, "\n  {:<14} better: {}", "", variation::numbered(position, line))
    }
}

/// The score from White's point of view.
fn score(position: &PositionReview) -> String {
    match position.score {
        Some((PgnScore::Centipawns(value), _)) => format!("{:+.2}", f64::from(value) / 100.0),
        Some((score @ PgnScore::Mate(_), _)) => score.to_string(),
        None if position.white > 0.5 => "1-0".to_owned(),
        None if position.white < 0.5 => "0-1".to_owned(),
        None => "1/2-1/2".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_movegen::GameTree;
    use tabiya_review::{CancelToken, Reviewer};
    use tabiya_search::{Engine, Limits, Options};

    fn report(pgn: &str, user: Color) -> String {
        let game: Game = pgn.parse().unwrap();
        let engine = Engine::new(Options::default().with_hash_mb(1)).unwrap();
        let mut reviewer = Reviewer::new(engine, Limits::nodes(3000));
        let review = reviewer.review(&GameTree::from(&game), &CancelToken::never(), |_, _| {}).unwrap();
        ClosingReport { game: &game, review: &review, user }.to_string()
    }

    #[test]
    fn shows_the_worst_moves_and_what_was_better() {
        // From before the fool's mate, so that Black's only move is the mate.
        let pgn = "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2\"]\n\n2. g4 Qh4# 0-1";
        let text = report(pgn, Color::White);
        assert!(text.contains("\nWhite (you) "), "{text}");
        assert!(text.contains("\nBlack (Tabiya)   100.0 % "), "{text}");
        assert!(text.contains("\nWorst moves of White (you):\n") && text.contains("\n  2. g4?? "), "{text}");
        assert!(text.contains(" to #-1\n") && text.contains(" better: 2. "), "{text}");
        assert!(text.ends_with("\n\nBlack (Tabiya) made no bad move."), "{text}");
    }

    #[test]
    fn reports_a_game_without_moves_of_a_side() {
        let text = report("1. e4 *", Color::Black);
        assert!(text.contains("\nBlack (you)            - "), "{text}");
    }
}
