//! Input that waits for the end of a job.

use crate::reader::{Input, Urgent};
use std::collections::VecDeque;

/// Input that waits for the end of a job, in order. An urgent request applies to the jobs started before it.
#[derive(Default, Debug)]
pub(super) struct Queue {
    messages: VecDeque<(Input, Option<Urgent>)>,
    stops: usize,
    quits: usize,
}

impl Queue {
    pub(super) fn push(&mut self, message: Input, urgent: Option<Urgent>) {
        self.stops += usize::from(urgent == Some(Urgent::Stop));
        self.quits += usize::from(urgent == Some(Urgent::Quit));
        self.messages.push_back((message, urgent));
    }

    pub(super) fn pop(&mut self) -> Option<Input> {
        let (message, urgent) = self.messages.pop_front()?;
        self.stops -= usize::from(urgent == Some(Urgent::Stop));
        self.quits -= usize::from(urgent == Some(Urgent::Quit));
        Some(message)
    }

    /// Returns true if `stop` is in the queue.
    pub(super) fn has_stop(&self) -> bool {
        self.stops > 0
    }

    /// Returns true if `quit` is in the queue.
    pub(super) fn has_quit(&self) -> bool {
        self.quits > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_it_contains() {
        let mut queue = Queue::default();
        for (line, urgent) in [("fen", None), ("stop", Some(Urgent::Stop)), ("quit", Some(Urgent::Quit))] {
            queue.push(Input::Line(line.to_owned()), urgent);
        }
        for (line, has_stop, has_quit) in [("fen", true, true), ("stop", false, true), ("quit", false, false)]
        {
            assert_eq!(queue.pop(), Some(Input::Line(line.to_owned())));
            assert_eq!((queue.has_stop(), queue.has_quit()), (has_stop, has_quit));
        }
        assert_eq!(queue.pop(), None);
    }
}
