//! Moves that a player overlooks.
//!
//! Weak players do not misjudge every position a little; they judge most of them well and now and then miss a move. Which
//! moves are missed depends on their kind: captures and checks are seen more often than quiet moves, short moves more often
//! than long ones, moves forward more often than moves backward, and all of them less often the further ahead they are.
//!
//! A bare king's captures are seen more than others: an opponent with nothing but a king has no other resource, so a person looks for
//! them before each move. With the usual rate, a player of 1350 Elo lost the rook in most games of king and rook against king.
//!
//! Source for the kinds of moves: Neiman and Afek, *Invisible Chess Moves*, 2011.

use crate::strength::Strength;
use std::sync::Arc;
use tabiya_core::{Color, Move, PieceType, SplitMix64};
use tabiya_movegen::Position;
use tabiya_movegen::attacks::king_attacks;
use tabiya_search::MoveFilter;

/// The highest probability of overlooking a move, per mille.
const MAX_RATE: u32 = 850;
/// A multiplier of the rate, as numerator of a fraction with this denominator.
const UNIT: u32 = 100;
/// The Elo from which a bare king's captures are never overlooked.
const BARE_KING_ELO: u16 = 1200;
/// The multiplier of the rate for a bare king's captures below [`BARE_KING_ELO`].
const BARE_KING_FACTOR: u32 = 1;

/// The moves that a player of limited strength overlooks: a fixed random part of them, by the kind of move and its distance
/// from the position on the board.
///
/// A move that is seen at some distance is also seen from nearer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Oversight {
    /// The rate for a short quiet move by the opponent, in reply to the next move, per mille.
    rate: u32,
    /// The multiplier of the rate for a bare king's captures.
    bare_king_factor: u32,
    seed: u64,
}

impl Oversight {
    pub(super) fn new(strength: Strength, seed: u64) -> Oversight {
        let bare_king_factor = if strength.elo() < BARE_KING_ELO { BARE_KING_FACTOR } else { 0 };
        Oversight { rate: strength.overlooked(), bare_king_factor, seed }
    }

    /// Returns the filter for a search. Different seeds overlook different moves.
    pub(crate) fn filter(strength: Strength, seed: u64) -> Arc<dyn MoveFilter> {
        Arc::new(Oversight::new(strength, seed))
    }

    /// Returns the probability that a move at `ply` plies from the position on the board is overlooked, per mille.
    fn rate(&self, position: &Position, mv: Move, ply: usize) -> u32 {
        let rate = self.rate * motif_factor(position, mv) / UNIT * ply_factor(ply) / UNIT;
        let rate = rate.min(MAX_RATE);
        let by_bare_king = mv.is_capture() && is_bare_king(position, position.side_to_move());
        if by_bare_king { rate * self.bare_king_factor / UNIT } else { rate }
    }
}

/// Returns true if a bare king attacks a piece of the side to move, which then sees every way to save it.
pub(crate) fn is_attacked_by_bare_king(position: &Position) -> bool {
    let (own, opponent) = (position.side_to_move(), !position.side_to_move());
    let king = position.king(opponent);
    is_bare_king(position, opponent) && !king_attacks(king).is_disjoint(position.by_color(own))
}

impl MoveFilter for Oversight {
    fn sees(&self, position: &Position, mv: Move, ply: usize) -> bool {
        if self.rate == 0 {
            return true;
        }
        let random = SplitMix64::hash(self.seed ^ position.key() ^ SplitMix64::hash(u64::from(mv.to_bits())));
        random % 1000 >= u64::from(self.rate(position, mv, ply))
    }
}

/// The multiplier for the distance: own candidate moves are examined first, then the replies to them.
fn ply_factor(ply: usize) -> u32 {
    match ply {
        0 => 60,
        1 => 100,
        _ => 100 + 25 * (ply.min(9) as u32 - 1),
    }
}

/// The multiplier for the kind of move.
fn motif_factor(position: &Position, mv: Move) -> u32 {
    if mv.is_castle() || mv.promotion().is_some() {
        return 30;
    }
    let kind = position.piece_on(mv.from()).map_or(PieceType::Pawn, |piece| piece.piece_type());
    let mut factor = match (mv.is_capture(), position.gives_check(mv)) {
        (true, true) => 30,
        (true, false) => 45,
        (false, true) => 60,
        (false, false) => 100,
    };
    factor = factor * if kind == PieceType::Knight { 120 } else { 100 } / UNIT;
    if is_long(mv) {
        factor = factor * 140 / UNIT;
    }
    if is_backward(position.side_to_move(), mv) {
        factor = factor * 140 / UNIT;
    }
    factor
}

/// Returns true if the side has only its king.
fn is_bare_king(position: &Position, side: Color) -> bool {
    !position.by_color(side).more_than_one()
}

/// Returns true for moves of four squares or more.
fn is_long(mv: Move) -> bool {
    mv.from().distance(mv.to()) >= 4
}

/// Returns true for moves towards the mover's own first rank.
fn is_backward(side: Color, mv: Move) -> bool {
    mv.to().rank().relative_to(side) < mv.from().rank().relative_to(side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::MAX_ELO;

    fn seen(elo: u16, fen: &str, mv: &str, ply: usize) -> usize {
        let position: Position = fen.parse().expect("a position");
        let mv = position
            .legal_moves()
            .into_iter()
            .find(|m| m.to_uci(false).to_string() == mv)
            .expect("a legal move");
        let sees = |seed: &u64| Oversight::new(Strength::from_elo(elo), *seed).sees(&position, mv, ply);
        (0..1000).filter(sees).count()
    }

    #[test]
    fn distance_level_and_motif_decide_what_is_seen() {
        let fen = "7k/8/8/3p4/8/4N3/4R3/3RK3 w - - 0 1";
        // A move seen from afar is seen from nearer.
        for (far, near) in [(1, 0), (2, 1), (5, 2), (9, 5)] {
            assert!(seen(1000, fen, "e3g4", far) <= seen(1000, fen, "e3g4", near), "{far} {near}");
        }
        assert!(seen(800, fen, "e3g4", 1) < seen(1600, fen, "e3g4", 1));
        assert!(seen(MAX_ELO, fen, "e3g4", 9) > 900, "hardly anything is overlooked at the highest level");
        // A capture and a quiet move, a short way and a long one, forward and back.
        for (easy, hard) in [("d1d5", "d1d3"), ("e2b2", "e2a2"), ("e3g4", "e3g2")] {
            assert!(seen(1000, fen, easy, 1) > seen(1000, fen, hard, 1), "{easy} {hard}");
        }
    }

    #[test]
    fn captures_by_a_bare_king_are_seen() {
        let fen = "6k1/7R/3K4/8/8/8/8/8 b - - 39 20";
        assert!(seen(800, fen, "g8h7", 1) > 950, "{}", seen(800, fen, "g8h7", 1));
        for elo in [1200, 1350, 1800] {
            assert_eq!(seen(elo, fen, "g8h7", 1), 1000, "{elo}");
        }
        // A king with company is not bare, and other moves of a bare king are overlooked as before.
        let with_pawn = "6k1/7R/3K4/8/8/8/p7/8 b - - 0 1";
        assert!(seen(1200, with_pawn, "g8h7", 1) < 950 && seen(1200, fen, "g8f8", 1) < 900);
    }
}
