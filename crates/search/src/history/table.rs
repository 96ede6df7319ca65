//! The history table and its update with gravity.

use super::HISTORY_MAX;
use crate::memory::OutOfMemory;

/// Adds a bonus to an entry between `-max` and `max`. The bonus counts less the closer the entry is to that end
/// of the range.
#[inline]
pub(super) fn add_with_gravity(entry: &mut i16, bonus: i32, max: i32) {
    let old = i32::from(*entry);
    let bonus = bonus.clamp(-max, max);
    *entry = (old + bonus - old * bonus.abs() / max) as i16;
}

/// A table of history scores from `-HISTORY_MAX` to [`HISTORY_MAX`].
#[derive(Debug)]
pub(super) struct HistoryTable<const COLUMNS: usize> {
    rows: Box<[[i16; COLUMNS]]>,
}

impl<const COLUMNS: usize> HistoryTable<COLUMNS> {
    /// Allocates a table, in memory that the system provides on first use.
    pub(super) fn new(rows: usize) -> Result<HistoryTable<COLUMNS>, OutOfMemory> {
        let rows = bytemuck::try_zeroed_slice_box(rows).map_err(|()| OutOfMemory)?;
        Ok(HistoryTable { rows })
    }

    pub(super) fn clear(&mut self) {
        self.rows.as_flattened_mut().fill(0);
    }

    #[inline]
    pub(super) fn get(&self, row: usize, column: usize) -> i32 {
        i32::from(self.rows[row][column])
    }

    #[inline]
    pub(super) fn row(&self, row: usize) -> &[i16; COLUMNS] {
        &self.rows[row]
    }

    /// Adds a bonus to a score, with gravity.
    #[inline]
    pub(super) fn update(&mut self, row: usize, column: usize, bonus: i32) {
        add_with_gravity(&mut self.rows[row][column], bonus, HISTORY_MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stay_in_range() {
        let mut table = HistoryTable::<2>::new(3).expect("enough memory");
        for _ in 0..1000 {
            table.update(1, 0, 3000);
            table.update(1, 1, i32::MIN / 2);
        }
        assert!((HISTORY_MAX - 10..=HISTORY_MAX).contains(&table.get(1, 0)));
        assert_eq!((table.get(1, 1), table.get(2, 1)), (-HISTORY_MAX, 0));
        table.clear();
        assert_eq!(table.get(1, 0), 0);
    }
}
