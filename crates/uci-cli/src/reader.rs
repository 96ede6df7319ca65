//! Turns a stream of bytes into lines, on a thread of its own, so that the engine can be told to
//! stop while it thinks.

use crossbeam_channel::{Receiver, Sender, bounded};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::thread;

/// What comes in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Input {
    /// A line without its end.
    Line(String),
    /// A line that is not UTF-8, from this byte on. Bytes that are not have become U+FFFD.
    Garbled { line: String, at: usize },
    /// A line longer than [`LONGEST_LINE`] bytes, passed over.
    TooLong,
    /// The stream has ended; nothing comes after it.
    End,
}

/// The longest line that is read, in bytes. The longest game that can be played takes about 90
/// thousand; the bound is there so that no stream can fill the memory.
pub(crate) const LONGEST_LINE: usize = 1 << 24;

/// Lines that are read ahead of the one being worked on.
const READ_AHEAD: usize = 256;

/// Starts to read.
///
/// # Errors
/// If the system starts no thread.
pub(crate) fn spawn(source: impl Read + Send + 'static) -> io::Result<Receiver<Input>> {
    let (sender, receiver) = bounded(READ_AHEAD);
    thread::Builder::new().name("reader".into()).spawn(move || {
        // An error means that nobody listens any more.
        let _ = read(source, &sender);
    })?;
    Ok(receiver)
}

/// What would come in if it were read: the lines of a command line, and the end.
pub(crate) fn replay(lines: Vec<Input>) -> Receiver<Input> {
    let (sender, receiver) = bounded(lines.len() + 1);
    for line in lines.into_iter().chain([Input::End]) {
        // There is room for all of them, and the receiver is here.
        let _ = sender.send(line);
    }
    receiver
}

fn read(source: impl Read, sender: &Sender<Input>) -> Result<(), crossbeam_channel::SendError<Input>> {
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
        // A carriage return ends a line too; the blank line it makes before a line feed says nothing.
        let end = chunk.iter().position(|&byte| byte == b'\n' || byte == b'\r');
        let taken = end.unwrap_or(chunk.len());
        if line.len() + taken > LONGEST_LINE {
            too_long = true;
            line = Vec::new();
        } else if !too_long {
            line.extend_from_slice(&chunk[..taken]);
        }
        source.consume(taken + usize::from(end.is_some()));
        if (end.is_some() || ended) && (too_long || !line.is_empty()) {
            sender.send(match too_long {
                true => Input::TooLong,
                false => decode(&line),
            })?;
            line.clear();
            too_long = false;
        }
        if ended {
            return sender.send(Input::End);
        }
    }
}

fn decode(line: &[u8]) -> Input {
    match std::str::from_utf8(line) {
        Ok(line) => Input::Line(line.to_owned()),
        Err(error) => {
            Input::Garbled { line: String::from_utf8_lossy(line).into_owned(), at: error.valid_up_to() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &'static [u8]) -> Vec<Input> {
        spawn(bytes).unwrap().iter().collect()
    }

    fn line(text: &str) -> Input {
        Input::Line(text.to_owned())
    }

    #[test]
    fn all_kinds_of_line_ends() {
        let expected = [line("uci"), line("isready"), line("go"), line("quit"), Input::End];
        assert_eq!(lines(b"uci\nisready\r\n\n\rgo\rquit"), expected);
        assert_eq!(lines(b""), [Input::End]);
        assert_eq!(lines(b"\n\n"), [Input::End]);
    }

    #[test]
    fn bytes_that_are_not_text() {
        assert_eq!(
            lines(b"d \xff\xfeuci\0\n"),
            [Input::Garbled { line: "d \u{fffd}\u{fffd}uci\0".to_owned(), at: 2 }, Input::End]
        );
    }

    #[test]
    fn lines_of_any_length() {
        let long = vec![b'x'; LONGEST_LINE];
        let too_long = vec![b'x'; LONGEST_LINE + 1];
        let all = [&long[..], &too_long, b"uci"].join(&b'\n');
        let received: Vec<Input> = spawn(io::Cursor::new(all)).unwrap().iter().collect();
        assert!(matches!(&received[0], Input::Line(text) if text.len() == LONGEST_LINE));
        assert_eq!(received[1..], [Input::TooLong, line("uci"), Input::End]);
    }
}
