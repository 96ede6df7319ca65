//! Plays one self-play game from a random opening.

use super::external::ExternalEngine;
use super::mix::Mix;
use anyhow::{Context, Result, bail};
use rand::{Rng, RngExt};
use tabiya_core::{Color, Move};
use tabiya_lab_common::games::{GameRecord, Origin, ScoredMove, score};
use tabiya_lab_common::openings::Book;
use tabiya_lab_common::random::{self, Random};
use tabiya_lab_common::referee::{Adjudication, Adjudicator, Ending, rules_ending};
use tabiya_lab_common::tablebases::TablebaseAdjudicator;
use tabiya_movegen::{Game, Position};
use tabiya_player::RandomOpening;
use tabiya_search::{BlockingEngine, Limits, Score};

/// Start positions tried before giving up on finding a balanced opening.
const MAX_START_POSITIONS: u32 = 20;

/// Score given to the adjudicator for a mate, in centipawns: above any resign threshold.
const MATE_SCORE: i32 = 30_000;

/// The rules by which games are played.
pub(super) struct Rules {
    pub(super) seed: u64,
    /// Limits of each search.
    pub(super) limits: Limits,
    pub(super) opening: RandomOpening,
    pub(super) mix: Mix,
    /// Start positions that replace those of the mix.
    pub(super) book: Option<Book>,
    pub(super) adjudication: Adjudication,
    /// Tablebases that end games.
    pub(super) tablebases: Option<TablebaseAdjudicator>,
    /// Games out of 100 in which neither wins nor draws are adjudicated.
    pub(super) play_on_percent: u32,
}

/// Chooses the moves of games.
pub(super) struct Mover {
    /// Judges openings, and plays unless another engine does.
    own: BlockingEngine,
    external: Option<ExternalEngine>,
}

impl Mover {
    /// A mover with this search and, if given, an engine that plays instead of it.
    pub(super) fn new(own: BlockingEngine, external: Option<ExternalEngine>) -> Mover {
        Mover { own, external }
    }

    /// Forgets the games before.
    fn clear(&mut self) -> Result<()> {
        self.own.clear();
        self.external.as_mut().map_or(Ok(()), ExternalEngine::new_game)
    }

    /// Returns the best move and its score, from the point of view of the side to move.
    fn search(&mut self, game: &Game, limits: &Limits) -> Result<(Move, Score)> {
        if let Some(engine) = &mut self.external {
            return engine.search(game);
        }
        let answer = self.own.search(game, limits);
        let best =
            answer.best.with_context(|| format!("the search returned no move in {}", game.position()))?;
        Ok((best, answer.score()))
    }
}

/// Plays the game with this number. The game depends only on the number, the rules and the search, not on
/// earlier games.
///
/// # Errors
/// If the search fails, or no balanced opening is found.
pub(super) fn play(mover: &mut Mover, rules: &Rules, number: u64) -> Result<GameRecord> {
    // Once is enough: the search for an opening depends on the number alone, too, and clearing takes as long as many short searches.
    mover.clear()?;
    let mut random = random::substream(rules.seed, number);
    let plays_on = random.random_range(..100_u32) < rules.play_on_percent;
    let (origin, first_move, mut game) = opening(&mut mover.own, rules, &mut random)?;
    let start = game.position().clone();
    let adjudication = if plays_on {
        Adjudication { max_moves: rules.adjudication.max_moves, ..Adjudication::default() }
    } else {
        rules.adjudication.clone()
    };
    let tablebases = rules.tablebases.as_ref().filter(|_| !plays_on);
    let mut adjudicator = Adjudicator::new(&adjudication, first_move);
    let mut moves = Vec::new();
    let ending = loop {
        let (scored, value) = search(mover, &game, &rules.limits)?;
        game.play(scored.mv).context("the search returned an illegal move")?;
        moves.push(scored);
        let ending = rules_ending(game.outcome(), game.claimable_draw())
            .or_else(|| tablebases.and_then(|tables| tables.ending(game.position())))
            .or_else(|| adjudicator.update(game.position().board(), Some(value)));
        if let Some(ending) = ending {
            break ending;
        }
    };
    Ok(GameRecord {
        start,
        half_points: half_points(ending),
        origin,
        end_reason: ending.reason.into(),
        moves,
    })
}

/// Returns the best move with the score to store, and the score for the adjudicator, in centipawns of the side to move.
fn search(mover: &mut Mover, game: &Game, limits: &Limits) -> Result<(ScoredMove, i32)> {
    let (mv, score) = mover.search(game, limits)?;
    let value = match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) if moves > 0 => MATE_SCORE,
        Score::Mate(_) => -MATE_SCORE,
    };
    Ok((ScoredMove { mv, score: score::stored(game.position().side_to_move(), score) }, value))
}

fn half_points(ending: Ending) -> u8 {
    match ending.winner {
        Some(Color::White) => 2,
        Some(Color::Black) => 0,
        None => 1,
    }
}

/// Returns a game after its opening, with its origin and the full-move number before all moves of the opening, those of a book included.
fn opening(engine: &mut BlockingEngine, rules: &Rules, random: &mut Random) -> Result<(Origin, u16, Game)> {
    for _ in 0..MAX_START_POSITIONS {
        let (origin, first_move, start) = rules.start_position(random)?;
        let seed = random.next_u64();
        let game = rules.opening.play_with(&start, seed, |game, limits| engine.search(game, limits));
        if let Some(game) = game {
            return Ok((origin, first_move, game));
        }
    }
    bail!("found no balanced opening; try fewer --random-plies, a larger --opening-score or another book")
}

impl Rules {
    fn start_position(&self, random: &mut Random) -> Result<(Origin, u16, Position)> {
        match &self.book {
            Some(book) => {
                let opening = book.opening(random.random_range(..book.len() as u64));
                let game = opening.game()?;
                Ok((Origin::Other, game.start().fullmove_number(), game.position().clone()))
            }
            None => {
                let (origin, position) = self.mix.draw(random)?;
                Ok((origin, position.fullmove_number(), position))
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use tabiya_eval::Evaluation;
    use tabiya_lab_common::games::EndReason;
    use tabiya_lab_common::referee::{DrawRule, ResignRule};
    use tabiya_search::SEARCH_STACK_SIZE;

    pub(in crate::datagen) fn rules() -> Rules {
        Rules {
            seed: 1,
            limits: Limits::nodes(1000).with_soft_nodes(200),
            opening: RandomOpening { plies: 6, nodes: 200, max_score: 200 },
            mix: "1:1:1".parse().unwrap(),
            book: None,
            adjudication: Adjudication {
                draw: Some(DrawRule { from_move: 20, moves: 4, score: 20 }),
                resign: Some(ResignRule { moves: 3, score: 500, one_sided: false }),
                max_moves: Some(60),
            },
            tablebases: None,
            play_on_percent: 20,
        }
    }

    fn play_all(rules: &Rules, numbers: impl Iterator<Item = u64> + Send) -> Result<Vec<GameRecord>> {
        std::thread::scope(|scope| {
            let play_all = || {
                let engine = BlockingEngine::new(1, || Evaluation::Handcrafted.evaluator()).unwrap();
                let mut mover = Mover::new(engine, None);
                numbers.map(|number| play(&mut mover, rules, number)).collect()
            };
            let builder = std::thread::Builder::new().stack_size(SEARCH_STACK_SIZE);
            builder.spawn_scoped(scope, play_all).unwrap().join().unwrap()
        })
    }

    #[test]
    fn game_depends_only_on_its_number() {
        let games = play_all(&rules(), [0, 1, 0].into_iter()).unwrap();
        assert_ne!(games[0], games[1]);
        assert_eq!(games[0], games[2]);
        assert!(games[0].first_ply() >= 6 && !games[0].moves.is_empty());
    }

    #[test]
    fn games_that_play_on_are_not_adjudicated() {
        let ends = |percent| {
            let rules = Rules { play_on_percent: percent, ..rules() };
            let games = play_all(&rules, 0..12).unwrap();
            games.iter().map(|game| game.end_reason).collect::<Vec<_>>()
        };
        let adjudicated =
            |reason: &EndReason| matches!(reason, EndReason::WinAdjudication | EndReason::DrawAdjudication);
        assert!(!ends(100).iter().any(adjudicated));
        assert!(ends(0).iter().any(adjudicated));
    }

    #[test]
    fn tablebases_end_games() {
        let tables = tabiya_workspace::repository::root().join("tests/data/syzygy");
        let end_reason = |play_on_percent| {
            let rules = Rules {
                // The pawn is lost, or promotes: both are known.
                book: Some(Book::from_epd("test", "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1\n").unwrap()),
                opening: RandomOpening { plies: 0, nodes: 1, max_score: 30_000 },
                adjudication: Adjudication { max_moves: Some(150), ..Adjudication::default() },
                tablebases: TablebaseAdjudicator::open(std::slice::from_ref(&tables)).unwrap(),
                play_on_percent,
                ..rules()
            };
            play_all(&rules, 0..1).unwrap()[0].end_reason
        };
        assert_eq!(end_reason(0), EndReason::Tablebases);
        assert_ne!(end_reason(100), EndReason::Tablebases);
    }

    #[test]
    fn move_number_of_the_book_does_not_count() {
        let book = Book::from_epd("test", "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 60\n").unwrap();
        let rules = Rules {
            book: Some(book),
            opening: RandomOpening { plies: 0, nodes: 1, max_score: 30_000 },
            adjudication: Adjudication { max_moves: Some(5), ..Adjudication::default() },
            ..rules()
        };
        let game = play_all(&rules, 0..1).unwrap().remove(0);
        let opening_plies = game.first_ply() - 2 * 59;
        assert_eq!((game.end_reason, opening_plies as usize + game.moves.len()), (EndReason::MaxMoves, 10));
    }

    #[test]
    fn games_start_from_the_book() {
        let book = Book::from_epd("test", "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1\n").unwrap();
        let rules =
            Rules { book: Some(book), opening: RandomOpening { plies: 1, ..rules().opening }, ..rules() };
        let game = play_all(&rules, 0..1).unwrap().remove(0);
        assert_eq!(game.origin, Origin::Other);
        assert!(game.start.board().occupied().count() <= 10);
        // The only legal move ends the game.
        let dead_end = Book::from_epd("test", "k7/8/8/8/8/8/1q6/K7 w - - 0 1\n").unwrap();
        let error = play_all(&Rules { book: Some(dead_end), ..rules }, 0..1).unwrap_err();
        assert!(error.to_string().contains("no balanced opening"), "{error}");
    }
}
