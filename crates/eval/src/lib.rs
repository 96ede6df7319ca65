//! Static evaluation of chess positions.
//!
//! Three evaluations can be selected at run time ([`Evaluation`]):
//!
//! - [`nnue`]: a neural network, embedded or read from a file;
//! - [`handcrafted`]: tuned on positions from games;
//! - [`classic`]: the evaluation of the ChessBin tutorial, number for number, as a small example and a
//!   baseline for comparison.
//!
//! They return centipawns from the point of view of the side to move, strictly between `-TB_WIN_IN_MAX_PLY` and
//! `TB_WIN_IN_MAX_PLY`, and each has a `trace` function that shows the details.
//!
//! ```
//! use tabiya_eval::{Evaluate, Evaluation, handcrafted};
//! use tabiya_movegen::Position;
//!
//! let position = Position::from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")?;
//! let value = Evaluation::Handcrafted.evaluate(&position);
//! assert_eq!(handcrafted::trace(&position).value, value);
//!
//! // To evaluate many positions, keep an evaluator: its caches make it faster.
//! let mut evaluator = Evaluation::Handcrafted.evaluator();
//! assert_eq!(evaluator.evaluate(&position), value);
//! # Ok::<(), tabiya_core::FenError>(())
//! ```
//!
//! A search takes anything that implements [`Evaluate`], which also has what an incrementally updated
//! evaluation (NNUE) needs: the root, the moves made with the pieces they change ([`DirtyPieces`]), and the
//! moves unmade.
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | [`handcrafted`] | the handcrafted evaluation: value, trace, and weights for a tuner |
//! | [`classic`] | the ChessBin tutorial's evaluation: value and trace |
//! | [`nnue`] | neural networks: architecture, file format, incremental evaluation, trace |
//!
//! # Features
//!
//! - `embedded-network` (default): a network in the library.
//! - `serde`: [`Serialize`](https://docs.rs/serde) and `Deserialize` for the traces of all evaluations and for
//!   [`Architecture`](nnue::Architecture). A network is serialized as its [file](nnue::Network).
//! - `tuning`: the module `handcrafted::tuning`, with the weights as a flat list and positions as functions
//!   of it.

#![deny(missing_debug_implementations, missing_docs)]

pub mod classic;
mod dirty_pieces;
mod evaluate;
mod evaluation;
pub mod handcrafted;
pub mod nnue;
#[cfg(feature = "serde")]
mod serialization;

pub use dirty_pieces::DirtyPieces;
pub use evaluate::Evaluate;
pub use evaluation::{Evaluation, ParseEvaluationError};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
