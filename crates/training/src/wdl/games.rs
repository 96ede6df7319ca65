//! Scores and results observed in games.

use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tabiya_core::notation::{CommentToken, GameResult, Next, PgnReader, TagToken};
use tabiya_core::{Board, Color, Move};
use tabiya_files::input;
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::pgn_comment::{Termination, reported_score};
use tabiya_movegen::{GameVisitor, Position, Replay, ReplayError};
use tabiya_uci_engine::InfoScore;

/// Minimum number of positions for a fit.
const MIN_POSITIONS: u64 = 1000;

/// Largest absolute score that is used, in centipawns. Beyond it, games are practically won.
const MAX_VALUE: i32 = 1000;
/// Tolerance of [`Observations::near`] for the value, in centipawns.
const NEAR_VALUE: i32 = 15;
/// Tolerance of [`Observations::near`] for the material.
const NEAR_MATERIAL: u32 = 6;

/// Numbers of positions that the side to move won, drew and lost.
pub(crate) type Counts = [u64; 3];

/// Observed results by value and material.
#[derive(Default)]
pub(crate) struct Observations {
    pub(crate) games: u64,
    /// Games that are left out, because they were lost on time, by an illegal move or by a crash.
    pub(crate) faults: u64,
    pub(crate) positions: u64,
    pub(crate) counts: BTreeMap<(i32, u32), Counts>,
}

impl Observations {
    /// Reads PGN files as `cargo xtask selfplay` writes them. `material` measures a board.
    ///
    /// # Errors
    /// If a file cannot be read, or there are too few positions.
    pub(crate) fn read(files: &[PathBuf], material: fn(&Board) -> u32) -> Result<Observations> {
        let mut observations = Observations::default();
        for path in files {
            let file = input::open(path).with_context(|| format!("cannot open {}", path.display()))?;
            let mut reader = PgnReader::new(file);
            let mut collector = Replay::new(Collector::new(&path.display().to_string(), material));
            while let Some(game) =
                reader.read_game(&mut collector).with_context(|| format!("cannot read {}", path.display()))?
            {
                observations.add(game.as_deref());
            }
        }
        ensure!(
            observations.positions >= MIN_POSITIONS,
            "{} have a score and a result (at least {MIN_POSITIONS} needed)",
            observations.size()
        );
        Ok(observations)
    }

    /// Number of positions and games, in words.
    pub(crate) fn size(&self) -> String {
        let left_out = match self.faults {
            0 => String::new(),
            faults => {
                format!(" ({faults} more, lost on time, by an illegal move or by a crash, are left out)")
            }
        };
        let (positions, games) = (counted(self.positions, "position"), counted(self.games, "game"));
        format!("{positions} from {games}{left_out}")
    }

    /// Adds a game; `None` is one that is left out.
    fn add(&mut self, game: Option<&[Observation]>) {
        let Some(game) = game else {
            self.faults += 1;
            return;
        };
        self.games += 1;
        self.positions += game.len() as u64;
        for observation in game {
            let counts = self.counts.entry((observation.value, observation.material)).or_default();
            counts[observation.result] += 1;
        }
    }

    /// Returns the number of positions near this value and material, and the frequencies of their results.
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
        (count, sum.map(|result_count| result_count as f64 / count.max(1) as f64))
    }
}

/// A position with an engine's score and the game result.
struct Observation {
    /// Score in centipawns, for the side to move.
    value: i32,
    material: u32,
    /// Result for the side to move: 0 for a win, 1 for a draw, 2 for a loss.
    result: usize,
}

/// Collects the scored positions of each game.
struct Collector {
    /// File name for messages.
    file: String,
    material: fn(&Board) -> u32,
    /// Side to move and material before the last move.
    last: Option<(Color, u32)>,
    /// Side to move, score and material of the positions of the current game.
    scored: Vec<(Color, i32, u32)>,
    result: GameResult,
    termination: Termination,
}

impl Collector {
    fn new(file: &str, material: fn(&Board) -> u32) -> Collector {
        Collector {
            file: file.to_owned(),
            material,
            last: None,
            scored: Vec::new(),
            result: GameResult::default(),
            termination: Termination::default(),
        }
    }
}

impl GameVisitor for Collector {
    /// `None` for a game that is left out.
    type Output = Option<Vec<Observation>>;

    fn begin_game(&mut self) {
        self.last = None;
        self.scored.clear();
        self.result = GameResult::default();
        self.termination = Termination::default();
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        match tag.name_bytes() {
            b"Result" => self.result = tag.value().parse().unwrap_or_default(),
            b"Termination" => self.termination = Termination::of_tag(&tag.value()),
            _ => {}
        }
        Next::Read
    }

    fn play(&mut self, position: &Position, _mv: Move) -> Next {
        self.last = Some((position.side_to_move(), (self.material)(position.board())));
        Next::Read
    }

    fn comment(&mut self, comment: CommentToken<'_>) {
        if let (Some((side, material)), Some(value)) = (self.last.take(), usable_score(comment.as_bytes())) {
            self.scored.push((side, value, material));
        }
    }

    fn result(&mut self, result: GameResult) {
        // The move text may lack the result; the tag has it too.
        if result != GameResult::Unknown {
            self.result = result;
        }
    }

    fn error(&mut self, error: ReplayError) -> Next {
        eprintln!("{}: {error}", self.file);
        Next::Read
    }

    fn end_game(&mut self, _last: &Position) -> Option<Vec<Observation>> {
        let winner = match self.result {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw => None,
            GameResult::Unknown => return Some(Vec::new()),
        };
        if self.termination == Termination::Fault {
            return None;
        }
        let result = |side| winner.map_or(1, |winner| if winner == side { 0 } else { 2 });
        let observation =
            |&(side, value, material): &_| Observation { value, material, result: result(side) };
        Some(self.scored.iter().map(observation).collect())
    }
}

/// Parses the score in a comment such as `+0.31/12 0.053s n=5021`, in centipawns. `None` for mates and scores
/// beyond [`MAX_VALUE`].
fn usable_score(comment: &[u8]) -> Option<i32> {
    match reported_score(comment)? {
        InfoScore::Centipawns(value) if value.abs() <= MAX_VALUE => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_search::tuning::WdlModel;

    #[test]
    fn parses_scores_in_comments() {
        assert_eq!(usable_score(b" +0.31/12 0.053s n=5021 "), Some(31));
        assert_eq!(usable_score(b"-9.99/3"), Some(-999));
        for none in ["book", "+M5/12 0.1s", "-12.00/3", "0.00/0 0.1s", "?", "", "checkmate", "NaN/2", "inf/2"]
        {
            assert_eq!(usable_score(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn collects_scored_positions_with_results() {
        let text = "[Result \"0-1\"]\n\n1. f3 {book} e5 { +0.50/3 } 2. g4 { -2.00/3 } Qh4# { +M1/1 } 0-1\n\n\
                    1. e4 { +0.20/1 } *\n\n1. e4 { +0.20/1 } 1/2-1/2\n\n\
                    [Termination \"time forfeit\"]\n\n1. e4 { +9.00/1 } 0-1\n";
        let mut reader = PgnReader::new(text.as_bytes());
        let mut collector = Replay::new(Collector::new("here", WdlModel::material));
        let mut observations = Observations::default();
        while let Some(game) = reader.read_game(&mut collector).expect("no input error") {
            observations.add(game.as_deref());
        }
        let expected = [((-200, 78), [0, 0, 1]), ((20, 78), [0, 1, 0]), ((50, 78), [1, 0, 0])];
        assert_eq!(observations.counts.into_iter().collect::<Vec<_>>(), expected);
        assert_eq!((observations.games, observations.faults, observations.positions), (3, 1, 3));
    }

    #[test]
    fn near_is_limited_in_value_and_material() {
        let mut observations = Observations::default();
        for (value, material, result) in [(0, 78, 0), (10, 75, 1), (10, 60, 2), (40, 78, 2)] {
            observations.add(Some(&[Observation { value, material, result }]));
        }
        assert_eq!(observations.near(0, 78), (2, [0.5, 0.5, 0.0]));
        assert_eq!(observations.near(900, 78), (0, [0.0; 3]));
    }
}
