//! Tests of the whole program: UCI and xboard sessions and the terminal commands.
//!
//! Every process has a timeout, so that a hanging engine fails its test. Only [`uci::timing`] measures time.

mod annotate;
mod docs;
mod files;
mod folder;
#[cfg(target_os = "linux")]
mod interactive;
mod network;
mod play;
mod process;
#[cfg(target_os = "linux")]
mod pseudoterminal;
mod replay;
mod terminal;

mod uci {
    mod bad_input;
    mod castling;
    mod end_of_input;
    mod extensions;
    mod genfens;
    mod handshake;
    mod options;
    mod perft;
    mod positions;
    mod resources;
    mod searching;
    mod strength;
    mod timing;
}

mod xboard {
    mod analysis;
    mod commands;
    mod games;
}
