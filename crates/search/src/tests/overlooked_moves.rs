//! Searches with a filter of moves.

use super::*;
use crate::MoveFilter;
use tabiya_core::{Color, PieceType, Rank, Value};
use tabiya_eval::Evaluate;

/// Counts the material of queens, rooks and pawns. The other evaluations foresee captures.
struct Material;

impl Evaluate for Material {
    fn evaluate(&mut self, position: &Position) -> Value {
        let values = [(PieceType::Pawn, 100), (PieceType::Rook, 500), (PieceType::Queen, 900)];
        let material = |color| -> Value {
            let count = |kind| (position.by_type(kind) & position.by_color(color)).count() as Value;
            values.iter().map(|&(kind, value)| value * count(kind)).sum()
        };
        material(position.side_to_move()) - material(!position.side_to_move())
    }
}

/// Sees the moves for which the function returns true.
struct Sees<F>(F);

impl<F: Fn(&Position, Move, usize) -> bool + Send + Sync> MoveFilter for Sees<F> {
    fn sees(&self, position: &Position, mv: Move, ply: usize) -> bool {
        (self.0)(position, mv, ply)
    }
}

fn answer(
    fen: &str,
    limits: Limits,
    sees: impl Fn(&Position, Move, usize) -> bool + Send + Sync + 'static,
) -> crate::Answer {
    let mut engine = engine();
    engine.set_evaluator(|| Box::new(Material));
    engine.set_move_filter(Some(Arc::new(Sees(sees))));
    engine.go(&game(fen), limits).answer()
}

fn best(answer: &crate::Answer) -> String {
    answer.best.expect("a move").to_uci(false).to_string()
}

#[test]
fn overlooked_reply_is_not_feared() {
    // The pawn is protected by the rook.
    let fen = "3r3k/8/8/3p4/8/8/8/3Q2K1 w - - 0 1";
    let search_moves = ["d1d5", "d1d2"].map(|mv| game(fen).play_uci(mv).expect("a legal move")).to_vec();
    for depth in [1, 2, 3] {
        let limits = Limits { search_moves: search_moves.clone(), ..Limits::depth(depth) };
        let careless = answer(fen, limits.clone(), |_, mv, ply| ply != 1 || !mv.is_capture());
        assert_eq!(best(&careless), "d1d5", "depth {depth}");
        let careful = answer(fen, limits, |_, _, _| true);
        assert_eq!(best(&careful), "d1d2", "depth {depth}");
    }
}

#[test]
fn overlooked_mate_is_not_found() {
    // A rook cuts the king off, the other one mates on the eighth rank.
    let fen = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";
    let seen = answer(fen, Limits::depth(3), |_, _, _| true);
    assert_eq!(seen.score(), Score::Mate(2));
    let hidden = answer(fen, Limits::depth(3), |position, mv, _| {
        position.side_to_move() == Color::Black || mv.to().rank() != Rank::Eighth
    });
    assert_ne!(hidden.score(), Score::Mate(2));
}

#[test]
fn node_without_seen_moves_is_no_stalemate() {
    for depth in [1, 2, 5, 8] {
        let blind = answer("6k1/8/8/8/8/8/5PPP/Q4QK1 w - - 0 1", Limits::depth(depth), |_, _, _| false);
        assert!(matches!(blind.score(), Score::Centipawns(800..)), "depth {depth}: {:?}", blind.score());
    }
}

#[test]
fn filter_is_called_below_the_root_and_out_of_check() {
    let fen = KIWIPETE;
    let seen = answer(fen, Limits::depth(4), |position, mv, ply| {
        assert!(ply > 0 && !position.in_check() && position.is_legal(mv));
        true
    });
    let mut unfiltered = engine();
    unfiltered.set_evaluator(|| Box::new(Material));
    let unfiltered = unfiltered.go(&game(fen), Limits::depth(4)).answer();
    assert_eq!((seen.nodes, seen.lines()), (unfiltered.nodes, unfiltered.lines()));
}
