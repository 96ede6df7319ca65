//! `cargo xtask selfplay`: a match between two engines, judged by the results of pairs of games.
//!
//! A match is a [`plan`]. Slots play its games ([`runner`], [`game`], [`engine`]) under a [`referee`];
//! one collector counts ([`scoreboard`]) and keeps them ([`store`]), and stops when the test ([`sprt`]) says
//! so. [`report`] and [`summary`] tell what came out.

mod blunders;
pub(crate) mod fingerprint;
pub(crate) mod game;
pub(crate) mod limits;
pub(crate) mod match_args;
pub(crate) mod match_engine;
pub(crate) mod openings;
mod pgn_out;
pub(crate) mod plan;
pub(crate) mod player;
mod progress;
mod ratings;
pub(crate) mod referee;
mod report;
pub(crate) mod revisions;
mod run_folder;
mod runner;
pub(crate) mod scoreboard;
pub(crate) mod session;
pub(crate) mod sprt;
pub(crate) mod stats;
pub(crate) mod summary;
#[cfg(test)]
pub(crate) mod test_data;

use crate::engine_argument::name_and_value;
use anyhow::{Result, bail};
use match_args::MatchArgs;
use player::Player;
use sprt::{Model, Sprt};

/// The command line.
#[derive(clap::Args)]
#[command(after_help = "\
Without arguments the working tree plays against the last commit (or, where nothing has changed since,
against the one before it): 200 games at 5,000 nodes a move.

An engine is given as name=...,cmd=...[,args=...][,dir=...][,option.NAME=VALUE]... and may have limits of
its own (tc=, movetime=, nodes=, depth=). The first --engine plays in place of --new and the second in place
of --base; a single one in place of --base. Where an engine has the options Hash, Threads, Ponder and
OwnBook, and nothing else is said, they are set to 16, 1, false and false.

Everything goes to a folder: games.pgn, games.jsonl (one line a game), state.json (to go on from with
--resume), report.json and report.html.")]
pub struct Args {
    /// The revision to compare with
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// The revision to test, or `worktree`
    #[arg(long, value_name = "REV", default_value = "worktree")]
    new: String,
    /// An engine: `name=...,cmd=...[,args=...][,dir=...][,option.NAME=VALUE][,tc=|nodes=|...]`
    #[arg(long = "engine", value_name = "SPEC")]
    engines: Vec<Player>,
    /// A UCI option of both players, NAME=VALUE
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
    /// A UCI option of the player to test
    #[arg(long = "new-option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    new_options: Vec<(String, String)>,
    /// A UCI option of the player to compare with
    #[arg(long = "base-option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    base_options: Vec<(String, String)>,
    /// Stop as soon as a sequential test is sure: elo0 elo1 alpha beta [default, where fewer are given:
    /// 0 5 0.05 0.05]
    #[arg(long, num_args = 0..=4, value_names = ["ELO0", "ELO1", "ALPHA", "BETA"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// The scale of elo0 and elo1: normalized or logistic
    #[arg(long, default_value_t = Model::Normalized)]
    model: Model,
    #[command(flatten)]
    matches: MatchArgs,
}

/// Runs the command.
///
/// # Errors
/// When the command line makes no sense, an engine cannot be used, or the match cannot go on.
pub fn run(args: &Args) -> Result<()> {
    if let Some(folder) = &args.matches.play.resume {
        return session::resume(folder, &args.matches.play);
    }
    // First what costs nothing to check.
    let sprt = args.test()?;
    let players = args.players()?;
    let (mut plan, book) = args.matches.plan("Self-play", players, vec![[0, 1]], None)?;
    if let Some(sprt) = sprt {
        plan.sprt = Some(sprt);
        plan.pairs = args.matches.pairs_of_test(&plan, &book);
        plan.check_repeats(&book)?;
    }
    session::start(plan, &book, &args.matches.play)
}

impl Args {
    fn test(&self) -> Result<Option<Sprt>> {
        let Some(numbers) = &self.sprt else { return Ok(None) };
        let number = |index: usize, default| numbers.get(index).copied().unwrap_or(default);
        Ok(Some(Sprt::new(number(0, 0.0), number(1, 5.0), number(2, 0.05), number(3, 0.05), self.model)?))
    }

    fn players(&self) -> Result<Vec<Player>> {
        let base = || match &self.base {
            Some(revision) => revisions::player(revision),
            None => revisions::player(revisions::default_base()?),
        };
        let mut players = match self.engines.as_slice() {
            [] => vec![revisions::player(&self.new)?, base()?],
            [other] => vec![revisions::player(&self.new)?, other.clone()],
            [new, base] => vec![new.clone(), base.clone()],
            more => bail!("a match is between two engines, but --engine was given {} times", more.len()),
        };
        if self.engines.is_empty() && players[0].name() == players[1].name() {
            for (player, suffix) in players.iter_mut().zip(["new", "base"]) {
                player.command.name += &format!("-{suffix}");
            }
        }
        for (player, own) in players.iter_mut().zip([&self.new_options, &self.base_options]) {
            player.options.extend(self.options.iter().chain(own).cloned());
        }
        Ok(players)
    }
}
