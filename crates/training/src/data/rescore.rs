//! `data rescore`: new scores for the positions of games.

use super::output_args::{SkipDamaged, Threads};
use crate::labelling::labelling_engine;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use tabiya_eval::Evaluation;
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::evaluation_argument::{self, EvaluationArgs};
use tabiya_lab_common::games::sidecar::{self, Run};
use tabiya_lab_common::games::{Damage, GameFile, GameRecord, RawGame, ScoredMove, Store, score};
use tabiya_lab_common::ordered::map_in_order;
use tabiya_lab_common::progress::Progress;
use tabiya_movegen::Game;
use tabiya_search::{BlockingEngine, Limits};

/// Command-line arguments of `data rescore`.
#[derive(clap::Args)]
#[command(after_help = "\
Moves and results stay. Repeat the command to continue an interrupted run.")]
pub(super) struct RescoreArgs {
    /// File of games
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// File of the same games with the new scores, created or continued
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Nodes per position from which no further iteration is started
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    nodes: u32,
    /// Nodes per position at which the search stops, as a multiple of --nodes
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    hard_factor: u32,
    /// Transposition-table size of each thread, in MiB
    #[arg(long, value_name = "MiB", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    damage: SkipDamaged,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, is damaged, or the output does not have the same games.
pub(super) fn run(args: &RescoreArgs) -> Result<()> {
    let interrupted = tabiya_lab_common::interrupt::on_interrupt()?;
    rescore_file(args, &interrupted)
}

fn rescore_file(args: &RescoreArgs, interrupted: &AtomicBool) -> Result<()> {
    let evaluation = args.evaluation.load()?;
    let mut input = args.damage.open(&args.file, Damage::Unchecked)?;
    let mut store = Store::open(&args.out)?;
    let run = Run::new(store.games())?;
    sidecar::check_or_write(&args.out, store.is_empty(), &args.settings(&evaluation), &run)?;
    skip_finished(&mut input, &args.out)?;
    let mut progress = Progress::new("MiB", input.offset() >> 20, input.size() >> 20, "");
    let next = || {
        let stop = interrupted.load(Ordering::Relaxed);
        let game = if stop { None } else { input.next_or_note()? };
        Ok(game.map(|game| (game, input.offset())))
    };
    let worker = || {
        let mut engine = labelling_engine(args.hash as usize, &evaluation)?;
        Ok(move |(game, end): (RawGame, u64)| {
            let game = game.unpack().with_context(|| args.file.display().to_string())?;
            let rescored = rescore(&mut engine, game, &args.limits());
            Ok((rescored.to_bytes(), rescored.moves.len() as u64, end))
        })
    };
    let result = map_in_order(args.threads.count(), next, worker, |(bytes, positions, end)| {
        store.append(&bytes, positions)?;
        progress.show(end >> 20, || format!("{} games, {} positions", store.games(), store.positions()));
        Ok(())
    });
    progress.finish();
    result?;
    let (games, positions) = (store.games(), store.positions());
    store.finish()?;
    let (games, positions) = (counted(games, "game"), counted(positions, "position"));
    println!("{}: {games}, {positions}", args.out.display());
    if interrupted.load(Ordering::Relaxed) {
        bail!("interrupted after {games}; repeat the command to continue");
    }
    Ok(())
}

/// Everything that determines the scores, apart from the games, the search and the evaluation themselves.
#[derive(Serialize)]
struct Settings {
    /// Distinguishes the sidecar from that of `datagen`.
    rescored: bool,
    evaluation: String,
    soft_nodes: u32,
    hard_nodes: u32,
    hash_mib: u32,
    /// True if the search prunes moves of PV nodes; missing in files of earlier versions, where it did.
    pv_pruning: bool,
}

impl RescoreArgs {
    fn hard_nodes(&self) -> u32 {
        self.nodes.saturating_mul(self.hard_factor)
    }

    fn limits(&self) -> Limits {
        Limits::nodes(self.hard_nodes().into()).with_soft_nodes(u64::from(self.nodes))
    }

    fn settings(&self, evaluation: &Evaluation) -> Settings {
        Settings {
            rescored: true,
            evaluation: evaluation_argument::identity(evaluation),
            soft_nodes: self.nodes,
            hard_nodes: self.hard_nodes(),
            hash_mib: self.hash,
            pv_pruning: false,
        }
    }
}

/// Reads the games of the input that the output has already.
///
/// # Errors
/// If a file cannot be read, or the output has other games.
fn skip_finished(input: &mut GameFile, output: &Path) -> Result<()> {
    let mut finished = GameFile::open(output, Damage::Unchecked)?;
    while let Some(game) = finished.next()? {
        let original = input.next()?;
        if original.is_none_or(|original| original.identity() != game.identity()) {
            bail!(
                "{}, byte {}: not the game that {} has at this place; choose another --out",
                output.display(),
                game.offset,
                input.path().display()
            );
        }
    }
    Ok(())
}

/// Searches the positions of a game again. The result depends only on the game, not on earlier ones.
fn rescore(engine: &mut BlockingEngine, record: GameRecord, limits: &Limits) -> GameRecord {
    engine.clear();
    let mut game = Game::from_position(record.start.clone());
    let rescored = record.moves.iter().map(|&ScoredMove { mv, .. }| {
        let side = game.position().board().side_to_move();
        let score = score::stored(side, engine.search(&game, limits).score());
        // The moves of a record are legal.
        let _ = game.play(mv);
        ScoredMove { mv, score }
    });
    GameRecord { moves: rescored.collect(), ..record }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_lab_common::games::test_games::random_games;
    use tabiya_lab_common::test_arguments::parse;

    fn rescored(folder: &Path, out: &str, nodes: &str, threads: &str) -> Result<Vec<u8>> {
        let [input, out] = ["games.vf", out].map(|name| folder.join(name));
        let [input, path] = [&input, &out].map(|path| path.to_str().unwrap());
        let arguments = [input, "--out", path, "--nodes", nodes, "-j", threads, "--hash", "1"];
        let args = parse(arguments).unwrap();
        rescore_file(&args, &AtomicBool::new(false))?;
        Ok(std::fs::read(&out)?)
    }

    #[test]
    fn scores_change_and_moves_stay() {
        let folder = tempfile::tempdir().unwrap();
        let games = random_games(5, 31);
        let bytes: Vec<u8> = games.iter().flat_map(GameRecord::to_bytes).collect();
        std::fs::write(folder.path().join("games.vf"), &bytes).unwrap();
        let whole = rescored(folder.path(), "a.vf", "50", "2").unwrap();
        assert_eq!(whole.len(), bytes.len());
        assert_ne!(whole, bytes);
        let mut offset = 0;
        for game in &games {
            let length = game.to_bytes().len();
            let new = GameRecord::from_bytes(&whole[offset..offset + length]).unwrap();
            let scores = new.moves.iter().zip(&game.moves).map(|(new, old)| (new.mv, old.score));
            let scores: Vec<_> = scores.map(|(mv, score)| ScoredMove { mv, score }).collect();
            assert_eq!(GameRecord { moves: scores, ..new }, *game);
            offset += length;
        }

        // A killed run is continued with the same result.
        std::fs::copy(folder.path().join("a.vf.toml"), folder.path().join("b.vf.toml")).unwrap();
        std::fs::write(folder.path().join("b.vf"), &whole[..whole.len() / 2]).unwrap();
        assert!(rescored(folder.path(), "b.vf", "50", "1").unwrap() == whole);
        let error = format!("{:#}", rescored(folder.path(), "b.vf", "60", "1").unwrap_err());
        assert!(error.contains("soft_nodes: 50 in the file, 60 given"), "{error}");
        std::fs::write(folder.path().join("games.vf"), random_games(1, 32)[0].to_bytes()).unwrap();
        let error = format!("{:#}", rescored(folder.path(), "b.vf", "50", "1").unwrap_err());
        assert!(error.contains("b.vf, byte 0: not the game that"), "{error}");
    }
}
