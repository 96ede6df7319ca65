//! Fuzz target `syzygy`: see `tabiya_fuzz::syzygy::syzygy`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabiya_fuzz::syzygy::syzygy(data));
