//! Properties of the evaluations on positions of random games and with extreme material: symmetry under exchange
//! of colours and files, bounds, independence of caches, and traces that agree with the values.

use tabiya_core::{
    Board, BoardBuilder, CastlingRights, Color, Piece, PieceType, SplitMix64, Square, TB_WIN_IN_MAX_PLY,
};
use tabiya_eval::handcrafted::{self, Unit, evaluate, trace};
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
        assert!(value.abs() < TB_WIN_IN_MAX_PLY, "{value} for {position}");
        let flipped = position.mirror();
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
            let flipped = position.mirror();
            for evaluation in Evaluation::available() {
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
        let (original, flipped) = (classic::trace(position), classic::trace(&position.mirror()));
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
fn values_are_not_decisive() {
    for start in start_positions() {
        random_games(&start, 6, |position| {
            for evaluation in Evaluation::available() {
                let value = evaluation.evaluate(position);
                assert!(value.abs() < TB_WIN_IN_MAX_PLY, "{evaluation}: {value} for {position}");
            }
            if position.is_dead() {
                assert_eq!(Evaluation::Handcrafted.evaluate(position), 0, "{position}");
            }
        });
    }
    // The most material that a game can produce, and mates on the board.
    for fen in [
        "7k/8/8/8/8/1QQQQ3/1QQQQQ2/RNB1KBNR b KQ - 0 1",
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1",
    ] {
        let position = Position::from_fen(fen).expect(fen);
        for evaluation in Evaluation::available() {
            let value = evaluation.evaluate(&position);
            assert!(value.abs() < TB_WIN_IN_MAX_PLY, "{evaluation}: {value} for {fen}");
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

/// Returns a random position with up to fifteen knights, bishops, rooks or queens a side; `None` if it is illegal.
/// Most have a type of which a side has far more pieces than any game can produce.
fn extreme_position(random: &mut SplitMix64) -> Option<Position> {
    const PIECE_TYPES: [PieceType; 4] =
        [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    let mut builder = BoardBuilder::empty();
    let mut put = |random: &mut SplitMix64, piece: Piece| {
        let square = match piece.piece_type() {
            PieceType::Pawn => Square::ALL[8 + random.below(48)],
            _ => Square::ALL[random.below(64)],
        };
        let is_empty = builder.pieces[square.index()].is_none();
        if is_empty {
            builder.pieces[square.index()] = Some(piece);
        }
        is_empty
    };
    for color in Color::ALL {
        while !put(random, Piece::new(color, PieceType::King)) {}
        let favourite = PIECE_TYPES[random.below(4)];
        let pieces = random.below(16);
        for _ in 0..pieces {
            let other = PIECE_TYPES[random.below(4)];
            let piece_type = if random.below(10) > 0 { favourite } else { other };
            put(random, Piece::new(color, piece_type));
        }
        for _ in 0..random.below(9.min(16 - pieces)) {
            put(random, Piece::new(color, PieceType::Pawn));
        }
    }
    builder.side_to_move = Color::ALL[random.below(2)];
    builder.build().ok().map(|board| Position::new(board).expect("a built board is legal"))
}

/// Asserts that no half of a packed score overflows: adds up the weights without packing them.
fn assert_scores_fit(trace: &handcrafted::Trace, position: &Position) {
    let assert_fits = |value: i32, what: &str| {
        assert!(i16::try_from(value).is_ok(), "{what}: {value} for {position}");
    };
    let mut total = (0, 0);
    for term in &trace.terms {
        let weights = || trace.weights.iter().filter(|weight| weight.term == term.term);
        let white = weights().fold((0, 0), |(mg, eg), w| (mg + w.mg * w.white, eg + w.eg * w.white));
        let black = weights().fold((0, 0), |(mg, eg), w| (mg + w.mg * w.black, eg + w.eg * w.black));
        for value in [white.0, white.1, black.0, black.1] {
            assert_fits(value, term.term.name());
        }
        if term.term.unit() == Unit::Centipawns {
            assert_eq!((term.white.mg(), term.white.eg()), white, "{}: {position}", term.term);
            assert_eq!((term.black.mg(), term.black.eg()), black, "{}: {position}", term.term);
        }
        if term.term.unit() != Unit::Percent {
            total.0 += term.white.mg() - term.black.mg();
            total.1 += term.white.eg() - term.black.eg();
        }
    }
    assert_fits(total.0, "middlegame");
    assert_fits(total.1, "endgame");
    assert_eq!(trace.total.mg(), total.0, "{position}");
}

fn assert_extreme_position_is_evaluated(position: &Position) {
    for evaluation in Evaluation::available() {
        let value = evaluation.evaluate(position);
        assert!(value.abs() < TB_WIN_IN_MAX_PLY, "{evaluation}: {value} for {position}");
        assert_eq!(value, evaluation.evaluate(&position.mirror()), "{evaluation}: {position}");
    }
    let trace = trace(position);
    assert_eq!(trace.value, evaluate(position), "{position}");
    assert_scores_fit(&trace, position);
    assert_eq!(classic::trace(position).value, classic::evaluate(position), "{position}");
}

#[test]
fn extreme_material_is_evaluated_without_overflow() {
    let mut random = SplitMix64::new(1);
    let (mut seen, mut most_queens) = (0, 0);
    while seen < 10_000 {
        let Some(position) = extreme_position(&mut random) else { continue };
        assert_extreme_position_is_evaluated(&position);
        let queens = Color::ALL.map(|color| position.pieces(color, PieceType::Queen).count());
        most_queens = most_queens.max(queens[0]).max(queens[1]);
        seen += 1;
    }
    assert!(most_queens >= 13, "at most {most_queens} queens");
    for fen in [
        "kqqqqqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQK w - - 0 1",
        "7k/6pp/8/Q2Q4/1QQ1Q3/QQ2QQ2/QQQQ4/Q6K w - - 0 1",
        "QQQQQQQQ/QQQQQQQ1/8/8/8/8/5k2/7K b - - 0 1",
        "rrrrrrrr/rrrrrrrk/8/8/8/8/NNNNNNNN/KNNNNNNN w - - 0 1",
        "1k6/1ppppppp/8/p7/BBBBBBBB/BBBBBBB1/8/K7 b - - 0 1",
        "QQQQQQQ1/QQQQQQQQ/8/8/2K5/8/pppppppp/7k b - - 0 1",
    ] {
        assert_extreme_position_is_evaluated(&Position::from_fen(fen).expect(fen));
    }
}
