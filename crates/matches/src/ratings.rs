//! Ratings from the results of several pairings.
//!
//! The Bradley-Terry model of the rating lists: the expected score is the logistic function of the
//! rating difference, and the ratings maximise the likelihood of the results. The anchor's rating is
//! given. The margins use the observed variance of the game pairs: the variance of the model, which has no
//! draws, is too large.

pub mod command;
mod games;
mod likelihood;

use crate::cholesky::Cholesky;
use crate::stats::{Distribution, SIGMAS_95, expected_score};
use likelihood::{Pairing, comparable};
use std::fmt;

/// Elo per unit of log odds.
pub(crate) const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// The line below a table of ratings that explains why players have none.
const UNRATED: &str = "-: won or lost all games against the rated players, or never met them";

/// Minimum number of pairs from which the variance is estimated from the results.
const ENOUGH_PAIRS: u64 = 10;

/// Ratings and cross table, best player first.
///
/// ```
/// use tabiya_matches::ratings::{PairingResults, RatingTable};
///
/// let pairing = PairingResults { players: [0, 1], pairs: [34, 54, 63, 64, 75], games: [122, 244, 214] };
/// let table = RatingTable::new(&["new", "base"], &[pairing], (1, 2000.0));
/// println!("{table}");
/// # assert_eq!(table.rows[0].name, "new");
/// ```
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct RatingTable {
    /// Name of the player whose rating is fixed.
    pub anchor: String,
    /// Rows, best player first.
    pub rows: Vec<RatingRow>,
}

/// A row of the rating table.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct RatingRow {
    /// Player name.
    pub name: String,
    /// Rating; `None` if it is not finite, or not comparable to the anchor's.
    pub rating: Option<Rating>,
    /// Number of games.
    pub games: u64,
    /// Points scored.
    pub points: f64,
    /// Number of draws.
    pub draws: u64,
    /// Wins, draws and losses against each player, in row order.
    pub against: Vec<Option<[u64; 3]>>,
}

/// A rating.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Rating {
    /// Rating in Elo.
    pub elo: f64,
    /// Half-width of the 95 % confidence interval of the difference to the anchor, in Elo.
    pub margin: f64,
}

/// Results of a pairing, from the first player's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairingResults {
    /// Indices of the two players.
    pub players: [usize; 2],
    /// Pentanomial counts: complete pairs by points (0, ½, 1, 1½, 2). May be all 0 if games are not paired.
    pub pairs: [u64; 5],
    /// Losses, draws and wins over all games.
    pub games: [u64; 3],
}

/// Points and variance of a pairing with at least one game.
struct Observation {
    players: [usize; 2],
    games: f64,
    points: f64,
    /// Variance of `points`; `None` with too few pairs, or if all have the same points.
    variance: Option<f64>,
}

impl RatingTable {
    /// Computes the ratings of the players with these names. The player with the index `anchor` has the
    /// rating `anchor_elo`.
    ///
    /// # Panics
    /// If a player index is out of range.
    pub fn new(
        names: &[&str],
        pairings: &[PairingResults],
        (anchor, anchor_elo): (usize, f64),
    ) -> RatingTable {
        let observations: Vec<Observation> = pairings.iter().filter_map(Observation::new).collect();
        // The likelihood has no maximum for a player who won or lost all games.
        let is_rated =
            comparable(&pairings.iter().map(Pairing::from).collect::<Vec<_>>(), names.len(), anchor);
        let ratings = ratings(&is_rated, &observations, anchor, anchor_elo);

        let mut order: Vec<usize> = (0..names.len()).collect();
        let elo = |player: usize| ratings[player].map_or(f64::NEG_INFINITY, |rating| rating.elo);
        order.sort_by(|&a, &b| elo(b).total_cmp(&elo(a)).then(a.cmp(&b)));
        let results = |player: usize, opponent: usize| {
            let mut sum = None;
            for pairing in pairings {
                let [losses, draws, wins] = pairing.games;
                let counts = match pairing.players {
                    [a, b] if (a, b) == (player, opponent) => [wins, draws, losses],
                    [a, b] if (a, b) == (opponent, player) => [losses, draws, wins],
                    _ => continue,
                };
                let total: &mut [u64; 3] = sum.get_or_insert_default();
                for (total, count) in total.iter_mut().zip(counts) {
                    *total += count;
                }
            }
            sum
        };
        let rows = order
            .iter()
            .map(|&player| {
                let against: Vec<Option<[u64; 3]>> =
                    order.iter().map(|&opponent| results(player, opponent)).collect();
                let [wins, draws, losses] = against
                    .iter()
                    .flatten()
                    .fold([0; 3], |sum, results| std::array::from_fn(|index| sum[index] + results[index]));
                RatingRow {
                    name: names[player].to_owned(),
                    rating: ratings[player],
                    games: wins + draws + losses,
                    points: wins as f64 + draws as f64 / 2.0,
                    draws,
                    against,
                }
            })
            .collect();
        RatingTable { anchor: names[anchor].to_owned(), rows }
    }
}

impl Observation {
    fn new(pairing: &PairingResults) -> Option<Observation> {
        let [losses, draws, wins] = pairing.games.map(|count| count as f64);
        let games = losses + draws + wins;
        if games == 0.0 {
            return None;
        }
        let pairs: u64 = pairing.pairs.iter().sum();
        let is_varied = pairing.pairs.iter().filter(|&&count| count > 0).count() > 1;
        let variance = (pairs >= ENOUGH_PAIRS && is_varied).then(|| {
            let distribution = Distribution::from_counts(&pairing.pairs);
            // Pairs score 0 to 2 points, the distribution 0 to 1: factor 2² = 4.
            4.0 * distribution.variance() * games / 2.0
        });
        Some(Observation { players: pairing.players, games, points: wins + draws / 2.0, variance })
    }
}

/// The colours do not matter to [`comparable`].
impl From<&PairingResults> for Pairing {
    fn from(pairing: &PairingResults) -> Pairing {
        let [white, black] = pairing.players;
        Pairing { white, black, results: pairing.games }
    }
}

/// Maximum-likelihood ratings of the players that are rated, and their margins. The anchor is one of them.
fn ratings(
    is_rated: &[bool],
    observations: &[Observation],
    anchor: usize,
    anchor_elo: f64,
) -> Vec<Option<Rating>> {
    let count = is_rated.len();
    let free: Vec<usize> = (0..count).filter(|&player| player != anchor && is_rated[player]).collect();
    let free_index = |player: usize| free.iter().position(|&other| other == player);
    let observations: Vec<&Observation> = observations
        .iter()
        .filter(|observation| observation.players.iter().all(|&player| is_rated[player]))
        .collect();

    let mut elo = vec![anchor_elo; count];
    let mut covariance = Vec::new();
    for _ in 0..100 {
        // In log odds, where the logistic function is 1 / (1 + e^-x).
        let mut gradient = vec![0.0; free.len()];
        let mut information = vec![vec![0.0; free.len()]; free.len()];
        let mut noise = information.clone();
        for observation in &observations {
            let [a, b] = observation.players;
            let expected = expected_score(elo[a] - elo[b]);
            let weight = observation.games * expected * (1.0 - expected);
            let surplus = observation.points - observation.games * expected;
            for (player, sign) in [(a, 1.0), (b, -1.0)] {
                let Some(row) = free_index(player) else { continue };
                gradient[row] += sign * surplus;
                for (other, other_sign) in [(a, 1.0), (b, -1.0)] {
                    let Some(column) = free_index(other) else { continue };
                    information[row][column] += sign * other_sign * weight;
                    noise[row][column] += sign * other_sign * observation.variance.unwrap_or(weight);
                }
            }
        }
        let Some(inverse) = Cholesky::new(&information).map(|factor| factor.inverse()) else { break };
        // Sandwich estimator: inverse information around the observed covariance.
        covariance = product(&product(&inverse, &noise), &inverse);
        let mut largest: f64 = 0.0;
        for (row, &player) in free.iter().enumerate() {
            let step: f64 = inverse[row].iter().zip(&gradient).map(|(a, b)| a * b).sum();
            // Limit the step: a full Newton step overshoots far from the solution.
            let step = (step * ELO_PER_NAT).clamp(-200.0, 200.0);
            elo[player] += step;
            largest = largest.max(step.abs());
        }
        if largest < 1e-9 {
            break;
        }
    }
    (0..count)
        .map(|player| {
            if player == anchor {
                return Some(Rating { elo: anchor_elo, margin: 0.0 });
            }
            let row = free_index(player)?;
            let variance = covariance.get(row)?[row];
            Some(Rating { elo: elo[player], margin: SIGMAS_95 * ELO_PER_NAT * variance.sqrt() })
        })
        .collect()
}

fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    a.iter()
        .map(|row| {
            (0..b.len())
                .map(|column| row.iter().zip(b).map(|(value, other)| value * other[column]).sum())
                .collect()
        })
        .collect()
}

impl fmt::Display for RatingTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(4);
        write!(f, " #  {:width$}     Elo    95 %  games  score  draws", "name")?;
        for number in 1..=self.rows.len() {
            write!(f, "{number:>14}")?;
        }
        for (number, row) in (1..).zip(&self.rows) {
            write!(f, "\n{number:2}  {:width$}  ", row.name)?;
            match row.rating {
                // Adding 0.0 turns -0 into 0.
                Some(rating) if row.name == self.anchor => {
                    write!(f, "{:6}  anchor", rating.elo.round() + 0.0)?
                }
                Some(rating) => write!(f, "{:6}  ±{:<5.0}", rating.elo.round() + 0.0, rating.margin)?,
                None => write!(f, "{:>6}  {:6}", "-", "")?,
            }
            let percent = |part: f64| 100.0 * part / (row.games.max(1) as f64);
            write!(f, " {:6}  {:4.1}%  {:4.1}%", row.games, percent(row.points), percent(row.draws as f64))?;
            for results in &row.against {
                match results {
                    Some([wins, draws, losses]) => write!(f, "{:>14}", format!("+{wins}={draws}-{losses}"))?,
                    None => write!(f, "{:>14}", "-")?,
                }
            }
        }
        if self.rows.iter().any(|row| row.rating.is_none()) {
            write!(f, "\n{UNRATED}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn table(pairings: &[([usize; 2], [u64; 5])], players: usize, anchor: (usize, f64)) -> RatingTable {
        let names: Vec<String> = (0..players).map(|index| format!("p{index}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let pairings: Vec<PairingResults> = pairings
            .iter()
            .map(|&(players, pairs)| {
                // Treat every 1-point pair as two draws, and so on.
                let [ll, ld, dd, wd, ww] = pairs;
                PairingResults { players, pairs, games: [2 * ll + ld, ld + 2 * dd + wd, wd + 2 * ww] }
            })
            .collect();
        RatingTable::new(&names, &pairings, anchor)
    }

    fn rating(table: &RatingTable, name: &str) -> Rating {
        table.rows.iter().find(|row| row.name == name).unwrap().rating.unwrap()
    }

    #[test]
    fn one_pairing_gives_the_elo_formula() {
        let pairs = [34, 54, 63, 64, 75];
        let table = table(&[([0, 1], pairs)], 2, (1, 2000.0));
        // Expected values from fastchess's tests.
        let found = rating(&table, "p0");
        assert!((found.elo - 2055.58).abs() < 0.1, "{found:?}");
        assert!((found.margin - 27.65).abs() < 0.6, "{found:?}");
        assert_eq!(rating(&table, "p1"), Rating { elo: 2000.0, margin: 0.0 });
        assert_eq!(table.rows[0].name, "p0");
        assert_eq!(table.rows[0].games, 580);
    }

    #[test]
    fn rating_differences_add_up() {
        let first = ([0, 1], [10, 20, 40, 20, 10]);
        let second = ([0, 2], [5, 10, 30, 40, 15]);
        let both = table(&[first, second], 4, (1, 1000.0));
        assert!((rating(&both, "p0").elo - 1000.0).abs() < 1e-6);
        let alone = table(&[([0, 1], second.1)], 2, (1, 0.0));
        let difference = rating(&both, "p0").elo - rating(&both, "p2").elo;
        assert!((difference - rating(&alone, "p0").elo).abs() < 1e-6);
        // p2 is connected to the anchor through p0, so its margin is larger.
        assert!(rating(&both, "p2").margin > rating(&both, "p0").margin);
        assert_eq!(both.rows[3].rating, None);
        let text = both.to_string();
        assert!(text.contains("anchor") && text.lines().count() == 6, "{text}");
    }

    #[test]
    fn whitewashes_are_not_softened() {
        // A ladder: 3-1 against the neighbour, 4-0 against all others.
        let mut pairings = Vec::new();
        for first in 0..5 {
            for second in first + 1..5 {
                let pairs = if second == first + 1 { [0, 0, 1, 0, 1] } else { [0, 0, 0, 0, 2] };
                pairings.push(([first, second], pairs));
            }
        }
        let ladder = table(&pairings, 5, (2, 0.0));
        for (name, elo) in [("p0", 538.4), ("p1", 293.9), ("p3", -293.9), ("p4", -538.4)] {
            assert!((rating(&ladder, name).elo - elo).abs() < 0.1, "{ladder}");
            assert!(rating(&ladder, name).margin > 100.0, "{ladder}");
        }
    }

    #[test]
    fn ratings_without_a_maximum_of_the_likelihood_are_none() {
        // p1 and p3 lost all games, p2 won all; p4 scored against p3 only.
        let pairings = [
            ([0, 1], [0, 0, 0, 0, 50]),
            ([0, 2], [3, 0, 0, 0, 0]),
            ([0, 3], [0, 0, 0, 0, 5]),
            ([3, 4], [0, 0, 1, 0, 0]),
            ([5, 0], [0, 0, 1, 1, 0]),
        ];
        let table = table(&pairings, 6, (0, 100.0));
        let rated: Vec<&str> =
            table.rows.iter().filter(|row| row.rating.is_some()).map(|row| row.name.as_str()).collect();
        assert_eq!(rated, ["p5", "p0"]);
        let text = table.to_string();
        assert!(text.contains(" 4  p2         -  ") && text.ends_with("or never met them"), "{text}");
    }

    #[test]
    fn cyclic_results_give_equal_ratings() {
        // A cycle of equal margins: all players are equal.
        let win = [0, 5, 10, 15, 10];
        let table = table(&[([0, 1], win), ([1, 2], win), ([2, 0], win)], 3, (0, 1500.0));
        for name in ["p1", "p2"] {
            assert!((rating(&table, name).elo - 1500.0).abs() < 1e-6);
        }
    }
}
