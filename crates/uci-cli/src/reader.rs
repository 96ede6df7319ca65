//! Reads lines of input on a separate thread, so that commands are received during a search.

use crossbeam_channel::{Receiver, SendError, bounded};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::thread;

/// A message from the reader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Input {
    /// A line without its line ending.
    Line(String),
    /// A line with invalid UTF-8, first at byte `at`. Invalid sequences are replaced by U+FFFD.
    InvalidUtf8 { line: String, at: usize },
    /// A line longer than [`MAX_LINE_LENGTH`] bytes, which was skipped.
    TooLong,
    /// The end of the input. What was requested before is finished first, but what does not end by itself is stopped.
    End,
}

/// Maximum length of a line in bytes, which limits memory use. The longest possible game has about 90,000.
pub(crate) const MAX_LINE_LENGTH: usize = 1 << 24;

/// Number of lines to read ahead. Large, so that `quit` is read even while the main loop is blocked because nobody
/// reads its output.
const READ_AHEAD: usize = 4096;

/// Starts a reader thread. It passes each message to `observe` before it sends it to the main loop.
///
/// # Errors
/// If the thread cannot be started.
pub(crate) fn spawn(
    source: impl Read + Send + 'static,
    mut observe: impl FnMut(&Input) + Send + 'static,
) -> io::Result<Receiver<Input>> {
    let (sender, receiver) = bounded(READ_AHEAD);
    thread::Builder::new().name("reader".into()).spawn(move || {
        // An error means that the receiver is gone.
        let _ = read(source, |input| {
            observe(&input);
            sender.send(input)
        });
    })?;
    Ok(receiver)
}

/// A request that must not wait for the main loop, which may be busy. The parser of each protocol decides which lines are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Urgent {
    /// To end what is running with its result so far.
    Stop,
    /// To end the program.
    Quit,
}

impl Input {
    /// The text of a line.
    pub(crate) fn line(&self) -> Option<&str> {
        match self {
            Input::Line(line) | Input::InvalidUtf8 { line, .. } => Some(line),
            Input::TooLong | Input::End => None,
        }
    }
}

/// A channel with the given lines. It is closed, which means the end of the input.
pub(crate) fn from_lines(lines: Vec<String>) -> Receiver<Input> {
    let (sender, receiver) = bounded(lines.len());
    for input in lines.into_iter().map(Input::Line) {
        // Cannot fail or block: the channel has the capacity, and the receiver exists.
        let _ = sender.send(input);
    }
    receiver
}

fn read(
    source: impl Read,
    mut send: impl FnMut(Input) -> Result<(), SendError<Input>>,
) -> Result<(), SendError<Input>> {
    let mut source = BufReader::new(source);
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let chunk = match source.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                tracing::warn!("standard input: {error}");
                &[]
            }
        };
        let ended = chunk.is_empty();
        // A carriage return ends a line too. In CR LF this yields an empty line. Blank lines are skipped, so that the first line
        // with a command selects the protocol.
        let end = chunk.iter().position(|&byte| byte == b'\n' || byte == b'\r');
        let length = end.unwrap_or(chunk.len());
        if line.len() + length > MAX_LINE_LENGTH {
            too_long = true;
            line = Vec::new();
        } else if !too_long {
            line.extend_from_slice(&chunk[..length]);
        }
        source.consume(length + usize::from(end.is_some()));
        if (end.is_some() || ended) && (too_long || !line.trim_ascii().is_empty()) {
            send(if too_long { Input::TooLong } else { decode(&line) })?;
        }
        if end.is_some() {
            line.clear();
            too_long = false;
        }
        if ended {
            return send(Input::End);
        }
    }
}

fn decode(line: &[u8]) -> Input {
    // Some Windows shells send a byte order mark before the first line.
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    match std::str::from_utf8(line) {
        Ok(line) => Input::Line(line.to_owned()),
        Err(error) => {
            Input::InvalidUtf8 { line: String::from_utf8_lossy(line).into_owned(), at: error.valid_up_to() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &'static [u8]) -> Vec<Input> {
        spawn(bytes, |_| ()).unwrap().iter().collect()
    }

    fn line(text: &str) -> Input {
        Input::Line(text.to_owned())
    }

    #[test]
    fn accepts_all_line_endings() {
        let expected = [line("uci"), line("isready"), line("go"), line("quit"), Input::End];
        assert_eq!(lines(b"uci\nisready\r\n\n\rgo\rquit"), expected);
        assert_eq!(lines(b""), [Input::End]);
        assert_eq!(lines(b"\n\n \n \t\r\n "), [Input::End]);
        assert_eq!(lines(b"\n  \nuci\n"), [line("uci"), Input::End]);
        assert_eq!(lines(b"\xef\xbb\xbfuci\n"), [line("uci"), Input::End]);
    }

    #[test]
    fn reads_quit_while_nothing_is_received() {
        let (at_end, ended) = bounded(2);
        let input = ["isready\n".repeat(READ_AHEAD - 1), " quit\n".to_owned()].concat();
        let observe = move |input: &Input| {
            if *input == line(" quit") {
                at_end.send(()).unwrap();
            }
        };
        let received = spawn(io::Cursor::new(input), observe).unwrap();
        assert_eq!(ended.recv(), Ok(()));
        assert_eq!(received.iter().nth(READ_AHEAD - 1), Some(line(" quit")));
    }

    #[test]
    fn reports_invalid_utf8() {
        assert_eq!(
            lines(b"d \xff\xfeuci\0\n"),
            [Input::InvalidUtf8 { line: "d \u{fffd}\u{fffd}uci\0".to_owned(), at: 2 }, Input::End]
        );
    }

    #[test]
    fn skips_lines_that_are_too_long() {
        let long = vec![b'x'; MAX_LINE_LENGTH];
        let too_long = vec![b'x'; MAX_LINE_LENGTH + 1];
        let all = [&long[..], &too_long, b"uci"].join(&b'\n');
        let received: Vec<Input> = spawn(io::Cursor::new(all), |_| ()).unwrap().iter().collect();
        assert!(matches!(&received[0], Input::Line(text) if text.len() == MAX_LINE_LENGTH));
        assert_eq!(received[1..], [Input::TooLong, line("uci"), Input::End]);
    }
}
