//! The handle on a running search.

use crate::answer::{Answer, Line};
use crate::control::{Control, Signals};
use crate::events::Events;
use crate::time::TimeBudget;
use crossbeam_channel::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

/// A handle on a search. Dropping it stops the search.
#[must_use = "dropping the handle stops the search"]
#[derive(Debug)]
pub struct Search {
    pub(crate) events: Events,
    /// Receives the answer.
    pub(crate) answer: Receiver<Answer>,
    /// The lines of the last report.
    pub(crate) lines: SharedLines,
    pub(crate) stop: StopHandle,
    pub(crate) budget: TimeBudget,
}

impl Search {
    /// Returns the queue of events: any number of reports, then one
    /// [`SearchEvent::BestMove`](crate::SearchEvent::BestMove). It is empty if the search was started by
    /// [`Engine::go_with`](crate::Engine::go_with).
    pub fn events(&self) -> Events {
        self.events.clone()
    }

    /// Returns the lines found so far, best first, at any time and without waiting: those of the last iteration that was completed.
    /// Once the search has ended, the lines of its answer. Empty until the first iteration has ended.
    ///
    /// The scores never rise from one line to the next. They are exact, unless the search has been stopped within an iteration: a
    /// line that this iteration did not finish keeps its depth, or is marked as a [bound](Line::bound).
    ///
    /// ```
    /// use tabiya_movegen::Game;
    /// use tabiya_search::{Engine, Limits, Options};
    ///
    /// let mut engine = Engine::new(Options::default())?;
    /// let search = engine.go(&Game::new(), Limits::infinite().with_multipv(3));
    /// while search.lines().is_empty() {
    ///     std::thread::yield_now();
    /// }
    /// assert_eq!(search.lines().len(), 3);
    /// search.stop();
    /// assert!(search.answer().depth() > 0);
    /// # Ok::<(), tabiya_search::EngineError>(())
    /// ```
    pub fn lines(&self) -> Vec<Line> {
        self.lines.get()
    }

    /// Tells the search to send its best move now. Does not wait for it, and has no effect on a search that
    /// has ended.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Returns a handle by which another thread can stop the search.
    ///
    /// ```
    /// use tabiya_movegen::Game;
    /// use tabiya_search::{Engine, Limits, Options};
    ///
    /// let mut engine = Engine::new(Options::default())?;
    /// let search = engine.go(&Game::new(), Limits::infinite());
    /// let handle = search.stop_handle();
    /// std::thread::spawn(move || handle.stop());
    /// assert!(search.answer().best.is_some());
    /// # Ok::<(), tabiya_search::EngineError>(())
    /// ```
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Tells a search with [`Limits::ponder`](crate::Limits::ponder) that the opponent has played the expected move.
    pub fn ponderhit(&self) {
        let StopHandle { control, signals } = &self.stop;
        signals.start_clock(signals.elapsed(), &self.budget);
        let _ = control.send(Control::PonderHit);
    }

    /// Waits for the result, whether or not the events are read. Does not stop the search: one without an end
    /// ([`Limits::infinite`](crate::Limits::infinite), [`Limits::ponder`](crate::Limits::ponder)) must be
    /// [stopped](Search::stop) first.
    ///
    /// ```
    /// use tabiya_movegen::Game;
    /// use tabiya_search::{Engine, Limits, Options, Score};
    ///
    /// let mut engine = Engine::new(Options::default())?;
    /// let mut game = Game::new();
    /// for mv in ["f2f3", "e7e5", "g2g4"] {
    ///     game.play_uci(mv)?;
    /// }
    /// let answer = engine.go(&game, Limits::depth(2)).answer();
    /// assert_eq!(answer.best.unwrap().to_uci(false).to_string(), "d8h4");
    /// assert_eq!(answer.score(), Score::Mate(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the search thread has panicked: in the caller's own evaluator, move filter or event function.
    pub fn answer(self) -> Answer {
        self.answer.recv().expect("the search thread answers unless it has panicked")
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Stops a search; see [`Search::stop_handle`].
#[derive(Clone, Debug)]
pub struct StopHandle {
    control: Sender<Control>,
    signals: Arc<Signals>,
}

impl StopHandle {
    pub(crate) fn new(control: Sender<Control>, signals: Arc<Signals>) -> StopHandle {
        StopHandle { control, signals }
    }

    /// Stops the search, as [`Search::stop`] does.
    pub fn stop(&self) {
        // The flag reaches all threads; the message releases an answer that is held back.
        self.signals.stop();
        // An error means that the search has ended.
        let _ = self.control.send(Control::Stop);
    }
}

/// The lines of the last report, shared by a search and its handle.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedLines(Arc<Mutex<Vec<Line>>>);

impl SharedLines {
    pub(crate) fn set(&self, lines: Vec<Line>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = lines;
    }

    fn get(&self) -> Vec<Line> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
