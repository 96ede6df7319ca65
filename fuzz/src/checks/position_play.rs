//! The check of target `position_play`.

use super::agreement::{assert_agree, assert_attacks_agree, assert_is_legal_agrees};
use super::observed_pieces::ObservedPieces;
use super::oracle::{Board as Oracle, Move as OracleMove};
use super::pgn_replay;
use std::collections::BTreeSet;
use tabiya_core::notation::{San, SanMove, SanSuffix};
use tabiya_core::{Move, PieceType, SplitMix64};
use tabiya_movegen::{DrawReason, Game, Outcome, Position, ResolveSanError, WinReason};

/// The maximum length of a game, in plies. It is limited because the oracle is slow.
const MAX_PLIES: usize = 160;

/// Plays a game and compares the position with the oracle's after each move.
///
/// The first line is the start position: a FEN, the number of a Chess960 position, or two such numbers, for
/// White and for Black. Each byte after it selects one of the legal moves, sorted by their bits, so that
/// the order of generation does not matter.
pub fn position_play(data: &[u8]) {
    let end = data.iter().position(|&byte| byte == b'\n').unwrap_or(data.len());
    let (start, choices) = data.split_at(end);
    let Some(start) = str::from_utf8(start).ok().and_then(start_position) else { return };
    let fen = format!("{start:#}");
    let oracle = Oracle::from_fen(&fen).expect("the oracle parses the written FEN");
    Match {
        game: Game::from_position(start),
        history: vec![without_counters(&fen)],
        oracle_moves: oracle.legal_moves(),
        oracle,
        random: SplitMix64::new(data.len() as u64),
    }
    .play(choices.get(1..).unwrap_or_default());
}

fn start_position(text: &str) -> Option<Position> {
    let mut numbers = text.split_ascii_whitespace().map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(number)), None) => Position::chess960(number),
        (Some(Ok(white)), Some(Ok(black))) => double_chess960(white, black),
        // Reject high counters: they would reach the board's 16-bit limit during the game, but not the oracle's.
        _ => Position::from_fen(text)
            .ok()
            .filter(|position| position.halfmove_clock().max(position.fullmove_number()) < 60_000),
    }
}

/// A start position of double Chess960: each side has its own arrangement of pieces.
fn double_chess960(white: u16, black: u16) -> Option<Position> {
    let [white, black] =
        [format!("{:#}", Position::chess960(white)?), format!("{:#}", Position::chess960(black)?)];
    // The placement starts and ends with the eight pieces of one side; each side has two castling letters.
    let (white_placement, white_rest) = white.split_once(" w ")?;
    let (black_placement, black_rest) = black.split_once(" w ")?;
    let fen = format!(
        "{}{} w {}{} - 0 1",
        black_placement.get(..8)?,
        white_placement.get(8..)?,
        white_rest.get(..2)?,
        black_rest.get(2..4)?
    );
    Some(Position::from_fen(&fen).expect("two Chess960 arrangements make a legal position"))
}

/// The FEN without its counters: the position under the repetition rule.
fn without_counters(fen: &str) -> String {
    fen.rsplitn(3, ' ').last().unwrap_or_default().to_owned()
}

/// The game in progress, as played by `tabiya-movegen` and by the oracle.
struct Match {
    game: Game,
    oracle: Oracle,
    oracle_moves: Vec<OracleMove>,
    /// The oracle's positions so far, without counters.
    history: Vec<String>,
    random: SplitMix64,
}

impl Match {
    fn play(mut self, choices: &[u8]) {
        for &choice in choices.iter().take(MAX_PLIES) {
            self.check();
            let mut moves = self.game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            moves.sort_unstable_by_key(|mv| mv.to_bits());
            self.play_one(moves[usize::from(choice) % moves.len()]);
        }
        self.check();
        if self.next_random().is_multiple_of(16) {
            assert_is_legal_agrees(self.game.position());
            pgn_replay::check_round_trip(&self.game);
        }
        self.check_undo_and_redo();
    }

    fn play_one(&mut self, mv: Move) {
        let position = self.game.position().clone();
        let san = position.san(mv);
        assert_eq!(position.parse_san(&san.to_string()), Ok(mv), "{san} in {position:#}");
        let uci = mv.to_uci(true).to_string();
        let oracle_move = self.oracle_moves.iter().find(|other| other.uci() == uci);
        self.oracle = self.oracle.play(oracle_move.expect("the oracle has the move too"));
        self.oracle_moves = self.oracle.legal_moves();
        let expected = match (self.oracle.in_check(), self.oracle_moves.is_empty()) {
            (false, _) => None,
            (true, false) => Some(SanSuffix::Check),
            (true, true) => Some(SanSuffix::Checkmate),
        };
        assert_eq!(san.suffix, expected, "{san} in {position:#}");

        let mut pieces = ObservedPieces::of(&position);
        let mut observed = position.clone();
        observed.play_observed(mv, &mut pieces);
        assert_eq!(pieces, ObservedPieces::of(&observed), "{uci} in {position:#}");

        self.game.play(mv).expect("a generated move is legal");
        assert_eq!(*self.game.position(), observed, "{uci} in {position:#}");
        self.history.push(without_counters(&self.oracle.fen()));
    }

    fn check(&mut self) {
        let position = self.game.position();
        assert_agree(position, &self.oracle, &self.oracle_moves);
        assert_attacks_agree(position, &self.oracle);
        assert_eq!(position.key(), position.key_from_scratch(), "the key of {position:#}");
        assert_eq!(position.pawn_key(), position.pawn_key_from_scratch(), "the pawn key of {position:#}");
        for written in [position.to_string(), format!("{position:#}")] {
            assert_eq!(Position::from_fen(&written).as_ref(), Ok(position), "{written}");
        }
        let us = position.side_to_move();
        assert_eq!(position.blockers(us) & position.by_color(us), position.pinned(), "{position:#}");
        if !position.in_check() {
            let mut passed = position.clone();
            passed.play_null();
            assert_eq!(passed.key(), passed.key_from_scratch(), "after a null move in {position:#}");
            assert_eq!(Position::from_fen(&passed.to_string()), Ok(passed));
        }
        self.check_outcome();
        self.check_random_bits();
        // Not in every position, because this takes longer than all other checks.
        if self.next_random().is_multiple_of(4) {
            check_notation(self.game.position());
        }
    }

    /// Checks the outcome and claimable draws against those derived from the oracle.
    fn check_outcome(&self) {
        let position = self.game.position();
        let current = self.history.last();
        let repetitions = self.history.iter().filter(|seen| Some(*seen) == current).count();
        assert_eq!(self.game.repetitions(), repetitions, "the repetitions of {position:#}");
        let draw = |reason| Some(Outcome::Draw { reason });
        let clock = position.halfmove_clock();
        let outcome = match self.oracle_moves.is_empty() {
            true if self.oracle.in_check() => {
                Some(Outcome::Win { winner: !position.side_to_move(), reason: WinReason::Checkmate })
            }
            true => draw(DrawReason::Stalemate),
            false if position.is_dead() => draw(DrawReason::DeadPosition),
            false if clock >= 150 => draw(DrawReason::SeventyFiveMoves),
            false if repetitions >= 5 => draw(DrawReason::FivefoldRepetition),
            false => None,
        };
        assert_eq!(self.game.outcome(), outcome, "{position:#}");
        if !position.is_checkmate() {
            let fifty_moves = (clock >= 100).then_some(DrawReason::FiftyMoves);
            let claim = if repetitions >= 3 { Some(DrawReason::Repetition) } else { fifty_moves };
            assert_eq!(self.game.claimable_draw(), claim, "{position:#}");
        }
    }

    /// Checks `is_legal` on random bits, and on legal moves with one bit changed.
    fn check_random_bits(&mut self) {
        let moves = self.game.position().legal_moves();
        let mut candidates = vec![];
        for _ in 0..8 {
            let random = self.next_random();
            candidates.push(random as u16);
            if !moves.is_empty() {
                let mv = moves[(random >> 16) as usize % moves.len()];
                candidates.push(mv.to_bits() ^ 1 << (random >> 60));
            }
        }
        for mv in candidates.into_iter().filter_map(Move::from_bits) {
            let position = self.game.position();
            let listed = moves.contains(&mv);
            assert_eq!(position.is_legal(mv), listed, "{mv:?} {:?} in {position:#}", mv.kind());
            assert_eq!(position.legal_move(mv).is_some(), listed, "{mv:?} {:?} in {position:#}", mv.kind());
            // Only for legal moves, because the error for an illegal one is slow to construct: it contains the FEN.
            if listed {
                assert!(position.play(mv).is_ok(), "{mv:?} in {position:#}");
            }
        }
    }

    /// A random number that also depends on the position, so that inputs of the same length differ.
    fn next_random(&mut self) -> u64 {
        SplitMix64::hash(self.random.next_u64() ^ self.game.position().key())
    }

    /// Undoes all moves of the game and redoes them.
    fn check_undo_and_redo(mut self) {
        let positions: Vec<Position> = self.game.positions().cloned().collect();
        let moves = self.game.moves().to_vec();
        assert_eq!(positions.len(), moves.len() + 1);
        for (index, &mv) in moves.iter().enumerate().rev() {
            assert_eq!(self.game.undo(), Some(mv));
            assert_eq!(*self.game.position(), positions[index]);
        }
        assert_eq!(self.game.undo(), None);
        for (index, &mv) in moves.iter().enumerate() {
            assert_eq!(self.game.redo(), Some(mv));
            assert_eq!(*self.game.position(), positions[index + 1]);
        }
        assert_eq!(self.game.redo(), None);
    }
}

/// Checks that every legal move round-trips through SAN and UCI notation.
fn check_notation(position: &Position) {
    let mut texts = BTreeSet::new();
    for &mv in position.legal_moves().iter() {
        let san = position.san(mv);
        assert_eq!(position.parse_san(&san.to_string()), Ok(mv), "{san} in {position:#}");
        assert!(texts.insert(san.to_string()), "two moves are written {san} in {position:#}");
        assert_eq!(position.gives_check(mv), san.suffix.is_some(), "{san} in {position:#}");
        check_origin(position, mv, san);
        let uci = mv.to_uci(true);
        assert_eq!(position.parse_uci(&uci.to_string()), Ok(mv), "{uci} in {position:#}");
    }
}

/// Checks that the SAN disambiguates no more than necessary, and that full disambiguation is accepted.
fn check_origin(position: &Position, mv: Move, san: San) {
    let SanMove::Normal { piece, file, rank, capture, to, promotion } = san.mv else { return };
    let resolve = |file, rank| {
        let mv = SanMove::Normal { piece, file, rank, capture, to, promotion };
        position.resolve_san(San { mv, suffix: None })
    };
    let resolved = resolve(Some(mv.from().file()), Some(mv.from().rank()));
    assert_eq!(resolved, Ok(mv), "{san} from {} in {position:#}", mv.from());
    if piece == PieceType::Pawn {
        return;
    }
    let ambiguous = Err(ResolveSanError::Ambiguous);
    if file.is_some() || rank.is_some() {
        assert_eq!(resolve(None, None), ambiguous, "{san} in {position:#}");
    }
    if rank.is_some() {
        assert_eq!(resolve(Some(mv.from().file()), None), ambiguous, "{san} in {position:#}");
    }
    if file.is_some() && rank.is_some() {
        assert_eq!(resolve(None, rank), ambiguous, "{san} in {position:#}");
    }
}
