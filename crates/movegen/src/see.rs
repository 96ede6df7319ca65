//! Static exchange evaluation: what a capture wins once everybody has taken back.

use crate::{Position, attacks};
use tabiya_core::{Bitboard, Color, Move, PieceType, Square, Value};

/// What pieces count in an exchange, in centipawns, by [`PieceType::index`]: rounded, since what matters
/// is which exchanges are even. The king is worth more than all the others together.
const VALUES: [Value; PieceType::COUNT] = [100, 320, 320, 500, 950, 20_000];

/// What a piece counts.
#[inline]
pub fn value(piece_type: PieceType) -> Value {
    VALUES[piece_type.index()]
}

/// What a move takes, in centipawns.
#[inline]
pub fn captured_value(position: &Position, mv: Move) -> Value {
    if mv.is_en_passant() {
        value(PieceType::Pawn)
    } else if mv.is_capture() {
        position.piece_on(mv.to()).map_or(0, |victim| value(victim.piece_type()))
    } else {
        0
    }
}

/// Does the move win at least `threshold`, if both sides then go on capturing on its target square, with
/// their least valuable piece first, for as long as it pays?
///
/// Why: it tells captures that win material from those that lose some without searching either. It sees
/// one square only: pins, checks, and what happens elsewhere are beyond it. Sound where it orders moves,
/// and a gamble where it prunes them. After the swap algorithm of the Chess Programming Wiki, asked for
/// a threshold instead of a value so that it can stop as soon as the question is decided.
pub fn see_ge(position: &Position, mv: Move, threshold: Value) -> bool {
    if mv.is_castle() {
        return threshold <= 0;
    }
    let (from, to) = (mv.from(), mv.to());
    let Some(mover) = position.piece_on(from) else { return false };

    // `stake` is what the side that has just captured has above its goal, if the exchange ends here.
    let mut on_target = mv.promotion().unwrap_or(mover.piece_type());
    let promoted = mv.promotion().map_or(0, |piece_type| value(piece_type) - value(PieceType::Pawn));
    let mut stake = captured_value(position, mv) + promoted - threshold;
    if stake < 0 {
        return false;
    }

    let mut occupied = position.occupied() ^ from.bitboard() | to.bitboard();
    if mv.is_en_passant() {
        occupied ^= Square::new(to.file(), from.rank()).bitboard();
    }
    let mut attackers = position.attackers_to(to, occupied) & occupied;
    let us = position.side_to_move();
    let mut side = !us;
    // Each round `side` may take back. It does so if that brings it above its own goal, which is to get
    // the other side below its.
    loop {
        // Losing the piece on the target would leave the other side above its goal all the same.
        if stake >= value(on_target) {
            break;
        }
        let Some((taker, piece_type)) = least_valuable(position, attackers, side) else { break };
        occupied ^= taker.bitboard();
        attackers = (attackers | behind(position, to, occupied, piece_type)) & occupied;
        // A king cannot take what is still defended.
        if piece_type == PieceType::King && !attackers.is_disjoint(position.by_color(!side)) {
            break;
        }
        // What the other side is short of its goal now is what this side is above its own; to be level
        // would be enough for the other side, hence one less.
        stake = value(on_target) - stake - 1;
        on_target = piece_type;
        side = !side;
    }
    // The side that could not or would not take has lost the argument.
    side != us
}

/// The least valuable of a side's attackers.
fn least_valuable(position: &Position, attackers: Bitboard, side: Color) -> Option<(Square, PieceType)> {
    let own = attackers & position.by_color(side);
    PieceType::ALL.into_iter().find_map(|piece_type| {
        let square = (own & position.by_type(piece_type)).first()?;
        Some((square, piece_type))
    })
}

/// The sliders that look at the target now that a piece of this kind has left its square before them.
fn behind(position: &Position, to: Square, occupied: Bitboard, piece_type: PieceType) -> Bitboard {
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

    const SHARP_POSITIONS: [&str; 6] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ];

    /// The value of an exchange by trying it out: nothing but captures on one square, each by the least
    /// valuable piece, whoever likes may stop.
    fn exchange(position: &Position, mv: Move) -> Value {
        let to = mv.to();
        let mut occupied = position.occupied() ^ mv.from().bitboard() | to.bitboard();
        let mut gain = position.piece_on(to).map_or(0, |piece| value(piece.piece_type()));
        if mv.is_en_passant() {
            occupied ^= Square::new(to.file(), mv.from().rank()).bitboard();
            gain = value(PieceType::Pawn);
        }
        let mover = position.piece_on(mv.from()).expect("a piece moves").piece_type();
        if let Some(promotion) = mv.promotion() {
            gain += value(promotion) - value(PieceType::Pawn);
        }
        gain - take_back(position, occupied, to, !position.side_to_move(), mv.promotion().unwrap_or(mover))
    }

    fn take_back(position: &Position, occupied: Bitboard, to: Square, side: Color, prey: PieceType) -> Value {
        let attackers = position.attackers_to(to, occupied) & occupied;
        for piece_type in PieceType::ALL {
            if let Some(from) = (attackers & position.pieces(side, piece_type)).first() {
                let rest = occupied ^ from.bitboard();
                let defended =
                    !(position.attackers_to(to, rest) & rest).is_disjoint(position.by_color(!side));
                if piece_type == PieceType::King && defended {
                    return 0;
                }
                return (value(prey) - take_back(position, rest, to, !side, piece_type)).max(0);
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
            // Through one another: rook, rook, queen against two rooks.
            ("3rk3/3r4/8/3p4/8/3R4/3R4/3QK3 w - - 0 1", "d3d5", 100),
            ("3rk3/3r4/4p3/3p4/8/3R4/3R4/3QK3 w - - 0 1", "d3d5", 100 - 500),
            // The king takes part, unless the square is defended.
            ("8/8/4k3/3p4/8/8/8/3R3K w - - 0 1", "d1d5", 100 - 500),
            ("8/8/4k3/3p4/8/8/3R4/3R3K w - - 0 1", "d2d5", 100),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", 100),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", 0),
            ("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 500 + 850),
            ("1r5k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", -100),
            ("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d5", -500),
        ] {
            let position: Position = fen.parse().expect("a legal position");
            let mv = position.parse_uci(mv).expect("a legal move");
            assert_eq!(exchange(&position, mv), expected, "{fen}");
            assert!(see_ge(&position, mv, expected), "{fen}");
            assert!(!see_ge(&position, mv, expected + 1), "{fen}");
        }
        let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("a legal position");
        let castles = position.parse_uci("e1g1").expect("legal");
        assert!(see_ge(&position, castles, 0) && !see_ge(&position, castles, 1));
    }

    #[test]
    fn every_move_near_sharp_positions() {
        for fen in SHARP_POSITIONS {
            let root: Position = fen.parse().expect("a legal position");
            let nexts = root.legal_moves().into_iter().map(|mv| root.play(mv).expect("a legal move"));
            for position in nexts.chain([root.clone()]) {
                for mv in position.legal_moves().into_iter().filter(|mv| !mv.is_castle()) {
                    let won = exchange(&position, mv);
                    for threshold in [won - 400, won - 1, won, won + 1, won + 300, -100, 0, 100] {
                        let expected = won >= threshold;
                        assert_eq!(
                            see_ge(&position, mv, threshold),
                            expected,
                            "{mv:?} wins {won} in {position}; asked for {threshold}"
                        );
                    }
                }
            }
        }
    }
}
