//! The model to tune: an evaluation as a differentiable function of its weights.

use tabiya_eval::handcrafted::tuning::{self, Coefficients};
use tabiya_movegen::Position;

/// An evaluation with adjustable weights.
pub(super) trait Model: Sync {
    /// Returns the start values of the weights.
    fn weights(&self) -> Vec<f64>;

    /// Returns the names of the weights, in the same order.
    fn names(&self) -> Vec<String>;

    /// Extracts the features of a position, packed: everything the value depends on apart from the weights.
    fn features(&self, position: &Position) -> Vec<u8>;

    /// Returns the value in centipawns, from White's point of view.
    fn evaluate(&self, features: &[u8], weights: &[f64]) -> f64;

    /// Adds `upstream` times the derivative of the value with respect to each weight to `gradient`.
    fn add_gradient(&self, features: &[u8], weights: &[f64], upstream: f64, gradient: &mut [f64]);

    /// Formats the weights as Rust source text.
    fn render(&self, weights: &[f64]) -> String;
}

/// The hand-crafted evaluation (HCE).
pub(super) struct Handcrafted;

impl Model for Handcrafted {
    fn weights(&self) -> Vec<f64> {
        tuning::weights()
    }

    fn names(&self) -> Vec<String> {
        tuning::names()
    }

    fn features(&self, position: &Position) -> Vec<u8> {
        Coefficients::of(position).into_bytes()
    }

    fn evaluate(&self, features: &[u8], weights: &[f64]) -> f64 {
        Coefficients::from_bytes(features).evaluate(weights)
    }

    fn add_gradient(&self, features: &[u8], weights: &[f64], upstream: f64, gradient: &mut [f64]) {
        Coefficients::from_bytes(features).add_gradient(weights, upstream, gradient);
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

    const KINDS: [PieceType; 5] =
        [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

    impl Model for Material {
        fn weights(&self) -> Vec<f64> {
            vec![50.0, 200.0, 10.0, 300.0, 600.0]
        }

        fn names(&self) -> Vec<String> {
            ["pawn", "knight", "root of bishop", "rook", "queen"].map(str::to_owned).to_vec()
        }

        /// White's pieces minus Black's, pawns to queens.
        fn features(&self, position: &Position) -> Vec<u8> {
            let count = |color, kind| position.board().pieces(color, kind).count() as i8;
            let difference = |kind| count(Color::White, kind) - count(Color::Black, kind);
            KINDS.map(difference).map(i8::cast_unsigned).to_vec()
        }

        fn evaluate(&self, features: &[u8], weights: &[f64]) -> f64 {
            let value = |index: usize| if index == 2 { weights[2] * weights[2] } else { weights[index] };
            counts(features).enumerate().map(|(index, count)| count * value(index)).sum()
        }

        fn add_gradient(&self, features: &[u8], weights: &[f64], upstream: f64, gradient: &mut [f64]) {
            for (index, count) in counts(features).enumerate() {
                let slope = if index == 2 { 2.0 * weights[2] } else { 1.0 };
                gradient[index] += upstream * count * slope;
            }
        }

        fn render(&self, weights: &[f64]) -> String {
            let weights: Vec<f64> = weights.iter().map(|weight| weight.round()).collect();
            format!("pub const MATERIAL: [i32; 5] = {weights:?};\n")
        }
    }
    fn counts(features: &[u8]) -> impl Iterator<Item = f64> {
        features.iter().map(|&count| f64::from(count.cast_signed()))
    }

    /// A value for each pawn structure, which only positions with that structure tell anything about. Like every
    /// evaluation with many weights, it can learn the results of the games that it is trained on.
    pub(crate) struct PawnStructures;

    const STRUCTURES: usize = 1 << 12;

    impl Model for PawnStructures {
        fn weights(&self) -> Vec<f64> {
            vec![0.0; STRUCTURES]
        }

        fn names(&self) -> Vec<String> {
            (0..STRUCTURES).map(|number| format!("structure {number}")).collect()
        }

        fn features(&self, position: &Position) -> Vec<u8> {
            let structure = position.board().pawn_key() as usize % STRUCTURES;
            (structure as u16).to_le_bytes().to_vec()
        }

        fn evaluate(&self, features: &[u8], weights: &[f64]) -> f64 {
            weights[structure(features)]
        }

        fn add_gradient(&self, features: &[u8], _: &[f64], upstream: f64, gradient: &mut [f64]) {
            gradient[structure(features)] += upstream;
        }

        fn render(&self, _: &[f64]) -> String {
            String::new()
        }
    }

    fn structure(features: &[u8]) -> usize {
        u16::from_le_bytes([features[0], features[1]]).into()
    }
}
