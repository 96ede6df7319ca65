//! `cargo xtask train`: trains the network of [`tabiya_eval::nnue`] on positions from games.
//!
//! From the bottom up: `data` reads training records (`example`: as the network sees them); `lanes` and
//! `tensors` are the arithmetic, `gradient` the network and its derivatives, `optimiser` AdamW, and `processor` selects
//! code for wide vector registers. `model` does one step on a mini-batch, `run` the whole training with its `checkpoint`s
//! from random or `initial` weights. `quantise` makes the network file, `average` averages several, `calibrate` scales their outputs, and `raw` writes one for other engines. `fit` and `evaluate` compare
//! evaluations on held-out records; `report` describes a training. `gpu/train.py` is the same trainer for a GPU.

mod average;
mod calibrate;
mod checkpoint;
mod data;
mod evaluate;
mod example;
mod fit;
mod gradient;
mod initial;
mod lanes;
mod loss;
mod model;
mod optimiser;
mod processor;
mod quantise;
mod raw;
mod report;
mod run;
mod settings;
mod tensors;
#[cfg(test)]
mod tests;

use anyhow::{Context as _, Result, bail};
use data::{DataFile, DataLoader};
use fit::Losses;
use initial::Initial;
use model::Model;
use processor::InstructionSet;
use quantise::QuantisationError;
use report::TrainingReport;
use run::{BEST, CHECKPOINT, LAST, Training};
use settings::{Schedule, Settings};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use tabiya_eval::nnue::{Architecture, KingBuckets, MAX_SCALE};
use tabiya_files::input;
use tabiya_files::lock::Lock;
use tabiya_files::output::{self, Existing};
use tabiya_lab_common::evaluation_argument::read_network;
use tabiya_lab_common::number_argument::{fraction, non_negative, positive};
use tabiya_lab_common::program::command_text;
use tabiya_workspace::lab_commands::TRAINING;
use tabiya_workspace::repository;

/// Default weight of the search score in the target.
const DEFAULT_LAMBDA: f64 = 0.7;

/// Default scale of the sigmoid, in centipawns.
const DEFAULT_EVAL_SCALE: f64 = 400.0;

/// Default scale of the output. Its weights are multiples of 1/64: at 400 centipawns, rounding them costs several centipawns
/// a position, and far below 80 they exceed what the file holds.
const DEFAULT_SCALE: i32 = 80;

/// Default number of learning rates of the schedule `step`.
const DEFAULT_LR_STEPS: u32 = 4;

/// Validation records on which the error of quantisation is measured.
const QUANTISATION_RECORDS: usize = 100_000;

/// Command-line arguments of `train`.
#[derive(clap::Args)]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    command: TrainCommand,
}

#[derive(clap::Subcommand)]
enum TrainCommand {
    /// Train a network
    Run(Box<RunArgs>),
    /// Compare evaluations and networks on held-out records
    Evaluate(evaluate::EvaluateArgs),
    /// Average networks that were trained from the same checkpoint
    Average(average::AverageArgs),
    /// Bring the outputs for few and many pieces to one scale, by the results of games
    Calibrate(calibrate::CalibrateArgs),
    /// Write a network as raw integers, for other engines
    Export(raw::ExportArgs),
}

/// Command-line arguments of `train run`.
#[derive(clap::Args)]
#[command(after_help = "\
Data files contain records of bulletformat::ChessBoard (32 bytes), shuffled, as `cargo xtask data export` writes them.
Training and validation file must not have games in common.

The output folder receives best.nnue (lowest validation loss), last.nnue, checkpoint, report.md with plots, and train.json.
Interrupt with Ctrl-C; the same command with --resume continues. The result is the same as without the interruption, and
does not depend on the number of threads. The networks keep the name and the revision of the first command.

docs/training.md explains the settings.")]
pub(crate) struct RunArgs {
    /// Files of training records
    #[arg(value_name = "DATA", required = true)]
    data: Vec<PathBuf>,
    /// File of held-out records
    #[arg(long, value_name = "FILE")]
    validation: PathBuf,
    /// Output folder [default: a new one in target/runs/train]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Continue from the checkpoint in the output folder
    #[arg(long, requires = "out", conflicts_with = "force")]
    resume: bool,
    /// Overwrite the files of another training in the output folder
    #[arg(long)]
    force: bool,
    /// Checkpoint or network of the same architecture, or one without king buckets or threats, whose weights to start from
    #[arg(long, value_name = "FILE")]
    initial: Option<PathBuf>,
    /// Train the output layer alone: the feature weights stay those of --initial
    #[arg(long, requires = "initial")]
    output_only: bool,
    /// Name of the network, for its description
    #[arg(long, value_name = "TEXT", default_value = "")]
    name: String,

    /// Size of the hidden layer for each side, a multiple of 32
    #[arg(long, value_name = "N", default_value_t = 128, help_heading = "Architecture", value_parser = hidden)]
    hidden: usize,
    /// King buckets: 1, 2, 4, 8, or the buckets of a1, b1, c1, d1, a2 to d8, separated by commas
    #[arg(long, value_name = "LAYOUT", default_value = "1", help_heading = "Architecture", value_parser = settings::parse_king_buckets)]
    king_buckets: KingBuckets,
    /// Number of neurons with threats, a multiple of 32: how each piece is attacked and defended is an input of the first N
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Architecture")]
    threats: usize,
    /// Never mirror the board: otherwise files are mirrored if the own king stands on files e to h
    #[arg(long, help_heading = "Architecture")]
    no_mirroring: bool,
    /// Output buckets, selected by the number of pieces
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = "Architecture", value_parser = clap::value_parser!(u8).range(1..=16))]
    output_buckets: u8,
    /// Centipawns per 1.0 of the output: less makes the output weights larger and their rounding less important
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = DEFAULT_SCALE, help_heading = "Architecture", value_parser = clap::value_parser!(i32).range(1..=i64::from(MAX_SCALE)))]
    scale: i32,

    /// Weight of the search score in the target; the rest is the game result
    #[arg(long, value_name = "FRACTION", default_value_t = DEFAULT_LAMBDA, help_heading = "Loss", value_parser = fraction)]
    lambda: f64,
    /// Centipawns at which the sigmoid's argument is 1
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = DEFAULT_EVAL_SCALE, help_heading = "Loss", value_parser = positive)]
    eval_scale: f64,
    /// Exponent of the error, 2 to 2.6
    #[arg(long, value_name = "X", default_value_t = 2.0, help_heading = "Loss", value_parser = exponent)]
    exponent: f64,

    /// Number of superbatches
    #[arg(long, value_name = "N", default_value_t = 40, help_heading = "Schedule", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    superbatches: u32,
    /// Positions in a superbatch, after which losses are reported [default: those of one epoch]
    #[arg(long, value_name = "N", help_heading = "Schedule", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    superbatch_positions: Option<u64>,
    /// Positions in a mini-batch
    #[arg(long, value_name = "N", default_value_t = 16_384, help_heading = "Schedule", value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    batch: u32,
    /// Learning rate at the start
    #[arg(long, value_name = "RATE", default_value_t = 0.001, help_heading = "Schedule", value_parser = positive)]
    lr: f64,
    /// Learning rate at the end
    #[arg(long, value_name = "RATE", default_value_t = 0.000_005, help_heading = "Schedule", value_parser = positive)]
    final_lr: f64,
    /// The way the learning rate falls
    #[arg(long, value_enum, default_value = "cosine", help_heading = "Schedule")]
    schedule: Schedule,
    /// Number of learning rates of the schedule `step` [default: 4]
    #[arg(long, value_name = "N", help_heading = "Schedule", value_parser = clap::value_parser!(u32).range(2..))]
    lr_steps: Option<u32>,
    /// Mini-batches during which the learning rate rises
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "Schedule")]
    warmup: u32,
    /// Weight decay of AdamW
    #[arg(long, value_name = "X", default_value_t = 0.01, help_heading = "Schedule", value_parser = non_negative)]
    weight_decay: f64,
    /// Seed of the initial weights and of the order of the records
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Schedule")]
    seed: u64,

    /// Threads [default: one per processor]
    #[arg(long, short = 'j', value_name = "N", help_heading = "Resources", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Parts of a mini-batch that threads compute side by side; the result depends on it
    #[arg(long, value_name = "N", default_value_t = 4, help_heading = "Resources", value_parser = clap::value_parser!(u32).range(1..=256))]
    shards: u32,
    /// Records that are shuffled together, of 32 bytes in memory
    #[arg(long, value_name = "N", default_value_t = 1 << 20, help_heading = "Resources", value_parser = clap::value_parser!(u64).range(1..))]
    buffer: u64,
    /// Superbatches between checkpoints
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Resources", value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint_every: u64,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written or is damaged, or the training diverges.
pub(crate) fn run(args: &TrainArgs) -> Result<()> {
    match &args.command {
        TrainCommand::Run(args) => {
            let interrupted = tabiya_lab_common::interrupt::on_interrupt()?;
            train(args, || interrupted.load(Ordering::Relaxed))
        }
        TrainCommand::Evaluate(args) => evaluate::run(args),
        TrainCommand::Average(args) => average::run(args),
        TrainCommand::Calibrate(args) => calibrate::run(args),
        TrainCommand::Export(args) => raw::run(args),
    }
}

impl RunArgs {
    fn settings(&self, batches: &DataLoader, validation: &DataFile, initial: Option<&Initial>) -> Settings {
        let superbatch = match self.superbatch_positions {
            Some(positions) => (positions / batches.batch() as u64).max(1),
            None => batches.per_epoch(),
        };
        Settings {
            hidden: self.hidden,
            king_buckets: *self.king_buckets.map(),
            threats: self.threats,
            no_mirroring: self.no_mirroring,
            output_buckets: usize::from(self.output_buckets),
            scale: self.scale,
            lambda: self.lambda,
            eval_scale: self.eval_scale,
            exponent: self.exponent,
            batch: batches.batch(),
            superbatches: self.superbatches.into(),
            superbatch_batches: superbatch,
            lr: self.lr,
            final_lr: self.final_lr,
            schedule: self.schedule,
            lr_steps: self.lr_steps.unwrap_or(DEFAULT_LR_STEPS).into(),
            warmup: self.warmup.into(),
            weight_decay: self.weight_decay,
            seed: self.seed,
            shards: self.shards as usize,
            buffer: self.buffer,
            data: batches.files.iter().map(|file| file.sha256.clone()).collect(),
            validation: validation.sha256.clone(),
            initial: initial.map(|initial| initial.sha256.clone()),
            output_only: self.output_only,
        }
    }

    /// The files that are read.
    fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.data.iter().chain([&self.validation]).chain(&self.initial).map(PathBuf::as_path)
    }

    /// Checks that the folder has no files of another training, or has a checkpoint to resume from.
    fn check_folder(&self, folder: &Path) -> Result<()> {
        let checkpoint = folder.join(CHECKPOINT);
        if self.resume {
            // Without it, the error of reading it is reported first.
            if !checkpoint.is_file() {
                bail!("{} does not exist; nothing to resume", checkpoint.display());
            }
            return Ok(());
        }
        let inputs: Vec<&Path> = self.inputs().collect();
        for name in [CHECKPOINT, BEST, LAST].iter().chain(&report::FILES) {
            output::check(&folder.join(name), Existing::from_force(self.force), &inputs).map_err(
                |error| {
                    let is_checkpoint =
                        *name == CHECKPOINT && error.kind() == std::io::ErrorKind::AlreadyExists;
                    let error = anyhow::Error::new(error);
                    if is_checkpoint {
                        error.context("to continue the training there, use --resume")
                    } else {
                        error
                    }
                },
            )?;
        }
        Ok(())
    }
}

/// Runs `train run`, until `interrupted` returns true.
fn train(args: &RunArgs, interrupted: impl FnMut() -> bool) -> Result<()> {
    if args.final_lr > args.lr {
        bail!("--final-lr {} is above --lr {}", args.final_lr, args.lr);
    }
    // A training that was begun before this was refused can be resumed.
    if !args.resume
        && let (Some(steps), Schedule::Cosine) = (args.lr_steps, args.schedule)
    {
        bail!("--lr-steps {steps} needs --schedule step; the schedule cosine has no steps");
    }
    // Before the folder is created.
    Architecture::new(args.hidden, args.king_buckets.clone(), 1, 1)?
        .with_threats(args.threats)
        .with_context(|| format!("invalid --threats {}", args.threats))?;
    for path in args.inputs() {
        input::check_regular(path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => repository::new_run_folder("train")?,
    };
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let _lock = Lock::of_folder(&folder)?;
    args.check_folder(&folder)?;
    let files: Vec<DataFile> = args.data.iter().map(|path| DataFile::survey(path)).collect::<Result<_>>()?;
    let validation = DataFile::survey(&args.validation)?;
    for file in files.iter().chain([&validation]) {
        let [lost, drawn, won] = file.results;
        println!("{}: {} records ({lost} lost, {drawn} drawn, {won} won)", file.path.display(), file.records);
        if files.iter().filter(|other| other.sha256 == file.sha256).count() > 1
            || (files.contains(file) && file.sha256 == validation.sha256)
        {
            bail!("{} is given twice", file.path.display());
        }
    }
    if args.lambda < 1.0 {
        data::check_results(&files)?;
    }
    let batches = DataLoader::new(files, args.batch as usize, args.buffer, args.seed);
    let initial = args.initial.as_deref().map(Initial::read).transpose()?;
    let settings = args.settings(&batches, &validation, initial.as_ref());
    let architecture = settings.architecture()?;
    let threads = args.threads.map_or_else(repository::processors, |count| count as usize);
    let validation_records = data::read_all(&validation)?;
    evaluate::check_positions(&validation_records, &validation.path, threads)?;
    let revision = revision();
    let mut training = Training {
        folder: &folder,
        model: Model::new(&architecture, args.seed, settings.shards, threads),
        state: checkpoint::State {
            description: settings.description(&args.name, &batches.files, &revision),
            ..checkpoint::State::new(settings)
        },
        batches: &batches,
        validation: &validation_records,
        checkpoint_every: args.checkpoint_every,
    };
    if args.resume {
        training.resume()?;
    } else if let (Some(initial), Some(path)) = (&initial, &args.initial) {
        initial
            .restore(&mut training.model)
            .with_context(|| format!("cannot start from {}", path.display()))?;
    }
    if args.output_only {
        training.model.freeze_features();
    }
    println!(
        "{architecture}, {} of {} superbatches done, {} threads, {}",
        training.state.history.len(),
        training.state.settings.superbatches,
        threads,
        InstructionSet::best()
    );
    let (settings, records) = (&training.state.settings, batches.files.iter().map(|file| file.records).sum());
    println!(
        "{} steps of {} records: {:.1} passes over {records} records",
        settings.total_batches(),
        settings.batch,
        settings.passes(records)
    );
    if let Some(shortfall) = settings.shortfall(records) {
        eprintln!("warning: {shortfall}");
    }
    let finished = training.run(interrupted)?;
    println!("Folder    {}", folder.display());
    if !finished {
        bail!(
            "stopped after mini-batch {}; repeat the command with --resume --out {} to continue",
            training.state.step(),
            folder.display()
        );
    }
    let positions = training.state.step() as f64 * batches.batch() as f64;
    let (losses, quantisation) = compare(&training, args.exponent, threads)?;
    let report = TrainingReport {
        name: &args.name,
        architecture: architecture.to_string(),
        revision: &revision,
        command: command_text(&TRAINING, std::env::args_os().skip(1)),
        data: &batches.files,
        validation: &validation,
        state: &training.state,
        positions_per_second: positions / training.state.seconds.max(1e-9),
        threads,
        instruction_set: InstructionSet::best().to_string(),
        losses,
        quantisation,
        scale_line: evaluate::scale_line(&validation_records),
    };
    report.write(&folder)?;
    print!("{}", evaluate::table(&report.losses));
    let QuantisationError { mean, max, .. } = report.quantisation;
    println!("error of quantisation: mean {mean:.2}, maximum {max:.1} centipawns");
    println!("{:.0} positions/s", report.positions_per_second);
    Ok(())
}

/// Compares the trained network on the validation records with the handcrafted evaluation, and with its quantised form.
fn compare(
    training: &Training<'_>,
    exponent: f64,
    threads: usize,
) -> Result<(Vec<Losses>, QuantisationError)> {
    let blend = training.state.settings.blend();
    let records = training.validation;
    let mut losses = evaluate::baselines(records, blend, exponent, threads)?;
    let values = training.values();
    losses.push(Losses::new("last, not quantised", &values, records, blend, exponent));
    let mut quantisation = QuantisationError::default();
    for (name, file) in [("last", LAST), ("best", BEST)] {
        let path = training.folder.join(file);
        // A resumed training can lack it: the checkpoint has the last weights only.
        if file == BEST && !path.exists() {
            eprintln!("warning: {} is missing; the report leaves it out", path.display());
            continue;
        }
        let network = read_network(&path)?;
        let quantised = evaluate::network_values(records, &network, threads)?;
        losses.push(Losses::new(name, &quantised, records, blend, exponent));
        if file == LAST {
            let pairs = values.iter().copied().zip(quantised.iter().copied());
            quantisation = QuantisationError::new(pairs.take(QUANTISATION_RECORDS));
        }
    }
    Ok((losses, quantisation))
}

/// The revision of the working tree, with `+` for uncommitted changes.
fn revision() -> String {
    let Ok(commit) = repository::git(&["rev-parse", "--short=12", "HEAD"]) else {
        return "unknown".to_owned();
    };
    let is_clean = repository::git(&["status", "--porcelain"]).is_ok_and(|changes| changes.is_empty());
    if is_clean { commit } else { commit + "+" }
}

/// Parses the size of the hidden layer.
fn hidden(text: &str) -> Result<usize, String> {
    let size = text
        .parse()
        .ok()
        .filter(|&size: &usize| Architecture::new(size, KingBuckets::single(), 1, 1).is_ok());
    size.ok_or_else(|| "expected a multiple of 32 from 32 to 1024".to_owned())
}

/// Parses the exponent of the error.
fn exponent(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (2.0..=2.6).contains(number));
    number.ok_or_else(|| "expected a number from 2 to 2.6".to_owned())
}
