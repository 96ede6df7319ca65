use std::io::{self, Write};
use std::process::ChildStdin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Lines on their way to an engine.
///
/// An engine that does not read its input must not block us. What its pipe takes at once is written at
/// once: to wake another thread for every move of a game would cost more than the writing. The rest is
/// left to a thread that may wait.
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
    /// What the thread is to write.
    queue: Vec<u8>,
    /// The pipe; with the thread while it writes.
    pipe: Option<ChildStdin>,
    /// Close the pipe once everything is written, or cannot be.
    closing: bool,
}

impl InputWriter {
    pub(super) fn new(pipe: ChildStdin) -> InputWriter {
        #[cfg(unix)]
        // Where this fails, writing waits for an engine that does not read: no worse than without it.
        let _ = rustix::io::ioctl_fionbio(&pipe, true);
        let state = State { pipe: Some(pipe), ..State::default() };
        InputWriter { shared: Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() }) }
    }

    /// The work of the thread.
    pub(super) fn work(&self) -> impl FnOnce() + Send + use<> {
        let shared = Arc::clone(&self.shared);
        move || shared.write_queue()
    }

    /// Sends lines with their ends; never blocks. An engine that is gone is for the reader to notice.
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

/// Closes the pipe when everything is written.
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
                    // The engine is gone, and whatever is sent from now on goes nowhere.
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
        // The state is whole whenever the lock is free; a panic elsewhere does not change that.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes what the pipe takes without waiting, and leaves the rest.
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

/// Writes everything, however long that takes.
fn write_all(pipe: &mut ChildStdin, mut rest: &[u8]) -> io::Result<()> {
    loop {
        write_some(pipe, &mut rest)?;
        if rest.is_empty() {
            return Ok(());
        }
        #[cfg(unix)]
        {
            use rustix::event::{PollFd, PollFlags, poll};
            // An engine that is gone makes the pipe writable too, and the next write an error.
            poll(&mut [PollFd::new(&*pipe, PollFlags::OUT)], None)?;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn who_does_not_read_blocks_nobody() {
        let mut child = Command::new("sleep").arg("60").stdin(Stdio::piped()).spawn().unwrap();
        let writer = InputWriter::new(child.stdin.take().unwrap());
        let thread = std::thread::spawn(writer.work());
        for _ in 0..100 {
            writer.send("x".repeat(10_000).as_bytes());
        }
        drop(writer);
        // Whoever waits for the pipe goes home when the reader is gone.
        child.kill().unwrap();
        child.wait().unwrap();
        thread.join().unwrap();
    }

    #[test]
    fn everything_arrives_in_order() {
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
