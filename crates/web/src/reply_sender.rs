//! The channel from a session to its page.

use crate::protocol::Envelope;
use std::fmt;

/// Sends replies to a page.
pub trait ReplySender: Send + Sync + 'static {
    /// Sends a reply. Waits while the page reads slowly.
    ///
    /// # Errors
    /// [`Disconnected`] if the page is gone.
    fn send(&self, envelope: Envelope) -> Result<(), Disconnected>;

    /// Sends a reply, or returns false if that would have to wait.
    ///
    /// # Errors
    /// [`Disconnected`] if the page is gone.
    fn try_send(&self, envelope: Envelope) -> Result<bool, Disconnected>;
}

/// The error of sending to a page that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disconnected;

impl fmt::Display for Disconnected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the page is gone")
    }
}

impl std::error::Error for Disconnected {}
