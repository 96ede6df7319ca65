//! Openings from games of `datagen`.

use tabiya_core::SplitMix64;
use tabiya_lab_common::games::{GameRecord, Origin, ply};
use tabiya_movegen::{Game, Position};

/// Returns true for games from a start position of Chess960 or double Chess960, or with castling that chess does not have.
pub(super) fn is_chess960(record: &GameRecord) -> bool {
    let is_standard = matches!(record.origin, Origin::Standard | Origin::Other);
    !is_standard || !record.start.board().has_standard_castling()
}

/// Returns the opening of a game, if it is usable: its position at a ply in the range that depends on the identity of the
/// game.
pub(super) fn candidate(record: &GameRecord, identity: u64, plies: (u32, u32)) -> Option<Game> {
    let (first, last) = plies;
    let first = first.max(record.first_ply());
    let span = last.checked_sub(first)? + 1;
    let chosen = first + SplitMix64::new(identity).below(span as usize) as u32;
    let mut candidate: Option<Position> = None;
    record.visit(|position, _, _| {
        if ply(position) == chosen && !position.in_check() {
            candidate = Some(position.clone());
        }
    });
    // An opening begins at move 1.
    let mut builder = candidate?.to_builder();
    (builder.halfmove_clock, builder.fullmove_number) = (0, 1);
    Position::from_builder(&builder).ok().map(Game::from_position)
}
