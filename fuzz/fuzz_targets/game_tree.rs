//! Fuzz target `game_tree`: see `tabiya_fuzz::checks::game_tree`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabiya_fuzz::checks::game_tree(data));
