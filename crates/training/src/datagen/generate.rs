//! Plays the games of a run on several threads.

use super::play::{Mover, Rules, play};
use anyhow::{Context, Result};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tabiya_lab_common::games::Store;
use tabiya_lab_common::ordered::map_in_order;
use tabiya_lab_common::progress::Progress;

/// Extends the file to this number of games.
///
/// Games are stored in the order of their numbers, so that the file does not depend on the number of threads, and its
/// length tells which game is next.
///
/// # Errors
/// If an engine cannot be created or fails, or the file cannot be written.
pub(super) fn generate(
    store: &mut Store,
    rules: &Rules,
    games: u64,
    threads: usize,
    new_mover: impl Fn() -> Result<Mover> + Sync,
    interrupted: &AtomicBool,
) -> Result<()> {
    let mut missing = store.games()..games;
    let next_number = || Ok(if interrupted.load(Ordering::Relaxed) { None } else { missing.next() });
    let new_worker = || {
        let mut mover = new_mover()?;
        Ok(move |number| {
            let game = play(&mut mover, rules, number).with_context(|| format!("game {number}"))?;
            Ok((game.to_bytes(), game.moves.len() as u64))
        })
    };
    let start = Instant::now();
    let former_positions = store.positions();
    let mut progress = Progress::new("games", store.games(), games, "");
    let result = map_in_order(threads, next_number, new_worker, |(bytes, positions)| {
        store.append(&bytes, positions)?;
        progress.show(store.games(), || {
            let new = (store.positions() - former_positions) as f64;
            let per_hour = new / start.elapsed().as_secs_f64().max(1e-3) * 3600.0;
            format!("{} positions, {:.2} million an hour", store.positions(), per_hour / 1e6)
        });
        Ok(())
    });
    progress.finish();
    result
}
