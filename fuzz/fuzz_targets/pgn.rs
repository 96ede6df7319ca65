//! Fuzz target `pgn`: see `tabiya_fuzz::checks::pgn`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabiya_fuzz::checks::pgn(data));
