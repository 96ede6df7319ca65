//! What a value means in points.

use tabiya_core::{Board, PieceType};
use tabiya_eval::{MATE_IN_MAX_PLY, Value};

/// The chances of the side to move, in thousandths that add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl {
    /// To win.
    pub win: u16,
    /// To draw.
    pub draw: u16,
    /// To lose.
    pub loss: u16,
}

/// The value, in centipawns, at which a side wins half of its games, and how fast that changes, by the
/// material on the board: lines through two points, at 10 and at 78 units of it.
const HALF_WON: [f64; 2] = [190.0, 210.0];
const SPREAD: [f64; 2] = [75.0, 105.0];

impl Wdl {
    /// The chances that games from positions of such a value and such material have shown.
    pub fn of(value: Value, board: &Board) -> Wdl {
        if value.abs() >= MATE_IN_MAX_PLY {
            let win = if value > 0 { 1000 } else { 0 };
            return Wdl { win, draw: 0, loss: 1000 - win };
        }
        let units = material_units(board).clamp(10, 78);
        let at = |[few, many]: [f64; 2]| few + (many - few) * f64::from(units - 10) / 68.0;
        let chance = |value: f64| 1000.0 / (1.0 + ((at(HALF_WON) - value) / at(SPREAD)).exp());
        let (win, loss) = (chance(f64::from(value)).round() as u16, chance(f64::from(-value)).round() as u16);
        Wdl { win, draw: 1000 - win - loss, loss }
    }
}

/// Both sides' material, a pawn being one.
fn material_units(board: &Board) -> u32 {
    [
        (PieceType::Pawn, 1),
        (PieceType::Knight, 3),
        (PieceType::Bishop, 3),
        (PieceType::Rook, 5),
        (PieceType::Queen, 9),
    ]
    .into_iter()
    .map(|(piece_type, units)| board.by_type(piece_type).count() * units)
    .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_eval::mate_in;

    #[test]
    fn chances_add_up_and_grow_with_the_value() {
        for fen in
            ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"]
        {
            let board: Board = fen.parse().expect("a legal position");
            let mut last = 0;
            for value in (-3000..3000).step_by(7) {
                let wdl = Wdl::of(value, &board);
                assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
                assert!(wdl.win >= last);
                last = wdl.win;
                let other = Wdl::of(-value, &board);
                assert_eq!((wdl.win, wdl.loss), (other.loss, other.win));
            }
            assert!(last > 990);
            assert_eq!(Wdl::of(mate_in(5), &board), Wdl { win: 1000, draw: 0, loss: 0 });
            assert_eq!(Wdl::of(-mate_in(5), &board), Wdl { win: 0, draw: 0, loss: 1000 });
        }
        assert_eq!(material_units(&Board::startpos()), 78);
    }
}
