//! Starting searches and handling their events.

use super::command::sanitize;
use super::format::{MoveText, ThinkingLine};
use super::{HINT_NODES, Purpose, Role, Session, Task};
use crate::position;
use crate::rate_limiter::RateLimiter;
use std::io::{self, Write};
use std::time::Instant;
use tabiya_core::{Color, Move};
use tabiya_movegen::Game;
use tabiya_player::PlayerEvent;
use tabiya_search::{BestMove, Info, Limits, SearchEvent};

impl<W: Write> Session<W> {
    /// Returns true if the engine is searching for its move.
    pub(super) fn is_searching_move(&self) -> bool {
        self.task.as_ref().is_some_and(|task| task.purpose == Purpose::Move)
    }

    /// Ends a search without a move, and processes what was deferred.
    pub(super) fn abort_search(&mut self) -> io::Result<()> {
        (self.task, self.draw_offered) = (None, false);
        self.process_deferred()
    }

    /// Returns true if castling is written as `O-O`: in the variant, or if the position needs it.
    fn uses_chess960_notation(&self) -> bool {
        position::uses_chess960_notation(self.game.position(), self.chess960)
    }

    pub(super) fn stop_pondering(&mut self) {
        if matches!(&self.task, Some(Task { purpose: Purpose::Ponder(_), .. })) {
            self.task = None;
        }
    }

    pub(super) fn process_deferred(&mut self) -> io::Result<()> {
        for change in std::mem::take(&mut self.deferred) {
            self.apply(change)?;
        }
        for number in std::mem::take(&mut self.pings) {
            self.output.line(format_args!("pong {}", sanitize(&number)))?;
        }
        Ok(())
    }

    /// Starts a search if the engine is analysing or it is its turn.
    pub(super) fn start_search_if_due(&mut self) -> io::Result<()> {
        if self.invalid {
            return Ok(());
        }
        let position = self.game.position();
        match self.role {
            Role::Analyse if position.has_legal_move() => {
                self.start(Purpose::Analysis, self.game.clone(), Limits::infinite());
            }
            Role::Play(color) if color == position.side_to_move() && position.has_legal_move() => {
                let limits = self.clock.limits(self.control_moves(color));
                self.start(Purpose::Move, self.game.clone(), limits);
            }
            _ => {}
        }
        Ok(())
    }

    /// Starts to ponder on the expected move.
    pub(super) fn start_pondering(&mut self, expected: Move) {
        let Role::Play(color) = self.role else { return };
        let mut game = self.game.clone();
        if game.play(expected).is_ok() && game.position().has_legal_move() {
            let limits = self.clock.limits(self.control_moves(color)).with_ponder(true);
            self.start(Purpose::Ponder(expected), game, limits);
        }
    }

    fn start(&mut self, purpose: Purpose, game: Game, limits: Limits) {
        // The engine runs one search at a time.
        self.task = None;
        let root = game.position().clone();
        let prepared = self.controller.prepare(&game, limits);
        let search = prepared.start(&game);
        let handle = search.stop_handle();
        self.early_stop.register(purpose == Purpose::Move, move || handle.stop());
        let (start, remaining) = (Instant::now(), self.clock.remaining());
        let rate_limiter = RateLimiter::new(false, start);
        self.task =
            Some(Task { search, purpose, root, start, remaining, last: None, rate_limiter, current: None });
    }

    /// The number of moves that a side has made since the time control was set; negative if more have been taken back.
    fn control_moves(&self, color: Color) -> i64 {
        let first = usize::from(self.game.start().side_to_move() == color);
        let made = |plies: usize| ((plies + first) / 2) as i64;
        made(self.game.moves().len()) - made(self.control_start)
    }

    pub(super) fn handle_event(&mut self, event: SearchEvent) -> io::Result<()> {
        let is_shown = self.shows_thinking();
        let Some(task) = &mut self.task else { return Ok(()) };
        match task.search.event(event) {
            Some(PlayerEvent::CurrentMove { mv, number, .. }) => {
                task.current = Some((mv, number));
                Ok(())
            }
            Some(PlayerEvent::Info(info)) => {
                task.note(&info);
                let admitted = if is_shown { task.rate_limiter.admit(info, Instant::now()) } else { None };
                self.print_thinking(admitted)
            }
            Some(PlayerEvent::BestMove { answer, line }) => {
                if let Some(line) = &line {
                    task.note(line);
                }
                let lines = task.rate_limiter.finish(line);
                self.print_thinking(lines)?;
                self.play_best_move(answer)
            }
            _ => Ok(()),
        }
    }

    /// Returns true if the thinking output of the running search is wanted.
    fn shows_thinking(&self) -> bool {
        self.task.as_ref().is_some_and(|task| match task.purpose {
            Purpose::Move => self.post,
            // Not shown before the expected move is played.
            Purpose::Ponder(_) => false,
            Purpose::Analysis => true,
        })
    }

    /// Prints lines of thinking output, if wanted.
    pub(super) fn print_thinking(&mut self, lines: impl IntoIterator<Item = Info>) -> io::Result<()> {
        let is_shown = self.shows_thinking();
        let Some(task) = self.task.as_ref().filter(|_| is_shown) else { return Ok(()) };
        lines
            .into_iter()
            .try_for_each(|info| self.output.line(ThinkingLine { info: &info, root: &task.root }))
    }

    /// Prints the thinking output that the rate limiter holds.
    pub(super) fn print_delayed(&mut self) -> io::Result<()> {
        let lines = self.task.as_mut().map(|task| task.rate_limiter.take()).unwrap_or_default();
        self.print_thinking(lines)
    }

    /// Plays the move found and starts to ponder.
    fn play_best_move(&mut self, answer: BestMove) -> io::Result<()> {
        let Some(task) = self.task.take() else { return Ok(()) };
        let (Purpose::Move, Some(mv)) = (task.purpose, answer.best) else { return self.process_deferred() };
        let score = task.last.map(|info| info.score);
        // Before the move, which would decline the offer.
        if std::mem::take(&mut self.draw_offered) {
            self.answer_draw_offer(score)?;
        }
        let chess960 = self.uses_chess960_notation();
        let color = self.game.position().side_to_move();
        self.play(mv);
        self.score = score.map(|score| (score, self.game.moves().len()));
        self.clock.moved(task.start.elapsed(), self.control_moves(color));
        self.output.line(format_args!("move {}", MoveText { mv, chess960 }))?;
        // At limited strength the expected reply is too weak to be a hint.
        self.hint = answer.ponder.filter(|_| self.controller.player.settings.strength.is_none());
        let over = self.print_result()?;
        self.process_deferred()?;
        if let (Some(expected), true, false) = (answer.ponder, self.ponder && !self.is_ending, over) {
            self.output.line(format_args!("Hint: {}", MoveText { mv: expected, chess960 }))?;
            self.start_pondering(expected);
        }
        Ok(())
    }

    /// Handles a search that has closed its channel without a best move, which is a bug in the engine.
    pub(super) fn search_failed(&mut self) -> io::Result<()> {
        self.output.line("tellusererror The search has failed")?;
        self.abort_search()
    }

    /// Answers `.` during analysis.
    pub(super) fn print_status(&mut self) -> io::Result<()> {
        let Some(task) = self.task.as_ref().filter(|task| task.purpose == Purpose::Analysis) else {
            return Ok(());
        };
        let total = task.root.count_legal_moves();
        let (nodes, depth) = task.last.as_ref().map_or((0, 0), |info| (info.nodes, info.depth));
        let time = task.start.elapsed().as_millis() / 10;
        match task.current {
            Some((mv, number)) => {
                let left = total.saturating_sub(number as usize);
                let san = task.root.san(mv);
                self.output.line(format_args!("stat01: {time} {nodes} {depth} {left} {total} {san}"))
            }
            // The search reports no current move in its first seconds.
            None => self.output.line(format_args!("stat01: {time} {nodes} {depth} {total} {total}")),
        }
    }

    /// Prints the moves of the book: lines that begin with a space, then an empty line.
    pub(super) fn print_book(&mut self) -> io::Result<()> {
        if self.invalid {
            return self.output.line(" The position is illegal.\n");
        }
        let position = self.game.position();
        if !self.controller.settings.own_book {
            return self.output.line(" The book is not in use (OwnBook).\n");
        }
        let moves = self.controller.player.book().moves(position);
        let total: u64 = moves.iter().map(|entry| u64::from(entry.weight)).sum();
        if total == 0 {
            return self.output.line(" The book has no moves in this position.\n");
        }
        for entry in moves {
            let percent = u64::from(entry.weight) * 100 / total;
            self.output.line(format_args!(" {} {percent}%", position.san(entry.mv)))?;
        }
        self.output.line("")
    }

    /// Answers `hint` with the expected move, or after a short search, always at full strength: the hint is for the user.
    pub(super) fn print_hint(&mut self) -> io::Result<()> {
        if self.invalid {
            return Ok(());
        }
        let position = self.game.position().clone();
        let analysed = self.task.as_ref().filter(|task| task.purpose == Purpose::Analysis);
        let expected = analysed.and_then(|task| task.last.as_ref()?.pv.first().copied()).or(self.hint);
        let expected = expected.filter(|&mv| position.is_legal(mv));
        if expected.is_none() {
            // The engine runs one search at a time.
            self.stop_pondering();
        }
        let mv = match expected {
            Some(mv) => Some(mv),
            None if self.task.is_some() || !position.has_legal_move() => None,
            None => {
                let engine = self.controller.player.engine_mut();
                engine.go(&self.game, Limits::nodes(HINT_NODES)).answer().best
            }
        };
        match mv {
            Some(mv) => {
                let chess960 = self.uses_chess960_notation();
                self.output.line(format_args!("Hint: {}", MoveText { mv, chess960 }))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::early_stop::EarlyStop;
    use crate::output::Output;
    use crate::reader::Input;

    fn session() -> Session<Vec<u8>> {
        let early_stop = EarlyStop::default();
        Session::new(Output::new(Vec::new(), early_stop.clone()), early_stop).unwrap()
    }

    fn receive(session: &mut Session<Vec<u8>>, lines: &str) {
        for line in lines.lines() {
            assert!(session.receive(Input::Line(line.to_owned())).unwrap().is_continue());
        }
    }

    #[test]
    fn moves_of_a_time_control_count_from_its_command() {
        let mut session = session();
        let mut moves_to_go = |lines: &str, color: Color| {
            receive(&mut session, lines);
            session.clock.limits(session.control_moves(color)).clock.unwrap().moves_to_go
        };
        let moves = "e2e4\ne7e5\ng1f3\nb8c6\nf1c4";
        assert_eq!(moves_to_go("level 40 5 0\nnew\nforce", Color::White), Some(40));
        assert_eq!(moves_to_go(moves, Color::White), Some(37));
        assert_eq!(moves_to_go("level 8 5 0", Color::White), Some(8));
        assert_eq!(moves_to_go("g8f6\nd2d3", Color::White), Some(7));
        assert_eq!(moves_to_go("", Color::Black), Some(7));
        assert_eq!(moves_to_go("remove\nremove", Color::Black), Some(9), "taken back beyond the command");
        assert_eq!(moves_to_go("new\nforce", Color::White), Some(8));
        assert_eq!(moves_to_go("e2e4\ne7e5\nlevel 6 5 0", Color::White), Some(6));
        let set_board = "setboard 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
        assert_eq!(moves_to_go(set_board, Color::Black), Some(6));
        assert_eq!(moves_to_go("e8e7\ne2e4", Color::Black), Some(5));
    }

    #[test]
    fn time_control_ends_pondering() {
        let mut session = session();
        for command in ["level 8 22 0", "st 5", "sd 3"] {
            receive(&mut session, "new\nforce\ne2e4");
            session.role = Role::Play(Color::White);
            let reply = session.game.position().parse_uci("e7e5").unwrap();
            session.start_pondering(reply);
            assert!(session.task.is_some());
            receive(&mut session, command);
            assert!(session.task.is_none(), "{command}");
        }
    }
}
