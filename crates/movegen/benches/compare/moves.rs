//! Generating, counting and making legal moves.
//!
//! Tabiya and cozy-chess update a Zobrist key with each move, shakmaty does not; cozy-chess also computes the checkers
//! and pinned pieces of the new position, Tabiya and shakmaty when they are needed. So moves are compared twice: made
//! only, and made with the key and the test for check.

use crate::comparison::Comparison;
use crate::samples::{Sample, SampleMoves, ten_positions};
use cozy_chess::Board;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position as _};
use std::hint::black_box;
use tabiya_core::MoveList;
use tabiya_movegen::Position;

/// Passes over a position per round, so that a round takes some milliseconds.
pub(crate) const PASSES: usize = 5_000;

pub(crate) fn comparisons() -> Vec<Comparison> {
    let samples = ten_positions();
    vec![
        new_list(&samples),
        reused_list(&samples),
        list_and_count(&samples),
        counting(&samples),
        copy_and_make(&samples),
        copy_make_and_check(&samples),
        copy_make_key_and_check(&samples),
    ]
}

/// Returns a function that does the work on a position some thousand times and returns the sum of the results.
fn repeat<P: 'static>(position: P, mut work: impl FnMut(&P) -> usize + 'static) -> impl FnMut() -> u64 {
    move || (0..PASSES).map(|_| work(black_box(&position)) as u64).sum()
}

/// The natural way to a list: a new one for each position.
fn new_list(samples: &[Sample]) -> Comparison {
    samples.iter().cloned().fold(Comparison::over("legal_moves().len()"), |comparison, sample| {
        comparison.with(
            repeat(sample.tabiya, |position| position.legal_moves().len()),
            repeat(sample.cozy, |board| {
                let mut list = Vec::new();
                board.generate_moves(|moves| {
                    list.extend(moves);
                    false
                });
                list.len()
            }),
            repeat(sample.shakmaty, |position| position.legal_moves().len()),
        )
    })
}

fn reused_list(samples: &[Sample]) -> Comparison {
    samples.iter().cloned().fold(Comparison::over("generate into a list"), |comparison, sample| {
        let (mut list, mut cozy_list) = (MoveList::new(), Vec::with_capacity(256));
        comparison.with(
            repeat(sample.tabiya, move |position| {
                list.clear();
                position.generate_all(&mut list);
                black_box(&list).len()
            }),
            repeat(sample.cozy, move |board| {
                cozy_list.clear();
                board.generate_moves(|moves| {
                    cozy_list.extend(moves);
                    false
                });
                black_box(&cozy_list).len()
            }),
            repeat(sample.shakmaty, |position| black_box(position.legal_moves()).len()),
        )
    })
}

/// A list of moves against cozy-chess's sets of targets, which it need not list to count.
fn list_and_count(samples: &[Sample]) -> Comparison {
    samples.iter().cloned().fold(Comparison::over("list; cozy counts sets"), |comparison, sample| {
        comparison.with(
            repeat(sample.tabiya, |position| position.legal_moves().len()),
            repeat(sample.cozy, count_sets),
            repeat(sample.shakmaty, |position| position.legal_moves().len()),
        )
    })
}

fn count_sets(board: &Board) -> usize {
    let mut count = 0;
    board.generate_moves(|moves| {
        count += moves.len();
        false
    });
    count
}

fn counting(samples: &[Sample]) -> Comparison {
    samples.iter().cloned().fold(Comparison::over("count"), |comparison, sample| {
        comparison.with(
            repeat(sample.tabiya, Position::count_legal_moves),
            repeat(sample.cozy, count_sets),
            repeat(sample.shakmaty, |position| position.legal_moves().len()),
        )
    })
}

/// Returns a function that plays all moves some thousand times, each on a copy of the position.
pub(crate) fn play_all<P: Clone + 'static, M: Copy + 'static>(
    position: P,
    moves: Vec<M>,
    play: impl Fn(&P, M) + 'static,
) -> impl FnMut() -> u64 {
    move || {
        for _ in 0..PASSES / 5 {
            for &mv in &moves {
                play(black_box(&position), mv);
            }
        }
        (PASSES / 5 * moves.len()) as u64
    }
}

/// The position and its moves in each crate.
fn with_moves(
    samples: &[Sample],
    name: &str,
    add: impl Fn(Comparison, SampleMoves) -> Comparison,
) -> Comparison {
    let each = samples.iter().map(|sample| SampleMoves::of(std::slice::from_ref(sample)));
    each.fold(Comparison::over(name), add)
}

fn copy_and_make(samples: &[Sample]) -> Comparison {
    with_moves(samples, "copy and make", |comparison, mut sample| {
        let (tabiya, cozy, shakmaty) =
            (sample.tabiya.remove(0), sample.cozy.remove(0), sample.shakmaty.remove(0));
        comparison.with(
            play_all(tabiya.0, tabiya.1, |position, mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                black_box(&next);
            }),
            play_all(cozy.0, cozy.1, |board, mv| {
                let mut next = board.clone();
                next.play_unchecked(mv);
                black_box(&next);
            }),
            play_all(shakmaty.0, shakmaty.1, |position, mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                black_box(&next);
            }),
        )
    })
}

fn copy_make_and_check(samples: &[Sample]) -> Comparison {
    with_moves(samples, "copy, make, test for check", |comparison, mut sample| {
        let (tabiya, cozy, shakmaty) =
            (sample.tabiya.remove(0), sample.cozy.remove(0), sample.shakmaty.remove(0));
        comparison.with(
            play_all(tabiya.0, tabiya.1, |position: &Position, mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                black_box((next.in_check(), &next));
            }),
            play_all(cozy.0, cozy.1, |board: &Board, mv| {
                let mut next = board.clone();
                next.play_unchecked(mv);
                black_box((!next.checkers().is_empty(), &next));
            }),
            play_all(shakmaty.0, shakmaty.1, |position: &Chess, mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                black_box((next.is_check(), &next));
            }),
        )
    })
}

/// With the key that each crate's own methods give; shakmaty computes it from scratch where it cannot update it.
fn copy_make_key_and_check(samples: &[Sample]) -> Comparison {
    const MODE: EnPassantMode = EnPassantMode::Legal;
    with_moves(samples, "the same with Zobrist key", |comparison, mut sample| {
        let (tabiya, cozy, shakmaty) =
            (sample.tabiya.remove(0), sample.cozy.remove(0), sample.shakmaty.remove(0));
        let key: Zobrist64 = shakmaty.0.zobrist_hash(MODE);
        comparison.with(
            play_all(tabiya.0, tabiya.1, |position: &Position, mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                black_box((next.key(), next.in_check(), &next));
            }),
            play_all(cozy.0, cozy.1, |board: &Board, mv| {
                let mut next = board.clone();
                next.play_unchecked(mv);
                black_box((next.hash(), !next.checkers().is_empty(), &next));
            }),
            play_all(shakmaty.0, shakmaty.1, move |position: &Chess, mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                let updated = position.update_zobrist_hash(key, mv, MODE);
                black_box((updated.unwrap_or_else(|| next.zobrist_hash(MODE)), next.is_check(), &next));
            }),
        )
    })
}
