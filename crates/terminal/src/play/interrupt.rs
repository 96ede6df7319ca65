//! Ctrl-C and termination requests during a game.
//!
//! The effect depends on what the program is doing: a search is stopped and the game then left, a review is skipped, and a prompt
//! ends the process, because the thread that waits for input cannot be woken. In each case the game has been saved before. A
//! termination request during a review ends the program, too.

use crate::interrupt::{self, Signal};
use anyhow::Result;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tabiya_review::Canceller;
use tabiya_search::StopHandle;

/// The state that the signal handler and the game share.
#[derive(Clone, Default)]
pub(super) struct Interrupt(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    activity: Activity,
    requested: bool,
    #[cfg(unix)]
    terminal: Option<rustix::termios::Termios>,
}

/// The program's activity, with what an interruption needs.
#[derive(Default)]
enum Activity {
    #[default]
    None,
    /// Waiting for a line. The text is printed before the process ends.
    Prompt(String),
    Search(StopHandle),
    Review(Canceller),
}

impl Interrupt {
    /// Handles Ctrl-C and termination requests from now on.
    ///
    /// # Errors
    /// If the handler cannot be installed.
    pub(super) fn install() -> Result<Interrupt> {
        let installed = Interrupt::default();
        // The line editor changes the terminal's mode at each prompt.
        #[cfg(unix)]
        {
            installed.state().terminal = rustix::termios::tcgetattr(io::stdin()).ok();
        }
        let handler = installed.clone();
        interrupt::handle(move |signal| handler.state().interrupt(signal))?;
        Ok(installed)
    }

    /// Notes that the game is about to wait for a line, and the text to print if it is interrupted there. Returns false, and the
    /// game must not wait, if a request came before.
    #[must_use]
    pub(super) fn at_prompt(&self, farewell: String) -> bool {
        let mut state = self.state();
        if !state.requested {
            state.activity = Activity::Prompt(farewell);
        }
        !state.requested
    }

    /// Notes a search, which is stopped at once if an interruption came before it.
    pub(super) fn searching(&self, stop: StopHandle) {
        let mut state = self.state();
        if state.requested {
            stop.stop();
        }
        state.activity = Activity::Search(stop);
    }

    /// Notes a review, which is cancelled at once if an interruption came before it.
    pub(super) fn reviewing(&self, canceller: Canceller) {
        let mut state = self.state();
        if !state.requested {
            state.activity = Activity::Review(canceller);
        }
    }

    /// Notes that the prompt, search or review has ended.
    pub(super) fn done(&self) {
        self.state().activity = Activity::None;
    }

    /// Returns true if the game is to be left.
    pub(super) fn is_requested(&self) -> bool {
        self.state().requested
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic leaves the state valid.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn interrupt(&mut self, signal: Signal) {
        match std::mem::take(&mut self.activity) {
            Activity::Prompt(farewell) => {
                #[cfg(unix)]
                if let Some(terminal) = &self.terminal {
                    let action = rustix::termios::OptionalActions::Now;
                    let _ = rustix::termios::tcsetattr(io::stdin(), action, terminal);
                }
                // Not to standard output, which the waiting thread has locked.
                let _ = writeln!(io::stderr(), "\n{farewell}");
                interrupt::exit();
            }
            Activity::Search(stop) => {
                stop.stop();
                self.requested = true;
            }
            Activity::Review(canceller) => {
                drop(canceller);
                self.requested = signal == Signal::Termination;
            }
            // The second request while something else goes on, such as a save to a slow disk.
            Activity::None if self.requested => interrupt::exit(),
            Activity::None => self.requested = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_before_the_prompt_is_kept() {
        let interrupt = Interrupt::default();
        interrupt.state().interrupt(Signal::Termination);
        assert!(!interrupt.at_prompt(String::new()));
        assert!(interrupt.is_requested());
    }

    #[test]
    fn request_before_a_review_cancels_it() {
        let interrupt = Interrupt::default();
        interrupt.state().interrupt(Signal::CtrlC);
        let (canceller, token) = Canceller::new();
        interrupt.reviewing(canceller);
        assert!(token.is_cancelled() && interrupt.is_requested());
    }

    #[test]
    fn only_a_termination_request_ends_the_program_during_a_review() {
        for (signal, ends) in [(Signal::CtrlC, false), (Signal::Termination, true)] {
            let interrupt = Interrupt::default();
            let (canceller, token) = Canceller::new();
            interrupt.reviewing(canceller);
            interrupt.state().interrupt(signal);
            assert!(token.is_cancelled());
            assert_eq!(interrupt.at_prompt(String::new()), !ends, "{signal:?}");
        }
    }
}
