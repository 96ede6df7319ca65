//! The data that a search thread keeps from one search to the next.

use crate::history::Histories;
use crate::memory::{self, OutOfMemory};
use crate::picker::PickerMemory;
use crate::pv::PvTable;
use crate::stack::Stack;
use tabiya_eval::Evaluate;

/// A thread's own evaluator, histories and per-ply arrays.
pub(crate) struct ThreadData {
    pub(crate) evaluator: Box<dyn Evaluate>,
    pub(crate) histories: Histories,
    pub(crate) stack: Stack,
    pub(crate) pv: PvTable,
    pub(crate) picker_memory: PickerMemory,
    /// True if nothing has been learnt since the data were created or cleared.
    is_clear: bool,
}

impl ThreadData {
    /// Allocates the data of a thread with the evaluator that `make_evaluator` returns.
    pub(crate) fn new(make_evaluator: &dyn Fn() -> Box<dyn Evaluate>) -> Result<ThreadData, OutOfMemory> {
        let histories = Histories::allocate()?;
        // The allocations below are small, but abort the process if they fail.
        memory::check_reserve()?;
        Ok(ThreadData {
            evaluator: make_evaluator(),
            histories,
            stack: Stack::new(),
            pv: PvTable::new(),
            picker_memory: PickerMemory::new(),
            is_clear: true,
        })
    }

    /// Notes that a search is about to fill the data.
    pub(crate) fn begin_search(&mut self) {
        self.is_clear = false;
    }

    /// Forgets everything learnt from earlier searches. Does not touch the memory of a thread that has not searched since
    /// it was last cleared, like most threads if there are many more of them than processors.
    pub(crate) fn clear(&mut self) {
        if !self.is_clear {
            self.histories.clear();
            self.evaluator.clear();
            self.is_clear = true;
        }
    }
}
