//! Move generation, positions and games against independent sources of truth.
//!
//! The sources are a slow generator written only for this (`oracle`), geometry, two other chess
//! crates, published perft counts, and tables of truths under `tests/data/rules`. Everything random
//! comes from fixed seeds, so that a failure happens again.
//!
//! `cargo test --release -p tabiya-movegen -- --ignored` runs the long versions.

#[path = "../oracle/mod.rs"]
mod oracle;

mod data;
mod draw_rules;
mod game_history;
mod geometry;
mod legality_tables;
mod notation;
mod observers;
mod oracle_agreement;
mod other_crates;
mod perft_counts;
mod queries;
mod random;
mod start_positions;
