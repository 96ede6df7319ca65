//! A piece is made to leave a square, to go to one, or is cut off: deflection, overloading, attraction, interference; and moves that use
//! the order of an exchange: intermezzo, X-ray attack.

use crate::exchange::{defenders, is_undefended, value, value_on};
use crate::line::{Turn, captured};
use crate::motif::{Finding, Motif};
use alloc::vec::Vec;
use tabiya_core::{Bitboard, PieceType};
use tabiya_movegen::attacks;

/// Returns the motifs that a move shows together with the opponent's answer and the next move.
pub(crate) fn find(turn: Turn<'_>) -> Vec<Finding> {
    [deflection(turn), overloading(turn), attraction(turn), interference(turn), intermezzo(turn), x_ray(turn)]
        .into_iter()
        .flatten()
        .collect()
}

/// The answer is forced by a check or takes the piece offered, and leaves the guard of a square on which the next move captures
/// or promotes. A capture of at least equal value is an exchange, and the piece behind in a skewer was not guarded but shielded.
fn deflection(turn: Turn<'_>) -> Option<Finding> {
    let (next, reply) = (turn.next()?, turn.reply()?);
    let target = next.to();
    let guard = turn.after().piece_on(reply.from())?;
    let is_forced = turn.after().in_check() || reply.destination() == turn.to();
    // The pawn about to promote does not block the guard behind it.
    let occupied = turn.after().occupied() - next.mv().from().bitboard();
    let guarded = attacks::piece_attacks(guard, reply.from(), occupied).contains(target);
    let guards = next.before().attacks_from(reply.destination()).contains(target);
    let gained = turn.captured().map_or(0, |(piece, _)| value(piece.piece_type()));
    let is_deflection = is_forced
        && guarded
        && !guards
        && reply.destination() != target
        && guard.piece_type() != PieceType::Pawn
        && gained < value_on(turn.after(), turn.to())
        && (next.mv().is_capture() || next.mv().promotion().is_some())
        && !attacks::between(turn.to(), target).contains(reply.from());
    is_deflection.then(|| turn.finding(Motif::Deflection, reply.from().bitboard() | target.bitboard()))
}

/// The move captures one of two pieces that the same enemy alone defends. It recaptures, and the next move captures the other.
fn overloading(turn: Turn<'_>) -> Option<Finding> {
    let (next, reply) = (turn.next()?, turn.reply()?);
    let (_, first) = turn.captured()?;
    let (victim, second) = next.captured()?;
    let defender = reply.from().bitboard();
    let is_only_defender = |square| defenders(turn.before(), square, victim.color()) == defender;
    let is_overloading = first == turn.to()
        && reply.destination() == first
        && first != second
        && turn.before().piece_on(second) == Some(victim)
        && is_only_defender(first)
        && is_only_defender(second)
        && is_undefended(next.before(), second);
    is_overloading.then(|| turn.finding(Motif::Overloading, defender | second.bitboard()))
}

/// The answer takes the piece offered, and the next move attacks the taker: a king, or a piece that is captured later.
fn attraction(turn: Turn<'_>) -> Option<Finding> {
    let (next, reply) = (turn.next()?, turn.reply()?);
    let square = turn.to();
    let attracted = turn.after().piece_on(reply.from())?.piece_type();
    if reply.destination() != square || !reply.is_capture() || attracted == PieceType::Pawn {
        return None;
    }
    let is_attacked = next.after().attacks_from(next.to()).contains(square);
    let is_lost = || next.following().any(|later| later.captured().is_some_and(|(_, lost)| lost == square));
    (is_attacked && (attracted == PieceType::King || is_lost()))
        .then(|| turn.finding(Motif::Attraction, square.bitboard()))
}

/// The move, or the answer that it forces, stands between a piece and its defender, and the next move captures the piece.
fn interference(turn: Turn<'_>) -> Option<Finding> {
    let (next, reply) = (turn.next()?, turn.reply()?);
    let (victim, square) = next.captured()?;
    if victim.piece_type() == PieceType::Pawn
        || reply.destination() == square
        || !is_undefended(next.before(), square)
    {
        return None;
    }
    let is_cut_off = |position, at| {
        defenders(position, square, victim.color())
            .into_iter()
            .any(|defender| attacks::between(defender, square).contains(at))
    };
    (is_cut_off(turn.before(), turn.to())
        || turn.after().in_check() && is_cut_off(turn.after(), reply.destination()))
    .then(|| turn.finding(Motif::Interference, square.bitboard()))
}

/// The opponent has captured, the move does not recapture yet, and the next one does.
fn intermezzo(turn: Turn<'_>) -> Option<Finding> {
    let (next, reply) = (turn.next()?, turn.reply()?);
    let (capture, position) = turn.preceding()?;
    captured(position, capture)?;
    let square = capture.destination();
    let could_recapture =
        || turn.before().legal().any(|mv| mv.destination() == square && mv.from() == next.mv().from());
    let is_intermezzo = turn.to() != square
        && next.to() == square
        && reply.destination() != square
        && reply.from() != square
        && could_recapture();
    is_intermezzo.then(|| turn.finding(Motif::Intermezzo, square.bitboard()))
}

/// The next move recaptures along the line on which the enemy's recapturing piece stood.
fn x_ray(turn: Turn<'_>) -> Option<Finding> {
    let (next, reply) = (turn.next()?, turn.reply()?);
    let square = turn.to();
    let is_x_ray = reply.destination() == square
        && next.to() == square
        && attacks::between(next.mv().from(), square).contains(reply.from());
    is_x_ray.then(|| Finding {
        actor: next.mv().from(),
        ..turn.finding(Motif::XRayAttack, Bitboard::from(square))
    })
}

#[cfg(test)]
mod tests {
    use crate::motif::Motif::*;
    use crate::testing::{assert_found, themes};

    #[test]
    fn deflections_take_the_guard_away() {
        // Rb3+ deflects the rook from a1, on which the pawn promotes.
        let line = ("8/8/3pk3/8/5P2/R5K1/pr6/8 b - - 0 72", "Rb3+ Rxb3 a1=Q");
        assert_found(line, Deflection, "b3", "a1 a3");
        // An exchange of rooks is none, nor is a skewer.
        assert!(!themes("1k1r4/2q5/8/3B4/8/8/5PPP/3R2K1 w - - 0 1", "Bf3 Rxd1+ Bxd1").contains(&Deflection));
        assert!(!themes("3q4/8/3k4/8/8/8/8/R3K3 w - - 0 1", "Rd1+ Ke5 Rxd8").contains(&Deflection));
    }

    #[test]
    fn overloaded_pieces_have_two_duties() {
        let moves = "Rxe4 Nxe4 Qxd5";
        let line = ("7k/6pp/5n2/3n4/4r3/8/5PPP/3QR1K1 w - - 0 1", moves);
        assert_found(line, Overloading, "e4", "d5 f6");
        // The pawn defends the knight, too, or another rook the first.
        assert!(!themes("7k/6pp/2p2n2/3n4/4r3/8/5PPP/3QR1K1 w - - 0 1", moves).contains(&Overloading));
        assert!(!themes("4r2k/6pp/5n2/3n4/4r3/8/5PPP/3QR1K1 w - - 0 1", moves).contains(&Overloading));
    }

    #[test]
    fn attractions_draw_the_king_into_a_check() {
        let line = ("r5k1/pppb1ppp/8/8/2B1n3/8/PPP2PPP/3Q2K1 w - - 0 1", "Bxf7+ Kxf7 Qxd7+");
        assert_found(line, Attraction, "f7", "f7");
    }

    #[test]
    fn interferences_cut_off_a_defender() {
        // The bishop on d4 cuts the rook d5 off from d3, on which the king captures.
        let fen = "8/6Bp/pkp3pP/3r1p2/PP6/2Kb4/5R2/8 b - - 2 47";
        assert_found((fen, "... a5 Bd4+ Kc7 Kxd3"), Interference, "d4", "d3");
        let line = ("r5k1/5ppp/8/8/3N4/8/q4PPP/R3R1K1 w - - 0 1", "Re8+ Rxe8 Rxa2");
        assert!(!themes(line.0, line.1).contains(&Interference));
    }

    #[test]
    fn intermezzos_come_before_the_recapture() {
        let fen = "r2qkb1r/ppp2ppp/2n1pn2/8/2pP4/2N2BPP/PP2PP2/R1BQ1RK1 b kq - 0 9";
        assert_found((fen, "... Qxd4 Bxc6+ bxc6 Qxd4"), Intermezzo, "c6", "d4");
        assert!(!themes(fen, "... Qxd4 Qxd4 Nxd4").contains(&Intermezzo));
    }

    #[test]
    fn x_rays_recapture_through_the_enemy() {
        let line = ("3r2k1/5ppp/8/8/8/8/3R1PPP/3R2K1 b - - 0 1", "Rxd2 Rxd2");
        assert!(themes(line.0, line.1).is_empty());
        let line = ("7k/6p1/P7/2Q5/4q3/8/5PPP/1rR3K1 b - - 0 32", "Qe1+ Rxe1 Rxe1#");
        assert_found(line, XRayAttack, "b1", "e1");
    }
}
