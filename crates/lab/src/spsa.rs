//! `cargo xtask spsa`: tunes the numbers of the search by games between engines that differ in all of them.
//!
//! In each iteration two players, whose numbers lie on opposite sides of the current ones, play a pair of
//! games; the numbers move towards the one that did better. [`schedule`] is the arithmetic, [`walk`] the
//! order of things, [`play`] the games, [`journal`] what lasts, [`report`] what came out.

mod journal;
mod play;
mod report;
mod schedule;
mod select;
mod source;
mod walk;

use crate::engine_argument::name_and_value;
use crate::progress::Progress;
use crate::selfplay::match_args::PlayArgs;
use crate::selfplay::openings::Book;
use crate::selfplay::player::Player;
use crate::selfplay::referee::{Adjudication, DrawRule, ResignRule};
use crate::selfplay::revisions;
use anyhow::{Result, bail};
use journal::{Journal, Setup};
use schedule::Schedule;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tabiya_search::TUNABLES;
use tabiya_workspace::{build, repository};
use walk::Walk;

/// How often the page is written while games are played.
const PAGE_INTERVAL: Duration = Duration::from_secs(60);

/// How many iterations later a result is first made use of, at least. Up to half as many slots never wait
/// for each other, and the walk does not depend on their number.
const DELAY: u64 = 8;

/// The command line.
#[derive(clap::Args)]
#[command(after_help = "\
Each iteration is a pair of games between two engines, all of whose numbers lie on opposite sides of the
current ones. The first of them starts at the default, and moves as far as c_end: the step that is declared
with the number, times --c-scale. The engine is built with the feature `tune`.

Without --draw and --resign games are adjudicated by 34,8,10 and 4,600.

Everything goes to a folder: spsa.json, results.jsonl (one line an iteration; --resume goes on from there,
to the same walk where nodes or depth limit the moves) and spsa.html, which is written anew each minute.")]
pub struct Args {
    /// Names of the numbers to tune; * stands for any letters, as in lmr_* [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// List the numbers that would be tuned, and play nothing
    #[arg(long)]
    list: bool,
    /// Games, two for each iteration
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(2..=100_000_000))]
    games: u64,
    /// The perturbation of the last iteration, as a multiple of the declared step
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = positive)]
    c_scale: f64,
    /// How much of its perturbation one win moves a number by in the last iteration [default: 40 by the
    /// number of iterations, from 0.002 to 0.02]
    #[arg(long, value_name = "X", value_parser = positive)]
    r_end: Option<f64>,
    /// The engine: `cmd=...[,option.NAME=VALUE]...`, in place of building one
    #[arg(long, value_name = "SPEC")]
    engine: Option<Player>,
    /// A UCI option of both players, NAME=VALUE
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
    /// Only say where the walk in this folder has got to, and write its page
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    show: Option<PathBuf>,
    /// Write the values into the engine's source in the end: crates/search/src/params.rs of the tree that this
    /// program was built from, named when it starts
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    play: PlayArgs,
}

/// Reads a positive number, for clap.
fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|number: &f64| number.is_finite() && *number > 0.0)
        .ok_or_else(|| "expected a number above 0".to_owned())
}

/// Runs the command.
///
/// # Errors
/// When the command line makes no sense, an engine cannot be used, or the walk cannot go on.
pub fn run(args: &Args) -> Result<()> {
    if let Some(folder) = &args.show {
        let (_, walk, _) = journal::load(folder)?;
        return conclude(&walk, folder, args.write);
    }
    if let Some(folder) = &args.play.resume {
        let (setup, journal, walk) = Journal::resume(folder)?;
        let book = setup.openings.load()?;
        setup.check_unchanged(&book)?;
        return go_on(&setup, &book, walk, journal, args);
    }
    let schedule = args.schedule()?;
    if args.list {
        for parameter in &schedule.parameters {
            let schedule::Parameter { name, start, min, max, c_end, .. } = parameter;
            println!("{name:<30} {start:>6} in {min:>5}..={max:<6} step {c_end}");
        }
        return Ok(());
    }
    let (setup, book) = args.setup(schedule)?;
    let folder = match &args.play.out {
        Some(folder) => folder.clone(),
        None => repository::new_run_folder("spsa")?,
    };
    let (journal, walk) = Journal::create(&folder, &setup)?;
    go_on(&setup, &book, walk, journal, args)
}

impl Args {
    fn schedule(&self) -> Result<Schedule> {
        let iterations = self.games.div_ceil(2);
        let r_end = self.r_end.unwrap_or_else(|| (40.0 / iterations as f64).clamp(0.002, 0.02));
        let parameters = select::select(TUNABLES, &self.names, self.c_scale, r_end)?;
        Ok(Schedule { parameters, iterations, seed: self.play.seed })
    }

    fn setup(&self, schedule: Schedule) -> Result<(Setup, Book)> {
        // First what costs nothing to check.
        let (openings, book) = self.play.openings()?;
        let given = self.play.adjudication();
        let adjudication = Adjudication {
            draw: given.draw.or(Some(DrawRule { from_move: 34, moves: 8, score: 10 })),
            resign: given.resign.or(Some(ResignRule { moves: 4, score: 600 })),
            ..given
        };
        let mut player = match &self.engine {
            Some(player) => player.clone(),
            None => Player::new("tabiya", revisions::keep("tune", &build::with_tunables()?)?),
        };
        player.options.extend(self.options.iter().cloned());
        for (name, _) in &player.options {
            if schedule.parameters.iter().any(|parameter| parameter.name.eq_ignore_ascii_case(name)) {
                bail!("{name} is tuned, so it cannot be set as an option as well");
            }
        }
        if player.limits.is_empty() {
            player.limits = self.play.limits();
        }
        player.locate()?;
        let setup = Setup {
            version: Setup::VERSION,
            delay: DELAY.max(2 * self.play.slots() as u64),
            schedule,
            player,
            openings,
            adjudication,
            patience: self.play.timeouts(),
            recover: self.play.recover,
            chess960: book.chess960,
        };
        Ok((setup, book))
    }
}

fn go_on(setup: &Setup, book: &Book, mut walk: Walk, mut journal: Journal, args: &Args) -> Result<()> {
    let slots = args.play.slots();
    let folder = journal.folder().to_owned();
    println!(
        "{} numbers, {} games, {slots} at a time, {}, {} openings of {}",
        setup.schedule.parameters.len(),
        2 * setup.schedule.iterations,
        setup.player.limits,
        book.len(),
        book.name,
    );
    println!("Engine    {}", setup.player.command.program.display());
    println!("Folder    {}", folder.display());
    if args.write {
        println!("Source    {} (written in the end)", source::path(&repository::root()).display());
    }
    let before = walk.applied();
    if before > 0 {
        println!("{} games are played already", 2 * before);
    }
    let interrupted = crate::interrupt::on_interrupt()?;
    let started = Instant::now();
    let mut page_written = started;
    let mut progress = Progress::new("games", 2 * before, 2 * setup.schedule.iterations, "");
    let result = play::play(setup, book, (&mut walk, &mut journal), slots, &interrupted, |walk, faults| {
        for fault in faults {
            progress.message(fault);
        }
        progress.show(2 * walk.applied(), || {
            let minutes = started.elapsed().as_secs_f64() / 60.0;
            report::status(walk, 2.0 * (walk.applied() - before) as f64 / minutes)
        });
        if page_written.elapsed() >= PAGE_INTERVAL {
            page_written = Instant::now();
            if let Err(error) = write_page(walk, &folder) {
                progress.message(&format!("{error:#}"));
            }
        }
    });
    progress.finish();
    let again = format!("go on with: cargo xtask spsa --resume {}", folder.display());
    if let Err(error) = result {
        bail!("{error:#}\n{again}");
    }
    let done = walk.is_done();
    conclude(&walk, &folder, args.write && done)?;
    if !done {
        bail!("interrupted; {again}");
    }
    Ok(())
}

fn write_page(walk: &Walk, folder: &Path) -> Result<PathBuf> {
    journal::write(folder, "spsa.html", &report::page(walk)?)
}

/// Says what came out.
fn conclude(walk: &Walk, folder: &Path, write: bool) -> Result<()> {
    println!("Games     {} of {}", 2 * walk.applied(), 2 * walk.schedule().iterations);
    println!("\n{}", report::table(walk));
    println!("As options of a player of selfplay:\n{}\n", report::as_options(walk));
    println!("Page      {}", write_page(walk, folder)?.display());
    let root = repository::root();
    let text = source::changed(&root, &report::values(walk))?;
    if write {
        println!("Written   {}", text.write()?.display());
    } else {
        println!("To paste into the source, or to be written there by --show {} --write:", folder.display());
        println!("{}", text.lines());
    }
    Ok(())
}
