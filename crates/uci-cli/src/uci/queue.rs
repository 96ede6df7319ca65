//! Input that waits for the end of a job.

use crate::reader::Input;
use std::collections::VecDeque;

/// The effect of a queued message on the jobs started before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    None,
    /// `stop`
    Stop,
    /// `quit`
    Quit,
}

/// Input that waits for the end of a job, in order.
#[derive(Default, Debug)]
pub(super) struct Queue {
    messages: VecDeque<(Input, Effect)>,
    stops: usize,
    quits: usize,
}

impl Queue {
    pub(super) fn push(&mut self, message: Input, effect: Effect) {
        self.stops += usize::from(effect == Effect::Stop);
        self.quits += usize::from(effect == Effect::Quit);
        self.messages.push_back((message, effect));
    }

    pub(super) fn pop(&mut self) -> Option<Input> {
        let (message, effect) = self.messages.pop_front()?;
        self.stops -= usize::from(effect == Effect::Stop);
        self.quits -= usize::from(effect == Effect::Quit);
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
        for (line, effect) in [("fen", Effect::None), ("stop", Effect::Stop), ("quit", Effect::Quit)] {
            queue.push(Input::Line(line.to_owned()), effect);
        }
        for (line, has_stop, has_quit) in [("fen", true, true), ("stop", false, true), ("quit", false, false)]
        {
            assert_eq!(queue.pop(), Some(Input::Line(line.to_owned())));
            assert_eq!((queue.has_stop(), queue.has_quit()), (has_stop, has_quit));
        }
        assert_eq!(queue.pop(), None);
    }
}
