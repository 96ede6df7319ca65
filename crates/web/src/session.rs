//! A page's session: its requests one after another, with at most one search and one review in progress.

use crate::answer::{Answered, answer};
use crate::protocol::{Envelope, Message, Reply, SearchRequest};
use crate::reply_sender::{Disconnected, ReplySender};
use crate::review::RunningReview;
use crate::search::InfoCollector;
use crate::session_options::{SessionOptions, welcome};
use crossbeam_channel::{Receiver, after, never, select};
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tabiya_movegen::Game;
use tabiya_player::{Player, PlayerEvent, PlayerSearch, PreparedSearch};
use tabiya_search::{Engine, EngineError, Score, SearchEvent};

/// Minimum time between two reports of a search.
const REPORT_INTERVAL: Duration = Duration::from_millis(60);

/// A session: it owns the engine that searches for one page.
pub struct Session<S> {
    options: SessionOptions,
    replies: Arc<S>,
    /// `None` until the first search.
    player: Option<Player>,
    search: Option<ReportedSearch>,
    review: Option<RunningReview>,
}

/// A search and its last report.
struct ReportedSearch {
    id: u32,
    game: Game,
    search: PlayerSearch,
    collector: InfoCollector,
    /// The score of the best line.
    score: Option<Score>,
    /// The time that a person would take for the move, if that is asked for.
    thinking_time: Option<Duration>,
    reported: Option<Instant>,
    /// True if there is something new to report.
    is_changed: bool,
}

impl<S: ReplySender> Session<S> {
    /// Creates a session. Its engine is created by the first search.
    pub fn new(options: SessionOptions, replies: S) -> Session<S> {
        Session { options, replies: Arc::new(replies), player: None, search: None, review: None }
    }

    /// Handles requests, as texts that [`Message::read`] reads, until the channel closes or the page is gone. Searches and reviews in progress
    /// then end.
    pub fn run(mut self, requests: &Receiver<impl AsRef<str>>) {
        // An error means that the page is gone, which ends the session.
        let _ = self.serve(requests);
    }

    fn serve(&mut self, requests: &Receiver<impl AsRef<str>>) -> Result<(), Disconnected> {
        loop {
            let (events, tick) = match &self.search {
                None => (never(), never()),
                Some(search) => (search.search.events().clone(), search.next_report()),
            };
            select! {
                recv(requests) -> message => match message {
                    Ok(text) => {
                        let message = Message::read(text.as_ref());
                        // A long one takes memory.
                        drop(text);
                        match message {
                            Ok(message) => self.handle(message)?,
                            Err(reply) => self.replies.send(reply)?,
                        }
                    }
                    Err(_) => return Ok(()),
                },
                recv(events) -> event => match event {
                    Ok(event) => self.add(event)?,
                    Err(_) => self.search = None,
                },
                recv(tick) -> _ => self.report()?,
            }
        }
    }

    fn handle(&mut self, message: Message) -> Result<(), Disconnected> {
        let Message { id, request } = message;
        match answer(request, &self.options.resources) {
            Answered::Done(reply) => self.send(id, reply),
            Answered::Search { request, game } => self.start_search(id, &request, &game),
            Answered::Hello { version, size } => {
                // Later the engine has its size already.
                if self.player.is_none() {
                    self.options.resize(size);
                }
                self.send(id, welcome(version, &self.options))
            }
            Answered::Review { game, nodes } => {
                // Sends the last reply of the review in progress.
                self.review = None;
                match RunningReview::start(id, *game, nodes, self.options.engine(), &self.replies) {
                    Ok(review) => self.review = Some(review),
                    Err(error) => self.send(id, Reply::error(error))?,
                }
                Ok(())
            }
            Answered::Stop { target } => {
                if let Some(search) = self.search.as_ref().filter(|search| search.id == target) {
                    search.search.stop();
                }
                if let Some(review) = self.review.as_mut().filter(|review| review.id == target) {
                    review.cancel();
                }
                Ok(())
            }
            Answered::NewGame => {
                self.end_search()?;
                if let Some(player) = &mut self.player {
                    player.new_game();
                }
                self.send(id, Reply::Done)
            }
        }
    }

    fn start_search(&mut self, id: u32, request: &SearchRequest, game: &Game) -> Result<(), Disconnected> {
        self.end_search()?;
        if game.outcome().is_some() {
            return self.send(id, Reply::NO_MOVE);
        }
        let player = match self.player() {
            Ok(player) => player,
            Err(error) => return self.send(id, Reply::error(error)),
        };
        player.settings = request.settings();
        let prepared = player.prepare(game, request.limits());
        let PreparedSearch { thinking_time, book_move, .. } = prepared;
        if book_move.is_some() {
            return self.send(id, Reply::best(game, book_move, None, thinking_time));
        }
        let search = prepared.start(game);
        self.search = Some(ReportedSearch {
            id,
            game: game.clone(),
            search,
            collector: InfoCollector::new(game),
            score: None,
            thinking_time,
            reported: None,
            is_changed: false,
        });
        Ok(())
    }

    fn player(&mut self) -> Result<&mut Player, EngineError> {
        match &mut self.player {
            Some(player) => Ok(player),
            empty => {
                let seed = RandomState::new().hash_one(0);
                Ok(empty.insert(Player::new(Engine::new(self.options.engine())?, seed)))
            }
        }
    }

    /// Ends a running search, whose page has asked for something else.
    fn end_search(&mut self) -> Result<(), Disconnected> {
        match self.search.take() {
            None => Ok(()),
            Some(search) => {
                let id = search.id;
                // Stops it before a page that reads slowly can delay that.
                drop(search);
                self.send(id, Reply::NO_MOVE)
            }
        }
    }

    /// Adds an event of the running search.
    fn add(&mut self, event: SearchEvent) -> Result<(), Disconnected> {
        let Some(search) = &mut self.search else { return Ok(()) };
        match search.search.event(event) {
            Some(PlayerEvent::Info(info)) => {
                search.collector.update(&info);
                if info.multipv == 1 {
                    search.score = Some(info.score);
                }
                search.is_changed = true;
                let is_due = search.reported.is_none_or(|reported| reported.elapsed() >= REPORT_INTERVAL);
                if is_due { self.report() } else { Ok(()) }
            }
            Some(PlayerEvent::BestMove { answer, .. }) => {
                let (id, last) = (search.id, search.collector.state().clone());
                let score = answer.best.and_then(|mv| search.search.score(mv)).or(search.score);
                let reply = Reply::best(&search.game, answer.best, score, search.thinking_time);
                let is_changed = search.is_changed;
                self.search = None;
                if is_changed {
                    self.send(id, Reply::Info(last))?;
                }
                self.send(id, reply)
            }
            _ => Ok(()),
        }
    }

    /// Sends the state of the running search, unless the page reads too slowly.
    fn report(&mut self) -> Result<(), Disconnected> {
        let Some(search) = &mut self.search else { return Ok(()) };
        let reply = Reply::Info(search.collector.state().clone());
        search.reported = Some(Instant::now());
        search.is_changed = !self.replies.try_send(Envelope { id: Some(search.id), reply })?;
        Ok(())
    }

    fn send(&self, id: u32, reply: Reply) -> Result<(), Disconnected> {
        self.replies.send(Envelope { id: Some(id), reply })
    }
}

impl<S> fmt::Debug for Session<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("options", &self.options).finish_non_exhaustive()
    }
}

impl ReportedSearch {
    /// A channel that becomes ready when the next report is due.
    fn next_report(&self) -> Receiver<Instant> {
        match self.reported {
            Some(reported) if self.is_changed => after(REPORT_INTERVAL.saturating_sub(reported.elapsed())),
            _ => never(),
        }
    }
}

#[cfg(test)]
mod tests;
