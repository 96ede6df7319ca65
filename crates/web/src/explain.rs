//! The evaluations of a position in detail.

mod marks;

pub use marks::Marks;

use serde::Serialize;
use tabiya_core::{PieceType, Value};
use tabiya_eval::handcrafted;
use tabiya_eval::{Evaluation, classic, nnue};
use tabiya_movegen::Position;
use tabiya_review::report::Sides;
use tabiya_search::Wdl;
use tabiya_search::tuning::WdlModel;

/// The unit of [`handcrafted::Trace::scale_factor`].
const FULL_SCALE: Value = 64;

/// The reply to a request to explain a position. All values are centipawns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainReply {
    /// The handcrafted evaluation, from White's point of view.
    pub value: Value,
    /// White's expected score from 0 to 1, by the network or, if there is none, by the handcrafted evaluation.
    pub white: f64,
    /// The phase of the game, from 1 (all pieces) to 0 (none).
    pub phase: f64,
    /// The factor by which the endgame half is scaled, if the material is drawish.
    pub scale: Option<f64>,
    /// True if the ending has a known result, which overrides the terms.
    pub known: bool,
    /// The terms of the handcrafted evaluation.
    pub terms: Vec<TermView>,
    /// Features of the position.
    pub marks: Sides<Marks>,
    /// The evaluation of the network, if there is one.
    pub network: Option<NetworkView>,
    /// The classic evaluation.
    pub classic: ClassicView,
}

/// A term of the handcrafted evaluation. Each side's values are from its own point of view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TermView {
    /// The name.
    pub name: &'static str,
    /// The value in the phase of the position.
    pub white: Value,
    /// Black's value in the phase of the position.
    pub black: Value,
}

/// The evaluation of a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NetworkView {
    /// The value from White's point of view.
    pub value: Value,
    /// The value of each piece but the kings, from White's point of view.
    pub pieces: Vec<PieceView>,
}

/// The classic evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassicView {
    /// The value from White's point of view.
    pub value: Value,
    /// The value of each piece but the kings to its owner.
    pub pieces: Vec<PieceView>,
}

/// The value of a piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PieceView {
    /// The FEN letter.
    pub piece: char,
    /// The square.
    pub square: String,
    /// The value.
    pub value: Value,
}

/// Evaluates a position in detail. The network is that of `evaluation` or, if it has none, the embedded one.
pub(crate) fn explain(position: &Position, evaluation: &Evaluation) -> ExplainReply {
    let trace = handcrafted::trace(position);
    let terms = trace
        .terms
        .iter()
        .map(|term| TermView {
            name: term.term.name(),
            white: trace.phase.taper(term.white),
            black: trace.phase.taper(term.black),
        })
        .collect();
    let network = match evaluation {
        Evaluation::Nnue(network) => Some(network.clone()),
        _ => nnue::embedded(),
    };
    let network = network.map(|network| network_view(&network, position));
    let wdl = match &network {
        Some(network) => Wdl::of(&WdlModel::NNUE, network.value, position.board()),
        None => Wdl::of(&WdlModel::HANDCRAFTED, trace.white_value, position.board()),
    };
    let middlegame = f64::from(handcrafted::Phase::MIDDLEGAME.get());
    ExplainReply {
        value: trace.white_value,
        white: f64::from(1000 + i32::from(wdl.win) - i32::from(wdl.loss)) / 2000.0,
        phase: f64::from(trace.phase.get()) / middlegame,
        scale: (trace.scale_factor != FULL_SCALE)
            .then(|| f64::from(trace.scale_factor) / f64::from(FULL_SCALE)),
        known: trace.known.is_some(),
        terms,
        marks: Sides::from_fn(|color| Marks::of(position, color)),
        network,
        classic: classic_view(position),
    }
}

fn network_view(network: &nnue::Network, position: &Position) -> NetworkView {
    let trace = nnue::trace(network, position);
    let pieces = trace.pieces.iter().filter_map(|piece| {
        let (square, value) = (piece.square.to_string(), piece.white_worth?);
        Some(PieceView { piece: piece.piece.to_char(), square, value })
    });
    NetworkView { value: trace.white_value, pieces: pieces.collect() }
}

fn classic_view(position: &Position) -> ClassicView {
    let trace = classic::trace(position);
    // A king's value would hide the others.
    let pieces = trace.pieces.iter().filter(|piece| piece.piece.piece_type() != PieceType::King);
    let pieces = pieces.map(|piece| PieceView {
        piece: piece.piece.to_char(),
        square: piece.square.to_string(),
        value: piece.total(),
    });
    ClassicView { value: trace.white_value, pieces: pieces.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::Color;

    #[test]
    fn values_agree_with_the_evaluations() {
        for fen in [
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3",
            "8/8/8/8/8/4k3/8/4K2Q w - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let explained = explain(&position, &Evaluation::Handcrafted);
            let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
            assert_eq!(explained.value * sign, Evaluation::Handcrafted.evaluate(&position));
            assert_eq!(explained.classic.value * sign, Evaluation::Classic.evaluate(&position));
            assert_eq!(explained.terms.len(), handcrafted::Term::ALL.len());
            assert!((0.0..=1.0).contains(&explained.phase));
        }
    }
}
