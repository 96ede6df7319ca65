//! The parameters of the search and of the win probabilities: for the authors of the engine and their tuners.

#[cfg(feature = "tune")]
pub use crate::params::set_tunable;
pub use crate::params::{TUNABLES, Tunable};
pub use crate::wdl::WdlModel;
