//! The queue of a search's events.

use crate::report::SearchEvent;
use crossbeam_channel::{Receiver, RecvTimeoutError, TryRecvError};
use std::fmt;
use std::time::Duration;

/// The events of a search, in order. As an iterator it waits for each event, and ends after [`SearchEvent::BestMove`].
///
/// Events are queued, so reading late loses none. Each event is read once, even if there are several clones.
#[derive(Clone)]
pub struct Events(Receiver<SearchEvent>);

impl Events {
    pub(crate) fn new(receiver: Receiver<SearchEvent>) -> Events {
        Events(receiver)
    }

    /// Returns the next event if there is one.
    ///
    /// # Errors
    /// [`NoEvent`] if there is none yet, or no further one.
    pub fn try_next(&self) -> Result<SearchEvent, NoEvent> {
        self.0.try_recv().map_err(|error| match error {
            TryRecvError::Empty => NoEvent::Pending,
            TryRecvError::Disconnected => NoEvent::Ended,
        })
    }

    /// Waits for the next event, but at most this long.
    ///
    /// # Errors
    /// [`NoEvent`] if there was none in this time, or there is no further one.
    pub fn next_timeout(&self, timeout: Duration) -> Result<SearchEvent, NoEvent> {
        self.0.recv_timeout(timeout).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoEvent::Pending,
            RecvTimeoutError::Disconnected => NoEvent::Ended,
        })
    }
}

impl Iterator for Events {
    type Item = SearchEvent;

    fn next(&mut self) -> Option<SearchEvent> {
        self.0.recv().ok()
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("queued", &self.0.len()).finish()
    }
}

/// The reason why [`Events`] has no event to return.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoEvent {
    /// The search is running and has sent no further event yet.
    Pending,
    /// All events have been read.
    Ended,
}

impl fmt::Display for NoEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoEvent::Pending => "the search has sent no further event yet",
            NoEvent::Ended => "the search has ended",
        })
    }
}

impl std::error::Error for NoEvent {}
