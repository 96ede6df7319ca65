//! Tactical motifs of a line of chess moves: forks, pins, skewers, discovered attacks, sacrifices, mates by pattern and others.
//!
//! A [`Line`] is a position with the moves played from it, and [`motifs`] returns what one side shows in it. A motif needs more than a
//! shape on the board: a fork or a skewer must be followed by a move, a deflection by the capture that it makes possible. So the
//! findings state what happens in the line, not what might.
//!
//! ```
//! use tabiya_core::Square;
//! use tabiya_motifs::{Line, Motif, motifs};
//! use tabiya_movegen::Game;
//!
//! let mut game = Game::from_fen("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1")?;
//! for san in ["Nc7+", "Kd8", "Nxa8"] {
//!     game.play_san(san)?;
//! }
//! let start = game.start().clone();
//! let side = start.side_to_move();
//! let found = motifs(&Line::new(start, game.moves(), side)?);
//! assert_eq!(found[0].motif, Motif::Fork);
//! assert_eq!((found[0].ply, found[0].actor), (0, Square::C7));
//! assert_eq!(found[0].targets, Square::A8.bitboard() | Square::E8.bitboard());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The definitions are those of chess. Constants and border cases are fitted to the themes of one half of Lichess's puzzles and
//! measured on the other: see the README.
//!
//! The crate is `no_std` and needs `alloc`.

#![no_std]
#![deny(missing_debug_implementations, missing_docs)]

extern crate alloc;

mod capture;
mod decoy;
mod discovery;
mod exchange;
mod fork;
mod line;
mod mate;
mod motif;
mod pin;
mod sacrifice;
mod skewer;
mod special;
#[cfg(test)]
mod testing;

pub use exchange::{balance, defenders, is_en_prise};
pub use line::{IllegalLine, Line};
pub use motif::{Finding, Motif};

use alloc::vec::Vec;

/// Returns the motifs of the side's play in a line, ordered by motif and move.
pub fn motifs(line: &Line) -> Vec<Finding> {
    let mut found = Vec::new();
    for turn in line.turns() {
        found.extend(fork::find(turn));
        found.extend(pin::find(turn));
        found.extend(skewer::find(turn));
        found.extend(discovery::find(turn));
        found.extend(capture::find(turn));
        found.extend(decoy::find(turn));
        found.extend(special::find(turn));
    }
    found.extend(sacrifice::find(line));
    found.extend(mate::find(line));
    found.sort_by_key(|finding| (finding.motif, finding.ply));
    found
}

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
