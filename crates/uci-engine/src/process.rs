//! The process of an engine, with the threads that read its output.

#[cfg(unix)]
use super::guardian::Guarded;
use super::input_writer::InputWriter;
use super::line_queue::{Line, LineQueue, Received};
use super::transcript::Transcript;
use super::{EngineCommand, deadline};
use crate::processor_set::ProcessorSet;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum length of a line, in bytes; the rest is dropped.
const LINE_LIMIT: usize = 64 * 1024;
/// Creation flag of a process that Ctrl-C in the console does not reach.
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// The child process and its I/O threads.
pub(super) struct Process {
    child: Child,
    input: Option<InputWriter>,
    output: Arc<LineQueue>,
    /// Disconnected once the process has closed its standard error.
    errors: Receiver<()>,
    transcript: Arc<Transcript>,
    #[cfg(unix)]
    _guarded: Guarded,
}

impl Process {
    pub(super) fn spawn(command: &EngineCommand, processors: Option<&ProcessorSet>) -> io::Result<Process> {
        let mut builder = Command::new(&command.program);
        builder.args(&command.arguments);
        builder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &command.folder {
            builder.current_dir(folder);
        }
        // A separate process group: Ctrl-C in the terminal reaches only the runner, and processes
        // started by the engine can be killed with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut builder, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut builder, CREATE_NEW_PROCESS_GROUP);

        let mut child = match processors {
            Some(processors) => processors.start(|| builder.spawn())?,
            None => builder.spawn()?,
        };
        #[cfg(unix)]
        let guarded = Guarded::new(child.id());
        let input = child.stdin.take().map(InputWriter::new);
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (errors_open, errors) = bounded(0);
        let mut process = Process {
            child,
            input,
            output: Arc::default(),
            errors,
            transcript: Arc::default(),
            #[cfg(unix)]
            _guarded: guarded,
        };
        if let Err(error) = process.start_threads(stdout, stderr, errors_open) {
            process.end(Duration::ZERO);
            return Err(error);
        }
        Ok(process)
    }

    /// Starts the threads that write to and read from the process. `errors_open` is dropped at the end of its standard error.
    fn start_threads(
        &self,
        stdout: Option<ChildStdout>,
        stderr: Option<ChildStderr>,
        errors_open: Sender<()>,
    ) -> io::Result<()> {
        if let Some(input) = &self.input {
            thread("engine input", input.work())?;
        }
        if let Some(stdout) = stdout {
            let (transcript, output) = (Arc::clone(&self.transcript), Arc::clone(&self.output));
            thread("engine output", move || {
                read_lines(stdout, |line| {
                    transcript.push('<', &line.text);
                    output.push(line)
                });
                output.close();
            })?;
        }
        if let Some(stderr) = stderr {
            let transcript = Arc::clone(&self.transcript);
            thread("engine errors", move || {
                read_lines(stderr, |line| {
                    transcript.push('!', &line.text);
                    true
                });
                drop(errors_open);
            })?;
        }
        Ok(())
    }

    /// Sends one line, or several separated by line endings that arrive together.
    pub(super) fn send(&self, lines: &[u8]) {
        for line in String::from_utf8_lossy(lines).lines() {
            self.transcript.push('>', line);
        }
        if let Some(input) = &self.input {
            input.send(&[lines, b"\n"].concat());
        }
    }

    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    pub(super) fn receive(&self, until: Instant, defer_info: bool) -> Received {
        self.output.receive(until, defer_info)
    }

    /// Sets whether lines that nobody receives drop older ones instead of blocking the engine.
    pub(super) fn set_overwriting(&self, overwriting: bool) {
        self.output.set_overwriting(overwriting);
    }

    pub(super) fn try_receive(&self) -> Option<Line> {
        self.output.try_receive()
    }

    /// Waits until the standard error has been read to its end, so that the transcript contains the
    /// engine's last error message.
    pub(super) fn drain_stderr(&self, timeout: Duration) {
        let _ = self.errors.recv_timeout(timeout);
    }

    pub(super) fn transcript(&self) -> Vec<String> {
        self.transcript.lines()
    }

    /// Waits up to `timeout` for the process to exit and returns its status.
    pub(super) fn exit_status(&mut self, timeout: Duration) -> Option<ExitStatus> {
        let deadline = deadline(Instant::now(), timeout);
        let mut pause = Duration::from_micros(100);
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// Waits up to `grace` for the process to exit, then kills its process group.
    pub(super) fn end(&mut self, grace: Duration) {
        // Unblock an engine that is blocked on its output.
        self.output.abandon();
        let ended = self.exit_status(grace).is_some();
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id().cast_signed()) {
            // Fails if the group is empty already.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        if !ended {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn thread(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    // These threads buffer a few lines; 2 MB of default stack each would add up over many slots.
    std::thread::Builder::new().name(name.to_owned()).stack_size(256 * 1024).spawn(body).map(drop)
}

/// Passes every line to `on_line` until that returns false or the stream ends.
fn read_lines(stream: impl Read, mut on_line: impl FnMut(Line) -> bool) {
    let mut reader = BufReader::with_capacity(LINE_LIMIT, stream);
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let (used, complete) = match reader.fill_buf() {
            Ok([]) => break,
            Ok(bytes) => {
                let end = bytes.iter().position(|&byte| byte == b'\n');
                let part = &bytes[..end.unwrap_or(bytes.len())];
                let space = LINE_LIMIT - line.len();
                if !too_long {
                    line.extend_from_slice(&part[..part.len().min(space)]);
                }
                (end.map_or(bytes.len(), |end| end + 1), end.is_some())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        reader.consume(used);
        // A line without line ending is passed on once the buffer is full, so that the transcript shows it.
        let full = !too_long && line.len() == LINE_LIMIT;
        if (complete && !too_long || full) && !on_line(take_line(&mut line)) {
            return;
        }
        too_long = !complete && (too_long || full);
    }
    if !line.is_empty() {
        on_line(take_line(&mut line));
    }
}

/// Returns the buffered line and clears the buffer.
fn take_line(line: &mut Vec<u8>) -> Line {
    let text = String::from_utf8_lossy(line).trim_end_matches('\r').to_owned();
    line.clear();
    Line { at: Instant::now(), text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        read_lines(input, |line| {
            lines.push(line.text);
            true
        });
        lines
    }

    #[test]
    fn splits_lines() {
        assert_eq!(lines(b"uciok\r\nreadyok\n\nlast"), ["uciok", "readyok", "", "last"]);
        assert_eq!(lines(b"\xff\xfe\n"), ["\u{fffd}\u{fffd}"]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn cuts_long_lines() {
        let mut input = vec![b'x'; 5 * LINE_LIMIT + 17];
        input.extend_from_slice(b"\nuciok\n");
        let lines = lines(&input);
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].len(), lines[1].as_str()), (LINE_LIMIT, "uciok"));
    }
}
