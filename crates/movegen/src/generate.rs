//! Legal move generation.
//!
//! Only legal moves are generated, without making them. Checkers and pinned pieces determine where each piece
//! may go; only king moves, castling and en-passant captures need further tests.
//!
//! The generator passes each piece with sets of targets to a [`Sink`], so that a sink can count moves (the
//! leaves of perft) by counting bits.

use crate::attacks;
use crate::legality::{Legality, attacked_by_leapers, attacked_by_slider, en_passant_is_legal};
use crate::tables::king_attack_cache::KingAttackCache;
use tabiya_core::{Bitboard, Board, CastlingSide, Color, Move, MoveKind, MoveList, PieceType, Rank, Square};

/// The kind of moves to generate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum GenType {
    All,
    /// Captures and promotions.
    Tactical,
    /// All other moves, castling included.
    Quiet,
}

/// Receiver of generated moves, for [`Position::generate`](crate::Position::generate).
///
/// It receives each piece with sets of targets, so that it can count or test moves without making a list of them. A queen comes
/// twice, with its diagonal and with its other targets; a set may be empty. [`MoveList`] is a sink that stores the moves.
///
/// ```
/// use tabiya_core::{Bitboard, Move, MoveKind, Square};
/// use tabiya_movegen::{Filter, Position, Sink};
///
/// /// The squares that legal moves reach.
/// struct Reached(Bitboard);
///
/// impl Sink for Reached {
///     fn piece(&mut self, _: Square, targets: Bitboard, _: Bitboard) {
///         self.0 |= targets;
///     }
///
///     fn pawns(&mut self, to: Bitboard, _: i8, _: MoveKind) {
///         self.0 |= to;
///     }
///
///     fn promotions(&mut self, to: Bitboard, _: i8, _: bool) {
///         self.0 |= to;
///     }
///
///     fn single(&mut self, mv: Move) {
///         self.0 |= mv.to().bitboard();
///     }
/// }
///
/// let mut reached = Reached(Bitboard::EMPTY);
/// Position::startpos().generate(Filter::ALL, &mut reached);
/// assert_eq!(reached.0.count(), 16);
/// ```
pub trait Sink {
    /// Receives the moves of a piece other than a pawn from `from` to each of `targets`. Moves to a square
    /// of `enemies` are captures.
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard);

    /// Receives a pawn move to each square of `to`, from the square whose index is `step` lower.
    fn pawns(&mut self, to: Bitboard, step: i8, kind: MoveKind);

    /// Receives the four promotions on each square of `to`, from the square whose index is `step` lower.
    fn promotions(&mut self, to: Bitboard, step: i8, captures: bool);

    /// Receives an en-passant capture or castling.
    fn single(&mut self, mv: Move);

    /// Returns true if generation may stop. Called between groups of pieces.
    #[inline]
    fn is_done(&self) -> bool {
        false
    }
}

/// Returns the square from which a pawn moved to `to`, given the `step` that a [`Sink`] received.
#[inline]
pub fn pawn_origin(to: Square, step: i8) -> Square {
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
            self.push(Move::new(pawn_origin(to, step), to, kind));
        }
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, step: i8, captures: bool) {
        for to in to {
            for piece in PieceType::PROMOTIONS.into_iter().rev() {
                let kind =
                    if captures { MoveKind::PromotionCapture(piece) } else { MoveKind::Promotion(piece) };
                self.push(Move::new(pawn_origin(to, step), to, kind));
            }
        }
    }

    #[inline]
    fn single(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Sink that counts the moves.
#[derive(Default)]
pub(crate) struct MoveCounter(pub(crate) usize);

impl Sink for MoveCounter {
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

/// Sink that records whether there is any move.
#[derive(Default)]
pub(crate) struct AnyMove(pub(crate) bool);

impl Sink for AnyMove {
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

/// Generates the legal moves of this kind into the sink.
#[inline(always)]
pub(crate) fn generate<S: Sink>(board: &Board, legality: &Legality, gen_type: GenType, sink: &mut S) {
    // Two copies, so that the pawns' direction is a constant in each.
    match board.side_to_move() {
        Color::White => Generator::new(board, legality, gen_type, Color::White).run(sink),
        Color::Black => Generator::new(board, legality, gen_type, Color::Black).run(sink),
    }
}

struct Generator<'a> {
    board: &'a Board,
    checkers: Bitboard,
    pinned: Bitboard,
    us: Color,
    king: Square,
    king_cache: &'static KingAttackCache,
    occupied: Bitboard,
    enemies: Bitboard,
    /// Targets of piece moves of this kind: enemy pieces, empty squares, or both.
    targets: Bitboard,
    check_mask: Bitboard,
    gen_type: GenType,
}

impl<'a> Generator<'a> {
    #[inline(always)]
    fn new(board: &'a Board, legality: &Legality, gen_type: GenType, us: Color) -> Generator<'a> {
        let occupied = board.occupied();
        let king = board.king(us);
        Generator {
            board,
            checkers: legality.checkers,
            pinned: legality.pinned,
            us,
            king,
            king_cache: KingAttackCache::of(king),
            occupied,
            enemies: board.by_color(!us),
            targets: match gen_type {
                GenType::All => !board.by_color(us),
                GenType::Tactical => board.by_color(!us),
                GenType::Quiet => !occupied,
            },
            check_mask: legality.check_mask(king),
            gen_type,
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
        let unpinned = !self.pinned;
        let targets = self.targets & self.check_mask;
        // A pinned knight has no move.
        for from in self.board.pieces(self.us, PieceType::Knight) & unpinned {
            sink.piece(from, attacks::knight_attacks(from) & targets, self.enemies);
        }
        // A queen is treated as a bishop, then as a rook.
        let diagonal = self.board.diagonal_sliders(self.us);
        let orthogonal = self.board.orthogonal_sliders(self.us);
        for from in diagonal & unpinned {
            sink.piece(from, attacks::bishop_attacks(from, self.occupied) & targets, self.enemies);
        }
        for from in orthogonal & unpinned {
            sink.piece(from, attacks::rook_attacks(from, self.occupied) & targets, self.enemies);
        }
        // A pinned slider moves along the line through its king, and can never end a check.
        if self.pinned.any() && self.checkers.is_empty() {
            for from in diagonal & self.pinned & self.king_cache.bishop_rays {
                let line = attacks::line(self.king, from) & targets;
                sink.piece(from, attacks::bishop_attacks(from, self.occupied) & line, self.enemies);
            }
            for from in orthogonal & self.pinned & self.king_cache.rook_rays {
                let line = attacks::line(self.king, from) & targets;
                sink.piece(from, attacks::rook_attacks(from, self.occupied) & line, self.enemies);
            }
        }
    }

    #[inline(always)]
    fn king<S: Sink>(&self, sink: &mut S) {
        let steps = self.king_cache.king_attacks & self.targets;
        let rooks = self.castling_rooks();
        if steps.is_empty() && rooks.is_empty() {
            return;
        }
        let leaper_attacks = attacked_by_leapers(self.board);

        let mut safe = steps - leaper_attacks;
        // Sliders see through the king's present square.
        let occupied = self.occupied ^ self.king.bitboard();
        for to in safe {
            if attacked_by_slider(self.board, to, occupied) {
                safe ^= to.bitboard();
            }
        }
        sink.piece(self.king, safe, self.enemies);

        for rook in rooks {
            let side = if rook > self.king { CastlingSide::King } else { CastlingSide::Queen };
            if castling_is_legal(self.board, self.king, rook, side, leaper_attacks) {
                sink.single(Move::new(self.king, rook, MoveKind::Castle(side)));
            }
        }
    }

    /// Returns the rooks with castling rights that have nothing between themselves and the king. (Either
    /// king or rook passes every square between them, in Chess960 too.)
    #[inline(always)]
    fn castling_rooks(&self) -> Bitboard {
        if self.checkers.any() || self.gen_type == GenType::Tactical {
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
        let unpinned = pawns - self.pinned;

        // Pushes. A pinned pawn may be pushed only if it is pinned on its file.
        let pushers = unpinned | pawns & self.king.file().bitboard();
        let single = pushers.forward(us) - self.occupied;
        let double = ((single & third_rank).forward(us) - self.occupied) & self.check_mask;
        let single = single & self.check_mask;
        if self.gen_type != GenType::Tactical {
            sink.pawns(single - last_rank, up, MoveKind::Quiet);
            sink.pawns(double, up * 2, MoveKind::DoublePush);
        }
        if self.gen_type == GenType::Quiet {
            return;
        }
        if !single.is_disjoint(last_rank) {
            sink.promotions(single & last_rank, up, false);
        }

        // Captures. A pinned pawn may capture only along the diagonal it is pinned on.
        let (east_line, west_line) = match us {
            Color::White => (self.king_cache.diagonal, self.king_cache.anti_diagonal),
            Color::Black => (self.king_cache.anti_diagonal, self.king_cache.diagonal),
        };
        let enemies = self.enemies & self.check_mask;
        let east = (unpinned | pawns & east_line).forward(us).east() & enemies;
        let west = (unpinned | pawns & west_line).forward(us).west() & enemies;
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

/// Returns true if the king may castle with the rook on `rook`. The king must not be in check;
/// `leaper_attacks` are the squares that [`attacked_by_leapers`] returns.
///
/// The rule is the same in chess and Chess960: all squares that king and rook pass or reach are empty
/// except for these two pieces, and the king neither passes nor reaches an attacked square.
#[inline]
pub(crate) fn castling_is_legal(
    board: &Board,
    king: Square,
    rook: Square,
    side: CastlingSide,
    leaper_attacks: Bitboard,
) -> bool {
    let king_to = Square::new(side.king_file(), king.rank());
    let rook_to = Square::new(side.rook_file(), king.rank());
    let others = board.occupied() ^ king.bitboard() ^ rook.bitboard();
    let king_path = attacks::between(king, king_to) | king_to.bitboard();
    let rook_path = attacks::between(rook, rook_to) | rook_to.bitboard();
    if !(king_path | rook_path).is_disjoint(others) || !leaper_attacks.is_disjoint(king_path) {
        return false;
    }
    // While the king passes, the rook is still on its own square. On the king's target the rook has left that
    // square, which in Chess960 can uncover an attack along the first rank.
    let while_passing = others | rook.bitboard();
    let afterwards = others | king_to.bitboard() | rook_to.bitboard();
    !attacked_by_slider(board, king_to, afterwards)
        && !(king_path ^ king_to.bitboard())
            .into_iter()
            .any(|square| attacked_by_slider(board, square, while_passing))
}
