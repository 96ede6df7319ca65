//! Positions in which a player threw a game away.

use super::game::PlayedGame;
use super::pgn_out::{score_text, today};
use super::plan::Plan;
use super::tally::GameId;
use crate::uci_engine::InfoScore;
use std::fmt::Write as _;
use tabiya_core::Color;
use tabiya_movegen::Position;

/// A player that thinks that it is worse off than this has nothing left to throw away.
const STILL_ALIVE: i32 = -100;

/// Where the loser of a game was not yet losing, by its own scores, and found itself worse by `drop`
/// centipawns or more at its next move: the move in between, as lines of EPD.
///
/// They are proposals for `tests/data/regressions.epd`, where each gets a number: whether the move was the mistake, or the one
/// before it, is for a person to judge.
pub(crate) fn propose(plan: &Plan, id: GameId, played: &PlayedGame, drop: i32) -> Vec<u8> {
    let mut lines = String::new();
    let Some(winner) = played.ending.winner.filter(|_| played.fault.is_none()) else {
        return lines.into_bytes();
    };
    let players = plan.players_of(id.pair).map(|player| plan.players[player].name());
    let name_of = |side: Color| players[usize::from((side == Color::White) != (id.game == 0))];
    let (loser, opponent) = (name_of(!winner), name_of(winner));

    let moves: Vec<_> = played.game.positions().zip(played.game.moves()).skip(played.opening_plies).collect();
    let turns: Vec<_> = moves
        .into_iter()
        .zip(&played.thoughts)
        .filter(|((position, _), _)| position.side_to_move() != winner)
        .collect();
    for turn in turns.windows(2) {
        let ((position, &mv), before) = turn[0];
        let (_, after) = turn[1];
        let (Some(before), Some(after)) = (before.score, after.score) else { continue };
        let (was, is) = (before.centipawns(), after.centipawns());
        // One line a game: later mistakes follow from the first.
        if was >= STILL_ALIVE && is <= was - drop {
            let _ = writeln!(
                lines,
                "{} am {}; id \"regression.NNN\"; c0 \"{}{}, round {}.{}, {loser} against {opponent}, move {}\"; \
                 c1 \"{}\";",
                four_fields(position),
                position.san(mv),
                plan.event.replace('"', "'"),
                if plan.conduct.reproducible { String::new() } else { format!(" of {}", today()) },
                id.pair + 1,
                id.game + 1,
                position.fullmove_number(),
                fall(before, after),
            );
            break;
        }
    }
    lines.into_bytes()
}

fn four_fields(position: &Position) -> String {
    position.to_string().split(' ').take(4).collect::<Vec<_>>().join(" ")
}

fn fall(before: InfoScore, after: InfoScore) -> String {
    format!("{} became {}", score_text(before), score_text(after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::game::Thought;
    use crate::selfplay::player::Player;
    use crate::selfplay::referee::{Ending, Reason};
    use crate::selfplay::test_data::plan;
    use tabiya_movegen::Game;

    #[test]
    fn the_move_before_the_fall_is_named() {
        let mut game = Game::new();
        for san in ["f3", "e5", "g4", "Qh4#"] {
            let mv = game.position().parse_san(san).unwrap();
            game.play(mv).unwrap();
        }
        let thought = |score| Thought { score: Some(score), ..Thought::default() };
        let mut played = PlayedGame {
            game,
            opening_plies: 0,
            thoughts: [10, 20, -250, 900].map(|score| thought(InfoScore::Centipawns(score))).to_vec(),
            ending: Ending::won(Color::Black, Reason::Checkmate),
            fault: None,
            warnings: Vec::new(),
            warning_counts: [0; 2],
        };
        let mut plan = plan();
        plan.conduct.reproducible = true;
        plan.players = vec![Player::new("new", "a".into()), Player::new("base", "b".into())];
        let id = GameId { pair: 6, game: 1 };
        let lines = |played: &PlayedGame, drop| String::from_utf8(propose(&plan, id, played, drop)).unwrap();
        assert_eq!(
            lines(&played, 200),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - am f3; id \"regression.NNN\"; \
             c0 \"test, round 7.2, base against new, move 1\"; c1 \"+0.10 became -2.50\";\n"
        );
        assert_eq!(lines(&played, 300), "");
        played.thoughts[0] = thought(InfoScore::Centipawns(-150));
        assert_eq!(lines(&played, 50), "");
        played.ending = Ending::drawn(Reason::Repetition);
        assert_eq!(lines(&played, 50), "");
    }
}
