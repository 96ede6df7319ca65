//! Runs a match from its plan to its reports.

use super::match_args::PlayArgs;
use super::match_engine::EngineSetup;
use super::plan::Plan;
use super::progress::MatchProgress;
use super::report;
use super::run_folder::{RunFolder, State};
use super::runner::{self, Resources, SessionEnd};
use super::summary::Summary;
use super::trial;
use crate::ratings::{PairingResults, RatingTable};
use anyhow::{Result, bail};
use std::path::Path;
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::interrupt::on_interrupt;
use tabiya_lab_common::openings::Book;
use tabiya_lab_common::program::{invocation, quoted};
use tabiya_lab_common::tablebases::TablebaseAdjudicator;
use tabiya_workspace::lab_commands::MATCHES;

/// The kind of a match's run, which names its default folder.
pub(crate) const RUNS: &str = "matches";

/// Plays a new match. Its engines are started once before it has a folder.
///
/// # Errors
/// If games would repeat, if the match fails or is interrupted, or if it is strict and there was a fault or a warning.
pub(crate) fn start(mut plan: Plan, book: &Book, args: &PlayArgs) -> Result<()> {
    plan.check_repeats(book)?;
    let slots = args.slots(None, plan.processors_per_game());
    runner::check_affinity(&plan, slots)?;
    trial::run(
        &mut plan.players,
        &EngineSetup {
            chess960: plan.chess960,
            ponder: plan.options.ponder,
            timeouts: &plan.timeouts,
            cancel: &on_interrupt()?,
            processors: None,
        },
    )?;
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => tabiya_workspace::repository::new_run_folder(RUNS)?,
    };
    let (run_folder, state) = RunFolder::create(&folder, plan)?;
    play(run_folder, state, book, slots)
}

/// Resumes the match in a folder.
///
/// # Errors
/// As [`start`], and if the programs or the book have changed.
pub(crate) fn resume(folder: &Path, args: &PlayArgs) -> Result<()> {
    let (run_folder, mut state) = RunFolder::resume(folder)?;
    state.plan.options.recover |= args.recover;
    let book = state.plan.openings.load()?;
    state.plan.check_unchanged(&book)?;
    let slots = args.slots(state.slots, state.plan.processors_per_game());
    play(run_folder, state, &book, slots)
}

fn play(mut run_folder: RunFolder, mut state: State, book: &Book, slots: usize) -> Result<()> {
    describe(&state, &run_folder, book, slots);
    state.slots = Some(slots);
    let interrupted = on_interrupt()?;
    let mut progress = MatchProgress::new(run_folder.folder(), &state)?;
    let tablebases = TablebaseAdjudicator::open(&state.plan.syzygy)?;
    let resources = Resources { book, tablebases: tablebases.as_ref() };
    let result = runner::run(&mut state, &mut run_folder, resources, slots, &interrupted, &mut progress);
    progress.finish();
    for problem in tablebases.iter().flat_map(TablebaseAdjudicator::problems) {
        eprintln!("warning: {problem}");
    }

    let ratings = state.plan.anchor.map(|anchor| rating_table(&state, anchor));
    if state.scoreboard.games > 0 {
        println!("{}", Summary::new(&state));
    }
    if let Some(ratings) = &ratings {
        println!("\n{ratings}");
    }
    // Report the cause of the end before any error of the report itself.
    let report = report::write(&run_folder, &state, ratings.as_ref());
    let resume_hint = format!(
        "resume with: {} {} --resume {}",
        invocation(&MATCHES),
        command(&state),
        quoted(&run_folder.folder().display().to_string())
    );
    match result {
        Ok(SessionEnd::Finished) => {}
        Ok(SessionEnd::Interrupted) => bail!("interrupted; {resume_hint}"),
        Ok(SessionEnd::Broken(why)) => bail!("{why}\n{resume_hint}"),
        Err(error) => bail!("{error:#}\n{resume_hint}"),
    }
    println!("Report    {}", report?.display());
    let (faults, warnings) = (state.scoreboard.faults(), state.scoreboard.warnings());
    if state.plan.options.strict && faults + warnings > 0 {
        bail!("{} lost by a fault, {}", counted(faults, "game"), counted(warnings, "warning"));
    }
    Ok(())
}

fn rating_table(state: &State, anchor: (usize, f64)) -> RatingTable {
    let names: Vec<&str> = state.plan.players.iter().map(|player| player.name()).collect();
    let pairings: Vec<PairingResults> = state
        .plan
        .pairings
        .iter()
        .zip(&state.scoreboard.scores)
        .map(|(&players, score)| PairingResults { players, pairs: score.pairs, games: score.games })
        .collect();
    RatingTable::new(&names, &pairings, anchor)
}

fn describe(state: &State, run_folder: &RunFolder, book: &Book, slots: usize) {
    let plan = &state.plan;
    let names: Vec<&str> = plan.players.iter().map(|player| player.name()).collect();
    let mut limits: Vec<String> = Vec::new();
    for text in plan.players.iter().map(|player| player.limits.to_string()) {
        if !limits.contains(&text) {
            limits.push(text);
        }
    }
    println!(
        "{}: at most {} games, {slots} in parallel, {}, {} from {}",
        names.join(" - "),
        2 * plan.pairs,
        limits.join(" and "),
        counted(book.len(), "opening"),
        book.name,
    );
    if state.scoreboard.games > 0 {
        println!("{} already played", counted(state.scoreboard.games, "game"));
    }
    println!("Folder    {}", run_folder.folder().display());
}

fn command(state: &State) -> &'static str {
    match &state.plan {
        plan if plan.scaling => "scaling",
        plan if plan.anchor.is_some() => "gauntlet",
        _ => "selfplay",
    }
}
