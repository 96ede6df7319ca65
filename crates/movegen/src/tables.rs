//! Static attack tables: for each piece and square, the squares that the piece attacks (the "static
//! piece-move arrays" of the ChessBin tutorial).
//!
//! All are computed at compile time. The tables of leapers and lines are small constants; the build script computes the attacks of sliders.

pub(crate) mod king_attack_cache;
pub(crate) mod leapers;
mod magics;
pub(crate) mod rays;
pub(crate) mod sliders;
