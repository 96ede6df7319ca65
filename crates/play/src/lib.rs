//! Strength limiting and random openings for games with [`tabiya_search`]'s engine.
//!
//! ```
//! use tabiya_play::Strength;
//! use tabiya_search::Limits;
//!
//! let limits = Strength::from_elo(1500).limit(Limits::default());
//! assert!(limits.nodes.is_some() && limits.multipv > 1);
//! ```
//!
//! The crate uses only the engine's public interface: limits, a replaced evaluation, and the lines that a search reports.
//!
//! | Task | Item |
//! | --- | --- |
//! | Limit the playing strength | [`Strength`] limits the search, [`NoisyEvaluation`] adds errors to its evaluation, [`LineChooser`] picks the move |
//! | Start games from balanced random openings | [`RandomOpening`] |

#![deny(missing_docs)]

mod evaluation_noise;
mod line_chooser;
mod openings;
mod strength;
mod uniform;

pub use evaluation_noise::NoisyEvaluation;
pub use line_chooser::LineChooser;
pub use openings::RandomOpening;
pub use strength::{MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO, Strength};

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
