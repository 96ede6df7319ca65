//! What a reader of PGN says, written down so that two readings can be compared.

use std::io::{self, Read};
use std::iter;
use tabiya_core::notation::{
    CommentToken, GameResult, Location, Nag, Next, PgnError, PgnReader, PgnVisitor, SanToken, TagToken,
};

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
    /// A comment with all its pieces put together.
    Comment(Vec<u8>),
    BeginVariation,
    EndVariation,
    Result(GameResult),
    Error(PgnError),
    /// With the place behind the game.
    EndGame(Location),
}

/// Writes down what the reader says, and answers as it is told to.
pub(super) struct Recorder<'a> {
    text: &'a [u8],
    /// Where the lines of the text start.
    lines: Vec<u64>,
    events: Vec<Event>,
    reads_variations: bool,
    /// From this event on the answer is to leave things out.
    patience: usize,
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
            patience: usize::MAX,
            comment: vec![],
        }
    }

    pub(super) fn without_variations(self) -> Recorder<'a> {
        Recorder { reads_variations: false, ..self }
    }

    /// Leaves things out as soon as there are so many events.
    pub(super) fn with_patience(self, patience: usize) -> Recorder<'a> {
        Recorder { patience, ..self }
    }

    /// Reads everything, `step` bytes at a time.
    pub(super) fn read(mut self, step: usize) -> Vec<Event> {
        let mut reader = PgnReader::new(Drip { text: self.text, step });
        while reader.read_game(&mut self).expect("reading from memory does not fail").is_some() {
            self.events.push(Event::EndGame(reader.location()));
        }
        self.events
    }

    fn answer(&self) -> Next {
        if self.events.len() < self.patience { Next::Read } else { Next::Skip }
    }

    fn check_place(&self, place: Location) {
        assert!(place.offset <= self.text.len() as u64, "{place} is not in the text");
        let line = self.lines.partition_point(|start| *start <= place.offset);
        assert_eq!((place.line, place.column), (line as u64, place.offset - self.lines[line - 1] + 1));
    }

    fn check_token(&self, bytes: &[u8], place: Location) {
        self.check_place(place);
        let found = &self.text[place.offset as usize..];
        assert!(found.starts_with(bytes), "{bytes:?} does not stand at {place}");
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
        self.answer()
    }

    fn end_tags(&mut self) -> Next {
        self.events.push(Event::EndTags);
        self.answer()
    }

    fn san(&mut self, san: SanToken<'_>) -> Next {
        // A null move may also be written `0000`.
        let is_null = san.as_bytes() == b"--";
        self.check_token(if is_null { b"" } else { san.as_bytes() }, san.location());
        assert!(san.parse().err().is_none_or(|error| error.location == san.location()));
        self.events.push(Event::San(san.as_bytes().to_vec()));
        self.answer()
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
        if self.reads_variations && self.answer() == Next::Read {
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
        self.check_place(error.location);
        self.events.push(Event::Error(error));
        self.answer()
    }

    fn end_game(&mut self) {
        assert_eq!(self.comment, b"", "the last piece of a comment is missing");
    }
}

/// An input that yields its text a few bytes at a time.
struct Drip<'a> {
    text: &'a [u8],
    step: usize,
}

impl Read for Drip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.step.min(self.text.len()).min(buffer.len());
        let (now, later) = self.text.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.text = later;
        Ok(count)
    }
}
