//! Static exchange evaluation (SEE): the material that a move wins or loses by captures on its target square.
//!
//! It separates winning captures from losing ones without a search. It considers one square only and ignores
//! pins, checks and everything that happens elsewhere. That is good enough for move ordering; pruning by it
//! sometimes discards a good move.
//!
//! ```
//! use tabiya_movegen::Position;
//! use tabiya_movegen::see::{PieceValues, see_ge};
//!
//! // Pawn, knight, bishop, rook, queen.
//! const VALUES: PieceValues = PieceValues::new([100, 300, 300, 500, 900]);
//!
//! let position: Position = "4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1".parse()?;
//! let rook_takes_knight = position.parse_san("Rxd5")?;
//! assert!(see_ge(&position, rook_takes_knight, 300 - 500, &VALUES));
//! assert!(!see_ge(&position, rook_takes_knight, 0, &VALUES));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: the swap algorithm of the Chess Programming Wiki, with a threshold instead of a value so that it can
//! stop as soon as the answer is certain.

use crate::attacks;
use crate::position::Position;
use tabiya_core::{Bitboard, Color, Move, PieceType, Square, Value};

/// Values of the pieces in an exchange, in any unit (usually centipawns).
///
/// They need not be those of an evaluation. Rounded values work better, because exchanges such as bishop for
/// knight then count as even.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceValues([Value; PieceType::COUNT]);

impl PieceValues {
    /// The king's value: more than all other pieces together.
    const KING: Value = 20_000;

    /// Creates piece values from those of pawn, knight, bishop, rook and queen, each from 0 to 2,000. The king
    /// counts 20,000.
    #[inline]
    pub const fn new([pawn, knight, bishop, rook, queen]: [Value; PieceType::COUNT - 1]) -> PieceValues {
        PieceValues([pawn, knight, bishop, rook, queen, PieceValues::KING])
    }

    /// Returns the value of a piece type.
    #[inline]
    pub const fn value(&self, piece_type: PieceType) -> Value {
        self.0[piece_type.index()]
    }

    /// Returns the value of the piece that a legal move captures; 0 if it captures none.
    #[inline]
    pub fn captured(&self, position: &Position, mv: Move) -> Value {
        if mv.is_en_passant() {
            self.value(PieceType::Pawn)
        } else if mv.is_capture() {
            position.piece_on(mv.to()).map_or(0, |victim| self.value(victim.piece_type()))
        } else {
            0
        }
    }

    /// Returns the material that a move gains by promotion; 0 for other moves.
    #[inline]
    pub fn promotion_gain(&self, mv: Move) -> Value {
        mv.promotion().map_or(0, |promotion| self.value(promotion) - self.value(PieceType::Pawn))
    }
}

/// Returns true if the static exchange evaluation of a legal move is at least `threshold`.
///
/// Both sides capture on the target square of the move, each time with their least valuable attacker, and stop
/// when continuing would lose material. Castling counts 0. The threshold is at most
/// [`INFINITE`](tabiya_core::INFINITE) in magnitude.
pub fn see_ge(position: &Position, mv: Move, threshold: Value, values: &PieceValues) -> bool {
    if mv.is_castle() {
        return threshold <= 0;
    }
    let (from, to) = (mv.from(), mv.to());
    let Some(mover) = position.piece_on(from) else { return false };

    // Our goal is `threshold`, the opponent's is to keep us below it. `surplus` is by how much the side that
    // captured last exceeds its goal if the exchange stops now.
    let mut on_target = mv.promotion().unwrap_or(mover.piece_type());
    let promotion_gain = values.promotion_gain(mv);
    let mut surplus = values.captured(position, mv) + promotion_gain - threshold;
    if surplus < 0 {
        return false;
    }
    // Often the goal is reached even if the piece on the target is lost.
    if surplus >= values.value(on_target) {
        return true;
    }

    let mut occupied = position.occupied() ^ from.bitboard() | to.bitboard();
    if mv.is_en_passant() {
        occupied ^= Square::new(to.file(), from.rank()).bitboard();
    }
    let mut attackers = position.attackers_to(to, occupied) & occupied;
    let us = position.side_to_move();
    let mut side = !us;
    // `side` may recapture. The other side has reached its goal, but would miss it without the piece on the target.
    while let Some((attacker, piece_type)) = least_valuable_attacker(position, attackers, side) {
        occupied ^= attacker.bitboard();
        attackers = (attackers | x_ray_attackers(position, to, occupied, piece_type)) & occupied;
        // A king cannot capture a defended piece.
        if piece_type == PieceType::King && !attackers.is_disjoint(position.by_color(!side)) {
            break;
        }
        // This side's surplus is the other side's shortfall, less one because the other side reaches its goal
        // with a surplus of 0.
        surplus = values.value(on_target) - surplus - 1;
        on_target = piece_type;
        side = !side;
        if surplus >= values.value(on_target) {
            break;
        }
    }
    // The side that did not recapture has missed its goal.
    side != us
}

/// Returns the least valuable attacker of a side, by the order of [`PieceType::ALL`].
fn least_valuable_attacker(
    position: &Position,
    attackers: Bitboard,
    side: Color,
) -> Option<(Square, PieceType)> {
    let own = attackers & position.by_color(side);
    PieceType::ALL.into_iter().find_map(|piece_type| {
        let square = (own & position.by_type(piece_type)).first()?;
        Some((square, piece_type))
    })
}

/// Returns the sliders that attack the target along the lines that a capture by this piece type can have
/// opened, including those that attacked it before.
fn x_ray_attackers(position: &Position, to: Square, occupied: Bitboard, piece_type: PieceType) -> Bitboard {
    let queens = position.by_type(PieceType::Queen);
    let mut sliders = Bitboard::EMPTY;
    if matches!(piece_type, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
        let diagonal = position.by_type(PieceType::Bishop) | queens;
        sliders |= attacks::bishop_attacks(to, occupied) & diagonal;
    }
    if matches!(piece_type, PieceType::Rook | PieceType::Queen) {
        sliders |= attacks::rook_attacks(to, occupied) & (position.by_type(PieceType::Rook) | queens);
    }
    sliders
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: PieceValues = PieceValues::new([100, 320, 320, 500, 950]);

    const SHARP_POSITIONS: [&str; 6] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ];

    /// Reference implementation by minimax: both sides capture on one square with their least valuable
    /// attacker, or stop.
    fn exchange_value(position: &Position, mv: Move) -> Value {
        let to = mv.to();
        let mut occupied = position.occupied() ^ mv.from().bitboard() | to.bitboard();
        let mut gain = position.piece_on(to).map_or(0, |piece| VALUES.value(piece.piece_type()));
        if mv.is_en_passant() {
            occupied ^= Square::new(to.file(), mv.from().rank()).bitboard();
            gain = VALUES.value(PieceType::Pawn);
        }
        let mover = position.piece_on(mv.from()).expect("a legal move starts from a piece").piece_type();
        if let Some(promotion) = mv.promotion() {
            gain += VALUES.value(promotion) - VALUES.value(PieceType::Pawn);
        }
        gain - recapture_value(
            position,
            occupied,
            to,
            !position.side_to_move(),
            mv.promotion().unwrap_or(mover),
        )
    }

    fn recapture_value(
        position: &Position,
        occupied: Bitboard,
        to: Square,
        side: Color,
        on_target: PieceType,
    ) -> Value {
        let attackers = position.attackers_to(to, occupied) & occupied;
        for piece_type in PieceType::ALL {
            if let Some(from) = (attackers & position.pieces(side, piece_type)).first() {
                let rest = occupied ^ from.bitboard();
                let defended =
                    !(position.attackers_to(to, rest) & rest).is_disjoint(position.by_color(!side));
                if piece_type == PieceType::King && defended {
                    return 0;
                }
                return (VALUES.value(on_target) - recapture_value(position, rest, to, !side, piece_type))
                    .max(0);
            }
        }
        0
    }

    #[test]
    fn known_exchanges() {
        for (fen, mv, expected) in [
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
            ("4k3/8/4p3/3r4/4P3/8/8/4K3 w - - 0 1", "e4d5", 500 - 100),
            // X-rays: rook, rook and queen against two rooks.
            ("3rk3/3r4/8/3p4/8/3R4/3R4/3QK3 w - - 0 1", "d3d5", 100),
            ("3rk3/3r4/4p3/3p4/8/3R4/3R4/3QK3 w - - 0 1", "d3d5", 100 - 500),
            // The king recaptures unless the square is defended.
            ("8/8/4k3/3p4/8/8/8/3R3K w - - 0 1", "d1d5", 100 - 500),
            ("8/8/4k3/3p4/8/8/3R4/3R3K w - - 0 1", "d2d5", 100),
            // En passant.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", 100),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", 0),
            // Promotions.
            ("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 500 + 850),
            ("1r5k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", -100),
            // A quiet move to an attacked square.
            ("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d5", -500),
        ] {
            let position: Position = fen.parse().expect("a legal position");
            let mv = position.parse_uci(mv).expect("a legal move");
            assert_eq!(exchange_value(&position, mv), expected, "{fen}");
            assert!(see_ge(&position, mv, expected, &VALUES), "{fen}");
            assert!(!see_ge(&position, mv, expected + 1, &VALUES), "{fen}");
        }
        let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("a legal position");
        let castling = position.parse_uci("e1g1").expect("a legal move");
        assert!(see_ge(&position, castling, 0, &VALUES) && !see_ge(&position, castling, 1, &VALUES));
    }

    #[test]
    fn piece_values_decide() {
        let position: Position = "4k3/8/4p3/3b4/8/4N3/8/4K3 w - - 0 1".parse().expect("a legal position");
        let mv = position.parse_san("Nxd5").expect("a legal move");
        let bishop_is_worth_more = PieceValues::new([100, 300, 350, 500, 900]);
        assert!(see_ge(&position, mv, 50, &bishop_is_worth_more));
        assert!(!see_ge(&position, mv, 1, &VALUES));
    }

    #[test]
    fn agrees_with_minimax_in_sharp_positions() {
        for fen in SHARP_POSITIONS {
            let root: Position = fen.parse().expect("a legal position");
            let children = root.legal_moves().into_iter().map(|mv| root.play(mv).expect("a legal move"));
            for position in children.chain([root.clone()]) {
                for mv in position.legal_moves().into_iter().filter(|mv| !mv.is_castle()) {
                    let value = exchange_value(&position, mv);
                    for threshold in [value - 400, value - 1, value, value + 1, value + 300, -100, 0, 100] {
                        assert_eq!(
                            see_ge(&position, mv, threshold, &VALUES),
                            value >= threshold,
                            "{mv:?} has the value {value} in {position}; the threshold is {threshold}"
                        );
                    }
                }
            }
        }
    }
}
