//! The terms of the main evaluation, each in its own room, all of them for one side at a time.

pub(crate) mod danger;
pub(crate) mod material;
pub(crate) mod passed;
pub(crate) mod pawns;
pub(crate) mod pieces;
pub(crate) mod shelter;
pub(crate) mod space;
pub(crate) mod threats;
pub(crate) mod winnability;
