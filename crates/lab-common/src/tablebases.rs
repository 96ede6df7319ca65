//! Adjudication by Syzygy tablebases.

use super::referee::{Ending, Termination};
use anyhow::{Context, Result};
use std::fmt;
use std::path::{Path, PathBuf};
use tabiya_movegen::Position;
use tabiya_syzygy::{Tablebases, Wdl};

/// Ends games whose result the tablebases know.
pub struct TablebaseAdjudicator {
    tables: Tablebases,
}

impl TablebaseAdjudicator {
    /// Opens the tables in these folders; `None` without folders.
    ///
    /// # Errors
    /// If a folder cannot be read, or none has a usable table.
    pub fn open(folders: &[PathBuf]) -> Result<Option<TablebaseAdjudicator>> {
        if folders.is_empty() {
            return Ok(None);
        }
        let names: Vec<_> = folders.iter().map(|folder| Path::display(folder).to_string()).collect();
        let tables = Tablebases::open(folders).with_context(|| format!("--syzygy {}", names.join(", ")))?;
        Ok(Some(TablebaseAdjudicator { tables }))
    }

    /// Returns the ending of a position with its fifty-move rule, or `None` if the tables do not know it. They know only
    /// positions after a capture or pawn move and without castling rights. A table that has become unreadable
    /// is like a missing one.
    pub fn ending(&self, position: &Position) -> Option<Ending> {
        if position.board().occupied().count() as usize > self.tables.max_pieces() {
            return None;
        }
        let side = position.side_to_move();
        Some(match self.tables.probe_wdl(position)? {
            Wdl::Win => Ending::won(side, Termination::TablebaseAdjudication),
            Wdl::Loss => Ending::won(!side, Termination::TablebaseAdjudication),
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => {
                Ending::drawn(Termination::TablebaseAdjudication)
            }
        })
    }

    /// Messages about unusable tables.
    pub fn problems(&self) -> Vec<String> {
        self.tables.problems().iter().map(ToString::to_string).collect()
    }
}

/// Formats the numbers of tables and of pieces, as in `145 tables of up to 5 pieces`.
impl fmt::Display for TablebaseAdjudicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tables of up to {} pieces", self.tables.count().0, self.tables.max_pieces())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::Color;
    use tabiya_workspace::repository;

    fn tables() -> PathBuf {
        repository::root().join("tests/data/syzygy")
    }

    fn ending(adjudicator: &TablebaseAdjudicator, fen: &str) -> Option<Option<Color>> {
        let ending = adjudicator.ending(&Position::from_fen(fen).unwrap())?;
        assert_eq!(ending.reason, Termination::TablebaseAdjudication);
        Some(ending.winner)
    }

    #[test]
    fn known_positions_end_the_game() {
        let adjudicator = TablebaseAdjudicator::open(&[tables()]).unwrap().unwrap();
        for (fen, expected) in [
            ("8/8/8/4k3/8/8/8/K6Q w - - 0 1", Some(Some(Color::White))),
            ("8/8/8/4k3/8/8/8/K6Q b - - 0 1", Some(Some(Color::White))),
            ("8/8/8/4K3/8/8/8/k6q w - - 0 1", Some(Some(Color::Black))),
            ("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", Some(None)),
            // Not after a capture or pawn move.
            ("8/8/8/4k3/8/8/8/K6Q w - - 3 1", None),
            // Castling is still possible.
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
        ] {
            assert_eq!(ending(&adjudicator, fen), expected, "{fen}");
        }
    }

    #[test]
    fn tables_that_become_unreadable_are_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("KQvK.rtbw");
        std::fs::copy(tables().join("KQvK.rtbw"), &copy).unwrap();
        let adjudicator = TablebaseAdjudicator::open(&[folder.path().to_owned()]).unwrap().unwrap();
        assert!(adjudicator.problems().is_empty());
        std::fs::write(&copy, b"").unwrap();
        assert_eq!(ending(&adjudicator, "8/8/8/4k3/8/8/8/K6Q w - - 0 1"), None);
        assert!(!adjudicator.problems().is_empty());
    }

    #[test]
    fn missing_folder_is_named() {
        assert!(TablebaseAdjudicator::open(&[]).unwrap().is_none());
        let error = TablebaseAdjudicator::open(&["no/such".into()]).err().unwrap();
        assert!(format!("{error:#}").starts_with("--syzygy no/such: "), "{error:#}");
    }
}
