//! The transposition table (TT): search results by Zobrist key, shared by all threads.
//!
//! The replacement scheme is that of the ChessBin tutorial:
//!
//! - An entry is *ancient* if its generation is not that of the current search. Each search increments the
//!   table's generation, which makes every entry ancient.
//! - A probe that finds an ancient entry gives it the current generation, so that useful entries survive.
//! - A new entry replaces the entry of the same position, unless that is current and much deeper and the new one
//!   is not exact; then it only leaves its move there. Otherwise it
//!   replaces an empty slot, the shallowest ancient entry or the shallowest current one, in this order.
//!
//! Four entries share a cluster of 64 bytes, the size of a cache line, so that a probe costs one cache miss.
//! The index of the cluster is the high half of key × size, which is as uniform as key modulo size, works for
//! any size and needs no division. Source: Lemire, *Fast random integer generation in an interval*, 2019.
//!
//! Threads share the table without locks. An entry is two atomic words: the data, and the key XOR the data.
//! If two threads write the same entry at the same time, its words may come from different writers, and then
//! the key does not match. Source: Hyatt and Mann, *A lockless transposition-table implementation for
//! parallel search*, ICGA Journal 25, 2002.

mod clusters;
mod huge_pages;
mod proof;
mod slot;
#[cfg(test)]
mod tests;

use crate::memory::{self, OutOfMemory};
use crate::prefetch::prefetch;
use clusters::{Cluster, Clusters};
pub(crate) use proof::{MAX_PROOF_NUMBER, ProofEntry};
use slot::Slot;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread::{self, Builder};
use tabiya_core::{Bound, INFINITE, Key, Move, Value, is_loss, is_win};

/// The number of entries per cluster.
const CLUSTER_SIZE: usize = 4;
/// The number of clusters per MiB.
const CLUSTERS_PER_MB: usize = (1 << 20) / size_of::<Cluster>();
/// The number of generations before they wrap around. An entry that has not been used for 32 searches is
/// mistaken for a current one for one search.
const GENERATIONS: u8 = 32;
/// The maximum number of threads that clear the table; more are not faster.
const MAX_CLEARING_THREADS: usize = 16;
/// The stack size of a thread that clears the table, in bytes.
const CLEARING_STACK_SIZE: usize = 128 << 10;
/// A current entry is kept if it is at least this much deeper than a new bound on the same position, in plies.
const KEEP_DEPTH_MARGIN: i32 = 4;

/// The search result of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TtEntry {
    /// The best move or the move that caused a cutoff; `None` if all moves failed low.
    pub(crate) mv: Option<Move>,
    /// The value or a bound on it. In the table, mate and tablebase distances count from this position
    /// instead of the root.
    pub(crate) value: Value,
    /// The raw static evaluation; `None` in check.
    pub(crate) eval: Option<Value>,
    /// The depth of the search in plies; 0 for a quiescence search.
    pub(crate) depth: i32,
    /// The bound type of `value`.
    pub(crate) bound: Bound,
    /// True if the position has been on a principal variation.
    pub(crate) is_pv: bool,
}

impl TtEntry {
    /// A bound that is true of every value and cuts off no window.
    const NO_VALUE: (Value, Bound) = (-INFINITE, Bound::Lower);

    /// Creates an entry with an evaluation and no value.
    #[inline]
    pub(crate) fn eval_only(eval: Value, is_pv: bool) -> TtEntry {
        let (value, bound) = TtEntry::NO_VALUE;
        TtEntry { mv: None, value, eval: Some(eval), depth: 0, bound, is_pv }
    }

    /// Returns the entry without its value, and so without a depth.
    #[inline]
    pub(crate) fn without_value(self) -> TtEntry {
        let (value, bound) = TtEntry::NO_VALUE;
        TtEntry { value, bound, depth: 0, ..self }
    }
}

/// The encoding of a missing evaluation.
const NO_EVAL: i16 = i16::MIN;

/// An entry and its generation packed into 64 bits, from the lowest bit: 16 bits of move, 16 of value, 16 of
/// evaluation, 8 of depth, 2 of bound (0 only in an empty slot), 1 of the PV flag, 5 of generation.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn new(entry: &TtEntry, generation: u8) -> Packed {
        let mv = u64::from(entry.mv.map_or(0, Move::to_bits));
        let value = u64::from(entry.value as i16 as u16);
        let eval = u64::from(entry.eval.map_or(NO_EVAL, |eval| eval as i16) as u16);
        let depth = entry.depth.clamp(0, 255) as u64;
        let tag = entry.bound as u64 | u64::from(entry.is_pv) << 2 | u64::from(generation) << 3;
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

    /// The rank in a cluster, of which the lowest is replaced: empty, then ancient, then shallow.
    #[inline]
    fn rank(self, generation: u8) -> i32 {
        match self.bound() {
            None => -1,
            Some(_) => self.depth() + if self.generation() == generation { 256 } else { 0 },
        }
    }

    #[inline]
    fn with_generation(self, generation: u8) -> Packed {
        Packed(self.0 & !(0x1f << 59) | u64::from(generation) << 59)
    }

    /// Returns the entry, `None` for an empty slot.
    #[inline]
    fn unpack(self) -> Option<TtEntry> {
        let eval = (self.0 >> 32) as i16;
        Some(TtEntry {
            mv: Move::from_bits(self.0 as u16),
            value: Value::from((self.0 >> 16) as i16),
            eval: (eval != NO_EVAL).then_some(Value::from(eval)),
            depth: self.depth(),
            bound: self.bound()?,
            is_pv: self.0 >> 58 & 1 == 1,
        })
    }
}

/// The transposition table; see the [module](self).
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    clusters: Clusters,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// Allocates an empty table of `mb` MiB, cleared by this many threads.
    pub(crate) fn new(mb: usize, threads: usize) -> Result<TranspositionTable, OutOfMemory> {
        let clusters = Clusters::new(clusters_in(mb)?)?;
        let table = TranspositionTable { clusters, generation: AtomicU8::new(0) };
        table.clear(threads);
        Ok(table)
    }

    /// Clears the table and changes its size. If there is not enough memory, the table is cleared and keeps
    /// its size.
    pub(crate) fn resize(&mut self, mb: usize, threads: usize) -> Result<(), OutOfMemory> {
        let count = clusters_in(mb)?;
        let old_count = self.clusters.len();
        // Released first, as there may not be enough memory for both.
        self.clusters = Clusters::default();
        *self.generation.get_mut() = 0;
        match Clusters::new(count) {
            Ok(clusters) => {
                self.clusters = clusters;
                self.clear(threads);
                Ok(())
            }
            Err(error) => {
                // The old size fitted a moment ago. If another process has taken the memory since, a smaller
                // table is better than none.
                let mut count = old_count;
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

    /// Clears the table with this many threads.
    ///
    /// Writing to all of it also makes the system map the memory, which would otherwise slow down the first
    /// search.
    pub(crate) fn clear(&self, threads: usize) {
        let mut threads = threads.clamp(1, MAX_CLEARING_THREADS).min(self.clusters.len() / CLUSTERS_PER_MB);
        if threads > 1 && memory::check_threads(threads - 1, CLEARING_STACK_SIZE).is_err() {
            threads = 1;
        }
        let chunk_size = self.clusters.len().div_ceil(threads.max(1));
        let clear = |clusters: &[Cluster]| {
            clusters.as_flattened().iter().for_each(|slot| slot.store(0, Packed(0)));
        };
        thread::scope(|scope| {
            let mut chunks = self.clusters.as_slice().chunks(chunk_size);
            let first = chunks.next();
            for clusters in chunks {
                let thread = Builder::new().stack_size(CLEARING_STACK_SIZE);
                if thread.spawn_scoped(scope, move || clear(clusters)).is_err() {
                    clear(clusters);
                }
            }
            first.map(clear);
        });
        self.generation.store(0, Relaxed);
    }

    /// Makes every entry ancient; called before each search.
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

    /// Prefetches the cluster of a position that will be probed soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: Key) {
        prefetch(self.cluster(key));
    }

    /// Returns the entry of the position with this key at `ply`, and makes it current.
    #[inline]
    pub(crate) fn probe(&self, key: Key, ply: usize) -> Option<TtEntry> {
        let generation = self.generation();
        for slot in self.cluster(key) {
            let (slot_key, packed) = slot.load();
            if slot_key == key {
                let mut entry = packed.unpack()?;
                if packed.generation() != generation {
                    slot.store(key, packed.with_generation(generation));
                }
                entry.value = value_from_tt(entry.value, ply);
                return Some(entry);
            }
        }
        None
    }

    /// Stores the entry of the position with this key at `ply`. If it has no move, that of the old entry is
    /// kept. Of an entry that is much less deep than the old one only the move is stored.
    pub(crate) fn store(&self, key: Key, ply: usize, entry: &TtEntry) {
        let generation = self.generation();
        let mut entry = TtEntry { value: value_to_tt(entry.value, ply), ..*entry };

        let mut victim = None;
        for slot in self.cluster(key) {
            let (slot_key, packed) = slot.load();
            if slot_key == key {
                if let Some(old) = packed.unpack() {
                    let current = packed.generation() == generation;
                    let mv = entry.mv.or(old.mv);
                    if current && entry.bound != Bound::Exact && entry.depth + KEEP_DEPTH_MARGIN <= old.depth
                    {
                        // The newer move is the better one to try first.
                        entry = old;
                    }
                    entry.mv = mv;
                }
                victim = Some((slot, -1));
                break;
            }
            let rank = packed.rank(generation);
            if victim.is_none_or(|(_, lowest)| rank < lowest) {
                victim = Some((slot, rank));
            }
        }
        if let Some((slot, _)) = victim {
            slot.store(key, Packed::new(&entry, generation));
        }
    }

    /// Returns the share of current entries in thousandths, estimated from the first thousand entries.
    pub(crate) fn hashfull(&self) -> u32 {
        let generation = self.generation();
        let sample = &self.clusters.as_slice()[..self.clusters.len().min(1000 / CLUSTER_SIZE)];
        let current = sample
            .as_flattened()
            .iter()
            .filter(|slot| {
                let (_, packed) = slot.load();
                packed.bound().is_some() && packed.generation() == generation
            })
            .count();
        (current * 1000 / (sample.len() * CLUSTER_SIZE)) as u32
    }
}

fn clusters_in(mb: usize) -> Result<usize, OutOfMemory> {
    mb.checked_mul(CLUSTERS_PER_MB).filter(|&count| count > 0).ok_or(OutOfMemory)
}

/// Converts a mate or tablebase value from the distance to the root to the distance to a node at `ply`, which
/// is independent of the line that leads there.
#[inline]
fn value_to_tt(value: Value, ply: usize) -> Value {
    if is_win(value) {
        value + ply as Value
    } else if is_loss(value) {
        value - ply as Value
    } else {
        value
    }
}

/// The inverse of [`value_to_tt`].
#[inline]
fn value_from_tt(value: Value, ply: usize) -> Value {
    if is_win(value) {
        value - ply as Value
    } else if is_loss(value) {
        value + ply as Value
    } else {
        value
    }
}
