//! A table file, read on first use.

use crate::encoding::Shape;
use crate::error::TableFault;
use crate::layout::{Kind, Layout, SubTable};
use crate::material::Material;
use crate::source::Source;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use tabiya_core::{Board, Color};

/// A table file.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) path: PathBuf,
    kind: Kind,
    symmetric: bool,
    shape: Shape,
    loaded: OnceLock<Option<Loaded>>,
    /// True once a fault has been found; the file is then not used again.
    broken: AtomicBool,
}

#[derive(Debug)]
struct Loaded {
    source: Source,
    layout: Layout,
}

/// The reason why a probe has no result.
#[derive(Debug)]
pub(super) enum ProbeFailure {
    /// The table stores only positions with the other side to move.
    OtherSide,
    /// The file is damaged, and this is the first probe to find out.
    Fault(TableFault),
    /// There is no table, or its damage has been reported already.
    Unavailable,
}

impl From<TableFault> for ProbeFailure {
    fn from(fault: TableFault) -> ProbeFailure {
        ProbeFailure::Fault(fault)
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

    /// Returns the stored WDL score, from 2 (win) to -2 (loss) for the side to move. Exact only if no capture is better.
    pub(super) fn wdl(&self, board: &Board, first: Color) -> Result<i8, ProbeFailure> {
        self.guarded(|| {
            let (source, sub_table, first) = self.sub_table(board, first)?;
            match self.value(source, sub_table, board, first)? {
                value @ 0..=4 => Ok(value as i8 - 2),
                _ => Err(TableFault::Content { what: "WDL value" }.into()),
            }
        })
    }

    /// Returns the distance to the next capture or pawn move, in plies, given the WDL score.
    pub(super) fn dtz(&self, board: &Board, first: Color, wdl: i8) -> Result<i32, ProbeFailure> {
        self.guarded(|| {
            let (source, sub_table, first) = self.sub_table(board, first)?;
            if !self.symmetric && sub_table.stored_side() != usize::from(board.side_to_move() != first) {
                return Err(ProbeFailure::OtherSide);
            }
            let value = self.value(source, sub_table, board, first)?;
            Ok(sub_table.dtz(value, wdl)?)
        })
    }

    /// Returns the sub-table of a position and the colour that plays the first side of the table's name.
    ///
    /// `first` is that colour by material; with symmetric material it is always the side to move.
    fn sub_table(&self, board: &Board, first: Color) -> Result<(&Source, &SubTable, Color), ProbeFailure> {
        let Loaded { source, layout } = self.load()?;
        let first = if self.symmetric { board.side_to_move() } else { first };
        let side = usize::from(board.side_to_move() != first);
        let sub_table = layout.sub_table(self.shape.file_of(board, first), side);
        let sub_table = sub_table.ok_or(TableFault::Content { what: "sub-tables" })?;
        Ok((source, sub_table, first))
    }

    fn value(
        &self,
        source: &Source,
        sub_table: &SubTable,
        board: &Board,
        first: Color,
    ) -> Result<u16, TableFault> {
        let index = sub_table.encoding.index(board, first);
        sub_table.pairs.value(source, index.ok_or(TableFault::Content { what: "king squares" })?)
    }

    fn load(&self) -> Result<&Loaded, ProbeFailure> {
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
            (None, None) => Err(ProbeFailure::Unavailable),
        }
    }

    /// Runs a probe unless the table is broken, and marks the table broken at the first fault.
    fn guarded<T>(&self, probe: impl FnOnce() -> Result<T, ProbeFailure>) -> Result<T, ProbeFailure> {
        if self.broken.load(Ordering::Relaxed) {
            return Err(ProbeFailure::Unavailable);
        }
        let result = probe();
        if matches!(result, Err(ProbeFailure::Fault(_))) && self.broken.swap(true, Ordering::Relaxed) {
            return Err(ProbeFailure::Unavailable);
        }
        result
    }
}
