//! The way from a session to its page.

use crate::protocol::Envelope;
use std::fmt;

/// The way to the page.
pub trait Outbox: Send + Sync + 'static {
    /// Sends a reply. Waits while the page reads slowly.
    ///
    /// # Errors
    /// [`Closed`] if the page is gone.
    fn send(&self, envelope: Envelope) -> Result<(), Closed>;

    /// Sends a reply, or returns false if that would have to wait.
    ///
    /// # Errors
    /// [`Closed`] if the page is gone.
    fn try_send(&self, envelope: Envelope) -> Result<bool, Closed>;
}

/// The error of sending to a page that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the page is gone")
    }
}

impl std::error::Error for Closed {}
