//! Fuzz target `epd`: see `tabiya_fuzz::checks::epd`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabiya_fuzz::checks::epd(data));
