//! How many steps of a king there are between two squares, looked up: it is asked a dozen times a position.

use tabiya_core::Square;

/// The distance of two squares: the larger of the distances of their files and ranks.
#[inline(always)]
pub(crate) fn distance(from: Square, to: Square) -> i32 {
    static STEPS: [[u8; Square::COUNT]; Square::COUNT] = steps();
    i32::from(STEPS[from.index()][to.index()])
}

const fn steps() -> [[u8; Square::COUNT]; Square::COUNT] {
    let mut steps = [[0; Square::COUNT]; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut to = 0;
        while to < Square::COUNT {
            let files = (from as u8 % 8).abs_diff(to as u8 % 8);
            let ranks = (from as u8 / 8).abs_diff(to as u8 / 8);
            steps[from][to] = if files > ranks { files } else { ranks };
            to += 1;
        }
        from += 1;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_the_squares_say() {
        for from in Square::ALL {
            for to in Square::ALL {
                assert_eq!(distance(from, to), i32::from(from.distance(to)));
            }
        }
    }
}
