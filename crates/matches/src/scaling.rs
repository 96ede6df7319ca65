//! `cargo xtask scaling`: a match at several numbers of nodes per move, which shows what more time is worth.

use crate::selfplay::limits::Limits;
use crate::selfplay::match_args::{MatchArgs, OptionArgs};
use crate::selfplay::player::Player;
use crate::selfplay::{revisions, session};
use anyhow::{Context, Result, bail};
use tabiya_lab_common::interrupt;

/// Command-line arguments of `scaling`.
#[derive(clap::Args)]
#[command(after_help = "\
The same openings are played at each number of nodes, and the levels take turns, so that a run can be judged at any time. The opponent
has the same number of nodes, unless it has limits of its own (nodes=, tc=, ...): then it is the same at all levels.

The result is the Elo at each level, and the slope: Elo per doubling of the nodes, from a line through the levels, each weighted by the
precision of its Elo. Against an opponent with the same nodes, a slope below 0 means that the opponent gains more from time.

Hash, Threads, OwnBook and Ponder are set, and the folder is written and resumed, as in selfplay.")]
pub struct ScalingArgs {
    /// Player under test: a revision, `worktree`, or an engine in the format of --base
    #[arg(long, value_name = "REV|SPEC", default_value = "worktree")]
    new: String,
    /// Opponent: a revision, `worktree`, or `name=...,cmd=...[,args=...][,dir=...][,option.NAME=VALUE][,tc=|nodes=|...]`
    #[arg(long, visible_alias = "engine", value_name = "REV|SPEC", required_unless_present = "resume")]
    base: Option<String>,
    /// Nodes per move of each level
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_value = "8000,40000,200000",
        value_parser = clap::value_parser!(u64).range(1..))]
    levels: Vec<u64>,
    #[command(flatten)]
    options: OptionArgs,
    #[command(flatten)]
    matches: MatchArgs,
}

/// Runs the command.
///
/// # Errors
/// If the arguments are inconsistent, an engine cannot be started, or the match fails.
pub fn run(args: &ScalingArgs) -> Result<()> {
    if let Some(folder) = args.matches.play.resumed(session::RUNS)? {
        return session::resume(&folder, &args.matches.play);
    }
    if args.matches.play.given_limits() != Limits::default() {
        bail!("the levels are the limits of this match; use --levels instead of --nodes and other limits");
    }
    let mut levels = args.levels.clone();
    levels.sort_unstable();
    levels.dedup();
    if levels.len() < 2 {
        bail!("--levels: a slope needs two different numbers of nodes (only {} given)", levels[0]);
    }
    // So that Ctrl-C during a build says what it ended.
    interrupt::on_interrupt()?;
    let mut new = revisions::player_or_engine(&args.new).context("--new")?;
    if !new.limits.is_empty() {
        bail!("--new: the player under test has the nodes of --levels, and no limits of its own");
    }
    let mut base = revisions::player_or_engine(args.base.as_deref().unwrap_or_default()).context("--base")?;
    args.options.add_to([&mut new, &mut base]);
    let (players, pairings) = players(&new, &base, &levels);
    let (mut plan, book) = args.matches.plan("Scaling", players, pairings, None)?;
    plan.scaling = true;
    session::start(plan, &book, &args.matches.play)
}

/// Returns the players and the pairings, one for each level. An opponent with its own limits is a single player.
fn players(new: &Player, base: &Player, levels: &[u64]) -> (Vec<Player>, Vec<[usize; 2]>) {
    let at = |player: &Player, nodes: u64| {
        let mut player = player.clone();
        player.command.name += &format!("@{nodes}");
        player.limits.nodes = Some(nodes);
        player
    };
    let mut players: Vec<Player> = levels.iter().map(|&nodes| at(new, nodes)).collect();
    let first = players.len();
    if base.limits.is_empty() {
        players.extend(levels.iter().map(|&nodes| at(base, nodes)));
        (players, (0..first).map(|level| [level, first + level]).collect())
    } else {
        players.push(base.clone());
        (players, (0..first).map(|level| [level, first]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(base: &str) -> Vec<String> {
        let player = |text: &str| text.parse::<Player>().unwrap();
        let (players, pairings) = players(&player("name=a,cmd=x"), &player(base), &[10, 40]);
        let side = |index: usize| format!("{} ({})", players[index].name(), players[index].limits);
        pairings.iter().map(|&[first, second]| format!("{} - {}", side(first), side(second))).collect()
    }

    #[test]
    fn opponent_has_the_same_nodes_or_limits_of_its_own() {
        assert_eq!(
            described("name=b,cmd=y"),
            [
                "a@10 (10 nodes per move) - b@10 (10 nodes per move)",
                "a@40 (40 nodes per move) - b@40 (40 nodes per move)"
            ]
        );
        assert_eq!(
            described("name=b,cmd=y,depth=3"),
            ["a@10 (10 nodes per move) - b (depth 3)", "a@40 (40 nodes per move) - b (depth 3)"]
        );
    }
}
