//! The lines of an xboard engine (Chess Engine Communication Protocol, version 2).
//!
//! Source: Tim Mann and H.G. Muller, "Chess Engine Communication Protocol".

mod features;

pub use features::{Assignment, AssignmentError, Features, assignments};

use crate::{Info, InfoScore};
use std::time::Duration;

/// The score of a mate in 0 moves.
const MATE: i64 = 100_000;

/// Reads a line of thinking output, `PLY SCORE TIME NODES PV`; `None` if a field is not a number. The PV is left out: its notation is
/// the engine's own.
///
/// Time is in centiseconds. A character behind the ply, as GNU Chess writes it, means that it is in seconds.
pub fn thinking(line: &str) -> Option<Info> {
    let mut words = line.split_ascii_whitespace();
    let ply = words.next()?;
    let digits = ply.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = if digits == ply { 10 } else { 1000 };
    let depth = digits.parse().ok()?;
    let score: i64 = words.next()?.parse().ok()?;
    let time: u64 = words.next()?.parse().ok()?;
    let nodes = words.next()?.parse().ok()?;
    let score = match score.saturating_abs() - MATE {
        // Only the side to move can be mated already.
        moves @ 0.. if score > 0 => InfoScore::Mate(i32::try_from(moves.max(1)).ok()?),
        moves @ 0.. => InfoScore::Mate(i32::try_from(-moves).ok()?),
        _ => InfoScore::Centipawns(i32::try_from(score).ok()?),
    };
    let time = Some(Duration::from_millis(time.saturating_mul(unit)));
    Some(Info { depth: Some(depth), score: Some(score), nodes: Some(nodes), time, ..Info::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_thinking_output() {
        let info = thinking("  9 156 1084 48000 Nf3 Nc6").unwrap();
        assert_eq!((info.depth, info.nodes), (Some(9), Some(48_000)));
        assert_eq!(info.score, Some(InfoScore::Centipawns(156)));
        assert_eq!(info.time, Some(Duration::from_millis(10_840)));
        assert_eq!(thinking("3& 5 2 77 d1d2").unwrap().time, Some(Duration::from_secs(2)));
        assert_eq!(thinking("7 100003 1 2\tQh7#").unwrap().score, Some(InfoScore::Mate(3)));
        assert_eq!(thinking("7 -100004 1 2").unwrap().score, Some(InfoScore::Mate(-4)));
        for (score, mate) in [(100_000, 1), (-100_000, 0)] {
            let info = thinking(&format!("7 {score} 1 2")).unwrap();
            assert_eq!(info.score, Some(InfoScore::Mate(mate)), "{score}");
        }
        for line in ["", "move e2e4", "9 1.5 1 2 e4", "9 1 2", "x 1 2 3", "9 99999999999999999999 1 2"] {
            assert_eq!(thinking(line), None, "{line}");
        }
        for line in ["0-1 {Black mates}", "9 x 1 2", "Hint: e7e5"] {
            assert_eq!(thinking(line), None, "{line}");
        }
    }
}
