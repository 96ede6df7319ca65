//! A book's reply to a position.

use tabiya_core::Move;

/// A book's reply to a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BookMove {
    /// The reply, a legal move.
    pub mv: Move,
    /// The relative frequency of the reply; 0 means never.
    pub weight: u32,
}
