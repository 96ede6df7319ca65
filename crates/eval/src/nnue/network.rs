//! A network's parameters and its evaluation from scratch.

use super::architecture::Architecture;
use super::block::{Block, ByteBlock, byte_numbers, numbers, to_blocks, to_byte_blocks};
use super::error::NetworkError;
use super::features::Perspective;
use super::limits::{
    FEATURES_PER_BUCKET, HIDDEN_STEP, MAX_DESCRIPTION_BYTES, MAX_OUTPUT_WEIGHT, MAX_PIECES,
    MAX_THREAT_WEIGHT, QA, QB, THREAT_FEATURES,
};
use super::threat_states::ThreatStates;
use std::fmt;
use tabiya_core::{Bitboard, Board, Color, KNOWN_WIN, PieceType, SplitMix64, Square, Value};

/// The parameters of a network as plain lists.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Parameters {
    /// `features()` rows of `hidden()` weights in units of 1/255.
    pub feature_weights: Vec<i16>,
    /// [`THREAT_FEATURES`] rows of `threat_neurons()` weights in units of 1/255.
    pub threat_weights: Vec<i16>,
    /// `hidden()` biases in units of 1/255.
    pub feature_bias: Vec<i16>,
    /// For each output bucket, `hidden()` weights for the side to move and `hidden()` for the opponent, in units of 1/64.
    pub output_weights: Vec<i16>,
    /// A bias for each output bucket, in units of 1/(255 * 64).
    pub output_bias: Vec<i32>,
}

impl Parameters {
    /// Parameters of the right number, all 0.
    pub fn zero(architecture: &Architecture) -> Parameters {
        let (hidden, outputs) = (architecture.hidden(), architecture.output_buckets());
        Parameters {
            feature_weights: vec![0; architecture.features() * hidden],
            threat_weights: vec![0; THREAT_FEATURES * architecture.threat_neurons()],
            feature_bias: vec![0; hidden],
            output_weights: vec![0; outputs * 2 * hidden],
            output_bias: vec![0; outputs],
        }
    }

    /// Random parameters of usual sizes, for tests and speed measurements.
    ///
    /// ```
    /// use tabiya_eval::nnue::{Architecture, KingBuckets, Network, Parameters};
    ///
    /// let architecture = Architecture::new(64, KingBuckets::single(), 4, 400)?;
    /// let parameters = Parameters::random(&architecture, 1);
    /// assert!(Network::new(architecture, "random", &parameters).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn random(architecture: &Architecture, seed: u64) -> Parameters {
        let mut random = SplitMix64::new(seed);
        let mut number = |limit: usize| random.below(2 * limit + 1) as i32 - limit as i32;
        let mut parameters = Parameters::zero(architecture);
        parameters.feature_weights.fill_with(|| number(120) as i16);
        parameters.threat_weights.fill_with(|| number(60) as i16);
        parameters.feature_bias.fill_with(|| number(300) as i16);
        // The sum of magnitudes in a bucket is limited to 33,025.
        let output_limit =
            (25_000 / architecture.hidden()).min(usize::from(MAX_OUTPUT_WEIGHT.unsigned_abs()));
        parameters.output_weights.fill_with(|| number(output_limit) as i16);
        parameters.output_bias.fill_with(|| number(3000));
        parameters
    }
}

/// A network: an [`Architecture`] with parameters with which no sum overflows.
///
/// It is immutable, so that any number of threads can share it.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    architecture: Architecture,
    description: String,
    feature_weights: Box<[Block]>,
    threat_weights: Box<[ByteBlock]>,
    feature_bias: Box<[Block]>,
    output_weights: Box<[Block]>,
    output_bias: Box<[i32]>,
}

impl Network {
    /// Checks the parameters. The description says how the network was trained; control characters in it, which could write lines of their
    /// own, become spaces.
    ///
    /// # Errors
    /// If the number of parameters is wrong, a sum could overflow, or the description is too long.
    pub fn new(
        architecture: Architecture,
        description: &str,
        parameters: &Parameters,
    ) -> Result<Network, NetworkError> {
        check_counts(&architecture, parameters)?;
        if description.len() > MAX_DESCRIPTION_BYTES {
            return Err(NetworkError::DescriptionLength { found: description.len() as u64 });
        }
        check_threat_weights(&parameters.threat_weights)?;
        check_output_layer(&architecture, &parameters.output_weights)?;
        check_accumulators(&architecture, parameters)?;
        Ok(Network {
            architecture,
            description: description.replace(char::is_control, " "),
            feature_weights: to_blocks(&parameters.feature_weights),
            threat_weights: to_byte_blocks(&parameters.threat_weights),
            feature_bias: to_blocks(&parameters.feature_bias),
            output_weights: to_blocks(&parameters.output_weights),
            output_bias: parameters.output_bias.as_slice().into(),
        })
    }

    /// The sizes and the scale.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The description of the training.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns a copy of the parameters.
    pub fn parameters(&self) -> Parameters {
        Parameters {
            feature_weights: numbers(&self.feature_weights).to_vec(),
            threat_weights: byte_numbers(&self.threat_weights).collect(),
            feature_bias: numbers(&self.feature_bias).to_vec(),
            output_weights: numbers(&self.output_weights).to_vec(),
            output_bias: self.output_bias.to_vec(),
        }
    }

    /// The feature weights: a row as long as [`feature_bias`](Self::feature_bias) for each feature.
    #[inline]
    pub(super) fn feature_weights(&self) -> &[Block] {
        &self.feature_weights
    }

    /// The threat weights: a row of [`threat_blocks`](Self::threat_blocks) for each threat feature.
    #[inline]
    pub(super) fn threat_weights(&self) -> &[ByteBlock] {
        &self.threat_weights
    }

    /// The blocks of the neurons with threats, the first of the hidden layer.
    #[inline]
    pub(super) fn threat_blocks(&self) -> usize {
        self.architecture.threat_neurons() / HIDDEN_STEP
    }

    /// The biases of the hidden layer.
    #[inline]
    pub(super) fn feature_bias(&self) -> &[Block] {
        &self.feature_bias
    }

    /// The output weights of a bucket, for the side to move and for the opponent.
    #[inline]
    pub(super) fn output_weights(&self, bucket: usize) -> [&[Block]; 2] {
        let blocks = self.feature_bias.len();
        self.output_weights[2 * bucket * blocks..][..2 * blocks].split_at(blocks).into()
    }

    /// Returns the value of a board in centipawns from the point of view of the side to move, computed from scratch by plain
    /// code. Every faster way gives the same value.
    ///
    /// It lies strictly between `-KNOWN_WIN` and `KNOWN_WIN`, because a network knows no ending for certain.
    pub fn evaluate(&self, board: &Board) -> Value {
        self.evaluate_in(self.architecture.output_bucket(count(board)), board)
    }

    /// Returns the value that [`evaluate`](Self::evaluate) would return if the board were in this output bucket.
    ///
    /// # Panics
    /// If there is no such bucket.
    pub fn evaluate_in(&self, output_bucket: usize, board: &Board) -> Value {
        self.evaluate_pieces(output_bucket, board, None)
    }

    /// Returns the value of a board without the piece on `square`, which is not a king's. Unlike a [`Board`], the rest need not be
    /// a legal position.
    pub(super) fn evaluate_without(&self, square: Square, board: &Board) -> Value {
        self.evaluate_pieces(self.architecture.output_bucket(count(board) - 1), board, Some(square))
    }

    fn evaluate_pieces(&self, output_bucket: usize, board: &Board, omitted: Option<Square>) -> Value {
        let us = board.side_to_move();
        let [own, enemy] = [us, !us].map(|color| self.accumulator(board, color, omitted));
        let [own_weights, enemy_weights] = self.output_weights(output_bucket).map(numbers);
        let weights = own_weights.iter().chain(enemy_weights);
        let products = own.iter().chain(&enemy).zip(weights).map(|(&sum, &weight)| {
            let activation = i32::from(sum).clamp(0, QA);
            activation * activation * i32::from(weight)
        });
        self.value(products.sum(), output_bucket)
    }

    /// Computes the sums of the hidden layer for one perspective.
    fn accumulator(&self, board: &Board, color: Color, omitted: Option<Square>) -> Vec<i16> {
        let perspective = Perspective::new(self.architecture.king_buckets(), color, board.king(color));
        let omitted = omitted.map_or(Bitboard::EMPTY, Square::bitboard);
        let states = ThreatStates::new(|color, piece_type| board.pieces(color, piece_type) & !omitted);
        let mut sums = numbers(&self.feature_bias).to_vec();
        for square in board.occupied() & !omitted {
            let Some(piece) = board.piece_on(square) else { continue };
            let feature = perspective.feature(piece, square);
            let weights = row(&self.feature_weights, feature, self.feature_bias.len());
            add(&mut sums, numbers(weights).iter().copied());
            let state = states.state(square);
            if state > 0 {
                let feature = perspective.threat_feature(piece, square, state);
                add(&mut sums, byte_numbers(row(&self.threat_weights, feature, self.threat_blocks())));
            }
        }
        sums
    }

    /// Returns the value in centipawns of an output's sum of products.
    #[inline]
    pub(super) fn value(&self, sum: i32, output_bucket: usize) -> Value {
        // `i64`, because the bias is not limited.
        let output = i64::from(sum / QA) + i64::from(self.output_bias[output_bucket]);
        let value = output * i64::from(self.architecture.scale()) / i64::from(QA * QB);
        value.clamp((1 - KNOWN_WIN).into(), (KNOWN_WIN - 1).into()) as Value
    }
}

/// Without the parameters.
impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Network { architecture, description, .. } = self;
        f.debug_struct("Network")
            .field("architecture", architecture)
            .field("description", description)
            .finish_non_exhaustive()
    }
}

/// A row of a matrix with rows of this length.
fn row<T>(matrix: &[T], index: usize, length: usize) -> &[T] {
    &matrix[index * length..][..length]
}

/// Adds a row of weights. Partial sums may wrap; the complete ones fit.
fn add(sums: &mut [i16], row: impl Iterator<Item = i16>) {
    sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_add(weight));
}

/// The number of pieces, kings included.
fn count(board: &Board) -> usize {
    board.occupied().count() as usize
}

fn check_counts(architecture: &Architecture, parameters: &Parameters) -> Result<(), NetworkError> {
    let (hidden, outputs) = (architecture.hidden(), architecture.output_buckets());
    let counts = [
        ("feature weights", architecture.features() * hidden, parameters.feature_weights.len()),
        ("threat weights", THREAT_FEATURES * architecture.threat_neurons(), parameters.threat_weights.len()),
        ("feature biases", hidden, parameters.feature_bias.len()),
        ("output weights", outputs * 2 * hidden, parameters.output_weights.len()),
        ("output biases", outputs, parameters.output_bias.len()),
    ];
    match counts.into_iter().find(|(_, expected, found)| expected != found) {
        None => Ok(()),
        Some((kind, expected, found)) => Err(NetworkError::ParameterCount { kind, expected, found }),
    }
}

/// Checks that each threat weight fits in a byte.
fn check_threat_weights(weights: &[i16]) -> Result<(), NetworkError> {
    let too_large = |weight: i16| weight.unsigned_abs() > MAX_THREAT_WEIGHT.unsigned_abs();
    match weights.iter().position(|&weight| too_large(weight)) {
        None => Ok(()),
        Some(index) => Err(NetworkError::ThreatWeight { index, found: weights[index] }),
    }
}

/// Checks that each weight times an activation fits in an `i16`, and each sum of products in an `i32`. Activations are not negative, so
/// the weights of one sign alone make the largest sum.
fn check_output_layer(architecture: &Architecture, weights: &[i16]) -> Result<(), NetworkError> {
    let too_large = |weight: i16| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT.unsigned_abs();
    if let Some(index) = weights.iter().position(|&weight| too_large(weight)) {
        return Err(NetworkError::OutputWeight { index, found: weights[index] });
    }
    for (bucket, weights) in weights.chunks_exact(2 * architecture.hidden()).enumerate() {
        let sum = |sign: i64| weights.iter().map(|&weight| (sign * i64::from(weight)).max(0)).sum::<i64>();
        if i64::from(QA * QA) * sum(1).max(sum(-1)) > i64::from(i32::MAX) {
            return Err(NetworkError::OutputOverflow { bucket });
        }
    }
    Ok(())
}

/// Checks that the sums of any set of at most 32 pieces, of which no two stand on the same square, fit in an `i16`, whatever their
/// threat states.
fn check_accumulators(architecture: &Architecture, parameters: &Parameters) -> Result<(), NetworkError> {
    let Parameters { feature_weights, threat_weights, feature_bias, .. } = parameters;
    let largest = |numbers: &[i16]| {
        i64::from(numbers.iter().fold(0, |largest, number| largest.max(number.unsigned_abs())))
    };
    // Holds for trained networks, and is computed much faster than the exact condition.
    let of_piece = largest(feature_weights) + largest(threat_weights);
    if MAX_PIECES as i64 * of_piece + largest(feature_bias) <= i16::MAX.into() {
        return Ok(());
    }
    let (hidden, threat_neurons) = (architecture.hidden(), architecture.threat_neurons());
    for (king_bucket, rows) in feature_weights.chunks_exact(FEATURES_PER_BUCKET * hidden).enumerate() {
        for (neuron, &bias) in feature_bias.iter().enumerate() {
            // The greatest weight of a piece in any threat state, with the given sign.
            let weight = |feature: usize, sign: i64| {
                let features = (feature..THREAT_FEATURES).step_by(FEATURES_PER_BUCKET);
                let threats = features
                    .filter(|_| neuron < threat_neurons)
                    .map(|feature| sign * i64::from(threat_weights[feature * threat_neurons + neuron]));
                sign * i64::from(rows[feature * hidden + neuron]) + threats.fold(0, i64::max)
            };
            let greatest = i64::from(bias) + greatest_sum(|feature| weight(feature, 1));
            let least = i64::from(bias) - greatest_sum(|feature| weight(feature, -1));
            if greatest > i16::MAX.into() || least < i16::MIN.into() {
                return Err(NetworkError::AccumulatorOverflow { king_bucket, neuron });
            }
        }
    }
    Ok(())
}

/// Returns the greatest sum of at most 32 weights of different squares.
fn greatest_sum(weight: impl Fn(usize) -> i64) -> i64 {
    let mut by_square: [i64; Square::COUNT] = std::array::from_fn(|square| {
        let kinds = 0..2 * PieceType::COUNT;
        kinds.map(|kind| weight(Square::COUNT * kind + square)).fold(0, i64::max)
    });
    by_square.sort_unstable();
    by_square[Square::COUNT - MAX_PIECES..].iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::KingBuckets;
    use crate::nnue::test_data::{random_network, random_positions};

    fn architecture() -> Architecture {
        Architecture::new(32, KingBuckets::single(), 2, 400).expect("valid sizes")
    }

    fn error(parameters: &Parameters) -> NetworkError {
        Network::new(architecture(), "", parameters).expect_err("the parameters are invalid")
    }

    #[test]
    fn rejects_a_wrong_number_of_parameters() {
        let mut parameters = Parameters::zero(&architecture());
        parameters.output_bias.push(0);
        let expected = NetworkError::ParameterCount { kind: "output biases", expected: 2, found: 3 };
        assert_eq!(error(&parameters), expected);
    }

    #[test]
    fn rejects_output_weights_that_could_overflow() {
        let architecture = Architecture::new(1024, KingBuckets::single(), 2, 400).expect("valid sizes");
        let mut parameters = Parameters::zero(&architecture);
        parameters.output_weights[2048 + 5] = -128;
        let result = Network::new(architecture.clone(), "", &parameters);
        assert_eq!(result, Err(NetworkError::OutputWeight { index: 2053, found: -128 }));
        // 260 weights of 127 are the most that cannot overflow.
        parameters.output_weights[2048..][..260].fill(-127);
        parameters.output_weights[3000..][..260].fill(127);
        assert!(Network::new(architecture.clone(), "", &parameters).is_ok());
        parameters.output_weights[2048..][..261].fill(-127);
        let result = Network::new(architecture.clone(), "", &parameters);
        assert_eq!(result, Err(NetworkError::OutputOverflow { bucket: 1 }));
        parameters.output_weights[2048..][..261].fill(0);
        parameters.output_weights[3000..][..261].fill(127);
        let result = Network::new(architecture, "", &parameters);
        assert_eq!(result, Err(NetworkError::OutputOverflow { bucket: 1 }));
    }

    #[test]
    fn rejects_feature_weights_that_could_overflow() {
        let mut parameters = Parameters::zero(&architecture());
        // All pieces on one square: only one of them can be there.
        for kind in 0..12 {
            parameters.feature_weights[(64 * kind + 20) * 32 + 7] = 20_000;
        }
        assert!(Network::new(architecture(), "", &parameters).is_ok());
        // 32 pieces with the weight 1024 and a bias of -1 make the greatest sum.
        let mut parameters = Parameters::zero(&architecture());
        (0..33).for_each(|square| parameters.feature_weights[square * 32 + 7] = 1024);
        assert_eq!(error(&parameters), NetworkError::AccumulatorOverflow { king_bucket: 0, neuron: 7 });
        parameters.feature_bias[7] = -1;
        assert!(Network::new(architecture(), "", &parameters).is_ok());
        (0..33).for_each(|square| parameters.feature_weights[square * 32 + 7] = -1024);
        assert_eq!(error(&parameters), NetworkError::AccumulatorOverflow { king_bucket: 0, neuron: 7 });
    }

    #[test]
    fn rejects_threat_weights_that_could_overflow() {
        let architecture = Architecture::new(64, KingBuckets::single(), 1, 400)
            .and_then(|plain| plain.with_threats(32))
            .expect("valid sizes");
        let mut parameters = Parameters::zero(&architecture);
        let new = |parameters: &Parameters| Network::new(architecture.clone(), "", parameters);
        for (found, is_valid) in [(127, true), (-127, true), (128, false), (-128, false)] {
            parameters.threat_weights[70] = found;
            let error = NetworkError::ThreatWeight { index: 70, found };
            assert_eq!(new(&parameters).err(), (!is_valid).then_some(error));
        }
        parameters.threat_weights[70] = 0;
        // Only one of the three states of a piece counts, the greatest: 32 pieces with 1000 and 24 each, but a bias of -1.
        for square in 0..33 {
            parameters.feature_weights[square * 64 + 7] = 1000;
            for (state, weight) in [20, 24, -30].into_iter().enumerate() {
                parameters.threat_weights[(768 * state + square) * 32 + 7] = weight;
            }
        }
        assert_eq!(new(&parameters), Err(NetworkError::AccumulatorOverflow { king_bucket: 0, neuron: 7 }));
        parameters.feature_bias[7] = -1;
        assert!(new(&parameters).is_ok());
        // A threat that lowers a sum need not be there.
        (0..33).for_each(|square| parameters.threat_weights[(768 + square) * 32 + 7] = -30);
        (0..33).for_each(|square| parameters.threat_weights[square * 32 + 7] = 25);
        assert_eq!(new(&parameters), Err(NetworkError::AccumulatorOverflow { king_bucket: 0, neuron: 7 }));
    }

    #[test]
    fn description_is_one_line_without_control_characters() {
        let parameters = Parameters::zero(&architecture());
        let network =
            Network::new(architecture(), "a\nbestmove e2e4\r\u{1b}[2J\u{9b}é", &parameters).unwrap();
        assert_eq!(network.description(), "a bestmove e2e4  [2J é");
    }

    #[test]
    fn rejects_a_description_that_is_too_long() {
        let architecture = architecture();
        let parameters = Parameters::zero(&architecture);
        let description = "x".repeat(MAX_DESCRIPTION_BYTES + 1);
        let result = Network::new(architecture, &description, &parameters);
        assert_eq!(result, Err(NetworkError::DescriptionLength { found: description.len() as u64 }));
    }

    #[test]
    fn values_follow_the_formula() {
        let architecture = architecture();
        let mut parameters = Parameters::zero(&architecture);
        // One sum counts own rooks: activations of 100 or 200 for one or two of them.
        for square in 0..64 {
            parameters.feature_weights[(64 * PieceType::Rook.index() + square) * 32] = 100;
        }
        parameters.output_weights[..1].fill(50);
        parameters.output_weights[32..33].fill(-50);
        parameters.output_bias[0] = 77;
        let network = Network::new(architecture, "", &parameters).expect("small weights");
        let value = |fen: &str| network.evaluate(&Board::from_fen(fen).expect(fen));
        let centipawns =
            |own: i32, enemy: i32| ((own * own - enemy * enemy) * 50 / 255 + 77) * 400 / (255 * 64);
        assert_eq!(value("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), centipawns(100, 0));
        assert_eq!(value("4k3/8/8/8/8/8/8/R3K3 b - - 0 1"), centipawns(0, 100));
        assert_eq!(value("r3k3/8/8/8/8/8/8/RR2K3 w - - 0 1"), centipawns(200, 100));
        // Three rooks: the activation is clipped.
        assert_eq!(value("4k3/8/8/8/8/8/8/RRR1K3 w - - 0 1"), centipawns(255, 0));
    }

    #[test]
    fn value_is_symmetric_under_colour_flip_and_file_mirror() {
        let map = std::array::from_fn(|square| (square / 5) as u8);
        let buckets = KingBuckets::new(map).expect("seven buckets");
        let plain = Architecture::new(64, buckets, 3, 400).expect("valid sizes");
        let network = random_network(plain.with_threats(32).expect("half of the neurons"), 5);
        for position in random_positions(1, 40) {
            let value = network.evaluate(position.board());
            assert_eq!(network.evaluate(&position.board().mirror()), value);
            let mut mirrored = position.board().to_builder();
            mirrored.castling = tabiya_core::CastlingRights::NONE;
            mirrored.en_passant = None;
            mirrored.pieces = Square::ALL.map(|square| position.piece_on(square.flip_file()));
            assert_eq!(network.evaluate(&mirrored.build().expect("a legal position")), value);
        }
    }

    #[test]
    fn values_stay_below_known_wins() {
        let architecture = architecture();
        let mut parameters = Parameters::zero(&architecture);
        for (bias, expected) in [(i32::MAX, KNOWN_WIN - 1), (i32::MIN, 1 - KNOWN_WIN)] {
            parameters.output_bias.fill(bias);
            let network = Network::new(architecture.clone(), "", &parameters).expect("any bias is valid");
            assert_eq!(network.evaluate(&Board::startpos()), expected);
        }
    }
}
