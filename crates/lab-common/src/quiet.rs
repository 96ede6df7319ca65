//! Quiet positions: not in check, and no capture or promotion wins material.
//!
//! In other positions the search value is not the static evaluation but that of a position some captures later, so
//! training data is limited to quiet ones.

use tabiya_core::{Move, MoveList};
use tabiya_movegen::Position;
use tabiya_movegen::see::{PieceValues, see_ge};

/// Pawn, knight, bishop, rook, queen: rounded, so that an even exchange wins nothing.
const VALUES: PieceValues = PieceValues::new([100, 300, 300, 500, 900]);

/// Static exchange value from which a capture wins material, in centipawns.
const WINNING: i32 = 50;

/// The rule for positions of games, where the search's move is known. A search on captures as a third rule took 30 times as long
/// and selected worse positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum QuietRule {
    /// Not in check, the move played is no capture or promotion, and no such move wins material by static exchange
    #[default]
    See,
    /// Not in check, and the move played is no capture or promotion
    Move,
}

impl QuietRule {
    /// Returns true if a position with a quiet move as best move is quiet.
    pub fn accepts(self, position: &Position) -> bool {
        match self {
            QuietRule::See => is_quiet(position),
            QuietRule::Move => !position.in_check(),
        }
    }
}

/// Returns true if the side to move is not in check and has no winning capture or promotion.
pub fn is_quiet(position: &Position) -> bool {
    !position.in_check() && !captures(position).iter().any(|&mv| wins_material(position, mv))
}

/// Returns the winning capture or promotion with the highest gain before the opponent recaptures.
pub fn best_winning_capture(position: &Position) -> Option<Move> {
    let gain = |mv| VALUES.captured(position, mv) + VALUES.promotion_gain(mv);
    captures(position).iter().copied().filter(|&mv| wins_material(position, mv)).max_by_key(|&mv| gain(mv))
}

/// Returns the captures and promotions.
fn captures(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    position.generate_tactical(&mut moves);
    moves
}

/// Returns true if a move wins material by static exchange.
fn wins_material(position: &Position, mv: Move) -> bool {
    see_ge(position, mv, WINNING, &VALUES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hanging_pieces_and_promotions_are_not_quiet() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
            // The queen attacks a defended pawn, then an undefended one.
            ("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1", true),
            ("4k3/8/3p4/8/8/8/3Q4/4K3 w - - 0 1", false),
            // A pawn can promote.
            ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", false),
            // In check.
            ("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", false),
            // The bishop attacks a defended knight.
            ("4k3/3pn3/2n5/1B6/8/8/8/4K3 w - - 0 1", true),
        ] {
            assert_eq!(is_quiet(&Position::from_fen(fen).unwrap()), expected, "{fen}");
        }
    }

    #[test]
    fn most_valuable_capture_is_the_best() {
        // The queen can take an undefended pawn, knight or rook.
        let position = Position::from_fen("4k3/8/8/1n1p4/8/3Q3r/8/4K3 w - - 0 1").unwrap();
        assert_eq!(best_winning_capture(&position).unwrap().to_string(), "d3h3");
        assert_eq!(best_winning_capture(&Position::startpos()), None);
    }

    #[test]
    fn rules_differ_by_hanging_pieces() {
        let hanging = Position::from_fen("4k3/8/3p4/8/8/8/3Q4/4K3 w - - 0 1").unwrap();
        assert!(QuietRule::Move.accepts(&hanging) && !QuietRule::See.accepts(&hanging));
        let check = Position::from_fen("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1").unwrap();
        assert!(!QuietRule::Move.accepts(&check) && !QuietRule::See.accepts(&check));
    }
}
