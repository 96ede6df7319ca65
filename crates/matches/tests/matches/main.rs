//! Tests of the commands that play and judge games (`selfplay`, `gauntlet`, `scaling`, `spsa`, `sprt`, `report`), with fake engines that
//! play random moves or misbehave on demand.

mod builds;
mod faults;
mod fixture;
mod persistence;
mod results;
mod wall_clock;
