//! A visitor that records events, and an input that returns a few bytes at a time.

use std::io::Read;
use tabiya_core::notation::{
    CommentToken, GameResult, Nag, Next, PgnError, PgnReader, PgnVisitor, SanToken, TagToken,
};

/// A visitor that records all calls as text, in order.
#[derive(Default)]
pub(crate) struct Events {
    pub(crate) log: Vec<String>,
    pub(crate) errors: Vec<PgnError>,
    /// Given the number of events so far, returns true if the next return value is `Next::Skip`.
    pub(crate) skip: Option<fn(usize) -> bool>,
}

impl Events {
    /// The events of a text.
    pub(crate) fn of(input: impl Read) -> Events {
        let mut events = Events::default();
        events.read(input);
        events
    }

    pub(crate) fn read(&mut self, input: impl Read) -> u64 {
        PgnReader::new(input).read_all(self).unwrap()
    }

    fn next(&self) -> Next {
        if self.skip.is_some_and(|skip| skip(self.log.len())) { Next::Skip } else { Next::Read }
    }
}

impl PgnVisitor for Events {
    type Output = ();

    fn begin_game(&mut self) {
        self.log.push("<".into());
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        self.log.push(format!("[{}={}]", tag.name(), tag.value()));
        self.next()
    }

    fn end_tags(&mut self) -> Next {
        self.log.push("|".into());
        self.next()
    }

    fn san(&mut self, san: SanToken<'_>) -> Next {
        self.log.push(san.to_string());
        self.next()
    }

    fn nag(&mut self, nag: Nag) {
        self.log.push(nag.to_string());
    }

    fn comment(&mut self, comment: CommentToken<'_>) {
        self.log.push(format!("{{{}{}}}", comment.text(), if comment.continues() { "..." } else { "" }));
    }

    fn begin_variation(&mut self) -> Next {
        self.log.push("(".into());
        self.next()
    }

    fn end_variation(&mut self) {
        self.log.push(")".into());
    }

    fn result(&mut self, result: GameResult) {
        self.log.push(format!("={result}"));
    }

    fn error(&mut self, error: PgnError) -> Next {
        self.log.push(format!("!{}:{}", error.location.line, error.location.column));
        self.errors.push(error);
        self.next()
    }

    fn end_game(&mut self) {
        self.log.push(">".into());
    }
}

/// A reader that returns its text in chunks of at most `size` bytes.
pub(crate) struct Chunks<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) size: usize,
}

impl Read for Chunks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.size.min(self.text.len()).min(buffer.len());
        let (chunk, rest) = self.text.split_at(count);
        buffer[..count].copy_from_slice(chunk);
        self.text = rest;
        Ok(count)
    }
}
