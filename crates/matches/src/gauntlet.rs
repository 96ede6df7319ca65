//! `cargo xtask gauntlet`: one engine against many, with ratings.

mod roster;

use crate::selfplay::match_args::MatchArgs;
use crate::selfplay::player::Player;
use crate::selfplay::{revisions, session};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use tabiya_lab_common::interrupt;
use tabiya_lab_common::number_argument::finite;
use tabiya_lab_common::option_argument::name_and_value;

/// Command-line arguments of `gauntlet`.
#[derive(clap::Args)]
#[command(after_help = "\
The opponents are the engines given with --engine and --engines or, without these, the installed known
engines (stockfish, fairy-stockfish, toga2, glaurung, gnuchess). A list of engines is a TOML file:

    [[engine]]
    name = \"stockfish-1800\"
    cmd = \"/usr/games/stockfish\"
    options = { UCI_LimitStrength = true, UCI_Elo = 1800 }

with the optional keys args (a list), dir, proto (\"xboard\"), tc, movetime (ms), nodes and depth.

Every opponent plays the same openings with both colours. The table shows maximum-likelihood ratings
(logistic model) with 95 % confidence intervals relative to the anchor. Players who won or lost all games
against the others have no rating.")]
pub struct GauntletArgs {
    /// Player under test: a revision, `worktree`, or an engine in the format of --engine
    #[arg(long, value_name = "REV|SPEC", default_value = "worktree")]
    new: String,
    /// Opponent: `name=...,cmd=...[,args=...][,dir=...][,proto=xboard][,option.NAME=VALUE][,tc=|nodes=|...]`
    #[arg(long = "engine", value_name = "SPEC")]
    engines: Vec<Player>,
    /// TOML file with a list of opponents
    #[arg(long = "engines", value_name = "FILE.toml")]
    lists: Vec<PathBuf>,
    /// Add the installed known engines to the opponents
    #[arg(long)]
    discover: bool,
    /// Player with the fixed rating [default: the first opponent]
    #[arg(long, value_name = "NAME")]
    anchor: Option<String>,
    /// Rating of the anchor
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_hyphen_values = true, value_parser = finite)]
    anchor_elo: f64,
    /// Also play all opponents against each other
    #[arg(long)]
    round_robin: bool,
    /// UCI option of all players
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
    /// UCI option of the player under test
    #[arg(long = "new-option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    new_options: Vec<(String, String)>,
    #[command(flatten)]
    matches: MatchArgs,
}

/// Runs the command.
///
/// # Errors
/// If the arguments are inconsistent, an engine cannot be started, or the match fails.
pub fn run(args: &GauntletArgs) -> Result<()> {
    if let Some(folder) = args.matches.play.resumed(session::RUNS)? {
        return session::resume(&folder, &args.matches.play);
    }
    // So that Ctrl-C during a build says what it ended.
    interrupt::on_interrupt()?;
    let mut players: Vec<Player> = vec![revisions::player_or_engine(&args.new).context("--new")?];
    players.extend(args.engines.iter().cloned());
    for list in &args.lists {
        players.extend(roster::read(list)?);
    }
    if args.discover || players.len() == 1 {
        let names: Vec<String> = players.iter().map(|player| player.name().to_owned()).collect();
        players.extend(roster::discover().into_iter().filter(|player| !names.contains(&player.command.name)));
    }
    if players.len() < 2 {
        bail!(
            "no opponents: none of the known engines ({}) is installed; specify some with --engine",
            roster::KNOWN_ENGINES.map(|known| known.0).join(", "),
        );
    }
    for player in &mut players {
        player.options.extend(args.options.iter().cloned());
    }
    players[0].options.extend(args.new_options.iter().cloned());
    let anchor = match &args.anchor {
        None => 1,
        Some(name) => players.iter().position(|player| player.name() == name).with_context(|| {
            let names: Vec<&str> = players.iter().map(Player::name).collect();
            format!("--anchor {name:?} is not a player (expected one of {})", names.join(", "))
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
