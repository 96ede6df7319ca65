//! One game of the engine against itself, from a random opening.

use super::file::StoredGame;
use super::packed::Sample;
use crate::quiet::is_quiet;
use crate::random::{self, Random};
use crate::selfplay::openings::Book;
use crate::selfplay::referee::{Adjudication, Adjudicator, by_the_rules};
use anyhow::{Context, Result, bail};
use rand::{Rng, RngExt};
use tabiya_core::Color;
use tabiya_movegen::{Game, Position};
use tabiya_play::RandomOpening;
use tabiya_search::{Engine, Limits, Score};

/// How often another opening is tried where one cannot be balanced.
const MOST_OPENINGS: u32 = 20;

/// A mate, for the referee: beyond any rule for resigning.
const MATE_SCORE: i32 = 30_000;

/// How games are played, and what is kept of them.
pub(super) struct Rules {
    pub(super) seed: u64,
    pub(super) nodes: u64,
    pub(super) opening: RandomOpening,
    pub(super) variant: Variant,
    pub(super) book: Option<Book>,
    pub(super) adjudication: Adjudication,
    /// Positions with a score beyond this are decided and teach nothing.
    pub(super) most: i32,
}

/// What the games start from, where no book says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Variant {
    Chess,
    Chess960,
    DoubleChess960,
}

/// Plays the game with this number: the same for the same rules and the same search, whatever was played
/// before.
///
/// # Errors
/// When the search fails, or no opening can be found.
pub(super) fn play(engine: &mut Engine, rules: &Rules, number: u64) -> Result<StoredGame> {
    let mut random = random::part_of(rules.seed, number);
    let mut game = opening(engine, rules, &mut random)?;
    let mut adjudicator = Adjudicator::new(&rules.adjudication);
    let mut candidates = Vec::new();
    engine.clear();
    let ending = loop {
        if let Some(ending) = by_the_rules(game.outcome(), game.claimable_draw()) {
            break ending;
        }
        let position = game.position().clone();
        let answer = engine.go(&game, Limits::nodes(rules.nodes)).answer();
        let (Some(best), Some(score)) = (answer.best, answer.score) else {
            bail!("the search has no answer in {position}");
        };
        if let Score::Centipawns(value) = score
            && value.abs() <= rules.most
            && best.is_quiet()
            && is_quiet(&position)
        {
            candidates.push((position.clone(), for_white(&position, value)));
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
        game.play(best).with_context(|| format!("the search's move in {position}"))?;
        if let Some(ending) = by_the_rules(game.outcome(), game.claimable_draw())
            .or_else(|| adjudicator.note(side, move_number.into(), Some(value)))
        {
            break ending;
        }
    };
    let half_points = match ending.winner {
        Some(Color::White) => 2,
        Some(Color::Black) => 0,
        None => 1,
    };
    let pack = |(position, score)| Sample { position, score, half_points }.to_bytes();
    Ok(StoredGame {
        number,
        plies: u32::try_from(game.moves().len()).context("an endless game")?,
        half_points,
        samples: candidates.into_iter().map(pack).collect(),
    })
}

fn opening(engine: &mut Engine, rules: &Rules, random: &mut Random) -> Result<Game> {
    for _ in 0..MOST_OPENINGS {
        let start = rules.start(random)?;
        if let Some(game) = rules.opening.play(engine, &start, random.next_u64()) {
            return Ok(game);
        }
    }
    bail!("no opening can be balanced: try fewer random plies or another book")
}

impl Rules {
    fn start(&self, random: &mut Random) -> Result<Position> {
        if let Some(book) = &self.book {
            return Ok(book.opening(random.random_range(..book.len() as u64)).game()?.position().clone());
        }
        let mut number = || random.random_range(..960);
        let position = match self.variant {
            Variant::Chess => Some(Position::startpos()),
            Variant::Chess960 => Position::chess960(number()),
            Variant::DoubleChess960 => Position::double_chess960(number(), number()),
        };
        position.context("there are 960 start positions")
    }
}

fn for_white(position: &Position, value: i32) -> i16 {
    let value = if position.board().side_to_move() == Color::White { value } else { -value };
    // The rules keep it far inside.
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
            opening: RandomOpening { plies: 6, nodes: 200, most: 200 },
            variant: Variant::Chess,
            book: None,
            adjudication: Adjudication {
                draw: None,
                resign: Some(ResignRule { moves: 3, score: 500 }),
                max_moves: Some(60),
            },
            most: 1500,
        }
    }

    fn engine() -> Engine {
        Engine::new(Options { hash_mb: 1, ..Options::default() }).unwrap()
    }

    #[test]
    fn games_depend_on_their_number_alone() {
        let mut engine = engine();
        let mut game = |number| play(&mut engine, &rules(), number).unwrap();
        let [first, second] = [0, 1].map(&mut game);
        assert_ne!(first.samples, second.samples);
        assert_eq!(game(0), first);
        assert!(first.plies > 6);
    }

    #[test]
    fn what_is_kept_is_quiet_and_undecided() {
        for variant in [Variant::Chess, Variant::Chess960, Variant::DoubleChess960] {
            let rules = Rules { variant, ..rules() };
            let game = play(&mut engine(), &rules, 3).unwrap();
            assert!(!game.samples.is_empty());
            for bytes in &game.samples {
                let sample = Sample::from_bytes(bytes).unwrap();
                assert!(is_quiet(&sample.position), "{}", sample.position);
                assert!(i32::from(sample.score).abs() <= rules.most);
                assert_eq!(sample.half_points, game.half_points);
            }
        }
    }

    #[test]
    fn books_are_played_from() {
        let book = Book::from_epd("test", "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1\n").unwrap();
        let rules =
            Rules { book: Some(book), opening: RandomOpening { plies: 1, ..rules().opening }, ..rules() };
        let game = play(&mut engine(), &rules, 0).unwrap();
        let pieces = |bytes| Sample::from_bytes(bytes).unwrap().position.board().occupied().count();
        assert!(game.samples.iter().all(|bytes| pieces(bytes) <= 10));
        // After the only move there is, the game is over.
        let hopeless = Book::from_epd("test", "k7/8/8/8/8/8/1q6/K7 w - - 0 1\n").unwrap();
        let error = play(&mut engine(), &Rules { book: Some(hopeless), ..rules }, 0).unwrap_err();
        assert!(error.to_string().contains("no opening can be balanced"), "{error}");
    }
}
