//! [`Filter`]: selections of moves, and the sink that applies them.

use crate::generate::{GenType, Sink};
use tabiya_core::{Bitboard, Move, MoveKind, Square};

/// A selection of legal moves, for [`Position::generate`](crate::Position::generate) and
/// [`Position::moves`](crate::Position::moves).
///
/// It starts from a kind of moves, which may be restricted to moves from and to certain squares.
///
/// ```
/// use tabiya_core::{PieceType, Rank, Square};
/// use tabiya_movegen::{Filter, Position};
///
/// let position: Position = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3".parse()?;
/// assert_eq!(position.moves(Filter::CAPTURES).len(), 2);
/// assert_eq!(position.moves(Filter::ALL.from(Square::F3.bitboard())).len(), 15);
/// let knights = position.by_type(PieceType::Knight);
/// assert_eq!(position.moves(Filter::QUIET.from(knights).to(Rank::Third.bitboard())).len(), 3);
/// # Ok::<(), tabiya_core::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Filter {
    kind: Kind,
    from: Bitboard,
    to: Bitboard,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
enum Kind {
    All,
    Captures,
    Tactical,
    Quiet,
}

impl Filter {
    /// All moves.
    pub const ALL: Filter = Filter::of(Kind::All);

    /// Captures, including en passant and promotions with capture.
    pub const CAPTURES: Filter = Filter::of(Kind::Captures);

    /// Captures and promotions.
    pub const TACTICAL: Filter = Filter::of(Kind::Tactical);

    /// Moves that are neither captures nor promotions, castling included.
    pub const QUIET: Filter = Filter::of(Kind::Quiet);

    const fn of(kind: Kind) -> Filter {
        Filter { kind, from: Bitboard::FULL, to: Bitboard::FULL }
    }

    /// Restricts the selection to moves from these squares.
    #[must_use]
    pub const fn from(self, squares: Bitboard) -> Filter {
        Filter { from: Bitboard(self.from.0 & squares.0), ..self }
    }

    /// Restricts the selection to moves whose [`Move::to`] is one of these squares; for castling, that is the
    /// square of the rook.
    #[must_use]
    pub const fn to(self, squares: Bitboard) -> Filter {
        Filter { to: Bitboard(self.to.0 & squares.0), ..self }
    }

    pub(crate) const fn gen_type(self) -> GenType {
        match self.kind {
            Kind::All => GenType::All,
            Kind::Captures | Kind::Tactical => GenType::Tactical,
            Kind::Quiet => GenType::Quiet,
        }
    }
}

/// A sink that passes on the moves that a filter selects.
pub(crate) struct Filtered<'a, S> {
    pub(crate) filter: Filter,
    pub(crate) sink: &'a mut S,
}

impl<S> Filtered<'_, S> {
    /// The target squares of pawns that move by `step` from squares of the filter.
    fn pawn_targets(&self, to: Bitboard, step: i8) -> Bitboard {
        let from = self.filter.from.0;
        let reached = if step >= 0 { from << step } else { from >> -step };
        to & self.filter.to & Bitboard(reached)
    }
}

impl<S: Sink> Sink for Filtered<'_, S> {
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard) {
        if self.filter.from.contains(from) {
            self.sink.piece(from, targets & self.filter.to, enemies);
        }
    }

    fn pawns(&mut self, to: Bitboard, step: i8, kind: MoveKind) {
        let to = self.pawn_targets(to, step);
        self.sink.pawns(to, step, kind);
    }

    fn promotions(&mut self, to: Bitboard, step: i8, captures: bool) {
        if captures || self.filter.kind != Kind::Captures {
            let to = self.pawn_targets(to, step);
            self.sink.promotions(to, step, captures);
        }
    }

    fn single(&mut self, mv: Move) {
        if self.filter.from.contains(mv.from()) && self.filter.to.contains(mv.to()) {
            self.sink.single(mv);
        }
    }

    fn is_done(&self) -> bool {
        self.sink.is_done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use alloc::vec::Vec;
    use tabiya_core::{MoveList, PieceType};

    const FENS: [&str; 5] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    ];

    fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
        let mut moves: Vec<Move> = moves.into_iter().collect();
        moves.sort_unstable();
        moves
    }

    #[test]
    fn filters_select_the_same_moves_as_retain() {
        for fen in FENS {
            let position: Position = fen.parse().unwrap();
            let all = position.legal_moves();
            let check = |filter: Filter, selects: &dyn Fn(Move) -> bool| {
                let expected = sorted(all.iter().copied().filter(|&mv| selects(mv)));
                assert_eq!(sorted(position.moves(filter)), expected, "{filter:?} in {fen}");
            };
            check(Filter::ALL, &|_| true);
            check(Filter::CAPTURES, &|mv| mv.is_capture());
            check(Filter::TACTICAL, &|mv| !mv.is_quiet());
            check(Filter::QUIET, &|mv| mv.is_quiet());
            for square in Square::ALL {
                check(Filter::ALL.from(square.bitboard()), &|mv| mv.from() == square);
                check(Filter::ALL.to(square.bitboard()), &|mv| mv.to() == square);
                check(Filter::CAPTURES.to(square.bitboard()), &|mv| mv.is_capture() && mv.to() == square);
            }
            for piece in PieceType::ALL {
                let squares = position.by_type(piece);
                check(Filter::TACTICAL.from(squares), &|mv| !mv.is_quiet() && squares.contains(mv.from()));
            }
        }
    }

    #[test]
    fn sinks_count_and_stop() {
        #[derive(Default)]
        struct First(Option<Square>, usize);

        impl Sink for First {
            fn piece(&mut self, from: Square, targets: Bitboard, _: Bitboard) {
                self.1 += 1;
                if targets.any() {
                    self.0.get_or_insert(from);
                }
            }

            fn pawns(&mut self, _: Bitboard, _: i8, _: MoveKind) {}

            fn promotions(&mut self, _: Bitboard, _: i8, _: bool) {}

            fn single(&mut self, _: Move) {}

            fn is_done(&self) -> bool {
                self.0.is_some()
            }
        }

        let mut first = First::default();
        Position::startpos().generate(Filter::ALL, &mut first);
        assert_eq!(first.0, Some(Square::B1));
        let mut list = MoveList::new();
        Position::startpos().generate(Filter::QUIET.from(Bitboard::EMPTY), &mut list);
        assert!(list.is_empty());
    }
}
