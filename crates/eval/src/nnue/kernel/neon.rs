//! The kernel for 64-bit ARM processors: vectors of 8 sums.

use super::functions::{kernel_functions, with_features};
use crate::nnue::limits::QA;
use std::arch::aarch64::*;

type Vector = int16x8_t;
type Bytes = int8x8_t;
type Totals = int32x4_t;

kernel_functions!("neon");

with_features! {
    "neon";
    fn zero() -> Vector {
        vdupq_n_s16(0)
    }
    fn add(a: Vector, b: Vector) -> Vector {
        vaddq_s16(a, b)
    }
    fn subtract(a: Vector, b: Vector) -> Vector {
        vsubq_s16(a, b)
    }
    fn widen(bytes: Bytes) -> Vector {
        vmovl_s8(bytes)
    }
    fn clip(sums: Vector) -> Vector {
        vminq_s16(vmaxq_s16(sums, zero()), vdupq_n_s16(QA as i16))
    }
    fn multiply(a: Vector, b: Vector) -> Vector {
        vmulq_s16(a, b)
    }
    fn no_totals() -> Totals {
        vdupq_n_s32(0)
    }
    fn accumulate(totals: Totals, a: Vector, b: Vector) -> Totals {
        vmlal_high_s16(vmlal_s16(totals, vget_low_s16(a), vget_low_s16(b)), a, b)
    }
    fn total(a: Totals, b: Totals) -> i32 {
        vaddvq_s32(vaddq_s32(a, b))
    }
}
