//! The checks of Tabiya's fuzz targets.
//!
//! Each fuzz target passes its input to one function: in [`checks`], which depend only on `tabiya-core` and `tabiya-movegen`, in
//! [`book`] or in [`syzygy`]. The tests `corpus` of the crates `tabiya-movegen`, `tabiya-book` and `tabiya-syzygy` run them on the
//! stored corpus with `cargo test`.

pub mod book;
pub mod checks;
pub mod syzygy;
