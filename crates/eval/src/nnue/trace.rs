//! A network's evaluation of one position in detail.

use super::knowledge::{evaluate, known_value};
use super::network::Network;
use crate::evaluate::relative_to;
use std::fmt;
use tabiya_core::{Color, File, Piece, PieceType, Rank, Square, Value};
use tabiya_movegen::Position;

/// The worth of one piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PieceWorth {
    /// The piece.
    pub piece: Piece,
    /// Its square.
    pub square: Square,
    /// The network's value with the piece minus that without it, in centipawns from White's point of view. `None` for a king,
    /// which no position lacks.
    pub white_worth: Option<Value>,
}

/// The evaluation of a position by a network in detail.
///
/// `Display` draws the board with the worth of each piece, and lists the values of the output buckets.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Trace {
    /// The pieces in the order of their squares.
    pub pieces: Vec<PieceWorth>,
    /// The network's value in each output bucket, in centipawns from White's point of view.
    pub buckets: Vec<Value>,
    /// The output bucket of the position.
    pub bucket: usize,
    /// The value in centipawns from White's point of view if the ending has a known result, which overrides the network.
    pub known: Option<Value>,
    /// The network's value in centipawns, from White's point of view.
    pub white_network_value: Value,
    /// The side to move.
    pub side_to_move: Color,
    /// The value in centipawns, from White's point of view.
    pub white_value: Value,
    /// The value in centipawns, from the point of view of the side to move.
    pub value: Value,
}

/// Evaluates a position like [`evaluate`] and returns all details.
///
/// ```
/// use tabiya_eval::nnue::{self, Architecture, KingBuckets, Network, Parameters};
/// use tabiya_movegen::Position;
///
/// let architecture = Architecture::new(32, KingBuckets::single(), 4, 400)?;
/// let network = Network::new(architecture.clone(), "random", &Parameters::random(&architecture, 1))?;
/// let position = Position::startpos();
/// let trace = nnue::trace(&network, &position);
/// assert_eq!(trace.value, nnue::evaluate(&network, &position));
/// assert_eq!(trace.buckets[trace.bucket], trace.white_network_value);
/// assert_eq!(trace.pieces.len(), 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn trace(network: &Network, position: &Position) -> Trace {
    let board = position.board();
    let white = |value: Value| relative_to(board.side_to_move(), value);
    let white_network_value = white(network.evaluate(board));
    let worth = |square: Square| {
        let piece = board.piece_on(square)?;
        let without = || white_network_value - white(network.evaluate_without(square, board));
        let white_worth = (piece.piece_type() != PieceType::King).then(without);
        Some(PieceWorth { piece, square, white_worth })
    };
    let architecture = network.architecture();
    let value = evaluate(network, position);
    Trace {
        pieces: board.occupied().into_iter().filter_map(worth).collect(),
        buckets: (0..architecture.output_buckets())
            .map(|bucket| white(network.evaluate_in(bucket, board)))
            .collect(),
        bucket: architecture.output_bucket(board.occupied().count() as usize),
        known: known_value(position).map(white),
        white_network_value,
        side_to_move: board.side_to_move(),
        white_value: white(value),
        value,
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = format!("{}+", "+-------".repeat(8));
        writeln!(f, "{line}")?;
        for rank in Rank::ALL.into_iter().rev() {
            let pieces = File::ALL.map(|file| {
                let square = Square::new(file, rank);
                self.pieces.iter().find(|piece| piece.square == square)
            });
            for piece in pieces {
                write!(f, "|{:^7}", piece.map_or(' ', |piece| piece.piece.to_char()))?;
            }
            writeln!(f, "|")?;
            for piece in pieces {
                let worth = piece.and_then(|piece| piece.white_worth);
                write!(f, "|{:^7}", worth.map_or(String::new(), |worth| format!("{worth:+}")))?;
            }
            writeln!(f, "|\n{line}")?;
        }
        writeln!(f, "Worth of each piece: the value with it minus that without it, for White\n")?;
        writeln!(f, "{:<24} {:>8}", "Output bucket", "Value for White")?;
        for (bucket, value) in self.buckets.iter().enumerate() {
            let mark = if bucket == self.bucket { "  <- in use" } else { "" };
            writeln!(f, "{bucket:<24} {value:>8}{mark}")?;
        }
        writeln!(f)?;
        if let Some(known) = self.known {
            writeln!(f, "{:<24} {known:>8} (overrides the network)", "Known endgame")?;
        }
        writeln!(f, "{:<24} {:>8}", "Value for White", self.white_value)?;
        write!(f, "{:<24} {:>8}", format!("Value for {} to move", self.side_to_move), self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::test_data::random_network;
    use crate::nnue::{Architecture, KingBuckets};

    fn network() -> Network {
        random_network(Architecture::new(32, KingBuckets::single(), 4, 400).expect("valid sizes"), 2)
    }

    #[test]
    fn worth_is_the_difference_to_the_board_without_the_piece() {
        let network = network();
        let position = Position::from_fen("4k3/p7/8/8/2N5/8/8/4K2R b - - 0 1").expect("a legal position");
        let without = Position::from_fen("4k3/p7/8/8/8/8/8/4K2R b - - 0 1").expect("a legal position");
        let trace = trace(&network, &position);
        let knight = trace.pieces.iter().find(|piece| piece.square == Square::C4).expect("the knight");
        let expected = network.evaluate(&without) - network.evaluate(&position);
        assert_eq!(knight.white_worth, Some(expected));
        assert_eq!(trace.white_value, -trace.value);
        let kings = trace.pieces.iter().filter(|piece| piece.white_worth.is_none());
        assert!(kings.clone().all(|king| king.piece.piece_type() == PieceType::King));
        assert_eq!(kings.count(), 2);
    }

    #[test]
    fn drawing_shows_worths_and_the_bucket_in_use() {
        let position = Position::from_fen("4k3/p7/8/8/2N5/8/8/4K2R w - - 0 1").expect("a legal position");
        let trace = trace(&network(), &position);
        let text = trace.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "|       |       |       |       |   k   |       |       |       |");
        assert_eq!(lines[2], "|       |       |       |       |       |       |       |       |");
        assert!(lines[13].starts_with("|       |       |   N   |"), "{text}");
        let knight = trace.pieces[2].white_worth.expect("not a king");
        assert!(lines[14].contains(&format!("{knight:+}")), "{text}");
        let marked = lines.iter().find(|line| line.ends_with("<- in use")).expect("one bucket is in use");
        assert!(marked.starts_with("0 ") && marked.contains(&trace.white_value.to_string()), "{marked}");
    }

    #[test]
    fn known_endgames_override_the_network() {
        let position = Position::from_fen("8/8/4k3/8/8/3KN3/8/8 b - - 0 1").expect("a legal position");
        let trace = trace(&network(), &position);
        assert_eq!((trace.known, trace.value), (Some(0), 0));
        assert!(trace.to_string().contains("(overrides the network)"));
    }
}
