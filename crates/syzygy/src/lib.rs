//! Syzygy endgame tablebases: the outcome of every position with few pieces, known for certain.
//!
//! Tables come as pairs of files: `KRPvKR.rtbw` says who wins, `KRPvKR.rtbz` how many plies it takes to
//! the next capture or pawn move, which is what winning within the fifty-move rule needs. They are made by
//! Ronald de Man's generator and can be had, for up to seven pieces, from several places on the net.
//!
//! This reader is our own, in safe Rust. It was written from the format, for which Ronald de Man's
//! published prober and its descendant Fathom (MIT) are the reference. The one permissive crate there is,
//! a machine translation of Fathom's C, keeps its tables in globals (one set for the whole program),
//! follows pointers into the files unchecked and so crashes on a damaged one, and writes to the standard
//! output, which belongs to the protocol. Here a [`Tablebases`] is a value like any other: any number of
//! engines may share one or have their own, and a damaged file is named and left out.
//!
//! Nothing is read before it is needed, but for a look at the two ends of each file. Small files are kept
//! in memory then, large ones are read piece by piece; see `source`.
//!
//! ```no_run
//! use tabiya_movegen::Position;
//! use tabiya_syzygy::{Tablebases, Wdl};
//!
//! let tables = Tablebases::open(&["/data/syzygy/3-4-5"])?;
//! let position = Position::from_fen("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")?;
//! assert_eq!(tables.probe_wdl(&position), Some(Wdl::Draw));
//! for problem in tables.problems() {
//!     eprintln!("{problem}");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod encoding;
mod error;
mod layout;
mod material;
mod pairs;
mod probe;
mod root;
mod source;
mod table;
#[cfg(test)]
mod tests;

pub use error::{TableFault, TableProblem, TablebaseError};

pub use material::MAX_PIECES;

use layout::Kind;
use material::Material;
use source::Source;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tabiya_core::{Color, Move};
use tabiya_movegen::Position;
use table::{Refusal, Table};

/// The outcome of a position with best play on both sides, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// It loses.
    Loss,
    /// It would lose, but the fifty-move rule saves it.
    BlessedLoss,
    /// Nobody wins.
    Draw,
    /// It would win, but the fifty-move rule prevents it.
    CursedWin,
    /// It wins.
    Win,
}

/// Whether the fifty-move rule counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FiftyMoves {
    /// It does. `repeated` says that the game has come back to an earlier position since the last
    /// capture or pawn move: no time is to be lost then.
    Counted {
        /// Whether a position has come up again.
        repeated: bool,
    },
    /// It does not: a win is a win, however long it takes.
    Ignored,
}

/// A legal move of a position that is in the tables, and how good it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootRank {
    /// The move.
    pub mv: Move,
    /// What it leads to, for the side that makes it.
    pub wdl: Wdl,
    /// The higher the better. Moves that are as good as each other have the same rank.
    pub rank: i32,
}

/// Tables that have been found, ready to be asked from any number of threads.
#[derive(Debug)]
pub struct Tablebases {
    /// By material, the stronger side first, as in the names of the files.
    tables: HashMap<Material, Pair>,
    max_pieces: usize,
    problems: Mutex<Vec<TableProblem>>,
}

/// The two files for the same pieces.
#[derive(Debug, Default)]
struct Pair {
    wdl: Option<Table>,
    dtz: Option<Table>,
}

impl Tablebases {
    /// Finds the tables in some directories; where a table is in several, the first one counts.
    ///
    /// # Errors
    /// If a directory cannot be read, or no usable table of outcomes is in any of them. Single files
    /// that cannot be used are no error; [`Tablebases::problems`] names them.
    pub fn open<P: AsRef<Path>>(directories: &[P]) -> Result<Tablebases, TablebaseError> {
        let mut tables = Tablebases { tables: HashMap::new(), max_pieces: 0, problems: Mutex::default() };
        let mut problems = Vec::new();
        for directory in directories {
            let path = directory.as_ref();
            let unreadable = |error| TablebaseError::Directory { path: path.to_owned(), error };
            let mut files = Vec::new();
            for entry in path.read_dir().map_err(unreadable)? {
                files.push(entry.map_err(unreadable)?.path());
            }
            // The order of a directory is anything; problems are to be reported in one that is not.
            files.sort_unstable();
            files.into_iter().for_each(|file| tables.take(file, &mut problems));
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

    /// Takes a file in, if it is a table by its name.
    fn take(&mut self, path: PathBuf, problems: &mut Vec<TableProblem>) {
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

    /// How many files there are: of outcomes, and of distances.
    pub fn count(&self) -> (usize, usize) {
        let wdl = self.tables.values().filter(|pair| pair.wdl.is_some()).count();
        (wdl, self.tables.values().filter(|pair| pair.dtz.is_some()).count())
    }

    /// The most pieces, kings included, of a position that may be in the tables.
    pub fn max_pieces(&self) -> usize {
        self.max_pieces
    }

    /// Files that cannot be used: those that were found out when the tables were opened, and those whose
    /// damage has been met since.
    pub fn problems(&self) -> Vec<TableProblem> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Who wins. `None` if a table is missing, somebody may castle still (the tables know nothing of
    /// it), or the half-move clock is running: the tables say what happens with the clock at 0.
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        if position.halfmove_clock() != 0 || !self.covers(position) {
            return None;
        }
        self.outcome(position).map(|outcome| Wdl::from_outcome(outcome.value))
    }

    /// How many plies it takes to the next capture or pawn move of the best line: positive if the side to
    /// move wins, negative if it loses, 0 if it is a draw; 100 more where the fifty-move rule makes it a
    /// draw. May be one too few, as some tables count in moves. The position's own clock does not count.
    /// `None` if a table is missing or somebody may castle.
    pub fn probe_dtz(&self, position: &Position) -> Option<i32> {
        if self.covers(position) { self.distance(position) } else { None }
    }

    /// All legal moves with their ranks; playing one of the highest rank throws nothing away. By
    /// distance where there are tables of distances, else by outcome. `None` if a table is missing or
    /// somebody may castle.
    pub fn probe_root(&self, position: &Position, rule: FiftyMoves) -> Option<Vec<RootRank>> {
        if !self.covers(position) {
            return None;
        }
        self.rank_by_distance(position, rule).or_else(|| self.rank_by_outcome(position, rule))
    }

    /// Can the position be in the tables at all?
    fn covers(&self, position: &Position) -> bool {
        position.occupied().count() as usize <= self.max_pieces
            && !Color::ALL.into_iter().any(|color| position.castling().any(color))
    }

    /// Asks the table of a position. Reports, once, that a table is damaged.
    fn ask<T>(
        &self,
        position: &Position,
        kind: Kind,
        question: impl FnOnce(&Table, Color) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let material = Material::of(position);
        let found = (self.tables.get(&material).map(|pair| (pair, Color::White)))
            .or_else(|| self.tables.get(&material.swapped()).map(|pair| (pair, Color::Black)));
        let table = found.and_then(|(pair, first)| {
            let table = match kind {
                Kind::Wdl => pair.wdl.as_ref(),
                Kind::Dtz => pair.dtz.as_ref(),
            };
            table.map(|table| (table, first))
        });
        // A table that is not there is like one that is known to be of no use.
        let Some((table, first)) = table else { return Err(Refusal::Broken) };
        let answer = question(table, first);
        if let Err(Refusal::Fault(fault)) = &answer {
            let problem = TableProblem { path: table.path.clone(), fault: fault.clone() };
            #[cfg(feature = "tracing")]
            tracing::warn!("{problem}");
            self.problems.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
        }
        answer
    }
}

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
