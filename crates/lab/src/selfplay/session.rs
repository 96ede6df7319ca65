//! Runs a match from its plan to its reports.

use super::match_args::PlayArgs;
use super::openings::Book;
use super::plan::Plan;
use super::progress::MatchProgress;
use super::report;
use super::run_folder::{RunFolder, State};
use super::runner::{self, SessionEnd};
use super::summary::Summary;
use crate::selfplay::ratings::RatingTable;
use anyhow::{Result, bail};
use std::path::Path;

/// Plays a new match.
///
/// # Errors
/// If the match fails or is interrupted, or if it is strict and there was a fault or a warning.
pub(crate) fn start(plan: Plan, book: &Book, args: &PlayArgs) -> Result<()> {
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => tabiya_workspace::repository::new_run_folder("runs")?,
    };
    let (store, state) = RunFolder::create(&folder, plan)?;
    play(store, state, book, args.slots())
}

/// Resumes the match in a folder.
///
/// # Errors
/// As [`start`], and if the programs or the book have changed.
pub(crate) fn resume(folder: &Path, args: &PlayArgs) -> Result<()> {
    let (store, state) = RunFolder::resume(folder)?;
    let book = state.plan.openings.load()?;
    state.plan.check_unchanged(&book)?;
    play(store, state, &book, args.slots())
}

fn play(mut store: RunFolder, mut state: State, book: &Book, slots: usize) -> Result<()> {
    describe(&state, &store, book, slots);
    let interrupted = crate::interrupt::on_interrupt()?;
    let mut progress = MatchProgress::new(&state);
    let result = runner::run(&mut state, &mut store, book, slots, &interrupted, &mut progress);
    progress.finish();

    let ratings = state.plan.anchor.map(|anchor| RatingTable::new(&state.plan, &state.scoreboard, anchor));
    if state.scoreboard.games > 0 {
        println!("{}", Summary::new(&state));
    }
    if let Some(ratings) = &ratings {
        println!("\n{ratings}");
    }
    // Report the cause of the end before any error of the report itself.
    let report = report::write(&store, &state, ratings.as_ref());
    let again = format!("resume with: cargo xtask {} --resume {}", command(&state), store.folder().display());
    match result {
        Ok(SessionEnd::Finished) => {}
        Ok(SessionEnd::Interrupted) => bail!("interrupted; {again}"),
        Ok(SessionEnd::Broken(why)) => bail!("{why}\n{again}"),
        Err(error) => bail!("{error:#}\n{again}"),
    }
    println!("Report    {}", report?.display());
    let (faults, warnings) = (state.scoreboard.faults(), state.scoreboard.warnings());
    if state.plan.options.strict && faults + warnings > 0 {
        bail!("{faults} games lost by a fault, {warnings} PVs with illegal moves");
    }
    Ok(())
}

fn describe(state: &State, store: &RunFolder, book: &Book, slots: usize) {
    let plan = &state.plan;
    let names: Vec<&str> = plan.players.iter().map(|player| player.name()).collect();
    println!(
        "{}: at most {} games, {slots} in parallel, {}, {} openings from {}",
        names.join(" - "),
        2 * plan.pairs,
        plan.players[0].limits,
        book.len(),
        book.name,
    );
    if state.scoreboard.games > 0 {
        println!("{} games already played", state.scoreboard.games);
    }
    println!("Folder    {}", store.folder().display());
}

fn command(state: &State) -> &'static str {
    if state.plan.anchor.is_some() { "gauntlet" } else { "selfplay" }
}
