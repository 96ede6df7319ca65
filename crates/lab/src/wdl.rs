//! `cargo xtask wdl`: fits what a value means in points to the results of games.
//!
//! [`games`] reads what the engines said of their positions and how the games ended; [`fit`] finds the
//! [`WdlModel`] under which those results are likeliest.

mod fit;
mod games;

use anyhow::{Context, Result, ensure};
use games::{Collector, Sightings};
use std::fs::File;
use std::path::PathBuf;
use tabiya_core::notation::PgnReader;
use tabiya_movegen::Replay;
use tabiya_search::WdlModel;

/// Fewer positions than this teach nothing.
const LEAST_POSITIONS: u64 = 1000;
/// The values and materials of the table that is printed.
const SHOWN_VALUES: [i32; 6] = [0, 50, 100, 200, 300, 500];
const SHOWN_MATERIAL: [u32; 3] = [78, 44, 16];

/// The command line.
#[derive(clap::Args)]
#[command(after_help = "\
The games are those that `cargo xtask selfplay` writes: a comment after each move gives its value, such as
{ +0.31/12 }, for the side that played it. Values of mates and above ten pawns are left out.

What is printed goes into crates/search/src/wdl.rs.")]
pub struct Args {
    /// Files of games in PGN
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// A file of games cannot be read, or has too few positions.
pub fn run(args: &Args) -> Result<()> {
    let mut sightings = Sightings::default();
    for path in &args.files {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        let mut reader = PgnReader::new(file);
        let mut collector = Replay::new(Collector::new(&path.display().to_string()));
        while let Some(seen) =
            reader.read_game(&mut collector).with_context(|| format!("cannot read {}", path.display()))?
        {
            sightings.add(&seen);
        }
    }
    ensure!(
        sightings.positions >= LEAST_POSITIONS,
        "{} positions with a value and a result in {} games: at least {LEAST_POSITIONS} are needed",
        sightings.positions,
        sightings.games
    );
    let before = fit::log_loss(&WdlModel::TABIYA, &sightings);
    let model = fit::fit(WdlModel::TABIYA, &sightings);
    println!("{} positions of {} games", sightings.positions, sightings.games);
    println!("log loss {before:.5} as it is, {:.5} as fitted", fit::log_loss(&model, &sightings));
    println!(
        "WdlModel {{ half_won: [{:.1}, {:.1}], spread: [{:.1}, {:.1}] }}",
        model.half_won[0], model.half_won[1], model.spread[0], model.spread[1]
    );
    println!("\nPer mille won / drawn / lost by value, as fitted and as seen:");
    for material in SHOWN_MATERIAL {
        for value in SHOWN_VALUES {
            let fitted = per_mille(model.probabilities(value.into(), material));
            let (count, seen) = sightings.near(value, material);
            let seen = if count == 0 { "-".to_owned() } else { per_mille(seen) };
            println!("material {material:2}, value {value:4}:   {fitted}   {seen}   ({count} positions)");
        }
    }
    Ok(())
}

fn per_mille(chances: [f64; 3]) -> String {
    let [win, draw, loss] = chances.map(|chance| (chance * 1000.0).round());
    format!("{win:4} /{draw:4} /{loss:4}")
}
