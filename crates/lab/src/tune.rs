//! `cargo xtask tune`: Texel tuning, which fits the weights of the evaluation to game results.
//!
//! Labelled positions (`source`, `mod@line`) become `train::Sample`s with the features of a `model`. A
//! tenth of them, chosen by a hash of the game or, without games, of the position, is the held-out set. First the scaling constant K of the
//! `sigmoid` is fitted, then the weights (`train`), until the error on the held-out set stops falling.
//! `report` writes the results.
//!
//! The colours need no balancing: the evaluation is symmetric, so a position and its colour-flipped copy with
//! the opposite result give the same gradient.

mod line;
mod model;
mod report;
mod sigmoid;
mod source;
mod train;

use crate::games::Selection;
use crate::number_argument::{fraction, non_negative, positive};
use crate::quiet;
use anyhow::{Context, Result, bail};
use line::LabelledPosition;
use model::{Handcrafted, Model};
use report::{Errors, Report};
use sigmoid::Sigmoid;
use source::{Choice, FileCounts};
use std::path::{Path, PathBuf};
use tabiya_core::Color;
use tabiya_eval::Evaluation;
use tabiya_files::output::{self, Existing};
use tabiya_workspace::repository;
use train::{Epoch, Sample, Settings, mean_squared_error};

/// One in this many positions belongs to the held-out set.
const HELD_OUT_INTERVAL: u64 = 10;

/// Index of the training set.
const TRAINING: usize = 0;
/// Index of the held-out set.
const HELD_OUT: usize = 1;

/// Command-line arguments of `tune`.
#[derive(clap::Args)]
#[command(after_help = "\
Each line of a file is a position with its game result: FEN c9 \"1-0\"; ce 25; (EPD, score for the side to
move), FEN;1-0, FEN [0.5] 25 or FEN | 25 | 0.5 (score for White). Of the games of `cargo xtask datagen`, in files
named *.vf, the positions of Selection are used. Decompress other files to standard input: xz -dc FILE | cargo xtask tune -

The output folder receives weights.rs, tune.json and tune.html.")]
pub struct Args {
    /// Files of positions; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,

    /// Weight of the search score in the training target; the rest is the game result
    #[arg(long, value_name = "FRACTION", default_value_t = 0.0, value_parser = fraction)]
    lambda: f64,
    /// Use only quiet positions: no capture or promotion improves on the static evaluation
    #[arg(long)]
    quiet_only: bool,
    /// Fail at the first malformed line instead of skipping it
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    selection: Selection,

    /// Tune only the weights whose name contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Scaling constant K of the sigmoid [default: fitted to the data]
    #[arg(long, value_name = "K", value_parser = positive)]
    k: Option<f64>,
    /// Maximum number of epochs
    #[arg(long, value_name = "N", default_value_t = 200)]
    epochs: u32,
    /// Positions per mini-batch
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Initial learning rate of Adam: size of the first steps, in units of the weights
    #[arg(long, value_name = "STEP", default_value_t = 1.0, value_parser = positive)]
    rate: f64,
    /// L2 regularisation: penalty per squared distance of a weight from its start value
    #[arg(long, value_name = "PENALTY", default_value_t = 1e-9, value_parser = non_negative)]
    l2: f64,
    /// Epochs without improvement on the held-out set before the learning rate is lowered
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,
    /// Seed of the shuffling
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads; results are reproducible with the same number [default: one per processor]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// Output folder [default: a new one in target/lab/tune]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write the weights to this file
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Overwrite existing output files
    #[arg(long)]
    force: bool,
}

impl Args {
    fn settings(&self, threads: usize) -> Settings {
        Settings {
            epochs: self.epochs,
            batch: self.batch as usize,
            learning_rate: self.rate,
            l2: self.l2,
            patience: self.patience,
            threads,
            seed: self.seed,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or contains no usable position, the training diverges, or the results cannot be
/// written.
pub fn run(args: &Args) -> Result<()> {
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => repository::new_run_folder("tune")?,
    };
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    // Before the tuning, which may take hours.
    let existing = Existing::from_force(args.force);
    let inputs: Vec<&Path> = args.files.iter().map(Path::new).collect();
    for path in report::FILES.map(|name| folder.join(name)).iter().chain(&args.weights) {
        output::check(path, existing, &inputs)?;
    }
    let interrupted = crate::interrupt::on_interrupt()?;
    let report = tune(&Handcrafted, args, |epoch| {
        println!(
            "epoch {:>4}  learning rate {:<6.3}  training {:.6}  held out {:.6}",
            epoch.number, epoch.learning_rate, epoch.training, epoch.held_out
        );
        !interrupted.load(std::sync::atomic::Ordering::Relaxed)
    })?;
    print!("\n{report}");
    let text = Handcrafted.render(&report.tuned_weights());
    report.write(&folder, &text, existing)?;
    if let Some(path) = &args.weights {
        output::write(path, text.as_bytes(), existing, &inputs)?;
    }
    println!("Folder    {}", folder.display());
    Ok(())
}

/// The training set and the held-out set. Data that the training loop does not need is in `labels`, in the
/// order of the samples.
struct Data<F> {
    samples: [Vec<Sample<F>>; 2],
    labels: [Vec<Label>; 2],
    files: Vec<FileCounts>,
}

/// The result and the scores of a position, from White's point of view.
struct Label {
    /// Game result: 0, 0.5 or 1.
    result: f32,
    /// Search score in centipawns, if the file has one.
    score: Option<i32>,
    /// Static value of the classic evaluation, in centipawns.
    classic: i32,
}

fn tune<M: Model>(model: &M, args: &Args, mut on_epoch: impl FnMut(Epoch) -> bool) -> Result<Report> {
    let threads = args.threads.map_or_else(repository::processors, |count| count as usize);
    let names = model.names();
    let free: Vec<bool> =
        names.iter().map(|name| args.only.as_ref().is_none_or(|text| name.contains(text))).collect();
    if !free.contains(&true) {
        bail!("no weight has a name that contains {:?}", args.only.as_deref().unwrap_or_default());
    }
    let mut data = read(model, args, threads)?;
    let [training, held_out] = &data.samples;
    println!("{} training positions, {} held out", training.len(), held_out.len());
    if training.is_empty() || held_out.is_empty() {
        bail!("too few positions: the training set or the held-out set is empty");
    }
    let start = model.weights();
    // Fit each K to the results alone, before scores are blended into the targets.
    let error = |sigmoid| mean_squared_error(model, training, sigmoid, &start, threads);
    let sigmoid = args.k.map_or_else(|| Sigmoid::fit(error), |k| Sigmoid { k });
    let errors = |data: &Data<M::Features>, weights: &[f64]| {
        Errors::of(|set| mean_squared_error(model, &data.samples[set], sigmoid, weights, threads))
    };
    let before = errors(&data, &start);
    let classic_error = |set: usize, sigmoid| {
        mean_squared_error_of(&data.labels[set], |label| (f64::from(label.classic), label.result), sigmoid)
    };
    let k_classic = Sigmoid::fit(|sigmoid| classic_error(TRAINING, sigmoid));
    let classic = Errors::of(|set| classic_error(set, k_classic));
    println!("K {:.4}, mean squared error {:.6} on the held-out set", sigmoid.k, before.held_out);
    println!("classic: K {:.4}, mean squared error {:.6} on the held-out set", k_classic.k, classic.held_out);

    let k_scores = if args.lambda > 0.0 { Some(data.blend(args.lambda)?.k) } else { None };
    let settings = args.settings(threads);
    let mut epochs = Vec::new();
    let sets = data.samples.each_ref().map(Vec::as_slice);
    let tuned = train::train(model, sets, sigmoid, &free, &settings, |epoch| {
        epochs.push(epoch);
        on_epoch(epoch)
    })?;
    // Reported errors are against the results alone, even if the training target included scores.
    data.reset_targets();
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
    let prepare = |labelled: &LabelledPosition| {
        let position = &labelled.position;
        let usable = if args.quiet_only { quiet::is_quiet(position) } else { !position.in_check() };
        if !usable || position.is_stalemate() {
            return None;
        }
        let classic = Evaluation::Classic.evaluate(position);
        let classic = if position.board().side_to_move() == Color::White { classic } else { -classic };
        let label = Label { result: labelled.result, score: labelled.score, classic };
        let sample = Sample { features: model.features(position), target: labelled.result };
        // All positions of a game are in the same set, since they share result and structure. Without games, the
        // Zobrist key keeps the duplicates of a position together.
        let held_out = labelled.game.unwrap_or(position.board().key()).is_multiple_of(HELD_OUT_INTERVAL);
        let set = if held_out { HELD_OUT } else { TRAINING };
        Some((set, sample, label))
    };
    let mut data = Data { samples: [vec![], vec![]], labels: [vec![], vec![]], files: Vec::new() };
    let choice = Choice { strict: args.strict, selection: &args.selection };
    for file in &args.files {
        let counts = source::read(file, threads, choice, prepare, |(set, sample, label)| {
            data.samples[set].push(sample);
            data.labels[set].push(label);
        })?;
        println!(
            "{file}: {} positions, {} used, {} filtered out, {} malformed",
            counts.lines, counts.used, counts.filtered, counts.malformed
        );
        data.files.push(counts);
    }
    Ok(data)
}

impl<F> Data<F> {
    /// Blends the search scores into the targets, through a sigmoid whose K is fitted to the results, and
    /// returns that sigmoid.
    fn blend(&mut self, lambda: f64) -> Result<Sigmoid> {
        let scored: Vec<(f64, f32)> = self.labels[TRAINING]
            .iter()
            .filter_map(|label| Some((f64::from(label.score?), label.result)))
            .collect();
        if scored.is_empty() {
            bail!("--lambda {lambda}: no position has a search score");
        }
        let sigmoid = Sigmoid::fit(|sigmoid| mean_squared_error_of(&scored, |&pair| pair, sigmoid));
        println!("search scores: K {:.4}, fitted to {} positions", sigmoid.k, scored.len());
        for (sample, label) in self.samples.iter_mut().flatten().zip(self.labels.iter().flatten()) {
            if let Some(score) = label.score {
                let expected = sigmoid.expected_points(f64::from(score));
                sample.target = (lambda * expected + (1.0 - lambda) * f64::from(label.result)) as f32;
            }
        }
        Ok(sigmoid)
    }

    /// Sets the targets to the game results.
    fn reset_targets(&mut self) {
        for (sample, label) in self.samples.iter_mut().flatten().zip(self.labels.iter().flatten()) {
            sample.target = label.result;
        }
    }
}

/// Mean squared error between each item's result and the expected points of its value.
fn mean_squared_error_of<T>(
    items: &[T],
    value_and_result: impl Fn(&T) -> (f64, f32),
    sigmoid: Sigmoid,
) -> f64 {
    let error = |item| {
        let (value, result) = value_and_result(item);
        (sigmoid.expected_points(value) - f64::from(result)).powi(2)
    };
    items.iter().map(error).sum::<f64>() / items.len() as f64
}

#[cfg(test)]
mod tests {
    use super::model::toy::Material;
    use super::*;
    use crate::test_arguments::parse;
    use rand::RngExt;

    fn args(arguments: &[&str]) -> Args {
        parse(arguments).unwrap()
    }

    /// A file of random positions; the side with more material wins.
    fn positions() -> tempfile::NamedTempFile {
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
    fn tuning_lowers_the_error_and_writes_its_files() {
        let file = positions();
        let name = file.path().display().to_string();
        let arguments = [name.as_str(), "--epochs", "30", "--batch", "64", "--rate", "10", "-j", "2"];
        let report = tune(&Material, &args(&arguments), |_| true).unwrap();
        assert!(report.after.held_out < report.before.held_out, "{report}");
        assert!(report.rounded.training.is_finite() && report.classic.held_out < 0.25);
        let again = tune(&Material, &args(&arguments), |_| true).unwrap();
        assert_eq!(report, again);

        let folder = tempfile::tempdir().unwrap();
        let weights = Material.render(&report.tuned_weights());
        report.write(folder.path(), &weights, Existing::Refuse).unwrap();
        assert!(report.write(folder.path(), &weights, Existing::Refuse).is_err());
        let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text("weights.rs").starts_with("pub const MATERIAL"));
        assert!(text("tune.html").contains("root of bishop") && text("tune.html").contains("<svg"));
        let json: serde_json::Value = serde_json::from_str(&text("tune.json")).unwrap();
        assert_eq!(json["weights"][0]["name"], "pawn");
        assert_eq!(json["epochs"].as_array().map(Vec::len), Some(report.epochs.len()));
    }

    #[test]
    fn lambda_blends_in_search_scores() {
        let file = positions();
        let name = file.path().display().to_string();
        let arguments = [name.as_str(), "--epochs", "5", "--batch", "64", "-j", "1"];
        let plain = tune(&Material, &args(&arguments), |_| true).unwrap();
        let blended =
            tune(&Material, &args(&[&arguments[..], &["--lambda", "0.7"]].concat()), |_| true).unwrap();
        assert!(blended.k_scores.is_some() && plain.k_scores.is_none());
        assert_eq!(blended.before, plain.before);
        assert_ne!(blended.tuned_weights(), plain.tuned_weights());
    }

    #[test]
    fn rejects_bad_input() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "4k3/8/8/8/8/8/8/4K2R w K - 1-0\n").unwrap();
        let name = file.path().display().to_string();
        let error = |arguments: &[&str]| tune(&Material, &args(arguments), |_| true).unwrap_err().to_string();
        assert!(error(&[&name]).contains("too few positions"));
        assert!(error(&[&name, "--only", "king"]).contains("no weight has a name that contains \"king\""));
        for arguments in
            [["x", "--lambda", "NaN"], ["x", "--lambda", "1.5"], ["x", "--rate", "inf"], ["x", "--k", "0"]]
        {
            assert!(parse::<Args>(arguments).is_err(), "{arguments:?}");
        }
    }
}
