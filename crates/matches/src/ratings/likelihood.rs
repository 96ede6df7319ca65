//! Ratings of maximum likelihood in the model of Davidson, which has draws and White's advantage.
//!
//! With the difference `d` of the ratings, plus White's advantage, in nats (400 / ln 10 Elo), a game is won by White, drawn and won
//! by Black with probabilities in the ratio `exp(d / 2) : ν : exp(-d / 2)`. The more draws there are, the less the expected score depends
//! on `d`: at 0 its slope is 2 / (2 + ν) of that of the logistic function, which defines Elo. Ratings are multiplied by this factor,
//! as those of BayesElo are; with ν = 2 the expected score is then the logistic function exactly.
//!
//! The logarithm of the likelihood is a concave function of the ratings, White's advantage and `ln ν`. Newton's method
//! finds its maximum. The 95 % interval of a rating has the values for which the maximum over all other parameters is less than
//! 1.92 below the overall one (profile likelihood). It need not be symmetric.
//!
//! Source: Davidson 1970, "On extending the Bradley-Terry model to accommodate ties in paired comparison experiments".

use crate::cholesky::Cholesky;
use crate::ratings::ELO_PER_NAT;
use crate::stats::SIGMAS_95;

/// Number of players above which intervals are those of the normal approximation: the profile takes too long.
const MAX_PROFILED: usize = 120;

/// Iterations of Newton's method. About ten suffice.
const MAX_ITERATIONS: u32 = 200;

/// The largest change of a parameter in an iteration, in nats. A full step may overshoot far from the maximum.
const MAX_STEP: f64 = 1.0;

/// Results of two players with fixed colours.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Pairing {
    pub(super) white: usize,
    pub(super) black: usize,
    /// Games that Black won, that were drawn, and that White won.
    pub(super) results: [u64; 3],
}

/// The ratings, in Elo.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fit {
    /// The rating of each player, with its 95 % interval; that of the anchor is a point.
    pub(super) ratings: Vec<(f64, [f64; 2])>,
    pub(super) white_advantage: f64,
    /// Probability of a draw of equal players, as White's advantage is then.
    pub(super) draw_rate: f64,
}

/// The model with the data. Parameters are the ratings relative to the anchor, without its own, White's advantage and `ln ν`.
struct Model<'a> {
    pairings: &'a [Pairing],
    players: usize,
    anchor: usize,
}

/// The derivatives of the log-likelihood.
struct Derivatives {
    gradient: Vec<f64>,
    /// The negative second derivatives, positive definite.
    information: Vec<Vec<f64>>,
}

/// Fits ratings to the results of players that are connected: none has infinite rating. The rating of `anchor` is `anchor_elo`.
/// Returns `None` if the fit fails, which it does only if they are not.
pub(super) fn fit(pairings: &[Pairing], players: usize, anchor: usize, anchor_elo: f64) -> Option<Fit> {
    let model = Model { pairings, players, anchor };
    let mut best = vec![0.0; model.parameters()];
    let maximum = model.maximise(&mut best, None)?;
    let deviations = model.deviations(&best)?;
    let nu = best[players].exp();
    let scale = ELO_PER_NAT * 2.0 / (2.0 + nu);
    let mut ratings = Vec::new();
    for player in 0..players {
        let Some(index) = model.index(player) else {
            ratings.push((anchor_elo, [anchor_elo; 2]));
            continue;
        };
        let mut interval = [-1.0, 1.0].map(|sign| sign * SIGMAS_95 * deviations[index]);
        if players <= MAX_PROFILED {
            for limit in &mut interval {
                *limit = model.profile_limit(&best, maximum, index, *limit)?;
            }
        }
        let elo = |nats: f64| anchor_elo + scale * nats;
        ratings.push((elo(best[index]), interval.map(|limit| elo(best[index] + limit))));
    }
    Some(Fit { ratings, white_advantage: scale * best[players - 1], draw_rate: nu / (2.0 + nu) })
}

impl Model<'_> {
    fn parameters(&self) -> usize {
        self.players + 1
    }

    /// The index of a player's rating among the parameters; `None` for the anchor.
    fn index(&self, player: usize) -> Option<usize> {
        match player.cmp(&self.anchor) {
            std::cmp::Ordering::Less => Some(player),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(player - 1),
        }
    }

    /// Returns the log-likelihood. If `derivatives` are given, adds to them.
    fn log_likelihood(&self, x: &[f64], mut derivatives: Option<&mut Derivatives>) -> f64 {
        let (advantage, draw) = (self.players - 1, self.players);
        let mut sum = 0.0;
        let mut add = |white: Option<usize>, black: Option<usize>, [losses, draws, wins]: [f64; 3]| {
            let rating = |index: Option<usize>| index.map_or(0.0, |index| x[index]);
            let difference = rating(white) - rating(black) + x[advantage];
            // Relative to the largest, so that nothing overflows.
            let exponents = [-difference / 2.0, x[draw], difference / 2.0];
            let largest = exponents.into_iter().fold(f64::NEG_INFINITY, f64::max);
            let weights = exponents.map(|exponent| (exponent - largest).exp());
            let total: f64 = weights.iter().sum();
            let games = losses + draws + wins;
            sum += losses * exponents[0] + draws * exponents[1] + wins * exponents[2];
            sum -= games * (total.ln() + largest);
            let Some(Derivatives { gradient, information }) = derivatives.as_deref_mut() else { return };
            let [loss, drawn, win] = weights.map(|weight| weight / total);
            let lead = (win - loss) / 2.0;
            let slope = (wins - losses) / 2.0 - games * lead;
            let curvature = games * ((win + loss) / 4.0 - lead * lead);
            let mixed = -games * drawn * lead;
            // The derivatives of the difference. White's advantage has the sign of White's rating.
            let parts = [(white, 1.0), (black, -1.0), (Some(advantage), 1.0)];
            let parts = parts.map(|(index, sign)| index.map(|index| (index, sign)));
            for (row, sign) in parts.into_iter().flatten() {
                gradient[row] += sign * slope;
                for (column, other_sign) in parts.into_iter().flatten() {
                    information[row][column] += sign * other_sign * curvature;
                }
                information[row][draw] += sign * mixed;
                information[draw][row] += sign * mixed;
            }
            gradient[draw] += draws - games * drawn;
            information[draw][draw] += games * drawn * (1.0 - drawn);
        };
        for pairing in self.pairings {
            let results = pairing.results.map(|count| count as f64);
            add(self.index(pairing.white), self.index(pairing.black), results);
        }
        // One game of equal players, half drawn, keeps White's advantage and the draws finite in all data.
        add(None, None, [0.25, 0.5, 0.25]);
        sum
    }

    /// Moves the parameters to the maximum of the likelihood, except for a fixed one, and returns its logarithm.
    fn maximise(&self, x: &mut Vec<f64>, fixed: Option<usize>) -> Option<f64> {
        for _ in 0..MAX_ITERATIONS {
            let (value, Derivatives { mut gradient, mut information }) = self.derivatives(x);
            if let Some(fixed) = fixed {
                gradient[fixed] = 0.0;
                for (row, values) in information.iter_mut().enumerate() {
                    values[fixed] = f64::from(u8::from(row == fixed));
                }
                information[fixed].fill(0.0);
                information[fixed][fixed] = 1.0;
            }
            let step = Cholesky::new(&information)?.solve(&gradient);
            let expected: f64 = step.iter().zip(&gradient).map(|(step, slope)| step * slope).sum();
            if expected < 1e-11 {
                return Some(value);
            }
            let largest = step.iter().fold(0.0, |largest: f64, step| largest.max(step.abs()));
            let mut factor = (MAX_STEP / largest).min(1.0);
            let moved = |factor: f64| -> Vec<f64> {
                x.iter().zip(&step).map(|(x, step)| x + factor * step).collect()
            };
            // The sum has rounding errors of this size.
            let accepted = value - 1e-12 * value.abs();
            while factor > 1e-6 && self.log_likelihood(&moved(factor), None) < accepted {
                factor /= 2.0;
            }
            *x = moved(factor);
        }
        None
    }

    fn derivatives(&self, x: &[f64]) -> (f64, Derivatives) {
        let size = self.parameters();
        let mut derivatives =
            Derivatives { gradient: vec![0.0; size], information: vec![vec![0.0; size]; size] };
        (self.log_likelihood(x, Some(&mut derivatives)), derivatives)
    }

    /// The standard deviation of each parameter in the normal approximation.
    fn deviations(&self, best: &[f64]) -> Option<Vec<f64>> {
        let inverse = Cholesky::new(&self.derivatives(best).1.information)?.inverse();
        Some(inverse.iter().enumerate().map(|(index, row)| row[index].sqrt()).collect())
    }

    /// Returns the distance from the maximum at which the profile likelihood of a parameter is at the limit of the 95 % interval,
    /// starting from that of the normal approximation.
    fn profile_limit(&self, best: &[f64], maximum: f64, index: usize, normal: f64) -> Option<f64> {
        let mut distance = normal;
        let mut x = best.to_vec();
        for _ in 0..50 {
            x[index] = best[index] + distance;
            let value = self.maximise(&mut x, Some(index))?;
            // Proportional to the distance where the normal approximation holds, so that a few iterations suffice.
            let sigmas = (2.0 * (maximum - value)).max(0.0).sqrt();
            let ratio = SIGMAS_95 / sigmas.max(0.1 * SIGMAS_95);
            distance *= ratio.min(2.0);
            if (ratio - 1.0).abs() < 1e-4 {
                break;
            }
        }
        Some(distance)
    }
}

/// Returns for each player whether its rating is finite relative to the anchor: a chain of players who scored against the
/// next leads from it to the anchor, and another one back.
pub(super) fn comparable(pairings: &[Pairing], players: usize, anchor: usize) -> Vec<bool> {
    let mut scored = vec![Vec::new(); players];
    let mut conceded = vec![Vec::new(); players];
    for &Pairing { white, black, results: [losses, draws, wins] } in pairings {
        for (winner, loser, points) in [(white, black, wins + draws), (black, white, losses + draws)] {
            if points > 0 {
                scored[winner].push(loser);
                conceded[loser].push(winner);
            }
        }
    }
    let reach = |edges: &[Vec<usize>]| {
        let mut reached = vec![false; players];
        reached[anchor] = true;
        let mut open = vec![anchor];
        while let Some(player) = open.pop() {
            for &next in &edges[player] {
                if !std::mem::replace(&mut reached[next], true) {
                    open.push(next);
                }
            }
        }
        reached
    };
    let (below, above) = (reach(&scored), reach(&conceded));
    below.into_iter().zip(above).map(|(below, above)| below && above).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing(white: usize, black: usize, results: [u64; 3]) -> Pairing {
        Pairing { white, black, results }
    }

    /// Probabilities that Black wins, of a draw, and that White wins.
    fn probabilities(difference: f64, advantage: f64, nu: f64) -> [f64; 3] {
        let nats = (difference + advantage) / ELO_PER_NAT * (1.0 + nu / 2.0);
        let weights = [(-nats / 2.0).exp(), nu, (nats / 2.0).exp()];
        weights.map(|weight| weight / weights.iter().sum::<f64>())
    }

    #[test]
    fn parameters_of_the_model_are_found() {
        let elo = [0.0, 60.0, -130.0, 210.0];
        let mut pairings = Vec::new();
        for white in 0..4 {
            for black in (0..4).filter(|&black| black != white) {
                let expected = probabilities(elo[white] - elo[black], 35.0, 1.5);
                pairings.push(pairing(white, black, expected.map(|share| (share * 1e7).round() as u64)));
            }
        }
        let fit = fit(&pairings, 4, 0, 0.0).unwrap();
        for (player, (found, [low, high])) in fit.ratings.iter().enumerate() {
            assert!((found - elo[player]).abs() < 0.01, "{fit:?}");
            assert!(player == 0 || low < found && found < high && high - low < 0.5, "{fit:?}");
        }
        assert!((fit.white_advantage - 35.0).abs() < 0.01, "{fit:?}");
        assert!((fit.draw_rate - 1.5 / 3.5).abs() < 1e-4, "{fit:?}");
    }

    #[test]
    fn intervals_are_those_of_the_likelihood() {
        // Two players, equally often with each colour.
        let pairings = [pairing(0, 1, [1, 2, 3]), pairing(1, 0, [3, 2, 1])];
        let fit = fit(&pairings, 2, 1, 100.0).unwrap();
        let (elo, interval) = fit.ratings[0];
        let model = Model { pairings: &pairings, players: 2, anchor: 1 };
        let profile = |elo: f64| {
            let scale = ELO_PER_NAT * (1.0 - fit.draw_rate);
            let mut x = vec![(elo - 100.0) / scale, 0.0, 0.0];
            model.maximise(&mut x, Some(0)).unwrap()
        };
        for limit in interval {
            assert!((profile(elo) - profile(limit) - SIGMAS_95 * SIGMAS_95 / 2.0).abs() < 1e-3, "{fit:?}");
        }
        // Better results are more surprising the farther the rating is away.
        assert!(interval[1] - elo > elo - interval[0], "{fit:?}");
        assert_eq!(fit.ratings[1], (100.0, [100.0; 2]));
    }

    #[test]
    fn extreme_results_give_finite_numbers() {
        // All games drawn; all games decided and won by White; no game with the other colour.
        for results in [[0, 50, 0], [0, 0, 50]] {
            let fit = fit(&[pairing(0, 1, results), pairing(1, 0, results)], 2, 0, 0.0).unwrap();
            let (elo, [low, high]) = fit.ratings[1];
            assert!(elo.abs() < 1e-6 && low < -5.0 && high > 5.0 && high < 2000.0, "{fit:?}");
        }
        let fit = fit(&[pairing(0, 1, [1, 0, 60])], 2, 0, 0.0).unwrap();
        assert!(fit.ratings[1].0 < -300.0 && fit.ratings[1].1[0].is_finite(), "{fit:?}");
    }

    #[test]
    fn ratings_are_on_the_scale_of_elo() {
        // 55 % of the points, half of the games drawn; then 87.5 % of four games.
        for (results, expected, error) in
            [([[100, 250, 150], [150, 250, 100]], 34.86, 1.0), ([[0, 0, 2], [1, 1, 0]], 338.0, 30.0)]
        {
            let pairings = [pairing(0, 1, results[0]), pairing(1, 0, results[1])];
            let fit = fit(&pairings, 2, 1, 0.0).unwrap();
            assert!((fit.ratings[0].0 - expected).abs() < error, "{fit:?}");
        }
    }

    #[test]
    fn comparable_players_scored_in_both_directions() {
        let games = [
            pairing(0, 1, [1, 0, 1]),
            // Lost all games; won all; met nobody else.
            pairing(2, 1, [5, 0, 0]),
            pairing(3, 0, [0, 0, 5]),
            pairing(4, 5, [1, 1, 1]),
            // A chain: 6 beats 1, 1 beats 0, 0 beats 6.
            pairing(6, 1, [0, 0, 1]),
            pairing(0, 6, [0, 0, 1]),
        ];
        assert_eq!(comparable(&games, 7, 0), [true, true, false, false, false, false, true]);
    }
}
