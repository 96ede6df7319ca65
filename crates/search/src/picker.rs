//! The order in which moves are tried, found no earlier than it is needed.

use crate::history::History;
use crate::see;
use tabiya_core::{Move, MoveList, PieceType};
use tabiya_movegen::Position;

/// What the picker does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TableMove,
    GenerateTactical,
    Tactical,
    FirstKiller,
    SecondKiller,
    GenerateQuiets,
    Quiets,
    LosingTactical,
    Done,
}

/// Hands out the legal moves of a position, the most promising first:
///
/// 1. the move from the transposition table, best or refuting when the position was searched before;
/// 2. captures and promotions to a queen that do not lose material, by MVV/LVA;
/// 3. the two killers of the ply, if legal here;
/// 4. the other quiet moves, by history;
/// 5. captures that lose material by static exchange, and promotions to less than a queen.
///
/// Each group is generated when the one before has been used up. A cut node, which the first moves
/// refute, so does not pay for the rest.
pub(crate) struct Picker {
    stage: Stage,
    /// Hand out captures and promotions only.
    tactical_only: bool,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    /// The moves generated so far, with their scores. Those before `next` have been dealt with: they
    /// were handed out, but for the first `losing` of them, which come last.
    moves: MoveList,
    scores: [i32; MoveList::CAPACITY],
    next: usize,
    losing: usize,
}

impl Picker {
    /// Every legal move.
    pub(crate) fn new(position: &Position, table_move: Option<Move>, killers: [Option<Move>; 2]) -> Picker {
        Picker {
            stage: Stage::TableMove,
            tactical_only: false,
            table_move: table_move.filter(|&mv| position.is_legal(mv)),
            killers,
            moves: MoveList::new(),
            scores: [0; MoveList::CAPACITY],
            next: 0,
            losing: 0,
        }
    }

    /// Captures and promotions.
    pub(crate) fn tactical(position: &Position, table_move: Option<Move>) -> Picker {
        let table_move = table_move.filter(|mv| !mv.is_quiet());
        Picker { tactical_only: true, ..Picker::new(position, table_move, [None; 2]) }
    }

    /// The next move.
    pub(crate) fn next(&mut self, position: &Position, history: &History) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateTactical;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateTactical => {
                    position.generate_tactical(&mut self.moves);
                    for index in 0..self.moves.len() {
                        self.scores[index] = mvv_lva(position, self.moves[index]);
                    }
                    self.stage = Stage::Tactical;
                }
                Stage::Tactical => match self.take_best() {
                    Some(mv) if Some(mv) == self.table_move => {}
                    Some(mv) if loses(position, mv) => {
                        self.moves[self.losing] = mv;
                        self.losing += 1;
                    }
                    Some(mv) => return Some(mv),
                    None if self.tactical_only => self.stage = self.start_losing(),
                    None => self.stage = Stage::FirstKiller,
                },
                Stage::FirstKiller => {
                    self.stage = Stage::SecondKiller;
                    if let Some(killer) = self.legal_killer(0, position) {
                        return Some(killer);
                    }
                }
                Stage::SecondKiller => {
                    self.stage = Stage::GenerateQuiets;
                    if let Some(killer) = self.legal_killer(1, position) {
                        return Some(killer);
                    }
                }
                Stage::GenerateQuiets => {
                    let side = position.side_to_move();
                    // All captures have been dealt with. A list has room for both groups.
                    let start = self.moves.len();
                    position.generate_quiets(&mut self.moves);
                    for index in start..self.moves.len() {
                        self.scores[index] = history.score(side, self.moves[index]);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.take_best() {
                    Some(mv) if Some(mv) == self.table_move || self.killers.contains(&Some(mv)) => {}
                    Some(mv) => return Some(mv),
                    None => self.stage = self.start_losing(),
                },
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

    /// Goes back to the moves that were put off, which are in the order they would have had.
    fn start_losing(&mut self) -> Stage {
        self.next = 0;
        Stage::LosingTactical
    }

    /// The killer, unless it is not legal here or was the table's move. A killer that is passed over
    /// is taken off the list, so that it does not go missing among the quiet moves.
    fn legal_killer(&mut self, index: usize, position: &Position) -> Option<Move> {
        let killer = self.killers[index].filter(|&mv| Some(mv) != self.table_move && position.is_legal(mv));
        self.killers[index] = killer;
        killer
    }

    /// Takes the move with the highest score from the current group: the first, among equals.
    ///
    /// One step of a selection sort. Most nodes want only a few moves, so sorting all is not worth it.
    fn take_best(&mut self) -> Option<Move> {
        if self.next == self.moves.len() {
            return None;
        }
        let mut best = self.next;
        for index in self.next + 1..self.moves.len() {
            if self.scores[index] > self.scores[best] {
                best = index;
            }
        }
        self.moves.swap(self.next, best);
        self.scores.swap(self.next, best);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}

/// Most Valuable Victim, Least Valuable Attacker: the captures by the rank of what they take, and
/// among those by the rank of what takes, the lowest first. A promotion counts as taking what the pawn
/// becomes.
///
/// Why: winning much is likely to refute, and a cheap attacker loses little if it is taken back. It
/// does not see whether the victim is defended. Sound, since it only orders moves. From the guide, and
/// older than it.
fn mvv_lva(position: &Position, mv: Move) -> i32 {
    let rank = |piece: PieceType| piece.index() as i32 + 1;
    let attacker = position.piece_on(mv.from()).map_or(0, |piece| rank(piece.piece_type()));
    let victim = match position.piece_on(mv.to()) {
        Some(victim) => rank(victim.piece_type()),
        None if mv.is_en_passant() => rank(PieceType::Pawn),
        None => 0,
    };
    let promotion = mv.promotion().map_or(0, rank);
    (victim + promotion) * 8 - attacker
}

/// Is the capture or promotion better left for last?
fn loses(position: &Position, mv: Move) -> bool {
    if let Some(promotion) = mv.promotion() {
        return promotion != PieceType::Queen;
    }
    // Who takes something at least as good as himself cannot lose by it: no need to look further.
    let [taken, takes] = [mv.to(), mv.from()].map(|square| position.piece_on(square));
    match (taken, takes) {
        (Some(taken), Some(takes)) if taken.piece_type() >= takes.piece_type() => false,
        _ => !see::wins_at_least(position, mv, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::Color;

    fn pick_all(mut picker: Picker, position: &Position, history: &History) -> Vec<String> {
        let mut moves = Vec::new();
        while let Some(mv) = picker.next(position, history) {
            moves.push(mv.to_uci(false).to_string());
        }
        assert_eq!(picker.next(position, history), None);
        moves
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
        let history = History::new();
        for position in fens.map(position) {
            let legal = position.legal_moves();
            let mut expected: Vec<String> = legal.iter().map(|mv| mv.to_uci(false).to_string()).collect();
            expected.sort();
            // With every move as the table's, with killers that are legal, that are not, and that are
            // the table's move.
            for (index, &table_move) in legal.iter().enumerate() {
                let killers = [Some(legal[legal.len() - 1 - index]).filter(|mv| mv.is_quiet()), None];
                for table_move in [None, Some(table_move), Move::from_bits(0x1234)] {
                    let mut moves =
                        pick_all(Picker::new(&position, table_move, killers), &position, &history);
                    if table_move.is_some_and(|mv| position.is_legal(mv)) {
                        let first = table_move.map(|mv| mv.to_uci(false).to_string());
                        assert_eq!(moves.first(), first.as_ref());
                    }
                    moves.sort();
                    assert_eq!(moves, expected, "{position}");
                }
            }
        }
    }

    #[test]
    fn the_groups_follow_each_other() {
        let position = position("4k3/6P1/8/3q1r2/2P1P3/8/8/R3K3 w Q - 0 1");
        let mut history = History::new();
        let quiet = |text: &str| position.parse_uci(text).expect("legal");
        (0..3).for_each(|_| history.reward(Color::White, quiet("a1a6"), &[], 9));
        history.reward(Color::White, quiet("a1b1"), &[quiet("a1a2")], 9);
        let picker = Picker::new(&position, Some(quiet("a1a8")), [None, Some(quiet("e1e2"))]);
        let moves = pick_all(picker, &position, &history);
        assert_eq!(moves[..5], ["a1a8", "g7g8q", "c4d5", "e4d5", "e4f5"], "{moves:?}");
        assert_eq!(moves[5..8], ["e1e2", "a1a6", "a1b1"], "{moves:?}");
        assert_eq!(moves[moves.len() - 4..], ["a1a2", "g7g8r", "g7g8b", "g7g8n"], "{moves:?}");
    }

    #[test]
    fn losing_captures_come_last() {
        let position = position("4k3/2p5/3p4/8/8/8/3Q4/3RK3 w - - 0 1");
        let history = History::new();
        assert_eq!(pick_all(Picker::tactical(&position, None), &position, &history), ["d2d6"]);
        let moves = pick_all(Picker::new(&position, None, [None; 2]), &position, &history);
        assert_eq!(moves.last().map(String::as_str), Some("d2d6"));
    }

    #[test]
    fn only_captures_and_promotions() {
        let position = position("4k3/6P1/8/3q1r2/2P1P3/8/8/R3K3 w Q - 0 1");
        let history = History::new();
        let quiet = position.parse_uci("a1a8").ok();
        let moves = pick_all(Picker::tactical(&position, quiet), &position, &history);
        assert_eq!(moves.len(), 7, "{moves:?}");
        assert!(!moves.contains(&"a1a8".to_string()));
    }
}
