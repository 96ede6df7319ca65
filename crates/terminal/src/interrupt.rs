//! Ctrl-C and termination requests.
//!
//! The effect depends on what the command is doing: a search or other work is ended and the command then ends with what it has, a
//! review after a game is skipped, and a prompt ends the process, because the thread that waits for input cannot be woken. A
//! termination request during a review ends the program, too, and a second request ends the process at once.

use anyhow::{Context, Result};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tabiya_review::Canceller;
use tabiya_search::StopHandle;
use tabiya_signals::Signal;

/// The state that the signal handler and a command share.
#[derive(Clone, Default)]
pub(crate) struct Interrupt(Arc<Mutex<State>>);

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
    /// Work that this function ends. The command then ends, too.
    Work(Box<dyn FnOnce() + Send>),
    /// A review that may be skipped.
    Review(Canceller),
}

impl Interrupt {
    /// Handles Ctrl-C and termination requests from now on.
    ///
    /// # Errors
    /// If the handler cannot be installed.
    pub(crate) fn install() -> Result<Interrupt> {
        let installed = Interrupt::default();
        // The line editor changes the terminal's mode at each prompt.
        #[cfg(unix)]
        {
            installed.state().terminal = rustix::termios::tcgetattr(io::stdin()).ok();
        }
        let handler = installed.clone();
        tabiya_signals::handle(move |signal| handler.state().interrupt(signal))
            .context("cannot handle Ctrl-C")?;
        Ok(installed)
    }

    /// Notes that the command is about to wait for a line, and the text to print if it is interrupted there. Returns false, and the
    /// command must not wait, if a request came before.
    #[must_use]
    pub(crate) fn at_prompt(&self, farewell: String) -> bool {
        let mut state = self.state();
        if !state.requested {
            state.activity = Activity::Prompt(farewell);
        }
        !state.requested
    }

    /// Notes a search, which is stopped at once if an interruption came before it.
    pub(crate) fn searching(&self, stop: StopHandle) {
        self.working(move || stop.stop());
    }

    /// Notes work that `end` ends, at once if an interruption came before it.
    pub(crate) fn working(&self, end: impl FnOnce() + Send + 'static) {
        let mut state = self.state();
        match state.requested {
            true => end(),
            false => state.activity = Activity::Work(Box::new(end)),
        }
    }

    /// Notes a review of a game in progress, which is cancelled at once if an interruption came before it.
    pub(crate) fn reviewing(&self, canceller: Canceller) {
        let mut state = self.state();
        if !state.requested {
            state.activity = Activity::Review(canceller);
        }
    }

    /// Notes that the prompt, work or review has ended.
    pub(crate) fn done(&self) {
        self.state().activity = Activity::None;
    }

    /// Returns true if the command is to end.
    pub(crate) fn is_requested(&self) -> bool {
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
                tabiya_signals::exit();
            }
            Activity::Work(end) => {
                end();
                self.requested = true;
            }
            Activity::Review(canceller) => {
                drop(canceller);
                self.requested = signal == Signal::Termination;
            }
            // The second request while something else goes on, such as a save to a slow disk.
            Activity::None if self.requested => tabiya_signals::exit(),
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
    fn request_ends_work_and_then_the_command() {
        let (canceller, token) = Canceller::new();
        let interrupt = Interrupt::default();
        interrupt.working(move || drop(canceller));
        interrupt.state().interrupt(Signal::CtrlC);
        assert!(token.is_cancelled() && interrupt.is_requested());
        // Work that begins later is ended at once.
        let (canceller, token) = Canceller::new();
        interrupt.working(move || drop(canceller));
        assert!(token.is_cancelled());
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
