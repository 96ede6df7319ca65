//! Detection of the losing mistake in lost games, for the regression suite.

use super::game::PlayedGame;
use super::pgn_out::today;
use super::plan::Plan;
use super::scoreboard::GameId;
use std::fmt::Write as _;
use tabiya_core::{Color, Move};
use tabiya_lab_common::pgn_comment::score_text;
use tabiya_movegen::{Game, Position};
use tabiya_search::{Engine, EngineError, Limits, Options, Score};
use tabiya_uci_engine::InfoScore;

/// Lowest score before the blunder, in centipawns: below it the loser was losing already.
const MIN_SCORE_BEFORE: i32 = -100;

/// Margin in centipawns by which the only good move must beat every other move.
const ONLY_MOVE_MARGIN: i32 = 100;

/// Nodes per verification search.
const NODES: u64 = 500_000;

/// Finds the blunders of lost games.
///
/// A search in this process, with more nodes than the games usually get, decides whether there was
/// exactly one good move.
pub(crate) struct BlunderFinder {
    engine: Engine,
    nodes: u64,
    /// Minimum score drop, in centipawns.
    drop: i32,
}

impl BlunderFinder {
    /// Creates a finder for score drops of at least `drop` centipawns.
    ///
    /// # Errors
    /// If the transposition table cannot be allocated.
    pub(crate) fn new(drop: i32) -> Result<BlunderFinder, EngineError> {
        Ok(BlunderFinder { engine: Engine::new(Options::default())?, nodes: NODES, drop })
    }

    /// Returns the blunder of a lost game as an EPD line.
    ///
    /// The blunder is the loser's first move that it did not consider losing although its score had
    /// dropped by its next move. `am` is that move; `bm` is the only good move, if there is one.
    ///
    /// The lines are candidates for `tests/data/regressions.epd`, where they get a number; a person has
    /// to check whether this move or an earlier one was the mistake.
    pub(crate) fn propose(&mut self, plan: &Plan, id: GameId, played: &PlayedGame) -> Option<String> {
        let blunder = find(played, self.drop)?;
        let only = self.only_move(blunder.position).filter(|only| only.mv != blunder.mv);
        let Blunder { position, mv, loser, before, after } = blunder;

        let players = plan.players_of(id.pair).map(|player| plan.players[player].name());
        let name_of = |side: Color| players[usize::from((side == Color::White) != (id.game == 0))];
        let mut line = format!("{} ", four_fields(position));
        // Writing to a string cannot fail.
        if let Some(only) = &only {
            let _ = write!(line, "bm {}; ", position.san(only.mv));
        }
        let _ = write!(
            line,
            "am {}; id \"regression.NNN\"; c0 \"{}{}, round {}.{}, {} against {}, move {}\"; \
             c1 \"{} became {}",
            position.san(mv),
            plan.event.replace('"', "'"),
            if plan.options.reproducible { String::new() } else { format!(" of {}", today()) },
            id.pair + 1,
            id.game + 1,
            name_of(loser),
            name_of(!loser),
            position.fullmove_number(),
            score_text(before),
            score_text(after),
        );
        if let Some(only) = only {
            let _ = write!(line, "; at {} nodes {}, else {}", self.nodes, only.score, only.second);
        }
        line.push_str("\";\n");
        Some(line)
    }

    /// Returns the move that a longer search finds clearly better than all others.
    fn only_move(&mut self, position: &Position) -> Option<OnlyMove> {
        let game = Game::from_position(position.clone());
        let mut search = |search_moves: Vec<Move>| {
            self.engine.clear();
            let limits = Limits::nodes(self.nodes).with_search_moves(search_moves);
            let answer = self.engine.go(&game, limits).answer();
            Some((answer.best?, answer.score()))
        };
        let (mv, score) = search(Vec::new())?;
        let others: Vec<Move> = position.legal_moves().into_iter().filter(|&other| other != mv).collect();
        if others.is_empty() {
            return None;
        }
        let (_, second) = search(others)?;
        (comparable(score) - comparable(second) >= ONLY_MOVE_MARGIN).then_some(OnlyMove { mv, score, second })
    }
}

struct OnlyMove {
    mv: Move,
    score: Score,
    /// Score of the best other move.
    second: Score,
}

/// Returns the score as one number for comparison, mates beyond all centipawns.
fn comparable(score: Score) -> i32 {
    const MATE: i32 = 30_000;
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) if moves > 0 => MATE - moves,
        Score::Mate(moves) => -MATE - moves,
    }
}

/// The move that lost a game.
struct Blunder<'a> {
    position: &'a Position,
    mv: Move,
    loser: Color,
    /// Scores reported with this move and with the next one.
    before: InfoScore,
    after: InfoScore,
}

fn find(played: &PlayedGame, drop: i32) -> Option<Blunder<'_>> {
    let loser = !played.ending.winner.filter(|_| played.fault.is_none())?;
    let moves = played.game.positions().zip(played.game.moves()).skip(played.opening_plies);
    let turns: Vec<_> = moves
        .zip(&played.move_data)
        .filter(|((position, _), _)| position.side_to_move() == loser)
        .map(|((position, &mv), data)| (position, mv, data.score))
        .collect();
    // At most one blunder per game: later mistakes follow from the first.
    turns.windows(2).find_map(|turn| {
        let ((position, mv, Some(before)), (_, _, Some(after))) = (turn[0], turn[1]) else { return None };
        let (was, is) = (before.centipawns(), after.centipawns());
        (was >= MIN_SCORE_BEFORE && is <= was - drop).then_some(Blunder {
            position,
            mv,
            loser,
            before,
            after,
        })
    })
}

fn four_fields(position: &Position) -> String {
    position.to_string().split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::game::MoveData;
    use crate::selfplay::player::Player;
    use crate::selfplay::test_data::plan;
    use tabiya_lab_common::referee::{Ending, Termination};
    use tabiya_movegen::Game;

    #[test]
    fn proposes_the_move_before_the_score_drop() {
        let mut game = Game::new();
        for san in ["f3", "e5", "g4", "Qh4#"] {
            let mv = game.position().parse_san(san).unwrap();
            game.play(mv).unwrap();
        }
        let data = |score| MoveData { score: Some(score), ..MoveData::default() };
        let mut played = PlayedGame {
            game,
            opening_plies: 0,
            move_data: [10, 20, -250, 900].map(|score| data(InfoScore::Centipawns(score))).to_vec(),
            ending: Ending::won(Color::Black, Termination::Checkmate),
            fault: None,
            warnings: Vec::new(),
            warning_counts: [0; 2],
            ids: [None, None],
            started: std::time::UNIX_EPOCH,
            duration: std::time::Duration::ZERO,
        };
        let mut plan = plan();
        plan.options.reproducible = true;
        plan.players = vec![Player::new("new", "a".into()), Player::new("base", "b".into())];
        let id = GameId { pair: 6, game: 1 };
        let lines = |played: &PlayedGame, drop| {
            let mut finder = BlunderFinder { nodes: 300, ..BlunderFinder::new(drop).unwrap() };
            finder.propose(&plan, id, played).unwrap_or_default()
        };
        assert_eq!(
            lines(&played, 200),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - am f3; id \"regression.NNN\"; \
             c0 \"test, round 7.2, base against new, move 1\"; c1 \"+0.10 became -2.50\";\n"
        );
        assert_eq!(lines(&played, 300), "");
        played.move_data[0] = data(InfoScore::Centipawns(-150));
        assert_eq!(lines(&played, 50), "");
        played.ending = Ending::drawn(Termination::Repetition);
        assert_eq!(lines(&played, 50), "");
    }

    #[test]
    fn finds_the_only_good_move() {
        let mut finder = BlunderFinder { nodes: 3000, ..BlunderFinder::new(200).unwrap() };
        let mut only = |fen| {
            let position = Position::from_fen(fen).unwrap();
            let only = finder.only_move(&position)?;
            assert!(comparable(only.score) > comparable(only.second));
            Some(position.san(only.mv).to_string())
        };
        // A mate, a hanging queen, a quiet position, and a king with one legal move.
        assert_eq!(only("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").as_deref(), Some("Rd8#"));
        assert_eq!(only("3q2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").as_deref(), Some("Rxd8#"));
        assert_eq!(only("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), None);
        assert_eq!(only("7k/8/8/8/8/8/6q1/7K w - - 0 1").as_deref(), None);
    }

    #[test]
    fn mates_sort_beyond_all_scores() {
        let scores =
            [Score::Mate(-1), Score::Mate(-9), Score::Centipawns(-5000), Score::Mate(9), Score::Mate(1)];
        assert!(scores.map(comparable).is_sorted());
    }
}
