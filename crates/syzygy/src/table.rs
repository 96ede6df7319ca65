//! One file, opened when it is first asked for.

use crate::encoding::Shape;
use crate::error::TableFault;
use crate::layout::{Kind, Layout, Section};
use crate::material::Material;
use crate::source::Source;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use tabiya_core::{Board, Color};

/// A file, and what is known of it.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) path: PathBuf,
    kind: Kind,
    symmetric: bool,
    shape: Shape,
    loaded: OnceLock<Option<Loaded>>,
    /// Something in it was wrong: it is not asked again.
    broken: AtomicBool,
}

#[derive(Debug)]
struct Loaded {
    source: Source,
    layout: Layout,
}

/// Why a table does not answer.
#[derive(Debug)]
pub(super) enum Refusal {
    /// It is about the other side to move.
    OtherSide,
    /// It is damaged, and that was not known before.
    Fault(TableFault),
    /// It is damaged, as has been reported.
    Broken,
}

impl From<TableFault> for Refusal {
    fn from(fault: TableFault) -> Refusal {
        Refusal::Fault(fault)
    }
}

impl Table {
    pub(super) fn new(path: PathBuf, kind: Kind, material: Material) -> Table {
        Table {
            path,
            kind,
            symmetric: material.is_symmetric(),
            shape: Shape::new(material),
            loaded: OnceLock::new(),
            broken: AtomicBool::new(false),
        }
    }

    /// The outcome for the side to move, from 2 (a win) to -2, if the position has no captures.
    pub(super) fn outcome(&self, board: &Board, first: Color) -> Result<i8, Refusal> {
        self.guarded(|| {
            let (source, section, first) = self.section(board, first)?;
            match self.value(source, section, board, first)? {
                value @ 0..=4 => Ok(value as i8 - 2),
                _ => Err(TableFault::Content { what: "an outcome" }.into()),
            }
        })
    }

    /// How many plies it takes to the next capture or pawn move, where the outcome is known.
    pub(super) fn distance(&self, board: &Board, first: Color, outcome: i8) -> Result<i32, Refusal> {
        self.guarded(|| {
            let (source, section, first) = self.section(board, first)?;
            if !self.symmetric && section.stored_side() != usize::from(board.side_to_move() != first) {
                return Err(Refusal::OtherSide);
            }
            let value = self.value(source, section, board, first)?;
            Ok(section.distance(value, outcome)?)
        })
    }

    /// The part of the file that is about a position. `first` is the colour that plays the side which
    /// the table's name has first; where both sides have the same, it is always the one to move.
    fn section(&self, board: &Board, first: Color) -> Result<(&Source, &Section, Color), Refusal> {
        let Loaded { source, layout } = self.load()?;
        let first = if self.symmetric { board.side_to_move() } else { first };
        let side = usize::from(board.side_to_move() != first);
        let section = layout.section(self.shape.file_of(board, first), side);
        let section = section.ok_or(TableFault::Content { what: "its parts" })?;
        Ok((source, section, first))
    }

    fn value(
        &self,
        source: &Source,
        section: &Section,
        board: &Board,
        first: Color,
    ) -> Result<u16, TableFault> {
        let index = section.encoding.index(board, first);
        section.pairs.value(source, index.ok_or(TableFault::Content { what: "the place of the kings" })?)
    }

    fn load(&self) -> Result<&Loaded, Refusal> {
        let mut fault = None;
        let loaded = self.loaded.get_or_init(|| {
            let read = || -> Result<Loaded, TableFault> {
                let source = Source::open(&self.path)?;
                let layout = Layout::read(self.kind, self.shape, &source)?;
                Ok(Loaded { source, layout })
            };
            read().map_err(|error| fault = Some(error)).ok()
        });
        match (loaded, fault) {
            (Some(loaded), _) => Ok(loaded),
            (None, Some(fault)) => Err(fault.into()),
            (None, None) => Err(Refusal::Broken),
        }
    }

    /// Asks once more only if nothing has been wrong so far.
    fn guarded<T>(&self, ask: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
        if self.broken.load(Ordering::Relaxed) {
            return Err(Refusal::Broken);
        }
        let answer = ask();
        if matches!(answer, Err(Refusal::Fault(_))) && self.broken.swap(true, Ordering::Relaxed) {
            return Err(Refusal::Broken);
        }
        answer
    }
}
