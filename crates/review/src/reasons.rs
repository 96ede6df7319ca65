//! Reasons: why a move is bad, and what the better one does.
//!
//! Every claim is shown by the line of the search: a fork is named only if the line wins material with it, and what is won is
//! counted on the board at the end of the line. [`Fault`] and [`Purpose`] are the claims as data; `words` has their text.

mod effects;
mod faults;
mod kinds;
mod positional;
mod purposes;
mod quiet;
mod searched_line;
mod structure;
mod threats;
mod words;

pub use kinds::{Fault, MatePattern, NamedPiece, Purpose, Tactic, TbResult, Winnings};
pub(crate) use words::best_of_own;

use crate::judgement::score_of;
use crate::reviewer::PositionReview;
use searched_line::SearchedLine;
use serde::{Deserialize, Serialize};
use std::iter::successors;
use tabiya_core::notation::GameResult;
use tabiya_core::{Bitboard, Color, Move, Square};
use tabiya_movegen::{Game, GameNode, Position};
use tabiya_search::Score;

/// The moves of a line that are considered, in plies. What is won later has little to do with the move.
const MAX_LINE: usize = 8;

/// Maximum length of a printed line, in plies. What is said of the end of a line holds for all of them.
pub(crate) const PRINTED_LINE: usize = 10;

/// The reason why a move is bad, as data, in words and as arrows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reason {
    /// One or two sentences, such as `Allows Nc7+, which forks the rook on a8 and the king on e8. Kd8 was best.`
    pub text: String,
    /// The fault of the move, if the lines show one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// The best move in SAN.
    #[serde(default)]
    pub best: String,
    /// The purpose of the best move, if the lines show one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<Purpose>,
    /// The moves and squares that the sentences name.
    pub arrows: Vec<Arrow>,
}

/// An arrow of a [`Reason`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Arrow {
    /// The squares from which and to which it points, such as `c7e8`.
    pub uci: String,
    /// Its subject.
    pub kind: ArrowKind,
}

/// The subject of an arrow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ArrowKind {
    /// The reply that the bad move allows.
    Threat,
    /// The better move.
    Better,
}

/// The lines of a bad move and of the better one, with the scores of the side that moves.
struct Comparison {
    /// The bad move and the opponent's play against it.
    refutation: SearchedLine,
    /// The better line, of the side that moves.
    better: SearchedLine,
    /// The better line as far as it is printed, for what must hold to its end.
    printed: SearchedLine,
    /// The score before the move, with the better one.
    before: Option<Score>,
    /// The score after the move.
    after: Option<Score>,
    /// The result by tablebase before the move.
    tb_before: Option<TbResult>,
    /// The result by tablebase after the move.
    tb_after: Option<TbResult>,
}

/// Returns the position from which the gain of a game's next move is counted: the one before the last move or, if that was a capture, before all
/// captures on its square that led to it. `None` if there is no move.
///
/// The next move wins nothing if it only takes back what the last one took, and no less if the last one took something back.
///
/// ```
/// use tabiya_movegen::Game;
/// use tabiya_review::before_exchange;
///
/// let mut game = Game::new();
/// for san in ["e4", "d5", "exd5", "Qxd5"] {
///     game.play_san(san)?;
/// }
/// let start = before_exchange(&game).expect("there are moves");
/// assert_eq!(start.to_string(), "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn before_exchange(game: &Game) -> Option<&Position> {
    let moves = game.moves().iter().rev().copied().map(Some);
    start_of_exchange(game.positions().rev().skip(1).zip(moves))
}

/// Returns [`before_exchange`] of the game up to a node of a tree.
pub fn before_exchange_at(node: GameNode<'_>) -> Option<&Position> {
    let nodes = successors(Some(node), |node| node.parent());
    start_of_exchange(nodes.map_while(|node| Some((node.parent()?.position(), node.mv()))))
}

/// Returns the position before the exchange that the last move ended. `moves` has each move, `None` for a null move, with the position
/// before it, the latest first.
fn start_of_exchange<'a>(
    mut moves: impl Iterator<Item = (&'a Position, Option<Move>)>,
) -> Option<&'a Position> {
    let (before_last, last) = moves.next()?;
    let Some(last) = last.filter(|mv| mv.is_capture()) else { return Some(before_last) };
    let is_part =
        |mv: Option<Move>| mv.is_some_and(|mv| mv.is_capture() && mv.destination() == last.destination());
    let first = moves.take_while(|&(_, mv)| is_part(mv)).last();
    Some(first.map_or(before_last, |(position, _)| position))
}

/// Returns the reason why a move that was judged bad is worse than the best one, or `None` if none is known.
///
/// `position` is the one before the move, and `before` and `after` are its analysis and that of the position after the move.
/// `exchange_start` is the position of [`before_exchange`] or [`before_exchange_at`], if the last moves are known.
pub fn reason(
    exchange_start: Option<&Position>,
    position: &Position,
    mv: Move,
    before: &PositionReview,
    after: &PositionReview,
) -> Option<Reason> {
    let &best = before.line.first().filter(|&&best| position.is_legal(best))?;
    let side = position.side_to_move();
    let played: Vec<Move> = [mv].iter().chain(&after.line).take(MAX_LINE + 1).copied().collect();
    let [score_before, score_after] =
        [before, after].map(|review| review.score.map(|(score, _)| score_of(score, side)));
    let difference = match (score_before, score_after) {
        (Some(Score::Centipawns(before)), Some(Score::Centipawns(after))) => before - after,
        _ => 0,
    };
    let played_to = position.play(mv).ok()?;
    // A capture that both moves make is no difference between them.
    let is_same_capture = mv.is_capture() && best.is_capture() && mv.destination() == best.destination();
    let (winnings_start, gain_start) =
        if is_same_capture { (Some(&played_to), &played_to) } else { (exchange_start, position) };
    let line =
        |moves: &[Move], side| Some(SearchedLine::new(position, moves, side)?.with_gain_start(gain_start));
    let better = line(first_plies(&before.line, MAX_LINE), side)?.with_winnings_start(winnings_start);
    // A pawn that has promoted is lost as the piece that it has become.
    let promoted = mv.promotion().map(|_| &played_to);
    let comparison = Comparison {
        refutation: line(&played, !side)?.with_winnings_start(promoted).explaining(difference),
        // `purpose` knows no difference of scores: a line that wins material without it has the same gain in both.
        better: if better.gain() > 0 { better } else { better.explaining(difference) },
        printed: line(first_plies(&before.line, PRINTED_LINE), side)?,
        before: score_before,
        after: score_after,
        tb_before: TbResult::of(before, side),
        tb_after: TbResult::of(after, side),
    };
    let fault = faults::find(&comparison);
    let purpose = purposes::find(&comparison);
    let best_san = position.san(best).to_string();
    let mut arrows = vec![Arrow::new(best.from(), best.destination(), ArrowKind::Better)];
    if fault.as_ref().is_some_and(Fault::names_reply) {
        arrows.extend(threats(&comparison.refutation));
    }
    let text = words::text(fault.as_ref(), &best_san, purpose.as_ref());
    Some(Reason { text, fault, best: best_san, purpose, arrows })
}

/// Returns the purpose of the best move of a position with this analysis, if its line shows one. `exchange_start` is as for
/// [`reason`].
pub fn purpose(
    exchange_start: Option<&Position>,
    position: &Position,
    review: &PositionReview,
) -> Option<Purpose> {
    let side = position.side_to_move();
    let score = review.score.map(|(score, _)| score_of(score, side));
    let line =
        |moves: &[Move]| Some(SearchedLine::new(position, moves, side)?.with_winnings_start(exchange_start));
    let best = line(first_plies(&review.line, MAX_LINE))?;
    let purpose = purposes::of_line(&best, score, TbResult::of(review, side))?;
    // No other line confirms a gain of material, so that the rest of the line and the score must.
    let is_confirmed = || {
        let whole = line(&review.line)?;
        Some(whole.gain() >= best.gain() && score.is_none_or(|score| best.gain_shows_in(score)))
    };
    let claims_material = matches!(purpose, Purpose::WinsMaterial { .. });
    (!claims_material || is_confirmed() == Some(true)).then_some(purpose)
}

fn first_plies(line: &[Move], count: usize) -> &[Move] {
    &line[..line.len().min(count)]
}

/// The arrows of the opponent's reply and of what it attacks.
fn threats(refutation: &SearchedLine) -> Vec<Arrow> {
    let Some(reply) = refutation.mv() else { return Vec::new() };
    let found = refutation.telling().filter(|_| refutation.gain() > 0);
    let targets = found.map_or(Bitboard::EMPTY, |found| found.targets - found.actor.bitboard());
    let from = found.map_or(reply.destination(), |found| found.actor);
    let of_reply = Arrow::new(reply.from(), reply.destination(), ArrowKind::Threat);
    let of_targets = targets.into_iter().map(|to| Arrow::new(from, to, ArrowKind::Threat));
    [of_reply].into_iter().chain(of_targets).collect()
}

impl TbResult {
    /// The result of an analysed position for a side.
    fn of(review: &PositionReview, side: Color) -> Option<TbResult> {
        match (review.tablebase?, side) {
            (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => {
                Some(TbResult::Win)
            }
            (GameResult::WhiteWins, Color::Black) | (GameResult::BlackWins, Color::White) => {
                Some(TbResult::Loss)
            }
            (GameResult::Draw, _) => Some(TbResult::Draw),
            (GameResult::Unknown, _) => None,
        }
    }
}

impl Arrow {
    fn new(from: Square, to: Square, kind: ArrowKind) -> Arrow {
        Arrow { uci: format!("{from}{to}"), kind }
    }
}

#[cfg(test)]
mod tests;
