//! The kernel for x86-64 processors with AVX2: vectors of 16 sums.

use super::functions::{kernel_functions, with_features};
use crate::nnue::limits::QA;
use std::arch::x86_64::*;

type Vector = __m256i;
type Bytes = __m128i;
type Totals = __m256i;

kernel_functions!("avx2");

with_features! {
    "avx2";
    fn zero() -> Vector {
        _mm256_setzero_si256()
    }
    fn add(a: Vector, b: Vector) -> Vector {
        _mm256_add_epi16(a, b)
    }
    fn subtract(a: Vector, b: Vector) -> Vector {
        _mm256_sub_epi16(a, b)
    }
    fn widen(bytes: Bytes) -> Vector {
        _mm256_cvtepi8_epi16(bytes)
    }
    fn clip(sums: Vector) -> Vector {
        _mm256_min_epi16(_mm256_max_epi16(sums, zero()), _mm256_set1_epi16(QA as i16))
    }
    fn multiply(a: Vector, b: Vector) -> Vector {
        _mm256_mullo_epi16(a, b)
    }
    fn no_totals() -> Totals {
        zero()
    }
    fn accumulate(totals: Totals, a: Vector, b: Vector) -> Totals {
        _mm256_add_epi32(totals, _mm256_madd_epi16(a, b))
    }
    fn total(a: Totals, b: Totals) -> i32 {
        let eight = _mm256_add_epi32(a, b);
        let four = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256::<1>(eight));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
    }
}
