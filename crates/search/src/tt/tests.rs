//! Tests of the transposition table.

use super::*;
use crate::window::is_cutoff;
use tabiya_core::{MATE_IN_MAX_PLY, MAX_PLY, MoveKind, Square, mate_in, mated_in};

const MV: Move = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);

fn table() -> TranspositionTable {
    TranspositionTable::new(1, 2).expect("enough memory")
}

fn entry(depth: i32) -> TtEntry {
    TtEntry { mv: Some(MV), value: 17, eval: Some(-3), depth, bound: Bound::Lower, is_pv: false }
}

/// Returns the `n`-th of many keys that share a cluster.
fn key(n: u64) -> Key {
    0x1234_5678_0000_0000 + n
}

/// Returns which of the first `count` keys are in the table, and makes their entries current.
fn stored(table: &TranspositionTable, count: u64) -> Vec<u64> {
    (0..count).filter(|&n| table.probe(key(n), 0).is_some()).collect()
}

#[test]
fn table_has_the_requested_size() {
    assert_eq!(table().clusters.len(), (1 << 20) / 64);
}

#[test]
fn entries_survive_the_round_trip() {
    let table = table();
    let mut n = 0;
    for mv in [None, Some(MV), Move::from_bits(0xffff)] {
        for value in [0, 1, -1, 31_000, -31_000, MATE_IN_MAX_PLY, -MATE_IN_MAX_PLY, mate_in(0), mated_in(0)] {
            for eval in [None, Some(0), Some(-31_749), Some(31_749)] {
                for depth in [0, 1, 249, 255] {
                    for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                        let entry = TtEntry { mv, value, eval, depth, bound, is_pv: depth > 3 };
                        n += 1;
                        let key = key(n).rotate_right(n as u32);
                        table.store(key, 0, &entry);
                        assert_eq!(table.probe(key, 0), Some(entry));
                    }
                }
            }
        }
    }
    assert_eq!(table.probe(key(0), 0), None);
    assert_eq!(table.probe(0, 0), None);
}

#[test]
fn every_key_has_a_cluster() {
    for mb in [1, 3, 7] {
        let table = TranspositionTable::new(mb, 2).expect("enough memory");
        for key in [0, 1, u64::MAX, u64::MAX >> 1, 1 << 63] {
            table.store(key, 0, &entry(1));
            assert!(table.probe(key, 0).is_some(), "{key:#x}");
        }
    }
}

#[test]
fn prefetch_accepts_any_key() {
    let table = table();
    table.store(key(0), 0, &entry(1));
    for key in [key(0), 0, u64::MAX] {
        table.prefetch(key);
    }
    assert_eq!(table.probe(key(0), 0), Some(entry(1)));
}

#[test]
fn replaces_empty_slots_first_then_the_shallowest() {
    let table = table();
    for (n, depth) in [(0, 5), (1, 2), (2, 9), (3, 4)] {
        table.store(key(n), 0, &entry(depth));
    }
    assert_eq!(stored(&table, 10), [0, 1, 2, 3]);
    table.store(key(4), 0, &entry(1));
    assert_eq!(stored(&table, 10), [0, 2, 3, 4], "depth 2 was the shallowest");
    table.store(key(5), 0, &entry(3));
    assert_eq!(stored(&table, 10), [0, 2, 3, 5], "depth 1 was the shallowest");
}

#[test]
fn replaces_ancient_entries_before_current_ones() {
    let table = table();
    for (n, depth) in [(0, 50), (1, 40)] {
        table.store(key(n), 0, &entry(depth));
    }
    table.new_generation();
    for (n, depth) in [(2, 3), (3, 2)] {
        table.store(key(n), 0, &entry(depth));
    }
    table.store(key(4), 0, &entry(1));
    table.store(key(5), 0, &entry(1));
    assert_eq!(stored(&table, 10), [2, 3, 4, 5], "the ancient ones, regardless of depth");
}

#[test]
fn replaces_the_shallowest_ancient_entry() {
    let table = table();
    for (n, depth) in [(0, 8), (1, 6), (2, 7), (3, 9)] {
        table.store(key(n), 0, &entry(depth));
    }
    table.new_generation();
    table.store(key(4), 0, &entry(1));
    table.store(key(5), 0, &entry(1));
    assert_eq!(stored(&table, 10), [0, 3, 4, 5]);
}

#[test]
fn probe_makes_an_entry_current() {
    let table = table();
    for n in 0..4 {
        table.store(key(n), 0, &entry(10 + n as i32));
    }
    table.new_generation();
    assert!(table.probe(key(0), 0).is_some());
    for n in 4..7 {
        table.store(key(n), 0, &entry(12));
    }
    assert_eq!(stored(&table, 10), [0, 4, 5, 6], "the shallowest is current, since it was probed");
}

#[test]
fn position_has_one_entry() {
    let table = table();
    let bound = |depth| TtEntry { value: depth, ..entry(depth) };
    table.store(key(0), 0, &bound(5));
    table.store(key(0), 0, &bound(6));
    assert_eq!(table.probe(key(0), 0), Some(bound(6)));
    // A slightly shallower bound replaces the entry; a much shallower one only if it is exact or the entry is
    // ancient.
    table.store(key(0), 0, &bound(3));
    assert_eq!(table.probe(key(0), 0), Some(bound(3)));
    table.store(key(0), 0, &bound(9));
    table.store(key(0), 0, &bound(5));
    assert_eq!(table.probe(key(0), 0), Some(bound(9)));
    let exact = TtEntry { bound: Bound::Exact, ..bound(1) };
    table.store(key(0), 0, &exact);
    assert_eq!(table.probe(key(0), 0), Some(exact));
    table.store(key(0), 0, &bound(9));
    table.new_generation();
    table.store(key(0), 0, &bound(2));
    assert_eq!(table.probe(key(0), 0), Some(bound(2)));
    // The move is kept until there is another.
    table.store(key(0), 0, &TtEntry { mv: None, ..bound(4) });
    assert_eq!(table.probe(key(0), 0), Some(bound(4)));
}

#[test]
fn generations_wrap_around() {
    let table = table();
    table.store(key(0), 0, &entry(1));
    for _ in 0..2 * u32::from(GENERATIONS) {
        table.new_generation();
        assert_eq!(table.hashfull(), 0, "not probed, hence ancient");
        assert!(table.generation() < GENERATIONS);
        table.store(key(0), 0, &entry(1));
    }
}

#[test]
fn mates_and_tablebase_wins_count_from_the_position() {
    let table = table();
    // A mate nine plies from the root, stored at ply 4: five plies away.
    let tb_win = |ply: Value| MATE_IN_MAX_PLY - 1 - ply;
    for (value, elsewhere) in [
        (mate_in(9), mate_in(7)),
        (mated_in(9), mated_in(7)),
        (tb_win(6), tb_win(4)),
        (-tb_win(6), -tb_win(4)),
        (250, 250),
    ] {
        table.store(key(0), 4, &TtEntry { value, ..entry(1) });
        let probe = |ply| table.probe(key(0), ply).map(|entry| entry.value);
        assert_eq!(probe(4), Some(value));
        assert_eq!(probe(2), Some(elsewhere));
    }
    let deepest = MAX_PLY as usize - 1;
    for value in [mated_in(MAX_PLY - 1), mate_in(MAX_PLY)] {
        table.store(key(0), deepest, &TtEntry { value, ..entry(1) });
        assert_eq!(table.probe(key(0), deepest).map(|entry| entry.value), Some(value));
    }
}

#[test]
fn eval_only_entry_never_cuts_off() {
    let table = table();
    for ply in [0, 1, MAX_PLY as usize - 1] {
        table.store(key(0), ply, &TtEntry::eval_only(-31, true));
        let entry = table.probe(key(0), ply).expect("an entry");
        assert_eq!(entry, TtEntry::eval_only(-31, true));
        for (alpha, beta) in
            [(-INFINITE, INFINITE), (-INFINITE, 1 - INFINITE), (INFINITE - 1, INFINITE), (0, 1)]
        {
            assert!(!is_cutoff(entry.value, entry.bound, alpha, beta), "{alpha} {beta}");
        }
    }
}

#[test]
fn eval_only_entry_never_cuts_off_at_a_higher_ply() {
    let table = table();
    table.store(key(0), 0, &TtEntry::eval_only(-31, true));
    for ply in 1..MAX_PLY {
        // The lowest possible window at this ply.
        let worst = mated_in(ply);
        let entry = table.probe(key(0), ply as usize).expect("an entry");
        assert!(!is_cutoff(entry.value, entry.bound, worst, worst + 1), "{ply}");
    }
}

#[test]
fn hashfull_counts_current_entries() {
    let mut table = table();
    assert_eq!(table.hashfull(), 0);
    // Keys that spread evenly over all clusters, one per slot.
    let slots = table.clusters.len() as u64 * CLUSTER_SIZE as u64;
    for n in 0..slots / 2 {
        table.store((2 * n) * (u64::MAX / slots), 0, &entry(1));
    }
    assert!((490..=510).contains(&table.hashfull()), "{}", table.hashfull());
    table.new_generation();
    assert_eq!(table.hashfull(), 0);
    for n in 0..slots {
        table.store(n * (u64::MAX / slots), 0, &entry(1));
    }
    assert!(table.hashfull() > 990, "{}", table.hashfull());
    table.clear(2);
    assert_eq!((table.hashfull(), table.probe(0, 0)), (0, None));
    table.store(key(0), 0, &entry(1));
    assert_eq!(table.resize(2, 2), Ok(()));
    assert_eq!((table.clusters.len(), table.probe(key(0), 0)), (1 << 15, None));
}

#[test]
fn oversized_table_is_an_error() {
    for mb in [usize::MAX, usize::MAX >> 20, usize::MAX >> 21, 0] {
        assert_eq!(TranspositionTable::new(mb, 2).err(), Some(OutOfMemory));
        let mut table = table();
        assert_eq!(table.resize(mb, 2), Err(OutOfMemory));
        assert_eq!(table.clusters.len(), 1 << 14, "the old size");
        table.store(key(0), 0, &entry(1));
        assert!(table.probe(key(0), 0).is_some());
    }
}

/// Threads that write to the same few slots never see an entry that none of them has written.
#[test]
fn torn_entries_are_not_found() {
    // Fewer under Miri, which is slow.
    const ROUNDS: u64 = if cfg!(miri) { 300 } else { 100_000 };
    let table = table();
    let written = |key: Key, round: u64| {
        let mixed = (key ^ (round % 7)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        TtEntry {
            mv: Move::from_bits(mixed as u16 | 1),
            value: (mixed >> 16) as i32 % 30_000,
            eval: Some((mixed >> 40) as i32 % 30_000),
            depth: (mixed >> 56) as i32,
            // Exact, so that it always replaces.
            bound: Bound::Exact,
            is_pv: mixed & 1 << 30 != 0,
        }
    };
    let hits: usize = thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|thread: u64| {
                let table = &table;
                scope.spawn(move || {
                    let mut hits = 0;
                    for round in 0..ROUNDS {
                        // Six keys for four slots.
                        let key = key((round * (2 * thread + 1)) % 6);
                        if let Some(entry) = table.probe(key, 0) {
                            hits += 1;
                            assert!((0..7).any(|round| written(key, round) == entry), "{entry:?}");
                        }
                        table.store(key, 0, &written(key, round + thread));
                        if round % 1000 == 0 {
                            table.new_generation();
                        }
                    }
                    hits
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no torn entry")).sum()
    });
    assert!(hits as u64 > ROUNDS / 10, "{hits} hits");
}
