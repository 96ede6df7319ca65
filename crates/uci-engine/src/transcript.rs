//! The last lines of a session, for error messages.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Maximum number of lines.
const LINES: usize = 40;

/// Maximum length of a line, in bytes.
const BYTES: usize = 240;

/// The last lines of a session, shared by the I/O threads.
#[derive(Default)]
pub(super) struct Transcript(Mutex<VecDeque<String>>);

impl Transcript {
    /// Appends a line; `mark` is `<`, `>` or `!`.
    pub(super) fn push(&self, mark: char, line: &str) {
        let mut lines = self.lock();
        // Reuse the buffer of the oldest line to avoid an allocation per line.
        let mut entry = if lines.len() < LINES { None } else { lines.pop_front() }.unwrap_or_default();
        entry.clear();
        entry.push(mark);
        entry.push(' ');
        if line.len() <= BYTES {
            entry.push_str(line);
        } else {
            let end = (0..=BYTES).rev().find(|&at| line.is_char_boundary(at)).unwrap_or(0);
            entry.push_str(&line[..end]);
            entry.push_str(" [...]");
        }
        lines.push_back(entry);
    }

    /// Returns the lines, oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        self.lock().iter().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<String>> {
        // The lines are consistent whenever the lock is free, so a poisoned lock is harmless.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_lines_and_cuts_long_ones() {
        let transcript = Transcript::default();
        for number in 0..100 {
            transcript.push('<', &number.to_string());
        }
        let lines = transcript.lines();
        assert_eq!(lines.len(), LINES);
        assert_eq!((lines[0].as_str(), lines[LINES - 1].as_str()), ("< 60", "< 99"));

        transcript.push('>', &"é".repeat(1000));
        let last = transcript.lines().pop().unwrap();
        assert!(last.len() <= BYTES + 10 && last.ends_with("é [...]"), "{last}");
    }
}
