//! Positions, moves and keys against cozy-chess and shakmaty, along random games.

use crate::notation;
use crate::random::{Random, Start, choose, scattered_fen};
use cozy_chess::Board as Cozy;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use std::collections::HashMap;
use tabiya_core::{Board, Key, Move};
use tabiya_movegen::Position;

/// One position in three crates.
struct Trio {
    ours: Position,
    cozy: Cozy,
    shakmaty: Chess,
}

/// From, to and promotion of a move in 15 bits, with castling as "king takes rook".
fn code(from: usize, to: usize, promotion: Option<usize>) -> u16 {
    (from | to << 6 | promotion.unwrap_or(0) << 12) as u16
}

fn our_code(mv: Move) -> u16 {
    code(mv.from().index(), mv.to().index(), mv.promotion().map(|piece| piece.index()))
}

fn cozy_code(mv: cozy_chess::Move) -> u16 {
    code(mv.from as usize, mv.to as usize, mv.promotion.map(|piece| piece as usize))
}

fn shakmaty_code(mv: shakmaty::Move) -> u16 {
    match mv.to_uci(CastlingMode::Chess960) {
        // Roles are numbered from 1.
        UciMove::Normal { from, to, promotion } => {
            code(from.to_usize(), to.to_usize(), promotion.map(|role| role as usize - 1))
        }
        other => panic!("{other} in ordinary chess"),
    }
}

impl Trio {
    /// The position in all three crates, unless one of them refuses it.
    fn from_fen(fen: &str) -> Option<Trio> {
        Some(Trio {
            ours: Position::from_fen(fen).ok()?,
            cozy: Cozy::from_fen(fen, true).ok()?,
            shakmaty: fen.parse::<Fen>().ok()?.into_position(CastlingMode::Chess960).ok()?,
        })
    }

    fn cozy_moves(&self) -> Vec<cozy_chess::Move> {
        let mut moves = Vec::new();
        self.cozy.generate_moves(|of_piece| {
            moves.extend(of_piece);
            false
        });
        moves
    }

    fn play(&mut self, mv: Move) {
        let wanted = our_code(mv);
        let cozy = self.cozy_moves().into_iter().find(|&other| cozy_code(other) == wanted);
        let shakmaty = self.shakmaty.legal_moves().into_iter().find(|&other| shakmaty_code(other) == wanted);
        self.ours = self.ours.play(mv).expect("a generated move is legal");
        self.cozy.play_unchecked(cozy.expect("cozy-chess has the move too"));
        self.shakmaty.play_unchecked(shakmaty.expect("shakmaty has the move too"));
    }

    fn assert_agree(&self) {
        let fen = self.ours.to_string();
        let sorted = |mut codes: Vec<u16>| {
            codes.sort_unstable();
            codes
        };
        let moves = sorted(self.ours.legal_moves().iter().map(|&mv| our_code(mv)).collect());
        let cozy = sorted(self.cozy_moves().into_iter().map(cozy_code).collect());
        let shakmaty = sorted(self.shakmaty.legal_moves().into_iter().map(shakmaty_code).collect());
        assert_eq!(moves, cozy, "moves in {fen}, cozy-chess on the right");
        assert_eq!(moves, shakmaty, "moves in {fen}, shakmaty on the right");

        assert_eq!(fen, Fen::from_position(&self.shakmaty, EnPassantMode::Legal).to_string());
        assert_eq!(self.ours.checkers().0, self.cozy.checkers().0, "checkers in {fen}");
        assert_eq!(self.ours.checkers().0, self.shakmaty.checkers().0, "checkers in {fen}");
        let pinned = self.cozy.pinned() & self.cozy.colors(self.cozy.side_to_move());
        assert_eq!(self.ours.pinned().0, pinned.0, "pinned pieces in {fen}");

        assert_eq!(self.ours.is_checkmate(), self.shakmaty.is_checkmate(), "mate in {fen}");
        assert_eq!(self.ours.is_stalemate(), self.shakmaty.is_stalemate(), "stalemate in {fen}");
        assert_eq!(self.ours.is_dead(), self.shakmaty.is_insufficient_material(), "material in {fen}");
    }
}

/// What a position promises by itself: its keys, and that its FEN is all of it.
fn assert_consistent(position: &Position) {
    let fen = position.to_string();
    assert_eq!(position.key(), position.key_from_scratch(), "key of {fen}");
    assert_eq!(position.pawn_key(), position.pawn_key_from_scratch(), "pawn key of {fen}");
    assert_eq!(Position::from_fen(&fen).as_ref(), Ok(position));
    assert_eq!(Position::from_fen(&format!("{position:#}")).as_ref(), Ok(position));
    assert_eq!(Board::from_fen_strict(&fen).and_then(|_| Position::from_fen(&fen)).as_ref(), Ok(position));
    assert_eq!(Position::new(position.board().clone()).as_ref(), Ok(position));
}

/// Positions by their text without the counters, to see that equal ones have equal keys and others
/// do not.
#[derive(Default)]
struct Keys {
    by_text: HashMap<String, Key>,
    by_key: HashMap<Key, String>,
}

impl Keys {
    fn check(&mut self, trio: &Trio) {
        let text = shakmaty::fen::Epd::from_position(&trio.shakmaty, EnPassantMode::Legal).to_string();
        let key = trio.ours.key();
        assert_eq!(*self.by_text.entry(text.clone()).or_insert(key), key, "two keys for {text}");
        assert_eq!(*self.by_key.entry(key).or_insert(text.clone()), text, "one key for two positions");
    }
}

/// How often each thing has been seen, to be sure that the games have some of each.
#[derive(Default, Debug)]
struct Tally {
    positions: usize,
    checks: usize,
    double_checks: usize,
    castlings: usize,
    en_passants: usize,
    promotions: usize,
    game_ends: usize,
}

impl Tally {
    fn count(&mut self, position: &Position, mv: Option<Move>) {
        self.positions += 1;
        self.checks += usize::from(position.in_check());
        self.double_checks += usize::from(position.checkers().more_than_one());
        self.game_ends += usize::from(mv.is_none());
        if let Some(mv) = mv {
            self.castlings += usize::from(mv.is_castle());
            self.en_passants += usize::from(mv.is_en_passant());
            self.promotions += usize::from(mv.promotion().is_some());
        }
    }

    fn assert_varied(&self) {
        let rarest = [self.double_checks, self.castlings, self.en_passants, self.promotions, self.game_ends];
        assert!(rarest.iter().all(|&count| count > self.positions / 10_000), "{self:?}");
    }
}

/// Random games until there have been so many positions. Every position is compared in all ways;
/// the SAN of all its moves in one position of `san_every`.
fn games(start: Start, positions: usize, san_every: usize, seed: u64) {
    let mut random = Random::new(seed);
    let (mut tally, mut keys) = (Tally::default(), Keys::default());
    while tally.positions < positions {
        let fen = start.fen(&mut random);
        let mut trio = Trio::from_fen(&fen).expect("all crates know the start positions");
        for _ in 0..200 {
            trio.assert_agree();
            assert_consistent(&trio.ours);
            keys.check(&trio);
            let mv = choose(&trio.ours, &mut random);
            tally.count(&trio.ours, mv);
            let Some(mv) = mv else { break };
            if random.below(san_every) == 0 {
                notation::assert_all_moves_agree(&trio.ours, &trio.shakmaty);
            } else {
                notation::assert_move_agrees(&trio.ours, &trio.shakmaty, mv);
            }
            trio.play(mv);
        }
    }
    tally.assert_varied();
}

#[test]
fn standard_games() {
    games(Start::Standard, 80_000, 8, 41);
}

#[test]
fn chess960_games() {
    games(Start::Chess960, 80_000, 8, 42);
}

#[test]
fn double_chess960_games() {
    games(Start::DoubleChess960, 60_000, 8, 43);
}

/// Pieces thrown on the board, as far as all three crates call it a position.
fn scattered(positions: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut seen = 0;
    while seen < positions {
        let Some(trio) = Trio::from_fen(&scattered_fen(&mut random)) else { continue };
        trio.assert_agree();
        assert_consistent(&trio.ours);
        notation::assert_all_moves_agree(&trio.ours, &trio.shakmaty);
        seen += 1;
    }
}

#[test]
fn scattered_pieces() {
    scattered(30_000, 44);
}

/// The same moves in another order: where they lead to the same position, the keys are equal, and
/// the positions too but for their counters.
#[test]
fn transpositions_have_equal_keys() {
    let mut random = Random::new(45);
    let mut transpositions = 0;
    while transpositions < 2_000 {
        let fen = Start::Chess960.fen(&mut random);
        let mut position = Position::from_fen(&fen).expect("a start position is legal");
        for _ in 0..100 {
            let line = |moves: [Move; 3]| {
                moves.iter().try_fold(position.clone(), |position, &mv| position.play(mv)).ok()
            };
            let Some(first) = choose(&position, &mut random) else { break };
            let after = position.play(first).expect("it was generated");
            let Some(reply) = choose(&after, &mut random) else { break };
            let after = after.play(reply).expect("it was generated");
            let Some(second) = choose(&after, &mut random) else { break };
            if let (Some(a), Some(b)) = (line([first, reply, second]), line([second, reply, first])) {
                let text =
                    |position: &Position| position.to_string().rsplitn(3, ' ').nth(2).map(str::to_string);
                assert_eq!(text(&a) == text(&b), a.key() == b.key(), "{a} and {b}");
                assert_eq!(a.to_string() == b.to_string(), a == b, "{a} and {b}");
                transpositions += usize::from(first != second && a.key() == b.key());
            }
            position.play_unchecked(first);
        }
    }
}

/// The long version: millions of positions, for a release build.
#[test]
#[ignore = "takes minutes; meant for a release build"]
fn many_games() {
    for seed in 200..205 {
        for start in [Start::Standard, Start::Chess960, Start::DoubleChess960] {
            games(start, 100_000, 4, seed);
        }
        scattered(100_000, seed);
    }
}
