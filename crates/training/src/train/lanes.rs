//! Thirty-two floats as one aligned unit of arithmetic.

use bytemuck::{Pod, Zeroable};
use std::ops::{Add, Mul, Sub};

/// Number of floats in [`Lanes`]: two AVX-512 registers, four AVX2 registers, eight SSE or NEON registers. Every size of the hidden
/// layer is a multiple of it.
pub(super) const LANES: usize = 32;

/// Thirty-two floats, aligned so that a vector load never crosses a cache line.
///
/// All operations are element by element. Sums over the elements have a fixed order, so results do not depend on the
/// vector width of the processor.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Lanes(pub(super) [f32; LANES]);

impl Lanes {
    pub(super) const ZERO: Lanes = Lanes([0.0; LANES]);

    /// Returns copies of a number.
    #[inline(always)]
    pub(super) fn splat(value: f32) -> Lanes {
        Lanes([value; LANES])
    }

    /// Applies a function to each element.
    #[inline(always)]
    pub(super) fn map(self, function: impl Fn(f32) -> f32) -> Lanes {
        let mut result = Lanes::ZERO;
        for index in 0..LANES {
            result.0[index] = function(self.0[index]);
        }
        result
    }

    /// Applies a function to each pair of elements.
    #[inline(always)]
    pub(super) fn zip(self, other: Lanes, function: impl Fn(f32, f32) -> f32) -> Lanes {
        let mut result = Lanes::ZERO;
        for index in 0..LANES {
            result.0[index] = function(self.0[index], other.0[index]);
        }
        result
    }

    /// The sum of the elements, added in halves.
    #[inline(always)]
    pub(super) fn sum(self) -> f32 {
        let mut values = self.0;
        let mut half = LANES / 2;
        while half > 0 {
            for index in 0..half {
                values[index] += values[index + half];
            }
            half /= 2;
        }
        values[0]
    }
}

impl Add for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn add(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn sub(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn mul(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a * b)
    }
}

/// The floats of a slice, in order.
#[inline(always)]
pub(super) fn floats(lanes: &[Lanes]) -> &[f32] {
    bytemuck::must_cast_slice(lanes)
}

/// The floats of a slice, in order.
#[inline(always)]
pub(super) fn floats_mut(lanes: &mut [Lanes]) -> &mut [f32] {
    bytemuck::must_cast_slice_mut(lanes)
}

/// Returns a row of a matrix with `rows` rows that is stored by columns of [`Lanes`].
pub(super) fn row(matrix: &[Lanes], row: usize, rows: usize) -> impl Iterator<Item = &f32> {
    matrix.iter().skip(row).step_by(rows).flat_map(|lanes| &lanes.0)
}

/// Sets a row of a matrix with `rows` rows that is stored by columns of [`Lanes`].
pub(super) fn set_row(matrix: &mut [Lanes], row: usize, rows: usize, values: impl IntoIterator<Item = f32>) {
    let targets = matrix.iter_mut().skip(row).step_by(rows).flat_map(|lanes| &mut lanes.0);
    for (target, value) in targets.zip(values) {
        *target = value;
    }
}

/// Writes floats into a slice, in order; the rest stays as it is.
pub(super) fn fill(lanes: &mut [Lanes], values: impl IntoIterator<Item = f32>) {
    for (target, value) in floats_mut(lanes).iter_mut().zip(values) {
        *target = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_element_by_element() {
        let mut lanes = [Lanes::ZERO; 2];
        fill(&mut lanes, (0..64).map(|value| value as f32));
        let [low, high] = lanes;
        assert_eq!((high - low).0, [32.0; LANES]);
        assert_eq!((low + Lanes::splat(1.0)).0[3], 4.0);
        assert_eq!((low * low).0[15], 225.0);
        assert_eq!(low.sum(), 496.0);
        assert_eq!(floats(&lanes)[33], 33.0);
    }

    #[test]
    fn rows_cross_the_columns() {
        let mut matrix = [Lanes::ZERO; 6];
        set_row(&mut matrix, 1, 3, (0..64).map(|value| value as f32));
        assert!(row(&matrix, 1, 3).copied().eq((0..64).map(|value| value as f32)));
        assert_eq!((matrix[0], matrix[1].0[5], matrix[4].0[0]), (Lanes::ZERO, 5.0, 32.0));
        assert_eq!(row(&[], 1, 3).count(), 0);
    }
}
