//! Tests of move generation, positions and games against independent references.
//!
//! The references are a slow generator written for these tests (`oracle`), geometry, two other chess crates, published
//! perft counts, and tables under `tests/data/rules`. All random numbers come from fixed seeds, so failures are
//! reproducible.
//!
//! `cargo test --release -p tabiya-movegen -- --ignored` runs the long versions.

// Shared with the fuzz targets.
#[path = "../../../../fuzz/src/checks/agreement.rs"]
mod agreement;
#[path = "../../../../fuzz/src/checks/observed_pieces.rs"]
mod observed_pieces;
#[path = "../oracle/mod.rs"]
mod oracle;

mod caching;
mod data;
mod draw_rules;
mod game_history;
mod geometry;
mod legality_tables;
mod notation;
mod observers;
mod oracle_agreement;
mod other_crates;
mod packed;
mod perft_counts;
mod queries;
mod random;
mod start_positions;
mod tolerant_reading;
