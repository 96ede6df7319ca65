//! The checks of Tabiya's fuzz targets.
//!
//! Each fuzz target passes its input to one function in [`checks`]. The checks depend only on `tabiya-core`
//! and `tabiya-movegen`, so that `crates/movegen/tests/corpus.rs` can run them on the stored corpus with
//! `cargo test`.

pub mod checks;
