//! The forecast of an SPRT before it starts: games that it may need, and the chance that the openings suffice.

use super::{Sprt, TestLength};
use std::fmt;

/// Share of the tests that should end within the available games.
const ENOUGH: f64 = 0.95;

/// The reason for which a test has a maximum number of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Limit {
    /// The argument `--games`, or its default.
    Games,
    /// The number of openings, which engines without a time limit must not repeat.
    Openings,
}

/// The lengths of a test for several true differences.
pub(crate) struct Forecast {
    sprt: Sprt,
    /// Maximum number of games, if there is one.
    limit: Option<u64>,
}

impl Forecast {
    /// Creates a forecast of a test that ends undecided after `limit` games.
    pub(crate) fn new(sprt: Sprt, limit: Option<u64>) -> Forecast {
        Forecast { sprt, limit }
    }

    /// The true differences that are shown: the bounds, and as far beyond each as they are apart.
    fn differences(&self) -> [f64; 4] {
        let Sprt { elo0, elo1, .. } = self.sprt;
        let width = elo1 - elo0;
        [elo0 - width, elo0, elo1, elo1 + width]
    }

    /// Returns the number of games within which the test ends with a probability of 95 %, whatever the true difference
    /// of those that are shown.
    fn enough_games(&self) -> f64 {
        self.differences()
            .map(|elo| TestLength::new(&self.sprt, elo).games(ENOUGH))
            .into_iter()
            .fold(0.0, f64::max)
    }

    /// Returns a warning if the test probably ends undecided, with the remedy against this reason.
    pub(crate) fn warning(&self, reason: Limit) -> Option<String> {
        let (limit, enough) = (self.limit?, self.enough_games());
        if enough <= limit as f64 {
            return None;
        }
        let least = self.differences().map(|elo| TestLength::new(&self.sprt, elo).decided(limit as f64));
        let openings = (enough / 2.0).ceil();
        let remedy = match reason {
            Limit::Games => format!("--games {:.0}", 2.0 * openings),
            Limit::Openings => {
                format!("a book of {openings:.0} openings, or a time control, with which openings repeat")
            }
        };
        Some(format!(
            "the test may end undecided: of tests with a difference at one of the bounds, {:.0} % end within {limit} \
             games; 95 % need {enough:.0} games: use {remedy}",
            100.0 * least.into_iter().fold(1.0, f64::min),
        ))
    }
}

/// Formats as a table.
impl fmt::Display for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, model, .. } = self.sprt;
        write!(
            f,
            "SPRT [{elo0}, {elo1}] {model}: expected games\n  true Elo   median   80 % within   95 % within   H1"
        )?;
        if let Some(limit) = self.limit {
            write!(f, "       decided in {limit}")?;
        }
        for elo in self.differences() {
            let length = TestLength::new(&self.sprt, elo);
            let [median, most, nearly_all] = [0.5, 0.8, ENOUGH].map(|share| length.games(share));
            let power = 100.0 * length.power();
            write!(f, "\n  {elo:>8}  {median:>7.0}  {most:>12.0}  {nearly_all:>12.0}  {power:>5.1} %")?;
            if let Some(limit) = self.limit {
                write!(f, "  {:>5.1} %", 100.0 * length.decided(limit as f64))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprt::Model;

    #[test]
    fn small_book_causes_a_warning() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
        let warning = |limit| Forecast::new(sprt, limit).warning(Limit::Openings);
        let text = warning(Some(4000)).unwrap();
        assert!(text.contains("1 % end within 4000 games; 95 % need 62"), "{text}");
        assert!(text.contains("use a book of 31") && !text.contains("--games"), "{text}");
        assert_eq!(warning(Some(64_000)), None);
        assert_eq!(warning(None), None);
    }

    #[test]
    fn few_games_cause_a_warning_about_games() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
        let text = Forecast::new(sprt, Some(4000)).warning(Limit::Games).unwrap();
        assert!(text.contains("use --games 62") && !text.contains("opening"), "{text}");
    }

    #[test]
    fn table_has_a_row_for_each_difference() {
        let sprt = Sprt::new(-3.0, 1.0, 0.05, 0.05, Model::Logistic).unwrap();
        let text = Forecast::new(sprt, Some(10_000)).to_string();
        let first: Vec<&str> =
            text.lines().skip(2).filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(first, ["-7", "-3", "1", "5"]);
        assert!(text.contains("decided in 10000"), "{text}");
    }
}
