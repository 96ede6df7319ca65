//! `cargo xtask style`: how people and engines of a level play, side by side.
//!
//! `games` reads the games of each group of players; `figures` counts mistakes by size, moves taken back and first moves.

mod figures;
mod games;

use anyhow::{Context, Result, bail};
use figures::Figures;
use games::{Collector, RatingRange, StyleGame};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tabiya_core::Value;
use tabiya_core::notation::PgnReader;
use tabiya_eval::Evaluation;
use tabiya_files::input;
use tabiya_lab_common::ordered::map_in_order;
use tabiya_movegen::{Game, Replay};
use tabiya_search::{BlockingEngine, Limits, Score};

/// Scores are cut off here, in centipawns: a worse move in a position that is won or lost either way is not a mistake.
const MAX_SCORE: Value = 1000;
/// Size of the transposition table, in MiB.
const HASH_MB: usize = 16;

/// Command-line arguments of `style`.
#[derive(clap::Args)]
#[command(after_help = "\
Each position is searched with the same number of nodes at full strength. A move's loss is the score before it less the
score after it, both cut off at ten pawns. Positions with more than six pawns for either side count as decided, and their
moves are left out, as are games from other start positions.

    cargo xtask style human.pgn --elo 1100..1300 --elo 1700..1900
    cargo xtask style engine.pgn")]
pub struct StyleArgs {
    /// PGN files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Count the players with a rating in this range, as one group [default: a group for each name]
    #[arg(long, value_name = "LOW..HIGH")]
    elo: Vec<RatingRange>,
    /// Nodes per position
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games per group
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Threads
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read, or it has no games of such players.
pub fn run(args: &StyleArgs) -> Result<()> {
    let figures = measure(args)?;
    if figures.is_empty() {
        bail!("no games of such players");
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&figures)?);
    } else {
        print!("{}", figures::table(&figures));
    }
    Ok(())
}

/// Returns the figures of each group.
fn measure(args: &StyleArgs) -> Result<BTreeMap<String, Figures>> {
    let mut games = Vec::new();
    for path in &args.files {
        let name = || format!("cannot read {}", path.display());
        let mut reader = PgnReader::new(input::open(path).with_context(name)?);
        let mut collector = Replay::new(Collector::new(&path.display().to_string(), &args.elo));
        while let Some(game) = reader.read_game(&mut collector).with_context(name)? {
            games.extend(game);
        }
    }
    let mut figures: BTreeMap<String, Figures> = BTreeMap::new();
    let mut taken: BTreeMap<String, u64> = BTreeMap::new();
    games.retain(|game| {
        let mut groups: Vec<&String> = game.groups.iter().flatten().collect();
        groups.dedup();
        let is_wanted = groups.iter().any(|&group| taken.get(group).copied().unwrap_or(0) < args.games);
        if is_wanted {
            groups.into_iter().for_each(|group| *taken.entry(group.clone()).or_default() += 1);
        }
        is_wanted
    });
    let mut games = games.into_iter();
    let limits = Limits::nodes(args.nodes);
    map_in_order(
        args.jobs.into(),
        || Ok(games.next()),
        || {
            let mut engine = BlockingEngine::new(HASH_MB, || Evaluation::default().evaluator())?;
            let limits = limits.clone();
            Ok(move |game: StyleGame| {
                let scores = scores(&mut engine, &game, &limits);
                Ok((game, scores))
            })
        },
        |(game, scores)| {
            for (group, color) in game.groups.iter().zip([0, 1]) {
                if let Some(group) = group {
                    figures.entry(group.clone()).or_default().add(&game.moves, &scores, color);
                }
            }
            Ok(())
        },
    )?;
    Ok(figures)
}

/// Returns the scores of the positions of a game for the side to move, in centipawns, the start position first.
fn scores(engine: &mut BlockingEngine, game: &StyleGame, limits: &Limits) -> Vec<Value> {
    engine.clear();
    let mut replayed = Game::new();
    let mut scores = vec![score(engine, &replayed, limits)];
    for &mv in &game.moves {
        if replayed.play(mv).is_err() {
            break;
        }
        scores.push(score(engine, &replayed, limits));
    }
    scores
}

fn score(engine: &mut BlockingEngine, game: &Game, limits: &Limits) -> Value {
    if game.outcome().is_some_and(|outcome| outcome.winner().is_none()) {
        return 0;
    }
    match engine.search(game, limits).score() {
        Score::Centipawns(value) => value.clamp(-MAX_SCORE, MAX_SCORE),
        Score::Mate(moves) if moves > 0 => MAX_SCORE,
        Score::Mate(_) => -MAX_SCORE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_lab_common::test_arguments::parse;

    fn figures(pgn: &str, arguments: &[&str]) -> Result<BTreeMap<String, Figures>> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), pgn).unwrap();
        measure(&parse([&[file.path().to_str().unwrap(), "--nodes", "300"], arguments].concat()).unwrap())
    }

    const FOOLS_MATE: &str = "[White \"a\"]\n[Black \"b\"]\n[WhiteElo \"1200\"]\n[BlackElo \"1800\"]\n\n\
                              1. f3 e5 2. g4 Qh4# 0-1\n\n";

    #[test]
    fn groups_are_names_or_ratings() {
        let by_name = figures(FOOLS_MATE, &[]).unwrap();
        assert_eq!(by_name.keys().collect::<Vec<_>>(), ["a", "b"]);
        let by_rating = figures(FOOLS_MATE, &["--elo", "1100..1300"]).unwrap();
        assert_eq!(by_rating.keys().collect::<Vec<_>>(), ["1100..1300"]);
        assert_eq!(by_name["a"], by_rating["1100..1300"]);
        // Allowing mate is a mistake of any size.
        assert_eq!((by_name["a"].moves, by_name["a"].mistakes[3]), (2, 1));
        // Before the mate the game is decided.
        assert_eq!((by_name["b"].moves, by_name["b"].mistakes[1]), (1, 0));
        assert!(figures(FOOLS_MATE, &["--elo", "2000..2100"]).unwrap().is_empty());
    }

    #[test]
    fn games_are_limited_for_each_group() {
        let two = FOOLS_MATE.repeat(2);
        assert_eq!(figures(&two, &[]).unwrap()["a"].games, 2);
        assert_eq!(figures(&two, &["--games", "1"]).unwrap()["a"].games, 1);
    }

    #[test]
    fn games_from_other_positions_are_left_out() {
        let set_up = "[White \"a\"]\n[Black \"b\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n";
        assert!(figures(set_up, &[]).unwrap().is_empty());
    }
}
