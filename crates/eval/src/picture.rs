//! Tables written the way a board is read.

use tabiya_core::Square;

/// Turns a board as it is read on the page (a8 first, h1 last) into a table by square index (a1
/// first, h8 last). It runs at compile time.
pub(crate) const fn by_square<T: Copy>(picture: [T; Square::COUNT]) -> [T; Square::COUNT] {
    let mut table = picture;
    let mut index = 0;
    while index < Square::COUNT {
        table[index] = picture[Square::wrapping(index as u8).flip_rank().index()];
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_entry_is_a8() {
        let mut picture = [0; 64];
        picture[0] = 1;
        picture[63] = 2;
        let table = by_square(picture);
        assert_eq!((table[Square::A8.index()], table[Square::H1.index()]), (1, 2));
        assert_eq!(table.iter().sum::<i32>(), 3);
    }
}
