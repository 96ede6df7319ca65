//! Writing to an engine that may not read.

use std::io::{self, Write};
use std::process::ChildStdin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Non-blocking writer to the engine's standard input.
///
/// An engine that does not read must not block the runner. Bytes that fit into the pipe are written
/// directly, since waking a thread for every move costs more than the write; a thread writes the rest.
pub(super) struct InputWriter {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Bytes left for the thread.
    queue: Vec<u8>,
    /// The pipe; taken by the thread while it writes.
    pipe: Option<ChildStdin>,
    /// Close the pipe once the queue is empty or a write has failed.
    closing: bool,
}

impl InputWriter {
    pub(super) fn new(pipe: ChildStdin) -> InputWriter {
        #[cfg(unix)]
        // If this fails, writes may block on an engine that does not read.
        let _ = rustix::io::ioctl_fionbio(&pipe, true);
        let state = State { pipe: Some(pipe), ..State::default() };
        InputWriter { shared: Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() }) }
    }

    /// Returns the body of the writer thread.
    pub(super) fn work(&self) -> impl FnOnce() + Send + use<> {
        let shared = Arc::clone(&self.shared);
        move || shared.write_queue()
    }

    /// Sends lines including their line endings; never blocks. Write errors are ignored: the reader
    /// notices that the engine has exited.
    pub(super) fn send(&self, lines: &[u8]) {
        let mut state = self.shared.lock();
        if state.closing {
            return;
        }
        let mut rest = lines;
        if cfg!(unix)
            && state.queue.is_empty()
            && let Some(pipe) = &mut state.pipe
            && write_some(pipe, &mut rest).is_err()
        {
            state.closing = true;
        }
        if !rest.is_empty() || state.closing {
            state.queue.extend_from_slice(rest);
            drop(state);
            self.shared.changed.notify_one();
        }
    }
}

/// Closes the pipe once everything is written.
impl Drop for InputWriter {
    fn drop(&mut self) {
        self.shared.lock().closing = true;
        self.shared.changed.notify_one();
    }
}

impl Shared {
    fn write_queue(&self) {
        let mut state = self.lock();
        loop {
            if !state.queue.is_empty() {
                let Some(mut pipe) = state.pipe.take() else { return };
                let bytes = std::mem::take(&mut state.queue);
                drop(state);
                let written = write_all(&mut pipe, &bytes);
                state = self.lock();
                if written.is_err() {
                    // The engine has exited; drop everything sent from now on.
                    state.closing = true;
                    return;
                }
                state.pipe = Some(pipe);
            } else if state.closing {
                state.pipe = None;
                return;
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is consistent whenever the lock is free, so a poisoned lock is harmless.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes as much as the pipe accepts without blocking and leaves the rest in `rest`.
fn write_some(pipe: &mut ChildStdin, rest: &mut &[u8]) -> io::Result<()> {
    while !rest.is_empty() {
        match pipe.write(rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => *rest = &rest[written..],
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes everything, blocking as long as needed.
fn write_all(pipe: &mut ChildStdin, mut rest: &[u8]) -> io::Result<()> {
    loop {
        write_some(pipe, &mut rest)?;
        if rest.is_empty() {
            return Ok(());
        }
        #[cfg(unix)]
        {
            use rustix::event::{PollFd, PollFlags, poll};
            // If the engine has exited, the pipe polls as writable and the next write fails.
            poll(&mut [PollFd::new(&*pipe, PollFlags::OUT)], None)?;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn send_does_not_block_without_a_reader() {
        let mut child = Command::new("sleep").arg("60").stdin(Stdio::piped()).spawn().unwrap();
        let writer = InputWriter::new(child.stdin.take().unwrap());
        let thread = std::thread::spawn(writer.work());
        for _ in 0..100 {
            writer.send("x".repeat(10_000).as_bytes());
        }
        drop(writer);
        // The blocked write fails once the reader is gone.
        child.kill().unwrap();
        child.wait().unwrap();
        thread.join().unwrap();
    }

    #[test]
    fn lines_arrive_in_order() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let writer = InputWriter::new(child.stdin.take().unwrap());
        std::thread::spawn(writer.work());
        let mut expected = String::new();
        for number in 0..20_000 {
            let line = format!("position startpos moves e2e4 e7e5 {number}\n");
            writer.send(line.as_bytes());
            expected += &line;
        }
        drop(writer);
        let output = child.wait_with_output().unwrap();
        assert!(output.stdout == expected.as_bytes());
    }
}
