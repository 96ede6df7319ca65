//! The compressed values of one sub-table.
//!
//! The values are cut into blocks. Within a block they are symbols of a canonical Huffman code, and a
//! symbol stands for a pair of others, down to single values (*recursive pairing*). A sparse index leads
//! to the block; each of its entries stands for `1 << span_bits` values.

use crate::error::TableFault;
use crate::layout::Cursor;
use crate::source::Source;

/// Longer codes than this are not made, and would not fit into the bits that are kept ready.
const LONGEST_CODE: u8 = 32;
/// More values than this do not fit into a block.
const MOST_IN_BLOCK: u32 = 1 << 16;
/// The second half of a symbol that stands for a single value.
const SINGLE: u16 = 0xfff;

/// How to find and unpack the values of a sub-table.
#[derive(Debug)]
pub(super) enum Pairs {
    /// All values are the same.
    Constant(u16),
    /// They are packed.
    Packed(Box<Packed>),
}

#[derive(Debug)]
pub(super) struct Packed {
    /// Where in the file the parts begin: the index, the numbers of values in each block, the blocks.
    index_at: u64,
    lengths_at: u64,
    blocks_at: u64,
    index_entries: u64,
    /// Blocks whose length is given; some behind the last one exist only on paper.
    lengths: u64,
    blocks: u64,
    block_bits: u8,
    span_bits: u8,
    /// The shortest code.
    shortest: u8,
    /// For each length of a code, the smallest code of that length, aligned to the left, ...
    smallest: Vec<u64>,
    /// ... and its symbol.
    first_symbol: Vec<u16>,
    symbols: Vec<Symbol>,
}

/// What a symbol stands for: two others, or the value in `left`.
#[derive(Clone, Copy, Debug)]
struct Symbol {
    left: u16,
    right: u16,
    /// How many values it stands for, less one.
    more: u32,
}

impl Pairs {
    /// Reads the description of a sub-table of so many values. Where the parts begin is found out
    /// (`place_…`) when all descriptions have been read. `is_wdl` tells what a constant means.
    pub(super) fn read(cursor: &mut Cursor<'_>, size: u64, is_wdl: bool) -> Result<(u8, Pairs), TableFault> {
        let damaged = |what| TableFault::Content { what };
        let flags = cursor.u8()?;
        if flags & 0x80 != 0 {
            let value = cursor.u8()?;
            return Ok((flags, Pairs::Constant(if is_wdl { value.into() } else { 0 })));
        }
        let [block_bits, span_bits, padding] = [cursor.u8()?, cursor.u8()?, cursor.u8()?];
        let blocks = u64::from(cursor.u32()?);
        let [longest, shortest] = [cursor.u8()?, cursor.u8()?];
        if !(3..=20).contains(&block_bits) || !(1..=40).contains(&span_bits) {
            return Err(damaged("the size of its blocks"));
        }
        if !(1..=longest).contains(&shortest) || longest > LONGEST_CODE {
            return Err(damaged("the lengths of its codes"));
        }
        let first_symbol =
            (shortest..=longest).map(|_| cursor.u16()).collect::<Result<Vec<u16>, TableFault>>()?;
        let count = usize::from(cursor.u16()?);
        if count > usize::from(SINGLE) {
            return Err(damaged("the number of its symbols"));
        }
        let symbols = read_symbols(cursor, count)?;
        if count % 2 == 1 {
            cursor.u8()?;
        }
        let packed = Packed {
            index_at: 0,
            lengths_at: 0,
            blocks_at: 0,
            index_entries: size.div_ceil(1 << span_bits),
            lengths: blocks + u64::from(padding),
            blocks,
            block_bits,
            span_bits,
            shortest,
            smallest: smallest_codes(&first_symbol, shortest),
            first_symbol,
            symbols,
        };
        Ok((flags, Pairs::Packed(Box::new(packed))))
    }

    /// Takes note of where the index begins, and moves behind it.
    pub(super) fn place_index(&mut self, at: &mut u64) {
        if let Pairs::Packed(packed) = self {
            packed.index_at = *at;
            *at += 6 * packed.index_entries;
        }
    }

    /// The same for the lengths of the blocks.
    pub(super) fn place_lengths(&mut self, at: &mut u64) {
        if let Pairs::Packed(packed) = self {
            packed.lengths_at = *at;
            *at += 2 * packed.lengths;
        }
    }

    /// The same for the blocks, which are aligned.
    pub(super) fn place_blocks(&mut self, at: &mut u64) {
        *at = at.next_multiple_of(64);
        if let Pairs::Packed(packed) = self {
            packed.blocks_at = *at;
            *at += packed.blocks << packed.block_bits;
        }
    }

    /// The value of a number.
    pub(super) fn value(&self, source: &Source, index: u64) -> Result<u16, TableFault> {
        match self {
            Pairs::Constant(value) => Ok(*value),
            Pairs::Packed(packed) => {
                let (block, place) = packed.find(source, index)?;
                packed.unpack(source, block, place)
            }
        }
    }
}

impl Packed {
    /// The block that a value is in, and which one of its values it is.
    fn find(&self, source: &Source, index: u64) -> Result<(u64, u32), TableFault> {
        let damaged = TableFault::Content { what: "the index of its blocks" };
        let entry = index >> self.span_bits;
        if entry >= self.index_entries {
            return Err(damaged);
        }
        let bytes: [u8; 6] = source.array(self.index_at + 6 * entry)?;
        let mut block = u64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        // The entry is for the value in the middle of its span.
        let span = 1i64 << self.span_bits;
        let mut place = (index as i64 & (span - 1)) - span / 2;
        place += i64::from(u16::from_le_bytes([bytes[4], bytes[5]]));
        let mut lengths = Lengths { packed: self, source, from: 0, window: Vec::new() };
        while place < 0 {
            block = block.checked_sub(1).ok_or_else(|| damaged.clone())?;
            place += i64::from(lengths.of(block)?) + 1;
        }
        loop {
            let length = i64::from(lengths.of(block)?) + 1;
            if place < length {
                break;
            }
            place -= length;
            block += 1;
        }
        if block >= self.blocks { Err(damaged) } else { Ok((block, place as u32)) }
    }

    /// The value at a place of a block.
    fn unpack(&self, source: &Source, block: u64, mut place: u32) -> Result<u16, TableFault> {
        let damaged = TableFault::Content { what: "the codes of a block" };
        let bytes = source.bytes(self.blocks_at + (block << self.block_bits), 1 << self.block_bits)?;
        let mut words =
            bytes.chunks_exact(4).map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]]));
        // At least 32 bits are always ready in the upper part; behind the end of the block come zeros.
        let mut next_word = || u64::from(words.next().unwrap_or(0));
        let mut bits = next_word() << 32 | next_word();
        let mut used = 0;
        let mut symbol = loop {
            // The last of the smallest codes is 0, so there is always one.
            let length_index =
                self.smallest.iter().position(|&smallest| bits >= smallest).ok_or_else(|| damaged.clone())?;
            let length = u32::from(self.shortest) + length_index as u32;
            let number = (bits - self.smallest[length_index]) >> (64 - length);
            let number = u64::from(self.first_symbol[length_index]) + number;
            let symbol = self.symbol(number).ok_or_else(|| damaged.clone())?;
            if place <= symbol.more {
                break symbol;
            }
            place -= symbol.more + 1;
            bits <<= length;
            used += length;
            if used >= 32 {
                used -= 32;
                bits |= next_word() << used;
            }
        };
        // Down to the single value.
        while symbol.more > 0 {
            let [left, right] = [symbol.left, symbol.right].map(|number| self.symbol(number.into()));
            let (Some(left), Some(right)) = (left, right) else { return Err(damaged) };
            symbol = if place <= left.more {
                left
            } else {
                place -= left.more + 1;
                right
            };
        }
        Ok(symbol.left)
    }

    fn symbol(&self, number: u64) -> Option<Symbol> {
        usize::try_from(number).ok().and_then(|number| self.symbols.get(number)).copied()
    }
}

/// The numbers of values in the blocks (less one), read some at a time.
struct Lengths<'a> {
    packed: &'a Packed,
    source: &'a Source,
    from: u64,
    window: Vec<u16>,
}

impl Lengths<'_> {
    const WINDOW: u64 = 64;

    fn of(&mut self, block: u64) -> Result<u16, TableFault> {
        if block >= self.packed.lengths {
            return Err(TableFault::Content { what: "the index of its blocks" });
        }
        if !(self.from..self.from + self.window.len() as u64).contains(&block) {
            // The way may lead forwards or backwards.
            self.from = block.saturating_sub(Self::WINDOW / 2);
            let count = Self::WINDOW.min(self.packed.lengths - self.from);
            let bytes = self.source.bytes(self.packed.lengths_at + 2 * self.from, 2 * count as usize)?;
            self.window.clear();
            self.window.extend(bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])));
        }
        Ok(self.window[(block - self.from) as usize])
    }
}

/// For each length, the smallest code of that length, aligned to the left of 64 bits. Longer codes are
/// smaller: a canonical code the other way round.
fn smallest_codes(first_symbol: &[u16], shortest: u8) -> Vec<u64> {
    let mut codes = vec![0u64; first_symbol.len()];
    for index in (0..codes.len().saturating_sub(1)).rev() {
        // A sound file never wraps round; a damaged one finds no symbol later.
        codes[index] = codes[index + 1]
            .wrapping_add(u64::from(first_symbol[index]))
            .wrapping_sub(u64::from(first_symbol[index + 1]))
            / 2;
    }
    for (length, code) in (u32::from(shortest)..).zip(&mut codes) {
        *code <<= 64 - length;
    }
    codes
}

/// Reads the symbols, three bytes each, and counts what they stand for.
fn read_symbols(cursor: &mut Cursor<'_>, count: usize) -> Result<Vec<Symbol>, TableFault> {
    let damaged = TableFault::Content { what: "its symbols" };
    let bytes = cursor.bytes(3 * count)?;
    let mut symbols: Vec<Symbol> = bytes
        .chunks_exact(3)
        .map(|three| {
            let [low, middle, high] = [three[0], three[1], three[2]].map(u16::from);
            Symbol { left: (middle & 15) << 8 | low, right: high << 4 | middle >> 4, more: 0 }
        })
        .collect();
    let mut counted: Vec<bool> = symbols.iter().map(|symbol| symbol.right == SINGLE).collect();
    // Symbols may stand before those they are made of, so go down first, with a stack of our own: one
    // that stands for itself by a detour would never end.
    let mut stack = Vec::new();
    for start in 0..count {
        stack.push(start);
        while let Some(&top) = stack.last() {
            if counted[top] {
                stack.pop();
                continue;
            }
            let parts = [symbols[top].left, symbols[top].right].map(usize::from);
            if parts.iter().any(|&part| part >= count) || stack.len() > count {
                return Err(damaged);
            }
            match parts.into_iter().find(|&part| !counted[part]) {
                Some(part) => stack.push(part),
                None => {
                    symbols[top].more = symbols[parts[0]].more + symbols[parts[1]].more + 1;
                    if symbols[top].more >= MOST_IN_BLOCK {
                        return Err(damaged);
                    }
                    counted[top] = true;
                }
            }
        }
    }
    Ok(symbols)
}
