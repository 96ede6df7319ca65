//! The model to tune: an evaluation as a differentiable function of its weights.

use tabiya_eval::handcrafted::tuning::{self, Coefficients};
use tabiya_movegen::Position;

/// An evaluation with adjustable weights.
pub(super) trait Model: Sync {
    /// The features of a position: everything the value depends on apart from the weights.
    type Features: Send + Sync;

    /// Returns the start values of the weights.
    fn weights(&self) -> Vec<f64>;

    /// Returns the names of the weights, in the same order.
    fn names(&self) -> Vec<String>;

    /// Extracts the features of a position.
    fn features(&self, position: &Position) -> Self::Features;

    /// Returns the value in centipawns, from White's point of view.
    fn evaluate(&self, features: &Self::Features, weights: &[f64]) -> f64;

    /// Adds `upstream` times the derivative of the value with respect to each weight to `gradient`.
    fn add_gradient(&self, features: &Self::Features, weights: &[f64], upstream: f64, gradient: &mut [f64]);

    /// Formats the weights as Rust source text.
    fn render(&self, weights: &[f64]) -> String;
}

/// The hand-crafted evaluation (HCE).
pub(super) struct Handcrafted;

impl Model for Handcrafted {
    type Features = Coefficients;

    fn weights(&self) -> Vec<f64> {
        tuning::weights()
    }

    fn names(&self) -> Vec<String> {
        tuning::names()
    }

    fn features(&self, position: &Position) -> Coefficients {
        Coefficients::of(position)
    }

    fn evaluate(&self, features: &Coefficients, weights: &[f64]) -> f64 {
        features.evaluate(weights)
    }

    fn add_gradient(&self, features: &Coefficients, weights: &[f64], upstream: f64, gradient: &mut [f64]) {
        features.add_gradient(weights, upstream, gradient);
    }

    fn render(&self, weights: &[f64]) -> String {
        tuning::render(weights)
    }
}

#[cfg(test)]
pub(super) mod toy {
    use super::*;
    use tabiya_core::{Color, PieceType};

    /// A material count with one weight per piece type. The weight of the bishop is squared, so that the model
    /// is not linear.
    pub(crate) struct Material;

    /// White's pieces minus Black's, pawns to queens.
    pub(crate) type Counts = [f64; 5];

    const KINDS: [PieceType; 5] =
        [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

    impl Model for Material {
        type Features = Counts;

        fn weights(&self) -> Vec<f64> {
            vec![50.0, 200.0, 10.0, 300.0, 600.0]
        }

        fn names(&self) -> Vec<String> {
            ["pawn", "knight", "root of bishop", "rook", "queen"].map(str::to_owned).to_vec()
        }

        fn features(&self, position: &Position) -> Counts {
            let count = |color, kind| f64::from(position.board().pieces(color, kind).count());
            KINDS.map(|kind| count(Color::White, kind) - count(Color::Black, kind))
        }

        fn evaluate(&self, features: &Counts, weights: &[f64]) -> f64 {
            let value = |index: usize| if index == 2 { weights[2] * weights[2] } else { weights[index] };
            features.iter().enumerate().map(|(index, count)| count * value(index)).sum()
        }

        fn add_gradient(&self, features: &Counts, weights: &[f64], upstream: f64, gradient: &mut [f64]) {
            for (index, count) in features.iter().enumerate() {
                let slope = if index == 2 { 2.0 * weights[2] } else { 1.0 };
                gradient[index] += upstream * count * slope;
            }
        }

        fn render(&self, weights: &[f64]) -> String {
            let weights: Vec<f64> = weights.iter().map(|weight| weight.round()).collect();
            format!("pub const MATERIAL: [i32; 5] = {weights:?};\n")
        }
    }
}
