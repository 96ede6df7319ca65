//! Command-line arguments shared by all commands that play games.

use super::limits::{Limits, TimeControl};
use super::match_engine::Timeouts;
use super::plan::{MatchOptions, Openings, Plan};
use super::player::Player;
use crate::sprt::forecast::Limit;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::path::PathBuf;
use tabiya_lab_common::openings::Book;
use tabiya_lab_common::option_argument::name_and_value;
use tabiya_lab_common::referee::{Adjudication, DrawRule, ResignRule};
use tabiya_lab_common::tablebases::TablebaseAdjudicator;
use tabiya_workspace::repository;

/// Number of games if neither `--games` nor `--sprt` is given.
const DEFAULT_GAMES: u64 = 200;

/// Maximum number of games of an SPRT with time limits, where openings may repeat.
const MAX_GAMES: u64 = 100_000;

/// Arguments of all commands that play games between engines.
#[derive(clap::Args)]
pub(crate) struct PlayArgs {
    /// Nodes per move [default without other limits: 5000]
    #[arg(long, value_name = "N", help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search depth in plies
    #[arg(long, value_name = "N", help_heading = "Limits", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Milliseconds per move
    #[arg(long, value_name = "MS", help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Time control: [moves/]time[+increment], as in 10+0.1, 40/5:00+1 or 3m+2s
    #[arg(long, value_name = "TC", help_heading = "Limits")]
    tc: Option<TimeControl>,
    /// Run the clocks by the time that engines report: for engines that measure time in nodes, as Tabiya with
    /// its option nodestime, so that time management is tested reproducibly on a busy machine. Nobody loses on time; moves that take
    /// longer than the clock has are counted
    #[arg(long, help_heading = "Limits")]
    pub(crate) engine_time: bool,

    /// Games played in parallel, each with its own engine processes [default: number of processors, divided by those that a game keeps busy]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: Option<u32>,

    /// Opening book: PGN (.pgn), one EPD or FEN per line, or packed by `cargo xtask book`; or a built-in one: `balanced` (32,000
    /// openings) or `unbalanced` (20,000), or the start positions `chess960` (960) or `double-chess960` (50,000). Openings that lead
    /// to the position of an earlier one are left out [default: balanced]
    #[arg(long, value_name = "FILE", help_heading = "Openings")]
    book: Option<PathBuf>,
    /// Order of the openings
    #[arg(long, value_enum, default_value_t = Order::Random, help_heading = "Openings")]
    order: Order,
    /// Seed of the order of the openings, and in SPSA of the perturbations
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Openings")]
    pub(crate) seed: u64,
    /// Number of openings to skip
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Openings")]
    skip: u64,
    /// Plies taken from each game of a PGN book
    #[arg(long, value_name = "N", default_value_t = 16, help_heading = "Openings")]
    plies: usize,

    /// Adjudicate draws: from-move,moves,centipawns, as in 34,8,20. Captures and pawn moves restart the count
    #[arg(long, value_name = "RULE", help_heading = "Adjudication and faults")]
    draw: Option<DrawRule>,
    /// Adjudicate wins: moves,centipawns, as in 3,600, if both engines agree; 3,600,one-sided if the loser says so
    #[arg(long, value_name = "RULE", help_heading = "Adjudication and faults")]
    resign: Option<ResignRule>,
    /// Adjudicate a draw after this many moves, those of the opening included. As in --draw, they are counted from the book's start
    /// position, whatever the move number in its FEN
    #[arg(long, value_name = "N", help_heading = "Adjudication and faults", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,
    /// Milliseconds by which a move may exceed the time limit; such moves are counted
    #[arg(long, value_name = "MS", default_value_t = 0, help_heading = "Adjudication and faults")]
    time_margin: u64,
    /// Milliseconds an engine may take to start
    #[arg(long, value_name = "MS", default_value_t = 10_000, help_heading = "Adjudication and faults")]
    startup_timeout: u64,
    /// Milliseconds an engine may take to answer isready and stop
    #[arg(long, value_name = "MS", default_value_t = 10_000, help_heading = "Adjudication and faults")]
    ping_timeout: u64,
    /// Milliseconds for a move without a time limit, or with --engine-time
    #[arg(long, value_name = "MS", default_value_t = 60_000, help_heading = "Adjudication and faults")]
    stall_timeout: u64,
    /// Restart engines that crash, stall, disconnect or do not start instead of ending the match
    #[arg(long, help_heading = "Adjudication and faults")]
    pub(crate) recover: bool,

    /// Output folder for games, state and reports [default: a new folder below target/runs]
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub(crate) out: Option<PathBuf>,
    /// Resume the interrupted run in this folder [default: the last run in target/runs]; other arguments except --concurrency,
    /// --recover and, in SPSA, --write are ignored
    #[arg(long, value_name = "DIR", num_args = 0..=1, help_heading = "Results", conflicts_with = "out")]
    resume: Option<Option<PathBuf>>,
}

/// Arguments of all match commands.
#[derive(clap::Args)]
pub(crate) struct MatchArgs {
    /// Number of games, rounded up to whole pairs; per pairing in a gauntlet, per level of scaling [default: 200; with --sprt
    /// as many as needed]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: Option<u64>,
    #[command(flatten)]
    pub(crate) play: PlayArgs,
    /// Adjudicate by the Syzygy tables in this folder; may be repeated
    #[arg(long, value_name = "DIR", help_heading = "Adjudication and faults")]
    syzygy: Vec<PathBuf>,
    /// Restart the engines before every game
    #[arg(long, help_heading = "Adjudication and faults")]
    restart: bool,
    /// Set all options again before every game
    #[arg(long, help_heading = "Adjudication and faults")]
    resend_options: bool,
    /// Check the legality of every PV, and fail at the end if there was a fault or a warning
    #[arg(long, help_heading = "Adjudication and faults")]
    strict: bool,
    /// Let engines think while their opponents do; needs a time limit
    #[arg(long, help_heading = "Limits")]
    ponder: bool,
    /// Pin each parallel game to its own processors: one for each thread of an engine (option Threads), with --ponder of both
    /// engines. Linux only
    #[arg(long, help_heading = "Limits")]
    affinity: bool,
    /// Event tag of the PGN games
    #[arg(long, value_name = "NAME", help_heading = "Results")]
    event: Option<String>,
    /// Omit dates and times from the PGN: with the same seed, node or depth limits, and --concurrency 1,
    /// the file is identical byte for byte
    #[arg(long, help_heading = "Results")]
    reproducible: bool,
    /// Add PV, selective depth, speed, hash occupancy and time left to the comments of the PGN
    #[arg(long, help_heading = "Results", conflicts_with = "reproducible")]
    pgn_details: bool,
}

/// UCI options of the players of a match between two.
#[derive(clap::Args)]
pub(crate) struct OptionArgs {
    /// UCI option of both players
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
    /// UCI option of the player under test
    #[arg(long = "new-option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    new_options: Vec<(String, String)>,
    /// UCI option of the base player
    #[arg(long = "base-option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    base_options: Vec<(String, String)>,
}

impl OptionArgs {
    /// Adds the options to the player under test and the base player.
    pub(crate) fn add_to(&self, players: [&mut Player; 2]) {
        for (player, own) in players.into_iter().zip([&self.new_options, &self.base_options]) {
            player.options.extend(self.options.iter().chain(own).cloned());
        }
    }
}

/// Makes paths absolute, so that a match can be resumed from another folder.
fn absolute(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let absolute = |path: &PathBuf| std::path::absolute(path).context("the current directory does not exist");
    paths.iter().map(absolute).collect()
}

/// Order of the openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Order {
    /// Shuffled with the seed
    Random,
    /// As in the book
    Sequential,
}

impl PlayArgs {
    /// The folder of the run to resume: the given one, or the last one of its kind. `None` for a new run.
    ///
    /// # Errors
    /// If there is no run of this kind.
    pub(crate) fn resumed(&self, kind: &str) -> Result<Option<PathBuf>> {
        match &self.resume {
            None => Ok(None),
            Some(Some(folder)) => Ok(Some(folder.clone())),
            Some(None) => repository::last_run_folder(kind).map(Some),
        }
    }

    /// Number of games played in parallel: as given, or as `before` the run was interrupted, or as many as keep the processors busy.
    pub(crate) fn slots(&self, before: Option<usize>, processors_per_game: usize) -> usize {
        let default = || before.unwrap_or(repository::processors() / processors_per_game.max(1));
        self.concurrency.map_or_else(default, |count| count as usize).max(1)
    }

    /// The limits given; none if there are no such arguments.
    pub(crate) fn given_limits(&self) -> Limits {
        Limits {
            clock: self.tc,
            movetime: self.movetime,
            nodes: self.nodes,
            depth: self.depth,
            engine_time: self.engine_time,
        }
    }

    /// Default limits, for players that have none.
    pub(crate) fn limits(&self) -> Limits {
        let given = self.given_limits();
        if given.is_empty() { Limits { nodes: Some(5000), ..given } } else { given }
    }

    /// Returns the opening settings and the loaded book.
    ///
    /// # Errors
    /// If the book cannot be loaded.
    pub(crate) fn openings(&self) -> Result<(Openings, Book)> {
        let file = match &self.book {
            None => None,
            // A name is not made absolute.
            Some(book) if Book::is_name(book) => Some(book.clone()),
            Some(book) => absolute(std::slice::from_ref(book))?.pop(),
        };
        let mut openings = Openings {
            file,
            plies: self.plies,
            seed: (self.order == Order::Random).then_some(self.seed),
            skip: self.skip,
            fingerprint: 0,
            distinct: true,
        };
        let book = openings.load()?;
        openings.fingerprint = book.fingerprint;
        Ok((openings, book))
    }

    /// The adjudication rules.
    pub(crate) fn adjudication(&self) -> Adjudication {
        Adjudication { draw: self.draw, resign: self.resign, max_moves: self.max_moves }
    }

    /// The timeouts.
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
    /// Returns the plan of a new match and its book.
    ///
    /// # Errors
    /// If a player or the book is not usable.
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
                bail!("two players are named {:?}; give one another name=", player.name());
            }
            if player.limits.is_empty() {
                player.limits = common.clone();
            }
            player.limits.engine_time |= self.play.engine_time;
            player.check_limits()?;
            player.locate()?;
            if self.ponder && player.limits.is_deterministic() {
                bail!("--ponder: {:?} has no time limit; use --tc", player.name());
            }
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
            scaling: false,
            chess960: book.chess960,
            syzygy: absolute(&self.syzygy)?,
            options: MatchOptions {
                recover: self.play.recover,
                restart: self.restart,
                strict: self.strict,
                reproducible: self.reproducible,
                pgn_details: self.pgn_details,
                ponder: self.ponder,
                resend_options: self.resend_options,
                affinity: self.affinity,
            },
        };
        // Before the run folder is created.
        TablebaseAdjudicator::open(&plan.syzygy)?;
        Ok((plan, book))
    }

    /// Maximum number of pairs of an SPRT, with the reason.
    pub(super) fn sprt_pairs(&self, plan: &Plan, book: &Book) -> (u64, Limit) {
        let deterministic = plan.players.iter().all(|player| player.limits.is_deterministic());
        match self.games {
            Some(games) => (games.div_ceil(2), Limit::Games),
            None if deterministic => (book.len() as u64, Limit::Openings),
            None => (MAX_GAMES / 2, Limit::Games),
        }
    }
}
