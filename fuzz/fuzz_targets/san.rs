//! Fuzz target `san`: see `tabiya_fuzz::checks::san`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabiya_fuzz::checks::san(data));
