//! Answers to draw offers.

use tabiya_movegen::Game;
use tabiya_search::Score;

/// Move number from which an offer is accepted if the player is not better.
const MIN_MOVE: u32 = 20;

/// Returns true if a player accepts a draw offer: if a draw can be claimed, or late in the game if its score is not positive. `score` is that
/// of its last move, from its own point of view, if it has searched one and the opponent has not moved since.
///
/// ```
/// use tabiya_movegen::Game;
/// use tabiya_player::accepts_draw;
/// use tabiya_search::Score;
///
/// let late = Game::from_position("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 40".parse().unwrap());
/// assert!(accepts_draw(&late, Some(Score::Centipawns(0))));
/// assert!(!accepts_draw(&late, Some(Score::Centipawns(30))));
/// assert!(!accepts_draw(&Game::new(), Some(Score::Centipawns(0))), "too early");
/// ```
pub fn accepts_draw(game: &Game, score: Option<Score>) -> bool {
    let is_not_better = score.is_some_and(|score| score <= Score::Centipawns(0));
    let is_late = u32::from(game.position().fullmove_number()) >= MIN_MOVE;
    game.claimable_draw().is_some() || (is_not_better && is_late)
}
