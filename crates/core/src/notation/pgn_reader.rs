mod bytes;
mod comments;
mod scan;
mod signs;
mod source;
mod state;
mod tags;
mod text;
mod visitor;

pub use visitor::{CommentToken, Next, PgnVisitor, SanToken, TagToken};

pub(super) use text::comment_text;

use super::pgn_error::{PgnError, PgnErrorKind, Place};
use bytes::{BYTE_ORDER_MARK, at_line_start};
use scan::Scan;
use source::Source;
use state::{Silence, Stage, State, Step};
use std::io::{self, Read};
use visitor::Silent;

/// Reads games in PGN from a stream, one after the other, and tells a [`PgnVisitor`] what is there.
///
/// Memory does not grow with the text: the reader holds 64 KiB of it and hands out slices of
/// that. It buffers by itself, so the input need not.
///
/// The import format of the standard is read, and most of what else is found in the wild: byte
/// order marks, any line ends, lines of any length, UTF-8 and Latin-1, `%` lines, comments of both
/// kinds, quotes inside of tags, missing results, missing or wrong move numbers (they are not
/// looked at), annotation marks and the signs of printed books as glyphs, null moves. A game ends
/// with its result, or where the next tag stands.
///
/// What cannot be read is reported to [`PgnVisitor::error`] with its line and column, and the games
/// before and after it are not affected: whatever happens inside a game, a line with a tag begins
/// the next one. Only the input's own errors make the reader fail.
///
/// ```
/// use tabiya_core::notation::{Next, PgnError, PgnReader, PgnVisitor, San, SanToken};
///
/// struct Mainline(Vec<San>);
///
/// impl PgnVisitor for Mainline {
///     type Output = Vec<San>;
///
///     fn san(&mut self, token: SanToken<'_>) -> Next {
///         match token.parse() {
///             Ok(san) => {
///                 self.0.push(san);
///                 Next::Read
///             }
///             Err(error) => self.error(error),
///         }
///     }
///
///     fn error(&mut self, error: PgnError) -> Next {
///         eprintln!("{error}");
///         Next::Skip
///     }
///
///     fn end_game(&mut self) -> Vec<San> {
///         std::mem::take(&mut self.0)
///     }
/// }
///
/// let text = "1. e4 {best by test} e5 (1... c5 2. Nf3) 2. Nf3 *";
/// let mut reader = PgnReader::new(text.as_bytes());
/// let moves = reader.read_game(&mut Mainline(Vec::new()))?;
/// assert_eq!(moves, Some(vec!["e4".parse()?, "e5".parse()?, "Nf3".parse()?]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PgnReader<R> {
    source: Source<R>,
    /// Nothing after this point can be read.
    unreadable: bool,
}

impl<R: Read> PgnReader<R> {
    /// A reader of what `input` yields. The buffer is 64 KiB.
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader { source: Source::new(input), unreadable: false }
    }

    /// Reads the next game; `None` at the end of the text.
    ///
    /// # Errors
    /// Those of the input. Errors in the text go to the visitor.
    pub fn read_game<V: PgnVisitor>(&mut self, visitor: &mut V) -> io::Result<Option<V::Output>> {
        if !self.find_game()? {
            return Ok(None);
        }
        visitor.begin_game();
        if self.unreadable {
            let error = PgnError { place: self.place(), kind: PgnErrorKind::Utf16 };
            if visitor.error(error) == Next::Read {
                // Either way nothing follows.
                let _ = visitor.end_tags();
            }
            return Ok(Some(visitor.end_game()));
        }

        let mut state = State::new();
        loop {
            let step = match state.silence {
                Silence::Off => scan(&mut self.source, &mut state, visitor),
                _ => scan(&mut self.source, &mut state, &mut Silent),
            };
            match step {
                Step::More => {
                    state.before_refill(&self.source.window());
                    self.source.fill()?;
                }
                Step::Switch => {}
                Step::End => break,
            }
        }

        if state.silence != Silence::Game {
            if state.stage == Stage::Tags {
                // There are no moves left to skip.
                let _ = visitor.end_tags();
            }
            if let Some(place) = state.opened_place(&self.source.window()) {
                let _ = visitor.error(PgnError { place, kind: PgnErrorKind::UnterminatedVariation });
            }
            let reported = match state.silence {
                Silence::Variation(depth) => depth,
                _ => state.depth,
            };
            for _ in 0..reported {
                visitor.end_variation();
            }
        }
        Ok(Some(visitor.end_game()))
    }

    /// Reads over the next game; false at the end of the text.
    ///
    /// # Errors
    /// Those of the input.
    pub fn skip_game(&mut self) -> io::Result<bool> {
        Ok(self.read_game(&mut Silent)?.is_some())
    }

    /// Reads all the games that are left and returns how many there were.
    ///
    /// # Errors
    /// Those of the input.
    pub fn read_all<V: PgnVisitor>(&mut self, visitor: &mut V) -> io::Result<u64> {
        let mut games = 0;
        while self.read_game(visitor)?.is_some() {
            games += 1;
        }
        Ok(games)
    }

    /// How far the text has been read: behind the last game, before the next one.
    pub fn place(&self) -> Place {
        self.source.window().place(self.source.at)
    }

    /// The input. The reader is usually some way ahead in it.
    pub fn get_ref(&self) -> &R {
        self.source.input()
    }

    /// The input. What the reader holds of it is lost.
    pub fn into_inner(self) -> R {
        self.source.into_input()
    }

    /// Goes to where something begins that is neither blank nor a line to be ignored.
    fn find_game(&mut self) -> io::Result<bool> {
        if self.unreadable {
            return Ok(false);
        }
        let mut in_line = false;
        loop {
            let window = self.source.window();
            let data = window.data;
            let mut at = self.source.at;
            let found = loop {
                let Some(&byte) = data.get(at) else { break false };
                match byte {
                    b'\n' | b'\r' => in_line = false,
                    _ if in_line => {}
                    0..=b' ' => {}
                    b';' => in_line = true,
                    b'%' if at_line_start(data, at) => in_line = true,
                    0xef if data.len() - at < 3 && !window.at_end => break false,
                    0xef if data[at..].starts_with(BYTE_ORDER_MARK) => at += 2,
                    0xfe | 0xff if window.offset(at) == 0 => {
                        if data.len() < 2 && !window.at_end {
                            break false;
                        }
                        self.unreadable = matches!(data, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
                        break true;
                    }
                    _ => break true,
                }
                at += 1;
            };
            let at_end = window.at_end;
            self.source.at = at;
            if found || at_end {
                return Ok(found);
            }
            self.source.fill()?;
        }
    }
}

/// Reads on in the window that there is.
fn scan<R: Read, V: PgnVisitor>(source: &mut Source<R>, state: &mut State, visitor: &mut V) -> Step {
    let window = source.window();
    let mut scan = Scan { state, window: &window, at: source.at, visitor };
    let step = scan.run();
    let at = scan.at;
    source.at = at;
    step
}
