//! The openings of a match: books in EPD or PGN, and their order.

mod pgn;

use super::fingerprint::fingerprint;
use crate::random;
use anyhow::{Context, Result, bail};
use rand::seq::SliceRandom;
use std::path::Path;
use tabiya_core::Move;
use tabiya_movegen::{Game, Position};

/// The book that is used where none is named; see crates/lab/data/README.md.
const BUILTIN: &str = include_str!("../../data/noob_3moves.epd");

/// How many bad lines of a book a message shows.
const SHOWN_ERRORS: usize = 5;

/// Where a game starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Opening {
    /// The position before [`Opening::moves`], as FEN; checked when the book was read.
    fen: Box<str>,
    /// Moves that are played before the engines think.
    moves: Box<[Move]>,
}

impl Opening {
    /// The game after the opening's moves.
    ///
    /// # Errors
    /// None, for an opening out of a [`Book`].
    pub(crate) fn game(&self) -> Result<Game> {
        let start = Position::from_fen(&self.fen).with_context(|| format!("opening {:?}", self.fen))?;
        let mut game = Game::from_position(start);
        for &mv in &self.moves {
            game.play(mv).with_context(|| format!("opening {:?}", self.fen))?;
        }
        Ok(game)
    }
}

/// A set of openings.
pub(crate) struct Book {
    /// The file, or `builtin`.
    pub(crate) name: String,
    /// Tells whether it is the same book as another time.
    pub(crate) fingerprint: u64,
    /// Is there a position that only Chess960 can start from?
    pub(crate) chess960: bool,
    openings: Vec<Opening>,
}

impl Book {
    /// The book that is built in.
    ///
    /// # Errors
    /// None, as long as a test reads it.
    pub(crate) fn builtin() -> Result<Book> {
        Book::from_epd("builtin", BUILTIN)
    }

    /// Reads a file: PGN where its name ends in `.pgn`, else EPD or FEN, one position a line. Of a PGN
    /// game at most `plies` half-moves are taken.
    ///
    /// # Errors
    /// When the file cannot be read, is empty, or holds something that is not a legal opening; the
    /// message names the lines.
    pub(crate) fn read(path: &Path, plies: usize) -> Result<Book> {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).with_context(|| format!("cannot read the book {name}"))?;
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn")) {
            let (openings, errors) = pgn::read(&bytes, plies)?;
            return Book::checked(&name, fingerprint(&bytes), openings, errors);
        }
        let text = String::from_utf8(bytes)
            .map_err(|error| error.utf8_error())
            .with_context(|| format!("the book {name} is not text"))?;
        Book::from_epd(&name, &text)
    }

    /// Reads a text with one EPD or FEN a line.
    ///
    /// # Errors
    /// As [`Book::read`].
    pub(crate) fn from_epd(name: &str, text: &str) -> Result<Book> {
        let mut openings = Vec::new();
        let mut errors = Vec::new();
        for (number, line) in (1_u64..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match epd_opening(line) {
                Ok(opening) => openings.push(opening),
                Err(error) => errors.push(format!("line {number}: {error}: {line:?}")),
            }
        }
        Book::checked(name, fingerprint(text.as_bytes()), openings, errors)
    }

    fn checked(
        name: &str,
        fingerprint: u64,
        openings: Vec<Opening>,
        mut errors: Vec<String>,
    ) -> Result<Book> {
        if !errors.is_empty() {
            let count = errors.len();
            errors.truncate(SHOWN_ERRORS);
            if count > SHOWN_ERRORS {
                errors.push(format!("and {} more", count - SHOWN_ERRORS));
            }
            bail!("the book {name} is not usable:\n    {}", errors.join("\n    "));
        }
        if openings.is_empty() {
            bail!("the book {name} holds no opening");
        }
        let mut chess960 = false;
        for opening in &openings {
            chess960 |= !opening.game()?.start().has_standard_castling();
        }
        Ok(Book { name: name.to_owned(), fingerprint, chess960, openings })
    }

    /// How many openings there are.
    pub(crate) fn len(&self) -> usize {
        self.openings.len()
    }

    /// Puts the openings into a random order, the same for the same seed.
    pub(crate) fn shuffle(&mut self, seed: u64) {
        self.openings.shuffle(&mut random::seeded(seed));
    }

    /// The opening with this number; after the last one the first comes again.
    pub(crate) fn opening(&self, number: u64) -> &Opening {
        &self.openings[(number % self.openings.len() as u64) as usize]
    }
}

/// The four fields of an EPD and, where they are numbers, the counters of a FEN.
fn epd_opening(line: &str) -> Result<Opening, String> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let is_number = |index: usize| fields.get(index).is_some_and(|field| field.parse::<u16>().is_ok());
    let used = if is_number(4) && is_number(5) { 6 } else { 4 };
    let position =
        Position::from_fen(&fields[..fields.len().min(used)].join(" ")).map_err(|error| error.to_string())?;
    opening(Game::from_position(position))
}

/// An opening after which there is a game to play.
fn opening(game: Game) -> Result<Opening, String> {
    if let Some(outcome) = game.outcome() {
        return Err(format!("the game is over before it begins: {outcome}"));
    }
    if let Some(reason) = game.claimable_draw() {
        return Err(format!("the game is a draw before it begins: {reason}"));
    }
    Ok(Opening { fen: game.start().to_string().into(), moves: game.moves().into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Book::from_epd("test.epd", text).err().unwrap().to_string()
    }

    #[test]
    fn the_builtin_book_is_good() {
        let book = Book::builtin().unwrap();
        assert_eq!(book.len(), 2000);
        assert!(!book.chess960);
        assert!(book.openings.iter().all(|opening| opening.moves.is_empty()));
    }

    #[test]
    fn epd_fen_and_comments_are_read() {
        let text = "\u{feff}# a comment\r\n\
                    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\r\n\r\n\
                    4k3/8/8/8/8/8/8/4K2R w K - 3 17\n\
                    4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x\";\n";
        let book = Book::from_epd("test.epd", text).unwrap();
        assert_eq!(book.len(), 3);
        assert_eq!(&*book.openings[1].fen, "4k3/8/8/8/8/8/8/4K2R w K - 3 17");
        assert_eq!(&*book.openings[2].fen, "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert!(!book.chess960);
        let book = Book::from_epd("test.epd", "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1");
        assert!(book.unwrap().chess960);
    }

    #[test]
    fn bad_books_are_explained() {
        let illegal = error("4k3/8/8/8/8/8/8/4K2R w K -\n4k3/8/8/8/8/8/4R3/4K3 w - -\nnonsense\n");
        assert!(illegal.contains("the book test.epd is not usable"), "{illegal}");
        assert!(illegal.contains("line 2: illegal position"), "{illegal}");
        assert!(illegal.contains("line 3: invalid FEN"), "{illegal}");
        assert!(error("\n# nothing\n").contains("holds no opening"));
        assert!(error("4k3/8/8/8/8/8/8/4K3 w - -").contains("the game is over before it begins"));
        assert!(error("4k3/8/8/8/8/8/8/4K2R w K - 100 90").contains("draw before it begins"));
        assert!(error(&"x\n".repeat(20)).contains("and 15 more"));
        let missing = Book::read(Path::new("no/such.epd"), 16).err().unwrap();
        assert!(format!("{missing:#}").contains("cannot read the book no/such.epd"));
    }

    #[test]
    fn the_order_depends_on_the_seed_alone() {
        let order = |seed| {
            let mut book = Book::builtin().unwrap();
            book.shuffle(seed);
            (0..5).map(|number| book.opening(number).fen.clone()).collect::<Vec<_>>()
        };
        assert_eq!(order(7), order(7));
        assert_ne!(order(7), order(8));
        let book = Book::builtin().unwrap();
        assert_eq!(book.opening(0), book.opening(2000));
        assert_eq!(book.opening(3).game().unwrap().start().to_string(), &*book.opening(3).fen);
    }
}
