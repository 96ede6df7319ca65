//! A page's session: its requests one after another, with at most one search and one review in progress.

use crate::answer::{Answered, answer};
use crate::outbox::{Closed, Outbox};
use crate::play::{Player, RunningSearch, Started};
use crate::protocol::{Envelope, Message, Reply, Request, SearchRequest, VERSION, Welcome};
use crate::resources::{GENERATOR, Resources};
use crate::review::RunningReview;
use crate::search::ScoreView;
use crossbeam_channel::{Receiver, after, never, select};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tabiya_core::Move;
use tabiya_eval::nnue;
use tabiya_movegen::{Game, Position};
use tabiya_play::{MAX_ELO, MIN_ELO};
use tabiya_search::{Engine, EngineError, Options, SearchEvent, TablebaseOptions};

/// Minimum time between two reports of a search.
const REPORT_INTERVAL: Duration = Duration::from_millis(60);

/// The settings of a session.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// The number of search threads, at least 1.
    pub threads: usize,
    /// The size of the transposition table in MiB, at least 1.
    pub hash_mb: usize,
    /// Tablebases and evaluation.
    pub resources: Resources,
}

impl SessionOptions {
    fn engine(&self) -> Options {
        Options {
            hash_mb: self.hash_mb.max(1),
            threads: self.threads.max(1),
            evaluation: self.resources.evaluation.clone(),
            tablebases: TablebaseOptions {
                tables: self.resources.tablebases.clone(),
                ..TablebaseOptions::default()
            },
            ..Options::default()
        }
    }
}

/// A session: it owns the engine that searches for one page.
pub struct Session<O> {
    options: SessionOptions,
    outbox: Arc<O>,
    /// `None` until the first search.
    player: Option<Player>,
    search: Option<ReportedSearch>,
    review: Option<RunningReview>,
}

/// A search and its last report.
struct ReportedSearch {
    id: u32,
    running: Box<RunningSearch>,
    reported: Option<Instant>,
    /// True if there is something new to report.
    is_changed: bool,
}

impl<O: Outbox> Session<O> {
    /// Creates a session. Its engine is created by the first search.
    pub fn new(options: SessionOptions, outbox: O) -> Session<O> {
        Session { options, outbox: Arc::new(outbox), player: None, search: None, review: None }
    }

    /// Handles requests until the channel closes or the page is gone. Searches and reviews in progress then end.
    pub fn run(mut self, requests: &Receiver<Message>) {
        // An error means that the page is gone, which ends the session.
        let _ = self.serve(requests);
    }

    fn serve(&mut self, requests: &Receiver<Message>) -> Result<(), Closed> {
        loop {
            let (events, tick) = match &self.search {
                None => (never(), never()),
                Some(search) => (search.running.search.events().clone(), search.next_report()),
            };
            select! {
                recv(requests) -> message => match message {
                    Ok(message) => self.handle(message)?,
                    Err(_) => return Ok(()),
                },
                recv(events) -> event => match event {
                    Ok(event) => self.add(&event)?,
                    Err(_) => self.search = None,
                },
                recv(tick) -> _ => self.report()?,
            }
        }
    }

    fn handle(&mut self, message: Message) -> Result<(), Closed> {
        let Message { id, request } = message;
        match answer(request, &self.options.resources) {
            Answered::Done(reply) => self.send(id, reply),
            Answered::Search { request, game } => self.start_search(id, &request, &game),
            Answered::Engine(Request::Hello { version }) => {
                let reply = if version == VERSION {
                    Reply::Welcome(self.welcome())
                } else {
                    Reply::error(format!(
                        "this page speaks version {version} (expected {VERSION}): reload it"
                    ))
                };
                self.send(id, reply)
            }
            Answered::Engine(Request::Review { pgn, nodes }) => {
                // Sends the former review's last reply.
                self.review = None;
                match RunningReview::start(id, &pgn, nodes, self.options.engine(), &self.outbox) {
                    Ok(review) => self.review = Some(review),
                    Err(error) => self.send(id, Reply::error(error))?,
                }
                Ok(())
            }
            Answered::Engine(Request::Stop { target }) => {
                if let Some(search) = self.search.as_ref().filter(|search| search.id == target) {
                    search.running.search.stop();
                }
                if let Some(review) = self.review.as_mut().filter(|review| review.id == target) {
                    review.cancel();
                }
                Ok(())
            }
            Answered::Engine(_) => {
                self.end_search()?;
                if let Some(player) = &mut self.player {
                    player.new_game();
                }
                self.send(id, Reply::Done)
            }
        }
    }

    fn welcome(&self) -> Welcome {
        let resources = &self.options.resources;
        Welcome {
            version: VERSION,
            name: GENERATOR.to_owned(),
            threads: self.options.threads,
            hash: self.options.hash_mb,
            elo: [MIN_ELO, MAX_ELO],
            tablebase_pieces: resources.tablebases.as_ref().map_or(0, |tables| tables.max_pieces()),
            has_network: nnue::embedded().is_some(),
        }
    }

    fn start_search(&mut self, id: u32, request: &SearchRequest, game: &Game) -> Result<(), Closed> {
        self.end_search()?;
        if game.outcome().is_some() {
            return self.send(id, Reply::Best { uci: None, san: None, score: None });
        }
        let started = match self.player() {
            Ok(player) => player.start(request, game),
            Err(error) => return self.send(id, Reply::error(error)),
        };
        match started {
            Started::Book(mv) => self.send(id, best(game.position(), Some(mv), None)),
            Started::Search(running) => {
                self.search = Some(ReportedSearch { id, running, reported: None, is_changed: false });
                Ok(())
            }
        }
    }

    fn player(&mut self) -> Result<&mut Player, EngineError> {
        match &mut self.player {
            Some(player) => Ok(player),
            empty => Ok(empty.insert(Player::new(self.options.engine())?)),
        }
    }

    /// Ends a running search, whose page has asked for something else.
    fn end_search(&mut self) -> Result<(), Closed> {
        match self.search.take() {
            None => Ok(()),
            Some(search) => self.send(search.id, Reply::Best { uci: None, san: None, score: None }),
        }
    }

    /// Adds an event of the running search.
    fn add(&mut self, event: &SearchEvent) -> Result<(), Closed> {
        let Some(search) = &mut self.search else { return Ok(()) };
        if let Some(best_move) = search.running.add(event) {
            let (id, collector) = (search.id, &search.running.collector);
            let last = collector.view().clone();
            let score = last.lines.first().map(|line| line.score);
            let reply = best(collector.root(), best_move.best, score);
            let is_changed = search.is_changed;
            self.search = None;
            if is_changed {
                self.send(id, Reply::Info(last))?;
            }
            return self.send(id, reply);
        }
        search.is_changed = true;
        if search.reported.is_none_or(|reported| reported.elapsed() >= REPORT_INTERVAL) {
            self.report()
        } else {
            Ok(())
        }
    }

    /// Sends the state of the running search, unless the page reads too slowly.
    fn report(&mut self) -> Result<(), Closed> {
        let Some(search) = &mut self.search else { return Ok(()) };
        let reply = Reply::Info(search.running.collector.view().clone());
        search.reported = Some(Instant::now());
        search.is_changed = !self.outbox.try_send(Envelope { id: Some(search.id), reply })?;
        Ok(())
    }

    fn send(&self, id: u32, reply: Reply) -> Result<(), Closed> {
        self.outbox.send(Envelope { id: Some(id), reply })
    }
}

impl<O> fmt::Debug for Session<O> {
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

fn best(root: &Position, mv: Option<Move>, score: Option<ScoreView>) -> Reply {
    Reply::Best {
        uci: mv.map(|mv| mv.to_uci(true).to_string()),
        san: mv.map(|mv| root.san(mv).to_string()),
        score,
    }
}

/// Checks that an engine with these settings can be created, so that a server can refuse to start.
///
/// # Errors
/// [`EngineError`] if an option is out of range or there is not enough memory.
pub fn check_options(options: &SessionOptions) -> Result<(), EngineError> {
    Engine::new(options.engine()).map(drop)
}

#[cfg(test)]
mod tests;
