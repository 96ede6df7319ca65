//! The set of tables found in some directories.

use crate::error::{TableFault, TableProblem, TablebaseError};
use crate::layout::{self, Kind};
use crate::material::Material;
use crate::source::Source;
use crate::table::{ProbeFailure, Table};
use crate::wdl::Wdl;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tabiya_core::Color;
use tabiya_movegen::Position;

/// A set of tables, shared by any number of threads.
#[derive(Debug)]
pub struct Tablebases {
    /// Keyed by material with the stronger side first, as in the file names.
    tables: HashMap<Material, Pair>,
    max_pieces: usize,
    problems: Mutex<Vec<TableProblem>>,
}

/// The two files of one material.
#[derive(Debug, Default)]
struct Pair {
    wdl: Option<Table>,
    dtz: Option<Table>,
}

impl Tablebases {
    /// Finds the tables in the given directories. If several directories hold the same table, the first one wins.
    ///
    /// # Errors
    /// If no directory holds a usable WDL table. Directories that cannot be read and unusable files are errors only then;
    /// otherwise [`Tablebases::problems`] lists them.
    pub fn open<P: AsRef<Path>>(directories: &[P]) -> Result<Tablebases, TablebaseError> {
        let mut tables = Tablebases { tables: HashMap::new(), max_pieces: 0, problems: Mutex::default() };
        let mut problems = Vec::new();
        for directory in directories {
            let path = directory.as_ref();
            match files(path) {
                Ok(files) => files.into_iter().for_each(|file| tables.add(file, &mut problems)),
                Err(error) => {
                    let fault = TableFault::Directory(error.to_string());
                    problems.push(TableProblem { path: path.to_owned(), fault });
                }
            }
        }
        tables.max_pieces = tables
            .tables
            .iter()
            .filter(|(_, pair)| pair.wdl.is_some())
            .map(|(key, _)| key.pieces())
            .max()
            .unwrap_or(0);
        match (tables.max_pieces, problems.is_empty()) {
            (0, true) => {
                let paths = directories.iter().map(|path| path.as_ref().to_owned()).collect();
                Err(TablebaseError::Empty { paths })
            }
            (0, false) => Err(TablebaseError::Unusable(problems)),
            _ => {
                tables.problems = Mutex::new(problems);
                Ok(tables)
            }
        }
    }

    /// Adds a file if its name is that of a table.
    fn add(&mut self, path: PathBuf, problems: &mut Vec<TableProblem>) {
        let kind = [Kind::Wdl, Kind::Dtz]
            .into_iter()
            .find(|kind| path.extension().is_some_and(|extension| extension == kind.extension()));
        let material = path.file_stem().and_then(|stem| stem.to_str()).and_then(Material::parse);
        let (Some(kind), Some(material)) = (kind, material) else { return };
        let checked = Source::peek(&path).map_err(TableFault::from);
        if let Err(fault) = checked.and_then(|(length, first)| layout::check_ends(kind, length, first)) {
            problems.push(TableProblem { path, fault });
            return;
        }
        let pair = match self.tables.entry(material) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(Pair::default()),
        };
        let slot = match kind {
            Kind::Wdl => &mut pair.wdl,
            Kind::Dtz => &mut pair.dtz,
        };
        if slot.is_none() {
            *slot = Some(Table::new(path, kind, material));
        }
    }

    /// Returns the number of WDL files and the number of DTZ files.
    pub fn count(&self) -> (usize, usize) {
        let wdl = self.tables.values().filter(|pair| pair.wdl.is_some()).count();
        (wdl, self.tables.values().filter(|pair| pair.dtz.is_some()).count())
    }

    /// Returns the largest number of pieces, kings included, that a WDL table of the set covers.
    pub fn max_pieces(&self) -> usize {
        self.max_pieces
    }

    /// Returns the unusable directories and files: those rejected on opening, then those that a probe found damaged or
    /// unreadable. An unreadable file is tried again and may be in use later.
    pub fn problems(&self) -> Vec<TableProblem> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the result of a position.
    ///
    /// `None` if a table is missing, if either side can still castle (the tables exclude castling), or if the half-move clock is
    /// not 0 (WDL values are only valid for a clock of 0).
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        if position.halfmove_clock() != 0 || !self.covers(position) {
            return None;
        }
        self.wdl(position).map(|probe| Wdl::from_score(probe.score))
    }

    /// Returns the distance to the next capture or pawn move of the best line, in plies.
    ///
    /// Positive if the side to move wins, negative if it loses (-1 if it is mated), 0 for a draw. Beyond 100 in magnitude if the fifty-move rule
    /// makes it a draw. Tables that count in moves can make the value one ply too small. The position's half-move clock is ignored.
    /// `None` if a table is missing or either side can still castle.
    pub fn probe_dtz(&self, position: &Position) -> Option<i32> {
        if self.covers(position) { self.dtz(position) } else { None }
    }

    /// Returns the result of a position with its half-move clock.
    ///
    /// DTZ tells whether the fifty-move rule interferes. `None` if a table is missing, if either side can still castle, or if the win
    /// takes exactly as long as the rule allows: tables that count in moves can make the value one ply too small.
    pub fn probe_result(&self, position: &Position) -> Option<Wdl> {
        if let Some(wdl) = self.probe_wdl(position) {
            return Some(wdl);
        }
        let dtz = self.probe_dtz(position)?;
        // A mated position has DTZ -1, and the clock cannot save it.
        if dtz == -1 && position.is_checkmate() {
            return Some(Wdl::Loss);
        }
        let plies = dtz.unsigned_abs() + u32::from(position.halfmove_clock());
        match (dtz, plies) {
            (0, _) => Some(Wdl::Draw),
            (1.., ..100) => Some(Wdl::Win),
            (_, ..100) => Some(Wdl::Loss),
            (_, 100) => None,
            (1.., _) => Some(Wdl::CursedWin),
            _ => Some(Wdl::BlessedLoss),
        }
    }

    /// Returns the materials of the tables, in no particular order.
    #[cfg(test)]
    pub(super) fn materials(&self) -> impl Iterator<Item = &Material> {
        self.tables.keys()
    }

    /// Returns true if the position has few enough pieces and no castling rights.
    pub(super) fn covers(&self, position: &Position) -> bool {
        position.occupied().count() as usize <= self.max_pieces
            && !Color::ALL.into_iter().any(|color| position.castling().any(color))
    }

    /// Runs `probe` on the position's table, with the colour that plays the first side of the table's name. Records a
    /// damaged file once.
    pub(super) fn probe_table<T>(
        &self,
        position: &Position,
        kind: Kind,
        probe: impl FnOnce(&Table, Color) -> Result<T, ProbeFailure>,
    ) -> Result<T, ProbeFailure> {
        let material = Material::of(position);
        let pair = (self.tables.get(&material).map(|pair| (pair, Color::White)))
            .or_else(|| self.tables.get(&material.swapped()).map(|pair| (pair, Color::Black)));
        let table = pair.and_then(|(pair, first)| {
            let table = match kind {
                Kind::Wdl => pair.wdl.as_ref(),
                Kind::Dtz => pair.dtz.as_ref(),
            };
            table.map(|table| (table, first))
        });
        let Some((table, first)) = table else { return Err(ProbeFailure::Unavailable) };
        let result = probe(table, first);
        if let Err(ProbeFailure::Fault(fault)) = &result {
            let problem = TableProblem { path: table.path.clone(), fault: fault.clone() };
            #[cfg(feature = "tracing")]
            tracing::warn!("{problem}");
            self.problems.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
        }
        result
    }
}

/// The files of a directory, sorted: the order of `read_dir` is unspecified, and reports must be stable.
fn files(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = directory.read_dir()?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    files.sort_unstable();
    Ok(files)
}
