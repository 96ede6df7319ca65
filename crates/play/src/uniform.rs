//! Random numbers from a range.

use tabiya_core::Value;

/// Maps 64 random bits to a uniform number from `-limit` to `limit`.
pub(super) fn uniform(random: u64, limit: Value) -> Value {
    let span = 2 * u64::from(limit.unsigned_abs()) + 1;
    (random % span) as Value - limit
}
