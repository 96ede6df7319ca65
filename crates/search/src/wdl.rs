//! Win, draw and loss probabilities (WDL).

use tabiya_core::{Board, MATE_IN_MAX_PLY, PieceType, Value};
use tabiya_eval::Evaluation;

/// The win, draw and loss probabilities of the side to move, in thousandths that add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wdl {
    /// The probability of a win.
    pub win: u16,
    /// The probability of a draw.
    pub draw: u16,
    /// The probability of a loss.
    pub loss: u16,
}

impl Wdl {
    /// A certain draw.
    pub const DRAW: Wdl = Wdl { win: 0, draw: 1000, loss: 0 };
    /// A certain loss.
    pub const LOSS: Wdl = Wdl { win: 0, draw: 0, loss: 1000 };

    /// Returns the probabilities of a model for a value and the material on the board. A mate is a certain win or
    /// loss.
    pub fn of(model: &WdlModel, value: Value, board: &Board) -> Wdl {
        if value.abs() >= MATE_IN_MAX_PLY {
            let win = if value > 0 { 1000 } else { 0 };
            return Wdl { win, draw: 0, loss: 1000 - win };
        }
        let [win, _, loss] = model.probabilities(value.into(), WdlModel::material(board));
        let [win, loss] = [win, loss].map(|probability| (probability * 1000.0).round() as u16);
        // With a negative `half_won` the two sum to more than 1000.
        let loss = loss.min(1000 - win);
        Wdl { win, draw: 1000 - win - loss, loss }
    }
}

/// A model of the result of a game, given a value in centipawns and the material on the board.
///
/// The win probability is a logistic function of the value; the loss probability is the win probability of
/// the opposite value, and the rest are draws. The centre and the scale of the function are linear in the
/// material, each given by its values at two points.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WdlModel {
    /// The value at which half of the games are won, in centipawns, at [`MIN_MATERIAL`](Self::MIN_MATERIAL)
    /// and at [`MAX_MATERIAL`](Self::MAX_MATERIAL).
    pub half_won: [f64; 2],
    /// The number of centipawns that changes the odds by a factor of *e*, at the same two points.
    pub spread: [f64; 2],
}

impl WdlModel {
    /// The minimum material of the model, in pawns; less counts as this.
    pub const MIN_MATERIAL: u32 = 10;
    /// The material of the initial position, in pawns.
    pub const MAX_MATERIAL: u32 = 78;
    /// The model of the handcrafted evaluation, fitted by `cargo xtask wdl` to 1,400 self-play games at 8,000 nodes per move.
    pub const HANDCRAFTED: WdlModel = WdlModel { half_won: [211.0, 99.0], spread: [75.0, 161.0] };
    /// The model of the embedded network, fitted to 1,300 games of tabiya-12, which has the same scale, at 8,000 nodes per move.
    pub const NNUE: WdlModel = WdlModel { half_won: [145.0, 87.0], spread: [37.0, 104.0] };

    /// Returns the model of an evaluation.
    pub const fn for_evaluation(evaluation: &Evaluation) -> WdlModel {
        match evaluation {
            Evaluation::Nnue(_) => WdlModel::NNUE,
            _ => WdlModel::HANDCRAFTED,
        }
    }

    /// Returns the probabilities of a win, a draw and a loss, which add up to 1.
    pub fn probabilities(&self, value: f64, material: u32) -> [f64; 3] {
        let material = material.clamp(Self::MIN_MATERIAL, Self::MAX_MATERIAL);
        let fraction =
            f64::from(material - Self::MIN_MATERIAL) / f64::from(Self::MAX_MATERIAL - Self::MIN_MATERIAL);
        let interpolate = |[min, max]: [f64; 2]| min + (max - min) * fraction;
        let win_probability = |value: f64| {
            1.0 / (1.0 + ((interpolate(self.half_won) - value) / interpolate(self.spread)).exp())
        };
        let (win, loss) = (win_probability(value), win_probability(-value));
        [win, 1.0 - win - loss, loss]
    }

    /// Returns the material of both sides in pawns.
    pub fn material(board: &Board) -> u32 {
        [
            (PieceType::Pawn, 1),
            (PieceType::Knight, 3),
            (PieceType::Bishop, 3),
            (PieceType::Rook, 5),
            (PieceType::Queen, 9),
        ]
        .into_iter()
        .map(|(piece_type, pawns)| board.by_type(piece_type).count() * pawns)
        .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::mate_in;

    #[test]
    fn probabilities_add_up_and_grow_with_the_value() {
        for fen in
            ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"]
        {
            let board: Board = fen.parse().expect("a legal position");
            let mut last = 0;
            let model = &WdlModel::HANDCRAFTED;
            for value in (-3000..3000).step_by(7) {
                let wdl = Wdl::of(model, value, &board);
                assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
                assert!(wdl.win >= last);
                last = wdl.win;
                let other = Wdl::of(model, -value, &board);
                assert_eq!((wdl.win, wdl.loss), (other.loss, other.win));
            }
            assert!(last > 990);
            assert_eq!(Wdl::of(model, mate_in(5), &board), Wdl { win: 1000, draw: 0, loss: 0 });
            assert_eq!(Wdl::of(model, -mate_in(5), &board), Wdl { win: 0, draw: 0, loss: 1000 });
        }
        assert_eq!(WdlModel::material(&Board::startpos()), WdlModel::MAX_MATERIAL);
    }
}
