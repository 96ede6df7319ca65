//! The parts that matches and training share.
//!
//! Games of engines as data: [`openings`], their ends by rule and adjudication ([`referee`], [`tablebases`]), comments of moves
//! ([`pgn_comment`]), scores ([`engine_score`]), and files of whole [`games`] with the [`quiet`] positions that are trained on.
//!
//! Long runs that can be repeated and continued: seeded [`random`] numbers, parallel work whose results come in order ([`ordered`]),
//! Ctrl-C ([`interrupt`]), [`progress`], messages ([`counted`](counted::counted)), [`plots`] and pages ([`html`]).

// Not in tests, where those of the standard library let the test harness capture the output.
#[cfg(not(test))]
#[macro_use(eprintln)]
extern crate tabiya_workspace;

pub mod counted;
pub mod engine_score;
pub mod evaluation_argument;
pub mod games;
pub mod html;
pub mod interrupt;
pub mod number_argument;
pub mod openings;
pub mod option_argument;
pub mod ordered;
pub mod pgn_comment;
pub mod plots;
pub mod program;
pub mod progress;
pub mod quiet;
pub mod random;
pub mod referee;
pub mod tablebases;
pub mod test_arguments;
