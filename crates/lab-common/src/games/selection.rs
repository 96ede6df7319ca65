//! Selection of training positions from games.

use super::record::GameError;
use super::{Replay, ScoredMove, score};
use crate::quiet::QuietRule;
use tabiya_core::SplitMix64;
use tabiya_movegen::Position;

/// The positions that are used for training. The default values are those of the command line.
#[derive(Clone, PartialEq, Debug, clap::Args)]
#[command(next_help_heading = "Selection")]
pub struct Selection {
    /// Keep positions that are not quiet, too
    #[arg(long)]
    pub every_ply: bool,
    /// Quiet positions
    #[arg(long, value_name = "RULE", default_value_t, value_enum)]
    pub quiet: QuietRule,
    /// Largest score for either side, in centipawns; mates are beyond every limit
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 3000, value_parser = clap::value_parser!(i16).range(1..=30_000))]
    pub max_score: i16,
    /// Plies from the start of the game before which positions are left out
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_ply: u32,
    /// Largest halfmove clock: the score fades towards the fifty-move rule, which the position does not show
    #[arg(long, value_name = "PLIES", default_value_t = 80)]
    pub max_clock: u16,
    /// Leave out positions where a side that did not win leads by more than this, in centipawns
    #[arg(long, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(i16).range(0..=30_000))]
    pub max_disagreement: Option<i16>,
    /// Score from which a position counts as decided, for --keep-decided
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 1000, value_parser = clap::value_parser!(i16).range(1..=30_000))]
    pub decided: i16,
    /// Percentage of the decided positions to keep
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u8).range(..=100))]
    pub keep_decided: u8,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection {
            every_ply: false,
            quiet: QuietRule::default(),
            max_score: 3000,
            min_ply: 0,
            max_clock: 80,
            max_disagreement: None,
            decided: 1000,
            keep_decided: 100,
        }
    }
}

impl Selection {
    /// Calls `visit` with the selected positions of a game, the index of the move played there, and that move. The game's identity
    /// decides which of the decided positions to keep.
    ///
    /// # Errors
    /// At the first illegal move.
    pub fn visit(
        &self,
        game: &Replay<'_>,
        identity: u64,
        mut visit: impl FnMut(&Position, usize, ScoredMove),
    ) -> Result<(), GameError> {
        let mut choice = self.choice(game, identity);
        game.play(|position, index, scored| {
            if choice.takes(position, index, scored) {
                visit(position, index, scored);
            }
        })
    }

    /// Returns the choice among the positions of a game.
    pub fn choice(&self, game: &Replay<'_>, identity: u64) -> Choice<'_> {
        Choice {
            selection: self,
            half_points: game.half_points,
            first_ply: game.first_ply(),
            random: SplitMix64::new(identity),
        }
    }

    fn accepts(&self, position: &Position, ply: u32, scored: ScoredMove, half_points: u8) -> bool {
        ply >= self.min_ply
            && self.accepts_score(position, scored.score, half_points)
            && (self.every_ply || (scored.mv.is_quiet() && self.quiet.accepts(position)))
    }

    fn accepts_score(&self, position: &Position, score: i16, half_points: u8) -> bool {
        !score::is_mate(score)
            && score.unsigned_abs() <= self.max_score.unsigned_abs()
            && position.board().halfmove_clock() <= self.max_clock
            && self.max_disagreement.is_none_or(|limit| disagreement(score, half_points) <= limit)
    }
}

/// The choice among the positions of one game. The positions must be given in order.
pub struct Choice<'a> {
    selection: &'a Selection,
    half_points: u8,
    first_ply: u32,
    /// Keeps the same decided positions whatever the other conditions are.
    random: SplitMix64,
}

impl Choice<'_> {
    /// Returns true if the next position of the game is selected.
    pub fn takes(&mut self, position: &Position, index: usize, scored: ScoredMove) -> bool {
        let ticket = self.random.below(100);
        let kept = scored.score.unsigned_abs() < self.selection.decided.unsigned_abs()
            || ticket < usize::from(self.selection.keep_decided);
        kept && self.selection.accepts(position, self.first_ply + index as u32, scored, self.half_points)
    }
}

/// Returns the lead of a side that did not win, in centipawns.
fn disagreement(score: i16, half_points: u8) -> i16 {
    match half_points {
        0 => score.max(0),
        1 => score.saturating_abs(),
        _ => score.saturating_neg().max(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::test_games::random_games;
    use crate::games::{EndReason, GameRecord, Origin};
    use crate::test_arguments;
    use tabiya_movegen::Game;

    fn parse(arguments: &[&str]) -> Selection {
        test_arguments::parse(arguments).unwrap()
    }

    #[test]
    fn defaults_are_those_of_the_command_line() {
        assert_eq!(parse(&[]), Selection::default());
    }

    /// A game of these moves with scores.
    fn game(fen: &str, half_points: u8, moves: &[(&str, i16)]) -> GameRecord {
        let start = Position::from_fen(fen).unwrap();
        let mut game = Game::from_position(start.clone());
        let moves = moves
            .iter()
            .map(|&(text, score)| ScoredMove { mv: game.play_uci(text).unwrap(), score })
            .collect();
        GameRecord { start, half_points, origin: Origin::Other, end_reason: EndReason::Other, moves }
    }

    fn scores_of(selection: &Selection, game: &GameRecord, identity: u64) -> Vec<i16> {
        let mut scores = Vec::new();
        let bytes = game.to_bytes();
        let visit = |_: &Position, _, scored: ScoredMove| scores.push(scored.score);
        selection.visit(&Replay::new(&bytes, 0).unwrap(), identity, visit).unwrap();
        scores
    }

    fn scores(selection: &Selection, game: &GameRecord) -> Vec<i16> {
        scores_of(selection, game, 7)
    }

    #[test]
    fn quiet_positions_are_selected() {
        // 2. ... exd4 and 3. Qxd4 are captures; 3. ... Nc6 attacks the queen, which is quiet after it moves; then a check.
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let moves =
            [("e2e4", 1), ("e7e5", 2), ("d2d4", 3), ("e5d4", 4), ("d1d4", 5), ("b8c6", 6), ("d4e3", 7)];
        let game = game(start, 1, &[&moves[..], &[("f8b4", 8), ("c2c3", 9)]].concat());
        let quiet = scores(&Selection::default(), &game);
        assert!(quiet.starts_with(&[1, 2]) && quiet.contains(&8), "{quiet:?}");
        assert!(![4, 5, 9].iter().any(|score| quiet.contains(score)), "{quiet:?}");
        assert_eq!(scores(&parse(&["--every-ply"]), &game), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(scores(&parse(&["--every-ply", "--min-ply", "6"]), &game), [7, 8, 9]);
    }

    #[test]
    fn scores_and_clock_are_limited() {
        let rooks = "4k3/8/8/8/8/8/8/R3K3 w - - 78 90";
        let moves = [("a1a2", 400), ("e8f8", -3001), ("a2a3", 3000), ("f8e8", -31_999), ("a3a4", 0)];
        let game = game(rooks, 1, &moves);
        assert_eq!(scores(&parse(&["--every-ply"]), &game), [400, 3000]);
        assert_eq!(
            scores(&parse(&["--every-ply", "--max-score", "30000", "--max-clock", "100"]), &game),
            [400, -3001, 3000, 0]
        );
        assert_eq!(scores(&parse(&["--every-ply", "--max-disagreement", "399"]), &game), [] as [i16; 0]);
        assert_eq!(scores(&parse(&["--every-ply", "--max-disagreement", "400"]), &game), [400]);
        assert_eq!(scores(&parse(&["--every-ply", "--keep-decided", "0"]), &game), [400]);
    }

    #[test]
    fn disagreement_is_the_lead_of_a_side_that_did_not_win() {
        for (score, half_points, expected) in
            [(300, 2, 0), (300, 1, 300), (300, 0, 300), (-300, 2, 300), (-300, 0, 0), (-300, 1, 300)]
        {
            assert_eq!(disagreement(score, half_points), expected);
        }
    }

    #[test]
    fn share_of_decided_positions_is_kept() {
        let all = Selection { every_ply: true, max_clock: 1000, ..Selection::default() };
        let some = Selection { keep_decided: 30, decided: 500, ..all.clone() };
        let mut counts = [0; 2];
        for (identity, game) in (0..).zip(random_games(60, 3)) {
            for (count, selection) in counts.iter_mut().zip([&all, &some]) {
                let scores = scores_of(selection, &game, identity);
                *count += scores.iter().filter(|score| score.abs() >= 500).count();
            }
        }
        let percent = 100 * counts[1] / counts[0];
        assert!((25..36).contains(&percent), "{counts:?}");
    }
}
