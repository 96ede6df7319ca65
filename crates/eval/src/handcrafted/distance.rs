//! King distances between squares, from a table: the evaluation needs a dozen per position.

use tabiya_core::Square;

/// The king distance between two squares: the larger of the distances between their files and their ranks.
#[inline(always)]
pub(super) fn distance(from: Square, to: Square) -> i32 {
    static DISTANCES: [[u8; Square::COUNT]; Square::COUNT] = distances();
    i32::from(DISTANCES[from.index()][to.index()])
}

const fn distances() -> [[u8; Square::COUNT]; Square::COUNT] {
    let mut distances = [[0; Square::COUNT]; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut to = 0;
        while to < Square::COUNT {
            let files = (from as u8 % 8).abs_diff(to as u8 % 8);
            let ranks = (from as u8 / 8).abs_diff(to as u8 / 8);
            distances[from][to] = if files > ranks { files } else { ranks };
            to += 1;
        }
        from += 1;
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_agrees_with_square_distance() {
        for from in Square::ALL {
            for to in Square::ALL {
                assert_eq!(distance(from, to), i32::from(from.distance(to)));
            }
        }
    }
}
