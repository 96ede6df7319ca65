//! What a file says about itself in front of its values.

use crate::encoding::{Encoding, Shape};
use crate::error::TableFault;
use crate::pairs::Pairs;
use crate::source::Source;
use std::borrow::Cow;

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Win, draw or loss.
    Wdl,
    /// Plies to the next capture or pawn move.
    Dtz,
}

impl Kind {
    /// How the names of such files end.
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Kind::Wdl => "rtbw",
            Kind::Dtz => "rtbz",
        }
    }

    /// How such files begin.
    const fn magic(self) -> [u8; 4] {
        match self {
            Kind::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Kind::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// At the end of a file stands a checksum of so many bytes; what is before it fills whole lines.
const CHECKSUM: u64 = 16;
const LINE: u64 = 64;

/// Is this the beginning, and a possible length, of such a file?
pub(super) fn check_ends(kind: Kind, length: u64, first: [u8; 4]) -> Result<(), TableFault> {
    if length < LINE || length % LINE != CHECKSUM {
        return Err(TableFault::Length { found: length, expected: None });
    }
    if first == kind.magic() { Ok(()) } else { Err(TableFault::Magic) }
}

/// The sub-tables of a file.
#[derive(Debug)]
pub(super) struct Layout {
    /// By file of the leading pawn, then by side to move (only one where both are alike, or where only
    /// one is stored).
    sections: Vec<[Option<Section>; 2]>,
}

/// One sub-table.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) encoding: Encoding,
    pub(super) pairs: Pairs,
    flags: u8,
    /// What the values stand for, by outcome; empty where they stand for themselves.
    map: [Vec<u16>; 4],
}

impl Section {
    /// The side to move that a table of distances is about; 0 is the one the name has first.
    pub(super) fn stored_side(&self) -> usize {
        usize::from(self.flags & 1)
    }

    /// The plies to the next capture or pawn move that a value means, where the outcome (2 is a win, 1
    /// one that the fifty-move rule turns into a draw, and so on down to -2) is known.
    pub(super) fn distance(&self, value: u16, outcome: i8) -> Result<i32, TableFault> {
        const MAPPED: u8 = 2;
        let damaged = TableFault::Content { what: "the list of its distances" };
        let section = match outcome {
            2 => 0,
            -2 => 1,
            1 => 2,
            _ => 3,
        };
        let mut value = value;
        if self.flags & MAPPED != 0 {
            value = *self.map[section].get(usize::from(value)).ok_or(damaged)?;
        }
        // Wins and losses are counted in plies or in moves; what the rule turns into draws, in moves.
        let in_plies = match outcome {
            2 => self.flags & 4 != 0,
            -2 => self.flags & 8 != 0,
            _ => false,
        };
        Ok(i32::from(value) * if in_plies { 1 } else { 2 })
    }
}

impl Layout {
    /// Reads the whole description.
    pub(super) fn read(kind: Kind, shape: Shape, source: &Source) -> Result<Layout, TableFault> {
        check_ends(kind, source.length(), source.array(0)?)?;
        let mut cursor = Cursor { source, at: 4 };
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
        let mut sections = Vec::new();
        for encoding in encodings {
            let (flags, pairs) = Pairs::read(&mut cursor, encoding.size, kind == Kind::Wdl)?;
            sections.push(Section { encoding, pairs, flags, map: Default::default() });
        }
        if kind == Kind::Dtz {
            read_maps(&mut cursor, &mut sections)?;
        }
        let mut at = cursor.at;
        sections.iter_mut().for_each(|section| section.pairs.place_index(&mut at));
        sections.iter_mut().for_each(|section| section.pairs.place_lengths(&mut at));
        sections.iter_mut().for_each(|section| section.pairs.place_blocks(&mut at));
        let expected = at.next_multiple_of(LINE) + CHECKSUM;
        if source.length() != expected {
            return Err(TableFault::Length { found: source.length(), expected: Some(expected) });
        }
        let mut sections = sections.into_iter();
        let mut by_file = Vec::new();
        while let Some(first) = sections.next() {
            by_file.push([Some(first), if sides == 2 { sections.next() } else { None }]);
        }
        Ok(Layout { sections: by_file })
    }

    /// The sub-table for a file and a side; the only one where there is only one.
    pub(super) fn section(&self, file: usize, side: usize) -> Option<&Section> {
        let [first, second] = self.sections.get(file)?;
        if side == 1 && second.is_some() { second.as_ref() } else { first.as_ref() }
    }
}

/// Reads what the values stand for.
fn read_maps(cursor: &mut Cursor<'_>, sections: &mut [Section]) -> Result<(), TableFault> {
    const MAPPED: u8 = 2;
    const WIDE: u8 = 16;
    for section in sections {
        if section.flags & MAPPED == 0 {
            continue;
        }
        let wide = section.flags & WIDE != 0;
        if wide {
            cursor.align(2);
        }
        for map in &mut section.map {
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

/// A place in a file, which moves on with what is read.
pub(super) struct Cursor<'a> {
    source: &'a Source,
    at: u64,
}

impl<'a> Cursor<'a> {
    pub(super) fn bytes(&mut self, count: usize) -> Result<Cow<'a, [u8]>, TableFault> {
        let bytes = self.source.bytes(self.at, count)?;
        self.at += count as u64;
        Ok(bytes)
    }

    pub(super) fn u8(&mut self) -> Result<u8, TableFault> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    pub(super) fn u16(&mut self) -> Result<u16, TableFault> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(super) fn u32(&mut self) -> Result<u32, TableFault> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], TableFault> {
        let array = self.source.array(self.at)?;
        self.at += N as u64;
        Ok(array)
    }

    fn align(&mut self, to: u64) {
        self.at = self.at.next_multiple_of(to);
    }
}
