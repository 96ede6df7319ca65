//! Termination of games: rules of chess, adjudication and faults.
//!
//! Besides the rules of chess, [`Adjudicator`] ends games whose result is clear, and an engine that breaks
//! the protocol or the rules loses by a [`Fault`].

use std::fmt;
use std::process::ExitStatus;
use std::str::FromStr;
use std::time::Duration;
use tabiya_core::{Board, Color};
use tabiya_movegen::{DrawReason, Outcome};

/// Adjudication rules of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Adjudication {
    /// Draw adjudication.
    pub draw: Option<DrawRule>,
    /// Win adjudication.
    pub resign: Option<ResignRule>,
    /// Maximum number of moves, opening included but not those before a start position in FEN; the game is then a draw.
    pub max_moves: Option<u32>,
}

/// Draw adjudication: from move `from_move` on, the game is a draw if both engines report scores within
/// ±`score` for `moves` consecutive moves of both sides, of which only the first may be a capture or pawn move: after such
/// a move, earlier scores say little. fastchess has the same rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct DrawRule {
    /// First move at which the rule applies, counted as for [`Adjudication::max_moves`].
    pub from_move: u32,
    /// Number of consecutive moves.
    pub moves: u32,
    /// Maximum absolute score, in centipawns.
    pub score: i32,
}

/// Win adjudication: the game ends if both engines agree for `moves` consecutive moves that the same
/// side leads by at least `score`. If the rule is one-sided, the scores of the losing engine suffice, for `moves` of its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct ResignRule {
    /// Number of consecutive moves.
    pub moves: u32,
    /// Minimum lead, in centipawns.
    pub score: i32,
    /// True if the score of the losing engine alone counts. Left out of files if false, as in files of earlier versions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_sided: bool,
}

/// The word after a resign rule that makes it one-sided.
const ONE_SIDED: &str = "one-sided";

impl FromStr for DrawRule {
    type Err = String;

    fn from_str(text: &str) -> Result<DrawRule, String> {
        match numbers(text).as_deref() {
            Some(&[from_move, moves, score]) if moves > 0 && score <= 10_000 => {
                Ok(DrawRule { from_move, moves, score: score.cast_signed() })
            }
            _ => Err(format!(
                "{text:?} is not a draw rule: expected from-move,moves,centipawns, as in 34,8,20"
            )),
        }
    }
}

impl FromStr for ResignRule {
    type Err = String;

    fn from_str(text: &str) -> Result<ResignRule, String> {
        let (rule, one_sided) = match text.rsplit_once(',') {
            Some((rule, last)) if last.trim() == ONE_SIDED => (rule, true),
            _ => (text, false),
        };
        match numbers(rule).as_deref() {
            Some(&[moves, score @ 1..=10_000]) if moves > 0 => {
                Ok(ResignRule { moves, score: score.cast_signed(), one_sided })
            }
            _ => Err(format!(
                "{text:?} is not a resign rule: expected moves,centipawns[,{ONE_SIDED}], as in 3,600"
            )),
        }
    }
}

/// In the form that is parsed.
impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DrawRule { from_move, moves, score } = self;
        write!(f, "{from_move},{moves},{score}")
    }
}

/// In the form that is parsed.
impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ResignRule { moves, score, one_sided } = self;
        write!(f, "{moves},{score}")?;
        if *one_sided { write!(f, ",{ONE_SIDED}") } else { Ok(()) }
    }
}

fn numbers(text: &str) -> Option<Vec<u32>> {
    text.split(',').map(|number| number.trim().parse().ok()).collect()
}

/// Applies the adjudication rules to one game.
pub struct Adjudicator<'a> {
    rules: &'a Adjudication,
    /// Full-move number of the start position, before the opening's moves.
    first_move: u32,
    /// Consecutive plies with a score within the draw rule.
    drawn: u32,
    /// Consecutive plies for which White (positive) or Black (negative) has led.
    ahead: i64,
    /// Consecutive moves at which White and Black reported a lost game.
    lost: [u32; 2],
}

impl<'a> Adjudicator<'a> {
    /// Creates an adjudicator for a new game. `first_move` is the full-move number of its start position, before the opening's moves.
    pub fn new(rules: &'a Adjudication, first_move: u16) -> Adjudicator<'a> {
        Adjudicator { rules, first_move: u32::from(first_move), drawn: 0, ahead: 0, lost: [0; 2] }
    }

    /// Records a move that led to `after`, with the score that the engine reported, from its own point of view, and returns
    /// the ending if a rule applies. A move without a score resets the counters.
    pub fn update(&mut self, after: &Board, score: Option<i32>) -> Option<Ending> {
        let side = !after.side_to_move();
        let move_number = u32::from(after.fullmove_number()) - u32::from(side == Color::Black);
        // The move of the game: a FEN may have any move number.
        let move_number = (move_number + 1).saturating_sub(self.first_move);
        if let Some(rule) = self.rules.draw {
            if after.halfmove_clock() == 0 {
                self.drawn = 0;
            }
            let within_rule = score.is_some_and(|score| score.abs() <= rule.score);
            self.drawn = if within_rule { self.drawn + 1 } else { 0 };
            if self.drawn >= 2 * rule.moves && move_number >= rule.from_move {
                return Some(Ending::drawn(Termination::DrawAdjudication));
            }
        }
        if let Some(rule) = self.rules.resign.filter(|rule| rule.one_sided) {
            let lost = &mut self.lost[side.index()];
            *lost = if score.is_some_and(|score| score <= -rule.score) { *lost + 1 } else { 0 };
            if *lost >= rule.moves {
                return Some(Ending::won(!side, Termination::WinAdjudication));
            }
        } else if let Some(rule) = self.rules.resign {
            let for_white = match side {
                Color::White => score,
                Color::Black => score.map(|score| -score),
            };
            self.ahead = match for_white {
                Some(score) if score >= rule.score => self.ahead.max(0) + 1,
                Some(score) if score <= -rule.score => self.ahead.min(0) - 1,
                _ => 0,
            };
            if self.ahead.unsigned_abs() >= 2 * u64::from(rule.moves) {
                let winner = if self.ahead > 0 { Color::White } else { Color::Black };
                return Some(Ending::won(winner, Termination::WinAdjudication));
            }
        }
        if self.rules.max_moves.is_some_and(|limit| side == Color::Black && move_number >= limit) {
            return Some(Ending::drawn(Termination::MaxMoves));
        }
        None
    }
}

/// Result and reason of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The reason.
    pub reason: Termination,
}

impl Ending {
    /// A win.
    pub fn won(winner: Color, reason: Termination) -> Ending {
        Ending { winner: Some(winner), reason }
    }

    /// A draw.
    pub fn drawn(reason: Termination) -> Ending {
        Ending { winner: None, reason }
    }

    /// Returns `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// Reason for the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// Neither side can checkmate.
    DeadPosition,
    /// Threefold or fivefold repetition.
    Repetition,
    /// Fifty-move or seventy-five-move rule.
    FiftyMoves,
    /// [`DrawRule`] applied.
    DrawAdjudication,
    /// [`ResignRule`] applied.
    WinAdjudication,
    /// The engine resigned by itself.
    Resignation,
    /// [`Adjudication::max_moves`] reached.
    MaxMoves,
    /// Result known from tablebases.
    TablebaseAdjudication,
    /// Time limit exceeded.
    TimeForfeit,
    /// Illegal or unparsable move.
    IllegalMove,
    /// The engine claimed a result instead of moving.
    FalseClaim,
    /// The process exited with a failure.
    Crash,
    /// The engine stopped responding.
    Stall,
    /// The engine closed its output or exited with success.
    Disconnect,
}

impl Termination {
    /// Returns true if the loser's process must be restarted.
    pub fn needs_restart(self) -> bool {
        matches!(self, Termination::Crash | Termination::Stall | Termination::Disconnect)
    }

    /// Returns the value of the PGN tag `Termination`.
    pub fn pgn_termination(self) -> &'static str {
        match self {
            Termination::Checkmate
            | Termination::Stalemate
            | Termination::DeadPosition
            | Termination::Repetition
            | Termination::FiftyMoves
            | Termination::Resignation => "normal",
            Termination::DrawAdjudication
            | Termination::WinAdjudication
            | Termination::MaxMoves
            | Termination::TablebaseAdjudication => "adjudication",
            Termination::TimeForfeit => "time forfeit",
            Termination::IllegalMove | Termination::FalseClaim => "rules infraction",
            Termination::Crash | Termination::Stall | Termination::Disconnect => "abandoned",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::DeadPosition => "dead position",
            Termination::Repetition => "threefold repetition",
            Termination::FiftyMoves => "fifty-move rule",
            Termination::DrawAdjudication => "draw adjudicated",
            Termination::WinAdjudication => "win adjudicated",
            Termination::Resignation => "resignation",
            Termination::MaxMoves => "too many moves",
            Termination::TablebaseAdjudication => "adjudicated by tablebases",
            Termination::TimeForfeit => "loss on time",
            Termination::IllegalMove => "illegal move",
            Termination::FalseClaim => "false claim",
            Termination::Crash => "crash",
            Termination::Stall => "stall",
            Termination::Disconnect => "disconnect",
        })
    }
}

/// Returns the ending by the rules of chess. Claimable draws count as claimed.
pub fn rules_ending(outcome: Option<Outcome>, claimable: Option<DrawReason>) -> Option<Ending> {
    match outcome {
        Some(Outcome::Win { winner, .. }) => return Some(Ending::won(winner, Termination::Checkmate)),
        Some(Outcome::Draw { reason }) => return Some(Ending::drawn(draw_reason(reason))),
        _ => {}
    }
    claimable.map(|reason| Ending::drawn(draw_reason(reason)))
}

fn draw_reason(reason: DrawReason) -> Termination {
    match reason {
        DrawReason::Stalemate => Termination::Stalemate,
        DrawReason::DeadPosition => Termination::DeadPosition,
        DrawReason::FiftyMoves | DrawReason::SeventyFiveMoves => Termination::FiftyMoves,
        _ => Termination::Repetition,
    }
}

/// Misbehaviour that loses the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// No move within the time limit.
    Time {
        /// The time limit, margin included.
        allowed: Duration,
    },
    /// An illegal or unparsable move.
    IllegalMove {
        /// The text of the move.
        text: String,
        /// The error.
        why: String,
    },
    /// A claim of a result in an unfinished game, instead of a move.
    FalseClaim {
        /// The text of the claim.
        text: String,
    },
    /// The process exited with a failure.
    Crash {
        /// Exit status.
        status: ExitStatus,
    },
    /// The engine stopped responding.
    Stall {
        /// The awaited line and the timeout.
        what: String,
    },
    /// The engine closed its output or exited with success.
    Disconnect {
        /// The awaited line.
        what: String,
    },
}

impl Fault {
    /// Returns the termination reason.
    pub fn reason(&self) -> Termination {
        match self {
            Fault::Time { .. } => Termination::TimeForfeit,
            Fault::IllegalMove { .. } => Termination::IllegalMove,
            Fault::FalseClaim { .. } => Termination::FalseClaim,
            Fault::Crash { .. } => Termination::Crash,
            Fault::Stall { .. } => Termination::Stall,
            Fault::Disconnect { .. } => Termination::Disconnect,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Time { allowed } => {
                write!(f, "loses on time: no move within {:.3} s", allowed.as_secs_f64())
            }
            Fault::IllegalMove { text, why } => write!(f, "loses by illegal move {text:?}: {why}"),
            Fault::FalseClaim { text } => write!(f, "loses by claiming {text:?} in an unfinished game"),
            Fault::Crash { status } => write!(f, "loses by crash ({status})"),
            Fault::Stall { what } => write!(f, "loses by stall: {what}"),
            Fault::Disconnect { what } => write!(f, "loses by disconnect: {what}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_movegen::WinReason;

    /// A board after a ply (0 is White's first), with a halfmove clock.
    fn board_after(ply: usize, clock: usize) -> Board {
        numbered_board_after(ply, clock, 1)
    }

    /// The same in a game whose first move has the number `first_move`.
    fn numbered_board_after(ply: usize, clock: usize, first_move: usize) -> Board {
        let (side, number) = if ply.is_multiple_of(2) { ('b', ply / 2) } else { ('w', 1 + ply / 2) };
        let number = first_move + number;
        format!("4k3/8/8/8/8/8/8/R3K3 {side} - - {clock} {number}").parse().unwrap()
    }

    /// Returns the first ply (0 is White's first) after which a game with these scores is adjudicated.
    /// Each score is from the point of view of the side that moved.
    fn first_adjudication(rules: &Adjudication, scores: &[Option<i32>]) -> Option<(usize, Ending)> {
        let mut adjudicator = Adjudicator::new(rules, 1);
        scores.iter().enumerate().find_map(|(ply, &score)| {
            adjudicator.update(&board_after(ply, ply + 1), score).map(|ending| (ply, ending))
        })
    }

    #[test]
    fn draw_rule_needs_both_scores_and_the_move_number() {
        let rules = Adjudication { draw: "3,2,10".parse().ok(), ..Adjudication::default() };
        let draw = Ending::drawn(Termination::DrawAdjudication);
        assert_eq!(first_adjudication(&rules, &[Some(0); 20]), Some((4, draw)));
        let mut scores = vec![Some(5), Some(-10), Some(10), Some(11)];
        scores.extend([Some(0); 8]);
        assert_eq!(first_adjudication(&rules, &scores), Some((7, draw)));
        scores[6] = None;
        assert_eq!(first_adjudication(&rules, &scores), Some((10, draw)));
    }

    #[test]
    fn win_rule_needs_both_engines_to_agree() {
        let rules = Adjudication { resign: "2,500".parse().ok(), ..Adjudication::default() };
        // Both engines report a win: no adjudication.
        assert_eq!(first_adjudication(&rules, &[Some(900); 20]), None);
        let black_wins = [Some(-500), Some(700), Some(-499), Some(501), Some(-501), Some(900), Some(-800)];
        assert_eq!(
            first_adjudication(&rules, &black_wins),
            Some((6, Ending::won(Color::Black, Termination::WinAdjudication)))
        );
        let white_wins = [Some(600), Some(-600), Some(600), Some(-30_000)];
        assert_eq!(
            first_adjudication(&rules, &white_wins),
            Some((3, Ending::won(Color::White, Termination::WinAdjudication)))
        );
    }

    #[test]
    fn draw_counter_restarts_after_captures_and_pawn_moves() {
        let rules = Adjudication { draw: "1,2,10".parse().ok(), ..Adjudication::default() };
        let mut adjudicator = Adjudicator::new(&rules, 1);
        let mut plies = 0;
        let ending = loop {
            let clock = if plies < 2 { plies + 1 } else { plies - 2 };
            let ending = adjudicator.update(&board_after(plies, clock), Some(0));
            plies += 1;
            if ending.is_some() {
                break ending;
            }
        };
        // The third move, which resets the counter, counts itself.
        assert_eq!((plies, ending), (6, Some(Ending::drawn(Termination::DrawAdjudication))));
    }

    #[test]
    fn one_sided_resignation_needs_the_loser_only() {
        let rules = Adjudication { resign: "2,500,one-sided".parse().ok(), ..Adjudication::default() };
        let black_wins = [Some(-500), Some(0), Some(-499), Some(0), Some(-501), Some(20), Some(-800)];
        assert_eq!(
            first_adjudication(&rules, &black_wins),
            Some((6, Ending::won(Color::Black, Termination::WinAdjudication)))
        );
        assert_eq!(first_adjudication(&rules, &[Some(900), Some(900), None, Some(900)]), None);
    }

    #[test]
    fn max_moves_ends_the_game() {
        let rules = Adjudication { max_moves: Some(3), ..Adjudication::default() };
        assert_eq!(first_adjudication(&rules, &[None; 20]), Some((5, Ending::drawn(Termination::MaxMoves))));
    }

    #[test]
    fn moves_of_the_game_are_counted() {
        let max_moves = Adjudication { max_moves: Some(3), ..Adjudication::default() };
        let draw = Adjudication { draw: "3,1,10".parse().ok(), ..Adjudication::default() };
        for (rules, plies) in [(max_moves, 6), (draw, 5)] {
            let mut adjudicator = Adjudicator::new(&rules, 60);
            let first = (0..20)
                .find(|&ply| adjudicator.update(&numbered_board_after(ply, ply + 1, 60), Some(0)).is_some());
            assert_eq!(first, Some(plies - 1), "{rules:?}");
        }
    }

    #[test]
    fn rules_are_written_as_they_are_parsed() {
        assert_eq!("34, 8,20".parse().map(|rule: DrawRule| rule.to_string()).as_deref(), Ok("34,8,20"));
        for text in ["3,600", "3,600,one-sided"] {
            assert_eq!(text.parse().map(|rule: ResignRule| rule.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn parses_adjudication_rules() {
        assert_eq!("34,8,20".parse(), Ok(DrawRule { from_move: 34, moves: 8, score: 20 }));
        assert_eq!("3, 600".parse(), Ok(ResignRule { moves: 3, score: 600, one_sided: false }));
        for text in ["", "34", "34,8", "34,0,20", "34,8,20,1", "a,8,20", "34,8,99999", "34,8,-5"] {
            assert!(text.parse::<DrawRule>().unwrap_err().contains("as in 34,8,20"), "{text}");
        }
        assert_eq!("3,600,one-sided".parse(), Ok(ResignRule { moves: 3, score: 600, one_sided: true }));
        for text in ["", "3", "0,600", "3,0", "3,600,1", "3,600,both", "one-sided"] {
            assert!(text.parse::<ResignRule>().unwrap_err().contains("as in 3,600"), "{text}");
        }
    }

    #[test]
    fn rules_of_chess_end_the_game() {
        let mate = Outcome::Win { winner: Color::White, reason: WinReason::Checkmate };
        assert_eq!(rules_ending(Some(mate), None), Some(Ending::won(Color::White, Termination::Checkmate)));
        assert_eq!(
            rules_ending(None, Some(DrawReason::Repetition)),
            Some(Ending::drawn(Termination::Repetition))
        );
        assert_eq!(rules_ending(None, None), None);
    }
}
