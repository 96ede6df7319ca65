//! Matches between engines, and the `selfplay` command.
//!
//! `plan` describes a match. `runner` plays it: each slot plays games ([`game`]) with running engines
//! ([`match_engine`]; `xboard_engine` drives those that do not speak UCI) under the rules of [`tabiya_lab_common::referee`]; a collector counts the results (`scoreboard`), writes
//! them to disk (`run_folder`) and stops when the SPRT ([`crate::sprt`]) decides. `summary`, [`crate::ratings`] and `report`
//! present the results.

pub mod answer;
pub mod game;
pub(crate) mod history;
pub mod limits;
pub(crate) mod match_args;
pub mod match_engine;
pub(crate) mod pgn_out;
pub(crate) mod plan;
pub mod player;
mod progress;
pub(crate) mod report;
pub(crate) mod revisions;
pub(crate) mod run_folder;
mod runner;
mod scaling;
pub(crate) mod scoreboard;
pub(crate) mod session;
pub(crate) mod summary;
#[cfg(test)]
pub(crate) mod test_data;
pub(crate) mod trial;
mod xboard_engine;

use crate::sprt::forecast::Forecast;
use crate::sprt::{Model, Sprt};
use anyhow::{Context as _, Result, bail};
use match_args::{MatchArgs, OptionArgs};
use player::Player;
use std::path::PathBuf;
use tabiya_lab_common::interrupt;
use tabiya_workspace::build::{Optimisation, OtherRepository};
use tabiya_workspace::repository;

/// Command-line arguments of `selfplay`.
#[derive(clap::Args)]
#[command(after_help = "\
By default the working tree plays against HEAD (or HEAD~1 if nothing has changed since HEAD): 200 games at
5,000 nodes per move.

An engine is specified as name=...,cmd=...[,args=...][,dir=...][,proto=xboard][,option.NAME=VALUE]... and may have its own
limits (tc=, movetime=, nodes=, depth=). The first --engine replaces --new and the second --base; a single
one replaces --base. Hash, Threads and OwnBook are set to 16, 1 and false, and Ponder as --ponder says, on engines
that have these options, unless set explicitly.

The output folder receives games.pgn, games.jsonl (one line per game), state.json (for --resume),
report.json, report.html and games.html (the games, on a board).")]
pub struct SelfplayArgs {
    /// Base revision
    #[arg(long, value_name = "REV", conflicts_with = "engines")]
    base: Option<String>,
    /// Revision under test, or `worktree` [default: worktree]
    #[arg(long, value_name = "REV")]
    new: Option<String>,
    /// Build the revisions, all alike, without link-time optimisation: soon ready, at two thirds of the speed
    #[arg(long)]
    fast: bool,
    /// Take the revisions from the repository of another engine in this folder [default revisions: HEAD against HEAD~1]
    #[arg(long, value_name = "DIR", requires = "build", conflicts_with_all = ["engines", "fast"])]
    repository: Option<PathBuf>,
    /// Shell command that builds the other engine in the root of its sources, as in "make -C src EXE=../engine"
    #[arg(long, value_name = "COMMAND", requires = "repository")]
    build: Option<String>,
    /// Path of the program that --build writes, relative to the root of the sources
    #[arg(long, value_name = "PATH", default_value = "engine", requires = "repository")]
    program: PathBuf,
    /// Engine: `name=...,cmd=...[,args=...][,dir=...][,option.NAME=VALUE][,tc=|nodes=|...]`
    #[arg(long = "engine", value_name = "SPEC")]
    engines: Vec<Player>,
    #[command(flatten)]
    options: OptionArgs,
    /// Stop when an SPRT decides: elo0 elo1 alpha beta [default: 0 5 0.05 0.05]
    #[arg(long, num_args = 0..=4, value_names = ["ELO0", "ELO1", "ALPHA", "BETA"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Elo model of elo0 and elo1: normalized or logistic
    #[arg(long, default_value_t = Model::Normalized)]
    model: Model,
    #[command(flatten)]
    matches: MatchArgs,
}

/// Runs the command.
///
/// # Errors
/// If the arguments are inconsistent, an engine cannot be started, or the match fails.
pub fn run(args: &SelfplayArgs) -> Result<()> {
    if let Some(folder) = args.matches.play.resumed(session::RUNS)? {
        return session::resume(&folder, &args.matches.play);
    }
    // So that Ctrl-C during a build says what it ended.
    interrupt::on_interrupt()?;
    // Check the cheap arguments before building engines.
    let sprt = args.sprt()?;
    let players = args.players()?;
    let (mut plan, book) = args.matches.plan("Self-play", players, vec![[0, 1]], None)?;
    if let Some(sprt) = sprt {
        plan.sprt = Some(sprt);
        let limit;
        (plan.pairs, limit) = args.matches.sprt_pairs(&plan, &book);
        let forecast = Forecast::new(sprt, Some(2 * plan.pairs));
        println!("{forecast}");
        if let Some(warning) = forecast.warning(limit) {
            eprintln!("warning: {warning}");
        }
    }
    session::start(plan, &book, &args.matches.play)
}

impl SelfplayArgs {
    fn sprt(&self) -> Result<Option<Sprt>> {
        let Some(numbers) = &self.sprt else { return Ok(None) };
        let number = |index: usize, default| numbers.get(index).copied().unwrap_or(default);
        Ok(Some(Sprt::new(number(0, 0.0), number(1, 5.0), number(2, 0.05), number(3, 0.05), self.model)?))
    }

    /// The players of a match between two revisions of another repository.
    fn other_players(&self, repository: &OtherRepository) -> Result<Vec<Player>> {
        let new = self.new.as_deref().unwrap_or("HEAD");
        let base = self.base.as_deref().unwrap_or("HEAD~1");
        [new, base].map(|revision| revisions::player_of(repository, revision)).into_iter().collect()
    }

    fn other_repository(&self) -> Option<OtherRepository> {
        let (folder, build) = (self.repository.clone()?, self.build.clone()?);
        Some(OtherRepository { folder, build, program: self.program.clone() })
    }

    fn players(&self) -> Result<Vec<Player>> {
        if self.engines.len() < 2 && self.repository.is_none() {
            repository::sources().context(
                "without --engine cmd=PROGRAM for both players, or --repository and --build, Tabiya is built",
            )?;
        }
        let optimisation = if self.fast { Optimisation::Fast } else { Optimisation::Shipped };
        let base = || match &self.base {
            Some(revision) => revisions::player(revision, optimisation),
            None => revisions::player(revisions::default_base()?, optimisation),
        };
        let new = || revisions::player(self.new.as_deref().unwrap_or("worktree"), optimisation);
        let mut players = match (self.engines.as_slice(), &self.new) {
            ([], _) => match self.other_repository() {
                Some(repository) => self.other_players(&repository)?,
                None => vec![new()?, base()?],
            },
            ([other], _) => vec![new()?, other.clone()],
            ([_, _], Some(new)) => {
                bail!("--new {new} needs one --engine, the opponent, or none, but two are given")
            }
            ([new, base], None) => vec![new.clone(), base.clone()],
            (more, _) => bail!("a match has two engines, but --engine was given {} times", more.len()),
        };
        if self.engines.is_empty() && players[0].name() == players[1].name() {
            for (player, suffix) in players.iter_mut().zip(["new", "base"]) {
                player.command.name += &format!("-{suffix}");
            }
        }
        if let [new, base] = players.as_mut_slice() {
            self.options.add_to([new, base]);
        }
        Ok(players)
    }
}
