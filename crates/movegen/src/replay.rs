//! Streaming through the games of a PGN text, with the position at each move.

use crate::position::Position;
use crate::replay_error::{ReplayError, ReplayErrorKind, begins_fen};
use crate::variant::check_variant;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use tabiya_core::notation::{
    CommentToken, GameResult, Location, Nag, Next, PgnError, PgnVisitor, San, SanToken, TagToken,
};
use tabiya_core::{Board, Move};

/// Receives the games of a PGN text with the position in which each move is played.
///
/// Wrap it in a [`Replay`] to pass it to a [`PgnReader`](tabiya_core::notation::PgnReader). Only the main line
/// is replayed; for variations use [`GameTree`](crate::GameTree). A game whose `Variant` tag names another variant than
/// chess or Chess960 is reported as an error ([`ReplayErrorKind::Variant`]) and not replayed.
///
/// ```
/// use tabiya_core::{Color, Move};
/// use tabiya_core::notation::{Next, PgnReader};
/// use tabiya_movegen::{GameVisitor, Position, Replay, ReplayError};
///
/// /// Counts White's castling moves.
/// #[derive(Default)]
/// struct Castlings(usize);
///
/// impl GameVisitor for Castlings {
///     type Output = ();
///
///     fn play(&mut self, position: &Position, mv: Move) -> Next {
///         if mv.is_castle() && position.side_to_move() == Color::White {
///             self.0 += 1;
///         }
///         Next::Read
///     }
///
///     fn error(&mut self, error: ReplayError) -> Next {
///         eprintln!("{error}");
///         Next::Skip
///     }
///
///     fn end_game(&mut self, _last: &Position) {}
/// }
///
/// let text = "1. e4 e5 2. Nf3 (2. f4) Nc6 3. Bb5 a6 4. O-O *\n\n1. d4 Nf6 2. c4 g6 *";
/// let mut reader = PgnReader::new(text.as_bytes());
/// let mut replay = Replay::new(Castlings::default());
/// while reader.read_game(&mut replay)?.is_some() {}
/// assert_eq!(replay.into_inner().0, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait GameVisitor {
    /// The result of visiting a game.
    type Output;

    /// Called at the start of a game.
    fn begin_game(&mut self) {}

    /// Called for each tag. [`Next::Skip`] skips the rest of the game.
    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        let _ = tag;
        Next::Read
    }

    /// Called after the tags with the start position. [`Next::Skip`] skips the rest of the game.
    fn start(&mut self, position: &Position) -> Next {
        let _ = position;
        Next::Read
    }

    /// Called for each move, which is legal, with the position before it. [`Next::Skip`] skips the rest of the
    /// game.
    fn play(&mut self, position: &Position, mv: Move) -> Next;

    /// Called for each NAG (annotation glyph) after a move.
    fn nag(&mut self, nag: Nag) {
        let _ = nag;
    }

    /// Called for each comment of the main line.
    fn comment(&mut self, comment: CommentToken<'_>) {
        let _ = comment;
    }

    /// Called for the result at the end of the moves, which may be missing.
    fn result(&mut self, result: GameResult) {
        let _ = result;
    }

    /// Called for each error. [`Next::Skip`] skips the rest of the game, for those who read strictly. [`Next::Read`]
    /// continues after what could not be understood, unless [`ends_game`](ReplayError::ends_game) says that the game is skipped
    /// anyway: after an illegal move, an invalid start position, or a FEN before the first move.
    fn error(&mut self, error: ReplayError) -> Next;

    /// Called at the end of a game, complete or skipped, with the position after the last move played.
    fn end_game(&mut self, last: &Position) -> Self::Output;
}

/// A [`PgnVisitor`] that plays the main line of each game for a [`GameVisitor`].
///
/// It updates one position in place and allocates nothing per move, so memory does not grow with the text.
#[derive(Clone, Debug)]
pub struct Replay<V> {
    visitor: V,
    startpos: Position,
    position: Position,
    tags: StartTags,
    has_moved: bool,
}

impl<V: GameVisitor> Replay<V> {
    /// Creates a replay for this visitor.
    pub fn new(visitor: V) -> Replay<V> {
        let startpos = Position::startpos();
        let position = startpos.clone();
        Replay { visitor, position, startpos, tags: StartTags::default(), has_moved: false }
    }

    /// Returns a reference to the visitor.
    pub fn get_ref(&self) -> &V {
        &self.visitor
    }

    /// Returns a mutable reference to the visitor.
    pub fn get_mut(&mut self) -> &mut V {
        &mut self.visitor
    }

    /// Returns the visitor, consuming the replay.
    pub fn into_inner(self) -> V {
        self.visitor
    }

    /// Reports a move that cannot be parsed or is illegal.
    #[cold]
    fn unplayable(&mut self, token: SanToken<'_>) -> Next {
        match token.parse() {
            Ok(san) => match self.position.resolve_san(san) {
                Ok(_) => Next::Read,
                Err(error) => {
                    let error = ReplayError::illegal(&self.position, san, error);
                    self.fail(error.at(token.location()))
                }
            },
            Err(error) => self.fail(error.into()),
        }
    }

    /// Reports an error after which the rest of the game must be skipped.
    #[cold]
    fn fail(&mut self, error: ReplayError) -> Next {
        let _ = self.visitor.error(error.followed_by(Next::Skip));
        Next::Skip
    }
}

impl<V: GameVisitor> PgnVisitor for Replay<V> {
    type Output = V::Output;

    #[inline]
    fn begin_game(&mut self) {
        self.position.clone_from(&self.startpos);
        self.tags = StartTags::default();
        self.has_moved = false;
        self.visitor.begin_game();
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        self.tags.read(tag);
        self.visitor.tag(tag)
    }

    #[inline]
    fn end_tags(&mut self) -> Next {
        match core::mem::take(&mut self.tags).finish() {
            Ok(None) => {}
            Ok(Some(start)) => {
                self.position = start.position;
                for error in start.dropped {
                    if self.visitor.error(error) == Next::Skip {
                        return Next::Skip;
                    }
                }
            }
            Err(error) => return self.fail(error),
        }
        self.visitor.start(&self.position)
    }

    #[inline]
    fn san(&mut self, token: SanToken<'_>) -> Next {
        // Errors are large, so they are dropped here and constructed again on the cold path.
        let Ok(san) = San::from_bytes(token.as_bytes()) else { return self.unplayable(token) };
        let Ok(mv) = self.position.resolve_san(san) else { return self.unplayable(token) };
        let next = self.visitor.play(&self.position, mv);
        self.position.play_unchecked(mv);
        self.has_moved = true;
        next
    }

    #[inline]
    fn nag(&mut self, nag: Nag) {
        self.visitor.nag(nag);
    }

    #[inline]
    fn comment(&mut self, comment: CommentToken<'_>) {
        self.visitor.comment(comment);
    }

    #[inline]
    fn result(&mut self, result: GameResult) {
        self.visitor.result(result);
    }

    #[cold]
    fn error(&mut self, error: PgnError) -> Next {
        let is_fen = !self.has_moved && begins_fen(&error);
        if is_fen { self.fail(error.into()) } else { self.visitor.error(error.into()) }
    }

    #[inline]
    fn end_game(&mut self) -> V::Output {
        self.visitor.end_game(&self.position)
    }
}

/// The start position that the tags of a game give.
pub(crate) struct TaggedStart {
    pub(crate) position: Position,
    /// The castling rights and the en-passant square that contradict the pieces.
    pub(crate) dropped: Vec<ReplayError>,
}

/// The tags that determine the start position: `FEN` and `Variant`, in either order.
#[derive(Clone, Debug, Default)]
pub(crate) struct StartTags {
    fen: Option<Box<(String, Location)>>,
    variant: Option<Box<(String, Location)>>,
}

impl StartTags {
    /// Takes note of a tag.
    pub(crate) fn read(&mut self, tag: TagToken<'_>) {
        let field = match tag.name_bytes() {
            b"FEN" => &mut self.fen,
            b"Variant" => &mut self.variant,
            _ => return,
        };
        // Some programs write empty tags into every game.
        let value = tag.value();
        if !value.trim().is_empty() {
            *field = Some(Box::new((value.into_owned(), tag.location())));
        }
    }

    /// Returns the start position if a tag gives one.
    #[inline]
    pub(crate) fn finish(self) -> Result<Option<TaggedStart>, ReplayError> {
        if self.fen.is_none() && self.variant.is_none() { Ok(None) } else { self.start() }
    }

    #[cold]
    fn start(self) -> Result<Option<TaggedStart>, ReplayError> {
        if let Some((name, location)) = self.variant.map(|tag| *tag) {
            check_variant(&name).map_err(|error| error.at(location))?;
        }
        let Some((fen, location)) = self.fen.map(|tag| *tag) else { return Ok(None) };
        // `from_fen_lossy` also reports en-passant squares that `from_fen` ignores.
        let board = Board::from_fen(&fen).map(|board| (board, Vec::new()));
        match board.or_else(|_| Board::from_fen_lossy(&fen)) {
            Ok((board, errors)) => {
                let dropped = |error| ReplayError::from(ReplayErrorKind::Dropped(error)).at(location);
                let dropped = errors.into_iter().map(dropped).collect();
                Ok(Some(TaggedStart { position: Position::from_valid(board), dropped }))
            }
            Err(error) => Err(ReplayError::from(ReplayErrorKind::Start { fen, error }).at(location)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::notation::{PgnErrorKind, PgnReader};

    /// Records all calls as text.
    #[derive(Default)]
    struct Recorder(String);

    impl GameVisitor for Recorder {
        type Output = String;

        fn tag(&mut self, tag: TagToken<'_>) -> Next {
            self.0 += &format!("{}={} ", tag.name(), tag.value());
            Next::Read
        }

        fn start(&mut self, position: &Position) -> Next {
            self.0 += &format!("<{}> ", position.side_to_move());
            Next::Read
        }

        fn play(&mut self, position: &Position, mv: Move) -> Next {
            self.0 += &format!("{} ", position.san(mv));
            if mv.is_castle() { Next::Skip } else { Next::Read }
        }

        fn nag(&mut self, nag: Nag) {
            self.0 += &format!("{nag} ");
        }

        fn comment(&mut self, comment: CommentToken<'_>) {
            self.0 += &format!("{{{}}} ", comment.text());
        }

        fn result(&mut self, result: GameResult) {
            self.0 += &format!("{result} ");
        }

        fn error(&mut self, error: ReplayError) -> Next {
            self.0 += &format!("[{error}] ");
            Next::Read
        }

        fn end_game(&mut self, last: &Position) -> String {
            self.0 += &format!("move {}", last.fullmove_number());
            core::mem::take(&mut self.0)
        }
    }

    fn record(text: &str) -> Vec<String> {
        let mut reader = PgnReader::new(text.as_bytes());
        let mut replay = Replay::new(Recorder::default());
        core::iter::from_fn(|| reader.read_game(&mut replay).unwrap()).collect()
    }

    #[test]
    fn visitor_receives_everything_in_order() {
        let text = "[White \"A\"]\n\n1. e4! {best} e5 (1... c5) 2. Ng1-f3 Ng8f6 $10 1-0\n\n1. d4 d5";
        assert_eq!(
            record(text),
            ["White=A <white> e4 $1 {best} e5 Nf3 Nf6 $10 1-0 move 3", "<white> d4 d5 move 2"]
        );
        let text = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 30\"]\n1. O-O Kd7 *\n[FEN \"\"]\n1. e4 *";
        let calls = record(text);
        assert!(calls[0].ends_with("<white> O-O move 30"), "{calls:?}");
        assert_eq!(calls[1], "FEN= <white> e4 * move 1");
    }

    #[test]
    fn errors_have_locations_and_do_not_affect_other_games() {
        let text = "1. e4 e5 2. Bb6 Nc6 *\n\n[FEN \"8/8/8/8/8/8/8/8 w - -\"]\n1. e4 *\n\n1. e4 ) e5 *\n\n1. e4 -- 2. d4 *";
        assert_eq!(
            record(text),
            [
                "<white> e4 e5 [invalid game, line 1, column 13: 2. Bb6 cannot be played: no legal move fits; the position is rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2] move 2",
                "FEN=8/8/8/8/8/8/8/8 w - - [invalid game, line 3, column 1: invalid FEN tag \"8/8/8/8/8/8/8/8 w - -\": illegal position: white has no king (expected exactly 1)] move 1",
                "<white> e4 [invalid game, line 6, column 7, at \")\": closing parenthesis, but no variation is open] e5 * move 2",
                "<white> e4 [invalid game, line 8, column 7: 1... -- cannot be played: a null move cannot be played; the position is rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1] move 1",
            ]
        );
    }

    #[test]
    fn contradictions_in_a_fen_tag_are_reported_and_ignored() {
        let tag = "[FEN \"4k3/8/8/8/8/8/8/4K2R w KQ - 0 1\"]\n";
        let calls = record(&format!("{tag}1. Kd2 *\n\n1. e4 *"));
        let error = "[invalid game, line 1, column 1: FEN tag: invalid FEN, castling, byte 24: 'Q' needs this side's king and rook on its first rank; ignored]";
        assert!(calls[0].contains(error), "{calls:?}");
        assert!(
            calls[0].ends_with("] <white> Kd2 * move 1") && calls[1] == "<white> e4 * move 1",
            "{calls:?}"
        );
        let calls = record("[FEN \"4k3/8/8/8/8/8/8/4K2R w K e6 0 1\"]\n1. O-O *");
        assert_eq!(calls, ["FEN=4k3/8/8/8/8/8/8/4K2R w K e6 0 1 <white> O-O move 1"]);
    }

    #[test]
    fn games_of_other_variants_are_not_replayed() {
        let text = "[FEN \"8/8 w - -\"]\n[Variant \"Atomic\"]\n1. e4 *\n\n[Variant \"Chess960\"]\n1. e4 *";
        assert_eq!(
            record(text),
            [
                "FEN=8/8 w - - Variant=Atomic [invalid game, line 2, column 1: a game of the variant \"Atomic\" (expected chess or Chess960)] move 1",
                "Variant=Chess960 <white> e4 * move 1",
            ]
        );
    }

    #[test]
    fn syntax_errors_keep_their_kind() {
        struct Errors(Vec<ReplayError>);
        impl GameVisitor for Errors {
            type Output = ();
            fn play(&mut self, _: &Position, _: Move) -> Next {
                Next::Read
            }
            fn error(&mut self, error: ReplayError) -> Next {
                self.0.push(error);
                Next::Read
            }
            fn end_game(&mut self, _: &Position) {}
        }
        let mut replay = Replay::new(Errors(Vec::new()));
        let mut reader = PgnReader::new("1. e4 } Sf6".as_bytes());
        reader.read_game(&mut replay).unwrap();
        let errors = replay.into_inner().0;
        assert_eq!(errors[0].location, Some(Location { offset: 6, line: 1, column: 7 }));
        let kinds: Vec<_> = errors.iter().map(|error| &error.kind).collect();
        let [ReplayErrorKind::Pgn(brace, _), ReplayErrorKind::Pgn(mv, token)] = kinds[..] else {
            panic!("{kinds:?}")
        };
        assert_eq!(*brace, PgnErrorKind::UnexpectedClosingBrace);
        assert!(matches!(mv, PgnErrorKind::InvalidMove(_)) && token.as_str() == "Sf6");
    }
}
