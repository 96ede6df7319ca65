//! Strength limiting and random openings for games with [`tabiya_search`]'s engine.
//!
//! ```
//! use tabiya_player::Strength;
//! use tabiya_search::Limits;
//!
//! let limits = Strength::from_elo(1500).limit(Limits::default());
//! assert!(limits.nodes.is_some() && limits.multipv > 1);
//! ```
//!
//! The crate uses only the engine's public interface: limits, a replaced evaluation, a filter of moves, and the lines that a
//! search reports.
//!
//! | Task | Item |
//! | --- | --- |
//! | Play at a limited strength | [`Opponent`] searches at a [`Strength`], its [`LineChooser`] picks the move |
//! | Do so with an engine of one's own | [`Handicap`], [`NoisyEvaluation`], [`Oversight`] |
//! | Take as long for a move as a person would | [`thinking_time`] |
//! | Start games from balanced random openings | [`RandomOpening`] |

#![deny(missing_debug_implementations, missing_docs)]

mod candidates;
mod evaluation_noise;
mod handicap;
mod line_chooser;
mod opening_prior;
mod openings;
mod opponent;
mod oversight;
mod random;
#[cfg(feature = "serde")]
mod serialization;
mod strength;
mod thinking_time;

pub use evaluation_noise::NoisyEvaluation;
pub use handicap::Handicap;
pub use line_chooser::LineChooser;
pub use openings::RandomOpening;
pub use opponent::Opponent;
pub use oversight::Oversight;
pub use strength::{MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO, Strength};
pub use thinking_time::thinking_time;

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
