//! `cargo xtask wdl`: fits the WDL model to the results of games.
//!
//! `games` reads scores and results from PGN files; `fit` finds the [`WdlModel`] of maximum likelihood.

mod fit;
pub(crate) mod games;

use anyhow::Result;
use games::Observations;
use std::path::PathBuf;
use tabiya_search::tuning::WdlModel;

/// Values in the printed table, in centipawns.
const TABLE_VALUES: [i32; 6] = [0, 50, 100, 200, 300, 500];

/// Material counts in the printed table, in the unit of [`WdlModel::material`].
const TABLE_MATERIAL: [u32; 3] = [78, 44, 16];

/// Command-line arguments of `wdl`.
#[derive(clap::Args)]
#[command(after_help = "\
Reads games as `cargo xtask selfplay` writes them: a comment after each move gives the score of the side that
moved, as in { +0.31/12 }. Mate scores and scores above ten pawns are ignored, and so are games that were lost on
time, by an illegal move or by a crash.

The printed model belongs in crates/search/src/wdl.rs.")]
pub(crate) struct WdlArgs {
    /// PGN files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read, or there are too few positions.
pub(crate) fn run(args: &WdlArgs) -> Result<()> {
    let observations = Observations::read(&args.files, WdlModel::material)?;
    let model = fit::fit(WdlModel::HANDCRAFTED, &observations);
    println!("{}", observations.size());
    for (name, model) in [("handcrafted", WdlModel::HANDCRAFTED), ("nnue", WdlModel::NNUE), ("fitted", model)]
    {
        println!("log loss {:.5} {name}", fit::log_loss(&model, &observations));
    }
    println!(
        "WdlModel {{ half_won: [{:.1}, {:.1}], spread: [{:.1}, {:.1}] }}",
        model.half_won[0], model.half_won[1], model.spread[0], model.spread[1]
    );
    println!("\nPer mille won / drawn / lost by value, fitted and observed:");
    for material in TABLE_MATERIAL {
        for value in TABLE_VALUES {
            let fitted = per_mille(model.probabilities(value.into(), material));
            let (count, observed) = observations.near(value, material);
            let observed = if count == 0 { "-".to_owned() } else { per_mille(observed) };
            println!("material {material:2}, value {value:4}:   {fitted}   {observed}   ({count} positions)");
        }
    }
    Ok(())
}

fn per_mille(probabilities: [f64; 3]) -> String {
    let [win, draw, loss] = probabilities.map(|probability| (probability * 1000.0).round());
    format!("{win:4} /{draw:4} /{loss:4}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_regular_files_only() {
        let folder = tempfile::tempdir().unwrap();
        let error = run(&WdlArgs { files: vec![folder.path().to_owned()] }).unwrap_err();
        assert!(format!("{error:#}").ends_with("it is a directory, not a regular file"), "{error:#}");
    }
}
