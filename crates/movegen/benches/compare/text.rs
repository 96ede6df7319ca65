//! Parsing and writing FEN and SAN.
//!
//! FEN is parsed into a position with its checkers computed; SAN is written with its check suffix and resolved to a
//! legal move. Each crate writes by its fastest documented method into a reused string.

use crate::comparison::Comparison;
use crate::samples::{Sample, SampleMoves, WithMoves, suite_positions};
use cozy_chess::util::{display_san_move, parse_san_move};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, EnPassantMode};
use std::fmt::Write as _;
use std::hint::black_box;
use tabiya_movegen::Position;

/// Returns a function that processes all items once and returns their number.
fn each<T: 'static>(items: Vec<T>, work: impl Fn(&T, &mut String) + 'static) -> impl FnMut() -> u64 {
    let mut buffer = String::with_capacity(128);
    move || {
        for item in &items {
            buffer.clear();
            work(black_box(item), &mut buffer);
            black_box(&buffer);
        }
        items.len() as u64
    }
}

pub(crate) fn comparisons() -> Vec<Comparison> {
    let samples = suite_positions();
    vec![fen_reading(&samples), fen_writing(&samples), san_reading(&samples), san_writing(&samples)]
}

/// Returns the samples 20 times over, so that a round takes some hundredths of a second.
fn repeated<T: Clone>(samples: &[Sample], part: fn(&Sample) -> T) -> Vec<T> {
    (0..20).flat_map(|_| samples).map(part).collect()
}

fn fen_reading(samples: &[Sample]) -> Comparison {
    let fens = repeated(samples, |sample| format!("{:#}", sample.tabiya));
    Comparison::new(
        "read FEN",
        each(fens.clone(), |fen, _| {
            black_box(Position::from_fen(fen)).expect("the sample is legal");
        }),
        each(fens.clone(), |fen, _| {
            black_box(cozy_chess::Board::from_fen(fen, true)).expect("the sample is legal");
        }),
        each(fens, |fen, _| {
            let setup = Fen::from_ascii(fen.as_bytes()).expect("the sample is well formed");
            let position = setup.into_position::<shakmaty::Chess>(CastlingMode::Chess960);
            black_box(position).expect("the sample is legal");
        }),
    )
}

fn fen_writing(samples: &[Sample]) -> Comparison {
    Comparison::new(
        "write FEN",
        each(repeated(samples, |sample| sample.tabiya.clone()), |position, buffer| {
            write!(buffer, "{position}").expect("a string takes everything");
        }),
        each(repeated(samples, |sample| sample.cozy.clone()), |board, buffer| {
            write!(buffer, "{board}").expect("a string takes everything");
        }),
        each(repeated(samples, |sample| sample.shakmaty.clone()), |position, buffer| {
            Fen::from_position(position, EnPassantMode::Legal).append_to_string(buffer);
        }),
    )
}

/// Returns a function that processes all moves of all positions once and returns their number.
fn each_move<P: 'static, M: 'static>(
    positions: WithMoves<P, M>,
    work: impl Fn(&P, &M, &mut String) + 'static,
) -> impl FnMut() -> u64 {
    let mut buffer = String::with_capacity(16);
    move || {
        let mut count = 0;
        for (position, moves) in &positions {
            for mv in moves {
                buffer.clear();
                work(black_box(position), black_box(mv), &mut buffer);
                black_box(&buffer);
                count += 1;
            }
        }
        count
    }
}

fn san_reading(samples: &[Sample]) -> Comparison {
    let texts = |sample: &Sample| -> Vec<String> {
        let moves = sample.tabiya.legal_moves();
        moves.iter().map(|&mv| sample.tabiya.san(mv).to_string()).collect()
    };
    Comparison::new(
        "read SAN",
        each_move(
            samples.iter().map(|sample| (sample.tabiya.clone(), texts(sample))).collect(),
            |position, san, _| {
                black_box(position.parse_san(san)).expect("the move is legal");
            },
        ),
        each_move(
            samples.iter().map(|sample| (sample.cozy.clone(), texts(sample))).collect(),
            |board, san, _| {
                black_box(parse_san_move(board, san)).expect("the move is legal");
            },
        ),
        each_move(
            samples.iter().map(|sample| (sample.shakmaty.clone(), texts(sample))).collect(),
            |position, san, _| {
                let san = SanPlus::from_ascii(san.as_bytes()).expect("the move is well formed");
                black_box(san.san.to_move(position)).expect("the move is legal");
            },
        ),
    )
}

fn san_writing(samples: &[Sample]) -> Comparison {
    let SampleMoves { tabiya, cozy, shakmaty } = SampleMoves::of(samples);
    Comparison::new(
        "write SAN",
        each_move(tabiya, |position, mv, buffer| {
            write!(buffer, "{}", position.san(*mv)).expect("a string takes everything");
        }),
        each_move(cozy, |board, mv, buffer| {
            write!(buffer, "{}", display_san_move(board, *mv)).expect("a string takes everything");
        }),
        each_move(shakmaty, |position, mv, buffer| {
            SanPlus::from_move(position.clone(), *mv).append_to_string(buffer);
        }),
    )
}
