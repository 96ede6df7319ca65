//! Cancelling a review from another thread.

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded, never};
use std::convert::Infallible;

/// Cancels what holds its [`CancelToken`]s when it is dropped.
#[derive(Debug)]
pub struct Canceller {
    /// Nothing is sent. The channel closes with its only sender, which wakes every receiver.
    _sender: Sender<Infallible>,
}

/// Tells a review to stop. A running search stops at once.
///
/// ```
/// use tabiya_review::{CancelToken, Canceller};
///
/// let (canceller, token) = Canceller::new();
/// assert!(!token.is_cancelled());
/// drop(canceller);
/// assert!(token.is_cancelled());
/// assert!(!CancelToken::never().is_cancelled());
/// ```
#[derive(Clone, Debug)]
pub struct CancelToken(Receiver<Infallible>);

impl Canceller {
    /// Creates a canceller and its token.
    pub fn new() -> (Canceller, CancelToken) {
        let (sender, receiver) = bounded(0);
        (Canceller { _sender: sender }, CancelToken(receiver))
    }
}

impl CancelToken {
    /// A token that is never cancelled.
    pub fn never() -> CancelToken {
        CancelToken(never())
    }

    /// Returns true if the canceller has been dropped.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.0.try_recv(), Err(TryRecvError::Disconnected))
    }

    /// A channel that becomes ready, by closing, on cancellation.
    pub(crate) fn channel(&self) -> &Receiver<Infallible> {
        &self.0
    }
}
