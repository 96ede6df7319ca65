//! Strength limiting and random openings for games with [`tabiya_search`]'s engine.
//!
//! Everything here uses the engine from outside: through limits, an evaluation with noise, and a choice among the lines
//! that a search reports.
//!
//! | To | see |
//! | --- | --- |
//! | play weaker on purpose | [`Strength`], [`Blurred`], [`Chooser`] |
//! | start games from balanced random openings | [`RandomOpening`] |

#![deny(missing_docs)]

mod openings;
mod strength;

pub use openings::RandomOpening;
pub use strength::{Blurred, Chooser, MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO, Strength};

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
