//! Tests of the `selfplay`, `gauntlet` and `sprt` command lines, with fake engines that play random moves or
//! misbehave on demand.

mod builds;
mod faults;
mod fixture;
mod persistence;
mod results;
mod wall_clock;
