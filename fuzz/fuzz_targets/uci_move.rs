//! Fuzz target `uci_move`: see `tabiya_fuzz::checks::uci_move`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabiya_fuzz::checks::uci_move(data));
