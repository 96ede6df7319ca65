//! Knights, bishops, rooks, queens and kings: piece-square values, mobility and individual features.
//! Evaluating them also fills in the attack map.

use super::super::attack_map::{AttackMap, lone_blockers};
use super::super::distance::distance;
use super::super::psqt::{Mirror, add_piece};
use super::super::score::Score;
use super::super::side::{CENTRE_FILES, Side, adjacent_files};
use super::super::tracer::{Tracer, count};
use super::pawns::Pawns;
use tabiya_core::{Bitboard, Board, CastlingSide, File, PieceType, Rank, Square};
use tabiya_movegen::attacks;

/// The squares d4, e4, d5 and e5.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// The inputs that the evaluation of all pieces of one side shares.
struct Context<'a> {
    board: &'a Board,
    king: Square,
    mirror: Mirror,
    /// Outposts of this side: defended by an own pawn, and no enemy pawn can ever attack them.
    outposts: Bitboard,
}

/// Evaluates all pieces of `S` and adds their attacks to the map.
#[inline(always)]
pub(crate) fn pieces<S: Side, T: Tracer>(
    board: &Board,
    pawns: &Pawns,
    map: &mut AttackMap,
    tracer: &mut T,
) -> Score {
    let own_pawns = map.of(S::US).by[PieceType::Pawn.index()];
    let outpost_ranks = S::rank(3) | S::rank(4) | S::rank(5);
    let outposts = outpost_ranks & (own_pawns - pawns.attack_span[S::THEM.index()]);
    let king = board.king(S::US);
    let context = Context { board, king, mirror: Mirror::for_king(king), outposts };
    let mut score = Score::ZERO;
    add_piece::<S, T>(PieceType::King, context.king, Mirror::NONE, &mut score, tracer);
    knights::<S, T>(&context, map, &mut score, tracer);
    bishops::<S, T>(&context, map, &mut score, tracer);
    rooks::<S, T>(&context, map, &mut score, tracer);
    queens::<S, T>(&context, pawns, map, &mut score, tracer);
    score
}

/// Adds a piece's attacks to the map. Returns them, limited to the pin line for a pinned piece, and the
/// piece's mobility.
#[inline(always)]
fn reach<S: Side>(
    context: &Context<'_>,
    map: &mut AttackMap,
    piece_type: PieceType,
    from: Square,
    attacked: Bitboard,
) -> (Bitboard, usize) {
    let ours = &map.sides[S::US.index()];
    let mut attacked = attacked;
    if ours.blockers.contains(from) {
        attacked &= attacks::line(context.king, from);
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
fn knights<S: Side, T: Tracer>(
    context: &Context<'_>,
    map: &mut AttackMap,
    total: &mut Score,
    tracer: &mut T,
) {
    let mut score = Score::ZERO;
    for square in context.board.pieces(S::US, PieceType::Knight) {
        add_piece::<S, T>(PieceType::Knight, square, context.mirror, &mut score, tracer);
        let attacked = attacks::knight_attacks(square);
        let (attacked, mobility) = reach::<S>(context, map, PieceType::Knight, square, attacked);
        count!(tracer, S, score, knight_mobility[mobility]);
        if context.outposts.contains(square) {
            count!(tracer, S, score, outpost[0]);
        } else if !(attacked & context.outposts).is_subset_of(context.board.by_color(S::US)) {
            count!(tracer, S, score, reachable_outpost);
        }
        minor::<S, T>(context, 0, square, &mut score, tracer);
    }
    *total += score;
}

#[inline(always)]
fn bishops<S: Side, T: Tracer>(
    context: &Context<'_>,
    map: &mut AttackMap,
    total: &mut Score,
    tracer: &mut T,
) {
    let board = context.board;
    let mut score = Score::ZERO;
    let occupied = board.occupied() ^ board.pieces(S::US, PieceType::Queen);
    let own_pawns = board.pieces(S::US, PieceType::Pawn);
    for square in board.pieces(S::US, PieceType::Bishop) {
        add_piece::<S, T>(PieceType::Bishop, square, context.mirror, &mut score, tracer);
        let attacked = attacks::bishop_attacks(square, occupied);
        let (_, mobility) = reach::<S>(context, map, PieceType::Bishop, square, attacked);
        count!(tracer, S, score, bishop_mobility[mobility]);
        if context.outposts.contains(square) {
            count!(tracer, S, score, outpost[1]);
        }
        minor::<S, T>(context, 1, square, &mut score, tracer);
        let own_colour = if Bitboard::DARK.contains(square) { Bitboard::DARK } else { Bitboard::LIGHT };
        let same_colour = own_pawns & own_colour;
        count!(tracer, S, score, bishop_pawns * same_colour.count());
        let blocked = same_colour & CENTRE_FILES & board.occupied().forward(S::THEM);
        count!(tracer, S, score, bishop_blocked_centre * blocked.count());
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

/// Returns true for a bishop on a7 or h7 (relative) with an enemy pawn on b6 or g6, or on a8 or h8 with an
/// enemy pawn on b7 or g7: the pawn cuts off its retreat.
#[inline(always)]
fn is_trapped_bishop<S: Side>(board: &Board, square: Square) -> bool {
    let rank = S::rank_of(square);
    if rank < 6 || !matches!(square.file(), File::A | File::H) {
        return false;
    }
    let back = attacks::pawn_attacks(S::THEM, square);
    back.is_subset_of(board.pieces(S::THEM, PieceType::Pawn))
}

/// The features that knights (`kind` 0) and bishops (`kind` 1) share.
#[inline(always)]
fn minor<S: Side, T: Tracer>(
    context: &Context<'_>,
    kind: usize,
    square: Square,
    total: &mut Score,
    tracer: &mut T,
) {
    let mut score = *total;
    if !square.bitboard().forward(S::US).is_disjoint(context.board.by_type(PieceType::Pawn)) {
        count!(tracer, S, score, behind_pawn[kind]);
    }
    count!(tracer, S, score, minor_king_distance[kind] * distance(square, context.king));
    *total = score;
}

#[inline(always)]
fn rooks<S: Side, T: Tracer>(context: &Context<'_>, map: &mut AttackMap, total: &mut Score, tracer: &mut T) {
    let board = context.board;
    let mut score = Score::ZERO;
    let occupied =
        board.occupied() ^ board.pieces(S::US, PieceType::Queen) ^ board.pieces(S::US, PieceType::Rook);
    let (own, enemy) = (board.pieces(S::US, PieceType::Pawn), board.pieces(S::THEM, PieceType::Pawn));
    let their_king = board.king(S::THEM);
    for square in board.pieces(S::US, PieceType::Rook) {
        add_piece::<S, T>(PieceType::Rook, square, context.mirror, &mut score, tracer);
        let attacked = attacks::rook_attacks(square, occupied);
        let (_, mobility) = reach::<S>(context, map, PieceType::Rook, square, attacked);
        count!(tracer, S, score, rook_mobility[mobility]);
        let file = square.file().bitboard();
        if own.is_disjoint(file) {
            count!(tracer, S, score, rook_open_file[usize::from(enemy.is_disjoint(file))]);
            if (file | adjacent_files(square.file())).contains(their_king) {
                count!(tracer, S, score, rook_king_file);
            }
        } else {
            if !(own & file & board.occupied().forward(S::THEM)).is_empty() {
                count!(tracer, S, score, rook_closed_file);
            }
            if mobility <= 3 && is_boxed_in::<S>(context.king, square) {
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

/// Returns true if the rook stands between its own king on the back rank and the edge of the board.
#[inline(always)]
fn is_boxed_in<S: Side>(king: Square, rook: Square) -> bool {
    let (king_file, rook_file) = (king.file(), rook.file());
    S::rank_of(king) == 0 && if king_file < File::E { rook_file < king_file } else { rook_file > king_file }
}

#[inline(always)]
fn queens<S: Side, T: Tracer>(
    context: &Context<'_>,
    pawns: &Pawns,
    map: &mut AttackMap,
    total: &mut Score,
    tracer: &mut T,
) {
    let board = context.board;
    let mut score = Score::ZERO;
    for square in board.pieces(S::US, PieceType::Queen) {
        add_piece::<S, T>(PieceType::Queen, square, context.mirror, &mut score, tracer);
        let attacked = attacks::queen_attacks(square, board.occupied());
        let (_, mobility) = reach::<S>(context, map, PieceType::Queen, square, attacked);
        count!(tracer, S, score, queen_mobility[mobility]);
        let snipers = attacks::rook_rays(square) & board.pieces(S::THEM, PieceType::Rook)
            | attacks::bishop_rays(square) & board.pieces(S::THEM, PieceType::Bishop);
        let shields = lone_blockers(board, square, snipers);
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
    use super::super::super::side::{Black, White};
    use super::super::super::test_board::board;
    use super::*;

    #[test]
    fn bishop_behind_a_pawn_is_trapped() {
        let trapped = board("4k3/B4p2/1p4p1/8/8/6P1/7b/4K3 w - - 0 1");
        assert!(is_trapped_bishop::<White>(&trapped, Square::A7));
        assert!(is_trapped_bishop::<Black>(&trapped, Square::H2));
        let free = board("4k3/B4p2/2p3p1/8/8/8/7b/B3K3 w - - 0 1");
        assert!(!is_trapped_bishop::<White>(&free, Square::A7), "b6 is empty");
        assert!(!is_trapped_bishop::<Black>(&free, Square::H2));
        assert!(!is_trapped_bishop::<White>(&free, Square::A1));
    }

    #[test]
    fn rook_between_king_and_edge_is_boxed_in() {
        assert!(is_boxed_in::<White>(Square::F1, Square::H1));
        assert!(is_boxed_in::<White>(Square::C1, Square::A1));
        assert!(!is_boxed_in::<White>(Square::G1, Square::F1));
        assert!(is_boxed_in::<Black>(Square::G8, Square::H8));
        assert!(!is_boxed_in::<White>(Square::G2, Square::H1));
    }
}
