//! Reasons: why a move is bad, and what the better one does.
//!
//! Every claim is shown by the line of the search: a fork is named only if the line wins material with it, and what is won is
//! counted on the board at the end of the line. [`Fault`] and [`Purpose`] are the claims as data; `words` has their text.

mod course;
mod faults;
mod kinds;
mod purposes;
mod words;

pub use kinds::{Fault, MatePattern, NamedPiece, Purpose, Tactic, TbResult, Winnings};
pub(crate) use words::is_own;

use crate::judgement::score_of;
use crate::reviewer::PositionReview;
use course::Course;
use serde::{Deserialize, Serialize};
use tabiya_core::notation::GameResult;
use tabiya_core::{Bitboard, Color, Move, Square};
use tabiya_movegen::Position;
use tabiya_search::Score;

/// The moves of a line that are considered, in plies. What is won later has little to do with the move.
const MAX_LINE: usize = 8;

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
pub enum ArrowKind {
    /// The reply that the bad move allows.
    Threat,
    /// The better move.
    Better,
}

/// The lines of a bad move and of the better one, with the scores of the side that moves.
struct Comparison {
    /// The bad move and the opponent's play against it.
    refutation: Course,
    /// The better line, of the side that moves.
    better: Course,
    /// The score before the move, with the better one.
    before: Option<Score>,
    /// The score after the move.
    after: Option<Score>,
    /// The result by tablebase before the move.
    tb_before: Option<TbResult>,
    /// The result by tablebase after the move.
    tb_after: Option<TbResult>,
}

/// Returns the reason why a move that was judged bad is worse than the best one, or `None` if none is known.
///
/// `position` is the one before the move, and `before` and `after` are its analysis and that of the position after the move.
pub fn reason(
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
    let comparison = Comparison {
        refutation: Course::new(position, &played, !side)?,
        better: best_line(position, before)?,
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

/// Returns the purpose of the best move of a position with this analysis, if its line shows one.
pub fn purpose(position: &Position, review: &PositionReview) -> Option<Purpose> {
    let side = position.side_to_move();
    let score = review.score.map(|(score, _)| score_of(score, side));
    purposes::of_line(&best_line(position, review)?, score, TbResult::of(review, side))
}

/// The best line of an analysed position, from the point of view of the side to move.
fn best_line(position: &Position, review: &PositionReview) -> Option<Course> {
    let moves = &review.line[..review.line.len().min(MAX_LINE)];
    Course::new(position, moves, position.side_to_move())
}

/// The arrows of the opponent's reply and of what it attacks.
fn threats(refutation: &Course) -> Vec<Arrow> {
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
mod tests {
    use super::*;
    use tabiya_core::notation::PgnScore;

    /// The text and the arrows of the reason that [`data_for`] returns.
    fn reason_for(fen: &str, played: &str, better: &str, scores: [PgnScore; 2]) -> (String, Vec<String>) {
        let reason = data_for(fen, played, better, scores);
        (reason.text, reason.arrows.into_iter().map(|arrow| arrow.uci).collect())
    }

    /// The reason for the first move of `played`, whose other moves are the opponent's line; the scores are White's.
    fn data_for(fen: &str, played: &str, better: &str, scores: [PgnScore; 2]) -> Reason {
        data_with([None; 2], fen, played, better, scores)
    }

    /// As [`data_for`], with the results by tablebase before and after the move.
    fn data_with(
        [tb_before, tb_after]: [Option<GameResult>; 2],
        fen: &str,
        played: &str,
        better: &str,
        [before, after]: [PgnScore; 2],
    ) -> Reason {
        let position: Position = fen.parse().unwrap();
        let line = |moves: &str| -> Vec<Move> {
            let mut position = position.clone();
            let play = |san: &str| {
                let mv = position.parse_san(san).unwrap_or_else(|error| panic!("{san}: {error}"));
                position = position.play(mv).unwrap();
                mv
            };
            moves.split(' ').map(play).collect()
        };
        let (played, better) = (line(played), line(better));
        let review = |score, line: &[Move]| PositionReview {
            white: 0.5,
            score: Some((score, 9)),
            line: line.to_vec(),
            tablebase: None,
        };
        let before = PositionReview { tablebase: tb_before, ..review(before, &better) };
        let after = PositionReview { tablebase: tb_after, ..review(after, &played[1..]) };
        let reason = reason(&position, played[0], &before, &after).unwrap();
        assert!(is_own(reason.text.strip_suffix(" was best.").unwrap()), "{}", reason.text);
        reason
    }

    const LEVEL_TO_LOST: [PgnScore; 2] = [PgnScore::Centipawns(0), PgnScore::Centipawns(-500)];

    #[test]
    fn forks_are_named_with_squares_and_arrows() {
        let fen = "r3k3/8/8/1N6/8/8/8/4K3 b q - 0 1";
        let scores = [PgnScore::Centipawns(0), PgnScore::Centipawns(500)];
        let (text, arrows) = reason_for(fen, "Ke7 Nd4", "Kd7 Nd4", scores);
        assert_eq!((text.as_str(), arrows.as_slice()), ("Kd7 was best.", ["e8d7".to_owned()].as_slice()));
        let (text, arrows) =
            reason_for("r3k3/1p6/p7/1N6/8/8/8/4K3 b q - 0 1", "b6 Nc7+ Kd8 Nxa8 Kc8", "axb5 Kd2", scores);
        assert_eq!(
            text,
            "Allows Nc7+, which forks the rook on a8 and the king on e8 and wins a rook. axb5, which wins a knight, was best."
        );
        assert_eq!(arrows, ["a6b5", "b5c7", "c7a8", "c7e8"]);
    }

    #[test]
    fn reasons_are_data_that_another_language_can_word() {
        let scores = [PgnScore::Centipawns(0), PgnScore::Centipawns(500)];
        let fen = "r3k3/1p6/p7/1N6/8/8/8/4K3 b q - 0 1";
        let reason = data_for(fen, "b6 Nc7+ Kd8 Nxa8 Kc8", "axb5 Kd2", scores);
        let json = serde_json::to_value(&reason).unwrap();
        let expected = r#"{"kind":"allows-gain","reply":"Nc7+","winnings":"rook","tactic":{"motif":"fork","targets":[
            {"piece":"rook","square":"a8"},{"piece":"king","square":"e8"}]}}"#;
        assert_eq!(json["fault"], serde_json::from_str::<serde_json::Value>(expected).unwrap());
        assert_eq!(json["best"], "axb5");
        assert_eq!(json["purpose"]["kind"], "wins-material");
        assert_eq!(serde_json::from_value::<Reason>(json).unwrap(), reason);
        // A report of an earlier version has the text and the arrows only.
        let earlier: Reason = serde_json::from_str(r#"{"text":"axb5 was best.","arrows":[]}"#).unwrap();
        assert_eq!((earlier.text.as_str(), earlier.fault), ("axb5 was best.", None));
    }

    #[test]
    fn best_moves_have_a_purpose_only_if_their_line_shows_it() {
        let position: Position = "r3k3/1p6/p7/1N6/8/8/8/4K3 w q - 0 1".parse().unwrap();
        let review = |score, line: &[&str]| {
            let moves = line.iter().scan(position.clone(), |position, san| {
                let mv = position.parse_san(san).unwrap();
                *position = position.play(mv).unwrap();
                Some(mv)
            });
            let line = moves.collect();
            PositionReview { white: 0.5, score: Some((score, 9)), line, tablebase: None }
        };
        let words = |review| purpose(&position, &review).map(|purpose| purpose.to_string());
        let fork = review(PgnScore::Centipawns(500), &["Nc7+", "Kd8", "Nxa8", "Kc8"]);
        let expected = "forks the rook on a8 and the king on e8 and wins a rook";
        assert_eq!(words(fork).as_deref(), Some(expected));
        assert_eq!(words(review(PgnScore::Centipawns(500), &["Nc7+"])), None);
        assert_eq!(words(review(PgnScore::Mate(3), &["Nc7+"])).as_deref(), Some("mates in 3"));
        assert_eq!(words(review(PgnScore::Mate(-3), &["Nc7+"])), None);
    }

    #[test]
    fn tablebases_tell_what_is_thrown_away() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        let scores = |before, after| [PgnScore::Centipawns(before), PgnScore::Centipawns(after)];
        let text = |results, fen: &str, played: &str, better: &str, scores| {
            data_with(results, fen, played, better, scores).text
        };
        // The opposition decides.
        let fen = "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1";
        let win = Some(WhiteWins);
        assert_eq!(
            text([win, Some(Draw)], fen, "Kd5 Kd7", "Kf6 Kf8", scores(900, 0)),
            "Throws away a win: by tablebase the position is drawn now. Kf6, which wins by tablebase, was best."
        );
        // Another winning move is no worse by tablebase.
        assert_eq!(text([win, win], fen, "Kd6 Kd8", "Kf6 Kf8", scores(900, 800)), "Kf6 was best.");
        let fen = "4k3/8/4PK2/8/8/8/8/8 b - - 0 1";
        let lost = text([Some(Draw), win], fen, "Kd8 Kf7", "Kf8 e7+", scores(0, 900));
        let expected = "Throws away a draw: by tablebase the position is lost now. Kf8, which draws by tablebase, was best.";
        assert_eq!(lost, expected);
        // A capture into the tables.
        let fen = "8/8/4k3/8/3nP3/4K3/8/8 w - - 0 1";
        let into = |result, before| text([None, Some(result)], fen, "Kxd4 Kd6", "Kf4 Kd6", scores(before, 0));
        assert!(into(Draw, 400).starts_with("Leads to an ending that is drawn by tablebase."));
        assert!(into(BlackWins, 0).starts_with("Leads to an ending that is lost by tablebase."));
        assert!(!into(Draw, 0).contains("tablebase") && !into(BlackWins, -400).contains("tablebase"));
    }

    #[test]
    fn lost_defenders_and_hanging_pieces_are_named() {
        let fen = "3r2k1/5ppp/8/3N4/8/1Q6/5PPP/6K1 w - - 0 1";
        let (text, _) = reason_for(fen, "Qa3 Rxd5 h3", "h3 h6", LEVEL_TO_LOST);
        let expected = "Leaves the knight on d5 without its defender: Rxd5 wins a knight. h3, which keeps the material balance, was best.";
        assert_eq!(text, expected);
        let (text, _) = reason_for(fen, "Nf6+ gxf6 h3", "h3 h6", LEVEL_TO_LOST);
        assert!(text.starts_with("Loses a knight: gxf6 captures the knight on f6. h3"), "{text}");
    }

    #[test]
    fn mates_are_allowed_or_missed() {
        let fen = "3r2k1/5ppp/8/8/8/8/1Q3PPP/6K1 w - - 0 1";
        let scores = [PgnScore::Centipawns(300), PgnScore::Mate(-1)];
        let (text, _) =
            reason_for(fen, "Qc1 Rd1+ Qxd1", "Qb8 Rxb8", [PgnScore::Mate(2), PgnScore::Centipawns(0)]);
        assert!(text.starts_with("Misses mate in 2. Qb8 was best."), "{text}");
        let (text, _) = reason_for(fen, "f3 Rd1+ Kf2", "h3 h6", scores);
        assert!(text.starts_with("Allows Rd1+, mate. h3"), "{text}");
    }

    #[test]
    fn quiet_reasons_are_told_only_if_the_line_shows_them() {
        let scores = [PgnScore::Centipawns(400), PgnScore::Centipawns(0)];
        let ending = "8/8/4k3/8/3PK3/8/8/8 w - - 0 1";
        let (text, _) = reason_for(ending, "d5+ Kd6", "Kf4 Kd5", scores);
        assert_eq!(text, "Throws away a won ending, which is level now. Kf4 was best.");
        let pair = "6k1/8/4n3/8/8/4B3/5B2/6K1 w - - 0 1";
        let scores = [PgnScore::Centipawns(200), PgnScore::Centipawns(100)];
        let (text, _) = reason_for(pair, "Bd4 Nxd4 Bxd4 Kf7", "Bh6 Kf7 Bd2", scores);
        assert_eq!(text, "Gives up the bishop pair. Bh6 was best.");
        let shelter = "6k1/5ppp/8/3q4/8/8/5PPP/3Q2K1 w - - 0 1";
        let (text, _) = reason_for(shelter, "f3 Qc5+ Kh1", "h3 h6", scores);
        assert_eq!(text, "Weakens the king's shelter: the pawn leaves f2. h3 was best.");
        let (text, _) = reason_for(shelter, "f3 h6", "h3 h6", scores);
        assert_eq!(text, "h3 was best.", "no check shows the weakness");
    }
}
