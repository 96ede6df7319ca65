//! `data augment`: positions near those of games, labelled by an evaluation or a short search.
//!
//! Games of one engine visit few of the positions that its search evaluates: in a search, most moves are bad ones. A network
//! trained on games alone knows little about material that is rarely lost. A static evaluation labels a million positions in
//! seconds, so a network is first trained to imitate it on positions of all kinds (knowledge distillation) and then on the
//! scores and results of games. Labels of a short search teach it more than those of the static evaluation, for a tenth of the time
//! that positions of games at 5,000 nodes take.

use super::output_args::{Force, Shuffling, Threads};
use super::record_reader::RecordReader;
use super::shuffle::Shuffler;
use crate::labelling::labelling_engine;
use crate::record::{self, SIZE};
use anyhow::{Context, Result, bail};
use bulletformat::ChessBoard;
use rand::RngExt;
use std::path::{Path, PathBuf};
use tabiya_core::{Color, Move, Value};
use tabiya_eval::{Evaluate, Evaluation};
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::evaluation_argument::EvaluationArgs;
use tabiya_lab_common::ordered::map_in_order;
use tabiya_lab_common::progress::Progress;
use tabiya_lab_common::quiet;
use tabiya_lab_common::random::{self, Random};
use tabiya_movegen::{Game, Position};
use tabiya_search::{BlockingEngine, Limits};

/// Records that a thread takes at a time.
const BATCH: usize = 1024;

/// Captures and evasions played in search of a quiet position.
const MAX_SETTLING_MOVES: u32 = 12;

/// Hard node limit of the search, as a multiple of `--nodes`.
const HARD_FACTOR: u64 = 8;

/// Transposition-table size of each thread, in MiB: the search of a label is short.
const HASH: usize = 1;

/// Command-line arguments of `data augment`.
#[derive(clap::Args)]
#[command(after_help = "\
From each position, random moves are played, then captures until the position is quiet. Its score is the static evaluation or,
with --nodes, that of a search, which also labels the next positions of its line that are quiet. Its result is that of the
game, but the trainer fits such records to the score alone, whatever --lambda is. Train on them first, then continue with
--initial on records of games, or on both together. A search evaluates many positions in which a piece hangs: --unsettled.")]
pub(super) struct AugmentArgs {
    /// Files of training records
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Training records of the new positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// New positions from each record
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    copies: u32,
    /// Random moves at most, at least one; 0 labels the positions of the records themselves
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=100))]
    moves: u32,
    /// Keep positions as the random moves leave them, with pieces hanging, unless a side is in check
    #[arg(long)]
    unsettled: bool,
    /// Largest absolute score of a record, in centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 2000, value_parser = clap::value_parser!(i16).range(1..=30_000))]
    max_score: i16,
    /// Label the positions by a search of this many nodes (no further iteration is started) instead of the static evaluation
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    nodes: Option<u32>,
    /// Positions of the search's line that are labelled after the first; an odd number gives both sides as many labels
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20), requires = "nodes")]
    line: u32,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    #[command(flatten)]
    shuffling: Shuffling,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    force: Force,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written or is not one of training records.
pub(super) fn run(args: &AugmentArgs) -> Result<()> {
    let evaluation = args.evaluation.load()?;
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    let mut reader = RecordReader::open(&args.files)?;
    let Shuffling { memory, seed } = args.shuffling;
    let records_per_copy = if args.nodes.is_some() { 1 + u64::from(args.line) } else { 1 };
    let max_records = reader.total().saturating_mul(args.copies.into()).saturating_mul(records_per_copy);
    let mut shuffler =
        Shuffler::create(&args.out, args.force.existing(), &inputs, max_records, memory, seed)?;
    let mut progress = Progress::new("records", 0, reader.total(), "");
    let next = || reader.next_batch(BATCH);
    let worker = || {
        let mut labeller = Labeller::new(&evaluation, args.nodes)?;
        Ok(move |(start, batch): (u64, Vec<ChessBoard>)| {
            // At a place that does not depend on the number of threads.
            labeller.clear();
            let mut records = Vec::new();
            for (number, record) in (start..).zip(&batch) {
                let mut random = random::substream(seed, number);
                let new = augment(record, args, &mut random, &mut labeller);
                records.extend(new.with_context(|| format!("record {number}"))?);
            }
            Ok((start + batch.len() as u64, records))
        })
    };
    map_in_order(args.threads.count(), next, worker, |(end, records): (u64, Vec<[u8; SIZE]>)| {
        records.iter().try_for_each(|record| shuffler.add(record))?;
        progress.show(end, || format!("{} positions", shuffler.records()));
        Ok(())
    })?;
    progress.finish();
    let total = shuffler.records();
    if total == 0 {
        bail!("no quiet position was found near those of the records");
    }
    shuffler.finish()?;
    println!("{}: {}", args.out.display(), counted(total, "record"));
    Ok(())
}

/// The evaluation and search that find and label quiet positions.
struct Labeller {
    evaluator: Box<dyn Evaluate + Send>,
    search: Option<(BlockingEngine, Limits)>,
}

impl Labeller {
    fn new(evaluation: &Evaluation, nodes: Option<u32>) -> Result<Labeller> {
        let search = match nodes.map(u64::from) {
            None => None,
            Some(nodes) => {
                let limits = Limits::nodes(nodes * HARD_FACTOR).with_soft_nodes(nodes);
                Some((labelling_engine(HASH, evaluation)?, limits))
            }
        };
        Ok(Labeller { evaluator: evaluation.evaluator(), search })
    }

    /// Forgets earlier positions, so that the next labels do not depend on them.
    fn clear(&mut self) {
        if let Some((engine, _)) = &mut self.search {
            engine.clear();
        }
    }

    /// Returns the score of a position in centipawns, for the side to move, and the line of the search, if there was one. There is
    /// no score if the search finds a mate.
    fn score(&mut self, position: &Position) -> Option<(Value, Vec<Move>)> {
        let Some((engine, limits)) = &mut self.search else {
            return Some((self.evaluator.evaluate(position), Vec::new()));
        };
        let answer = engine.search(&Game::from_position(position.clone()), limits);
        Some((answer.score().centipawns()?, answer.line().pv.clone()))
    }
}

/// Returns the records of quiet positions near that of a record.
fn augment(
    record: &ChessBoard,
    args: &AugmentArgs,
    random: &mut Random,
    labeller: &mut Labeller,
) -> Result<Vec<[u8; SIZE]>> {
    let start = record::position(record)?;
    let mut records = Vec::new();
    for _ in 0..args.copies {
        let mut position = start.clone();
        let moves = random.random_range(args.moves.min(1)..=args.moves);
        if !(0..moves).all(|_| play_random(&mut position, random)) {
            continue;
        }
        let is_usable = match args.unsettled {
            true => !position.in_check() && !position.legal_moves().is_empty(),
            false => settle(&mut position, random),
        };
        if !is_usable {
            continue;
        }
        let Some((mut value, line)) = labeller.score(&position) else { continue };
        if value.abs() > args.max_score.into() {
            continue;
        }
        records.push(pack(&position, value, record.result));
        // A random move more often loses something than it gains, so the side to move is better off than in games. Where the best
        // move has been made, the other side is: the two together teach the network no such advantage.
        for mv in line.into_iter().take(args.line as usize) {
            position.play_unchecked(mv);
            value = -value;
            if is_settled(&position) {
                records.push(pack(&position, value, record.result));
            }
        }
    }
    Ok(records)
}

/// Returns the record of a position with a score for the side to move.
fn pack(position: &Position, score: Value, half_points: u8) -> [u8; SIZE] {
    let white_score = if position.side_to_move() == Color::White { score } else { -score };
    record::pack_score_only(position.board(), white_score as i16, half_points)
}

/// Plays a random legal move. Returns false if there is none.
fn play_random(position: &mut Position, random: &mut Random) -> bool {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return false;
    }
    position.play_unchecked(moves[random.random_range(..moves.len())]);
    true
}

/// Plays winning captures, and evasions at random, until the position is quiet. Returns false if it does not become quiet.
fn settle(position: &mut Position, random: &mut Random) -> bool {
    for _ in 0..MAX_SETTLING_MOVES {
        if position.in_check() {
            if !play_random(position, random) {
                return false;
            }
        } else if let Some(capture) = quiet::best_winning_capture(position) {
            position.play_unchecked(capture);
        } else {
            // Stalemate has no static evaluation.
            return !position.legal_moves().is_empty();
        }
    }
    false
}

/// Returns true if the position is quiet, and not stalemate.
fn is_settled(position: &Position) -> bool {
    quiet::is_quiet(position) && !position.legal_moves().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};
    use tabiya_eval::Evaluation;
    use tabiya_lab_common::games::test_games::random_games;
    use tabiya_lab_common::test_arguments::parse;

    /// Writes the records of `games` random games and runs the command with two copies of each and 1 and 2 threads, which must
    /// give the same. Returns the old and the new records.
    fn augmented(games: usize, options: &[&str]) -> (Vec<ChessBoard>, Vec<ChessBoard>) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut bytes = Vec::new();
        for game in random_games(games, 5) {
            game.visit(|position, _, scored| {
                bytes.extend(record::pack(position.board(), scored.score, game.half_points));
            });
        }
        std::fs::write(path("games.bullet"), &bytes).unwrap();
        let [first, second] = ["1", "2"].map(|threads| {
            let out = path(threads);
            let paths = [&path("games.bullet").display().to_string(), "--out", &out.display().to_string()]
                .map(str::to_owned);
            let common = ["--copies", "2", "--evaluation", "handcrafted", "-j", threads];
            let arguments = common.iter().chain(options).map(ToString::to_string);
            run(&parse(paths.into_iter().chain(arguments)).unwrap()).unwrap();
            std::fs::read(&out).unwrap()
        });
        assert!(first == second, "the records do not depend on the threads");
        let [before, after] = [&bytes, &first].map(|bytes| {
            let records = bytes.as_chunks::<SIZE>().0;
            records.iter().map(|bytes| record::decode(bytes).unwrap()).collect()
        });
        (before, after)
    }

    fn position(record: &ChessBoard) -> Position {
        record::position(record).unwrap()
    }

    #[test]
    fn records_are_quiet_and_have_the_evaluation_as_score() {
        let (before, records) = augmented(20, &[]);
        assert!(records.len() > before.len() / 4, "{}", records.len());
        let mut evaluator = Evaluation::Handcrafted.evaluator();
        for record in records {
            let position = position(&record);
            assert!(quiet::is_quiet(&position), "{position}");
            assert_eq!(evaluator.evaluate(&position), i32::from(record.score), "{position}");
        }
    }

    #[test]
    fn unsettled_positions_are_kept_as_they_are() {
        let (before, records) = augmented(20, &["--unsettled"]);
        assert!(records.len() > before.len() / 4, "{}", records.len());
        let mut evaluator = Evaluation::Handcrafted.evaluator();
        let mut unsettled = 0;
        for record in &records {
            let position = position(record);
            assert!(!position.in_check(), "{position}");
            assert_eq!(evaluator.evaluate(&position), i32::from(record.score), "{position}");
            unsettled += usize::from(!quiet::is_quiet(&position));
        }
        assert!(unsettled > records.len() / 10, "{unsettled} of {}", records.len());
    }

    #[test]
    fn without_random_moves_the_positions_are_those_of_the_records() {
        let (before, records) = augmented(20, &["--unsettled", "--moves", "0"]);
        let pieces = |record: &ChessBoard| (record.occ, record.pcs, record.ksq, record.opp_ksq);
        let before: HashSet<_> = before.iter().map(pieces).collect();
        assert!(!records.is_empty());
        assert!(records.iter().all(|record| before.contains(&pieces(record))));
    }

    #[test]
    fn a_search_labels_unsettled_positions() {
        let (_, records) = augmented(20, &["--unsettled", "--nodes", "30", "--line", "1"]);
        let mut evaluator = Evaluation::Handcrafted.evaluator();
        let (mut unsettled, mut different) = (0, 0);
        for record in &records {
            let position = position(record);
            assert!(!position.in_check(), "{position}");
            if !quiet::is_quiet(&position) {
                unsettled += 1;
                different += usize::from(evaluator.evaluate(&position) != i32::from(record.score));
            }
        }
        assert!(unsettled > records.len() / 10, "{unsettled} of {}", records.len());
        assert!(different * 2 > unsettled, "{different} of {unsettled}");
    }

    #[test]
    fn a_search_labels_the_positions_before_and_after_the_best_move() {
        let (_, by_evaluation) = augmented(20, &["--max-score", "30000"]);
        let (_, by_search) = augmented(20, &["--max-score", "30000", "--nodes", "30", "--line", "1"]);
        let scores: HashMap<String, i16> =
            by_search.iter().map(|record| (position(record).to_string(), record.score)).collect();
        let (mut found, mut different) = (0, 0);
        for record in &by_evaluation {
            if let Some(&score) = scores.get(&position(record).to_string()) {
                found += 1;
                different += usize::from(score != record.score);
            }
        }
        // The others are mates.
        assert!(found * 10 > by_evaluation.len() * 9, "{found} of {}", by_evaluation.len());
        assert!(different * 2 > found, "{different} of {found}");
        assert!(by_search.len() * 4 > found * 5, "{} of {found} have a successor", by_search.len() - found);
        assert!(by_search.iter().all(|record| quiet::is_quiet(&position(record))));
        let (_, longer) = augmented(20, &["--max-score", "30000", "--nodes", "30", "--line", "3"]);
        assert!(longer.len() > by_search.len());
        let longer: HashMap<String, i16> =
            longer.iter().map(|record| (position(record).to_string(), record.score)).collect();
        let kept = scores.iter().filter(|(position, score)| longer.get(*position) == Some(*score)).count();
        assert!(kept * 10 > scores.len() * 9, "{kept} of {}", scores.len());
    }
}
