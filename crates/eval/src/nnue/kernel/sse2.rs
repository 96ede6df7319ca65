//! The kernel for x86-64 processors: vectors of 8 sums. SSE4.1 has no instruction that would make it faster.

use super::functions::{kernel_functions, with_features};
use crate::nnue::limits::QA;
use std::arch::x86_64::*;

type Vector = __m128i;
type Bytes = u64;
type Totals = __m128i;

kernel_functions!("sse2");

with_features! {
    "sse2";
    fn zero() -> Vector {
        _mm_setzero_si128()
    }
    fn add(a: Vector, b: Vector) -> Vector {
        _mm_add_epi16(a, b)
    }
    fn subtract(a: Vector, b: Vector) -> Vector {
        _mm_sub_epi16(a, b)
    }
    fn widen(bytes: Bytes) -> Vector {
        let bytes = _mm_cvtsi64_si128(bytes as i64);
        _mm_srai_epi16::<8>(_mm_unpacklo_epi8(bytes, bytes))
    }
    fn clip(sums: Vector) -> Vector {
        _mm_min_epi16(_mm_max_epi16(sums, zero()), _mm_set1_epi16(QA as i16))
    }
    fn multiply(a: Vector, b: Vector) -> Vector {
        _mm_mullo_epi16(a, b)
    }
    fn no_totals() -> Totals {
        zero()
    }
    fn accumulate(totals: Totals, a: Vector, b: Vector) -> Totals {
        _mm_add_epi32(totals, _mm_madd_epi16(a, b))
    }
    fn total(a: Totals, b: Totals) -> i32 {
        let four = _mm_add_epi32(a, b);
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
    }
}
