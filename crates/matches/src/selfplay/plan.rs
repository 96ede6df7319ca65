//! The plan of a match: players, pairings, openings and rules.

use super::match_engine::Timeouts;
use super::player::Player;
use crate::sprt::Sprt;
use anyhow::{Result, bail};
use std::path::PathBuf;
use tabiya_lab_common::openings::Book;
use tabiya_lab_common::referee::Adjudication;

/// A match. Saved with its results, so that it can be resumed.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Plan {
    /// The PGN tag `Event`.
    pub(crate) event: String,
    /// The players.
    pub(crate) players: Vec<Player>,
    /// Pairings of player indices; scores count for the first player.
    pub(crate) pairings: Vec<[usize; 2]>,
    /// Total number of game pairs. A pair is one opening played with both colours.
    pub(crate) pairs: u64,
    /// The openings.
    pub(crate) openings: Openings,
    /// Adjudication rules.
    pub(crate) adjudication: Adjudication,
    /// Timeouts.
    #[serde(rename = "patience")]
    pub(crate) timeouts: Timeouts,
    /// The SPRT that may end the match; requires a single pairing.
    pub(crate) sprt: Option<Sprt>,
    /// Index and rating of the anchor of the rating table, in a gauntlet.
    pub(crate) anchor: Option<(usize, f64)>,
    /// True for `scaling`: the pairings are levels of nodes, and the report fits a line through their results.
    #[serde(default)]
    pub(crate) scaling: bool,
    /// Folders of Syzygy tables that end games.
    #[serde(default)]
    pub(crate) syzygy: Vec<PathBuf>,
    /// True if the games are Chess960.
    pub(crate) chess960: bool,
    /// Error handling and output.
    #[serde(rename = "conduct")]
    pub(crate) options: MatchOptions,
}

/// Identifies a game of a match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct GameId {
    /// Index of the pair, from 0.
    pub(crate) pair: u64,
    /// Game of the pair: 0 if the pairing's first player has White, else 1.
    pub(crate) game: usize,
}

/// Book and order of the openings.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Openings {
    /// Book file or name of a built-in book; `None` for the default book.
    pub(crate) file: Option<PathBuf>,
    /// Maximum number of plies taken from a PGN game.
    pub(crate) plies: usize,
    /// Shuffle seed; `None` keeps the order of the book.
    pub(crate) seed: Option<u64>,
    /// Number of openings to skip.
    pub(crate) skip: u64,
    /// Fingerprint of the book, to notice a change before resuming.
    pub(crate) fingerprint: u64,
    /// True if openings that repeat earlier ones are left out. False in runs of earlier versions, whose numbers of openings count
    /// them.
    #[serde(default)]
    pub(crate) distinct: bool,
}

/// Error handling and output of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct MatchOptions {
    /// Continue after an engine has crashed, stalled or disconnected.
    pub(crate) recover: bool,
    /// Restart the engines before every game.
    pub(crate) restart: bool,
    /// Check every PV, and fail at the end if there was a fault or a warning.
    pub(crate) strict: bool,
    /// Omit dates and times from the PGN.
    pub(crate) reproducible: bool,
    /// Write PV, selective depth, speed, hash occupancy and time left into the PGN.
    #[serde(default)]
    pub(crate) pgn_details: bool,
    /// Let engines think while their opponents do.
    #[serde(default)]
    pub(crate) ponder: bool,
    /// Set the options again before every game.
    #[serde(default)]
    pub(crate) resend_options: bool,
    /// Run the engines of each parallel game on processors of their own.
    #[serde(default)]
    pub(crate) affinity: bool,
}

impl Openings {
    /// Loads and orders the book.
    ///
    /// # Errors
    /// If the book cannot be loaded.
    pub(crate) fn load(&self) -> Result<Book> {
        let mut book = match &self.file {
            None => Book::default_book()?,
            Some(file) => Book::open(file, self.plies)?,
        };
        if self.distinct {
            let all = book.len();
            let repeats = book.remove_repeats()?;
            if repeats > 0 {
                eprintln!(
                    "note: {repeats} of {all} openings of the book {} repeat earlier ones and are left out",
                    book.name
                );
            }
        }
        if let Some(seed) = self.seed {
            book.shuffle(seed);
        }
        Ok(book)
    }

    /// Checks that the book has not changed since the run started.
    ///
    /// # Errors
    /// If it has.
    pub(crate) fn check_unchanged(&self, book: &Book) -> Result<()> {
        if book.fingerprint != self.fingerprint {
            bail!(
                "the book {} has changed since the run began; its games would not be comparable",
                book.name
            );
        }
        Ok(())
    }
}

impl Plan {
    /// Players of a pair of games; the first has White in the first game.
    pub(crate) fn players_of(&self, pair: u64) -> [usize; 2] {
        self.pairings[self.pairing_of(pair)]
    }

    /// Players of a game: White and Black.
    pub(crate) fn white_and_black(&self, id: GameId) -> [usize; 2] {
        let [first, second] = self.players_of(id.pair);
        if id.game == 0 { [first, second] } else { [second, first] }
    }

    /// Pairing of a pair of games: pairings take turns.
    pub(crate) fn pairing_of(&self, pair: u64) -> usize {
        (pair % self.pairings.len() as u64) as usize
    }

    /// Opening number of a pair of games; all pairings play the same openings.
    pub(crate) fn opening_of(&self, pair: u64) -> u64 {
        self.openings.skip + pair / self.pairings.len() as u64
    }

    /// The number of processors that a game keeps busy: the largest number of threads of an engine, or with pondering the sum of the
    /// two largest.
    pub(crate) fn processors_per_game(&self) -> usize {
        let mut threads: Vec<usize> = self.players.iter().map(Player::threads).collect();
        threads.sort_unstable_by(|a, b| b.cmp(a));
        threads.iter().take(if self.options.ponder { 2 } else { 1 }).sum()
    }

    /// Checks that deterministic engines do not play the same opening twice: repeated games would count
    /// twice without adding information.
    ///
    /// # Errors
    /// If they would.
    pub(crate) fn check_repeats(&self, book: &Book) -> Result<()> {
        let deterministic = self.players.iter().all(|player| player.limits.is_deterministic());
        let openings = self.pairs.div_ceil(self.pairings.len() as u64);
        if deterministic && openings > book.len() as u64 {
            bail!(
                "the book {} has {} openings, enough for {} games; with node or depth limits more would repeat the \
                 same games: use a larger --book, fewer --games, or a time control",
                book.name,
                book.len(),
                2 * book.len() * self.pairings.len(),
            );
        }
        Ok(())
    }

    /// Checks that programs, files that options name, and book have not changed since the match started.
    ///
    /// # Errors
    /// If one has changed or is missing; the message names it.
    pub(crate) fn check_unchanged(&self, book: &Book) -> Result<()> {
        for player in &self.players {
            player.check_unchanged()?;
        }
        self.openings.check_unchanged(book)
    }
}
