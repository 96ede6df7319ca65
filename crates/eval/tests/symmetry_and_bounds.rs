//! Properties of both evaluations on positions of random games: symmetry under exchange of colours and files,
//! bounds, independence of caches, and traces that agree with the values.

use tabiya_core::{Board, CastlingRights, CastlingSide, Color, MATE_IN_MAX_PLY, Piece, SplitMix64, Square};
use tabiya_eval::handcrafted::{self, evaluate, trace};
use tabiya_eval::{Evaluate, Evaluation, classic};
use tabiya_movegen::Position;

/// Visits all positions of `games` random games from `start`.
fn random_games(start: &Position, games: u64, mut visit: impl FnMut(&Position)) {
    for game in 1..=games {
        let mut random = SplitMix64::new(game);
        let mut position = start.clone();
        for _ in 0..150 {
            visit(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[random.below(moves.len())]);
        }
    }
}

/// The same position with colours exchanged and the board flipped vertically.
fn flipped(position: &Position) -> Position {
    let mut builder = position.board().to_builder();
    builder.pieces = [None; Square::COUNT];
    for square in position.occupied() {
        if let Some(piece) = position.piece_on(square) {
            let other = Piece::new(!piece.color(), piece.piece_type());
            builder.pieces[square.flip_rank().index()] = Some(other);
        }
    }
    let rights = position.castling();
    builder.castling = CastlingRights::NONE;
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            builder.castling.set(!color, side, rights.rook_file(color, side));
        }
    }
    builder.side_to_move = !position.side_to_move();
    builder.en_passant = position.en_passant().map(Square::flip_rank);
    let board: Board = builder.build().expect("a flipped legal position is legal");
    Position::new(board).expect("a flipped legal position is legal")
}

/// The same position with left and right exchanged; `None` if either side has castling rights.
fn mirrored(position: &Position) -> Option<Position> {
    if position.castling() != CastlingRights::NONE {
        return None;
    }
    let mut builder = position.board().to_builder();
    builder.pieces = [None; Square::COUNT];
    for square in position.occupied() {
        builder.pieces[square.flip_file().index()] = position.piece_on(square);
    }
    builder.en_passant = position.en_passant().map(Square::flip_file);
    let board: Board = builder.build().expect("a mirrored legal position is legal");
    Some(Position::new(board).expect("a mirrored legal position is legal"))
}

/// Visits more than 100,000 positions of random games.
fn for_many_positions(mut visit: impl FnMut(&Position)) {
    let mut seen = 0;
    for start in start_positions() {
        random_games(&start, 110, |position| {
            visit(position);
            seen += 1;
        });
    }
    assert!(seen > 100_000, "only {seen} positions");
}

#[test]
fn mirrored_positions_have_equal_values() {
    for_many_positions(|position| {
        if let Some(mirrored) = mirrored(position) {
            assert_eq!(evaluate(position), evaluate(&mirrored), "{position} and {mirrored}");
        }
    });
}

#[test]
fn cached_values_equal_uncached_values() {
    let mut evaluator = handcrafted::Evaluator::new();
    for_many_positions(|position| {
        let value = evaluate(position);
        assert_eq!(evaluator.evaluate(position), value, "{position}");
        assert!(value.abs() < MATE_IN_MAX_PLY, "{value} for {position}");
        let flipped = flipped(position);
        assert_eq!(evaluator.evaluate(&flipped), value, "{position} and {flipped}");
    });
    evaluator.clear();
    assert_eq!(evaluator.evaluate(&Position::startpos()), evaluate(&Position::startpos()));
}

fn start_positions() -> Vec<Position> {
    let mut positions: Vec<Position> = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/PPPPPP2/7k/8/8/7K/pppppp2/8 w - - 0 1",
        "8/8/2bk4/8/8/3KBN2/8/8 w - - 0 1",
    ]
    .map(|fen| Position::from_fen(fen).expect(fen))
    .into();
    positions.extend([0, 100, 959].into_iter().filter_map(Position::chess960));
    positions
}

#[test]
fn flipped_positions_have_equal_values() {
    let mut seen = 0;
    for start in start_positions() {
        random_games(&start, 12, |position| {
            let flipped = flipped(position);
            for &evaluation in Evaluation::ALL {
                assert_eq!(
                    evaluation.evaluate(position),
                    evaluation.evaluate(&flipped),
                    "{evaluation}: {position} and {flipped}"
                );
            }
            assert_eq!(classic::white_value(position), -classic::white_value(&flipped), "{position}");
            seen += 1;
        });
    }
    assert!(seen > 5_000, "only {seen} positions");
}

#[test]
fn flipped_positions_have_equal_classic_terms() {
    random_games(&start_positions()[0], 4, |position| {
        let (original, flipped) = (classic::trace(position), classic::trace(&flipped(position)));
        let pieces = |trace: &classic::Trace, color: Color| -> Vec<_> {
            trace
                .pieces
                .iter()
                .filter(|piece| piece.piece.color() == color)
                .map(|piece| (piece.square.relative_to(color), piece.terms().collect::<Vec<_>>()))
                .collect()
        };
        for color in Color::ALL {
            assert_eq!(pieces(&original, color), pieces(&flipped, !color), "{position}");
            assert_eq!(original.sides[color.index()], flipped.sides[(!color).index()], "{position}");
        }
    });
}

#[test]
fn values_stay_below_mate_values() {
    for start in start_positions() {
        random_games(&start, 6, |position| {
            for &evaluation in Evaluation::ALL {
                let value = evaluation.evaluate(position);
                assert!(value.abs() < MATE_IN_MAX_PLY, "{evaluation}: {value} for {position}");
            }
            if position.is_dead() {
                assert_eq!(Evaluation::Handcrafted.evaluate(position), 0, "{position}");
            }
        });
    }
    // The most material that the rules allow, and mates on the board.
    for fen in [
        "7k/8/8/8/8/1QQQQ3/1QQQQQ2/RNB1KBNR b KQ - 0 1",
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1",
    ] {
        let position = Position::from_fen(fen).expect(fen);
        for &evaluation in Evaluation::ALL {
            let value = evaluation.evaluate(&position);
            assert!(value.abs() < MATE_IN_MAX_PLY, "{evaluation}: {value} for {fen}");
        }
    }
}

#[test]
fn traces_agree_with_values() {
    for start in start_positions() {
        random_games(&start, 3, |position| {
            let handcrafted = trace(position);
            let value = Evaluation::Handcrafted.evaluate(position);
            assert_eq!(handcrafted.value, value, "{position}\n{handcrafted}");
            let classic = classic::trace(position);
            assert_eq!(classic.value, Evaluation::Classic.evaluate(position), "{position}\n{classic}");
            assert_eq!(classic.white_value, classic::white_value(position), "{position}\n{classic}");
        });
    }
}

#[test]
fn extra_material_is_an_advantage() {
    let value = |fen: &str| Evaluation::Handcrafted.evaluate(&Position::from_fen(fen).expect(fen));
    let even = value("r1bqk2r/ppp2ppp/2n2n2/3pp3/3PP3/2N2N2/PPP2PPP/R1BQK2R w KQkq - 0 1");
    // Without a pawn, a knight, a rook and the queen of Black's.
    let missing = [
        "r1bqk2r/ppp2ppp/2n2n2/3p4/3PP3/2N2N2/PPP2PPP/R1BQK2R w KQkq - 0 1",
        "r1bqk2r/ppp2ppp/5n2/3pp3/3PP3/2N2N2/PPP2PPP/R1BQK2R w KQkq - 0 1",
        "r1bqk3/ppp2ppp/2n2n2/3pp3/3PP3/2N2N2/PPP2PPP/R1BQK2R w KQq - 0 1",
        "r1b1k2r/ppp2ppp/2n2n2/3pp3/3PP3/2N2N2/PPP2PPP/R1BQK2R w KQkq - 0 1",
    ]
    .map(value);
    assert!(even < missing[0] && missing.is_sorted(), "{even} {missing:?}");
}
