//! `cargo xtask gauntlet`: one engine against many, and what that makes of its rating.

mod roster;

use crate::engine_argument::name_and_value;
use crate::selfplay::match_args::MatchArgs;
use crate::selfplay::player::Player;
use crate::selfplay::{revisions, session};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

/// The command line.
#[derive(clap::Args)]
#[command(after_help = "\
The opponents are the engines given with --engine and --engines or, without any, the known engines that
are installed (stockfish, fairy-stockfish, toga2, glaurung, gnuchess). A list of engines is a TOML file:

    [[engine]]
    name = \"stockfish-1800\"
    cmd = \"/usr/games/stockfish\"
    options = { UCI_LimitStrength = true, UCI_Elo = 1800 }

with the optional keys args (a list), dir, tc, movetime (ms), nodes and depth.

Every opponent gets the same openings, with both colours. The table gives the ratings that explain the
results best (logistic model), with 95 % intervals relative to the anchor.")]
pub struct Args {
    /// The revision to test, or `worktree`
    #[arg(long, value_name = "REV", default_value = "worktree", conflicts_with = "hero")]
    new: String,
    /// Test this engine instead, given like --engine
    #[arg(long, value_name = "SPEC")]
    hero: Option<Player>,
    /// An opponent: `name=...,cmd=...[,args=...][,dir=...][,option.NAME=VALUE][,tc=|nodes=|...]`
    #[arg(long = "engine", value_name = "SPEC")]
    engines: Vec<Player>,
    /// A list of opponents
    #[arg(long = "engines", value_name = "FILE.toml")]
    lists: Vec<PathBuf>,
    /// Add the known engines that are installed to those given
    #[arg(long)]
    discover: bool,
    /// The engine whose rating is given; the first opponent where not set
    #[arg(long, value_name = "NAME")]
    anchor: Option<String>,
    /// Its rating
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    anchor_elo: f64,
    /// Let the opponents play each other, too
    #[arg(long)]
    round_robin: bool,
    /// A UCI option of the engine to test, NAME=VALUE
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
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
    let mut hero = match &args.hero {
        Some(player) => player.clone(),
        None => revisions::player(&args.new)?,
    };
    hero.options.extend(args.options.iter().cloned());
    let mut players = vec![hero];
    players.extend(args.engines.iter().cloned());
    for list in &args.lists {
        players.extend(roster::read(list)?);
    }
    if args.discover || players.len() == 1 {
        let known: Vec<String> = players.iter().map(|player| player.name().to_owned()).collect();
        players.extend(roster::discover().into_iter().filter(|found| !known.contains(&found.command.name)));
    }
    if players.len() < 2 {
        bail!(
            "there is no opponent: none of the known engines ({}) is installed; name some with --engine",
            roster::KNOWN.map(|known| known.0).join(", "),
        );
    }
    let anchor = match &args.anchor {
        None => 1,
        Some(name) => players.iter().position(|player| player.name() == name).with_context(|| {
            let names: Vec<&str> = players.iter().map(Player::name).collect();
            format!("--anchor {name:?} is none of the players: {}", names.join(", "))
        })?,
    };
    let mut pairings: Vec<[usize; 2]> = (1..players.len()).map(|opponent| [0, opponent]).collect();
    if args.round_robin {
        for first in 1..players.len() {
            pairings.extend((first + 1..players.len()).map(|second| [first, second]));
        }
    }
    let anchor = Some((anchor, args.anchor_elo));
    let (plan, book) = args.matches.plan("Gauntlet", players, pairings, anchor)?;
    session::start(plan, &book, &args.matches.play)
}
