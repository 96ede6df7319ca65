//! How much less deep a late move is searched.
//!
//! Why: with good ordering a move that comes late is rarely best. Searching it less deep is cheap, and
//! if it turns out better than expected it is searched again in full. Unsound where the reduced search
//! misses what makes the move good; hence the adjustments. (Tord Romstad, *An Introduction to Late Move
//! Reductions*, 2006; the logarithms are common since.)

use crate::params;

/// What one ply is in the unit of reductions.
pub(crate) const PLY: i32 = 1024;

/// Logarithms from here on are those of the last one.
const LOGARITHMS: usize = 128;

/// The natural logarithm of each index, in 1024ths. Integers, so that every machine has the same.
static LOGARITHM: [i32; LOGARITHMS] = logarithms();

const fn logarithms() -> [i32; LOGARITHMS] {
    // With n = m * 2^k and m from 1 to 2, ln n = k ln 2 + 2 artanh((m - 1) / (m + 1)), in 2^30ths.
    const ONE: i64 = 1 << 30;
    const LN_2: i64 = 744_261_118;
    let mut table = [0; LOGARITHMS];
    let mut n = 1;
    while n < LOGARITHMS {
        let k = n.ilog2() as i64;
        let m = (n as i64 * ONE) >> k;
        let x = (m - ONE) * ONE / (m + ONE);
        let (mut power, mut sum, mut odd) = (x, 0, 1);
        while odd < 40 {
            sum += power / odd;
            power = power * x / ONE * x / ONE;
            odd += 2;
        }
        table[n] = ((k * LN_2 + 2 * sum) >> 20) as i32;
        n += 1;
    }
    table
}

fn logarithm(n: i32) -> i32 {
    LOGARITHM[(n.max(1) as usize).min(LOGARITHMS - 1)]
}

/// By how much the `number`th move (from 1) at this depth is reduced, before what is known about the move
/// itself comes in; in 1024ths of a ply.
pub(crate) fn late_move(depth: i32, number: i32) -> i32 {
    let product = logarithm(depth) * logarithm(number) / PLY;
    params::reduction_base() + product * params::reduction_factor() / PLY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for (n, &found) in LOGARITHM.iter().enumerate().skip(1) {
            let exact = (n as f64).ln() * 1024.0;
            assert!((f64::from(found) - exact).abs() < 1.5, "{n}: {found} for {exact}");
        }
        assert_eq!((logarithm(0), logarithm(5000)), (0, LOGARITHM[LOGARITHMS - 1]));
    }

    #[test]
    fn later_and_deeper_is_reduced_more() {
        for depth in 2..40 {
            for number in 2..60 {
                assert!(late_move(depth, number) <= late_move(depth + 1, number));
                assert!(late_move(depth, number) <= late_move(depth, number + 1));
            }
        }
        assert!((1..5).contains(&(late_move(10, 10) / PLY)));
    }
}
