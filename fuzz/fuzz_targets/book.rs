//! Fuzz target `book`: see `tabiya_fuzz::book::book`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabiya_fuzz::book::book(data));
