//! `selfplay`, `gauntlet` and `sprt` from the outside, with engines that play at random, misbehave on
//! demand, or are killed: each match ends as it should.

mod faults;
mod persistence;
mod results;
mod workbench;
