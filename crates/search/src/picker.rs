//! The staged move picker, which yields a node's moves from best to worst by move ordering.
//!
//! The better the order, the more alpha-beta cuts off. The moves of a stage are generated and scored once the
//! previous stage is exhausted, so that an early cutoff saves the work for the rest. Captures are ordered by
//! the most valuable victim (MVV), as in the ChessBin tutorial, and then by capture history. Staged generation
//! has been common since the 1990s.

mod quiets;

use crate::history::{Histories, MoveContext};
use crate::see;
use quiets::{QuietChecks, ScoredQuiets};
use tabiya_core::{MAX_PLY, Move, MoveList, PieceType, Value};
use tabiya_movegen::Position;

/// The next step of the picker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    TtMove,
    GenerateTactical,
    Tactical,
    GenerateQuiets,
    Quiets,
    GenerateChecks,
    Checks,
    BadCaptures,
    Done,
}

/// Yields the legal moves of a position in this order:
///
/// 1. the TT move;
/// 2. good captures and queen promotions, which do not lose much material by static exchange evaluation (SEE);
///    ordered by the captured piece and capture history;
/// 3. quiet moves, ordered by histories, killer, checks and threats; in quiescence search none or only checks, except in check
///    that do not lose material;
/// 4. bad captures, which lose material by SEE, and underpromotions.
pub(crate) struct Picker {
    stage: Stage,
    quiets: Quiets,
    tt_move: Option<Move>,
    /// The SEE result that a good capture needs.
    threshold: Threshold,
    /// The moves generated so far. Those before `next` have been returned, except for the bad captures, which
    /// are moved to the first `bad_count` indices.
    moves: MoveList,
    next: usize,
    bad_count: usize,
}

/// The score of a move and its index in the list, of which a lower one wins between equal scores: the greatest key tells the best
/// move and where it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SortKey(i32);

impl SortKey {
    /// The number of bits of an index. The score has the others: 24 bits, with its sign.
    const INDEX_BITS: u32 = MoveList::CAPACITY.ilog2();
    const INDEX_MASK: i32 = MoveList::CAPACITY as i32 - 1;

    #[inline]
    fn new(score: i32, index: usize) -> SortKey {
        debug_assert!(score.unsigned_abs() < 1 << (31 - SortKey::INDEX_BITS));
        SortKey(score << SortKey::INDEX_BITS | (SortKey::INDEX_MASK - index as i32))
    }

    #[inline]
    fn score(self) -> i32 {
        self.0 >> SortKey::INDEX_BITS
    }

    #[inline]
    fn index(self) -> usize {
        (SortKey::INDEX_MASK - (self.0 & SortKey::INDEX_MASK)) as usize
    }
}

/// The sort keys of the moves of a picker.
type SortKeys = [SortKey; MoveList::CAPACITY];

/// The memory for the sort keys of the pickers of each ply: filling an array in each picker with zeros takes 1 % of the instructions.
///
/// Pickers that yield moves of one ply at the same time must not generate moves at the same time. A singular search begins after the outer picker
/// has yielded the TT move, and ends before that generates the others.
pub(crate) struct PickerMemory(Box<[SortKeys]>);

impl PickerMemory {
    pub(crate) fn new() -> PickerMemory {
        PickerMemory(vec![[SortKey(0); MoveList::CAPACITY]; MAX_PLY as usize].into())
    }
}

/// The quiet moves that a picker yields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Quiets {
    All,
    Checks,
    None,
}

/// The SEE result that a good capture needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Threshold {
    /// Up to 90 centipawns below 0 for a capture with a high move-ordering score, and above 0 for one with a negative score.
    ByScore,
    /// A fixed result, in centipawns.
    Fixed(Value),
}

impl Picker {
    /// Creates a picker of all legal moves.
    pub(crate) fn new(position: &Position, tt_move: Option<Move>) -> Picker {
        Picker {
            stage: Stage::TtMove,
            quiets: Quiets::All,
            tt_move: tt_move.filter(|&mv| position.is_legal(mv)),
            threshold: Threshold::ByScore,
            moves: MoveList::new(),
            next: 0,
            bad_count: 0,
        }
    }

    /// Creates a picker of captures and promotions.
    pub(crate) fn captures(position: &Position, tt_move: Option<Move>) -> Picker {
        let tt_move = tt_move.filter(|mv| !mv.is_quiet());
        Picker { quiets: Quiets::None, ..Picker::new(position, tt_move) }
    }

    /// Creates a picker of captures and promotions, then quiet checks that do not lose material by SEE.
    pub(crate) fn captures_and_checks(position: &Position, tt_move: Option<Move>) -> Picker {
        Picker { quiets: Quiets::Checks, ..Picker::captures(position, tt_move) }
    }

    /// Creates a picker of captures and promotions in which good captures are those that win at least
    /// `threshold` by SEE, in centipawns. The others follow; see
    /// [`is_at_bad_captures`](Picker::is_at_bad_captures).
    pub(crate) fn good_captures(position: &Position, tt_move: Option<Move>, threshold: Value) -> Picker {
        let tt_move = tt_move.filter(|&mv| !mv.is_quiet() && see::see_ge(position, mv, threshold));
        Picker {
            quiets: Quiets::None,
            threshold: Threshold::Fixed(threshold),
            ..Picker::new(position, tt_move)
        }
    }

    /// Returns true once the picker has reached the bad captures.
    pub(crate) fn is_at_bad_captures(&self) -> bool {
        self.stage >= Stage::BadCaptures
    }

    /// Skips the remaining quiet moves, also those that are not generated yet.
    pub(crate) fn skip_quiets(&mut self) {
        self.quiets = Quiets::None;
        if matches!(self.stage, Stage::GenerateQuiets | Stage::Quiets) {
            self.stage = self.start_bad_captures();
        }
    }

    /// Returns the next move of a node at `ply`.
    pub(crate) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &MoveContext,
        memory: &mut PickerMemory,
        ply: usize,
    ) -> Option<Move> {
        let keys = &mut memory.0[ply];
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateTactical;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateTactical => {
                    self.generate_tactical(position, histories, keys);
                    self.stage = Stage::Tactical;
                }
                Stage::Tactical => match self.take_best(keys) {
                    Some(mv) if Some(mv) == self.tt_move => {}
                    Some(mv) if self.is_bad_capture(position, mv, keys) => {
                        self.moves[self.bad_count] = mv;
                        self.bad_count += 1;
                    }
                    Some(mv) => return Some(mv),
                    None => {
                        self.stage = match self.quiets {
                            Quiets::All => Stage::GenerateQuiets,
                            Quiets::Checks => Stage::GenerateChecks,
                            Quiets::None => self.start_bad_captures(),
                        }
                    }
                },
                Stage::GenerateQuiets => {
                    self.generate_quiets(position, histories, context, keys);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.take_best(keys) {
                    Some(mv) if Some(mv) == self.tt_move => {}
                    Some(mv) => return Some(mv),
                    None => self.stage = self.start_bad_captures(),
                },
                Stage::GenerateChecks => {
                    self.generate_checks(position, context);
                    self.stage = Stage::Checks;
                }
                Stage::Checks => {
                    if self.next == self.moves.len() {
                        self.stage = self.start_bad_captures();
                        continue;
                    }
                    let mv = self.moves[self.next];
                    self.next += 1;
                    if see::see_ge(position, mv, 0) {
                        return Some(mv);
                    }
                }
                Stage::BadCaptures => {
                    if self.next == self.bad_count {
                        self.stage = Stage::Done;
                    } else {
                        self.next += 1;
                        return Some(self.moves[self.next - 1]);
                    }
                }
                Stage::Done => return None,
            }
        }
    }

    // Not inlined into `next`, most of whose calls generate nothing.

    #[inline(never)]
    fn generate_tactical(&mut self, position: &Position, histories: &Histories, keys: &mut SortKeys) {
        position.generate_tactical(&mut self.moves);
        for (index, (&mv, key)) in self.moves.iter().zip(keys).enumerate() {
            *key = SortKey::new(see::gain(position, mv) * 16 + histories.capture(position, mv), index);
        }
    }

    #[inline(never)]
    fn generate_quiets(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &MoveContext,
        keys: &mut SortKeys,
    ) {
        // Appended, because the bad captures stay in front.
        position.generate_quiets(&mut ScoredQuiets {
            moves: &mut self.moves,
            keys,
            quiets: histories.quiets(context, position),
            check_info: context.check_info(position),
            position,
        });
    }

    #[inline(never)]
    fn generate_checks(&mut self, position: &Position, context: &MoveContext) {
        let check_info = context.check_info(position);
        position.generate_quiets(&mut QuietChecks { moves: &mut self.moves, check_info, position });
    }

    /// Goes back to the bad captures, which are in the order of their scores. Returns their stage.
    fn start_bad_captures(&mut self) -> Stage {
        self.next = 0;
        Stage::BadCaptures
    }

    /// Returns true if `mv`, the capture or promotion that was taken last, belongs to the bad captures.
    fn is_bad_capture(&self, position: &Position, mv: Move, keys: &SortKeys) -> bool {
        if mv.promotion().is_some_and(|promotion| promotion != PieceType::Queen) {
            return true;
        }
        let threshold = match self.threshold {
            Threshold::ByScore => -keys[self.next - 1].score() / 512,
            Threshold::Fixed(threshold) => threshold,
        };
        !see::see_ge(position, mv, threshold)
    }

    /// Takes the move with the highest score of the current stage, the first among equals.
    ///
    /// This is one step of a selection sort. Most nodes need only a few moves, so that a full sort would be
    /// slower.
    fn take_best(&mut self, keys: &mut SortKeys) -> Option<Move> {
        let next = self.next;
        let best = keys[next..self.moves.len()].iter().copied().max()?;
        let index = best.index();
        self.moves.swap(next, index);
        keys[index] = SortKey::new(keys[next].score(), index);
        keys[next] = best;
        self.next += 1;
        Some(self.moves[next])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack::Stack;
    use tabiya_movegen::Threats;

    fn pick_all(mut picker: Picker, position: &Position, histories: &Histories) -> Vec<String> {
        let (context, mut memory) = (context(position), PickerMemory::new());
        let mut next = || picker.next(position, histories, &context, &mut memory, 0);
        let mut moves = Vec::new();
        while let Some(mv) = next() {
            moves.push(mv.to_uci(false).to_string());
        }
        assert_eq!(next(), None);
        moves
    }

    fn context(position: &Position) -> MoveContext {
        let mut stack = Stack::new();
        stack.reset(position.board());
        MoveContext::new(position, &stack, 0, Threats::default())
    }

    fn position(fen: &str) -> Position {
        fen.parse().expect("a legal position")
    }

    #[test]
    fn yields_every_legal_move_once() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
            "4k3/8/8/3pP3/8/8/4q3/4K3 w - - 0 2",
            "4k3/8/8/8/8/5n2/8/4K2R w K - 0 1",
        ];
        let histories = Histories::new();
        for position in fens.map(position) {
            let legal = position.legal_moves();
            let mut expected: Vec<String> = legal.iter().map(|mv| mv.to_uci(false).to_string()).collect();
            expected.sort();
            // With every legal move as the TT move, without one, and with an illegal one.
            for tt_move in legal.iter().map(|&mv| Some(mv)).chain([None, Move::from_bits(0x1234)]) {
                let mut moves = pick_all(Picker::new(&position, tt_move), &position, &histories);
                if tt_move.is_some_and(|mv| position.is_legal(mv)) {
                    let first = tt_move.map(|mv| mv.to_uci(false).to_string());
                    assert_eq!(moves.first(), first.as_ref());
                }
                moves.sort();
                assert_eq!(moves, expected, "{position}");
            }
        }
    }

    #[test]
    fn stages_follow_each_other() {
        let position = position("4k3/6P1/8/3q1r2/2P1P3/8/8/R3K3 w Q - 0 1");
        let mut histories = Histories::new();
        let context = context(&position);
        let mv = |text: &str| position.parse_uci(text).expect("legal");
        histories.update_quiet(&context, &position, mv("a1a6"), 1500);
        histories.update_quiet(&context, &position, mv("a1b1"), 700);
        histories.update_quiet(&context, &position, mv("a1a2"), -700);
        histories.update_capture(&position, mv("e4d5"), 100);
        let moves = pick_all(Picker::new(&position, Some(mv("a1a8"))), &position, &histories);
        assert_eq!(moves[..4], ["a1a8", "c4d5", "e4d5", "e4f5"], "{moves:?}");
        assert_eq!(moves[moves.len() - 4..], ["g7g8q", "g7g8r", "g7g8n", "g7g8b"], "{moves:?}");
        let index_of = |text| moves.iter().position(|mv| mv == text);
        assert!(index_of("a1a6") < index_of("a1b1") && index_of("a1b1") < index_of("a1a2"), "{moves:?}");
    }

    #[test]
    fn bad_captures_come_last() {
        let position = position("4k3/2p5/3p4/8/8/8/3Q4/3RK3 w - - 0 1");
        let histories = Histories::new();
        assert_eq!(pick_all(Picker::captures(&position, None), &position, &histories), ["d2d6"]);
        let moves = pick_all(Picker::new(&position, None), &position, &histories);
        assert_eq!(moves.last().map(String::as_str), Some("d2d6"));
    }

    #[test]
    fn skip_quiets_goes_on_with_bad_captures() {
        let position = position("4k3/2p5/3p4/8/8/8/3Q4/3RK3 w - - 0 1");
        let (histories, context, mut memory) = (Histories::new(), context(&position), PickerMemory::new());
        let mut picker = Picker::new(&position, None);
        assert!(picker.next(&position, &histories, &context, &mut memory, 0).is_some_and(Move::is_quiet));
        picker.skip_quiets();
        let last = picker
            .next(&position, &histories, &context, &mut memory, 0)
            .map(|mv| mv.to_uci(false).to_string());
        assert_eq!(last.as_deref(), Some("d2d6"));
        assert!(picker.is_at_bad_captures());
    }

    #[test]
    fn quiets_can_be_skipped_before_they_are_generated() {
        let position = position("4k3/6P1/8/3q1r2/2P1P3/8/8/R3K3 w Q - 0 1");
        let (histories, context, mut memory) = (Histories::new(), context(&position), PickerMemory::new());
        let mut picker = Picker::new(&position, None);
        assert!(
            picker.next(&position, &histories, &context, &mut memory, 0).is_some_and(|mv| !mv.is_quiet())
        );
        picker.skip_quiets();
        let mut rest = 0;
        while let Some(mv) = picker.next(&position, &histories, &context, &mut memory, 0) {
            assert!(!mv.is_quiet(), "{mv:?}");
            rest += 1;
        }
        let tactical = position.legal_moves().iter().filter(|mv| !mv.is_quiet()).count();
        assert_eq!(rest, tactical - 1);
    }

    #[test]
    fn captures_picker_yields_no_quiet_move() {
        let position = position("4k3/6P1/8/3q1r2/2P1P3/8/8/R3K3 w Q - 0 1");
        let histories = Histories::new();
        let quiet = position.parse_uci("a1a8").ok();
        let moves = pick_all(Picker::captures(&position, quiet), &position, &histories);
        assert_eq!(moves.len(), 7, "{moves:?}");
        assert!(!moves.contains(&"a1a8".to_string()));
    }

    #[test]
    fn safe_checks_come_after_captures() {
        let position = position("3rk3/8/1p6/8/5B2/8/2Q1p3/R3K3 w Q - 0 1");
        let picker = Picker::captures_and_checks(&position, position.parse_uci("a1a2").ok());
        // On c8 the queen would be lost, on a8 the rook.
        let moves = pick_all(picker, &position, &Histories::new());
        assert_eq!(moves, ["c2e2", "e1e2", "c2a4", "c2e4", "c2g6", "c2c6"]);
    }

    #[test]
    fn good_captures_reach_the_threshold() {
        let position = position("4k3/6P1/8/3q1r2/2P1P3/8/8/R3K3 w Q - 0 1");
        let (histories, context, mut memory) = (Histories::new(), context(&position), PickerMemory::new());
        let mut picker = Picker::good_captures(&position, position.parse_uci("e4f5").ok(), 600);
        let mut winning = Vec::new();
        while let Some(mv) = picker.next(&position, &histories, &context, &mut memory, 0) {
            if picker.is_at_bad_captures() {
                break;
            }
            winning.push(mv.to_uci(false).to_string());
        }
        winning.sort();
        assert_eq!(winning, ["c4d5", "e4d5"]);
    }
}
