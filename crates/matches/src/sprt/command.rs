//! `cargo xtask sprt`: Elo estimate and SPRT of given match results.

use super::forecast::Forecast;
use super::summary::SprtSummary;
use super::{Model, Sprt};
use crate::stats::Estimate;
use anyhow::Result;

/// Command-line arguments of `sprt`.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("results").args(["ptnml", "wdl"]))]
#[command(after_help = "\
Prefer --ptnml: the two games of an opening are not independent, and in pairs the bias of the opening cancels
out. For results without pairs, --wdl treats games as independent.

Without results, the games that the test will need are printed.")]
pub struct SprtArgs {
    /// Pentanomial results: pairs of games by points (0, ½, 1, 1½, 2)
    #[arg(long, value_name = "LL,LD,DD,WD,WW", value_parser = parse_counts::<5>)]
    ptnml: Option<Counts<5>>,
    /// Games won, drawn and lost
    #[arg(long, value_name = "W,D,L", value_parser = parse_counts::<3>)]
    wdl: Option<Counts<3>>,
    /// Elo difference under H0
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// Elo difference under H1
    #[arg(long, default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// Probability of accepting H1 if H0 is true (type I error)
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Probability of accepting H0 if H1 is true (type II error)
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Elo model of elo0 and elo1: normalized or logistic
    #[arg(long, default_value_t = Model::Normalized)]
    model: Model,
    /// Number of available games, to print how many of the tests end within it
    #[arg(long, value_name = "N", conflicts_with_all = ["ptnml", "wdl"])]
    games: Option<u64>,
    /// Print JSON
    #[arg(long, requires = "results")]
    json: bool,
}

/// Counts of results. A newtype, because clap treats a plain `Vec` or array as a repeated argument.
#[derive(Clone, Copy, Debug)]
struct Counts<const N: usize>([u64; N]);

fn parse_counts<const N: usize>(text: &str) -> Result<Counts<N>, String> {
    let counts: Option<Vec<u64>> =
        text.trim_matches(['[', ']']).split(',').map(|count| count.trim().parse().ok()).collect();
    counts
        .and_then(|counts| counts.try_into().ok())
        .filter(|counts: &[u64; N]| {
            counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count)).is_some()
        })
        .map(Counts)
        .ok_or_else(|| format!("expected {N} whole numbers separated by commas"))
}

/// The results, as printed by `--json`.
#[derive(serde::Serialize)]
struct Results {
    games: u64,
    estimate: Option<Estimate>,
    sprt: SprtSummary,
}

/// Runs the command.
///
/// # Errors
/// If the parameters of the SPRT are invalid.
pub fn run(args: &SprtArgs) -> Result<()> {
    let sprt = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta, args.model)?;
    let results = match (args.ptnml, args.wdl) {
        (Some(Counts(pairs)), _) => Results {
            games: 2 * pairs.iter().sum::<u64>(),
            estimate: Estimate::new(&pairs),
            sprt: SprtSummary::new(sprt, &pairs),
        },
        (None, Some(Counts([wins, draws, losses]))) => Results {
            games: wins + draws + losses,
            estimate: Estimate::new(&[losses, draws, wins]),
            sprt: SprtSummary::new(sprt, &[losses, draws, wins]),
        },
        (None, None) => {
            println!("{}", Forecast::new(sprt, args.games));
            return Ok(());
        }
    };
    if args.json {
        println!("{}", serde_json::to_string_pretty(&results)?);
        return Ok(());
    }
    println!("Games   {}", results.games);
    if let Some(estimate) = results.estimate {
        println!("Score   {:.3} %", 100.0 * estimate.score);
        if let (Some(elo), Some(normalized)) = (estimate.elo, estimate.normalized_elo) {
            println!("Elo     {elo:.2} (95 %)");
            println!("nElo    {normalized:.2} (95 %)");
        }
        if let Some(likelihood) = estimate.likelihood_of_superiority {
            println!("LOS     {:.2} %", 100.0 * likelihood);
        }
    }
    println!("SPRT    {:.4}", results.sprt);
    println!("        {}", results.sprt.verdict.map_or("continue".to_owned(), |verdict| verdict.to_string()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_counts() {
        assert_eq!(
            parse_counts::<5>("379,10170, 21828,10640,343").unwrap().0,
            [379, 10170, 21828, 10640, 343]
        );
        assert_eq!(parse_counts::<3>("[1, 2, 3]").unwrap().0, [1, 2, 3]);
        for text in ["", "1,2", "1,2,3,4", "1,-2,3", "a,b,c", "18446744073709551615,1,1"] {
            assert!(parse_counts::<3>(text).unwrap_err().contains("expected 3 whole numbers"), "{text}");
        }
    }
}
