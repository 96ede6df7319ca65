//! `cargo xtask spsa`: tunes search parameters, or the options of any UCI engine, with SPSA (simultaneous
//! perturbation stochastic approximation).
//!
//! In each iteration, two players with all parameters perturbed in opposite directions play a pair of games, and
//! the parameters move towards the winner. `schedule` has the arithmetic, `tuner` the order in which results
//! are applied, `play` the games, `journal` the files of a run, `report` its results. `select` and `inputs`
//! determine the parameters.

mod inputs;
mod journal;
mod play;
mod report;
mod schedule;
mod select;
mod source;
mod tuner;

use crate::selfplay::match_args::PlayArgs;
use crate::selfplay::match_engine::EngineSetup;
use crate::selfplay::player::{Player, Protocol};
use crate::selfplay::{revisions, trial};
use anyhow::{Context, Result, bail};
use journal::{Journal, Setup};
use schedule::{Parameter, Schedule};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::interrupt::on_interrupt;
use tabiya_lab_common::number_argument::positive;
use tabiya_lab_common::openings::Book;
use tabiya_lab_common::option_argument::name_and_value;
use tabiya_lab_common::program::{invocation, quoted};
use tabiya_lab_common::progress::Progress;
use tabiya_lab_common::referee::{Adjudication, DrawRule, ResignRule};
use tabiya_search::tuning::TUNABLES;
use tabiya_uci_engine::{Identity, UciEngine};
use tabiya_workspace::lab_commands::MATCHES;
use tabiya_workspace::{build, repository};
use tuner::Tuner;

/// The kind of the runs, which names their default folder.
const RUNS: &str = "spsa";

/// Interval at which the page is rewritten while games are played.
const PAGE_INTERVAL: Duration = Duration::from_secs(60);

/// Minimum of [`Setup::delay`]. The delay is at least twice the number of parallel games, so that workers rarely
/// wait for each other.
const DELAY: u64 = 8;

/// Command-line arguments of `spsa`.
#[derive(clap::Args)]
#[command(after_help = "\
Each iteration is a pair of games between two engines with all parameters perturbed in opposite directions.
Parameters start at their defaults. The perturbation in the last iteration, c_end, is the step declared with
the parameter times --c-scale. The engine is built with the feature `tune`.

With --engine, NAME is a spin option of that engine, and its step a twentieth of its range. --parameters gives
start, range and step instead, in lines as OpenBench reads them and --list and `tabiya spsa` print them. So for an
engine that prints such lines for the argument spsa: ENGINE spsa | cargo xtask spsa --engine cmd=ENGINE --parameters -

Without --draw and --resign, games are adjudicated by 34,8,10 and 4,600.

The output folder receives spsa.json, results.jsonl (one line per iteration, from which --resume continues;
with node or depth limits the result is the same as without the interruption) and spsa.html, rewritten every
minute.")]
pub struct SpsaArgs {
    /// Names of the parameters to tune; * matches any characters, as in lmr_* [default: all, except with --engine]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Read the parameters from a file, or - for standard input, with lines `name, int, value, min, max, c_end, r_end`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "c_scale", "r_end"])]
    parameters: Option<PathBuf>,
    /// List the parameters that would be tuned, in the format of --parameters; play no games
    #[arg(long)]
    list: bool,
    /// Number of games, two per iteration
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(2..=100_000_000))]
    games: u64,
    /// Perturbation in the last iteration (c_end), as a multiple of the declared step
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = positive)]
    c_scale: f64,
    /// Learning rate in the last iteration (r_end): the fraction of its perturbation by which one win moves a
    /// parameter [default: 40 / iterations, clamped to 0.002..0.02]
    #[arg(long, value_name = "X", value_parser = positive)]
    r_end: Option<f64>,
    /// Engine to tune instead of building one: `cmd=...[,option.NAME=VALUE]...`
    #[arg(long, value_name = "SPEC")]
    engine: Option<Player>,
    /// UCI option of both players, NAME=VALUE
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
    /// Report the current state of the run in this folder and write its page; play no games
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    show: Option<PathBuf>,
    /// At the end, write the tuned values to crates/search/src/params.rs of the working tree
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    play: PlayArgs,
}

/// Runs the command.
///
/// # Errors
/// If the arguments are invalid, an engine cannot be used, or the run cannot be continued.
pub fn run(args: &SpsaArgs) -> Result<()> {
    if let Some(folder) = &args.show {
        let (_, tuner, _) = journal::load(folder)?;
        return report_results(&tuner, folder, args.write);
    }
    if let Some(folder) = args.play.resumed(RUNS)? {
        let (mut setup, journal, tuner) = Journal::resume(&folder)?;
        setup.recover |= args.play.recover;
        let book = setup.openings.load()?;
        setup.check_unchanged(&book)?;
        return continue_run(&setup, &book, tuner, journal, args);
    }
    let schedule = args.schedule()?;
    if args.list {
        print!("{}", inputs::format(&schedule.parameters));
        return Ok(());
    }
    // So that Ctrl-C during a build says what it ended.
    let interrupted = on_interrupt()?;
    let (mut setup, book) = args.setup(schedule)?;
    trial::run(
        std::slice::from_mut(&mut setup.player),
        &EngineSetup {
            chess960: setup.chess960,
            ponder: false,
            timeouts: &setup.timeouts,
            cancel: &interrupted,
            processors: None,
        },
    )?;
    let folder = match &args.play.out {
        Some(folder) => folder.clone(),
        None => repository::new_run_folder(RUNS)?,
    };
    let (journal, tuner) = Journal::create(&folder, &setup)?;
    continue_run(&setup, &book, tuner, journal, args)
}

impl SpsaArgs {
    fn schedule(&self) -> Result<Schedule> {
        let iterations = self.games.div_ceil(2);
        let r_end = self.r_end.unwrap_or_else(|| (40.0 / iterations as f64).clamp(0.002, 0.02));
        let engine = match &self.engine {
            Some(player) if player.protocol != Protocol::Uci => {
                bail!("--engine {:?}: SPSA needs a UCI engine", player.name())
            }
            Some(player) => {
                let timeout = self.play.timeouts().startup();
                let mut player = player.clone();
                // Otherwise a relative path would count from the engine's folder.
                player.locate()?;
                Some(UciEngine::start(&player.command, timeout).context("cannot read the engine's options")?)
            }
            None => None,
        };
        let mut parameters = match (&self.parameters, &engine) {
            (Some(path), _) => parameters_of_file(path)?,
            (None, Some(engine)) => {
                select::select_options(engine.identity(), TUNABLES, &self.names, (self.c_scale, r_end))?
            }
            (None, None) => select::select(TUNABLES, &self.names, self.c_scale, r_end)?,
        };
        match &engine {
            Some(engine) => select::check_options(engine.identity(), &mut parameters)?,
            None => source::check_declared(&parameters)?,
        }
        Ok(Schedule { parameters, iterations, seed: self.play.seed })
    }

    fn setup(&self, schedule: Schedule) -> Result<(Setup, Book)> {
        // Check the openings before the expensive build of the engine.
        let (openings, book) = self.play.openings()?;
        let requested = self.play.adjudication();
        let adjudication = Adjudication {
            draw: requested.draw.or(Some(DrawRule { from_move: 34, moves: 8, score: 10 })),
            resign: requested.resign.or(Some(ResignRule { moves: 4, score: 600, one_sided: false })),
            ..requested
        };
        let mut player = match &self.engine {
            Some(player) => player.clone(),
            None => {
                repository::sources().context("without --engine cmd=PROGRAM, Tabiya is built")?;
                Player::new("tabiya", revisions::keep("tune", &build::with_tunables()?)?)
            }
        };
        player.options.extend(self.options.iter().cloned());
        for (name, _) in &player.options {
            if schedule.parameters.iter().any(|parameter| parameter.name.eq_ignore_ascii_case(name)) {
                bail!("{name} is tuned, so it cannot also be set as an option");
            }
        }
        if player.limits.is_empty() {
            player.limits = self.play.limits();
        }
        player.limits.engine_time |= self.play.engine_time;
        player.locate()?;
        let slots = slots(&self.play, None, &player);
        let setup = Setup {
            version: Setup::VERSION,
            delay: DELAY.max(2 * slots as u64),
            slots: Some(slots),
            schedule,
            player,
            openings,
            adjudication,
            timeouts: self.play.timeouts(),
            recover: self.play.recover,
            chess960: book.chess960,
        };
        Ok((setup, book))
    }
}

/// Number of games played in parallel, which was `before` in a run that is resumed. Without pondering, only one of the two engines of a
/// game thinks.
fn slots(play: &PlayArgs, before: Option<usize>, player: &Player) -> usize {
    play.slots(before, player.threads())
}

/// Checks the inputs for SPSA sessions that an engine prints: each must be one of its spin options, with the same
/// value. Returns their number.
///
/// # Errors
/// If a line is malformed, or does not agree with the option.
pub(crate) fn check_inputs(text: &str, engine: &Identity) -> Result<usize> {
    let mut parameters = inputs::parse(text)?;
    select::check_options(engine, &mut parameters)?;
    for parameter in &parameters {
        let option = engine.option(&parameter.name).and_then(select::spin);
        if option.as_ref().map(|option| option.start) != Some(parameter.start) {
            bail!("{}: value {} is not the option's default", parameter.name, parameter.start);
        }
    }
    Ok(parameters.len())
}

fn parameters_of_file(path: &Path) -> Result<Vec<Parameter>> {
    let read = if path == Path::new("-") {
        std::io::read_to_string(std::io::stdin())
    } else {
        std::fs::read_to_string(path)
    };
    let text = read.with_context(|| format!("cannot read {}", path.display()))?;
    inputs::parse(&text).with_context(|| path.display().to_string())
}

fn continue_run(
    setup: &Setup,
    book: &Book,
    mut tuner: Tuner,
    mut journal: Journal,
    args: &SpsaArgs,
) -> Result<()> {
    if args.write {
        source::check_declared(&setup.schedule.parameters)?;
    }
    let slots = slots(&args.play, setup.slots, &setup.player);
    let folder = journal.folder().to_owned();
    println!(
        "{}, {} games, {slots} in parallel, {}, {} from {}",
        counted(setup.schedule.parameters.len(), "parameter"),
        2 * setup.schedule.iterations,
        setup.player.limits,
        counted(book.len(), "opening"),
        book.name,
    );
    println!("Engine    {}", setup.player.command.program.display());
    println!("Folder    {}", folder.display());
    if args.write {
        println!("Source    {} (written at the end)", source::path(&declarations_root()?).display());
    }
    let resumed_at = tuner.applied();
    if resumed_at > 0 {
        println!("{} games have already been played", 2 * resumed_at);
    }
    let interrupted = on_interrupt()?;
    let start = Instant::now();
    let mut page_written = start;
    let mut progress = Progress::new("games", 2 * resumed_at, 2 * setup.schedule.iterations, "");
    let result = play::play(setup, book, (&mut tuner, &mut journal), slots, &interrupted, |tuner, faults| {
        for fault in faults {
            progress.message(fault);
        }
        progress.show(2 * tuner.applied(), || {
            let minutes = start.elapsed().as_secs_f64() / 60.0;
            report::status(tuner, 2.0 * (tuner.applied() - resumed_at) as f64 / minutes)
        });
        if page_written.elapsed() >= PAGE_INTERVAL {
            page_written = Instant::now();
            if let Err(error) = write_page(tuner, &folder) {
                progress.message(&format!("{error:#}"));
            }
        }
    });
    progress.finish();
    let hint = format!(
        "continue with: {} spsa --resume {}",
        invocation(&MATCHES),
        quoted(&folder.display().to_string())
    );
    if let Err(error) = result {
        bail!("{error:#}\n{hint}");
    }
    let done = tuner.is_done();
    report_results(&tuner, &folder, args.write && done)?;
    if !done {
        bail!("interrupted; {hint}");
    }
    Ok(())
}

/// The root of the sources that declare the parameters.
fn declarations_root() -> Result<PathBuf> {
    repository::sources().context("--write changes the sources")
}

fn write_page(tuner: &Tuner, folder: &Path) -> Result<PathBuf> {
    journal::write_page(folder, &report::page(tuner)?)
}

/// Prints the results and writes the page and, if `write`, the source.
fn report_results(tuner: &Tuner, folder: &Path, write: bool) -> Result<()> {
    println!("Games     {} of {}", 2 * tuner.applied(), 2 * tuner.schedule().iterations);
    if let Some(remark) = report::remark(tuner) {
        println!("{remark}");
    }
    println!("\n{}", report::table(tuner));
    println!("As options of a selfplay player:\n{}\n", report::as_options(tuner));
    println!("Page      {}", write_page(tuner, folder)?.display());
    let is_declared = || source::check_declared(&tuner.schedule().parameters).is_ok();
    if !write && (repository::is_installed() || !is_declared()) {
        return Ok(());
    }
    let source = source::update(&declarations_root()?, &report::values(tuner))?;
    if write {
        println!("Written   {}", source.write()?.display());
    } else {
        println!("Changed declarations (write them to the source with --show {} --write):", folder.display());
        println!("{}", source.changed_lines());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_lab_common::test_arguments::parse;

    #[test]
    fn threads_of_the_engine_divide_the_processors() {
        let slots = |arguments: &[&str], player: &Player| slots(&parse(arguments).unwrap(), None, player);
        let mut player = Player::default();
        assert_eq!(slots(&[], &player), repository::processors());
        player.options.push(("Threads".to_owned(), repository::processors().to_string()));
        assert_eq!(slots(&[], &player), 1);
        assert_eq!(slots(&["--concurrency", "3"], &player), 3);
    }
}
