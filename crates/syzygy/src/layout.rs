//! The header of a file: its sub-tables and where their parts begin.

use crate::cursor::Cursor;
use crate::encoding::{Encoding, Shape};
use crate::error::TableFault;
use crate::pairs::Pairs;
use crate::source::Source;

/// The kind of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Win, draw or loss (`.rtbw`).
    Wdl,
    /// Distance to the next capture or pawn move (`.rtbz`).
    Dtz,
}

impl Kind {
    /// Returns the file name extension.
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Kind::Wdl => "rtbw",
            Kind::Dtz => "rtbz",
        }
    }

    /// Returns the first four bytes of such files.
    const fn magic(self) -> [u8; 4] {
        match self {
            Kind::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Kind::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// The length of the checksum that ends a file, in bytes.
const CHECKSUM_LENGTH: u64 = 16;
/// The length before the checksum is a multiple of this many bytes.
const ALIGNMENT: u64 = 64;

/// Checks the first four bytes of a file and that its length is possible.
pub(super) fn check_ends(kind: Kind, length: u64, first: [u8; 4]) -> Result<(), TableFault> {
    if length < ALIGNMENT || length % ALIGNMENT != CHECKSUM_LENGTH {
        return Err(TableFault::Length { found: length, expected: None });
    }
    if first == kind.magic() { Ok(()) } else { Err(TableFault::Magic) }
}

/// Flag of a DTZ sub-table: stored values index a map.
const MAPPED: u8 = 2;
/// Flag of a DTZ sub-table: wins count plies, not moves.
const WIN_IN_PLIES: u8 = 4;
/// Flag of a DTZ sub-table: losses count plies, not moves.
const LOSS_IN_PLIES: u8 = 8;
/// Flag of a DTZ sub-table: the map has two bytes per entry.
const WIDE_MAP: u8 = 16;

/// The sub-tables of a file.
#[derive(Debug)]
pub(super) struct Layout {
    /// Indexed by the file of the leading pawn, then by side to move; one side only if the material is symmetric or only one
    /// side is stored.
    sub_tables: Vec<[Option<SubTable>; 2]>,
}

/// One sub-table.
#[derive(Debug)]
pub(super) struct SubTable {
    pub(super) encoding: Encoding,
    pub(super) pairs: Pairs,
    flags: u8,
    /// DTZ by stored value, for each of win, loss, cursed win and blessed loss; empty if the stored value is the DTZ.
    map: [Vec<u16>; 4],
}

impl SubTable {
    /// Returns the side to move that a DTZ table stores; 0 is the first side of the table's name.
    pub(super) fn stored_side(&self) -> usize {
        usize::from(self.flags & 1)
    }

    /// Converts a stored value to plies to the next capture or pawn move, given the WDL score from 2 (win) to -2 (loss).
    pub(super) fn dtz(&self, value: u16, wdl: i8) -> Result<i32, TableFault> {
        let damaged = TableFault::Content { what: "DTZ map" };
        let map = match wdl {
            2 => 0,
            -2 => 1,
            1 => 2,
            _ => 3,
        };
        let mut value = value;
        if self.flags & MAPPED != 0 {
            value = *self.map[map].get(usize::from(value)).ok_or(damaged)?;
        }
        // Wins and losses count plies or moves, by flag; cursed wins and blessed losses count moves.
        let in_plies = match wdl {
            2 => self.flags & WIN_IN_PLIES != 0,
            -2 => self.flags & LOSS_IN_PLIES != 0,
            _ => false,
        };
        Ok(i32::from(value) * if in_plies { 1 } else { 2 })
    }
}

impl Layout {
    /// Reads the header.
    pub(super) fn read(kind: Kind, shape: Shape, source: &Source) -> Result<Layout, TableFault> {
        check_ends(kind, source.length(), source.array(0)?)?;
        let mut cursor = Cursor::new(source, 4);
        let flags = cursor.u8()?;
        let sides = if kind == Kind::Wdl && flags & 1 != 0 { 2 } else { 1 };
        let mut encodings = Vec::new();
        for file in 0..shape.files() {
            let bytes = cursor.bytes(shape.encoding_bytes())?;
            for side in 0..sides {
                encodings.push(Encoding::read(shape, file, &bytes, 4 * side as u32)?);
            }
        }
        cursor.align(2);
        let mut sub_tables = Vec::new();
        for encoding in encodings {
            let (flags, pairs) = Pairs::read(&mut cursor, encoding.size, kind == Kind::Wdl)?;
            sub_tables.push(SubTable { encoding, pairs, flags, map: Default::default() });
        }
        if kind == Kind::Dtz {
            read_maps(&mut cursor, &mut sub_tables)?;
        }
        let mut at = cursor.position();
        sub_tables.iter_mut().for_each(|sub_table| sub_table.pairs.place_index(&mut at));
        sub_tables.iter_mut().for_each(|sub_table| sub_table.pairs.place_lengths(&mut at));
        sub_tables.iter_mut().for_each(|sub_table| sub_table.pairs.place_blocks(&mut at));
        let expected = at.next_multiple_of(ALIGNMENT) + CHECKSUM_LENGTH;
        if source.length() != expected {
            return Err(TableFault::Length { found: source.length(), expected: Some(expected) });
        }
        let mut sub_tables = sub_tables.into_iter();
        let mut by_file = Vec::new();
        while let Some(first) = sub_tables.next() {
            by_file.push([Some(first), if sides == 2 { sub_tables.next() } else { None }]);
        }
        Ok(Layout { sub_tables: by_file })
    }

    /// Returns the sub-table for a file of the leading pawn and a side to move.
    pub(super) fn sub_table(&self, file: usize, side: usize) -> Option<&SubTable> {
        let [first, second] = self.sub_tables.get(file)?;
        if side == 1 && second.is_some() { second.as_ref() } else { first.as_ref() }
    }
}

/// Reads the DTZ maps of the sub-tables that have one.
fn read_maps(cursor: &mut Cursor<'_>, sub_tables: &mut [SubTable]) -> Result<(), TableFault> {
    for sub_table in sub_tables {
        if sub_table.flags & MAPPED == 0 {
            continue;
        }
        let wide = sub_table.flags & WIDE_MAP != 0;
        if wide {
            cursor.align(2);
        }
        for map in &mut sub_table.map {
            *map = if wide {
                let count = usize::from(cursor.u16()?);
                cursor
                    .bytes(2 * count)?
                    .chunks_exact(2)
                    .map(|two| u16::from_le_bytes([two[0], two[1]]))
                    .collect()
            } else {
                let count = usize::from(cursor.u8()?);
                cursor.bytes(count)?.iter().map(|&byte| byte.into()).collect()
            };
        }
    }
    cursor.align(2);
    Ok(())
}
