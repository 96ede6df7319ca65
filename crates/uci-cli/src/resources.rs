//! Tablebases and the opening book, loaded from files.

use anyhow::{Result, bail};
use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tabiya_book::Book;
use tabiya_search::{Engine, TablebaseOptions};
use tabiya_syzygy::Tablebases;

/// The loaded tablebases and book.
pub(crate) struct Resources {
    tablebases: TablebaseOptions,
    /// The number of tablebase problems that have been reported.
    reported_problems: usize,
    /// `None` until the built-in book is first used.
    book: Option<Book>,
    notices: Vec<String>,
}

impl Resources {
    pub(crate) fn new(tablebases: TablebaseOptions) -> Resources {
        Resources { tablebases, reported_problems: 0, book: None, notices: Vec::new() }
    }

    /// Changes the tablebase options and passes them to the engine, which ends a running search.
    pub(crate) fn set_tablebases(&mut self, engine: &mut Engine, change: impl FnOnce(&mut TablebaseOptions)) {
        change(&mut self.tablebases);
        engine.set_tablebases(self.tablebases.clone());
    }

    /// Opens the tablebases in the directories of `path`, separated as in `PATH`. An empty path closes them.
    ///
    /// # Errors
    /// If a directory cannot be read. The previous tablebases stay in use.
    pub(crate) fn open_tablebases(&mut self, path: &str, engine: &mut Engine) -> Result<()> {
        let mut tables = None;
        if !path.is_empty() {
            let directories: Vec<PathBuf> =
                env::split_paths(path).filter(|path| !path.as_os_str().is_empty()).collect();
            let opened = Tablebases::open(&directories)?;
            let (wdl, dtz) = opened.count();
            let pieces = opened.max_pieces();
            self.notices.push(format!("found tablebases of up to {pieces} pieces: {wdl} WDL, {dtz} DTZ"));
            self.reported_problems = 0;
            tables = Some(Arc::new(opened));
        }
        self.set_tablebases(engine, |options| options.tables = tables);
        Ok(())
    }

    /// Opens a book: Polyglot if its name ends with `.bin`, text otherwise. An empty name selects the
    /// built-in book.
    ///
    /// # Errors
    /// If the file cannot be read or has no moves. The previous book stays in use.
    pub(crate) fn open_book(&mut self, file: &str) -> Result<()> {
        if file.is_empty() {
            self.book = None;
            return Ok(());
        }
        let book = Book::open(Path::new(file))?;
        if book.is_empty() {
            bail!("the book {file} is empty");
        }
        self.notices.push(format!("the book {file} has {} moves", book.len()));
        self.book = Some(book);
        Ok(())
    }

    /// The opening book.
    pub(crate) fn book(&mut self) -> &Book {
        self.book.get_or_insert_with(Book::main_lines)
    }

    /// Messages since the last call: what was loaded, and which tablebase files turned out to be damaged.
    pub(crate) fn take_notices(&mut self) -> Vec<String> {
        let mut notices = std::mem::take(&mut self.notices);
        if let Some(tables) = &self.tablebases.tables {
            let problems = tables.problems();
            notices.extend(problems.iter().skip(self.reported_problems).map(ToString::to_string));
            self.reported_problems = problems.len();
        }
        notices
    }
}

/// The path of a file under `tests/data`.
#[cfg(test)]
pub(crate) fn test_data(name: &str) -> String {
    format!("{}/../../tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_search::Options;

    fn engine() -> Engine {
        Engine::new(Options { hash_mb: 1, ..Options::default() }).unwrap()
    }

    #[test]
    fn keeps_the_book_if_another_cannot_be_opened() {
        let mut resources = Resources::new(TablebaseOptions::default());
        resources.open_book(&test_data("polyglot/lasker-trap.bin")).unwrap();
        assert!(resources.take_notices()[0].ends_with("lasker-trap.bin has 7 moves"));
        let error = resources.open_book("/nowhere.bin").unwrap_err();
        assert!(error.to_string().contains("/nowhere.bin"), "{error}");
        assert_eq!(resources.book().len(), 7);
    }

    #[test]
    fn counts_tablebases_and_keeps_them_on_error() {
        let mut engine = engine();
        let mut resources = Resources::new(TablebaseOptions::default());
        resources.open_tablebases(&test_data("syzygy"), &mut engine).unwrap();
        assert_eq!(resources.take_notices(), ["found tablebases of up to 4 pieces: 19 WDL, 17 DTZ"]);
        assert!(resources.take_notices().is_empty());
        let error = resources.open_tablebases("/nowhere", &mut engine).unwrap_err();
        assert!(error.to_string().contains("/nowhere"), "{error}");
        assert!(engine.options().tablebases.tables.is_some());
        resources.open_tablebases("", &mut engine).unwrap();
        assert!(engine.options().tablebases.tables.is_none());
    }
}
