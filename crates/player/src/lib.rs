//! A computer player on top of [`tabiya_search`]'s engine: strength, book, pace, draw offers and random openings.
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
//! | Play, with a book and at any strength | [`Player`], with a [`Strength`] among its [`PlayerSettings`] |
//! | Report what it thinks | [`PlayerSearch`], or [`MoveChoice`] with an engine that searches in the calling thread |
//! | Take as long for a move as a person would | [`PreparedSearch::at_human_pace`], [`thinking_time`] |
//! | Answer a draw offer | [`accepts_draw`] |
//! | Moves that people play in an opening position, and the results of their games | [`popular_moves`], [`popular_results`] |
//! | Start games from balanced random openings | [`RandomOpening`] |

#![deny(missing_debug_implementations, missing_docs)]

mod candidates;
mod choice;
mod draw;
mod evaluation_noise;
mod handicap;
mod limited_engine;
mod line_chooser;
mod opening_prior;
mod openings;
mod oversight;
mod player;
mod player_engine;
mod random;
#[cfg(feature = "serde")]
mod serialization;
mod strength;
mod thinking_time;

pub use choice::{MoveChoice, PlayerEvent};
pub use draw::accepts_draw;
pub use opening_prior::{popular_moves, popular_results};
pub use openings::RandomOpening;
pub use player::{Player, PlayerSearch, PlayerSettings, PreparedSearch};
pub use player_engine::PlayerEngine;
pub use strength::{MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO, Strength};
pub use thinking_time::thinking_time;

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
