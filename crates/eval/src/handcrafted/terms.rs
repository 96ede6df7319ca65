//! The terms of the evaluation. Each is computed for one side, from its point of view.

pub(super) mod complexity;
pub(super) mod king_safety;
pub(super) mod material;
pub(super) mod passed;
pub(super) mod pawns;
pub(super) mod pieces;
pub(super) mod shelter;
pub(super) mod space;
pub(super) mod threats;
