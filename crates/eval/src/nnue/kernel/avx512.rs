//! The kernel for x86-64 processors with AVX-512 and its VNNI instructions: vectors of 32 sums.

use super::functions::{kernel_functions, with_features};
use crate::nnue::limits::QA;
use std::arch::x86_64::*;

type Vector = __m512i;
type Bytes = __m256i;
type Totals = __m512i;

kernel_functions!("avx512f,avx512bw,avx512vnni");

with_features! {
    "avx512f,avx512bw,avx512vnni";
    fn zero() -> Vector {
        _mm512_setzero_si512()
    }
    fn add(a: Vector, b: Vector) -> Vector {
        _mm512_add_epi16(a, b)
    }
    fn subtract(a: Vector, b: Vector) -> Vector {
        _mm512_sub_epi16(a, b)
    }
    fn widen(bytes: Bytes) -> Vector {
        _mm512_cvtepi8_epi16(bytes)
    }
    fn clip(sums: Vector) -> Vector {
        _mm512_min_epi16(_mm512_max_epi16(sums, zero()), _mm512_set1_epi16(QA as i16))
    }
    fn multiply(a: Vector, b: Vector) -> Vector {
        _mm512_mullo_epi16(a, b)
    }
    fn no_totals() -> Totals {
        zero()
    }
    fn accumulate(totals: Totals, a: Vector, b: Vector) -> Totals {
        _mm512_dpwssd_epi32(totals, a, b)
    }
    fn total(a: Totals, b: Totals) -> i32 {
        _mm512_reduce_add_epi32(_mm512_add_epi32(a, b))
    }
}
