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
        /// The line of the move, unless it was reported last or several lines were asked for.
        line: Option<Info>,
    },
}

impl MoveChoice {
    pub(crate) fn new(chooser: Option<LineChooser>, multipv: usize) -> MoveChoice {
        MoveChoice { chooser, multipv, is_book_move: false }
    }

    /// The choice of a book move.
    pub(crate) fn book_move() -> MoveChoice {
        MoveChoice { chooser: None, multipv: 1, is_book_move: true }
    }

    /// Processes an event of the search. Returns `None` for lines that were searched only to limit the strength.
    pub fn event(&mut self, event: SearchEvent) -> Option<PlayerEvent> {
        match event {
            SearchEvent::Info(info) => {
                if let Some(chooser) = &mut self.chooser {
                    chooser.update(&info);
                }
                (info.multipv as usize <= self.multipv).then_some(PlayerEvent::Info(info))
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

    /// Returns the move to play, given the best move of the search, and its line unless that was reported last or several lines were
    /// asked for. Among several it would stand in the place of the best one.
    pub fn choose(&self, answer: BestMove) -> (BestMove, Option<Info>) {
        match &self.chooser {
            None if self.is_book_move => (BestMove { ponder: None, ..answer }, None),
            None => (answer, None),
            Some(chooser) => {
                let (answer, line) = chooser.choose(answer);
                let line = line.filter(|_| self.multipv == 1);
                (answer, line.map(|line| line.clone().with_multipv(1)))
            }
        }
    }

    /// Returns the score of a move that was searched at limited strength, even if its line was not reported. At full strength the score is
    /// that of the first line.
    pub fn score(&self, mv: Move) -> Option<Score> {
        self.chooser.as_ref()?.score(mv)
    }
}
