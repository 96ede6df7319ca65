//! Repetition, the fifty- and seventy-five-move rules and dead positions: games with the plies at which each first
//! applies, and the corner cases of the rules.

use crate::data;
use tabiya_core::Color;
use tabiya_movegen::{DrawReason, Game, Outcome, Position, WinReason};

fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let position = game.position();
        let mv = position.parse_uci(text).unwrap_or_else(|error| panic!("{text} in {position}: {error}"));
        game.play(mv).unwrap_or_else(|error| panic!("{error}"));
    }
}

fn game_from(fen: &str) -> Game {
    Game::from_position(Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")))
}

fn draw(reason: DrawReason) -> Option<Outcome> {
    Some(Outcome::Draw { reason })
}

/// The first ply at which each condition held.
#[derive(Default, Debug, PartialEq, Eq)]
struct Firsts {
    twofold: Option<usize>,
    threefold: Option<usize>,
    fivefold: Option<usize>,
    fifty: Option<usize>,
    seventy_five: Option<usize>,
    dead: Option<usize>,
}

impl Firsts {
    fn note(&mut self, game: &Game) {
        let ply = game.moves().len();
        let note = |first: &mut Option<usize>, holds: bool| {
            if holds {
                first.get_or_insert(ply);
            }
        };
        let clock = game.position().halfmove_clock();
        note(&mut self.twofold, game.repetitions() >= 2);
        note(&mut self.threefold, game.repetitions() >= 3);
        note(&mut self.fivefold, game.repetitions() >= 5);
        note(&mut self.fifty, clock >= 100);
        note(&mut self.seventy_five, clock >= 150);
        note(&mut self.dead, game.position().is_dead());
        self.assert_consistent(game);
    }

    /// Asserts that the game's claims and outcome agree with the counts.
    fn assert_consistent(&self, game: &Game) {
        let position = game.position();
        let clock = position.halfmove_clock();
        let expected = if position.is_checkmate() {
            None
        } else if game.repetitions() >= 3 {
            Some(DrawReason::Repetition)
        } else {
            (clock >= 100).then_some(DrawReason::FiftyMoves)
        };
        assert_eq!(game.claimable_draw(), expected, "in {position}");
        let ends =
            !position.has_legal_move() || position.is_dead() || clock >= 150 || game.repetitions() >= 5;
        assert_eq!(game.outcome().is_some(), ends, "{:?} in {position}", game.outcome());
    }
}

/// The longest possible game: no counter reaches its limit and no position occurs five times before mate. All 17,697
/// plies are parsed, undone, redone and written.
#[test]
fn longest_game() {
    let text = data::text("rules/longest.pgn");
    let mut game: Game = text.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(game.moves().len(), 17_697);
    assert_eq!(game.position().fullmove_number(), 8_849);
    assert_eq!(game.outcome(), Some(Outcome::Win { winner: Color::White, reason: WinReason::Checkmate }));

    let (keys, last): (Vec<_>, _) = (game.keys().collect(), game.position().clone());
    assert!(game.positions().all(|position| position.halfmove_clock() <= 150));
    assert!(keys.iter().zip(game.positions()).all(|(&key, position)| key == position.key_from_scratch()));
    while game.undo().is_some() {
        assert!(game.outcome().is_none() && game.repetitions() < 5, "at ply {}", game.moves().len());
    }
    assert_eq!(game.position(), &Position::startpos());
    while game.redo().is_some() {}
    assert_eq!(game.position(), &last);
    assert!(game.keys().eq(keys));
    let written: Game = game.to_pgn().to_string().parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(written.moves(), game.moves());
}

#[test]
fn recorded_games() {
    let rows = data::rows::<11>("rules/draw_truth.tsv");
    assert!(rows.len() > 50);
    for [source, start, twofold, threefold, fivefold, fifty, seventy_five, dead, end, end_fen, moves] in rows
    {
        let mut game = game_from(&start);
        let mut firsts = Firsts::default();
        firsts.note(&game);
        for text in moves.split_whitespace() {
            play(&mut game, text);
            firsts.note(&game);
        }
        let ply = |cell: &str| cell.parse().ok();
        let expected = Firsts {
            twofold: ply(&twofold),
            threefold: ply(&threefold),
            fivefold: ply(&fivefold),
            fifty: ply(&fifty),
            seventy_five: ply(&seventy_five),
            dead: ply(&dead),
        };
        assert_eq!(firsts, expected, "{source}: {start} {moves}");
        assert_eq!(game.position().to_string(), end_fen, "{source}");
        assert_eq!(game.position().is_checkmate(), end == "checkmate", "{source}");
        assert_eq!(game.position().is_stalemate(), end == "stalemate", "{source}");
    }
}

#[test]
fn threefold_repetition_is_claimable_and_fivefold_ends_the_game() {
    let mut game = Game::new();
    let there_and_back = "g1f3 g8f6 f3g1 f6g8 ";
    assert_eq!(game.repetitions(), 1);
    play(&mut game, there_and_back);
    assert_eq!((game.repetitions(), game.claimable_draw(), game.outcome()), (2, None, None));
    play(&mut game, there_and_back);
    assert_eq!((game.repetitions(), game.claimable_draw()), (3, Some(DrawReason::Repetition)));
    assert_eq!(game.outcome(), None);
    play(&mut game, there_and_back);
    assert_eq!((game.repetitions(), game.outcome()), (4, None));
    play(&mut game, there_and_back);
    assert_eq!((game.repetitions(), game.outcome()), (5, draw(DrawReason::FivefoldRepetition)));
    // The game can be continued, and a pawn move ends the draw.
    play(&mut game, "e2e4");
    assert_eq!((game.repetitions(), game.claimable_draw(), game.outcome()), (1, None, None));
}

#[test]
fn repetitions_need_not_be_consecutive() {
    let mut game = Game::new();
    play(&mut game, "g1f3 g8f6 b1c3 b8c6 f3g1 f6g8 c3b1 c6b8");
    assert_eq!(game.repetitions(), 2);
    // The position is the same although the knights have swapped their squares.
    play(&mut game, "g1f3 g8f6 f3d4 f6d5 d4b3 d5b6 b1a3 b8a6 a3b1 a6b8");
    assert_eq!(game.repetitions(), 2);
}

#[test]
fn positions_with_different_castling_rights_are_different() {
    let mut game = game_from("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    play(&mut game, "a1b1 a8b8 b1a1 b8a8");
    assert_eq!(game.repetitions(), 1, "both sides have lost a castling right");
    play(&mut game, "a1b1 a8b8 b1a1 b8a8 a1b1 a8b8 b1a1 b8a8");
    assert_eq!((game.repetitions(), game.claimable_draw()), (3, Some(DrawReason::Repetition)));
}

#[test]
fn en_passant_distinguishes_positions_only_if_legal() {
    // After a2a4 the pawn on b4 may capture; four plies later it may not.
    let mut game = game_from("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1");
    play(&mut game, "a2a4 e8e7 e1e2 e7e8 e2e1");
    assert_eq!(game.repetitions(), 1);
    play(&mut game, "e8e7 e1e2 e7e8 e2e1");
    assert_eq!(game.repetitions(), 2);
    // Here the pawn that could capture is pinned to its king.
    let mut game = game_from("1k6/8/8/8/1p6/8/P7/1R2K3 w - - 0 1");
    play(&mut game, "a2a4");
    assert_eq!(game.position().en_passant(), None);
    play(&mut game, "b8b7 e1e2 b7b8 e2e1");
    assert_eq!(game.repetitions(), 2);
}

#[test]
fn fifty_moves_are_claimable_and_seventy_five_end_the_game() {
    let mut game = game_from("4k3/8/8/8/8/8/8/R3K3 w Q - 99 80");
    assert_eq!(game.claimable_draw(), None);
    play(&mut game, "a1a2");
    assert_eq!((game.claimable_draw(), game.outcome()), (Some(DrawReason::FiftyMoves), None));

    let mut game = game_from("4k3/8/8/8/8/8/8/R3K3 w Q - 149 100");
    assert_eq!((game.claimable_draw(), game.outcome()), (Some(DrawReason::FiftyMoves), None));
    play(&mut game, "a1a2");
    assert_eq!(game.outcome(), draw(DrawReason::SeventyFiveMoves));
}

#[test]
fn checkmate_precedes_the_move_counters() {
    let mut game = game_from("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 149 100");
    play(&mut game, "a1a8");
    let mate = Outcome::Win { winner: Color::White, reason: WinReason::Checkmate };
    assert_eq!((game.outcome(), game.claimable_draw()), (Some(mate), None));
    assert_eq!((mate.result(), mate.winner()), ("1-0", Some(Color::White)));
}

#[test]
fn stalemate_and_dead_positions_end_the_game() {
    let game = game_from("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(game.outcome(), draw(DrawReason::Stalemate));
    let mut game = game_from("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1");
    assert_eq!(game.outcome(), None);
    play(&mut game, "e1d2");
    assert_eq!(game.outcome(), draw(DrawReason::DeadPosition));
    assert_eq!(game.outcome().map(|outcome| (outcome.result(), outcome.winner())), Some(("1/2-1/2", None)));
}

#[test]
fn repetitions_before_the_start_position_are_unknown() {
    // The halfmove clock of 60 reaches back before the start of the game.
    let mut game = game_from("4k3/8/8/8/8/8/8/R3K3 w Q - 60 80");
    assert_eq!(game.repetitions(), 1);
    play(&mut game, "a1a2 e8e7 a2a1 e7e8");
    assert_eq!(game.repetitions(), 1, "White has lost the right to castle");
    play(&mut game, "a1a2 e8e7 a2a1 e7e8");
    assert_eq!(game.repetitions(), 2);
}
