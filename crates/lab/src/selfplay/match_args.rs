//! The part of the command line that every kind of match has.

use super::limits::{Limits, TimeControl};
use super::match_engine::Timeouts;
use super::openings::Book;
use super::plan::{MatchOptions, Openings, Plan};
use super::player::Player;
use super::referee::{Adjudication, DrawRule, ResignRule};
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Where neither `--games` nor a test says how long a match is.
const DEFAULT_GAMES: u64 = 200;

/// Where a test says when a match ends, but time limits let openings come again.
const MAX_GAMES: u64 = 100_000;

/// How games are played, in every command that plays them with engines.
#[derive(clap::Args)]
pub(crate) struct PlayArgs {
    /// Nodes a move [default, where no limit is given: 5000]
    #[arg(long, value_name = "N", help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth in plies
    #[arg(long, value_name = "N", help_heading = "Limits", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// A clock: [moves/]seconds[+seconds], as in 10+0.1
    #[arg(long, value_name = "TC", help_heading = "Limits")]
    tc: Option<TimeControl>,

    /// Games at the same time, each with processes of its own [default: the number of processors]
    #[arg(long, short = 'j', value_name = "N")]
    concurrency: Option<usize>,

    /// The openings: a file in PGN (.pgn) or with one EPD or FEN a line [default: 2,000 built in]
    #[arg(long, value_name = "FILE", help_heading = "Openings")]
    book: Option<PathBuf>,
    /// The order of the openings
    #[arg(long, value_enum, default_value_t = Order::Random, help_heading = "Openings")]
    order: Order,
    /// The seed of what is random; the same seed gives the same games
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Openings")]
    pub(crate) seed: u64,
    /// Openings left out at the start
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Openings")]
    skip: u64,
    /// Half-moves taken of each game of a PGN book
    #[arg(long, value_name = "N", default_value_t = 16, help_heading = "Openings")]
    plies: usize,

    /// Adjudicate draws: from-move,moves,centipawns, as in 34,8,20
    #[arg(long, value_name = "RULE", help_heading = "Referee")]
    draw: Option<DrawRule>,
    /// Adjudicate wins on which both sides agree: moves,centipawns, as in 3,600
    #[arg(long, value_name = "RULE", help_heading = "Referee")]
    resign: Option<ResignRule>,
    /// Adjudicate as a draw after so many moves
    #[arg(long, value_name = "N", help_heading = "Referee", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,
    /// Milliseconds a move may come late
    #[arg(long, value_name = "MS", default_value_t = 100, help_heading = "Referee")]
    time_margin: u64,
    /// Milliseconds an engine may take to start
    #[arg(long, value_name = "MS", default_value_t = 10_000, help_heading = "Referee")]
    startup_timeout: u64,
    /// Milliseconds an engine may take to answer isready and stop
    #[arg(long, value_name = "MS", default_value_t = 10_000, help_heading = "Referee")]
    ping_timeout: u64,
    /// Milliseconds for a move that only nodes or depth limit
    #[arg(long, value_name = "MS", default_value_t = 60_000, help_heading = "Referee")]
    stall_timeout: u64,
    /// Go on with a new process after an engine has crashed, stalled or left
    #[arg(long, help_heading = "Referee")]
    pub(crate) recover: bool,

    /// The folder for games, state and reports [default: a new one below target/lab]
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub(crate) out: Option<PathBuf>,
    /// Go on with the interrupted run of this folder; of the other arguments only --concurrency counts
    #[arg(long, value_name = "DIR", help_heading = "Results", conflicts_with = "out")]
    pub(crate) resume: Option<PathBuf>,
}

/// The part of the command line that every kind of match has.
#[derive(clap::Args)]
pub(crate) struct MatchArgs {
    /// Games, rounded up to whole pairs; in a gauntlet for each pairing [default: 200; with a test as many
    /// as it takes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    #[command(flatten)]
    pub(crate) play: PlayArgs,
    /// Start the engines anew for each game
    #[arg(long, help_heading = "Referee")]
    restart: bool,
    /// Check the moves of every variation, and fail in the end where anything was wrong
    #[arg(long, help_heading = "Referee")]
    strict: bool,
    /// The tag Event of the games
    #[arg(long, value_name = "NAME", help_heading = "Results")]
    event: Option<String>,
    /// Leave dates and times out of the games: the same seed, nodes or depth, and --concurrency 1 give the
    /// same file, byte for byte
    #[arg(long, help_heading = "Results")]
    reproducible: bool,
    /// Collect positions where a loser's score dropped by so many centipawns in blunders.epd, with the only
    /// right move where a longer search finds one, as proposals for tests/data/regressions.epd
    #[arg(long, value_name = "CENTIPAWNS", num_args = 0..=1, default_missing_value = "200", help_heading = "Results")]
    collect_blunders: Option<i32>,
}

/// The order of the openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Order {
    /// Shuffled by the seed
    Random,
    /// As in the book
    Sequential,
}

impl PlayArgs {
    /// How many games are played at the same time.
    pub(crate) fn slots(&self) -> usize {
        self.concurrency.unwrap_or_else(tabiya_workspace::repository::processors).max(1)
    }

    /// How long players without limits of their own may think.
    pub(crate) fn limits(&self) -> Limits {
        let given = Limits { clock: self.tc, movetime: self.movetime, nodes: self.nodes, depth: self.depth };
        if given.is_empty() { Limits { nodes: Some(5000), ..given } } else { given }
    }

    /// The openings, and the book that they are in.
    ///
    /// # Errors
    /// When the book cannot be used.
    pub(crate) fn openings(&self) -> Result<(Openings, Book)> {
        let file = match &self.book {
            None => None,
            Some(book) => Some(std::path::absolute(book).context("the current folder is gone")?),
        };
        let mut openings = Openings {
            file,
            plies: self.plies,
            seed: (self.order == Order::Random).then_some(self.seed),
            skip: self.skip,
            fingerprint: 0,
        };
        let book = openings.load()?;
        openings.fingerprint = book.fingerprint;
        Ok((openings, book))
    }

    /// When games are broken off.
    pub(crate) fn adjudication(&self) -> Adjudication {
        Adjudication { draw: self.draw, resign: self.resign, max_moves: self.max_moves }
    }

    /// How long engines are waited for.
    pub(crate) fn timeouts(&self) -> Timeouts {
        Timeouts {
            startup: self.startup_timeout,
            ping: self.ping_timeout,
            stall: self.stall_timeout,
            margin: self.time_margin,
        }
    }
}

impl MatchArgs {
    /// The plan of a new match, and its book.
    ///
    /// # Errors
    /// When a player or the book cannot be used.
    pub(crate) fn plan(
        &self,
        event: &str,
        mut players: Vec<Player>,
        pairings: Vec<[usize; 2]>,
        anchor: Option<(usize, f64)>,
    ) -> Result<(Plan, Book)> {
        let common = self.play.limits();
        let mut names = BTreeSet::new();
        for player in &mut players {
            if !names.insert(player.command.name.clone()) {
                bail!("two players are called {:?}: give one of them another name=", player.name());
            }
            if player.limits.is_empty() {
                player.limits = common.clone();
            }
            player.locate()?;
        }
        let (openings, book) = self.play.openings()?;
        let plan = Plan {
            event: self.event.clone().unwrap_or_else(|| event.to_owned()),
            pairs: self.games.unwrap_or(DEFAULT_GAMES).div_ceil(2) * pairings.len() as u64,
            players,
            pairings,
            openings,
            adjudication: self.play.adjudication(),
            timeouts: self.play.timeouts(),
            sprt: None,
            anchor,
            chess960: book.chess960,
            options: MatchOptions {
                recover: self.play.recover,
                restart: self.restart,
                strict: self.strict,
                reproducible: self.reproducible,
                blunders: self.collect_blunders,
            },
        };
        plan.check_repeats(&book)?;
        Ok((plan, book))
    }

    /// The number of pairs of a match that a test ends.
    pub(super) fn pairs_of_test(&self, plan: &Plan, book: &Book) -> u64 {
        let deterministic = plan.players.iter().all(|player| player.limits.is_deterministic());
        match self.games {
            Some(games) => games.div_ceil(2),
            None if deterministic => book.len() as u64,
            None => MAX_GAMES / 2,
        }
    }
}
