//! `cargo xtask tune`: Texel tuning, which fits the weights of the evaluation to game results.
//!
//! Labelled positions (`source`, `mod@line`) become `samples` with the features of a `model`. The held-out set has
//! the validation files or, without any, a tenth of the games (`data`); positions that do not name their game are
//! divided into games by their order (`game_finder`). First the scaling constant K of the
//! `sigmoid` is fitted, then the weights (`train`), until the error on the held-out set stops falling.
//! `report` writes the results.
//!
//! The colours need no balancing: the evaluation is symmetric, so a position and its colour-flipped copy with
//! the opposite result give the same gradient.

mod data;
mod game_finder;
mod line;
mod model;
mod report;
mod samples;
mod sigmoid;
mod source;
mod train;

use anyhow::{Context, Result, bail};
use data::{Data, TRAINING, mean_squared_error_of};
use model::{Handcrafted, Model};
use report::{Errors, TuningReport};
use sigmoid::Sigmoid;
use std::path::{Path, PathBuf};
use tabiya_files::input;
use tabiya_files::output::{self, Existing};
use tabiya_lab_common::games::Selection;
use tabiya_lab_common::number_argument::{fraction, non_negative, positive};
use tabiya_workspace::repository;
use train::{Epoch, Settings, mean_squared_error};

/// Command-line arguments of `tune`.
#[derive(clap::Args)]
#[command(after_help = "\
Each line of a file is a position with its game result: FEN c9 \"1-0\"; ce 25; (EPD, score for the side to
move), FEN;1-0, FEN [0.5] 25 or FEN | 25 | 0.5 (score for White). Of the games of `cargo xtask datagen`, in files
named *.vf, the positions of Selection are used. Decompress other files to standard input: xz -dc FILE | cargo xtask tune -

Positions of one game share its result, so they must not be in the training set and in the held-out set: a tenth of
the games is held out, or the files of --validation are. Games of text files are found by the order of their lines;
shuffled text needs --validation. A position takes about 140 bytes of memory.

The output folder receives weights.rs, tune.json and tune.html.")]
pub(crate) struct TuneArgs {
    /// Files of positions; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Hold out the positions of these files instead of a tenth of the games
    #[arg(long, value_name = "FILE")]
    validation: Vec<PathBuf>,

    /// Weight of the search score in the training target; the rest is the game result
    #[arg(long, value_name = "FRACTION", default_value_t = 0.0, value_parser = fraction)]
    lambda: f64,
    /// Use only quiet positions: not in check, and no capture or promotion wins material by static exchange
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

    /// Output folder [default: a new one in target/runs/tune]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write the weights to this file
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Overwrite existing output files
    #[arg(long)]
    force: bool,
}

impl TuneArgs {
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
pub(crate) fn run(args: &TuneArgs) -> Result<()> {
    let inputs: Vec<&Path> = args.files.iter().chain(&args.validation).map(PathBuf::as_path).collect();
    // Before the folder is created.
    for path in inputs.iter().filter(|path| **path != Path::new(source::STDIN)) {
        input::check_regular(path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => repository::new_run_folder("tune")?,
    };
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    // Before the tuning, which may take hours.
    let existing = Existing::from_force(args.force);
    for path in report::FILES.map(|name| folder.join(name)).iter().chain(&args.weights) {
        output::check(path, existing, &inputs)?;
    }
    let interrupted = tabiya_lab_common::interrupt::on_interrupt()?;
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

fn tune<M: Model>(
    model: &M,
    args: &TuneArgs,
    mut on_epoch: impl FnMut(Epoch) -> bool,
) -> Result<TuningReport> {
    let threads = args.threads.map_or_else(repository::processors, |count| count as usize);
    let names = model.names();
    let free: Vec<bool> =
        names.iter().map(|name| args.only.as_ref().is_none_or(|text| name.contains(text))).collect();
    if !free.contains(&true) {
        bail!("no weight has a name that contains {:?}", args.only.as_deref().unwrap_or_default());
    }
    let mut data = Data::read(model, args, threads)?;
    let [training, held_out] = &data.samples;
    println!("{} training positions, {} held out", training.len(), held_out.len());
    if training.is_empty() || held_out.is_empty() {
        bail!("too few positions: the training set or the held-out set is empty");
    }
    let start = model.weights();
    // Fit each K to the results alone, before scores are blended into the targets.
    let error = |sigmoid| mean_squared_error(model, training, sigmoid, &start, threads);
    let sigmoid = args.k.map_or_else(|| Sigmoid::fit(error), |k| Sigmoid { k });
    let errors = |data: &Data, weights: &[f64]| {
        Errors::of(|set| mean_squared_error(model, &data.samples[set], sigmoid, weights, threads))
    };
    let before = errors(&data, &start);
    let classic_error = |set: usize, sigmoid| {
        mean_squared_error_of(&data.labels[set], |label| (label.classic(), label.result()), sigmoid)
    };
    let k_classic = Sigmoid::fit(|sigmoid| classic_error(TRAINING, sigmoid));
    let classic = Errors::of(|set| classic_error(set, k_classic));
    println!("K {:.4}, mean squared error {:.6} on the held-out set", sigmoid.k, before.held_out);
    println!("classic: K {:.4}, mean squared error {:.6} on the held-out set", k_classic.k, classic.held_out);

    let k_scores = if args.lambda > 0.0 { Some(data.blend(args.lambda)?.k) } else { None };
    let settings = args.settings(threads);
    let mut epochs = Vec::new();
    let sets = data.samples.each_ref();
    let tuned = train::train(model, sets, sigmoid, &free, &settings, |epoch| {
        epochs.push(epoch);
        on_epoch(epoch)
    })?;
    // Reported errors are against the results alone, even if the training target included scores.
    data.reset_targets();
    let rounded: Vec<f64> = tuned.iter().map(|weight| weight.round()).collect();
    Ok(TuningReport {
        positions: data.samples.each_ref().map(samples::Samples::len),
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

#[cfg(test)]
mod tests {
    use super::model::toy::{Material, PawnStructures};
    use super::*;
    use rand::RngExt;
    use tabiya_lab_common::games::test_games::random_games;
    use tabiya_lab_common::test_arguments::parse;

    fn args(arguments: &[&str]) -> TuneArgs {
        parse(arguments).unwrap()
    }

    /// A file of random positions; the side with more material wins.
    fn positions() -> tempfile::NamedTempFile {
        let mut random = tabiya_lab_common::random::seeded(9);
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

    /// A text file of games of random moves. Half of them are won for White, half for Black, whatever was played.
    fn games_with_random_results(seed: u64) -> tempfile::NamedTempFile {
        let mut random = tabiya_lab_common::random::seeded(seed);
        let mut text = String::new();
        for _ in 0..150 {
            let mut position = tabiya_movegen::Position::startpos();
            let result = f64::from(u8::from(random.random_bool(0.5)));
            for ply in 0..60 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[random.random_range(..moves.len())]);
                if ply >= 20 {
                    text += &format!("{position} [{result:.1}]\n");
                }
            }
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn results_learnt_by_heart_do_not_lower_the_held_out_error() {
        let games = games_with_random_results(1);
        let fresh = games_with_random_results(2);
        let [games, fresh] = [&games, &fresh].map(|file| file.path().display().to_string());
        let arguments =
            [games.as_str(), "--k", "1", "--epochs", "20", "--batch", "64", "--rate", "20", "-j", "1"];
        let errors = |more: &[&str]| {
            let report = tune(&PawnStructures, &args(&[&arguments[..], more].concat()), |_| true).unwrap();
            let trained = report.epochs.last().map(|epoch| epoch.training);
            (trained.unwrap(), report.after.held_out, report.positions)
        };
        let (training, by_game, _) = errors(&[]);
        let (_, by_file, positions) = errors(&["--validation", &fresh]);
        assert!(training < 0.2, "{training}");
        assert!(by_game > 0.23 && by_file > 0.23, "{by_game} {by_file}");
        assert!(positions[1] > 3000, "{positions:?}");
    }

    #[test]
    fn training_games_are_not_held_out() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, seeds: &[u64]| {
            let path = folder.path().join(name);
            let games = seeds.iter().flat_map(|&seed| random_games(5, seed));
            std::fs::write(&path, games.flat_map(|game| game.to_bytes()).collect::<Vec<u8>>()).unwrap();
            path.display().to_string()
        };
        let [training, both, other] = [write("a.vf", &[1]), write("b.vf", &[1, 2]), write("c.vf", &[2])];
        let options = ["--every-ply", "--epochs", "1", "-j", "1", "--validation"];
        let tune = |validation: &str| {
            let arguments = [&[training.as_str()], &options[..], &[validation]].concat();
            tune(&Material, &args(&arguments), |_| true)
        };
        let spelt = folder.path().join("./a.vf").display().to_string();
        for file in [&training, &spelt] {
            let error = tune(file).unwrap_err().to_string();
            assert!(error.contains("given both for training and for --validation"), "{error}");
        }
        assert_eq!(tune(&both).unwrap().positions, tune(&other).unwrap().positions);
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
    fn missing_inputs_leave_no_folder() {
        let folder = tempfile::tempdir().unwrap();
        let [none, out] = ["none", "out"].map(|name| folder.path().join(name).display().to_string());
        let error = format!("{:#}", run(&args(&["-", &none, "--out", &out])).unwrap_err());
        assert!(error.contains("cannot read ") && error.contains("none"), "{error}");
        assert!(!Path::new(&out).exists());
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
            assert!(parse::<TuneArgs>(arguments).is_err(), "{arguments:?}");
        }
    }
}
