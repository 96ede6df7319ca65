//! Fuzz target `fen`: see `tabiya_fuzz::checks::fen`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabiya_fuzz::checks::fen(data));
