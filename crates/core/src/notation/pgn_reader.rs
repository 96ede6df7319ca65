//! [`PgnReader`]: reads PGN as a stream, in constant memory.

mod bytes;
mod comments;
mod glyphs;
mod results;
mod scan;
mod source;
mod state;
mod tags;
mod text;
mod utf16;
mod visitor;

pub use visitor::{CommentToken, Next, PgnVisitor, SanToken, TagToken};

pub(super) use text::comment_text;

use super::pgn_error::{Excerpt, Location, PgnError, PgnErrorKind};
use bytes::{Blank, at_line_start, blank};
use scan::Scan;
use source::Source;
use state::{Skipping, Stage, State, Step};
use std::io::{self, Read};
use visitor::NullVisitor;

/// A streaming PGN reader that reports the elements of each game to a [`PgnVisitor`].
///
/// Memory use is constant: the reader holds 64 KiB of the text and passes slices of it to the visitor. It has
/// its own buffer, so the input need not be buffered.
///
/// The reader accepts the import format of the standard and most deviations found in practice: byte-order
/// marks, any line endings, lines of any length, `%` lines, comments in braces and after
/// semicolons, braces inside comments, unescaped quotes in tags, missing results, results such as `0.5-0.5`, `1:0` and `Draw`,
/// missing or wrong move numbers of any
/// size (they are ignored), annotation marks and symbols used in print as glyphs, also directly after a move (`Nf3+-`),
/// null moves, commas and full stops after moves, ellipses for dots, and no-break and other Unicode spaces. A game ends with the line of
/// its result, before move number 1 on that line, or before the next tag.
///
/// The text is UTF-8, Windows-1252, or UTF-16 with a byte-order mark. UTF-16 is converted to UTF-8 first, and
/// [locations](PgnReader::location) refer to the converted text.
///
/// Text that the reader does not understand is skipped and reported to [`PgnVisitor::error`] with its location. It does
/// not affect other games: a tag on a separate line always begins the next game. Only errors of the input stop the reader. A
/// word that contains a square (`Sf3`) is taken for a move, which the visitor may be unable to parse or play; other unknown words
/// (`TN`, `ch`) are skipped. To read strictly, return [`Next::Skip`] from [`PgnVisitor::error`], or treat every error of
/// [`games`](PgnReader::games) as final.
///
/// # Limits
///
/// Any text is read in time linear in its length. Some elements have maximum sizes: tags 32 KiB, words 255 bytes, and
/// 1,000 tags per game; [`PgnErrorKind`] says what is skipped. A comment of more than 32 KiB is passed in parts.
/// [`PgnGame`](super::PgnGame)s hold at most 1,000,000 moves each; their memory is at most about 150 bytes per move plus
/// the length of the comments and tags, and while a comment is read, twice its length. Measured as the peak of the process: 2.3 MB
/// for the reader alone with any text; 25 MB for a game with 200,000 variations inside each other (1.6 MB of text), 112 MB for a
/// million moves on one line (10 MB of text), and 198 MB for a comment of 100 MB. A `GameTree` of `tabiya-movegen` takes about
/// 310 bytes per move: 62 MB and 299 MB for the first two. The example `pgn_limits` of `tabiya-movegen` measures them.
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
}

impl<R: Read> PgnReader<R> {
    /// Creates a reader of `input` with a buffer of 64 KiB.
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader { source: Source::new(input) }
    }

    /// Reads the next game and returns the visitor's output, or `None` at the end of the text.
    ///
    /// # Errors
    /// Returns the errors of the input. Syntax errors go to the visitor.
    pub fn read_game<V: PgnVisitor>(&mut self, visitor: &mut V) -> io::Result<Option<V::Output>> {
        if !self.find_game()? {
            return Ok(None);
        }
        visitor.begin_game();
        let mut state = State::new();
        loop {
            let step = match state.skipping {
                Skipping::Nothing => scan(&mut self.source, &mut state, visitor),
                _ => scan(&mut self.source, &mut state, &mut NullVisitor),
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

        if state.skipping != Skipping::Game {
            if state.stage == Stage::Tags {
                // The return value does not matter, because there are no moves.
                let _ = visitor.end_tags();
            }
            if let Some(location) = state.variation_location(&self.source.window()) {
                let (token, kind) = (Excerpt::of(b"("), PgnErrorKind::UnterminatedVariation);
                let _ = visitor.error(PgnError { location, token, kind });
            }
            let reported_depth = match state.skipping {
                Skipping::Variation(depth) => depth,
                _ => state.depth,
            };
            for _ in 0..reported_depth {
                visitor.end_variation();
            }
        }
        Ok(Some(visitor.end_game()))
    }

    /// Skips the next game; returns false at the end of the text.
    ///
    /// # Errors
    /// Returns the errors of the input.
    pub fn skip_game(&mut self) -> io::Result<bool> {
        Ok(self.read_game(&mut NullVisitor)?.is_some())
    }

    /// Reads all remaining games and returns their number.
    ///
    /// # Errors
    /// Returns the errors of the input.
    pub fn read_all<V: PgnVisitor>(&mut self, visitor: &mut V) -> io::Result<u64> {
        let mut games = 0;
        while self.read_game(visitor)?.is_some() {
            games += 1;
        }
        Ok(games)
    }

    /// The current location in the text: after the last game and before the next one.
    pub fn location(&self) -> Location {
        self.source.window().location(self.source.at)
    }

    /// The input. Its position is usually ahead of the [`location`](PgnReader::location), because the reader
    /// buffers.
    pub fn get_ref(&self) -> &R {
        self.source.input()
    }

    /// Returns the input. Buffered text is lost.
    pub fn into_inner(self) -> R {
        self.source.into_input()
    }

    /// Skips blanks, `;` comments and `%` lines up to the start of a game; returns false at the end of
    /// the text.
    fn find_game(&mut self) -> io::Result<bool> {
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
                    0x80.. => match blank(data, at) {
                        Blank::Yes(length) => at += length - 1,
                        Blank::More if !window.at_end => break false,
                        _ => break true,
                    },
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

/// Scans the current window with a visitor.
fn scan<R: Read, V: PgnVisitor>(source: &mut Source<R>, state: &mut State, visitor: &mut V) -> Step {
    let window = source.window();
    let mut scan = Scan { state, window: &window, at: source.at, visitor };
    let step = scan.run();
    let at = scan.at;
    source.at = at;
    step
}
