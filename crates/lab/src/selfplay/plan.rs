//! Everything that decides which games a match consists of.

use super::match_engine::Timeouts;
use super::openings::Book;
use super::player::Player;
use super::referee::Adjudication;
use super::sprt::Sprt;
use anyhow::{Result, bail};
use std::path::PathBuf;

/// A match: kept with its results, so that it can go on after an interruption.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Plan {
    /// The tag `Event` of the games.
    pub(crate) event: String,
    /// The players.
    pub(crate) players: Vec<Player>,
    /// Who meets whom, by index; the first one's score is what is counted.
    pub(crate) pairings: Vec<[usize; 2]>,
    /// How many pairs of games are played in all: each opening by both players with both colours.
    pub(crate) pairs: u64,
    /// The openings.
    pub(crate) openings: Openings,
    /// When games are broken off.
    pub(crate) adjudication: Adjudication,
    /// How long engines are waited for.
    #[serde(rename = "patience")]
    pub(crate) timeouts: Timeouts,
    /// The test that may end the match early; only with one pairing.
    pub(crate) sprt: Option<Sprt>,
    /// The player whose rating is given, and the rating: in a gauntlet.
    pub(crate) anchor: Option<(usize, f64)>,
    /// Is it Chess960?
    pub(crate) chess960: bool,
    /// What to do about engines that misbehave, and what to write.
    #[serde(rename = "conduct")]
    pub(crate) options: MatchOptions,
}

/// Which openings are played, in which order.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Openings {
    /// The file; the built-in book where `None`.
    pub(crate) file: Option<PathBuf>,
    /// How many half-moves of a PGN game are taken.
    pub(crate) plies: usize,
    /// The seed of the order; the order of the book where `None`.
    pub(crate) seed: Option<u64>,
    /// How many openings are left out first.
    pub(crate) skip: u64,
    /// Tells whether the book is still the same when the match goes on.
    pub(crate) fingerprint: u64,
}

/// What to do about engines that misbehave, and what to write.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct MatchOptions {
    /// Go on after an engine has crashed, stalled or left.
    pub(crate) recover: bool,
    /// Start the engines anew for each game.
    pub(crate) restart: bool,
    /// Check every principal variation, and end in failure where anything was wrong.
    pub(crate) strict: bool,
    /// Leave out of the games' text what differs from run to run: dates and times.
    pub(crate) reproducible: bool,
    /// Collect positions where a loser's score dropped by so many centipawns in one move.
    pub(crate) blunders: Option<i32>,
}

impl Openings {
    /// Reads the book and puts it into order.
    ///
    /// # Errors
    /// When the book cannot be used.
    pub(crate) fn load(&self) -> Result<Book> {
        let mut book = match &self.file {
            None => Book::builtin()?,
            Some(file) => Book::read(file, self.plies)?,
        };
        if let Some(seed) = self.seed {
            book.shuffle(seed);
        }
        Ok(book)
    }
}

impl Plan {
    /// The players of a pair of games; the first one has White in the first game.
    pub(crate) fn players_of(&self, pair: u64) -> [usize; 2] {
        self.pairings[self.pairing_of(pair)]
    }

    /// Which pairing a pair of games belongs to: they take turns.
    pub(crate) fn pairing_of(&self, pair: u64) -> usize {
        (pair % self.pairings.len() as u64) as usize
    }

    /// The number of the opening of a pair of games; all pairings play the same ones.
    pub(crate) fn opening_of(&self, pair: u64) -> u64 {
        self.openings.skip + pair / self.pairings.len() as u64
    }

    /// Would an opening come twice, with engines that play the same game again? Their results would
    /// count twice without telling anything.
    ///
    /// # Errors
    /// When that is so.
    pub(crate) fn check_repeats(&self, book: &Book) -> Result<()> {
        let deterministic = self.players.iter().all(|player| player.limits.is_deterministic());
        let openings = self.pairs.div_ceil(self.pairings.len() as u64);
        if deterministic && openings > book.len() as u64 {
            bail!(
                "the book {} has {} openings, for {} games; more would only repeat the same games, because \
                 the players are limited by nodes or depth: give a larger --book, fewer --games, or a time \
                 control",
                book.name,
                book.len(),
                2 * book.len() * self.pairings.len(),
            );
        }
        Ok(())
    }

    /// Are the programs and the book what they were when the match began?
    ///
    /// # Errors
    /// When one of them is not, or is gone; the message names it.
    pub(crate) fn check_unchanged(&self, book: &Book) -> Result<()> {
        for player in &self.players {
            if player.current_fingerprint()? != player.fingerprint {
                bail!(
                    "engine {:?}: {} has changed since the match began; its games would not be comparable",
                    player.name(),
                    player.command.program.display(),
                );
            }
        }
        if book.fingerprint != self.openings.fingerprint {
            bail!("the book {} has changed since the match began", book.name);
        }
        Ok(())
    }
}
