//! Computer analysis of whole chess games with [`tabiya_search`]'s engine.
//!
//! A [`Reviewer`] searches the positions of a game, judges each move by its loss of expected score and computes the accuracy of
//! both sides. [`annotate`](fn@annotate) writes the result into the game, and [`report`] turns it into data for a web page or into a
//! self-contained HTML file. [`GameReviews`] reviews the games of a PGN text in parallel.
//!
//! ```
//! use tabiya_movegen::GameTree;
//! use tabiya_review::{CancelToken, Reviewer, annotate};
//! use tabiya_search::{Engine, Limits, Options};
//!
//! let mut reviewer = Reviewer::new(Engine::new(Options::default())?, Limits::nodes(2000));
//! let mut game: GameTree = "1. f3 e5 2. g4 Qh4# 0-1".parse()?;
//! let review = reviewer.review(&game, &CancelToken::never(), |_, _| {}).expect("not cancelled");
//! annotate(&mut game, &review, "Tabiya", true);
//! assert!(game.pgn().to_string().contains("$4"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | Task | Item |
//! | --- | --- |
//! | Review a game | [`Reviewer`], [`ReviewEngine`], [`LastReport`], [`GameReview`], [`MoveReview`], [`PositionReview`] |
//! | Review many games in parallel | [`GameReviews`] |
//! | Say why a move is bad, or what the best one does | [`reason`], [`Reason`], [`Fault`], [`purpose`], [`Purpose`], [`before_exchange`], [`before_exchange_at`] |
//! | Stop a review | [`Canceller`], [`CancelToken`] |
//! | Judge moves as people know it | [`HumanModel`], [`Judgement`], [`move_accuracy`], [`Players`] |
//! | Annotate a game | [`annotate`](fn@annotate) |
//! | Write a report | [`report`] |
//!
//! The crate prints nothing and opens no file.

#![deny(missing_debug_implementations, missing_docs)]

mod accuracy;
mod annotate;
mod batch;
mod cancel;
mod engine;
mod judgement;
mod reasons;
pub mod report;
mod reviewer;

pub use accuracy::move_accuracy;
pub use annotate::annotate;
pub use batch::{BatchError, BatchOptions, GameReviews, MoveObserver, ReviewedGame};
pub use cancel::{CancelToken, Canceller};
pub use engine::{Cancelled, LastReport, ReviewEngine};
pub use judgement::{ExpectedScore, HumanModel, Judgement};
pub use reasons::{
    Arrow, ArrowKind, Fault, MatePattern, NamedPiece, Purpose, Reason, Tactic, TbResult, Winnings,
    before_exchange, before_exchange_at, purpose, reason,
};
pub use reviewer::{GameReview, MoveReview, Players, PositionReview, Reviewer};

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
