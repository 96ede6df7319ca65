//! The data that a search thread keeps from one search to the next.

use crate::history::Histories;
use crate::pv::PvTable;
use crate::stack::Stack;
use tabiya_eval::Evaluate;

/// A thread's own evaluator, histories and per-ply arrays.
pub(crate) struct ThreadData {
    pub(crate) evaluator: Box<dyn Evaluate>,
    pub(crate) histories: Histories,
    pub(crate) stack: Stack,
    pub(crate) pv: PvTable,
}

impl ThreadData {
    pub(crate) fn new(evaluator: Box<dyn Evaluate>) -> ThreadData {
        ThreadData { evaluator, histories: Histories::new(), stack: Stack::new(), pv: PvTable::new() }
    }

    /// Forgets everything learnt from earlier searches.
    pub(crate) fn clear(&mut self) {
        self.histories.clear();
        self.evaluator.clear();
    }
}
