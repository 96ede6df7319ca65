//! Tests of the whole program: UCI and xboard sessions as a GUI holds them, and the subcommands of the terminal.
//!
//! Every session runs under time limits, so that a hanging engine fails a test and hangs nothing.

mod docs;
mod process;
mod replay;
mod terminal;

mod uci {
    mod bad_input;
    mod beyond;
    mod castling;
    mod end_of_input;
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
