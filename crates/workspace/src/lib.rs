//! The Tabiya repository as its developer tools see it.
//!
//! [`repository`] finds files and runs git, [`build`] builds the engine of the working tree or of any revision,
//! [`mod@bench`] parses the output of `tabiya bench`, [`fingerprint`] notices changed files, [`mod@median`] summarises measurements and gives their uncertainty, [`terminal`] prints, and [`lab_commands`] lists the
//! commands that `cargo xtask` forwards to `tabiya-matches` and `tabiya-training`. The crate is small and depends on no engine crate, so that `xtask` builds quickly.

pub mod bench;
pub mod build;
pub mod fingerprint;
pub mod lab_commands;
pub mod median;
pub mod repository;
pub mod terminal;
