//! When the session thinks, and what it does with what a search says.

use super::command::shown;
use super::words::{MoveText, ThinkingLine};
use super::{HINT_NODES, Purpose, Role, Session, Task};
use crate::player::Heard;
use std::io::{self, Write};
use std::time::Instant;
use tabiya_core::{Color, Move};
use tabiya_movegen::Game;
use tabiya_search::{BestMove, Info, Limits, SearchEvent};

impl<W: Write> Session<W> {
    /// Is the engine thinking about its own move?
    pub(super) fn is_thinking(&self) -> bool {
        self.task.as_ref().is_some_and(|task| task.purpose == Purpose::Move)
    }

    /// Ends any thinking without an answer, and does what had to wait for its end.
    pub(super) fn abandon(&mut self) -> io::Result<()> {
        self.task = None;
        self.catch_up()
    }

    pub(super) fn stop_pondering(&mut self) {
        if matches!(&self.task, Some(Task { purpose: Purpose::Ponder(_), .. })) {
            self.task = None;
        }
    }

    pub(super) fn catch_up(&mut self) -> io::Result<()> {
        for setting in std::mem::take(&mut self.settings) {
            self.apply(setting)?;
        }
        for number in std::mem::take(&mut self.pings) {
            self.output.line(format_args!("pong {}", shown(&number)))?;
        }
        Ok(())
    }

    /// Starts to think if there is something to think about.
    pub(super) fn respond(&mut self) -> io::Result<()> {
        let position = self.game.position();
        match self.role {
            Role::Analyses if position.has_legal_move() => {
                self.start(Purpose::Analysis, self.game.clone(), Limits::infinite());
            }
            Role::Plays(color) if color == position.side_to_move() && position.has_legal_move() => {
                let limits = self.watch.limits(self.moves_made(color));
                self.start(Purpose::Move, self.game.clone(), limits);
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn ponder(&mut self, expected: Move) {
        let Role::Plays(color) = self.role else { return };
        let mut game = self.game.clone();
        if game.play(expected).is_ok() && game.position().has_legal_move() {
            let limits = Limits { ponder: true, ..self.watch.limits(self.moves_made(color)) };
            self.start(Purpose::Ponder(expected), game, limits);
        }
    }

    pub(super) fn start(&mut self, purpose: Purpose, game: Game, limits: Limits) {
        // The last search has to have let go of the engine.
        self.task = None;
        let root = game.position().clone();
        let thinking = self.player.think(&game, limits);
        let (since, left) = (Instant::now(), self.watch.left());
        self.task = Some(Task { thinking, purpose, root, since, left, last: None, current: None });
    }

    /// How many moves a side has made in this game.
    pub(super) fn moves_made(&self, color: Color) -> usize {
        let first = usize::from(self.game.start().side_to_move() == color);
        (self.game.moves().len() + first) / 2
    }

    pub(super) fn hear(&mut self, event: SearchEvent) -> io::Result<()> {
        let Some(task) = &mut self.task else { return Ok(()) };
        match task.thinking.hear(event) {
            Heard::Nothing => Ok(()),
            Heard::Event(SearchEvent::CurrentMove { mv, number, .. }) => {
                task.current = Some((mv, number));
                Ok(())
            }
            Heard::Event(SearchEvent::Info(info)) => self.post(info),
            Heard::Event(SearchEvent::BestMove(answer)) | Heard::Answer(None, answer) => self.answer(answer),
            Heard::Answer(Some(line), answer) => {
                self.post(line)?;
                self.answer(answer)
            }
        }
    }

    pub(super) fn post(&mut self, info: Info) -> io::Result<()> {
        let Some(task) = &mut self.task else { return Ok(()) };
        // What is thought in the opponent's time is shown only from the time on when it matters.
        if (self.posts && task.purpose == Purpose::Move) || task.purpose == Purpose::Analysis {
            self.output.line(ThinkingLine { info: &info, root: &task.root })?;
        }
        if info.multipv == 1 {
            task.last = Some(info);
        }
        Ok(())
    }

    pub(super) fn answer(&mut self, answer: BestMove) -> io::Result<()> {
        let Some(task) = self.task.take() else { return Ok(()) };
        let (Purpose::Move, Some(mv)) = (task.purpose, answer.best) else { return self.catch_up() };
        self.score = task.last.map(|info| info.score);
        let chess960 = self.chess960 || !self.game.position().has_standard_castling();
        let color = self.game.position().side_to_move();
        self.play(mv);
        self.watch.moved(task.since.elapsed(), self.moves_made(color));
        self.output.line(format_args!("move {}", MoveText { mv, chess960 }))?;
        self.hint = answer.ponder;
        let over = self.announce_end()?;
        self.catch_up()?;
        if let (Some(expected), true, false) = (answer.ponder, self.ponders, over) {
            self.output.line(format_args!("Hint: {}", MoveText { mv: expected, chess960 }))?;
            self.ponder(expected);
        }
        Ok(())
    }

    /// The search has closed its channel without a best move, which is a fault in the engine.
    pub(super) fn search_is_gone(&mut self) -> io::Result<()> {
        self.output.line("tellusererror The search has failed")?;
        self.abandon()
    }

    pub(super) fn tell_status(&mut self) -> io::Result<()> {
        let Some(task) = self.task.as_ref().filter(|task| task.purpose == Purpose::Analysis) else {
            return Ok(());
        };
        let all = task.root.count_legal_moves();
        let (nodes, depth) = task.last.as_ref().map_or((0, 0), |info| (info.nodes, info.depth));
        let time = task.since.elapsed().as_millis() / 10;
        match task.current {
            Some((mv, number)) => {
                let left = all.saturating_sub(number as usize);
                let san = task.root.san(mv);
                self.output.line(format_args!("stat01: {time} {nodes} {depth} {left} {all} {san}"))
            }
            None => self.output.line(format_args!("stat01: {time} {nodes} {depth} 0 {all}")),
        }
    }

    /// Shows the book's replies: lines that begin with a blank, then an empty one.
    pub(super) fn show_book(&mut self) -> io::Result<()> {
        let position = self.game.position();
        let Some(book) = self.player.resources.book() else {
            return self.output.line(" The book is not in use (OwnBook).\n");
        };
        let replies = book.moves(position);
        let all: u64 = replies.iter().map(|reply| u64::from(reply.weight)).sum();
        if all == 0 {
            return self.output.line(" The book has nothing here.\n");
        }
        for reply in replies {
            let percent = u64::from(reply.weight) * 100 / all;
            self.output.line(format_args!(" {} {percent}%", position.san(reply.mv)))?;
        }
        self.output.line("")
    }

    pub(super) fn give_hint(&mut self) -> io::Result<()> {
        let position = self.game.position().clone();
        let analysed = self.task.as_ref().filter(|task| task.purpose == Purpose::Analysis);
        let known = analysed.and_then(|task| task.last.as_ref()?.pv.first().copied()).or(self.hint);
        let mv = match known.filter(|&mv| position.is_legal(mv)) {
            Some(mv) => Some(mv),
            None if self.task.is_some() || !position.has_legal_move() => None,
            None => self.player.think(&self.game, Limits::nodes(HINT_NODES)).wait().best,
        };
        match mv {
            Some(mv) => {
                let chess960 = self.chess960 || !position.has_standard_castling();
                self.output.line(format_args!("Hint: {}", MoveText { mv, chess960 }))
            }
            None => Ok(()),
        }
    }
}
