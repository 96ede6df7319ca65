//! Opening books in EPD or PGN, and their order.

mod packed;
mod pgn;

use crate::random;
use anyhow::{Context, Result, bail};
use rand::seq::SliceRandom;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use tabiya_core::{Epd, EpdError, Move, PackedBoard, SplitMix64};
use tabiya_files::input;
use tabiya_movegen::{Game, Position};
use tabiya_workspace::fingerprint::fingerprint;

/// The built-in books; see crates/lab-common/data/README.md.
const BALANCED_BOOK: &[u8] = include_bytes!("../data/balanced.book");
const UNBALANCED_BOOK: &[u8] = include_bytes!("../data/unbalanced.book");

/// Names of built-in books and sets of start positions.
const BALANCED: &str = "balanced";
const UNBALANCED: &str = "unbalanced";
const CHESS960: &str = "chess960";
const DOUBLE_CHESS960: &str = "double-chess960";

/// Returns a built-in book.
type Load = fn() -> Result<Book>;

/// The built-in books and sets of start positions, by the names that stand for them instead of a file. A new one needs an entry here
/// and nothing else.
const BUILTIN: [(&str, Load); 4] = [
    (BALANCED, Book::default_book),
    (UNBALANCED, || Book::builtin(UNBALANCED, UNBALANCED_BOOK)),
    (CHESS960, Book::chess960),
    (DOUBLE_CHESS960, Book::double_chess960),
];

/// Number of double Chess960 positions.
const DOUBLE_CHESS960_SIZE: usize = 50_000;

/// The size limit of a book, in bytes: 1 GiB.
const MAX_BOOK: u64 = 1 << 30;

/// Number of malformed lines that an error message lists.
const SHOWN_ERRORS: usize = 5;

/// The start of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Start position, validated when the book was loaded.
    start: PackedBoard,
    /// Halfmove clock and fullmove number of the start position.
    counters: (u16, u16),
    /// Opening moves.
    moves: Box<[Move]>,
}

impl Opening {
    /// Returns the moves of a game as an opening.
    ///
    /// # Errors
    /// A message if the game is over.
    pub fn new(game: Game) -> Result<Opening, String> {
        if let Some(outcome) = game.outcome() {
            return Err(format!("the game is over after the opening: {outcome}"));
        }
        if let Some(reason) = game.claimable_draw() {
            return Err(format!("the game is drawn after the opening: {reason}"));
        }
        let start = game.start();
        let counters = (start.halfmove_clock(), start.fullmove_number());
        Ok(Opening { start: start.pack(), counters, moves: game.moves().into() })
    }

    /// Returns the position before the opening moves.
    fn start(&self) -> Result<Position> {
        let mut builder = self.start.to_builder()?;
        (builder.halfmove_clock, builder.fullmove_number) = self.counters;
        Ok(Position::from_builder(&builder)?)
    }

    /// Returns the game after the opening moves.
    ///
    /// # Errors
    /// Never for an opening of a [`Book`].
    pub fn game(&self) -> Result<Game> {
        let mut game = Game::from_position(self.start()?);
        for &mv in &self.moves {
            game.play(mv)?;
        }
        Ok(game)
    }
}

/// A set of openings.
pub struct Book {
    /// File name, or the name of a built-in book.
    pub name: String,
    /// Fingerprint of the file.
    pub fingerprint: u64,
    /// True if some position can only arise in Chess960.
    pub chess960: bool,
    openings: Vec<Opening>,
}

impl Book {
    /// Returns the book that is used if none is chosen: `balanced`.
    ///
    /// # Errors
    /// Never: a test loads it.
    pub fn default_book() -> Result<Book> {
        Book::builtin(BALANCED, BALANCED_BOOK)
    }

    /// Returns true if a built-in book has this name.
    pub fn is_name(path: &Path) -> bool {
        BUILTIN.iter().any(|(name, _)| path.as_os_str() == *name)
    }

    /// Returns the built-in book of this name, or [reads](Book::read) the file.
    ///
    /// # Errors
    /// As [`Book::read`].
    pub fn open(path: &Path, plies: usize) -> Result<Book> {
        match BUILTIN.iter().find(|(name, _)| path.as_os_str() == *name) {
            Some((_, load)) => load(),
            None => Book::read(path, plies),
        }
    }

    /// Returns the start positions of Chess960, in the order of their numbers.
    ///
    /// # Errors
    /// Never: a test loads it.
    pub fn chess960() -> Result<Book> {
        Book::from_positions(CHESS960, (0..960).map_while(Position::chess960))
    }

    /// Returns 50,000 different start positions of double Chess960 (DFRC), always the same.
    ///
    /// # Errors
    /// Never: a test loads it.
    pub fn double_chess960() -> Result<Book> {
        let mut random = SplitMix64::new(960);
        let mut numbers = BTreeSet::new();
        while numbers.len() < DOUBLE_CHESS960_SIZE {
            numbers.insert([random.below(960) as u16, random.below(960) as u16]);
        }
        let positions =
            numbers.into_iter().map_while(|[white, black]| Position::double_chess960(white, black));
        Book::from_positions(DOUBLE_CHESS960, positions)
    }

    /// A set of start positions, whose fingerprint is that of their FENs.
    fn from_positions(name: &str, positions: impl Iterator<Item = Position>) -> Result<Book> {
        let mut fens = Vec::new();
        let positions = positions.inspect(|position| fens.push(position.to_string()));
        let (openings, errors) = openings(positions.map(Game::from_position));
        let fingerprint = fingerprint(fens.join("\n").as_bytes());
        Book::checked(name, fingerprint, openings, errors)
    }

    /// Reads a book: packed by `cargo xtask book`, PGN if the name ends in `.pgn`, otherwise one EPD or FEN per line. Of a
    /// PGN game at most `plies` plies are taken.
    ///
    /// # Errors
    /// If the file cannot be read, is empty or contains an illegal opening; the message names the lines.
    pub fn read(path: &Path, plies: usize) -> Result<Book> {
        let name = path.display().to_string();
        let bytes = input::read(path, MAX_BOOK).with_context(|| format!("cannot read the book {name}"))?;
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn")) {
            let (openings, errors) = pgn::read(&bytes, plies)?;
            return Book::checked(&name, fingerprint(&bytes), openings, errors);
        }
        if let Some(games) = Book::unpack(&name, &bytes)? {
            let (openings, errors) = openings(games.into_iter());
            return Book::checked(&name, fingerprint(&bytes), openings, errors);
        }
        let text = String::from_utf8(bytes)
            .map_err(|error| error.utf8_error())
            .with_context(|| format!("the book {name} is not UTF-8"))?;
        Book::from_epd(&name, &text)
    }

    /// Returns the openings of a packed book, or `None` if it is not one.
    fn unpack(name: &str, bytes: &[u8]) -> Result<Option<Vec<Game>>> {
        packed::unpack(bytes).with_context(|| format!("cannot unpack the book {name}"))
    }

    fn builtin(name: &str, bytes: &[u8]) -> Result<Book> {
        let games = Book::unpack(name, bytes)?.unwrap_or_default();
        let (openings, errors) = openings(games.into_iter());
        Book::checked(name, fingerprint(bytes), openings, errors)
    }

    /// Returns the contents of a packed book.
    ///
    /// # Errors
    /// If the openings are too large: several million positions.
    pub fn packed(openings: &[Opening]) -> Result<Vec<u8>> {
        packed::pack(openings)
    }

    /// Parses one EPD or FEN per line.
    ///
    /// # Errors
    /// As [`Book::read`].
    pub fn from_epd(name: &str, text: &str) -> Result<Book> {
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
            bail!("the book {name} has no openings");
        }
        let mut chess960 = false;
        for opening in &openings {
            chess960 |= !opening.start()?.has_standard_castling();
        }
        Ok(Book { name: name.to_owned(), fingerprint, chess960, openings })
    }

    /// Number of openings.
    #[expect(clippy::len_without_is_empty, reason = "a book has at least one opening")]
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// Removes the openings that lead to the same position as earlier ones, and returns their number. Positions differ in the
    /// halfmove clock, which draws depend on, but not in the number of the move.
    ///
    /// # Errors
    /// Never for an opening of a book.
    pub fn remove_repeats(&mut self) -> Result<usize> {
        let all = self.openings.len();
        let mut seen = HashSet::new();
        for opening in std::mem::take(&mut self.openings) {
            let game = opening.game()?;
            let board = game.position().board();
            if seen.insert((board.pack(), board.halfmove_clock())) {
                self.openings.push(opening);
            }
        }
        Ok(all - self.openings.len())
    }

    /// Shuffles the openings; the order depends on the seed only.
    pub fn shuffle(&mut self, seed: u64) {
        self.openings.shuffle(&mut random::seeded(seed));
    }

    /// Returns an opening by number, starting over after the last.
    pub fn opening(&self, number: u64) -> &Opening {
        &self.openings[(number % self.openings.len() as u64) as usize]
    }
}

/// Parses an EPD or a FEN. Of the text after the position, which may be no operations at all, only the counters count.
fn epd_opening(line: &str) -> Result<Opening, String> {
    let (fen, rest) = Epd::split(line);
    let position = if rest.contains("hmvc") || rest.contains("fmvn") {
        let epd: Epd = line.parse().map_err(|error: EpdError| error.to_string())?;
        Position::new(epd.board).map_err(|error| error.to_string())?
    } else {
        Position::from_fen(fen).map_err(|error| error.to_string())?
    };
    Opening::new(Game::from_position(position))
}

/// Returns the openings, and an error for each game that is over.
fn openings(games: impl Iterator<Item = Game>) -> (Vec<Opening>, Vec<String>) {
    let (mut openings, mut errors) = (Vec::new(), Vec::new());
    for (number, game) in (1_u64..).zip(games) {
        match Opening::new(game) {
            Ok(opening) => openings.push(opening),
            Err(error) => errors.push(format!("opening {number}: {error}")),
        }
    }
    (openings, errors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::Key;

    fn error(text: &str) -> String {
        Book::from_epd("test.epd", text).err().unwrap().to_string()
    }

    /// The start position of an opening as FEN.
    fn start(opening: &Opening) -> String {
        opening.game().unwrap().start().to_string()
    }

    /// The positions in which the games of a book begin.
    fn keys(book: &Book) -> Vec<Key> {
        book.openings.iter().map(|opening| opening.game().unwrap().position().board().key()).collect()
    }

    #[test]
    fn builtin_books_are_valid() {
        for (name, size) in [(BALANCED, 32_000), (UNBALANCED, 20_000)] {
            let book = Book::open(Path::new(name), 0).unwrap();
            assert!(book.name == name && !book.chess960 && book.len() == size, "{name}: {}", book.len());
            assert_eq!(keys(&book).into_iter().collect::<BTreeSet<_>>().len(), book.len(), "{name}");
            let white = book.openings.iter().filter(|opening| opening.moves.len() % 2 == 0).count();
            let share = white as f64 / book.len() as f64;
            assert!((0.25..0.75).contains(&share), "{name}: White is to move in {share} of the openings");
        }
        assert_eq!(Book::default_book().unwrap().name, BALANCED);
    }

    #[test]
    fn parses_epd_fen_and_comments() {
        let text = "\u{feff}# a comment\r\n\
                    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\r\n\r\n\
                    4k3/8/8/8/8/8/8/4K2R w K - 3 17\n\
                    4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x\";\n\
                    4k3/8/8/8/8/8/8/4K2R w K - hmvc 37; fmvn 60;\n\
                    4k3/8/8/8/8/8/8/4K2R w K - [0.5] 12\n";
        let book = Book::from_epd("test.epd", text).unwrap();
        assert_eq!(book.len(), 5);
        assert_eq!(start(&book.openings[3]), "4k3/8/8/8/8/8/8/4K2R w K - 37 60");
        assert_eq!(start(&book.openings[4]), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(start(&book.openings[1]), "4k3/8/8/8/8/8/8/4K2R w K - 3 17");
        assert_eq!(start(&book.openings[2]), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert!(!book.chess960);
        let book = Book::from_epd("test.epd", "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1");
        assert!(book.unwrap().chess960);
    }

    #[test]
    fn repeats_are_found_by_the_position_after_the_opening() {
        let moves =
            "1. e4 e5 2. Nf3 *\n\n1. Nf3 e5 2. e4 *\n\n1. Nf3 Nc6 2. e4 e5 *\n\n1. e4 e5 2. Nf3 Nc6 *\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.pgn");
        std::fs::write(&path, moves).unwrap();
        let mut book = Book::read(&path, 16).unwrap();
        // The second differs in the halfmove clock.
        assert_eq!((book.remove_repeats().unwrap(), book.len()), (0, 4));
        let mut book = Book::read(&path, 3).unwrap();
        assert_eq!((book.remove_repeats().unwrap(), book.len()), (1, 3));
        let text = "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n4k3/8/8/8/8/8/8/4K2R w K -\n4k3/8/8/8/8/8/8/4K2R w K - 9 1\n\
                    4k3/8/8/8/8/8/8/4K2R w K - 0 30\n4k3/8/8/8/8/8/8/4K2R w - - 0 1\n";
        let mut book = Book::from_epd("test.epd", text).unwrap();
        assert_eq!((book.remove_repeats().unwrap(), book.len()), (2, 3));
        assert_eq!(start(&book.openings[1]), "4k3/8/8/8/8/8/8/4K2R w K - 9 1");
    }

    #[test]
    fn book_errors_name_the_lines() {
        let illegal = error("4k3/8/8/8/8/8/8/4K2R w K -\n4k3/8/8/8/8/8/4R3/4K3 w - -\nnonsense\n");
        assert!(illegal.contains("the book test.epd is not usable"), "{illegal}");
        assert!(illegal.contains("line 2: illegal position"), "{illegal}");
        assert!(illegal.contains("line 3: invalid FEN"), "{illegal}");
        assert!(error("\n# nothing\n").contains("has no openings"));
        assert!(error("4k3/8/8/8/8/8/8/4K3 w - -").contains("the game is over after the opening"));
        assert!(error("4k3/8/8/8/8/8/8/4K2R w K - 100 90").contains("drawn after the opening"));
        assert!(error("4k3/8/8/8/8/8/8/4K2R w K - fmvn x;").contains("fmvn needs a whole number"));
        assert!(error(&"x\n".repeat(20)).contains("and 15 more"));
        let missing = Book::read(Path::new("no/such.epd"), 16).err().unwrap();
        assert!(format!("{missing:#}").contains("cannot read the book no/such.epd"));
    }

    #[test]
    fn chess960_books_are_valid() {
        let book = Book::chess960().unwrap();
        assert!(book.chess960 && book.len() == 960);
        let book = Book::double_chess960().unwrap();
        assert!(book.chess960 && book.len() == DOUBLE_CHESS960_SIZE);
        let again = Book::double_chess960().unwrap();
        assert_eq!(book.fingerprint, again.fingerprint);
    }

    #[test]
    fn packed_book_is_read_like_text() {
        let text =
            "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq -\n4k3/8/8/8/8/8/8/4K2R b K -\n";
        let book = Book::from_epd("test.epd", text).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.book");
        let bytes = Book::packed(&book.openings).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(keys(&Book::read(&path, 0).unwrap()), keys(&book));
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let error = format!("{:#}", Book::read(&path, 0).err().unwrap());
        assert!(error.starts_with("cannot unpack the book ") && error.contains(": byte 8: "), "{error}");
    }

    #[test]
    fn packed_book_of_moves_keeps_them() {
        let (openings, _) = pgn::read(b"1. e4 e5 2. Nf3 *\n\n1. d4 *\n", 16).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.book");
        std::fs::write(&path, Book::packed(&openings).unwrap()).unwrap();
        let book = Book::read(&path, 1).unwrap();
        assert!(book.openings == openings && !book.chess960);
        std::fs::write(&path, &std::fs::read(&path).unwrap()[..12]).unwrap();
        let error = format!("{:#}", Book::read(&path, 0).err().unwrap());
        assert!(error.starts_with("cannot unpack the book ") && error.contains(": byte 8: "), "{error}");
    }

    #[test]
    fn order_depends_only_on_the_seed() {
        let order = |seed| {
            let mut book = Book::chess960().unwrap();
            book.shuffle(seed);
            (0..5).map(|number| start(book.opening(number))).collect::<Vec<_>>()
        };
        assert_eq!(order(7), order(7));
        assert_ne!(order(7), order(8));
        let book = Book::chess960().unwrap();
        assert_eq!(book.opening(0), book.opening(960));
        assert_eq!(start(book.opening(3)), Position::chess960(3).unwrap().to_string());
    }
}
