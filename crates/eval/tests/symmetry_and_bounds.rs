//! Properties that hold for both evaluations on thousands of positions of random games: turning
//! the colours round changes nothing, values stay within their bounds, the parts of a trace add up.

use tabiya_core::{Board, CastlingRights, CastlingSide, Color, MATE_IN_MAX_PLY, Piece, Square};
use tabiya_eval::handcrafted::{self, evaluate, trace};
use tabiya_eval::{Evaluate, Evaluation, classic};
use tabiya_movegen::Position;

/// A small generator of pseudo-random numbers (xorshift), so that every run sees the same games.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as usize % bound
    }
}

/// Visits the positions of `games` random games from `start`, the last ones included.
fn random_games(start: &Position, games: u64, mut visit: impl FnMut(&Position)) {
    for game in 1..=games {
        let mut dice = Dice(game.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut position = start.clone();
        for _ in 0..150 {
            visit(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[dice.below(moves.len())]);
        }
    }
}

/// The same position with Black as White: mirrored top to bottom, all colours exchanged.
fn turned_round(position: &Position) -> Position {
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
    let board: Board = builder.build().expect("a legal position turned round is legal");
    Position::new(board).expect("a legal position turned round is legal")
}

/// The same position with left and right exchanged; nothing if somebody may castle.
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
    let board: Board = builder.build().expect("a legal position mirrored is legal");
    Some(Position::new(board).expect("a legal position mirrored is legal"))
}

/// As many positions of random games as the main evaluation's properties are checked on.
fn hundred_thousand(mut visit: impl FnMut(&Position)) {
    let mut seen = 0;
    for start in starts() {
        random_games(&start, 110, |position| {
            visit(position);
            seen += 1;
        });
    }
    assert!(seen > 100_000, "only {seen} positions");
}

#[test]
fn left_and_right_are_equal() {
    hundred_thousand(|position| {
        if let Some(mirrored) = mirrored(position) {
            assert_eq!(evaluate(position), evaluate(&mirrored), "{position} mirrored is {mirrored}");
        }
    });
}

#[test]
fn memory_changes_nothing() {
    let mut evaluator = handcrafted::Evaluator::new();
    hundred_thousand(|position| {
        let value = evaluate(position);
        assert_eq!(evaluator.evaluate(position), value, "{position}");
        assert!(value.abs() < MATE_IN_MAX_PLY, "{value} for {position}");
        let turned = turned_round(position);
        assert_eq!(evaluator.evaluate(&turned), value, "{position} turned round is {turned}");
    });
    evaluator.clear();
    assert_eq!(evaluator.evaluate(&Position::startpos()), evaluate(&Position::startpos()));
}

fn starts() -> Vec<Position> {
    let mut starts: Vec<Position> = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/PPPPPP2/7k/8/8/7K/pppppp2/8 w - - 0 1",
        "8/8/2bk4/8/8/3KBN2/8/8 w - - 0 1",
    ]
    .map(|fen| Position::from_fen(fen).expect(fen))
    .into();
    starts.extend([0, 100, 959].into_iter().filter_map(Position::chess960));
    starts
}

#[test]
fn colours_are_equal() {
    let mut seen = 0;
    for start in starts() {
        random_games(&start, 12, |position| {
            let turned = turned_round(position);
            for &evaluation in Evaluation::ALL {
                assert_eq!(
                    evaluation.evaluate(position),
                    evaluation.evaluate(&turned),
                    "{evaluation}: {position} turned round is {turned}"
                );
            }
            assert_eq!(classic::white_value(position), -classic::white_value(&turned), "{position}");
            seen += 1;
        });
    }
    assert!(seen > 5_000, "only {seen} positions");
}

#[test]
fn turning_round_keeps_every_classic_term() {
    random_games(&starts()[0], 4, |position| {
        let (one, other) = (classic::trace(position), classic::trace(&turned_round(position)));
        let of = |trace: &classic::Trace, color: Color| -> Vec<_> {
            trace
                .pieces
                .iter()
                .filter(|piece| piece.piece.color() == color)
                .map(|piece| (piece.square.relative_to(color), piece.terms().collect::<Vec<_>>()))
                .collect()
        };
        for color in Color::ALL {
            assert_eq!(of(&one, color), of(&other, !color), "{position}");
            assert_eq!(one.sides[color.index()], other.sides[(!color).index()], "{position}");
        }
    });
}

#[test]
fn values_stay_below_mates() {
    for start in starts() {
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
    // The most material that the rules allow, and a mate on the board.
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
fn traces_add_up() {
    for start in starts() {
        random_games(&start, 3, |position| {
            let main = trace(position);
            assert_eq!(main.value, Evaluation::Handcrafted.evaluate(position), "{position}\n{main}");
            let classic = classic::trace(position);
            assert_eq!(classic.value, Evaluation::Classic.evaluate(position), "{position}\n{classic}");
            assert_eq!(classic.white_value, classic::white_value(position), "{position}\n{classic}");
        });
    }
}

#[test]
fn more_is_better() {
    let value = |fen: &str| Evaluation::Handcrafted.evaluate(&Position::from_fen(fen).expect(fen));
    let even = value("r1bqk2r/ppp2ppp/2n2n2/3pp3/3PP3/2N2N2/PPP2PPP/R1BQK2R w KQkq - 0 1");
    assert!((0..60).contains(&even), "{even}");
    for (fen, least) in [
        ("r1bqk2r/ppp2ppp/2n2n2/3p4/3PP3/2N2N2/PPP2PPP/R1BQK2R w KQkq - 0 1", 60),
        ("r1bqk2r/ppp2ppp/5n2/3pp3/3PP3/2N2N2/PPP2PPP/R1BQK2R w KQkq - 0 1", 280),
        ("r1bqk3/ppp2ppp/2n2n2/3pp3/3PP3/2N2N2/PPP2PPP/R1BQK2R w KQq - 0 1", 380),
        ("r1b1k2r/ppp2ppp/2n2n2/3pp3/3PP3/2N2N2/PPP2PPP/R1BQK2R w KQkq - 0 1", 800),
    ] {
        assert!(value(fen) > least, "{} for {fen}", value(fen));
    }
}
