//! Generating all legal moves into a list, and making moves.

use crate::comparison::Comparison;
use crate::samples::{Sample, SampleMoves, WithMoves, suite_positions};
use shakmaty::Position as _;
use std::hint::black_box;
use tabiya_core::MoveList;

/// Passes over the samples per round, so that a round takes some hundredths of a second.
const PASSES: usize = 50;

pub(crate) fn comparisons() -> Vec<Comparison> {
    let samples = suite_positions();
    vec![generation(&samples), make_move(&samples)]
}

fn generation(samples: &[Sample]) -> Comparison {
    let tabiya: Vec<_> = samples.iter().map(|sample| sample.tabiya.clone()).collect();
    let cozy: Vec<_> = samples.iter().map(|sample| sample.cozy.clone()).collect();
    let shakmaty: Vec<_> = samples.iter().map(|sample| sample.shakmaty.clone()).collect();
    Comparison::new(
        "generate into a list",
        move || {
            let mut count = 0;
            let mut list = MoveList::new();
            for position in (0..PASSES).flat_map(|_| &tabiya) {
                list.clear();
                black_box(position).generate_all(&mut list);
                count += black_box(&list).len() as u64;
            }
            count
        },
        move || {
            let mut count = 0;
            let mut list = Vec::with_capacity(256);
            for board in (0..PASSES).flat_map(|_| &cozy) {
                list.clear();
                black_box(board).generate_moves(|moves| {
                    list.extend(moves);
                    false
                });
                count += black_box(&list).len() as u64;
            }
            count
        },
        move || {
            let mut count = 0;
            for position in (0..PASSES).flat_map(|_| &shakmaty) {
                count += black_box(black_box(position).legal_moves()).len() as u64;
            }
            count
        },
    )
}

/// Copies each position and plays each legal move on the copy (copy-make). The copy always has the same address, as in
/// a search that keeps one position per ply.
fn make_move(samples: &[Sample]) -> Comparison {
    let SampleMoves { tabiya, cozy, shakmaty } = SampleMoves::of(samples);
    Comparison::new(
        "copy and make",
        play_all(tabiya, |position, mv| position.play_unchecked(mv)),
        play_all(cozy, |board, mv| board.play_unchecked(mv)),
        play_all(shakmaty, |position, mv| position.play_unchecked(mv)),
    )
}

fn play_all<P: Clone + 'static, M: Copy + 'static>(
    positions: WithMoves<P, M>,
    play: impl Fn(&mut P, M) + 'static,
) -> impl FnMut() -> u64 + 'static {
    move || {
        let mut count = 0;
        let mut next = positions[0].0.clone();
        for (position, moves) in (0..PASSES / 5).flat_map(|_| &positions) {
            for &mv in moves {
                next.clone_from(black_box(position));
                play(&mut next, mv);
                black_box(&next);
                count += 1;
            }
        }
        count
    }
}
