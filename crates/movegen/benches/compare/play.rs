//! The ways of playing a legal move, compared with copying the position and playing unchecked.

use crate::comparison::Comparison;
use crate::moves::{PASSES, play_all};
use crate::samples::ten_positions;
use std::hint::black_box;
use tabiya_core::Move;
use tabiya_movegen::{LegalMove, Position};

pub(crate) fn comparisons() -> Vec<Comparison> {
    let unchecked = |position: &Position, mv: Move| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        black_box(&next);
    };
    let over = |name: &str, play: fn(&Position, Move)| {
        ten_positions().into_iter().fold(Comparison::over(name), |comparison, sample| {
            let moves = sample.tabiya.legal_moves().to_vec();
            comparison.with_pair(
                play_all(sample.tabiya.clone(), moves.clone(), play),
                play_all(sample.tabiya, moves, unchecked),
            )
        })
    };
    vec![
        typed("LegalMove::play_into", |mv, next| {
            mv.play_into(next);
            black_box(&next);
        }),
        typed("LegalMove::play", |mv, _| {
            black_box(&mv.play());
        }),
        over("Position::play, checked", |position, mv| {
            black_box(&position.play(mv).expect("the move is legal"));
        }),
    ]
}

/// Generates the moves and plays each: as `LegalMove`s, and as bare moves.
fn typed(name: &str, play: impl Fn(LegalMove<'_>, &mut Position) + Copy + 'static) -> Comparison {
    ten_positions().into_iter().fold(Comparison::over(name), |comparison, sample| {
        let position = sample.tabiya.clone();
        let bare = move || {
            let mut count = 0;
            for _ in 0..PASSES / 5 {
                let position = black_box(&position);
                for mv in position.legal_moves() {
                    let mut next = position.clone();
                    next.play_unchecked(mv);
                    black_box(&next);
                    count += 1;
                }
            }
            count
        };
        let position = sample.tabiya;
        let typed = move || {
            let mut count = 0;
            let mut next = position.clone();
            for _ in 0..PASSES / 5 {
                for mv in black_box(&position).legal() {
                    play(mv, &mut next);
                    count += 1;
                }
            }
            count
        };
        comparison.with_pair(typed, bare)
    })
}
