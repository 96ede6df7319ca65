//! Plays one self-play game from a random opening.

use super::file::StoredGame;
use super::packed::Sample;
use crate::quiet::is_quiet;
use crate::random::{self, Random};
use crate::selfplay::openings::Book;
use crate::selfplay::referee::{Adjudication, Adjudicator, rules_ending};
use anyhow::{Context, Result, bail};
use rand::{Rng, RngExt};
use tabiya_core::Color;
use tabiya_movegen::{Game, Position};
use tabiya_play::RandomOpening;
use tabiya_search::{Engine, Limits, Score};

/// Start positions tried before giving up on finding a balanced opening.
const MAX_START_POSITIONS: u32 = 20;

/// Score given to the adjudicator for a mate, in centipawns: above any resign threshold.
const MATE_SCORE: i32 = 30_000;

/// Rules by which games are played and positions are selected.
pub(super) struct Rules {
    pub(super) seed: u64,
    pub(super) nodes: u64,
    pub(super) opening: RandomOpening,
    pub(super) variant: Variant,
    pub(super) book: Option<Book>,
    pub(super) adjudication: Adjudication,
    /// Largest absolute score of a kept position, in centipawns. Positions beyond it are decided.
    pub(super) max_score: i32,
}

/// The start positions of games without a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Variant {
    Chess,
    Chess960,
    DoubleChess960,
}

/// Plays the game with this number. The game depends only on the number, the rules and the search, not on
/// earlier games.
///
/// # Errors
/// If the search fails, or no balanced opening is found.
pub(super) fn play(engine: &mut Engine, rules: &Rules, number: u64) -> Result<StoredGame> {
    let mut random = random::substream(rules.seed, number);
    let mut game = opening(engine, rules, &mut random)?;
    let mut adjudicator = Adjudicator::new(&rules.adjudication);
    let mut candidates = Vec::new();
    engine.clear();
    let ending = loop {
        if let Some(ending) = rules_ending(game.outcome(), game.claimable_draw()) {
            break ending;
        }
        let position = game.position().clone();
        let answer = engine.go(&game, Limits::nodes(rules.nodes)).answer();
        let (Some(best), Some(score)) = (answer.best, answer.score) else {
            bail!("the search returned no move or no score in {position}");
        };
        if let Score::Centipawns(value) = score
            && value.abs() <= rules.max_score
            && best.is_quiet()
            && is_quiet(&position)
        {
            candidates.push((position.clone(), white_relative(&position, value)));
        }
        let value = match score {
            Score::Centipawns(value) => value,
            Score::Mate(moves) => {
                if moves > 0 {
                    MATE_SCORE
                } else {
                    -MATE_SCORE
                }
            }
        };
        let (side, move_number) = (position.board().side_to_move(), position.board().fullmove_number());
        game.play(best).with_context(|| format!("the search returned an illegal move in {position}"))?;
        if let Some(ending) = rules_ending(game.outcome(), game.claimable_draw())
            .or_else(|| adjudicator.update(side, move_number.into(), Some(value)))
        {
            break ending;
        }
    };
    let half_points = match ending.winner {
        Some(Color::White) => 2,
        Some(Color::Black) => 0,
        None => 1,
    };
    let to_record = |(position, score)| Sample { position, score, half_points }.to_bytes();
    Ok(StoredGame {
        number,
        plies: u32::try_from(game.moves().len()).context("the game has more than 2^32 plies")?,
        half_points,
        samples: candidates.into_iter().map(to_record).collect(),
    })
}

fn opening(engine: &mut Engine, rules: &Rules, random: &mut Random) -> Result<Game> {
    for _ in 0..MAX_START_POSITIONS {
        let start = rules.start_position(random)?;
        if let Some(game) = rules.opening.play(engine, &start, random.next_u64()) {
            return Ok(game);
        }
    }
    bail!("found no balanced opening; try fewer --random-plies, a larger --opening-score or another book")
}

impl Rules {
    fn start_position(&self, random: &mut Random) -> Result<Position> {
        if let Some(book) = &self.book {
            return Ok(book.opening(random.random_range(..book.len() as u64)).game()?.position().clone());
        }
        let mut number = || random.random_range(..960);
        let position = match self.variant {
            Variant::Chess => Some(Position::startpos()),
            Variant::Chess960 => Position::chess960(number()),
            Variant::DoubleChess960 => Position::double_chess960(number(), number()),
        };
        position.context("the Chess960 number is out of range")
    }
}

/// Converts a score of the side to move to White's point of view.
fn white_relative(position: &Position, value: i32) -> i16 {
    let value = if position.board().side_to_move() == Color::White { value } else { -value };
    // `--max-score` is far below the limits of `i16`.
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::selfplay::referee::ResignRule;
    use tabiya_search::Options;

    pub(in crate::datagen) fn rules() -> Rules {
        Rules {
            seed: 1,
            nodes: 200,
            opening: RandomOpening { plies: 6, nodes: 200, max_score: 200 },
            variant: Variant::Chess,
            book: None,
            adjudication: Adjudication {
                draw: None,
                resign: Some(ResignRule { moves: 3, score: 500 }),
                max_moves: Some(60),
            },
            max_score: 1500,
        }
    }

    fn engine() -> Engine {
        Engine::new(Options { hash_mb: 1, ..Options::default() }).unwrap()
    }

    #[test]
    fn game_depends_only_on_its_number() {
        let mut engine = engine();
        let mut game = |number| play(&mut engine, &rules(), number).unwrap();
        let [first, second] = [0, 1].map(&mut game);
        assert_ne!(first.samples, second.samples);
        assert_eq!(game(0), first);
        assert!(first.plies > 6);
    }

    #[test]
    fn kept_positions_are_quiet_and_undecided() {
        for variant in [Variant::Chess, Variant::Chess960, Variant::DoubleChess960] {
            let rules = Rules { variant, ..rules() };
            let game = play(&mut engine(), &rules, 3).unwrap();
            assert!(!game.samples.is_empty());
            for bytes in &game.samples {
                let sample = Sample::from_bytes(bytes).unwrap();
                assert!(is_quiet(&sample.position), "{}", sample.position);
                assert!(i32::from(sample.score).abs() <= rules.max_score);
                assert_eq!(sample.half_points, game.half_points);
            }
        }
    }

    #[test]
    fn games_start_from_the_book() {
        let book = Book::from_epd("test", "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1\n").unwrap();
        let rules =
            Rules { book: Some(book), opening: RandomOpening { plies: 1, ..rules().opening }, ..rules() };
        let game = play(&mut engine(), &rules, 0).unwrap();
        let pieces = |bytes| Sample::from_bytes(bytes).unwrap().position.board().occupied().count();
        assert!(game.samples.iter().all(|bytes| pieces(bytes) <= 10));
        // The only legal move ends the game.
        let dead_end = Book::from_epd("test", "k7/8/8/8/8/8/1q6/K7 w - - 0 1\n").unwrap();
        let error = play(&mut engine(), &Rules { book: Some(dead_end), ..rules }, 0).unwrap_err();
        assert!(error.to_string().contains("no balanced opening"), "{error}");
    }
}
