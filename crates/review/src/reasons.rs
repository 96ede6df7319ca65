//! Reasons in words: why a move is bad, and what the better one does.
//!
//! Every claim is shown by the line of the search: a fork is named only if the line wins material with it, and what is won is
//! counted on the board at the end of the line.

use crate::judgement::score_of;
use crate::reviewer::{MoveReview, PositionReview};
use serde::{Deserialize, Serialize};
use tabiya_core::{Bitboard, Color, Move, PieceType, Rank, Square};
use tabiya_motifs::{Finding, Line, Motif, balance, defenders, motifs};
use tabiya_movegen::{Position, attacks};
use tabiya_search::Score;

/// The moves of a line that are considered, in plies. What is won later has little to do with the move.
const MAX_LINE: usize = 8;
/// The largest material of an ending, without pawns, of both sides together in pawns: two rooks and two minor pieces.
const ENDING: i32 = 16;
/// The evaluation from which an ending is won, and up to which it is level, in centipawns.
const WON: i32 = 250;
const LEVEL: i32 = 60;

/// The first words of a reason, by which a remark is recognised as the program's.
const OPENINGS: [&str; 7] =
    ["Allows ", "Gives up ", "Leaves ", "Loses ", "Misses ", "Throws away ", "Weakens "];

/// The motifs that explain a gain of material, the most telling first.
const TELLING: [Motif; 11] = [
    Motif::DoubleCheck,
    Motif::Fork,
    Motif::Skewer,
    Motif::TrappedPiece,
    Motif::DiscoveredAttack,
    Motif::CapturingDefender,
    Motif::Deflection,
    Motif::Attraction,
    Motif::Interference,
    Motif::Pin,
    Motif::HangingPiece,
];

/// The reason why a move is bad, in words and as arrows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reason {
    /// One or two sentences, such as `Allows Nc7+, which forks the rook on a8 and the king on e8. Kd8 was best.`
    pub text: String,
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

/// Returns the reason why a move was judged bad, or `None` if it was not, or if there is no better move.
///
/// `position` is the one before the move, and `before` and `after` are its analysis and that of the position after the move.
pub fn reason(
    position: &Position,
    reviewed: &MoveReview,
    before: &PositionReview,
    after: &PositionReview,
) -> Option<Reason> {
    reviewed.judgement?;
    let &best = before.line.first().filter(|&&best| position.is_legal(best))?;
    let side = position.side_to_move();
    let played: Vec<Move> = [reviewed.mv].iter().chain(&after.line).take(MAX_LINE + 1).copied().collect();
    let refutation = Course::new(position, &played, !side)?;
    let better = Course::new(position, &before.line[..before.line.len().min(MAX_LINE)], side)?;
    let scores = [before, after].map(|review| review.score.map(|(score, _)| score_of(score, side)));
    let mut arrows = vec![Arrow::new(best.from(), best.destination(), ArrowKind::Better)];

    let mut sentences = Vec::new();
    if let Some((sentence, threat)) = why(&refutation, &better, scores) {
        sentences.push(sentence);
        if threat && let Some(&reply) = after.line.first() {
            arrows.push(Arrow::new(reply.from(), reply.destination(), ArrowKind::Threat));
            let found = refutation.telling().filter(|_| refutation.gain() > 0);
            let targets = found.map_or(Bitboard::EMPTY, |found| found.targets - found.actor.bitboard());
            let from = found.map_or(reply.destination(), |found| found.actor);
            arrows.extend(targets.into_iter().map(|to| Arrow::new(from, to, ArrowKind::Threat)));
        }
    }
    let san = position.san(best);
    sentences.push(match what_for(&better, &refutation, scores) {
        Some(purpose) => format!("{san}, which {purpose}, was best."),
        None => format!("{san} was best."),
    });
    Some(Reason { text: sentences.join(" "), arrows })
}

/// Returns true if the text between a judgement and `was best.` is a remark of this program.
pub(crate) fn is_own(text: &str) -> bool {
    let (why, better) = text.rsplit_once(". ").unwrap_or(("", text));
    let is_better = match better.split_once(' ') {
        None => true,
        Some((_, purpose)) => purpose.starts_with("which ") && purpose.ends_with(','),
    };
    is_better && (why.is_empty() || OPENINGS.iter().any(|opening| why.starts_with(opening)))
}

impl Arrow {
    fn new(from: Square, to: Square, kind: ArrowKind) -> Arrow {
        Arrow { uci: format!("{from}{to}"), kind }
    }
}

/// A line with the side that profits from it, and what it shows.
struct Course {
    line: Line,
    /// The index of the side's first move.
    first: usize,
    found: Vec<Finding>,
}

impl Course {
    fn new(position: &Position, moves: &[Move], side: Color) -> Option<Course> {
        let line = Line::new(position.clone(), moves, side).ok()?;
        let found = motifs(&line);
        Some(Course { first: usize::from(position.side_to_move() != side), line, found })
    }

    /// The position with this index.
    fn position(&self, ply: usize) -> Option<&Position> {
        self.line.position(ply)
    }

    /// The side's first move.
    fn mv(&self) -> Option<Move> {
        self.line.moves().get(self.first).copied()
    }

    /// The side's first move in SAN.
    fn san(&self) -> Option<String> {
        Some(self.position(self.first)?.san(self.mv()?).to_string())
    }

    /// The position that decides what is won. The line may end amid an exchange, so it is the worse of the last two.
    fn settled(&self) -> Option<&Position> {
        let last = self.line.moves().len();
        let ends = [last, last.checked_sub(1)?].map(|ply| self.position(ply));
        ends.into_iter().flatten().min_by_key(|position| balance(position, self.line.side()))
    }

    /// The material that the side wins in the line, in pawns.
    fn gain(&self) -> i32 {
        let (Some(start), Some(end)) = (self.position(0), self.settled()) else { return 0 };
        balance(end, self.line.side()) - balance(start, self.line.side())
    }

    /// The material that the side wins, in words.
    fn winnings(&self) -> Option<String> {
        let (start, end) = (self.position(0)?, self.settled()?);
        let side = self.line.side();
        let lost = |color, piece| {
            let count = |position: &Position| position.pieces(color, piece).count() as i32;
            count(start) - count(end)
        };
        let net = PieceType::ALL.map(|piece| lost(!side, piece) - lost(side, piece));
        let [pawns, knights, bishops, rooks, queens, _] = net;
        let minors = knights + bishops;
        let promoted = lost(!side, PieceType::Queen) < 0 || lost(side, PieceType::Queen) < 0;
        Some(match (pawns, minors, rooks, queens) {
            _ if promoted => "material".to_owned(),
            (1, 0, 0, 0) => "a pawn".to_owned(),
            (2, 0, 0, 0) => "two pawns".to_owned(),
            (0, 1, 0, 0) if knights == 1 && bishops == 0 => "a knight".to_owned(),
            (0, 1, 0, 0) if bishops == 1 && knights == 0 => "a bishop".to_owned(),
            (0, 1, 0, 0) => "a piece".to_owned(),
            (1, 1, 0, 0) => "a piece and a pawn".to_owned(),
            (-1, 1, 0, 0) => "a piece for a pawn".to_owned(),
            (0, -1, 1, 0) => "the exchange".to_owned(),
            (0, 0, 1, 0) => "a rook".to_owned(),
            (0, 0, 0, 1) => "the queen".to_owned(),
            (0, 0, -1, 1) => "the queen for a rook".to_owned(),
            (0, -1, 0, 1) => "the queen for a piece".to_owned(),
            _ => "material".to_owned(),
        })
    }

    /// The most telling motif of the side's first move.
    fn telling(&self) -> Option<&Finding> {
        let of_move =
            |motif: &Motif| self.found.iter().find(|found| found.motif == *motif && found.ply == self.first);
        TELLING.iter().find_map(of_move)
    }

    /// The motif in words, as a clause about the side's first move.
    fn clause(&self) -> Option<String> {
        let found = self.telling()?;
        let after = self.position(found.ply + 1)?;
        let targets = names(after, found.targets);
        let target = found.targets.first();
        Some(match found.motif {
            Motif::DoubleCheck => "gives double check".to_owned(),
            Motif::Fork => format!("forks {targets}"),
            Motif::Skewer => format!("skewers {targets}"),
            Motif::TrappedPiece => format!("traps {targets}"),
            Motif::DiscoveredAttack => format!("opens an attack on {targets}"),
            Motif::CapturingDefender => format!("captures the defender of {targets}"),
            Motif::Deflection => {
                format!("deflects {}", name(after, self.line.moves().get(found.ply + 1)?.from())?)
            }
            Motif::Attraction => {
                let reply = self.line.moves().get(found.ply + 1)?;
                format!("draws {} to {}", name(after, reply.from())?, reply.destination())
            }
            Motif::Interference => format!("cuts off the defence of {targets}"),
            Motif::Pin => format!("pins {targets}"),
            Motif::HangingPiece => {
                format!("captures the undefended {}", kind(self.position(found.ply)?, target?)?.name())
            }
            _ => return None,
        })
    }

    /// The name of the mate at the end of the line.
    fn mate(&self) -> &'static str {
        let has = |motif| self.found.iter().any(|found| found.motif == motif);
        match () {
            () if has(Motif::BackRankMate) => "a back-rank mate",
            () if has(Motif::SmotheredMate) => "a smothered mate",
            () => "mate",
        }
    }
}

/// The sentence why the move is bad, and whether it speaks of the opponent's reply.
fn why(refutation: &Course, better: &Course, [before, after]: [Option<Score>; 2]) -> Option<(String, bool)> {
    let reply = refutation.san();
    if let (Some(Score::Mate(moves @ ..=-1)), Some(reply)) = (after, &reply) {
        let sentence = match -moves {
            1 => format!("Allows {reply}, {}.", refutation.mate()),
            moves => format!("Allows {reply} and {} in {moves}.", refutation.mate()),
        };
        return Some((sentence, true));
    }
    if let Some(Score::Mate(moves @ 1..)) = before {
        let mate = better.mate();
        return Some((format!("Misses {mate} in {moves}."), false));
    }
    if refutation.gain() > 0
        && let Some(sentence) = material_loss(refutation)
    {
        return Some((sentence, true));
    }
    if better.gain() > 0 && refutation.gain() >= 0 {
        return Some((format!("Misses the win of {}.", better.winnings()?), false));
    }
    // A change of material that has no sentence is the reason all the same, not a positional one.
    if better.gain() > 0 || refutation.gain() != 0 {
        return None;
    }
    positional(refutation, better, before, after).map(|sentence| (sentence, false))
}

/// The sentence about the material that the opponent wins.
fn material_loss(refutation: &Course) -> Option<String> {
    let (start, position) = (refutation.position(0)?, refutation.position(1)?);
    let (played, reply) = (*refutation.line.moves().first()?, refutation.mv()?);
    let (san, winnings) = (refutation.san()?, refutation.winnings()?);
    let telling = refutation.telling().map(|found| found.motif);
    let square = reply.destination();
    if reply.is_capture() && !reply.is_en_passant() && matches!(telling, None | Some(Motif::HangingPiece)) {
        let victim = name(position, square)?;
        let side = start.side_to_move();
        let was_defended = defenders(start, square, side).contains(played.from());
        let is_defended = defenders(position, square, side).contains(played.destination());
        if square == played.destination() {
            return Some(format!("Loses {winnings}: {san} captures {victim}."));
        }
        if was_defended && !is_defended {
            return Some(format!("Leaves {victim} without its defender: {san} wins {winnings}."));
        }
        if telling.is_some() {
            return Some(format!("Leaves {victim} undefended: {san} wins {winnings}."));
        }
        if kind(position, square)? == PieceType::Pawn && is_passed(position, square) {
            return Some(format!("Loses the passed pawn on {square} to {san}."));
        }
        return Some(format!("Allows {san}, which wins {winnings}."));
    }
    Some(match refutation.clause() {
        Some(clause) => format!("Allows {san}, which {clause} and wins {winnings}."),
        None if refutation.found.iter().any(|found| found.motif == Motif::Promotion) => {
            format!("Allows {san}, after which a pawn promotes.")
        }
        None => format!("Loses {winnings} after {san}."),
    })
}

/// The sentence about a move that loses no material.
fn positional(
    refutation: &Course,
    better: &Course,
    before: Option<Score>,
    after: Option<Score>,
) -> Option<String> {
    let start = refutation.position(0)?;
    let side = start.side_to_move();
    let is_ending = Color::ALL.into_iter().map(|color| pieces_value(start, color)).sum::<i32>() <= ENDING;
    if let (Some(Score::Centipawns(WON..)), Some(Score::Centipawns(value))) = (before, after)
        && is_ending
        && value.abs() <= LEVEL
    {
        return Some("Throws away a won ending, which is level now.".to_owned());
    }
    let bishops = |position: &Position, color| position.pieces(color, PieceType::Bishop).count();
    let after_reply = |course: &Course| course.position(2).map(|position| bishops(position, side));
    if bishops(start, side) == 2 && after_reply(refutation) == Some(1) && after_reply(better) == Some(2) {
        return Some("Gives up the bishop pair.".to_owned());
    }
    let played = *refutation.line.moves().first()?;
    let king = start.king(side);
    let home = if side == Color::White { Rank::First } else { Rank::Eighth };
    let shelter = attacks::king_attacks(king) & start.pieces(side, PieceType::Pawn);
    let is_checked = |ply: usize| {
        refutation
            .position(ply)
            .is_some_and(|position| position.side_to_move() == side && position.in_check())
    };
    let weakens = king.rank() == home
        && king.file() != tabiya_core::File::E
        && shelter.contains(played.from())
        && !played.is_capture()
        && (2..=MAX_LINE).any(is_checked);
    weakens.then(|| format!("Weakens the king's shelter: the pawn leaves {}.", played.from()))
}

/// The purpose of the better move, as a clause.
fn what_for(better: &Course, refutation: &Course, [before, after]: [Option<Score>; 2]) -> Option<String> {
    if let Some(Score::Mate(moves @ 1..)) = before {
        // A missed mate has been named.
        let is_mated = matches!(after, Some(Score::Mate(..=-1)));
        return (is_mated && moves > 1).then(|| format!("mates in {moves}"));
    }
    if better.gain() > 0 {
        let winnings = better.winnings()?;
        return Some(match better.clause() {
            Some(clause) if better.telling()?.motif != Motif::HangingPiece => {
                format!("{clause} and wins {winnings}")
            }
            _ => format!("wins {winnings}"),
        });
    }
    (refutation.gain() > 0 && better.gain() == 0).then(|| "keeps the material balance".to_owned())
}

/// The pieces on some squares in words: `the rook on a8 and the king on e8`.
fn names(position: &Position, squares: Bitboard) -> String {
    let names: Vec<String> = squares.into_iter().filter_map(|square| name(position, square)).collect();
    match names.split_last() {
        Some((last, rest @ [_, ..])) => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// The piece on a square in words: `the rook on a8`.
fn name(position: &Position, square: Square) -> Option<String> {
    Some(format!("the {} on {square}", kind(position, square)?.name()))
}

fn kind(position: &Position, square: Square) -> Option<PieceType> {
    position.piece_on(square).map(|piece| piece.piece_type())
}

/// The value of a side's pieces without pawns, in pawns.
fn pieces_value(position: &Position, color: Color) -> i32 {
    let types = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    types.iter().map(|&piece| (piece.pawns() * position.pieces(color, piece).count()) as i32).sum()
}

/// Returns true if no enemy pawn stands before the pawn on `square`, on its file or beside it.
fn is_passed(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_on(square) else { return false };
    let color = piece.color();
    let files = square.file().bitboard() | square.file().bitboard().east() | square.file().bitboard().west();
    let enemies = position.pieces(!color, PieceType::Pawn) & files;
    let rank = |square: Square| square.relative_to(color).rank();
    enemies.into_iter().all(|enemy| rank(enemy) <= rank(square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Judgement;
    use tabiya_core::notation::{NodeId, PgnScore};

    /// The reason for the first move of `played`, whose other moves are the opponent's line; the scores are White's.
    fn reason_for(
        fen: &str,
        played: &str,
        better: &str,
        [before, after]: [PgnScore; 2],
    ) -> (String, Vec<String>) {
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
        let reviewed = MoveReview {
            parent: NodeId::ROOT,
            node: NodeId::ROOT,
            mv: played[0],
            color: position.side_to_move(),
            loss: 0.3,
            judgement: Some(Judgement::Blunder),
        };
        let review = |score, line: &[Move]| PositionReview {
            white: 0.5,
            score: Some((score, 9)),
            line: line.to_vec(),
        };
        let reason =
            reason(&position, &reviewed, &review(before, &better), &review(after, &played[1..])).unwrap();
        assert!(is_own(reason.text.strip_suffix(" was best.").unwrap()), "{}", reason.text);
        (reason.text, reason.arrows.into_iter().map(|arrow| arrow.uci).collect())
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
