//! `cargo xtask sprt`: the arithmetic of a match without the match.

use crate::selfplay::sprt::{Model, Sprt};
use crate::selfplay::stats::Estimate;
use crate::selfplay::summary::SprtSummary;
use anyhow::{Result, bail};

/// The command line.
#[derive(clap::Args)]
#[command(after_help = "\
Pairs are the better measure: the two games of an opening are not independent, and in pairs what the opening
gives to White cancels out. --wdl takes every game for itself, for results that come without pairs.")]
pub(crate) struct Args {
    /// Pairs of games by points: 0,½,1,1½,2
    #[arg(long, value_name = "LL,LD,DD,WD,WW", value_parser = parse_counts::<5>, required_unless_present = "wdl")]
    ptnml: Option<Counts<5>>,
    /// Games: won,drawn,lost
    #[arg(long, value_name = "W,D,L", value_parser = parse_counts::<3>, conflicts_with = "ptnml")]
    wdl: Option<Counts<3>>,
    /// The strength under H0
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// The strength under H1
    #[arg(long, default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// How often H1 may be accepted where H0 is true
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// How often H0 may be accepted where H1 is true
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// The scale of elo0 and elo1: normalized or logistic
    #[arg(long, default_value_t = Model::Normalized)]
    model: Model,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Counts of results; a type of its own so that clap does not take it for a list of arguments.
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
        .ok_or_else(|| format!("expected {N} whole numbers with commas between them"))
}

/// What is printed as JSON.
#[derive(serde::Serialize)]
struct Answer {
    games: u64,
    estimate: Option<Estimate>,
    sprt: SprtSummary,
}

/// Runs the command.
///
/// # Errors
/// When the numbers are not those of a test.
pub(crate) fn run(args: &Args) -> Result<()> {
    let sprt = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta, args.model)?;
    let answer = match (args.ptnml, args.wdl) {
        (Some(Counts(pairs)), _) => Answer {
            games: 2 * pairs.iter().sum::<u64>(),
            estimate: Estimate::new(&pairs),
            sprt: SprtSummary::new(sprt, &pairs),
        },
        (None, Some(Counts([wins, draws, losses]))) => Answer {
            games: wins + draws + losses,
            estimate: Estimate::new(&[losses, draws, wins]),
            sprt: SprtSummary::new(sprt, &[losses, draws, wins]),
        },
        (None, None) => bail!("there are no results: give --ptnml or --wdl"),
    };
    if args.json {
        println!("{}", serde_json::to_string_pretty(&answer)?);
        return Ok(());
    }
    println!("Games   {}", answer.games);
    if let Some(estimate) = answer.estimate {
        println!("Score   {:.3} %", 100.0 * estimate.score);
        if let (Some(elo), Some(normalized)) = (estimate.elo, estimate.normalized_elo) {
            println!("Elo     {elo:.2} (95 %)");
            println!("nElo    {normalized:.2} (95 %)");
        }
        println!("LOS     {:.2} %", 100.0 * estimate.likelihood_of_superiority);
    }
    println!("SPRT    {:.4}", answer.sprt);
    println!("        {}", answer.sprt.verdict.map_or("go on".to_owned(), |verdict| verdict.to_string()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read() {
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
