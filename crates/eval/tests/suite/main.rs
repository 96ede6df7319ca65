//! Tests of the evaluations from outside, in one program.

mod classic_golden;
mod symmetry_and_bounds;
#[cfg(feature = "tuning")]
mod tuning;
