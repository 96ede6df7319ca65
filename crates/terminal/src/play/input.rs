//! The user's lines: with editing, history and completion on a terminal, plain otherwise.

use crate::style;
use anyhow::Result;
use rustyline::completion::Completer;
use rustyline::config::{CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use std::io::{self, BufRead, ErrorKind, IsTerminal, Write};

/// The source of the user's lines.
pub(super) enum Input<'a> {
    Editor(Box<Editor<Words, MemHistory>>),
    Stream(&'a mut dyn BufRead),
}

/// Returns true if lines are edited: if standard input and output are a capable terminal.
pub(super) fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && !style::is_dumb_terminal()
}

impl<'a> Input<'a> {
    /// A line editor.
    ///
    /// # Errors
    /// If the terminal cannot be set up.
    pub(super) fn editor() -> Result<Input<'a>> {
        let config = Config::builder()
            .auto_add_history(true)
            .history_ignore_dups(true)?
            .completion_type(CompletionType::List)
            // A mode of the terminal that would outlast the end of the process by a signal.
            .bracketed_paste(false)
            .build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history)?;
        editor.set_helper(Some(Words::default()));
        Ok(Input::Editor(Box::new(editor)))
    }

    /// Reads a line. `None` at the end of the input and for Ctrl-C. `words` can be completed by the Tab key.
    ///
    /// # Errors
    /// If input or output fails.
    pub(super) fn read(
        &mut self,
        prompt: &str,
        words: impl FnOnce() -> Vec<String>,
        out: &mut impl Write,
    ) -> Result<Option<String>> {
        out.flush()?;
        match self {
            Input::Editor(editor) => {
                if let Some(helper) = editor.helper_mut() {
                    helper.0 = words();
                }
                let mut line = editor.readline(prompt);
                // A byte that is not UTF-8, as from a terminal with another encoding. What was typed before it is lost; the line
                // goes on, so that the rest of it is not taken for a move.
                while is_invalid_utf8(&line) {
                    line = editor.readline_with_initial(prompt, (INVALID, ""));
                }
                match line {
                    Ok(line) => Ok(Some(line)),
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(error) => Err(error.into()),
                }
            }
            Input::Stream(stream) => {
                write!(out, "{prompt}")?;
                out.flush()?;
                let mut line = Vec::new();
                if stream.read_until(b'\n', &mut line)? == 0 {
                    writeln!(out)?;
                    return Ok(None);
                }
                Ok(Some(String::from_utf8_lossy(&line).into_owned()))
            }
        }
    }
}

/// The mark for bytes that are not UTF-8: U+FFFD, the replacement character.
const INVALID: &str = "\u{fffd}";

fn is_invalid_utf8(line: &rustyline::Result<String>) -> bool {
    matches!(line, Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData)
}

/// The words that the Tab key completes: commands and moves.
#[derive(Default)]
pub(super) struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, end: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((0, matching(&self.0, line.get(..end).unwrap_or_default())))
    }
}

/// The words that begin with a text, regardless of case.
fn matching(words: &[String], text: &str) -> Vec<String> {
    let begins =
        |word: &&String| word.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
    words.iter().filter(begins).cloned().collect()
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completes_words_regardless_of_case() {
        let words = ["Nc3", "Nf3", "e4", "new"].map(str::to_owned);
        assert_eq!(matching(&words, "n"), ["Nc3", "Nf3", "new"]);
        assert_eq!(matching(&words, "Nf"), ["Nf3"]);
        assert_eq!(matching(&words, "Nf3xx").len() + matching(&words, "é").len(), 0);
        assert_eq!(matching(&words, "").len(), 4);
    }

    #[test]
    fn reads_lines_of_a_stream() {
        let mut source: &[u8] = b"e4\n\xff\nlast";
        let mut input = Input::Stream(&mut source);
        let mut out = Vec::new();
        let mut next = || input.read("> ", Vec::new, &mut out).unwrap();
        assert_eq!(next().as_deref(), Some("e4\n"));
        assert_eq!(next().as_deref(), Some("\u{fffd}\n"));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
        assert_eq!(out, b"> > > > \n");
    }
}
