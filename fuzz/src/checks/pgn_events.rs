//! A recorder of the PGN reader's events, so that two readings can be compared.

use std::io::{self, Read};
use std::iter;
use tabiya_core::notation::{
    CommentToken, GameResult, Location, Nag, Next, PgnError, PgnReader, PgnVisitor, SanToken, TagToken,
};

/// A call of the visitor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Event {
    BeginGame,
    Tag {
        name: String,
        value: String,
    },
    EndTags,
    San(Vec<u8>),
    Nag(Nag),
    /// A comment, joined from its parts.
    Comment(Vec<u8>),
    BeginVariation,
    EndVariation,
    Result(GameResult),
    Error(PgnError),
    /// The end of a game, with the reader's location after it.
    EndGame(Location),
}

/// A visitor that records events, and checks their locations.
pub(super) struct Recorder<'a> {
    text: &'a [u8],
    /// The offsets at which the lines of the text start.
    lines: Vec<u64>,
    events: Vec<Event>,
    reads_variations: bool,
    /// The number of events after which the visitor returns `Next::Skip`.
    limit: usize,
    comment: Vec<u8>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(text: &'a [u8]) -> Recorder<'a> {
        let ends = (1..).zip(text).filter(|(_, byte)| **byte == b'\n').map(|(after, _)| after);
        Recorder {
            text,
            lines: iter::once(0).chain(ends).collect(),
            events: vec![],
            reads_variations: true,
            limit: usize::MAX,
            comment: vec![],
        }
    }

    pub(super) fn without_variations(self) -> Recorder<'a> {
        Recorder { reads_variations: false, ..self }
    }

    /// Makes the recorder return `Next::Skip` after this number of events.
    pub(super) fn skipping_after(self, limit: usize) -> Recorder<'a> {
        Recorder { limit, ..self }
    }

    /// Reads the whole text in chunks of `size` bytes.
    pub(super) fn read(mut self, size: usize) -> Vec<Event> {
        let mut reader = PgnReader::new(Chunks { text: self.text, size });
        while reader.read_game(&mut self).expect("reading from memory does not fail").is_some() {
            self.events.push(Event::EndGame(reader.location()));
        }
        self.events
    }

    fn next(&self) -> Next {
        if self.events.len() < self.limit { Next::Read } else { Next::Skip }
    }

    fn check_location(&self, location: Location) {
        assert!(location.offset <= self.text.len() as u64, "{location} is not in the text");
        let line = self.lines.partition_point(|start| *start <= location.offset);
        assert_eq!(
            (location.line, location.column),
            (line as u64, location.offset - self.lines[line - 1] + 1)
        );
    }

    fn check_token(&self, bytes: &[u8], location: Location) {
        self.check_location(location);
        let actual = &self.text[location.offset as usize..];
        assert!(actual.starts_with(bytes), "{bytes:?} is not at {location}");
    }
}

impl PgnVisitor for Recorder<'_> {
    type Output = ();

    fn begin_game(&mut self) {
        self.events.push(Event::BeginGame);
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        self.check_token(b"[", tag.location());
        self.events.push(Event::Tag { name: tag.name().into_owned(), value: tag.value().into_owned() });
        self.next()
    }

    fn end_tags(&mut self) -> Next {
        self.events.push(Event::EndTags);
        self.next()
    }

    fn san(&mut self, san: SanToken<'_>) -> Next {
        // A null move is reported as `--`, but may be `0000` in the text.
        let is_null = san.as_bytes() == b"--";
        self.check_token(if is_null { b"" } else { san.as_bytes() }, san.location());
        assert!(san.parse().err().is_none_or(|error| error.location == san.location()));
        self.events.push(Event::San(san.as_bytes().to_vec()));
        self.next()
    }

    fn nag(&mut self, nag: Nag) {
        self.events.push(Event::Nag(nag));
    }

    fn comment(&mut self, comment: CommentToken<'_>) {
        self.check_token(comment.as_bytes(), comment.location());
        self.comment.extend_from_slice(comment.as_bytes());
        if !comment.continues() {
            let comment = std::mem::take(&mut self.comment);
            self.events.push(Event::Comment(comment));
        }
    }

    fn begin_variation(&mut self) -> Next {
        if self.reads_variations && self.next() == Next::Read {
            self.events.push(Event::BeginVariation);
            return Next::Read;
        }
        Next::Skip
    }

    fn end_variation(&mut self) {
        self.events.push(Event::EndVariation);
    }

    fn result(&mut self, result: GameResult) {
        self.events.push(Event::Result(result));
    }

    fn error(&mut self, error: PgnError) -> Next {
        self.check_location(error.location);
        self.events.push(Event::Error(error));
        self.next()
    }

    fn end_game(&mut self) {
        assert_eq!(self.comment, b"", "the last part of a comment is missing");
    }
}

/// A reader that returns its text in chunks of at most `size` bytes.
struct Chunks<'a> {
    text: &'a [u8],
    size: usize,
}

impl Read for Chunks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.size.min(self.text.len()).min(buffer.len());
        let (chunk, rest) = self.text.split_at(count);
        buffer[..count].copy_from_slice(chunk);
        self.text = rest;
        Ok(count)
    }
}
