//! `cargo xtask tune`: fits the evaluation's weights to the results of games.
//!
//! Positions with results ([`source`], [`mod@line`]) become [`train::Sample`]s of a [`model`]: what is kept of
//! each is what its value depends on. A tenth, chosen by the position alone, is held out. First the
//! steepness of the [`sigmoid`] is fitted, then the weights ([`train`]) until the held-out tenth says that
//! nothing is gained any more; [`report`] keeps what came out.
//!
//! Colours need no balancing: the evaluation is symmetric, so a position and its mirror image with the
//! opposite result teach the same.

mod line;
mod model;
mod report;
mod sigmoid;
mod source;
mod train;

use crate::{quiet, repository};
use anyhow::{Context, Result, bail};
use line::Entry;
use model::{MainEvaluation, Model};
use report::{Errors, Report};
use sigmoid::Sigmoid;
use source::FileCounts;
use std::path::PathBuf;
use tabiya_core::Color;
use tabiya_eval::Evaluation;
use train::{Epoch, Sample, Settings, mean_squared_error};

/// One position in so many is held out.
const ONE_HELD_OUT_IN: u64 = 10;

/// The two parts of the positions.
const LEARNT: usize = 0;
const HELD_OUT: usize = 1;

/// The command line.
#[derive(clap::Args)]
#[command(after_help = "\
Each line of a file is a position with the result of its game: FEN c9 \"1-0\"; ce 25; (EPD, the score for the
side to move), FEN;1-0, FEN [0.5] 25 or FEN | 25 | 0.5 (the score for White). Data of `cargo xtask datagen`
are read as they are. What is compressed comes through standard input: xz -dc FILE | cargo xtask tune -

A folder receives weights.rs, tune.json and tune.html.")]
pub(crate) struct Args {
    /// Files of positions; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,

    /// The share of the search's score, as against the result, in what is learnt
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    lambda: f64,
    /// Leave out positions in which captures or promotions promise something
    #[arg(long)]
    quiet_only: bool,
    /// Give up at the first malformed line instead of skipping it
    #[arg(long)]
    strict: bool,

    /// Change only weights with this text in their names
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Take this K for the sigmoid instead of fitting it
    #[arg(long, value_name = "K", value_parser = positive)]
    k: Option<f64>,
    /// At most so many times through all positions
    #[arg(long, value_name = "N", default_value_t = 200)]
    epochs: u32,
    /// Positions a step
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// The length of the first steps, in the weights' own unit
    #[arg(long, value_name = "STEP", default_value_t = 1.0, value_parser = positive)]
    rate: f64,
    /// The price of a weight's distance from where it started, squared
    #[arg(long, value_name = "PRICE", default_value_t = 1e-9, value_parser = not_negative)]
    l2: f64,
    /// Epochs without progress on the held-out positions until the steps get shorter
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,
    /// The order of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads; the same number gives the same weights [default: one a processor]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// The folder for weights and reports [default: a new one in target/lab/tune]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the weights to this file, too
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

impl Args {
    fn settings(&self, threads: usize) -> Settings {
        Settings {
            epochs: self.epochs,
            batch: self.batch as usize,
            rate: self.rate,
            l2: self.l2,
            patience: self.patience,
            threads,
            seed: self.seed,
        }
    }
}

fn number(text: &str, fits: impl Fn(f64) -> bool, expected: &str) -> Result<f64, String> {
    text.parse().ok().filter(|&number: &f64| fits(number)).ok_or_else(|| format!("expected {expected}"))
}

fn share(text: &str) -> Result<f64, String> {
    number(text, |number| (0.0..=1.0).contains(&number), "a number from 0 to 1")
}

fn positive(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0 && number.is_finite(), "a number greater than 0")
}

fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |number| number >= 0.0 && number.is_finite(), "a number, 0 or greater")
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be read or has nothing to learn from, training leads nowhere, or the results cannot
/// be written.
pub(crate) fn run(args: &Args) -> Result<()> {
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => repository::new_run_folder("tune")?,
    };
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let interrupted = crate::interrupt::on_interrupt()?;
    let report = tune(&MainEvaluation, args, |epoch| {
        println!(
            "epoch {:>4}  rate {:<6.3}  training {:.6}  held out {:.6}",
            epoch.number, epoch.rate, epoch.training, epoch.held_out
        );
        !interrupted.load(std::sync::atomic::Ordering::Relaxed)
    })?;
    print!("\n{report}");
    let text = MainEvaluation.render(&report.tuned_weights());
    report.write(&folder, &text)?;
    if let Some(path) = &args.weights {
        std::fs::write(path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    println!("Folder    {}", folder.display());
    Ok(())
}

/// Positions, divided into those to learn from and those held out. What is not needed in training is
/// beside the samples, in the same order.
struct Data<F> {
    samples: [Vec<Sample<F>>; 2],
    others: [Vec<Beside>; 2],
    files: Vec<FileCounts>,
}

/// What is known of a position besides its features.
struct Beside {
    /// White's points.
    result: f32,
    /// The score of a search, for White.
    score: Option<i32>,
    /// What the classic evaluation says, for White.
    classic: i32,
}

fn tune<M: Model>(model: &M, args: &Args, mut report: impl FnMut(Epoch) -> bool) -> Result<Report> {
    let threads = args.threads.map_or_else(repository::processors, |count| count as usize);
    let names = model.names();
    let free: Vec<bool> =
        names.iter().map(|name| args.only.as_ref().is_none_or(|text| name.contains(text))).collect();
    if !free.contains(&true) {
        bail!("no weight has {:?} in its name", args.only.as_deref().unwrap_or_default());
    }
    let mut data = read(model, args, threads)?;
    let [training, held_out] = &data.samples;
    println!("{} positions to learn from, {} held out", training.len(), held_out.len());
    if training.is_empty() || held_out.is_empty() {
        bail!("too few positions: there must be some to learn from and some to hold out");
    }
    let start = model.weights();
    // All curves are fitted to results alone; scores are blended in only then.
    let error = |sigmoid| mean_squared_error(model, training, sigmoid, &start, threads);
    let sigmoid = args.k.map_or_else(|| Sigmoid::fit(error), |k| Sigmoid { k });
    let errors = |data: &Data<M::Features>, weights: &[f64]| {
        Errors::of(|part| mean_squared_error(model, &data.samples[part], sigmoid, weights, threads))
    };
    let before = errors(&data, &start);
    let classic_error = |part: usize, sigmoid| {
        mean_of(&data.others[part], |beside| (f64::from(beside.classic), beside.result), sigmoid)
    };
    let k_classic = Sigmoid::fit(|sigmoid| classic_error(LEARNT, sigmoid));
    let classic = Errors::of(|part| classic_error(part, k_classic));
    println!("K {:.4}, mean squared error {:.6} held out", sigmoid.k, before.held_out);
    println!("classic: K {:.4}, mean squared error {:.6} held out", k_classic.k, classic.held_out);

    let k_scores = if args.lambda > 0.0 { Some(data.blend(args.lambda)?.k) } else { None };
    let settings = args.settings(threads);
    let mut epochs = Vec::new();
    let parts = data.samples.each_ref().map(Vec::as_slice);
    let tuned = train::train(model, parts, sigmoid, &free, &settings, |epoch| {
        epochs.push(epoch);
        report(epoch)
    })?;
    // The errors that are reported are those of the results, whatever was learnt from.
    data.forget_scores();
    let rounded: Vec<f64> = tuned.iter().map(|weight| weight.round()).collect();
    Ok(Report {
        positions: data.samples.each_ref().map(Vec::len),
        lambda: args.lambda,
        settings,
        k: sigmoid.k,
        k_classic: k_classic.k,
        k_scores,
        before,
        after: errors(&data, &tuned),
        rounded: errors(&data, &rounded),
        classic,
        epochs,
        weights: report::weights(&names, &start, &tuned),
        files: data.files,
    })
}

fn read<M: Model>(model: &M, args: &Args, threads: usize) -> Result<Data<M::Features>> {
    let prepare = |entry: &Entry| {
        let position = &entry.position;
        let fit = if args.quiet_only { quiet::is_quiet(position) } else { !position.in_check() };
        if !fit || position.is_stalemate() {
            return None;
        }
        let classic = Evaluation::Classic.evaluate(position);
        let classic = if position.board().side_to_move() == Color::White { classic } else { -classic };
        let beside = Beside { result: entry.result, score: entry.score, classic };
        let sample = Sample { features: model.features(position), target: entry.result };
        // The same position always falls on the same side.
        let held_out = position.board().key().is_multiple_of(ONE_HELD_OUT_IN);
        let part = if held_out { HELD_OUT } else { LEARNT };
        Some((part, sample, beside))
    };
    let mut data = Data { samples: [vec![], vec![]], others: [vec![], vec![]], files: Vec::new() };
    for file in &args.files {
        let counts = source::read(file, threads, args.strict, prepare, |(part, sample, beside)| {
            data.samples[part].push(sample);
            data.others[part].push(beside);
        })?;
        println!(
            "{file}: {} positions, {} taken, {} unfit, {} malformed",
            counts.lines, counts.taken, counts.unfit, counts.malformed
        );
        data.files.push(counts);
    }
    Ok(data)
}

impl<F> Data<F> {
    /// Mixes what searches expected into the targets, as points of a curve that is fitted to the results.
    fn blend(&mut self, lambda: f64) -> Result<Sigmoid> {
        let scored: Vec<(f64, f32)> = self.others[LEARNT]
            .iter()
            .filter_map(|beside| Some((f64::from(beside.score?), beside.result)))
            .collect();
        if scored.is_empty() {
            bail!("--lambda {lambda}: no position has the score of a search");
        }
        let curve = Sigmoid::fit(|sigmoid| mean_of(&scored, |&pair| pair, sigmoid));
        println!("scores of searches: K {:.4}, fitted to {} positions", curve.k, scored.len());
        for (sample, beside) in self.samples.iter_mut().flatten().zip(self.others.iter().flatten()) {
            if let Some(score) = beside.score {
                let expected = curve.points(f64::from(score));
                sample.target = (lambda * expected + (1.0 - lambda) * f64::from(beside.result)) as f32;
            }
        }
        Ok(curve)
    }

    /// Makes the results the targets.
    fn forget_scores(&mut self) {
        for (sample, beside) in self.samples.iter_mut().flatten().zip(self.others.iter().flatten()) {
            sample.target = beside.result;
        }
    }
}

/// The mean squared error of values and results.
fn mean_of<T>(items: &[T], value_and_result: impl Fn(&T) -> (f64, f32), sigmoid: Sigmoid) -> f64 {
    let error = |item| {
        let (value, result) = value_and_result(item);
        (sigmoid.points(value) - f64::from(result)).powi(2)
    };
    items.iter().map(error).sum::<f64>() / items.len() as f64
}

#[cfg(test)]
mod tests {
    use super::model::toy::Material;
    use super::*;
    use clap::Parser as _;
    use rand::RngExt;

    #[derive(clap::Parser)]
    struct CommandLine {
        #[command(flatten)]
        args: Args,
    }

    fn args(words: &[&str]) -> Args {
        CommandLine::parse_from([&["tune"], words].concat()).args
    }

    /// Random positions, one a line; who has more wins.
    fn games() -> tempfile::NamedTempFile {
        let mut random = crate::random::seeded(9);
        let mut text = String::new();
        while text.len() < 60_000 {
            let mut position = tabiya_movegen::Position::startpos();
            for ply in 0..90 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[random.random_range(..moves.len())]);
                if ply % 9 == 8 {
                    let value = Material.evaluate(&Material.features(&position), &[1.0, 3.0, 1.7, 5.0, 9.0]);
                    let result = if value > 1.5 {
                        1.0
                    } else if value < -1.5 {
                        0.0
                    } else {
                        0.5
                    };
                    text += &format!("{position} | {:.0} | {result:.1}\n", 100.0 * value);
                }
            }
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn a_round_lowers_the_error_and_leaves_its_files_behind() {
        let file = games();
        let name = file.path().display().to_string();
        let words = [name.as_str(), "--epochs", "30", "--batch", "64", "--rate", "10", "-j", "2"];
        let report = tune(&Material, &args(&words), |_| true).unwrap();
        assert!(report.after.held_out < report.before.held_out, "{report}");
        assert!(report.rounded.training.is_finite() && report.classic.held_out < 0.25);
        let again = tune(&Material, &args(&words), |_| true).unwrap();
        assert_eq!(report, again);

        let folder = tempfile::tempdir().unwrap();
        report.write(folder.path(), &Material.render(&report.tuned_weights())).unwrap();
        let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text("weights.rs").starts_with("pub const MATERIAL"));
        assert!(text("tune.html").contains("root of bishop") && text("tune.html").contains("<svg"));
        let json: serde_json::Value = serde_json::from_str(&text("tune.json")).unwrap();
        assert_eq!(json["weights"][0]["name"], "pawn");
        assert_eq!(json["epochs"].as_array().map(Vec::len), Some(report.epochs.len()));
    }

    #[test]
    fn scores_can_be_learnt_from() {
        let file = games();
        let name = file.path().display().to_string();
        let words = [name.as_str(), "--epochs", "5", "--batch", "64", "-j", "1"];
        let plain = tune(&Material, &args(&words), |_| true).unwrap();
        let blended = tune(&Material, &args(&[&words[..], &["--lambda", "0.7"]].concat()), |_| true).unwrap();
        assert!(blended.k_scores.is_some() && plain.k_scores.is_none());
        assert_eq!(blended.before, plain.before);
        assert_ne!(blended.tuned_weights(), plain.tuned_weights());
    }

    #[test]
    fn nonsense_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "4k3/8/8/8/8/8/8/4K2R w K - 1-0\n").unwrap();
        let name = file.path().display().to_string();
        let error = |words: &[&str]| tune(&Material, &args(words), |_| true).unwrap_err().to_string();
        assert!(error(&[&name]).contains("too few positions"));
        assert!(error(&[&name, "--only", "king"]).contains("no weight has \"king\" in its name"));
        for words in
            [["x", "--lambda", "NaN"], ["x", "--lambda", "1.5"], ["x", "--rate", "inf"], ["x", "--k", "0"]]
        {
            assert!(CommandLine::try_parse_from([&["tune"], &words[..]].concat()).is_err(), "{words:?}");
        }
    }
}
