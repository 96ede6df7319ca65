//! Knights, bishops, rooks, queens and kings: where they stand, how far they reach, what is good or bad about
//! it. On the way the attack map is filled.

use crate::Score;
use crate::attack_map::AttackMap;
use crate::distance::distance;
use crate::numbers::is_one;
use crate::side::{Side, files_beside};
use crate::squares::{Facing, on_square};
use crate::terms::pawns::Pawns;
use crate::tracer::{Tracer, count};
use tabiya_core::{Bitboard, Board, CastlingSide, File, PieceType, Rank, Square};
use tabiya_movegen::attacks;

/// The four squares in the middle.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// The files c to f.
const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

/// What all pieces of one side are looked at with.
struct Look<'a> {
    board: &'a Board,
    king: Square,
    facing: Facing,
    /// Outposts of this side: no enemy pawn can ever attack them, own pawns defend them.
    outposts: Bitboard,
}

/// All pieces of `S`; fills in what they attack.
#[inline(always)]
pub(crate) fn pieces<S: Side, T: Tracer>(
    board: &Board,
    pawns: &Pawns,
    map: &mut AttackMap,
    tracer: &mut T,
) -> Score {
    let own_pawns = map.of(S::US).by[PieceType::Pawn.index()];
    let far = S::rank(3) | S::rank(4) | S::rank(5);
    let outposts = far & (own_pawns - pawns.attack_span[S::THEM.index()]);
    let king = board.king(S::US);
    let look = Look { board, king, facing: Facing::king(king), outposts };
    let mut score = Score::ZERO;
    on_square::<S, T>(PieceType::King, look.king, Facing::EITHER, &mut score, tracer);
    knights::<S, T>(&look, map, &mut score, tracer);
    bishops::<S, T>(&look, map, &mut score, tracer);
    rooks::<S, T>(&look, map, &mut score, tracer);
    queens::<S, T>(&look, pawns, map, &mut score, tracer);
    score
}

/// Enters a piece's attacks and says to how many squares it can go. A pinned piece stays on its line.
#[inline(always)]
fn reach<S: Side>(
    look: &Look<'_>,
    map: &mut AttackMap,
    piece_type: PieceType,
    from: Square,
    attacked: Bitboard,
) -> (Bitboard, usize) {
    let ours = &map.sides[S::US.index()];
    let mut attacked = attacked;
    if ours.blockers.contains(from) {
        attacked &= attacks::line(look.king, from);
    }
    let mobility = (attacked & ours.area).count() as usize;
    map.add::<S>(piece_type, attacked);
    let theirs = &map.sides[S::THEM.index()];
    if !attacked.is_disjoint(theirs.ring) {
        let near_king = attacked & theirs.by[PieceType::King.index()];
        let ours = &mut map.sides[S::US.index()];
        ours.ring_attackers[piece_type.index() - 1] += 1;
        ours.king_attacks += near_king.count();
    }
    (attacked, mobility)
}

#[inline(always)]
fn knights<S: Side, T: Tracer>(look: &Look<'_>, map: &mut AttackMap, total: &mut Score, tracer: &mut T) {
    let mut score = Score::ZERO;
    for square in look.board.pieces(S::US, PieceType::Knight) {
        on_square::<S, T>(PieceType::Knight, square, look.facing, &mut score, tracer);
        let attacked = attacks::knight_attacks(square);
        let (attacked, mobility) = reach::<S>(look, map, PieceType::Knight, square, attacked);
        count!(tracer, S, score, knight_mobility[mobility]);
        if look.outposts.contains(square) {
            count!(tracer, S, score, outpost[0]);
        } else if !(attacked & look.outposts).is_subset_of(look.board.by_color(S::US)) {
            count!(tracer, S, score, reachable_outpost);
        }
        minor::<S, T>(look, 0, square, &mut score, tracer);
    }
    *total += score;
}

#[inline(always)]
fn bishops<S: Side, T: Tracer>(look: &Look<'_>, map: &mut AttackMap, total: &mut Score, tracer: &mut T) {
    let board = look.board;
    let mut score = Score::ZERO;
    let through = board.occupied() ^ board.pieces(S::US, PieceType::Queen);
    let own_pawns = board.pieces(S::US, PieceType::Pawn);
    for square in board.pieces(S::US, PieceType::Bishop) {
        on_square::<S, T>(PieceType::Bishop, square, look.facing, &mut score, tracer);
        let attacked = attacks::bishop_attacks(square, through);
        let (_, mobility) = reach::<S>(look, map, PieceType::Bishop, square, attacked);
        count!(tracer, S, score, bishop_mobility[mobility]);
        if look.outposts.contains(square) {
            count!(tracer, S, score, outpost[1]);
        }
        minor::<S, T>(look, 1, square, &mut score, tracer);
        let its_colour = if Bitboard::DARK.contains(square) { Bitboard::DARK } else { Bitboard::LIGHT };
        let in_the_way = own_pawns & its_colour;
        count!(tracer, S, score, bishop_pawns * in_the_way.count());
        let stuck = in_the_way & CENTRE_FILES & board.occupied().forward(S::THEM);
        count!(tracer, S, score, bishop_blocked_centre * stuck.count());
        let targets = board.pieces(S::THEM, PieceType::Pawn) & attacks::bishop_rays(square);
        count!(tracer, S, score, bishop_xray_pawns * targets.count());
        let reach = attacks::bishop_attacks(square, board.by_type(PieceType::Pawn)) | square.bitboard();
        if (reach & CENTRE).more_than_one() {
            count!(tracer, S, score, bishop_long_diagonal);
        }
        if is_trapped_bishop::<S>(board, square) {
            count!(tracer, S, score, bishop_trapped);
        }
    }
    *total += score;
}

/// On the enemy's a7 or h7, or in the corner behind, with an enemy pawn on b6 or g6 (or, in the corner, b7 or
/// g7) that closes the way back.
#[inline(always)]
fn is_trapped_bishop<S: Side>(board: &Board, square: Square) -> bool {
    let rank = S::rank_of(square);
    if rank < 6 || !matches!(square.file(), File::A | File::H) {
        return false;
    }
    let back = attacks::pawn_attacks(S::THEM, square);
    back.is_subset_of(board.pieces(S::THEM, PieceType::Pawn))
}

/// What holds for knights (0) and bishops (1) alike.
#[inline(always)]
fn minor<S: Side, T: Tracer>(
    look: &Look<'_>,
    kind: usize,
    square: Square,
    total: &mut Score,
    tracer: &mut T,
) {
    let mut score = *total;
    if !square.bitboard().forward(S::US).is_disjoint(look.board.by_type(PieceType::Pawn)) {
        count!(tracer, S, score, behind_pawn[kind]);
    }
    count!(tracer, S, score, minor_king_distance[kind] * distance(square, look.king));
    *total = score;
}

#[inline(always)]
fn rooks<S: Side, T: Tracer>(look: &Look<'_>, map: &mut AttackMap, total: &mut Score, tracer: &mut T) {
    let board = look.board;
    let mut score = Score::ZERO;
    let through =
        board.occupied() ^ board.pieces(S::US, PieceType::Queen) ^ board.pieces(S::US, PieceType::Rook);
    let (own, enemy) = (board.pieces(S::US, PieceType::Pawn), board.pieces(S::THEM, PieceType::Pawn));
    let their_king = board.king(S::THEM);
    for square in board.pieces(S::US, PieceType::Rook) {
        on_square::<S, T>(PieceType::Rook, square, look.facing, &mut score, tracer);
        let attacked = attacks::rook_attacks(square, through);
        let (_, mobility) = reach::<S>(look, map, PieceType::Rook, square, attacked);
        count!(tracer, S, score, rook_mobility[mobility]);
        let file = square.file().bitboard();
        if own.is_disjoint(file) {
            count!(tracer, S, score, rook_open_file[usize::from(enemy.is_disjoint(file))]);
            if (file | files_beside(square.file())).contains(their_king) {
                count!(tracer, S, score, rook_king_file);
            }
        } else {
            if !(own & file & board.occupied().forward(S::THEM)).is_empty() {
                count!(tracer, S, score, rook_closed_file);
            }
            if mobility <= 3 && is_shut_in::<S>(look.king, square) {
                let may_castle = CastlingSide::ALL
                    .into_iter()
                    .any(|side| board.castling().rook_file(S::US, side).is_some());
                count!(tracer, S, score, rook_trapped[usize::from(may_castle)]);
            }
        }
        if S::rank_of(square) == 6 && (S::rank_of(their_king) == 7 || !enemy.is_disjoint(S::rank(6))) {
            count!(tracer, S, score, rook_seventh);
        }
    }
    *total += score;
}

/// Is the rook on the king's side of the board, between him and the edge?
#[inline(always)]
fn is_shut_in<S: Side>(king: Square, rook: Square) -> bool {
    let (king_file, rook_file) = (king.file(), rook.file());
    S::rank_of(king) == 0 && if king_file < File::E { rook_file < king_file } else { rook_file > king_file }
}

#[inline(always)]
fn queens<S: Side, T: Tracer>(
    look: &Look<'_>,
    pawns: &Pawns,
    map: &mut AttackMap,
    total: &mut Score,
    tracer: &mut T,
) {
    let board = look.board;
    let mut score = Score::ZERO;
    for square in board.pieces(S::US, PieceType::Queen) {
        on_square::<S, T>(PieceType::Queen, square, look.facing, &mut score, tracer);
        let attacked = attacks::queen_attacks(square, board.occupied());
        let (_, mobility) = reach::<S>(look, map, PieceType::Queen, square, attacked);
        count!(tracer, S, score, queen_mobility[mobility]);
        let snipers = attacks::rook_rays(square) & board.pieces(S::THEM, PieceType::Rook)
            | attacks::bishop_rays(square) & board.pieces(S::THEM, PieceType::Bishop);
        let mut shields = Bitboard::EMPTY;
        for sniper in snipers {
            let between = attacks::between(square, sniper) & board.occupied();
            if is_one(between) {
                shields |= between;
            }
        }
        if !shields.is_disjoint(board.by_color(S::US)) {
            count!(tracer, S, score, queen_pin);
        }
        if !shields.is_disjoint(board.by_color(S::THEM)) {
            count!(tracer, S, score, queen_discovery);
        }
        if S::rank_of(square) > Rank::Fourth.index() && !pawns.attack_span[S::THEM.index()].contains(square) {
            count!(tracer, S, score, queen_infiltration);
        }
    }
    *total += score;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::side::{Black, White};

    fn board(fen: &str) -> Board {
        fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    #[test]
    fn trapped_bishops() {
        let trapped = board("4k3/B4p2/1p4p1/8/8/6P1/7b/4K3 w - - 0 1");
        assert!(is_trapped_bishop::<White>(&trapped, Square::A7));
        assert!(is_trapped_bishop::<Black>(&trapped, Square::H2));
        let free = board("4k3/B4p2/2p3p1/8/8/8/7b/B3K3 w - - 0 1");
        assert!(!is_trapped_bishop::<White>(&free, Square::A7), "b6 is empty");
        assert!(!is_trapped_bishop::<Black>(&free, Square::H2));
        assert!(!is_trapped_bishop::<White>(&free, Square::A1));
    }

    #[test]
    fn rooks_are_shut_in_on_the_short_side_of_the_king() {
        assert!(is_shut_in::<White>(Square::F1, Square::H1));
        assert!(is_shut_in::<White>(Square::C1, Square::A1));
        assert!(!is_shut_in::<White>(Square::G1, Square::F1));
        assert!(is_shut_in::<Black>(Square::G8, Square::H8));
        assert!(!is_shut_in::<White>(Square::G2, Square::H1));
    }
}
