//! The values that were seen in games, and what became of them.

use std::collections::BTreeMap;
use tabiya_core::notation::{CommentToken, GameResult, Next, TagToken};
use tabiya_core::{Color, Move};
use tabiya_movegen::{GameVisitor, Position, ReplayError};
use tabiya_search::WdlModel;

/// Values beyond this say nothing any more: such games are won.
const LARGEST_VALUE: i32 = 1000;
/// How near a value, and how near the material, has to be to be counted as the one asked for.
const NEAR_VALUE: i32 = 15;
const NEAR_MATERIAL: u32 = 6;

/// How often the side to move has won, drawn and lost.
pub(super) type Counts = [u64; 3];

/// What has been seen, by value and material.
#[derive(Default)]
pub(super) struct Sightings {
    pub(super) games: u64,
    pub(super) positions: u64,
    pub(super) counts: BTreeMap<(i32, u32), Counts>,
}

impl Sightings {
    /// Adds a game.
    pub(super) fn add(&mut self, seen: &[Sighting]) {
        self.games += 1;
        self.positions += seen.len() as u64;
        for sighting in seen {
            let counts = self.counts.entry((sighting.value, sighting.material)).or_default();
            counts[sighting.result] += 1;
        }
    }

    /// How many positions there were with about this value and material, and the shares of their results.
    pub(super) fn near(&self, value: i32, material: u32) -> (u64, [f64; 3]) {
        let mut sum = [0; 3];
        for (&(other, other_material), counts) in
            self.counts.range((value - NEAR_VALUE, 0)..=(value + NEAR_VALUE, u32::MAX))
        {
            debug_assert!(other.abs_diff(value) <= NEAR_VALUE as u32);
            if other_material.abs_diff(material) <= NEAR_MATERIAL {
                (0..3).for_each(|result| sum[result] += counts[result]);
            }
        }
        let count: u64 = sum.iter().sum();
        (count, sum.map(|times| times as f64 / count.max(1) as f64))
    }
}

/// A position that an engine has judged.
pub(super) struct Sighting {
    /// In centipawns, for the side to move.
    value: i32,
    material: u32,
    /// 0 where the side to move won in the end, 1 where the game was drawn, 2 where it lost.
    result: usize,
}

/// Gathers the judged positions of one game after the other.
pub(super) struct Collector {
    /// For messages.
    file: String,
    /// The position before the last move: who moved, and the material.
    last: Option<(Color, u32)>,
    judged: Vec<(Color, i32, u32)>,
    result: GameResult,
}

impl Collector {
    pub(super) fn new(file: &str) -> Collector {
        Collector { file: file.to_owned(), last: None, judged: Vec::new(), result: GameResult::default() }
    }
}

impl GameVisitor for Collector {
    type Output = Vec<Sighting>;

    fn begin_game(&mut self) {
        self.last = None;
        self.judged.clear();
        self.result = GameResult::default();
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        if tag.name_bytes() == b"Result" {
            self.result = tag.value().parse().unwrap_or_default();
        }
        Next::Read
    }

    fn play(&mut self, position: &Position, _mv: Move) -> Next {
        self.last = Some((position.side_to_move(), WdlModel::material(position.board())));
        Next::Read
    }

    fn comment(&mut self, comment: CommentToken<'_>) {
        if let (Some((side, material)), Some(value)) = (self.last.take(), value_in(&comment.text())) {
            self.judged.push((side, value, material));
        }
    }

    fn result(&mut self, result: GameResult) {
        // Where it is missing, the tag has it.
        if result != GameResult::Unknown {
            self.result = result;
        }
    }

    fn error(&mut self, error: ReplayError) -> Next {
        eprintln!("{}: {error}", self.file);
        Next::Skip
    }

    fn end_game(&mut self, _last: &Position) -> Vec<Sighting> {
        let winner = match self.result {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw => None,
            GameResult::Unknown => return Vec::new(),
        };
        let result = |side| winner.map_or(1, |winner| if winner == side { 0 } else { 2 });
        self.judged
            .iter()
            .map(|&(side, value, material)| Sighting { value, material, result: result(side) })
            .collect()
    }
}

/// The value in a comment such as `+0.31/12 0.053s n=5021`, in centipawns; none for mates and what is won
/// anyway.
fn value_in(comment: &str) -> Option<i32> {
    let (score, _) = comment.trim().split_once('/')?;
    let value = (score.parse::<f64>().ok()? * 100.0).round();
    (value.abs() <= f64::from(LARGEST_VALUE)).then_some(value as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::notation::PgnReader;
    use tabiya_movegen::Replay;

    #[test]
    fn values_are_read_from_comments() {
        assert_eq!(value_in(" +0.31/12 0.053s n=5021 "), Some(31));
        assert_eq!(value_in("-9.99/3"), Some(-999));
        for none in ["book", "+M5/12 0.1s", "-12.00/3", "?", "", "checkmate", "NaN/2", "inf/2"] {
            assert_eq!(value_in(none), None, "{none}");
        }
    }

    #[test]
    fn games_become_sightings() {
        let text = "[Result \"0-1\"]\n\n1. f3 {book} e5 { +0.50/3 } 2. g4 { -2.00/3 } Qh4# { +M1/1 } 0-1\n\n\
                    1. e4 { +0.20/1 } *\n\n1. e4 { +0.20/1 } 1/2-1/2\n";
        let mut reader = PgnReader::new(text.as_bytes());
        let mut collector = Replay::new(Collector::new("here"));
        let mut sightings = Sightings::default();
        while let Some(seen) = reader.read_game(&mut collector).expect("no input error") {
            sightings.add(&seen);
        }
        let expected = [((-200, 78), [0, 0, 1]), ((20, 78), [0, 1, 0]), ((50, 78), [1, 0, 0])];
        assert_eq!(sightings.counts.into_iter().collect::<Vec<_>>(), expected);
        assert_eq!((sightings.games, sightings.positions), (3, 3));
    }

    #[test]
    fn near_is_not_far() {
        let mut sightings = Sightings::default();
        for (value, material, result) in [(0, 78, 0), (10, 75, 1), (10, 60, 2), (40, 78, 2)] {
            sightings.add(&[Sighting { value, material, result }]);
        }
        assert_eq!(sightings.near(0, 78), (2, [0.5, 0.5, 0.0]));
        assert_eq!(sightings.near(900, 78), (0, [0.0; 3]));
    }
}
