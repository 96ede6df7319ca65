//! The compressed values of one sub-table.
//!
//! Values are stored in blocks. A block is a sequence of symbols in a canonical Huffman code; a symbol stands for a single value
//! or for a pair of symbols (recursive pairing, Re-Pair). A sparse index with one entry for each `1 << span_bits` values
//! locates the block.

use crate::cursor::Cursor;
use crate::error::TableFault;
use crate::source::Source;

/// The longest code, in bits: the decoder's buffer holds at least 32 valid bits.
const MAX_CODE_LENGTH: u8 = 32;
/// The largest number of values in a block.
const MAX_VALUES_IN_BLOCK: u32 = 1 << 16;
/// The right half of a symbol that stands for a single value.
const SINGLE: u16 = 0xfff;

/// The values of a sub-table.
#[derive(Debug)]
pub(super) enum Pairs {
    /// All values are equal.
    Constant(u16),
    /// The values are compressed.
    Packed(Box<Packed>),
}

#[derive(Debug)]
pub(super) struct Packed {
    /// File offset of the sparse index, in bytes.
    index_at: u64,
    /// File offset of the block lengths (values in each block), in bytes.
    lengths_at: u64,
    /// File offset of the blocks, in bytes.
    blocks_at: u64,
    index_entries: u64,
    /// Number of block lengths in the file, padding included.
    lengths: u64,
    blocks: u64,
    /// Binary logarithm of the block size in bytes.
    block_bits: u8,
    /// Binary logarithm of the number of values for each index entry.
    span_bits: u8,
    /// Length of the shortest code, in bits.
    shortest: u8,
    /// For each code length, the smallest code of that length, left-aligned.
    smallest: Vec<u64>,
    /// For each code length, the symbol of its smallest code.
    first_symbol: Vec<u16>,
    symbols: Vec<Symbol>,
}

/// A pair of symbols, or the single value in `left`.
#[derive(Clone, Copy, Debug)]
struct Symbol {
    left: u16,
    right: u16,
    /// Number of values that the symbol expands to, less one.
    extra: u32,
}

impl Pairs {
    /// Reads the header of a sub-table of `size` values and returns its flags and values.
    ///
    /// The offsets of the parts depend on all headers of the file; the `place_…` methods set them afterwards.
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
            return Err(damaged("block size"));
        }
        if !(1..=longest).contains(&shortest) || longest > MAX_CODE_LENGTH {
            return Err(damaged("code lengths"));
        }
        let first_symbol =
            (shortest..=longest).map(|_| cursor.u16()).collect::<Result<Vec<u16>, TableFault>>()?;
        let count = usize::from(cursor.u16()?);
        if count > usize::from(SINGLE) {
            return Err(damaged("number of symbols"));
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

    /// Sets the offset of the index and advances `at` past it.
    pub(super) fn place_index(&mut self, at: &mut u64) {
        if let Pairs::Packed(packed) = self {
            packed.index_at = *at;
            *at += 6 * packed.index_entries;
        }
    }

    /// Sets the offset of the block lengths and advances `at` past them.
    pub(super) fn place_lengths(&mut self, at: &mut u64) {
        if let Pairs::Packed(packed) = self {
            packed.lengths_at = *at;
            *at += 2 * packed.lengths;
        }
    }

    /// Sets the offset of the blocks, which are aligned, and advances `at` past them.
    pub(super) fn place_blocks(&mut self, at: &mut u64) {
        *at = at.next_multiple_of(64);
        if let Pairs::Packed(packed) = self {
            packed.blocks_at = *at;
            *at += packed.blocks << packed.block_bits;
        }
    }

    /// Returns the value of a position by its index.
    pub(super) fn value(&self, source: &Source, index: u64) -> Result<u16, TableFault> {
        match self {
            Pairs::Constant(value) => Ok(*value),
            Pairs::Packed(packed) => {
                let (block, offset) = packed.find(source, index)?;
                packed.decode(source, block, offset)
            }
        }
    }
}

impl Packed {
    /// Returns the block that holds a value, and the value's offset in the block.
    fn find(&self, source: &Source, index: u64) -> Result<(u64, u32), TableFault> {
        let damaged = TableFault::Content { what: "block index" };
        let entry = index >> self.span_bits;
        if entry >= self.index_entries {
            return Err(damaged);
        }
        let bytes: [u8; 6] = source.array(self.index_at + 6 * entry)?;
        let mut block = u64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        // An index entry describes the value in the middle of its span.
        let span = 1i64 << self.span_bits;
        let mut offset = (index as i64 & (span - 1)) - span / 2;
        offset += i64::from(u16::from_le_bytes([bytes[4], bytes[5]]));
        let mut lengths = Lengths { packed: self, source, from: 0, window: Vec::new() };
        while offset < 0 {
            block = block.checked_sub(1).ok_or_else(|| damaged.clone())?;
            offset += i64::from(lengths.of(block)?) + 1;
        }
        loop {
            let length = i64::from(lengths.of(block)?) + 1;
            if offset < length {
                break;
            }
            offset -= length;
            block += 1;
        }
        if block >= self.blocks { Err(damaged) } else { Ok((block, offset as u32)) }
    }

    /// Decodes the value at an offset of a block.
    fn decode(&self, source: &Source, block: u64, mut offset: u32) -> Result<u16, TableFault> {
        let damaged = TableFault::Content { what: "block codes" };
        let bytes = source.bytes(self.blocks_at + (block << self.block_bits), 1 << self.block_bits)?;
        let mut words =
            bytes.chunks_exact(4).map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]]));
        // At least the upper 32 bits are valid; zeros follow the end of the block.
        let mut next_word = || u64::from(words.next().unwrap_or(0));
        let mut bits = next_word() << 32 | next_word();
        let mut used = 0;
        let mut symbol = loop {
            // The smallest code of the longest length is 0, so a match exists.
            let length_index =
                self.smallest.iter().position(|&smallest| bits >= smallest).ok_or_else(|| damaged.clone())?;
            let length = u32::from(self.shortest) + length_index as u32;
            let offset_in_length = (bits - self.smallest[length_index]) >> (64 - length);
            let number = u64::from(self.first_symbol[length_index]) + offset_in_length;
            let symbol = self.symbol(number).ok_or_else(|| damaged.clone())?;
            if offset <= symbol.extra {
                break symbol;
            }
            offset -= symbol.extra + 1;
            bits <<= length;
            used += length;
            if used >= 32 {
                used -= 32;
                bits |= next_word() << used;
            }
        };
        // Expand the symbol down to a single value.
        while symbol.extra > 0 {
            let [left, right] = [symbol.left, symbol.right].map(|part| self.symbol(part.into()));
            let (Some(left), Some(right)) = (left, right) else { return Err(damaged) };
            symbol = if offset <= left.extra {
                left
            } else {
                offset -= left.extra + 1;
                right
            };
        }
        Ok(symbol.left)
    }

    fn symbol(&self, number: u64) -> Option<Symbol> {
        usize::try_from(number).ok().and_then(|number| self.symbols.get(number)).copied()
    }
}

/// A window on the block lengths (values in each block, less one).
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
            return Err(TableFault::Content { what: "block index" });
        }
        if !(self.from..self.from + self.window.len() as u64).contains(&block) {
            // The search may continue before or after this block.
            self.from = block.saturating_sub(Self::WINDOW / 2);
            let count = Self::WINDOW.min(self.packed.lengths - self.from);
            let bytes = self.source.bytes(self.packed.lengths_at + 2 * self.from, 2 * count as usize)?;
            self.window.clear();
            self.window.extend(bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])));
        }
        Ok(self.window[(block - self.from) as usize])
    }
}

/// Returns the smallest code of each length, left-aligned in 64 bits. Longer codes are numerically smaller.
fn smallest_codes(first_symbol: &[u16], shortest: u8) -> Vec<u64> {
    let mut codes = vec![0u64; first_symbol.len()];
    for index in (0..codes.len().saturating_sub(1)).rev() {
        // Only a damaged file overflows; decoding it then finds no symbol.
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

/// Reads the symbols, three bytes each, and counts the values that each expands to.
fn read_symbols(cursor: &mut Cursor<'_>, count: usize) -> Result<Vec<Symbol>, TableFault> {
    let damaged = TableFault::Content { what: "symbols" };
    let bytes = cursor.bytes(3 * count)?;
    let mut symbols: Vec<Symbol> = bytes
        .chunks_exact(3)
        .map(|three| {
            let [low, middle, high] = [three[0], three[1], three[2]].map(u16::from);
            Symbol { left: (middle & 15) << 8 | low, right: high << 4 | middle >> 4, extra: 0 }
        })
        .collect();
    let mut counted: Vec<bool> = symbols.iter().map(|symbol| symbol.right == SINGLE).collect();
    // A symbol may precede its parts, so count depth first. A stack longer than the number of symbols means that a damaged
    // symbol contains itself.
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
                    symbols[top].extra = symbols[parts[0]].extra + symbols[parts[1]].extra + 1;
                    if symbols[top].extra >= MAX_VALUES_IN_BLOCK {
                        return Err(damaged);
                    }
                    counted[top] = true;
                }
            }
        }
    }
    Ok(symbols)
}
