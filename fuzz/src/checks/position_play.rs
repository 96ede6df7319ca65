use super::agreement::{assert_agree, assert_attacks_agree};
use super::oracle::{Board as Oracle, Move as OracleMove};
use super::pgn_replay;
use std::collections::BTreeSet;
use tabiya_core::notation::{San, SanMove, SanSuffix};
use tabiya_core::{BoardObserver, Move, Piece, PieceType, Square};
use tabiya_movegen::{DrawReason, Game, Outcome, Position, ResolveSanError, WinReason};

/// The longest game that is played. The oracle is slow.
const MOST_PLIES: usize = 160;

/// A game, at each move of which our position is compared with the oracle's.
///
/// The first line says where it starts: a FEN; or the number of a Chess960 position; or two of
/// them, for White and for Black. Each byte after it chooses one of the legal moves, in the order
/// of their bits, so that the order in which they are generated does not matter.
pub fn position_play(data: &[u8]) {
    let end = data.iter().position(|&byte| byte == b'\n').unwrap_or(data.len());
    let (start, choices) = data.split_at(end);
    let Some(start) = str::from_utf8(start).ok().and_then(start_position) else { return };
    let fen = format!("{start:#}");
    let oracle = Oracle::from_fen(&fen).expect("the oracle reads what is written");
    Players {
        game: Game::from_position(start),
        history: vec![without_counters(&fen)],
        oracle_moves: oracle.legal_moves(),
        oracle,
        random: data.len() as u64,
    }
    .play(choices.get(1..).unwrap_or_default());
}

fn start_position(text: &str) -> Option<Position> {
    let mut numbers = text.split_ascii_whitespace().map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(number)), None) => Position::chess960(number),
        (Some(Ok(white)), Some(Ok(black))) => double_chess960(white, black),
        // Larger counters than these do not fit the board, but do fit the oracle.
        _ => Position::from_fen(text)
            .ok()
            .filter(|position| position.halfmove_clock().max(position.fullmove_number()) < 60_000),
    }
}

/// A start position with a different row of pieces for each side.
fn double_chess960(white: u16, black: u16) -> Option<Position> {
    let [white, black] =
        [format!("{:#}", Position::chess960(white)?), format!("{:#}", Position::chess960(black)?)];
    // Eight letters of pieces at each end of the placement, and of rooks two for each side.
    let (white_placement, white_rest) = white.split_once(" w ")?;
    let (black_placement, black_rest) = black.split_once(" w ")?;
    let fen = format!(
        "{}{} w {}{} - 0 1",
        black_placement.get(..8)?,
        white_placement.get(8..)?,
        white_rest.get(..2)?,
        black_rest.get(2..4)?
    );
    Some(Position::from_fen(&fen).expect("two rows of Chess960 make a position"))
}

/// A position as the repetition rules know it.
fn without_counters(fen: &str) -> String {
    fen.rsplitn(3, ' ').last().unwrap_or_default().to_owned()
}

struct Players {
    game: Game,
    oracle: Oracle,
    oracle_moves: Vec<OracleMove>,
    /// What the oracle has seen, without counters.
    history: Vec<String>,
    random: u64,
}

impl Players {
    fn play(mut self, choices: &[u8]) {
        for &choice in choices.iter().take(MOST_PLIES) {
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
            check_every_bit_pattern(self.game.position());
            pgn_replay::check_round_trip(&self.game);
        }
        self.take_back();
    }

    fn play_one(&mut self, mv: Move) {
        let position = self.game.position().clone();
        let san = position.san(mv);
        assert_eq!(position.parse_san(&san.to_string()), Ok(mv), "{san} in {position:#}");
        let uci = mv.to_uci(true).to_string();
        let same = self.oracle_moves.iter().find(|other| other.uci() == uci);
        self.oracle = self.oracle.play(same.expect("both know the move"));
        self.oracle_moves = self.oracle.legal_moves();
        let expected = match (self.oracle.in_check(), self.oracle_moves.is_empty()) {
            (false, _) => None,
            (true, false) => Some(SanSuffix::Check),
            (true, true) => Some(SanSuffix::Checkmate),
        };
        assert_eq!(san.suffix, expected, "{san} in {position:#}");

        let mut mirror = Mirror(Square::ALL.map(|square| position.piece_on(square)));
        let mut observed = position.clone();
        observed.play_observed(mv, &mut mirror);
        assert_eq!(mirror.0, Square::ALL.map(|square| observed.piece_on(square)), "{uci} in {position:#}");

        self.game.play(mv).expect("a generated move is legal");
        assert_eq!(*self.game.position(), observed, "{uci} in {position:#}");
        self.history.push(without_counters(&self.oracle.fen()));
    }

    fn check(&mut self) {
        let position = self.game.position();
        assert_agree(position, &self.oracle, &self.oracle_moves);
        assert_attacks_agree(position, &self.oracle);
        assert_eq!(position.key(), position.key_from_scratch(), "the key of {position:#}");
        assert_eq!(position.pawn_key(), position.pawn_key_from_scratch(), "the pawns' key of {position:#}");
        for written in [position.to_string(), format!("{position:#}")] {
            assert_eq!(Position::from_fen(&written).as_ref(), Ok(position), "{written}");
        }
        let us = position.side_to_move();
        assert_eq!(position.blockers(us) & position.by_color(us), position.pinned(), "{position:#}");
        if !position.in_check() {
            let mut passed = position.clone();
            passed.play_null();
            assert_eq!(passed.key(), passed.key_from_scratch(), "after passing in {position:#}");
            assert_eq!(Position::from_fen(&passed.to_string()), Ok(passed));
        }
        self.check_rules_of_draws();
        self.check_random_bits();
        // This takes longer than all the rest.
        if self.next_random().is_multiple_of(4) {
            check_notation(self.game.position());
        }
    }

    /// The game's end and its claims, worked out from the oracle's side.
    fn check_rules_of_draws(&self) {
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

    /// Asks about moves of any bits, and about such as differ from a legal one in one bit.
    fn check_random_bits(&mut self) {
        let moves = self.game.position().legal_moves();
        let mut asked = vec![];
        for _ in 0..8 {
            let random = self.next_random();
            asked.push(random as u16);
            if !moves.is_empty() {
                let mv = moves[(random >> 16) as usize % moves.len()];
                asked.push(mv.to_bits() ^ 1 << (random >> 60));
            }
        }
        for mv in asked.into_iter().filter_map(Move::from_bits) {
            let position = self.game.position();
            let listed = moves.contains(&mv);
            assert_eq!(position.is_legal(mv), listed, "{mv:?} {:?} in {position:#}", mv.kind());
            assert_eq!(position.legal_move(mv).is_some(), listed, "{mv:?} {:?} in {position:#}", mv.kind());
            // Refusing a move takes long, as the position is written into the error.
            if listed {
                assert!(position.play(mv).is_ok(), "{mv:?} in {position:#}");
            }
        }
    }

    /// SplitMix64, stirred with the position.
    fn next_random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ self.game.position().key();
        let z = (self.random ^ (self.random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Takes the game back to its start and plays it again.
    fn take_back(mut self) {
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

/// Keeps the pieces by what it is told alone.
struct Mirror([Option<Piece>; Square::COUNT]);

impl BoardObserver for Mirror {
    fn put(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square.index()].replace(piece), None, "{piece} is put on a full square {square}");
    }

    fn remove(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square.index()].take(), Some(piece), "{piece} is lifted from {square}");
    }
}

fn check_every_bit_pattern(position: &Position) {
    let mut legal = vec![false; 1 << 16];
    for &mv in position.legal_moves().iter() {
        legal[usize::from(mv.to_bits())] = true;
    }
    for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
        let expected = legal[usize::from(mv.to_bits())];
        assert_eq!(position.is_legal(mv), expected, "{mv:?} {:?} in {position:#}", mv.kind());
    }
}

/// Every legal move in SAN and in UCI coordinates and back.
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

/// The SAN says no more of where the move comes from than it must, but saying more is understood.
fn check_origin(position: &Position, mv: Move, san: San) {
    let SanMove::Normal { piece, file, rank, capture, to, promotion } = san.mv else { return };
    let resolve = |file, rank| {
        let mv = SanMove::Normal { piece, file, rank, capture, to, promotion };
        position.resolve_san(San { mv, suffix: None })
    };
    let whole = resolve(Some(mv.from().file()), Some(mv.from().rank()));
    assert_eq!(whole, Ok(mv), "{san} from {} in {position:#}", mv.from());
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
