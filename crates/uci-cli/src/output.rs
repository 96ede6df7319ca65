//! Output of protocol lines, with logging.

use crate::early_stop::EarlyStop;
use crate::logging;
use std::fmt;
use std::io::{self, Write};

/// Writes protocol lines, logs them and flushes after each.
pub(crate) struct Output<W> {
    writer: W,
    early_stop: EarlyStop,
}

impl<W: Write> Output<W> {
    pub(crate) fn new(writer: W, early_stop: EarlyStop) -> Output<W> {
        Output { writer, early_stop }
    }

    /// Writes one or more lines.
    pub(crate) fn line(&mut self, line: impl fmt::Display) -> io::Result<()> {
        // A single write per call, so that lines are not interleaved with other writers to the same stream.
        let text = format!("{line}\n");
        self.early_stop.log_stop();
        logging::sent(&text);
        self.writer.write_all(text.as_bytes())?;
        self.writer.flush()
    }

    /// Writes an `info string` for each line of `message`.
    pub(crate) fn info(&mut self, message: impl fmt::Display) -> io::Result<()> {
        let message = message.to_string();
        message.lines().try_for_each(|line| self.line(format_args!("info string {line}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_every_line_of_an_info_string() {
        let mut output = Output::new(Vec::new(), EarlyStop::default());
        output.info("one\ntwo").unwrap();
        assert_eq!(String::from_utf8(output.writer).unwrap(), "info string one\ninfo string two\n");
    }
}
