//! Everything about a position except the pieces and keys.

use crate::{Bitboard, Color, Square};

/// Castling rights, side to move, en-passant square and counters: 16 bytes without padding, so that one SIMD move copies it.
#[derive(Clone, Copy)]
pub(super) struct State {
    /// The squares of the kings and rooks that have castling rights. A move loses a right exactly if it
    /// starts or ends on one of these squares, so a single test covers the common case.
    pub(super) castling: Bitboard,
    pub(super) turn: Turn,
}

const _: () = assert!(size_of::<State>() == 16);

/// Compares the full-move number as the accessor returns it: saturated.
impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        let counters = |turn: Turn| (turn.halfmove_clock(), turn.fullmove_number());
        self.castling == other.castling
            && self.turn.is_repetition_of(other.turn)
            && counters(self.turn) == counters(other.turn)
    }
}

impl Eq for State {}

/// The half-move clock (bits 0 to 15), the en-passant square (bits 16 to 21), whether there is one (bit 22), the side to move
/// (bit 23) and the full-move number (bits 24 to 63).
///
/// One addition passes the turn: the carry of the side to move increments the full-move number after each move by Black. As
/// separate fields they need three more stores, and the stores of a copied and played position bound its speed.
#[derive(Clone, Copy)]
pub(super) struct Turn(u64);

impl Turn {
    const CLOCK: u64 = 0xFFFF;
    /// The highest bit of the clock.
    const LARGE_CLOCK: u64 = 1 << 15;
    const EN_PASSANT_SHIFT: u32 = 16;
    const EN_PASSANT: u64 = 0x7F << Turn::EN_PASSANT_SHIFT;
    const HAS_EN_PASSANT: u64 = 1 << 22;
    const SIDE: u64 = 1 << 23;
    const FULLMOVE_SHIFT: u32 = 24;

    /// Creates the turn without an en-passant square.
    pub(super) const fn new(side_to_move: Color, halfmove_clock: u16, fullmove_number: u16) -> Turn {
        let number = (fullmove_number as u64) << Turn::FULLMOVE_SHIFT;
        let side = if matches!(side_to_move, Color::Black) { Turn::SIDE } else { 0 };
        Turn(number | side | halfmove_clock as u64)
    }

    #[inline]
    pub(super) const fn side_to_move(self) -> Color {
        if self.0 & Turn::SIDE == 0 { Color::White } else { Color::Black }
    }

    #[inline]
    pub(super) const fn en_passant(self) -> Option<Square> {
        if self.0 & Turn::HAS_EN_PASSANT != 0 {
            Some(Square::wrapping((self.0 >> Turn::EN_PASSANT_SHIFT) as u8))
        } else {
            None
        }
    }

    #[inline]
    pub(super) const fn halfmove_clock(self) -> u16 {
        self.0 as u16
    }

    /// The full-move number, saturating at 65535. It has 40 bits so that incrementing cannot overflow.
    #[inline]
    pub(super) const fn fullmove_number(self) -> u16 {
        let number = self.0 >> Turn::FULLMOVE_SHIFT;
        if number > u16::MAX as u64 { u16::MAX } else { number as u16 }
    }

    #[inline]
    pub(super) const fn with_en_passant(self, square: Option<Square>) -> Turn {
        let bits = match square {
            Some(square) => Turn::HAS_EN_PASSANT | (square as u64) << Turn::EN_PASSANT_SHIFT,
            None => 0,
        };
        Turn(self.0 & !Turn::EN_PASSANT | bits)
    }

    #[inline]
    pub(super) const fn with_clock_reset(self) -> Turn {
        Turn(self.0 & !Turn::CLOCK)
    }

    /// Returns true if there is an en-passant square, or the clock may be at its maximum. One test for both is cheaper than two.
    #[inline]
    pub(super) const fn is_exceptional(self) -> bool {
        self.0 & (Turn::HAS_EN_PASSANT | Turn::LARGE_CLOCK) != 0
    }

    /// Returns the turn with a clock of at most 65534, so that it does not overflow in [`next`](Turn::next).
    #[inline]
    pub(super) const fn with_clock_below_maximum(self) -> Turn {
        Turn(self.0 - (self.halfmove_clock() == u16::MAX) as u64)
    }

    /// Passes the turn to the other side and increments the counters. Leaves the en-passant square. The clock must be [below its
    /// maximum](Turn::with_clock_below_maximum).
    #[inline]
    pub(super) const fn next(self) -> Turn {
        Turn(self.0 + Turn::SIDE + 1)
    }

    /// Returns true if both have the same side to move and en-passant square.
    #[inline]
    pub(super) const fn is_repetition_of(self, other: Turn) -> bool {
        (self.0 ^ other.0) & (Turn::SIDE | Turn::EN_PASSANT) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turn_keeps_its_parts_apart() {
        let numbers = [0, 1, 2, 255, 256, 65534, 65535];
        for side in Color::ALL {
            for clock in numbers {
                for number in numbers {
                    let turn = Turn::new(side, clock, number);
                    for square in Square::ALL.map(Some).into_iter().chain([None]) {
                        let turn = turn.with_en_passant(square);
                        let parts = |turn: Turn| {
                            (
                                turn.side_to_move(),
                                turn.halfmove_clock(),
                                turn.fullmove_number(),
                                turn.en_passant(),
                            )
                        };
                        assert_eq!(parts(turn), (side, clock, number, square));
                        let next_number = number.saturating_add(side as u16);
                        let next = (!side, clock.saturating_add(1), next_number, square);
                        let passed = turn.with_clock_below_maximum().next();
                        assert_eq!(parts(passed), next);
                        assert_eq!(parts(passed.with_clock_reset()), (next.0, 0, next.2, next.3));
                        assert!(turn.is_exceptional() || (square.is_none() && turn.next().0 == passed.0));
                    }
                }
            }
        }
    }
}
