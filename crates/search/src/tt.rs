//! The transposition table: what has been found out about positions, kept under their keys.
//!
//! The guide's table holds a hash, a depth, a score, a node type (*Exact*, *Alpha*, *Beta*) and a flag
//! *Ancient*, is indexed by the hash modulo its size, turns all entries ancient when a search ends, and
//! makes an entry that proves useful young again. So does this one:
//!
//! - An entry is *ancient* when its generation is not that of the current search. Turning every entry
//!   ancient is adding one to the table's generation.
//! - A probe that finds an ancient entry gives it the current generation: young again.
//! - A new entry goes where its position is already, else into an empty slot, else over an ancient
//!   entry, else over a young one; among equals over the shallowest.
//!
//! Four entries share a cluster of 64 bytes, the size of a cache line, so that looking at all places
//! where an entry may be costs one trip to memory. The cluster is found by the high half of key × size,
//! which spreads like the remainder, takes any size, and needs no division (Daniel Lemire, *Fast random
//! integer generation in an interval*, 2019).
//!
//! Threads share the table without locks. An entry is two atomic words, the data and the key xor the
//! data: when two threads write into one entry at the same time, its halves may come from different
//! writers, and then they do not add up to the key that is looked for (Robert Hyatt and Tim Mann, *A
//! lockless transposition-table implementation for parallel search*, ICGA Journal 25, 2002).

mod clusters;
mod huge_pages;
mod memory;
mod prefetch;
#[cfg(test)]
mod tests;

use bytemuck::Zeroable;
use clusters::{Cluster, Clusters};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use tabiya_core::{Bound, INFINITE, Key, Move, TB_WIN_IN_MAX_PLY, Value};

/// Entries to a cluster.
const CLUSTER_SIZE: usize = 4;
/// Clusters to a MiB.
const CLUSTERS_PER_MB: usize = (1 << 20) / size_of::<Cluster>();
/// How many generations there are before they come round again: an entry that no search has
/// touched for 32 searches looks young for one.
const GENERATIONS: u8 = 32;
/// More threads than this do not clear a table any faster.
const MAX_CLEARING_THREADS: usize = 16;
/// How much deeper a young entry has to be to hold its place against a new bound on its position.
const KEPT_DEPTH: i32 = 4;

/// There is not so much memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OutOfMemory;

/// What the table holds about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The best move, or the one that refuted the parent; none where all moves failed low.
    pub(crate) mv: Option<Move>,
    /// The value, or a bound on it. Mates count from this position.
    pub(crate) value: Value,
    /// The static evaluation; none in check.
    pub(crate) eval: Option<Value>,
    /// How many plies deep the position was searched, 0 for a quiescence search.
    pub(crate) depth: i32,
    /// What `value` says.
    pub(crate) bound: Bound,
    /// Was the position ever on a principal variation?
    pub(crate) on_pv: bool,
}

impl Entry {
    /// A bound that holds for every value, and settles no window.
    const NO_VALUE: (Value, Bound) = (-INFINITE, Bound::Lower);

    /// Only what a position is evaluated at.
    #[inline]
    pub(crate) fn evaluation(eval: Value, on_pv: bool) -> Entry {
        let (value, bound) = Entry::NO_VALUE;
        Entry { mv: None, value, eval: Some(eval), depth: 0, bound, on_pv }
    }

    /// All but the value.
    #[inline]
    pub(crate) fn without_value(self) -> Entry {
        let (value, bound) = Entry::NO_VALUE;
        Entry { value, bound, ..self }
    }
}

/// The stand-in for "no evaluation".
const NO_EVAL: i16 = i16::MIN;

/// An entry in the 64 bits it is kept in, with the generation: from the low end, 16 bits of move, 16 of
/// value, 16 of evaluation, 8 of depth, 2 of bound (0 in an empty slot, and nowhere else), 1 that tells
/// whether the position was on a principal variation, 5 of generation.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn new(entry: &Entry, generation: u8) -> Packed {
        let mv = u64::from(entry.mv.map_or(0, Move::to_bits));
        let value = u64::from(entry.value as i16 as u16);
        let eval = u64::from(entry.eval.map_or(NO_EVAL, |eval| eval as i16) as u16);
        let depth = entry.depth.clamp(0, 255) as u64;
        let tag = entry.bound as u64 | u64::from(entry.on_pv) << 2 | u64::from(generation) << 3;
        Packed(mv | value << 16 | eval << 32 | depth << 48 | tag << 56)
    }

    #[inline]
    fn bound(self) -> Option<Bound> {
        match self.0 >> 56 & 3 {
            1 => Some(Bound::Exact),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Upper),
            _ => None,
        }
    }

    #[inline]
    fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8)
    }

    #[inline]
    fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }

    #[inline]
    fn with_generation(self, generation: u8) -> Packed {
        Packed(self.0 & !(0x1f << 59) | u64::from(generation) << 59)
    }

    /// The entry; `None` in an empty slot.
    #[inline]
    fn unpack(self) -> Option<Entry> {
        let eval = (self.0 >> 32) as i16;
        Some(Entry {
            mv: Move::from_bits(self.0 as u16),
            value: Value::from((self.0 >> 16) as i16),
            eval: (eval != NO_EVAL).then_some(Value::from(eval)),
            depth: self.depth(),
            bound: self.bound()?,
            on_pv: self.0 >> 58 & 1 == 1,
        })
    }
}

/// A place for an entry.
#[derive(Default, Debug, Zeroable)]
#[repr(align(16))]
struct Slot {
    /// The position's key xor `data`.
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    #[inline]
    fn load(&self) -> (Key, Packed) {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data, Packed(data))
    }

    #[inline]
    fn store(&self, key: Key, packed: Packed) {
        self.check.store(key ^ packed.0, Relaxed);
        self.data.store(packed.0, Relaxed);
    }
}

/// The table; see the [module](self).
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    clusters: Clusters,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// An empty table of `mb` MiB, set up by so many threads.
    pub(crate) fn new(mb: usize, threads: usize) -> Result<TranspositionTable, OutOfMemory> {
        let clusters = Clusters::new(clusters_in(mb)?)?;
        let table = TranspositionTable { clusters, generation: AtomicU8::new(0) };
        table.clear(threads);
        Ok(table)
    }

    /// Empties the table and changes its size. Without the memory for the new size, the table is
    /// empty and has its former one.
    pub(crate) fn resize(&mut self, mb: usize, threads: usize) -> Result<(), OutOfMemory> {
        let count = clusters_in(mb)?;
        let former = self.clusters.len();
        // First of all, since the memory need not suffice for both.
        self.clusters = Clusters::default();
        *self.generation.get_mut() = 0;
        match Clusters::new(count) {
            Ok(clusters) => {
                self.clusters = clusters;
                self.clear(threads);
                Ok(())
            }
            Err(error) => {
                // The former size fitted a moment ago. Should somebody else have taken the memory
                // meanwhile, a smaller table is better than none.
                let mut count = former;
                self.clusters = loop {
                    match Clusters::new(count) {
                        Ok(clusters) => break clusters,
                        Err(_) if count > 1 => count /= 2,
                        Err(_) => break Clusters::single(),
                    }
                };
                Err(error)
            }
        }
    }

    /// Empties the table, with so many threads.
    ///
    /// Writing to all of it also makes the system provide the memory, which it only promises when it is
    /// allocated: that is not to happen on the first search's clock.
    pub(crate) fn clear(&self, threads: usize) {
        let threads = threads.clamp(1, MAX_CLEARING_THREADS).min(self.clusters.len() / CLUSTERS_PER_MB);
        let part = self.clusters.len().div_ceil(threads.max(1));
        let clear = |clusters: &[Cluster]| {
            clusters.as_flattened().iter().for_each(|slot| slot.store(0, Packed(0)));
        };
        std::thread::scope(|scope| {
            let mut parts = self.clusters.all().chunks(part);
            let own = parts.next();
            for clusters in parts {
                scope.spawn(move || clear(clusters));
            }
            own.map(clear);
        });
        self.generation.store(0, Relaxed);
    }

    /// Turns every entry ancient: to be called before each search.
    pub(crate) fn new_generation(&self) {
        self.generation.store((self.generation() + 1) % GENERATIONS, Relaxed);
    }

    #[inline]
    fn generation(&self) -> u8 {
        self.generation.load(Relaxed)
    }

    #[inline]
    fn cluster(&self, key: Key) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        self.clusters.get(index as usize)
    }

    /// Fetches what is known of a position into the cache: it will be asked for soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: Key) {
        prefetch::read(self.cluster(key));
    }

    /// What is known of the position with this key, which stands `ply` plies from the root. An ancient
    /// entry becomes young again.
    #[inline]
    pub(crate) fn probe(&self, key: Key, ply: usize) -> Option<Entry> {
        let generation = self.generation();
        for slot in self.cluster(key) {
            let (slot_key, packed) = slot.load();
            if slot_key == key {
                let mut entry = packed.unpack()?;
                if packed.generation() != generation {
                    slot.store(key, packed.with_generation(generation));
                }
                entry.value = decisive_from_root(entry.value, ply);
                return Some(entry);
            }
        }
        None
    }

    /// Keeps what has been found about the position with this key, which stands `ply` plies from the
    /// root. Where no move is given, one known before stays.
    pub(crate) fn store(&self, key: Key, ply: usize, entry: &Entry) {
        let generation = self.generation();
        let mut entry = Entry { value: decisive_from_node(entry.value, ply), ..*entry };

        // The rank of a slot: the lowest gives way first.
        let rank = |packed: Packed| match packed.bound() {
            None => -1,
            Some(_) => packed.depth() + if packed.generation() == generation { 256 } else { 0 },
        };
        let mut victim = None;
        for slot in self.cluster(key) {
            let (slot_key, packed) = slot.load();
            if slot_key == key {
                if let Some(former) = packed.unpack() {
                    let young = packed.generation() == generation;
                    if young && entry.bound != Bound::Exact && entry.depth + KEPT_DEPTH <= former.depth {
                        return;
                    }
                    entry.mv = entry.mv.or(former.mv);
                }
                victim = Some((slot, -1));
                break;
            }
            if victim.is_none_or(|(_, lowest)| rank(packed) < lowest) {
                victim = Some((slot, rank(packed)));
            }
        }
        if let Some((slot, _)) = victim {
            slot.store(key, Packed::new(&entry, generation));
        }
    }

    /// How full of young entries the table is, in thousandths, judged by its first thousand entries.
    pub(crate) fn hashfull(&self) -> u32 {
        let generation = self.generation();
        let sample = &self.clusters.all()[..self.clusters.len().min(1000 / CLUSTER_SIZE)];
        let young = sample
            .as_flattened()
            .iter()
            .filter(|slot| {
                let (_, packed) = slot.load();
                packed.bound().is_some() && packed.generation() == generation
            })
            .count();
        (young * 1000 / (sample.len() * CLUSTER_SIZE)) as u32
    }
}

fn clusters_in(mb: usize) -> Result<usize, OutOfMemory> {
    mb.checked_mul(CLUSTERS_PER_MB).filter(|&count| count > 0).ok_or(OutOfMemory)
}

/// The distance of a mate, or of a win by the tablebases, from the root, turned into the distance from a
/// position `ply` plies on: that is what stays true wherever the position is met.
#[inline]
fn decisive_from_node(value: Value, ply: usize) -> Value {
    if value >= TB_WIN_IN_MAX_PLY {
        value + ply as Value
    } else if value <= -TB_WIN_IN_MAX_PLY {
        value - ply as Value
    } else {
        value
    }
}

/// The way back from [`decisive_from_node`].
#[inline]
fn decisive_from_root(value: Value, ply: usize) -> Value {
    if value >= TB_WIN_IN_MAX_PLY {
        value - ply as Value
    } else if value <= -TB_WIN_IN_MAX_PLY {
        value + ply as Value
    } else {
        value
    }
}
