//! Linear equations with a symmetric positive definite matrix, such as an information matrix.

/// The Cholesky factor of a matrix: lower triangular, and the matrix is its product with its transpose.
pub(crate) struct Cholesky {
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// Factorises a symmetric matrix, of which the lower triangle is read; `None` if it is not positive definite.
    pub(crate) fn new(matrix: &[Vec<f64>]) -> Option<Cholesky> {
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(matrix.len());
        for (index, source) in matrix.iter().enumerate() {
            let mut row: Vec<f64> = Vec::with_capacity(index + 1);
            for column in 0..index {
                let dot = dot(&row, &rows[column]);
                row.push((source[column] - dot) / rows[column][column]);
            }
            let square = source[index] - dot(&row, &row);
            // Rounding errors hide a singular matrix.
            if square.is_nan() || square <= 1e-12 * source[index].abs().max(f64::MIN_POSITIVE) {
                return None;
            }
            row.push(square.sqrt());
            rows.push(row);
        }
        Some(Cholesky { rows })
    }

    /// Returns the solution x of `matrix * x = right`.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for (index, row) in self.rows.iter().enumerate() {
            x[index] = (x[index] - dot(row, &x[..index])) / row[index];
        }
        for (index, row) in self.rows.iter().enumerate().rev() {
            let value = x[index] / row[index];
            x[index] = value;
            for (x, factor) in x.iter_mut().zip(&row[..index]) {
                *x -= factor * value;
            }
        }
        x
    }

    /// Returns the inverse of the matrix.
    pub(crate) fn inverse(&self) -> Vec<Vec<f64>> {
        let size = self.rows.len();
        let unit = |row: usize| (0..size).map(move |column| f64::from(u8::from(row == column)));
        (0..size).map(|row| self.solve(&unit(row).collect::<Vec<_>>())).collect()
    }
}

/// The sum of the products of the elements, as far as the shorter slice goes.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_equations() {
        let matrix = [vec![4.0, 2.0, 0.6], vec![2.0, 5.0, 1.0], vec![0.6, 1.0, 3.0]];
        let cholesky = Cholesky::new(&matrix).unwrap();
        let x = cholesky.solve(&[1.0, -2.0, 0.5]);
        for (row, right) in matrix.iter().zip([1.0, -2.0, 0.5]) {
            assert!((dot(row, &x) - right).abs() < 1e-12);
        }
        let inverse = cholesky.inverse();
        assert!(
            (dot(&matrix[1], &inverse[1]) - 1.0).abs() < 1e-12 && dot(&matrix[0], &inverse[1]).abs() < 1e-12
        );
    }

    #[test]
    fn matrices_that_are_not_positive_definite_are_refused() {
        assert!(Cholesky::new(&[vec![1.0, 1.0], vec![1.0, 1.0]]).is_none());
        assert!(Cholesky::new(&[vec![1.0, 2.0], vec![2.0, 1.0]]).is_none());
        assert!(Cholesky::new(&[vec![0.0]]).is_none() && Cholesky::new(&[vec![f64::NAN]]).is_none());
        assert!(Cholesky::new(&[]).is_some());
    }
}
