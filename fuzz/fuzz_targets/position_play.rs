//! Fuzz target `position_play`: see `tabiya_fuzz::checks::position_play`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabiya_fuzz::checks::position_play(data));
