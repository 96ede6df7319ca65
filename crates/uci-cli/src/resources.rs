//! What the engine gets from files: tablebases and books.

use anyhow::{Result, bail};
use std::env;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tabiya_book::Book;
use tabiya_core::Move;
use tabiya_movegen::Game;
use tabiya_search::{Engine, Limits, TablebaseOptions};
use tabiya_syzygy::Tablebases;

/// The most pieces of a tablebase.
pub(crate) const MAX_TABLE_PIECES: u64 = 7;
/// The deepest a book is asked, in moves, where nothing else is said.
pub(crate) const DEFAULT_BOOK_DEPTH: u64 = 255;

/// A change of what comes from files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Resource {
    /// Directories of Syzygy tablebases, separated as the system separates paths; nothing for none.
    SyzygyPath(String),
    SyzygyProbeDepth(u32),
    SyzygyProbeLimit(usize),
    Syzygy50MoveRule(bool),
    OwnBook(bool),
    /// A Polyglot book or one in text; nothing for the one that is built in.
    BookFile(String),
    /// For how many moves of a game the book is asked.
    BookDepth(u32),
}

/// What is loaded.
pub(crate) struct Resources {
    tablebases: TablebaseOptions,
    /// Problems with tables that have been told.
    told: usize,
    use_book: bool,
    book_depth: u32,
    /// Loaded when it is first asked for.
    book: Option<Book>,
    notices: Vec<String>,
}

impl Default for Resources {
    fn default() -> Resources {
        Resources {
            tablebases: TablebaseOptions::default(),
            told: 0,
            use_book: false,
            book_depth: DEFAULT_BOOK_DEPTH as u32,
            book: None,
            notices: Vec::new(),
        }
    }
}

impl Resources {
    /// Makes a change, which ends a search that is running where it is about tablebases.
    ///
    /// # Errors
    /// If a file or directory is not what it ought to be; what was loaded before is kept.
    pub(crate) fn apply(&mut self, resource: Resource, engine: &mut Engine) -> Result<()> {
        match resource {
            Resource::SyzygyPath(path) => self.open_tables(&path)?,
            Resource::SyzygyProbeDepth(depth) => self.tablebases.probe_depth = depth,
            Resource::SyzygyProbeLimit(pieces) => self.tablebases.probe_limit = pieces,
            Resource::Syzygy50MoveRule(on) => self.tablebases.fifty_move_rule = on,
            Resource::OwnBook(on) => {
                self.use_book = on;
                return Ok(());
            }
            Resource::BookFile(file) => return self.open_book(&file),
            Resource::BookDepth(moves) => {
                self.book_depth = moves;
                return Ok(());
            }
        }
        engine.set_tablebases(self.tablebases.clone());
        Ok(())
    }

    fn open_tables(&mut self, path: &str) -> Result<()> {
        if path.is_empty() {
            self.tablebases.tables = None;
            return Ok(());
        }
        let directories: Vec<PathBuf> =
            env::split_paths(path).filter(|path| !path.as_os_str().is_empty()).collect();
        let tables = Tablebases::open(&directories)?;
        let (outcomes, distances) = tables.count();
        let pieces = tables.max_pieces();
        self.notices.push(format!(
            "found tablebases of up to {pieces} pieces: {outcomes} of outcomes, {distances} of distances"
        ));
        self.tablebases.tables = Some(Arc::new(tables));
        self.told = 0;
        Ok(())
    }

    fn open_book(&mut self, file: &str) -> Result<()> {
        if file.is_empty() {
            self.book = None;
            return Ok(());
        }
        let book = Book::open(Path::new(file))?;
        if book.is_empty() {
            bail!("the book {file} is empty");
        }
        self.notices.push(format!("the book {file} has {} replies", book.len()));
        self.book = Some(book);
        Ok(())
    }

    /// What there is to tell since it was asked last: what has been loaded, and which tables turned out to
    /// be damaged.
    pub(crate) fn notices(&mut self) -> Vec<String> {
        let mut notices = std::mem::take(&mut self.notices);
        if let Some(tables) = &self.tablebases.tables {
            let problems = tables.problems();
            notices.extend(problems.iter().skip(self.told).map(ToString::to_string));
            self.told = problems.len();
        }
        notices
    }

    /// A move from the book for the current position of a game, if the book is to be used and what is
    /// asked for is a move to play.
    pub(crate) fn book_move(&mut self, game: &Game, limits: &Limits) -> Option<Move> {
        let plays = !limits.infinite
            && !limits.ponder
            && limits.mate.is_none()
            && limits.search_moves.is_empty()
            && limits.multipv <= 1;
        if !plays || u32::from(game.position().fullmove_number()) > self.book_depth {
            return None;
        }
        self.book()?.choose(game.position(), RandomState::new().hash_one(game.position().key()))
    }

    /// The book, if it is to be used.
    pub(crate) fn book(&mut self) -> Option<&Book> {
        self.use_book.then(|| &*self.book.get_or_insert_with(Book::main_lines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_search::Options;

    fn data(name: &str) -> String {
        format!("{}/../../tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
    }

    #[test]
    fn books_are_asked_for_moves_to_play_only() {
        let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() }).unwrap();
        let mut resources = Resources::default();
        let game = Game::new();
        assert_eq!(resources.book_move(&game, &Limits::depth(1)), None, "off by default");
        resources.apply(Resource::OwnBook(true), &mut engine).unwrap();
        assert!(resources.book_move(&game, &Limits::depth(1)).is_some());
        for limits in [
            Limits::infinite(),
            Limits { ponder: true, ..Limits::default() },
            Limits { mate: Some(3), ..Limits::default() },
            Limits { multipv: 3, ..Limits::default() },
        ] {
            assert_eq!(resources.book_move(&game, &limits), None, "{limits:?}");
        }
        resources.apply(Resource::BookDepth(0), &mut engine).unwrap();
        assert_eq!(resources.book_move(&game, &Limits::depth(1)), None);
    }

    #[test]
    fn a_book_file_takes_the_place_of_our_own() {
        let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() }).unwrap();
        let mut resources = Resources::default();
        resources.apply(Resource::OwnBook(true), &mut engine).unwrap();
        resources.apply(Resource::BookFile(data("polyglot/lasker-trap.bin")), &mut engine).unwrap();
        assert!(resources.notices()[0].ends_with("lasker-trap.bin has 7 replies"));
        assert_eq!(resources.book_move(&Game::new(), &Limits::depth(1)), None, "it has Black's moves only");
        let mut game = Game::new();
        game.play_san("d4").unwrap();
        let mv = resources.book_move(&game, &Limits::depth(1)).unwrap();
        assert_eq!(game.position().san(mv).to_string(), "d5");
        let error = resources.apply(Resource::BookFile("/nowhere.bin".to_owned()), &mut engine).unwrap_err();
        assert!(error.to_string().contains("/nowhere.bin cannot be read"), "{error}");
        assert!(resources.book_move(&game, &Limits::depth(1)).is_some(), "the old one is kept");
        resources.apply(Resource::BookFile(String::new()), &mut engine).unwrap();
        assert!(resources.book_move(&Game::new(), &Limits::depth(1)).is_some());
    }

    #[test]
    fn tables_are_counted_and_problems_told_once() {
        let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() }).unwrap();
        let mut resources = Resources::default();
        resources.apply(Resource::SyzygyPath(data("syzygy")), &mut engine).unwrap();
        assert_eq!(
            resources.notices(),
            ["found tablebases of up to 4 pieces: 19 of outcomes, 17 of distances"]
        );
        assert!(resources.notices().is_empty());
        let error = resources.apply(Resource::SyzygyPath("/nowhere".to_owned()), &mut engine).unwrap_err();
        assert!(error.to_string().contains("/nowhere cannot be read"), "{error}");
        assert!(engine.options().tablebases.tables.is_some(), "the old ones are kept");
        resources.apply(Resource::SyzygyPath(String::new()), &mut engine).unwrap();
        assert!(engine.options().tablebases.tables.is_none());
    }
}
