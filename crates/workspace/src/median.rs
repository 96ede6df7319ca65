//! The median, which is robust against outliers among measurements, and its confidence interval.

use std::f64::consts::LN_2;

/// Probability that the interval does not contain the median of the distribution.
const ERROR_PROBABILITY: f64 = 0.05;

/// The fewest values that have an interval: their whole range holds the median of the distribution in all but `2^(1 - n)` of the cases.
pub const MIN_INTERVAL_VALUES: usize = 6;

/// Returns the median of the values (the mean of the middle two if their number is even), or `None` if there
/// are none.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        length if length % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

/// Returns the 95 % interval of the median of the values' distribution, whatever that is, or `None` with fewer than
/// [`MIN_INTERVAL_VALUES`].
///
/// It lies between two of the sorted values. Each value is below the median with probability 1/2, so the number of those below it is
/// binomial.
pub fn interval(mut values: Vec<f64>) -> Option<(f64, f64)> {
    values.sort_by(f64::total_cmp);
    let count = values.len();
    // `cut` values are left out at each end. `tail` is the probability that so few of all values are below the median. `next` is the
    // logarithm of the probability of exactly `cut` values: for thousands of values, `f64` cannot hold the probability itself.
    let (mut cut, mut tail, mut next) = (0, 0.0, -(count as f64) * LN_2);
    while cut < count && 2.0 * (tail + next.exp()) <= ERROR_PROBABILITY {
        tail += next.exp();
        next += ((count - cut) as f64 / (cut + 1) as f64).ln();
        cut += 1;
    }
    (cut > 0).then(|| (values[cut - 1], values[count - cut]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_odd_and_even_counts() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }

    #[test]
    fn intervals_have_the_ranks_of_the_sign_test() {
        // The rank of the lower bound, computed with integers of any size.
        for (count, rank) in [(6, 1), (8, 1), (9, 2), (12, 3), (15, 4), (20, 6), (25, 8), (50, 18), (100, 40)]
        {
            let values: Vec<f64> = (1..=count).rev().map(f64::from).collect();
            assert_eq!(interval(values), Some((f64::from(rank), f64::from(count + 1 - rank))), "{count}");
        }
    }

    #[test]
    fn few_values_have_no_interval() {
        assert_eq!(interval(vec![]), None);
        assert_eq!(interval(vec![1.0; MIN_INTERVAL_VALUES - 1]), None);
        assert_eq!(interval(vec![1.0; MIN_INTERVAL_VALUES]), Some((1.0, 1.0)));
    }

    #[test]
    fn many_values_have_the_interval_of_the_normal_distribution() {
        let (low, high) = interval((0..10_000).map(f64::from).collect()).unwrap();
        // 1.96 standard deviations of 50 values.
        assert!((low - 4901.0).abs() <= 2.0 && (high - 5098.0).abs() <= 2.0, "{low} {high}");
    }
}
