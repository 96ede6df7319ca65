//! Ctrl-C and termination requests.

use anyhow::{Context, Result};

/// The conventional exit code after SIGINT.
const EXIT_CODE: i32 = 130;

/// A request from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Signal {
    /// The Ctrl-C key (SIGINT): stops the current activity.
    CtrlC,
    /// A request to end the program: SIGTERM or SIGHUP. Other systems than Unix report `CtrlC` instead.
    #[cfg_attr(not(unix), allow(dead_code))]
    Termination,
}

/// Installs a handler for both signals that calls `act` the first time, to end what is in progress, and ends the process the
/// second time.
///
/// # Errors
/// If the handler cannot be installed.
pub(crate) fn on_first(act: impl FnOnce() + Send + 'static) -> Result<()> {
    let mut act = Some(act);
    handle(move |_| match act.take() {
        Some(act) => act(),
        None => exit(),
    })
}

/// Installs a handler that its own thread calls for each signal.
///
/// # Errors
/// If the handler cannot be installed.
#[cfg(unix)]
pub(crate) fn handle(mut handler: impl FnMut(Signal) + Send + 'static) -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).context("cannot handle Ctrl-C")?;
    let act = move || {
        for signal in &mut signals {
            handler(if signal == SIGINT { Signal::CtrlC } else { Signal::Termination });
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(act).context("cannot handle Ctrl-C")?;
    Ok(())
}

/// Installs a handler that its own thread calls for each signal.
///
/// # Errors
/// If the handler cannot be installed.
#[cfg(not(unix))]
pub(crate) fn handle(mut handler: impl FnMut(Signal) + Send + 'static) -> Result<()> {
    ctrlc::set_handler(move || handler(Signal::CtrlC)).context("cannot handle Ctrl-C")
}

/// Ends the process as interrupted.
pub(crate) fn exit() -> ! {
    std::process::exit(EXIT_CODE)
}
