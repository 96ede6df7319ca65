//! The order in which moves are tried, found no earlier than it is needed.

use crate::history::{Context, Histories};
use crate::params;
use tabiya_core::{Move, MoveList, PieceType, Value};
use tabiya_movegen::{Position, see};

/// What the picker does next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    TableMove,
    GenerateTactical,
    Tactical,
    GenerateQuiets,
    Quiets,
    GenerateChecks,
    Checks,
    LosingTactical,
    Done,
}

/// Hands out the legal moves of a position, the most promising first:
///
/// 1. the move from the transposition table, best or refuting when the position was searched before;
/// 2. captures and promotions to a queen that do not lose material, by what they take and by history;
/// 3. quiet moves, by history; behind the horizon none, or only checks that give nothing away;
/// 4. captures that lose material by static exchange, and promotions to less than a queen.
///
/// Each group is generated when the one before has been used up. A cut node, which the first moves
/// refute, so does not pay for the rest.
pub(crate) struct Picker {
    stage: Stage,
    /// Which moves are handed out besides captures and promotions.
    quiets: Quiets,
    table_move: Option<Move>,
    /// What a capture has to win by static exchange to be handed out early.
    threshold: Threshold,
    /// The moves generated so far, with their scores. Those before `next` have been dealt with: they
    /// were handed out, but for the first `losing` of them, which come last.
    moves: MoveList,
    scores: [i32; MoveList::CAPACITY],
    next: usize,
    losing: usize,
}

/// Which quiet moves are handed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Quiets {
    All,
    Checks,
    None,
}

/// What captures have to win to count as good ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Threshold {
    /// Nothing, or a little less where history speaks for them.
    ByHistory,
    /// So much.
    Fixed(Value),
}

impl Picker {
    /// Every legal move.
    pub(crate) fn new(position: &Position, table_move: Option<Move>) -> Picker {
        Picker {
            stage: Stage::TableMove,
            quiets: Quiets::All,
            table_move: table_move.filter(|&mv| position.is_legal(mv)),
            threshold: Threshold::ByHistory,
            moves: MoveList::new(),
            scores: [0; MoveList::CAPACITY],
            next: 0,
            losing: 0,
        }
    }

    /// Captures and promotions.
    pub(crate) fn tactical(position: &Position, table_move: Option<Move>) -> Picker {
        let table_move = table_move.filter(|mv| !mv.is_quiet());
        Picker { quiets: Quiets::None, ..Picker::new(position, table_move) }
    }

    /// Captures and promotions, then quiet moves that give check without giving away material.
    pub(crate) fn tactical_and_checks(position: &Position, table_move: Option<Move>) -> Picker {
        Picker { quiets: Quiets::Checks, ..Picker::tactical(position, table_move) }
    }

    /// Captures and promotions that win `threshold` or more by static exchange come before
    /// [the others](Picker::is_at_losing_moves).
    pub(crate) fn winning(position: &Position, table_move: Option<Move>, threshold: Value) -> Picker {
        let table_move = table_move.filter(|&mv| !mv.is_quiet() && see::see_ge(position, mv, threshold));
        Picker {
            quiets: Quiets::None,
            threshold: Threshold::Fixed(threshold),
            ..Picker::new(position, table_move)
        }
    }

    /// Does what is left lose material? Then the last move handed out did, too.
    pub(crate) fn is_at_losing_moves(&self) -> bool {
        self.stage >= Stage::LosingTactical
    }

    /// Passes over the quiet moves that are left.
    pub(crate) fn skip_quiets(&mut self) {
        if matches!(self.stage, Stage::GenerateQuiets | Stage::Quiets) {
            self.stage = self.start_losing();
        }
    }

    /// The next move.
    pub(crate) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &Context,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateTactical;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateTactical => {
                    self.generate_tactical(position, histories);
                    self.stage = Stage::Tactical;
                }
                Stage::Tactical => match self.take_best() {
                    Some(mv) if Some(mv) == self.table_move => {}
                    Some(mv) if self.loses(position, mv) => {
                        self.moves[self.losing] = mv;
                        self.losing += 1;
                    }
                    Some(mv) => return Some(mv),
                    None => {
                        self.stage = match self.quiets {
                            Quiets::All => Stage::GenerateQuiets,
                            Quiets::Checks => Stage::GenerateChecks,
                            Quiets::None => self.start_losing(),
                        }
                    }
                },
                Stage::GenerateQuiets => {
                    self.generate_quiets(position, histories, context);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.take_best() {
                    Some(mv) if Some(mv) == self.table_move => {}
                    Some(mv) => return Some(mv),
                    None => self.stage = self.start_losing(),
                },
                Stage::GenerateChecks => {
                    self.generate_checks(position, context);
                    self.stage = Stage::Checks;
                }
                Stage::Checks => {
                    if self.next == self.moves.len() {
                        self.stage = self.start_losing();
                        continue;
                    }
                    let mv = self.moves[self.next];
                    self.next += 1;
                    if see::see_ge(position, mv, 0) {
                        return Some(mv);
                    }
                }
                Stage::LosingTactical => {
                    if self.next == self.losing {
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

    // The generators are kept out of `next`, most of whose calls need none of them.

    #[inline(never)]
    fn generate_tactical(&mut self, position: &Position, histories: &Histories) {
        position.generate_tactical(&mut self.moves);
        for (&mv, score) in self.moves.iter().zip(&mut self.scores) {
            *score = gain(position, mv) * 16 + histories.capture(position, mv);
        }
    }

    #[inline(never)]
    fn generate_quiets(&mut self, position: &Position, histories: &Histories, context: &Context) {
        // All captures have been dealt with. A list has room for both groups.
        let start = self.moves.len();
        position.generate_quiets(&mut self.moves);
        let quiets = histories.quiets(context, position);
        for (&mv, score) in self.moves.iter().zip(&mut self.scores).skip(start) {
            *score = quiets.of(mv) + check_bonus(context, position, mv);
        }
    }

    #[inline(never)]
    fn generate_checks(&mut self, position: &Position, context: &Context) {
        let mut quiets = MoveList::new();
        position.generate_quiets(&mut quiets);
        for &mv in quiets.iter().filter(|&&mv| context.checks(position).gives_check(position, mv)) {
            self.moves.push(mv);
        }
    }

    /// Goes back to the moves that were put off, which are in the order they would have had.
    fn start_losing(&mut self) -> Stage {
        self.next = 0;
        Stage::LosingTactical
    }

    /// Is the capture or promotion that was taken last better left for the end?
    fn loses(&self, position: &Position, mv: Move) -> bool {
        if mv.promotion().is_some_and(|promotion| promotion != PieceType::Queen) {
            return true;
        }
        let threshold = match self.threshold {
            Threshold::ByHistory => -self.scores[self.next - 1] / 512,
            Threshold::Fixed(threshold) => threshold,
        };
        !see::see_ge(position, mv, threshold)
    }

    /// Takes the move with the highest score from the current group: the first, among equals.
    ///
    /// One step of a selection sort. Most nodes want only a few moves, so sorting all is not worth it.
    fn take_best(&mut self) -> Option<Move> {
        if self.next == self.moves.len() {
            return None;
        }
        let (mut best, mut best_score) = (self.next, i32::MIN);
        for (index, &score) in self.scores[..self.moves.len()].iter().enumerate().skip(self.next) {
            if score > best_score {
                (best, best_score) = (index, score);
            }
        }
        self.moves.swap(self.next, best);
        self.scores.swap(self.next, best);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}

/// What a capture or promotion gains if nobody takes back, in centipawns.
///
/// With the history of captures on top of it, this is *most valuable victim* first, the guide's order
/// and older than it; the attackers, the guide's second criterion, are told apart by experience.
fn gain(position: &Position, mv: Move) -> Value {
    see::captured_value(position, mv)
        + mv.promotion().map_or(0, |promotion| see::value(promotion) - see::value(PieceType::Pawn))
}

/// What a quiet move is worth for giving check without giving away a piece.
///
/// Why: the answers are few, so that such a move is cheap to look at, and often one of a series.
fn check_bonus(context: &Context, position: &Position, mv: Move) -> i32 {
    let checks = context.checks(position).gives_check(position, mv)
        && see::see_ge(position, mv, -see::value(PieceType::Pawn));
    if checks { params::check_bonus() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack::Stack;
    use crate::threats::Threats;

    fn pick_all(mut picker: Picker, position: &Position, histories: &Histories) -> Vec<String> {
        let context = context(position);
        let mut moves = Vec::new();
        while let Some(mv) = picker.next(position, histories, &context) {
            moves.push(mv.to_uci(false).to_string());
        }
        assert_eq!(picker.next(position, histories, &context), None);
        moves
    }

    fn context(position: &Position) -> Context {
        let mut stack = Stack::new();
        stack.reset(position.board());
        Context::new(position, &stack, 0, Threats::default())
    }

    fn position(fen: &str) -> Position {
        fen.parse().expect("a legal position")
    }

    #[test]
    fn every_legal_move_once() {
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
            // With every move as the table's, and with one that is not legal.
            for table_move in legal.iter().map(|&mv| Some(mv)).chain([None, Move::from_bits(0x1234)]) {
                let mut moves = pick_all(Picker::new(&position, table_move), &position, &histories);
                if table_move.is_some_and(|mv| position.is_legal(mv)) {
                    let first = table_move.map(|mv| mv.to_uci(false).to_string());
                    assert_eq!(moves.first(), first.as_ref());
                }
                moves.sort();
                assert_eq!(moves, expected, "{position}");
            }
        }
    }

    #[test]
    fn the_groups_follow_each_other() {
        let position = position("4k3/6P1/8/3q1r2/2P1P3/8/8/R3K3 w Q - 0 1");
        let mut histories = Histories::new();
        let context = context(&position);
        let mv = |text: &str| position.parse_uci(text).expect("legal");
        histories.update_quiet(&context, &position, mv("a1a6"), 1500);
        histories.update_quiet(&context, &position, mv("a1b1"), 700);
        histories.update_quiet(&context, &position, mv("a1a2"), -700);
        histories.update_capture(&position, mv("e4d5"), 100);
        let moves = pick_all(Picker::new(&position, Some(mv("a1a8"))), &position, &histories);
        assert_eq!(moves[..6], ["a1a8", "c4d5", "e4d5", "e4f5", "a1a6", "a1b1"], "{moves:?}");
        assert_eq!(moves[moves.len() - 5..], ["a1a2", "g7g8q", "g7g8r", "g7g8n", "g7g8b"], "{moves:?}");
    }

    #[test]
    fn losing_captures_come_last() {
        let position = position("4k3/2p5/3p4/8/8/8/3Q4/3RK3 w - - 0 1");
        let histories = Histories::new();
        assert_eq!(pick_all(Picker::tactical(&position, None), &position, &histories), ["d2d6"]);
        let moves = pick_all(Picker::new(&position, None), &position, &histories);
        assert_eq!(moves.last().map(String::as_str), Some("d2d6"));
    }

    #[test]
    fn quiets_can_be_skipped() {
        let position = position("4k3/2p5/3p4/8/8/8/3Q4/3RK3 w - - 0 1");
        let (histories, context) = (Histories::new(), context(&position));
        let mut picker = Picker::new(&position, None);
        assert!(picker.next(&position, &histories, &context).is_some_and(Move::is_quiet));
        picker.skip_quiets();
        let last = picker.next(&position, &histories, &context).map(|mv| mv.to_uci(false).to_string());
        assert_eq!(last.as_deref(), Some("d2d6"));
        assert!(picker.is_at_losing_moves());
    }

    #[test]
    fn only_captures_and_promotions() {
        let position = position("4k3/6P1/8/3q1r2/2P1P3/8/8/R3K3 w Q - 0 1");
        let histories = Histories::new();
        let quiet = position.parse_uci("a1a8").ok();
        let moves = pick_all(Picker::tactical(&position, quiet), &position, &histories);
        assert_eq!(moves.len(), 7, "{moves:?}");
        assert!(!moves.contains(&"a1a8".to_string()));
    }

    #[test]
    fn checks_that_lose_nothing_come_after_captures() {
        let position = position("3rk3/8/1p6/8/5B2/8/2Q1p3/R3K3 w Q - 0 1");
        let picker = Picker::tactical_and_checks(&position, position.parse_uci("a1a2").ok());
        // On c8 the queen would be taken, on a8 the rook.
        let moves = pick_all(picker, &position, &Histories::new());
        assert_eq!(moves, ["c2e2", "e1e2", "c2a4", "c2e4", "c2g6", "c2c6"]);
    }

    #[test]
    fn captures_above_a_threshold_come_first() {
        let position = position("4k3/6P1/8/3q1r2/2P1P3/8/8/R3K3 w Q - 0 1");
        let (histories, context) = (Histories::new(), context(&position));
        let mut picker = Picker::winning(&position, position.parse_uci("e4f5").ok(), 600);
        let mut winning = Vec::new();
        while let Some(mv) = picker.next(&position, &histories, &context) {
            if picker.is_at_losing_moves() {
                break;
            }
            winning.push(mv.to_uci(false).to_string());
        }
        winning.sort();
        assert_eq!(winning, ["c4d5", "e4d5"]);
    }
}
