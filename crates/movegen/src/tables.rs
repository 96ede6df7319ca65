//! The static piece-move arrays: for each piece and square, the squares it reaches.
//!
//! All of them are computed by the compiler. Leapers and lines are small; the slider tables are
//! large and have a module of their own.

pub(crate) mod leapers;
pub(crate) mod outlook;
pub(crate) mod rays;
pub(crate) mod sliders;
