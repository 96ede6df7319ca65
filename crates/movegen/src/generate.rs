//! Legal move generation.
//!
//! No move is made to see whether it was legal. The pieces giving check and the pinned pieces say
//! where each piece may go; only a king step and an en-passant capture look further.
//!
//! One generator serves all uses. It hands what it finds to a [`Sink`], pieces together with all
//! their targets, so that counting moves (the leaves of perft) costs no more than counting bits.

use crate::attacks;
use crate::legality::{Legality, attacked_by_leapers, attacked_by_slider, en_passant_is_legal};
use crate::tables::outlook::Outlook;
use tabiya_core::{Bitboard, Board, CastlingSide, Color, Move, MoveKind, MoveList, PieceType, Rank, Square};

/// Which moves to generate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    All,
    /// Captures and promotions.
    Tactical,
    /// Everything that is not tactical.
    Quiet,
}

/// Where generated moves go.
pub(crate) trait Sink {
    /// A piece that is no pawn may go from `from` to each of `targets`; on those that are among the
    /// `enemies` it captures.
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard);

    /// Pawns may arrive on each of these squares, from `step` squares before it.
    fn pawns(&mut self, to: Bitboard, step: i8, kind: MoveKind);

    /// Pawns may promote on each of these squares, coming from `step` squares before it.
    fn promotions(&mut self, to: Bitboard, step: i8, captures: bool);

    /// En passant and castling.
    fn single(&mut self, mv: Move);

    /// Has the sink seen enough? Asked after each piece.
    #[inline]
    fn is_done(&self) -> bool {
        false
    }
}

#[inline]
fn origin(to: Square, step: i8) -> Square {
    Square::wrapping((to as u8).wrapping_sub(step as u8))
}

impl Sink for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard) {
        for to in targets & enemies {
            self.push(Move::new(from, to, MoveKind::Capture));
        }
        for to in targets - enemies {
            self.push(Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, step: i8, kind: MoveKind) {
        for to in to {
            self.push(Move::new(origin(to, step), to, kind));
        }
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, step: i8, captures: bool) {
        for to in to {
            for piece in PieceType::PROMOTIONS.into_iter().rev() {
                let kind =
                    if captures { MoveKind::PromotionCapture(piece) } else { MoveKind::Promotion(piece) };
                self.push(Move::new(origin(to, step), to, kind));
            }
        }
    }

    #[inline]
    fn single(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts moves without making them up.
#[derive(Default)]
pub(crate) struct Counter(pub(crate) usize);

impl Sink for Counter {
    #[inline]
    fn piece(&mut self, _: Square, targets: Bitboard, _: Bitboard) {
        self.0 += targets.count() as usize;
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, _: i8, _: MoveKind) {
        self.0 += to.count() as usize;
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, _: i8, _: bool) {
        self.0 += 4 * to.count() as usize;
    }

    #[inline]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Looks for any move at all.
#[derive(Default)]
pub(crate) struct Any(pub(crate) bool);

impl Sink for Any {
    #[inline]
    fn piece(&mut self, _: Square, targets: Bitboard, _: Bitboard) {
        self.0 |= targets.any();
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, _: i8, _: MoveKind) {
        self.0 |= to.any();
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, _: i8, _: bool) {
        self.0 |= to.any();
    }

    #[inline]
    fn single(&mut self, _: Move) {
        self.0 = true;
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.0
    }
}

/// Generates the wanted legal moves into the sink.
#[inline(always)]
pub(crate) fn generate<S: Sink>(board: &Board, legality: &Legality, wanted: Wanted, sink: &mut S) {
    // Two copies, so that the direction of the pawns is a constant in each.
    match board.side_to_move() {
        Color::White => Generator::new(board, legality, wanted, Color::White).run(sink),
        Color::Black => Generator::new(board, legality, wanted, Color::Black).run(sink),
    }
}

struct Generator<'a> {
    board: &'a Board,
    checkers: Bitboard,
    pinned: Bitboard,
    us: Color,
    king: Square,
    /// What the king sees from there.
    outlook: &'static Outlook,
    occupied: Bitboard,
    enemies: Bitboard,
    /// The squares that wanted moves of pieces go to: the enemy's, the empty ones, or both.
    targets: Bitboard,
    check_mask: Bitboard,
    wanted: Wanted,
}

impl<'a> Generator<'a> {
    #[inline(always)]
    fn new(board: &'a Board, legality: &Legality, wanted: Wanted, us: Color) -> Generator<'a> {
        let occupied = board.occupied();
        let king = board.king(us);
        Generator {
            board,
            checkers: legality.checkers,
            pinned: legality.pinned,
            us,
            king,
            outlook: Outlook::of(king),
            occupied,
            enemies: board.by_color(!us),
            targets: match wanted {
                Wanted::All => !board.by_color(us),
                Wanted::Tactical => board.by_color(!us),
                Wanted::Quiet => !occupied,
            },
            check_mask: legality.check_mask(king),
            wanted,
        }
    }

    #[inline(always)]
    fn run<S: Sink>(&self, sink: &mut S) {
        if !self.checkers.more_than_one() {
            self.pawns(sink);
            if sink.is_done() {
                return;
            }
            self.pieces(sink);
            if sink.is_done() {
                return;
            }
        }
        self.king(sink);
    }

    #[inline(always)]
    fn pieces<S: Sink>(&self, sink: &mut S) {
        let free = !self.pinned;
        let targets = self.targets & self.check_mask;
        // A pinned knight has no move.
        for from in self.board.pieces(self.us, PieceType::Knight) & free {
            sink.piece(from, attacks::knight_attacks(from) & targets, self.enemies);
        }
        // A queen is a bishop and a rook, one after the other.
        let diagonal = self.board.diagonal_sliders(self.us);
        let orthogonal = self.board.orthogonal_sliders(self.us);
        for from in diagonal & free {
            sink.piece(from, attacks::bishop_attacks(from, self.occupied) & targets, self.enemies);
        }
        for from in orthogonal & free {
            sink.piece(from, attacks::rook_attacks(from, self.occupied) & targets, self.enemies);
        }
        // A pinned slider moves along the line to its king, and cannot end a check.
        if self.pinned.any() && self.checkers.is_empty() {
            for from in diagonal & self.pinned & self.outlook.bishop_rays {
                let line = attacks::line(self.king, from) & targets;
                sink.piece(from, attacks::bishop_attacks(from, self.occupied) & line, self.enemies);
            }
            for from in orthogonal & self.pinned & self.outlook.rook_rays {
                let line = attacks::line(self.king, from) & targets;
                sink.piece(from, attacks::rook_attacks(from, self.occupied) & line, self.enemies);
            }
        }
    }

    #[inline(always)]
    fn king<S: Sink>(&self, sink: &mut S) {
        let steps = self.outlook.king_attacks & self.targets;
        let rooks = self.castling_rooks();
        if steps.is_empty() && rooks.is_empty() {
            return;
        }
        let danger = attacked_by_leapers(self.board);

        let mut safe = steps - danger;
        // The king does not hide the squares behind it.
        let occupied = self.occupied ^ self.king.bitboard();
        for to in safe {
            if attacked_by_slider(self.board, to, occupied) {
                safe ^= to.bitboard();
            }
        }
        sink.piece(self.king, safe, self.enemies);

        for rook in rooks {
            let side = if rook > self.king { CastlingSide::King } else { CastlingSide::Queen };
            if castling_is_legal(self.board, self.king, rook, side, danger) {
                sink.single(Move::new(self.king, rook, MoveKind::Castle(side)));
            }
        }
    }

    /// The rooks to castle with that nothing separates from the king. (Every square between the two
    /// is one that either of them passes, in Chess960 too.)
    #[inline(always)]
    fn castling_rooks(&self) -> Bitboard {
        if self.checkers.any() || self.wanted == Wanted::Tactical {
            return Bitboard::EMPTY;
        }
        let rooks = self.board.castling_rooks(self.us).into_iter();
        rooks.filter(|&rook| attacks::between(self.king, rook).is_disjoint(self.occupied)).collect()
    }

    #[inline(always)]
    fn pawns<S: Sink>(&self, sink: &mut S) {
        let us = self.us;
        let pawns = self.board.pieces(us, PieceType::Pawn);
        let up = if us == Color::White { 8 } else { -8 };
        let last_rank = Rank::Eighth.relative_to(us).bitboard();
        let third_rank = Rank::Third.relative_to(us).bitboard();
        let free = pawns - self.pinned;

        // Straight ahead. A pinned pawn may advance only towards the piece that pins it on a file.
        let pushers = free | pawns & self.king.file().bitboard();
        let single = pushers.forward(us) - self.occupied;
        let double = ((single & third_rank).forward(us) - self.occupied) & self.check_mask;
        let single = single & self.check_mask;
        if self.wanted != Wanted::Tactical {
            sink.pawns(single - last_rank, up, MoveKind::Quiet);
            sink.pawns(double, up * 2, MoveKind::DoublePush);
        }
        if self.wanted == Wanted::Quiet {
            return;
        }
        if !single.is_disjoint(last_rank) {
            sink.promotions(single & last_rank, up, false);
        }

        // Captures. A pinned pawn may take only along the diagonal it is pinned on.
        let (east_line, west_line) = match us {
            Color::White => (self.outlook.diagonal, self.outlook.anti_diagonal),
            Color::Black => (self.outlook.anti_diagonal, self.outlook.diagonal),
        };
        let enemies = self.enemies & self.check_mask;
        let east = (free | pawns & east_line).forward(us).east() & enemies;
        let west = (free | pawns & west_line).forward(us).west() & enemies;
        sink.pawns(east - last_rank, up + 1, MoveKind::Capture);
        sink.pawns(west - last_rank, up - 1, MoveKind::Capture);
        if !(east | west).is_disjoint(last_rank) {
            sink.promotions(east & last_rank, up + 1, true);
            sink.promotions(west & last_rank, up - 1, true);
        }

        if let Some(to) = self.board.en_passant() {
            for from in attacks::pawn_attacks(!us, to) & pawns {
                if en_passant_is_legal(self.board, from, to) {
                    sink.single(Move::new(from, to, MoveKind::EnPassant));
                }
            }
        }
    }
}

/// May the king, which is not in check, castle with the rook on `rook`, when pawns, knights and the
/// king of the other side attack the squares of `danger`?
///
/// The same in chess and Chess960: every square that king and rook pass or reach is empty but for
/// these two, and the king passes no attacked square.
#[inline]
pub(crate) fn castling_is_legal(
    board: &Board,
    king: Square,
    rook: Square,
    side: CastlingSide,
    danger: Bitboard,
) -> bool {
    let king_to = Square::new(side.king_file(), king.rank());
    let rook_to = Square::new(side.rook_file(), king.rank());
    let others = board.occupied() ^ king.bitboard() ^ rook.bitboard();
    let king_path = attacks::between(king, king_to) | king_to.bitboard();
    let rook_path = attacks::between(rook, rook_to) | rook_to.bitboard();
    if !(king_path | rook_path).is_disjoint(others) || !danger.is_disjoint(king_path) {
        return false;
    }
    // On its way the king still has the rook beside it; at its goal the rook has gone, which can
    // uncover an attack along the first rank in Chess960.
    let under_way = others | rook.bitboard();
    let arrived = others | king_to.bitboard() | rook_to.bitboard();
    !attacked_by_slider(board, king_to, arrived)
        && !(king_path ^ king_to.bitboard())
            .into_iter()
            .any(|square| attacked_by_slider(board, square, under_way))
}
