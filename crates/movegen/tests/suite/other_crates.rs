//! Positions, moves and keys against cozy-chess and shakmaty, in random games.

use crate::notation;
use crate::random::{Start, random_move, scattered_fen};
use cozy_chess::Board as Cozy;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use std::collections::HashMap;
use tabiya_core::{Board, Key, Move, SplitMix64};
use tabiya_movegen::Position;

/// The same position in three crates.
struct Trio {
    ours: Position,
    cozy: Cozy,
    shakmaty: Chess,
}

/// Encodes origin, target and promotion of a move in 15 bits, with castling as "king takes own rook".
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
        // shakmaty numbers roles from 1.
        UciMove::Normal { from, to, promotion } => {
            code(from.to_usize(), to.to_usize(), promotion.map(|role| role as usize - 1))
        }
        other => panic!("{other} in ordinary chess"),
    }
}

impl Trio {
    /// Sets up the position in all three crates; `None` if one of them rejects it.
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
        let code = our_code(mv);
        let cozy = self.cozy_moves().into_iter().find(|&other| cozy_code(other) == code);
        let shakmaty = self.shakmaty.legal_moves().into_iter().find(|&other| shakmaty_code(other) == code);
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

/// Asserts a position's invariants: incremental keys are correct, and its FEN round-trips.
fn assert_consistent(position: &Position) {
    let fen = position.to_string();
    assert_eq!(position.key(), position.key_from_scratch(), "key of {fen}");
    assert_eq!(position.pawn_key(), position.pawn_key_from_scratch(), "pawn key of {fen}");
    assert_eq!(Position::from_fen(&fen).as_ref(), Ok(position));
    assert_eq!(Position::from_fen(&format!("{position:#}")).as_ref(), Ok(position));
    assert_eq!(Board::from_fen_strict(&fen).and_then(|_| Position::from_fen(&fen)).as_ref(), Ok(position));
    assert_eq!(Position::new(position.board().clone()).as_ref(), Ok(position));
}

/// Positions by text (without counters) and by key, to check that exactly equal positions have equal keys.
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

/// Counts of rare events, to assert that the random games contain enough of each.
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

/// Plays random games with at least `positions` positions in all and compares every position. SAN is compared for all
/// moves of one position in `san_every`, and for the move played in the others.
fn games(start: Start, positions: usize, san_every: usize, seed: u64) {
    let mut random = SplitMix64::new(seed);
    let (mut tally, mut keys) = (Tally::default(), Keys::default());
    while tally.positions < positions {
        let fen = start.fen(&mut random);
        let mut trio = Trio::from_fen(&fen).expect("all crates accept the start positions");
        for _ in 0..200 {
            trio.assert_agree();
            assert_consistent(&trio.ours);
            keys.check(&trio);
            let mv = random_move(&trio.ours, &mut random);
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

/// Compares positions with scattered pieces that all three crates accept.
fn scattered(positions: usize, seed: u64) {
    let mut random = SplitMix64::new(seed);
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

/// Plays moves in two orders: keys are equal if and only if the positions are the same apart from their counters.
#[test]
fn transpositions_have_equal_keys() {
    let mut random = SplitMix64::new(45);
    let mut transpositions = 0;
    while transpositions < 2_000 {
        let fen = Start::Chess960.fen(&mut random);
        let mut position = Position::from_fen(&fen).expect("a start position is legal");
        for _ in 0..100 {
            let line = |moves: [Move; 3]| {
                moves.iter().try_fold(position.clone(), |position, &mv| position.play(mv)).ok()
            };
            let Some(first) = random_move(&position, &mut random) else { break };
            let after = position.play(first).expect("it was generated");
            let Some(reply) = random_move(&after, &mut random) else { break };
            let after = after.play(reply).expect("it was generated");
            let Some(second) = random_move(&after, &mut random) else { break };
            if let (Some(a), Some(b)) = (line([first, reply, second]), line([second, reply, first])) {
                assert_eq!(a.epd() == b.epd(), a.key() == b.key(), "{a} and {b}");
                assert_eq!(a.to_string() == b.to_string(), a == b, "{a} and {b}");
                transpositions += usize::from(first != second && a.key() == b.key());
            }
            position.play_unchecked(first);
        }
    }
}

/// Millions of positions.
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
