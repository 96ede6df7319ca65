//! What the search has learnt about quiet moves: which ones refute, and how often.

use tabiya_core::{Color, Move, Square};
use tabiya_eval::MAX_PLY;

/// The largest value of a history score, either way.
const HISTORY_MAX: i32 = 16_384;
/// The most that one node can add or take.
const BONUS_MAX: i32 = 1_600;

/// How often each quiet move has caused a cut-off, by side, origin and target: the *butterfly* boards.
///
/// Why: a move that refutes one line often refutes its neighbours too, whatever the move before was.
/// It only orders moves, so it is always sound. After Jonathan Schaeffer, *The History Heuristic and
/// Alpha-Beta Search Enhancements in Practice* (1989).
#[derive(Debug)]
pub(crate) struct History {
    /// Indexed by side to move, origin, target.
    scores: Box<[[[i16; Square::COUNT]; Square::COUNT]; 2]>,
}

impl History {
    pub(crate) fn new() -> History {
        History { scores: Box::new([[[0; Square::COUNT]; Square::COUNT]; 2]) }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.scores.as_flattened_mut().as_flattened_mut().fill(0);
    }

    /// How well the move has done, from -16,384 to 16,384.
    #[inline]
    pub(crate) fn score(&self, side: Color, mv: Move) -> i32 {
        i32::from(self.scores[side.index()][mv.from().index()][mv.to().index()])
    }

    /// `refutation` has caused a cut-off after the moves `tried` had not.
    pub(crate) fn reward(&mut self, side: Color, refutation: Move, tried: &[Move], depth: i32) {
        let bonus = (depth * depth * 4).min(BONUS_MAX);
        self.add(side, refutation, bonus);
        for &mv in tried {
            self.add(side, mv, -bonus);
        }
    }

    /// Moves a score by `bonus`, the less the closer it is to the end of the scale already ("gravity"):
    /// scores stay in range, and recent cut-offs outweigh old ones.
    #[inline]
    fn add(&mut self, side: Color, mv: Move, bonus: i32) {
        let score = &mut self.scores[side.index()][mv.from().index()][mv.to().index()];
        let old = i32::from(*score);
        *score = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
    }
}

/// The last two quiet moves that caused a cut-off at each ply.
///
/// Why: siblings differ by one move of the opponent's, and mostly one that the refutation does not mind.
/// Trying the refutation before other quiet moves saves generating them. Sound, since it only orders
/// moves; they are tested for legality before. After Selim Akl and Monroe Newborn, *The Principal
/// Continuation and the Killer Heuristic* (1977).
#[derive(Debug)]
pub(crate) struct Killers {
    /// Indexed by ply; the latest first.
    moves: Vec<[Option<Move>; 2]>,
}

impl Killers {
    pub(crate) fn new() -> Killers {
        Killers { moves: vec![[None; 2]; MAX_PLY as usize + 1] }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.moves.fill([None; 2]);
    }

    #[inline]
    pub(crate) fn at(&self, ply: usize) -> [Option<Move>; 2] {
        self.moves[ply]
    }

    /// The quiet move `mv` has caused a cut-off at `ply`.
    #[inline]
    pub(crate) fn add(&mut self, ply: usize, mv: Move) {
        let slots = &mut self.moves[ply];
        if slots[0] != Some(mv) {
            *slots = [Some(mv), slots[0]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::MoveKind;

    const A: Move = Move::new(Square::G1, Square::F3, MoveKind::Quiet);
    const B: Move = Move::new(Square::B1, Square::C3, MoveKind::Quiet);
    const C: Move = Move::new(Square::E2, Square::E3, MoveKind::Quiet);

    #[test]
    fn scores_stay_in_range() {
        let mut history = History::new();
        for _ in 0..1000 {
            history.reward(Color::White, A, &[B], 100);
        }
        assert!(history.score(Color::White, A) > HISTORY_MAX * 9 / 10);
        assert!(history.score(Color::White, A) <= HISTORY_MAX);
        assert!(history.score(Color::White, B) >= -HISTORY_MAX);
        assert_eq!(history.score(Color::Black, A), 0);
        assert_eq!(history.score(Color::White, C), 0);
        history.clear();
        assert_eq!(history.score(Color::White, A), 0);
    }

    #[test]
    fn recent_cutoffs_outweigh_old_ones() {
        let mut history = History::new();
        (0..100).for_each(|_| history.reward(Color::White, A, &[], 20));
        (0..20).for_each(|_| history.reward(Color::White, B, &[A], 20));
        assert!(history.score(Color::White, B) > history.score(Color::White, A));
    }

    #[test]
    fn two_killers_the_latest_first() {
        let mut killers = Killers::new();
        for mv in [A, B, B, C] {
            killers.add(3, mv);
        }
        assert_eq!(killers.at(3), [Some(C), Some(B)]);
        assert_eq!(killers.at(2), [None, None]);
        killers.clear();
        assert_eq!(killers.at(3), [None, None]);
    }
}
