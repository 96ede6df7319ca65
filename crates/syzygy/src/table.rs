//! A table file, read on first use.

use crate::encoding::Shape;
use crate::error::TableFault;
use crate::layout::{Kind, Layout, SubTable};
use crate::material::Material;
use crate::source::Source;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use tabiya_core::{Board, Color};

/// A table file.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) path: PathBuf,
    kind: Kind,
    symmetric: bool,
    shape: Shape,
    loaded: OnceLock<Loaded>,
    /// True once the contents have been found to be wrong; the file is then not used again.
    broken: AtomicBool,
    /// True once a failure to read has been reported.
    unreadable: AtomicBool,
    /// The number of probes that fail before the next attempt to read.
    pause: AtomicU32,
}

#[derive(Debug)]
struct Loaded {
    source: Source,
    layout: Layout,
}

/// The number of probes after a failure to read before the next attempt: the failure may be that of a network or of too many open files, and
/// an attempt takes longer than a probe.
const PAUSE: u32 = 1000;

/// The reason why a probe has no result.
#[derive(Debug)]
pub(super) enum ProbeFailure {
    /// The table stores only positions with the other side to move.
    OtherSide,
    /// The file is damaged or cannot be read, and this is the first probe to find out.
    Fault(TableFault),
    /// There is no table, or its fault has been reported already.
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
            unreadable: AtomicBool::new(false),
            pause: AtomicU32::new(0),
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
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        let source = Source::open(&self.path).map_err(TableFault::from)?;
        let layout = Layout::read(self.kind, self.shape, &source)?;
        // Another thread may have read it in the meantime.
        Ok(self.loaded.get_or_init(|| Loaded { source, layout }))
    }

    /// Runs a probe unless the table is broken or was unreadable just before. Only the first fault of each kind is reported.
    fn guarded<T>(&self, probe: impl FnOnce() -> Result<T, ProbeFailure>) -> Result<T, ProbeFailure> {
        let pauses = |probes: u32| probes.checked_sub(1);
        if self.broken.load(Ordering::Relaxed)
            || self.pause.fetch_update(Ordering::Relaxed, Ordering::Relaxed, pauses).is_ok()
        {
            return Err(ProbeFailure::Unavailable);
        }
        let result = probe();
        let was_reported = match &result {
            Err(ProbeFailure::Fault(TableFault::Io(_))) => {
                self.pause.store(PAUSE, Ordering::Relaxed);
                self.unreadable.swap(true, Ordering::Relaxed)
            }
            Err(ProbeFailure::Fault(_)) => self.broken.swap(true, Ordering::Relaxed),
            _ => false,
        };
        if was_reported { Err(ProbeFailure::Unavailable) } else { result }
    }
}
