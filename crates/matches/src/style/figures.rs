//! The figures of a group of players.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tabiya_core::{Move, Value};

/// Sizes of mistakes that are counted, in centipawns.
pub(super) const MISTAKES: [Value; 4] = [50, 100, 200, 400];
/// A position with a higher score for either side is decided, in centipawns. People resign there, engines play on.
const DECIDED: Value = 600;
/// Number of first moves in the table.
const FIRST_MOVES: usize = 6;

/// Counts over the moves of a group.
#[derive(Default, PartialEq, Debug, Serialize)]
pub(super) struct Figures {
    /// Games, counted once for each side that belongs to the group.
    pub(super) games: u64,
    /// Moves in positions that are not decided.
    pub(super) moves: u64,
    /// Sum of the losses, in centipawns.
    loss: i64,
    /// Moves that lose at least so much as [`MISTAKES`] says.
    pub(super) mistakes: [u64; MISTAKES.len()],
    /// Moves that return the piece moved last to where it came from, without a capture, and moves after the first.
    take_backs: [u64; 2],
    /// White's first moves.
    first_moves: BTreeMap<String, u64>,
}

impl Figures {
    /// Adds the moves of one side, 0 for White and 1 for Black. `scores` has the score before each move and after the last, for
    /// the side to move.
    pub(super) fn add(&mut self, moves: &[Move], scores: &[Value], color: usize) {
        self.games += 1;
        if color == 0 {
            let first = moves[0].to_uci(false).to_string();
            *self.first_moves.entry(first).or_default() += 1;
        }
        let pairs = moves.iter().zip(scores.windows(2)).enumerate().skip(color).step_by(2);
        for (ply, (mv, score)) in pairs {
            if score[0].abs() > DECIDED {
                continue;
            }
            self.moves += 1;
            let loss = (score[0] + score[1]).max(0);
            self.loss += i64::from(loss);
            for (count, size) in self.mistakes.iter_mut().zip(MISTAKES) {
                *count += u64::from(loss >= size);
            }
            if let Some(last) = ply.checked_sub(2).map(|ply| moves[ply]) {
                let is_back = mv.from() == last.to() && mv.to() == last.from() && mv.is_quiet();
                self.take_backs[0] += u64::from(is_back);
                self.take_backs[1] += 1;
            }
        }
    }
}

/// Returns a table in Markdown.
pub(super) fn table(groups: &BTreeMap<String, Figures>) -> String {
    let mut text = String::from("| Player | Games | Moves | Mean loss |");
    MISTAKES.iter().for_each(|size| write!(text, " ≥ {size} cp |").expect("a string"));
    text += " Taken back | First moves |\n| --- |";
    text += &" --- |".repeat(5 + MISTAKES.len());
    text.push('\n');
    for (name, figures) in groups {
        let mean = figures.loss as f64 / figures.moves.max(1) as f64;
        write!(text, "| {name} | {} | {} | {mean:.0} |", figures.games, figures.moves).expect("a string");
        for &count in &figures.mistakes {
            write!(text, " {} |", per_cent(count, figures.moves)).expect("a string");
        }
        write!(
            text,
            " {} | {} |",
            per_cent(figures.take_backs[0], figures.take_backs[1]),
            first_moves(figures)
        )
        .expect("a string");
        text.push('\n');
    }
    text
}

fn first_moves(figures: &Figures) -> String {
    let total: u64 = figures.first_moves.values().sum();
    let mut moves: Vec<(&String, u64)> = figures.first_moves.iter().map(|(mv, &count)| (mv, count)).collect();
    moves.sort_by_key(|&(mv, count)| (std::cmp::Reverse(count), mv.clone()));
    let shown = moves.iter().take(FIRST_MOVES).map(|&(mv, count)| format!("{mv} {}", per_cent(count, total)));
    shown.collect::<Vec<_>>().join(", ")
}

fn per_cent(count: u64, total: u64) -> String {
    format!("{:.1} %", 100.0 * count as f64 / total.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_movegen::Game;

    fn moves(text: &[&str]) -> Vec<Move> {
        let mut game = Game::new();
        text.iter().map(|mv| game.play_uci(mv).unwrap()).collect()
    }

    #[test]
    fn mistakes_and_moves_taken_back_are_counted() {
        let moves = moves(&["g1f3", "a7a6", "f3g1", "a6a5", "g1f3"]);
        let scores = [20, 10, 40, 250, -100, 60];
        let mut figures = Figures::default();
        figures.add(&moves, &scores, 0);
        // Losses of 30, 290 and 0.
        assert_eq!((figures.games, figures.moves, figures.loss), (1, 3, 320));
        assert_eq!(figures.mistakes, [1, 1, 1, 0]);
        assert_eq!(figures.take_backs, [2, 2]);
        figures.add(&moves, &scores, 1);
        // Losses of 50 and 150.
        assert_eq!((figures.moves, figures.mistakes), (5, [3, 2, 1, 0]));
        assert_eq!(figures.take_backs, [2, 3]);
        // A decided position.
        figures.add(&moves[..1], &[-700, 1000], 0);
        assert_eq!((figures.games, figures.moves), (3, 5));
        let table = table(&BTreeMap::from([("a".to_owned(), figures)]));
        assert!(
            table.contains("| a | 3 | 5 | 104 | 60.0 % | 40.0 % | 20.0 % | 0.0 % | 66.7 % | g1f3 100.0 % |"),
            "{table}"
        );
    }
}
