//! Arrays in the shape of the network's parameters: the parameters, a gradient, or a moment of the optimiser.

use super::lanes::{LANES, Lanes};
use tabiya_eval::nnue::{Architecture, FEATURES_PER_BUCKET, THREAT_FEATURES};

/// The sizes of the arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    /// [`Lanes`] in a row of the hidden layer.
    pub(super) width: usize,
    /// [`Lanes`] of the neurons with threats, the first of the hidden layer; 0 without threats.
    pub(super) threat_width: usize,
    pub(super) king_buckets: usize,
    pub(super) output_buckets: usize,
}

impl Shape {
    pub(super) fn new(architecture: &Architecture) -> Shape {
        Shape {
            width: architecture.hidden() / LANES,
            threat_width: architecture.threat_neurons() / LANES,
            king_buckets: architecture.king_buckets().count(),
            output_buckets: architecture.output_buckets(),
        }
    }

    /// True if the feature weights have a shared part for all king buckets.
    pub(super) fn has_factoriser(self) -> bool {
        self.king_buckets > 1
    }

    /// Number of rows of the feature weights: one for each feature and king bucket.
    pub(super) fn rows(self) -> usize {
        FEATURES_PER_BUCKET * self.king_buckets
    }
}

/// Arrays in the shape of the parameters.
///
/// The feature and threat weights are stored by columns of [`Lanes`]: the first of every row, then the second of every row, and so on. The rows
/// of one feature for all king buckets are adjacent.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tensors {
    /// The factoriser: a row for each of the 768 features, added to those of all king buckets. Empty without king
    /// buckets, and in gradients, because its gradient is the sum of theirs.
    pub(super) factoriser: Vec<Lanes>,
    /// A row for each feature and king bucket, numbered by [`row`](super::example::row).
    pub(super) features: Vec<Lanes>,
    /// A row for each threat feature, with the neurons that have threats.
    pub(super) threats: Vec<Lanes>,
    pub(super) bias: Vec<Lanes>,
    /// For each output bucket, the weights of the side to move's accumulator, then those of the other side's.
    pub(super) output: Vec<Lanes>,
    /// The output biases, in one element.
    pub(super) output_bias: Vec<Lanes>,
}

impl Tensors {
    /// Zeros for the parameters and for the optimiser's moments.
    pub(super) fn zeros(shape: Shape) -> Tensors {
        let factoriser = if shape.has_factoriser() { FEATURES_PER_BUCKET * shape.width } else { 0 };
        Tensors { factoriser: vec![Lanes::ZERO; factoriser], ..Tensors::zero_gradient(shape) }
    }

    /// Zeros for a gradient.
    pub(super) fn zero_gradient(shape: Shape) -> Tensors {
        let zeros = |count| vec![Lanes::ZERO; count];
        Tensors {
            factoriser: Vec::new(),
            features: zeros(shape.rows() * shape.width),
            threats: zeros(THREAT_FEATURES * shape.threat_width),
            bias: zeros(shape.width),
            output: zeros(2 * shape.width * shape.output_buckets),
            output_bias: zeros(1),
        }
    }

    /// The arrays in the order of a checkpoint, with their names.
    pub(super) fn arrays(&self) -> [(&'static str, &[Lanes]); 6] {
        [
            ("factoriser", &self.factoriser),
            ("feature weights", &self.features),
            ("threat weights", &self.threats),
            ("feature biases", &self.bias),
            ("output weights", &self.output),
            ("output biases", &self.output_bias),
        ]
    }

    /// The arrays in the order of a checkpoint.
    pub(super) fn arrays_mut(&mut self) -> [&mut [Lanes]; 6] {
        [
            &mut self.factoriser, &mut self.features, &mut self.threats, &mut self.bias, &mut self.output,
            &mut self.output_bias,
        ]
    }

    /// The name of an array that contains a number that is not finite.
    pub(super) fn not_finite(&self) -> Option<&'static str> {
        let is_finite = |lanes: &Lanes| lanes.0.iter().all(|value| value.is_finite());
        self.arrays().into_iter().find(|(_, lanes)| !lanes.iter().all(is_finite)).map(|(name, _)| name)
    }
}
