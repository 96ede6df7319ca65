//! The reports and the move of a player's search.

use crate::line_chooser::LineChooser;
use tabiya_core::Move;
use tabiya_search::{BestMove, Info, Score, SearchEvent};

/// Turns the events of a search into what the player reports and plays.
///
/// At limited strength the search computes more lines than are reported, and the move may be that of another line than the best.
#[derive(Debug)]
pub struct MoveChoice {
    /// `None` at full strength.
    chooser: Option<LineChooser>,
    /// The number of lines to report.
    multipv: usize,
    /// The first moves of the lines reported last.
    reported: Vec<Option<Move>>,
    /// True for a move of the book. It has no move to ponder on, because a ponder hit would leave the book.
    is_book_move: bool,
}

/// An event of a player's search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum PlayerEvent {
    /// A line to report.
    Info(Info),
    /// The root move that is being searched.
    CurrentMove {
        /// The depth of the iteration, in plies.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its number, from 1.
        number: u32,
    },
    /// The end of the search.
    BestMove {
        /// The move to play and the expected reply.
        answer: BestMove,
        /// The line of the move, unless it is among those reported last. Its number is the next one, at most that of the lines asked for.
        line: Option<Info>,
    },
}

impl MoveChoice {
    pub(crate) fn new(chooser: Option<LineChooser>, multipv: usize) -> MoveChoice {
        MoveChoice { chooser, multipv, reported: Vec::new(), is_book_move: false }
    }

    /// The choice of a book move.
    pub(crate) fn book_move() -> MoveChoice {
        MoveChoice { is_book_move: true, ..MoveChoice::new(None, 1) }
    }

    /// Processes an event of the search. Returns `None` for lines that were searched only to limit the strength.
    pub fn event(&mut self, event: SearchEvent) -> Option<PlayerEvent> {
        match event {
            SearchEvent::Info(info) => {
                if let Some(chooser) = &mut self.chooser {
                    chooser.update(&info);
                }
                let place = info.multipv as usize;
                if place > self.multipv {
                    return None;
                }
                self.reported.truncate(place.saturating_sub(1));
                self.reported.push(info.pv.first().copied());
                Some(PlayerEvent::Info(info))
            }
            SearchEvent::CurrentMove { depth, mv, number } => {
                Some(PlayerEvent::CurrentMove { depth, mv, number })
            }
            SearchEvent::BestMove(answer) => {
                let (answer, line) = self.choose(answer);
                Some(PlayerEvent::BestMove { answer, line })
            }
            _ => None,
        }
    }

    /// Returns the move to play, given the best move of the search, and its line unless that is among those reported last. The line's
    /// number is the next one, at most that of the lines asked for.
    pub fn choose(&self, answer: BestMove) -> (BestMove, Option<Info>) {
        match &self.chooser {
            None if self.is_book_move => (BestMove { ponder: None, ..answer }, None),
            None => (answer, None),
            Some(chooser) => {
                let (answer, line) = chooser.choose(answer);
                let place = self.multipv.min(self.reported.len() + 1);
                let line = line.filter(|_| !self.reported.contains(&answer.best));
                (answer, line.map(|line| line.clone().with_multipv(place as u32)))
            }
        }
    }

    /// Returns the score of a move that was searched at limited strength, even if its line was not reported. At full strength the score is
    /// that of the first line.
    pub fn score(&self, mv: Move) -> Option<Score> {
        self.chooser.as_ref()?.score(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::Candidate;
    use crate::strength::Strength;
    use std::sync::Arc;
    use std::time::Duration;
    use tabiya_core::Bound;
    use tabiya_movegen::Position;

    /// The legal moves at the start, and a choice that prefers the last of the first three.
    fn choice_of_the_third(multipv: usize) -> (Vec<Move>, MoveChoice) {
        let position = Position::startpos();
        let moves: Vec<Move> = position.legal_moves().into_iter().take(3).collect();
        let candidates =
            moves.iter().zip([0.0, 0.0, 1.0]).map(|(&mv, preference)| Candidate { mv, preference }).collect();
        let chooser = LineChooser::new(&position, Strength::from_elo(1500), candidates, Arc::default());
        (moves, MoveChoice::new(Some(chooser), multipv))
    }

    fn info(number: u32, mv: Move) -> Info {
        Info::new(5, Score::Centipawns(20)).with_multipv(number).with_pv(vec![mv])
    }

    /// Reports the moves as equal lines, and returns the numbers of those that are passed on.
    fn report(choice: &mut MoveChoice, moves: &[Move]) -> Vec<u32> {
        let events = moves.iter().zip(1..).map(|(&mv, number)| SearchEvent::Info(info(number, mv)));
        let reported = events.filter_map(|event| match choice.event(event) {
            Some(PlayerEvent::Info(info)) => Some(info.multipv),
            _ => None,
        });
        reported.collect()
    }

    #[test]
    fn the_line_of_the_move_takes_the_last_place_unless_it_was_reported() {
        for (multipv, reported, place) in
            [(1, &[1][..], Some(1)), (2, &[1, 2], Some(2)), (3, &[1, 2, 3], None), (4, &[1, 2, 3], None)]
        {
            let (moves, mut choice) = choice_of_the_third(multipv);
            assert_eq!(report(&mut choice, &moves), reported);
            let (answer, line) = choice.choose(BestMove { best: Some(moves[0]), ponder: None });
            assert_eq!(answer.best, Some(moves[2]));
            assert_eq!(line, place.map(|place| info(place, moves[2])), "{multipv} lines");
        }
    }

    #[test]
    fn the_line_of_the_move_has_the_statistics_of_the_whole_search() {
        let (moves, mut choice) = choice_of_the_third(1);
        report(&mut choice, &moves);
        let with_statistics = |info: Info| {
            info.with_nodes(300).with_time(Duration::from_millis(7)).with_hashfull(5).with_tb_hits(2)
        };
        // A bound, which does not replace the line before it.
        choice.event(SearchEvent::Info(with_statistics(info(1, moves[0]).with_bound(Bound::Upper))));
        let (_, line) = choice.choose(BestMove { best: Some(moves[0]), ponder: None });
        assert_eq!(line, Some(with_statistics(info(1, moves[2]))));
    }
}
