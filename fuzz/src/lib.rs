//! What the fuzz targets of Tabiya have in common: the checks.
//!
//! A target is one line that hands its input to one of them. The checks need nothing but the two
//! crates they are about, so that `cargo test` can run them on the inputs that have been kept: see
//! `crates/movegen/tests/corpus.rs`.

pub mod checks;
