//! Scores in the comments of PGN games and the ends in their tags, as fastchess, cutechess and `selfplay` write them.
//!
//! A comment begins with score and depth, as in `+0.31/12 0.053s, n=5021`. Scores are from the point of view of the side that moved.
//! Mates count plies: `+M5` is a mate in three moves, `-M4` being mated in two.

use tabiya_uci_engine::InfoScore;

/// The largest number of pawns that is read from a comment.
const MAX_PAWNS: i32 = 10_000;

/// Formats a score as in `+0.31` and `-M4`.
pub fn score_text(score: InfoScore) -> String {
    match score {
        InfoScore::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
        InfoScore::Mate(moves) if moves > 0 => format!("+M{}", 2 * i64::from(moves) - 1),
        InfoScore::Mate(moves) => format!("-M{}", 2 * u64::from(moves.unsigned_abs())),
    }
}

/// Parses the score and the depth of a comment. `None` without a score.
pub fn parse_comment(comment: &[u8]) -> Option<(InfoScore, Option<u32>)> {
    let comment = comment.trim_ascii_start();
    let (is_negative, unsigned) = match comment {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, comment),
    };
    let (score, rest) = match unsigned {
        [b'M', rest @ ..] => {
            let (plies, rest) = number(rest)?;
            let moves = i32::from(u16::try_from(plies).ok()?.div_ceil(2));
            (InfoScore::Mate(if is_negative { -moves } else { moves }), rest)
        }
        _ => {
            let (value, rest) = centipawns(unsigned)?;
            (InfoScore::Centipawns(if is_negative { -value } else { value }), rest)
        }
    };
    match rest {
        [b'/', depth @ ..] => Some((score, number(depth).and_then(|(depth, _)| u32::try_from(depth).ok()))),
        [] => Some((score, None)),
        [byte, ..] if byte.is_ascii_whitespace() || *byte == b',' => Some((score, None)),
        _ => None,
    }
}

/// Parses the score of a comment as [`parse_comment`]. `None` also for depth 0, which fastchess writes with the score 0.00 if an engine
/// has reported nothing.
pub fn reported_score(comment: &[u8]) -> Option<InfoScore> {
    parse_comment(comment).filter(|&(_, depth)| depth != Some(0)).map(|(score, _)| score)
}

/// The kinds of values of the tag `Termination`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Termination {
    /// No tag; OpenBench writes none.
    #[default]
    Unknown,
    /// By the rules of chess.
    Normal,
    /// By the match runner.
    Adjudication,
    /// Lost on time, by an illegal move or a crash, or not finished.
    Fault,
}

impl Termination {
    /// The kind of a value.
    pub fn of_tag(value: &str) -> Termination {
        match value.trim() {
            "" => Termination::Unknown,
            "normal" => Termination::Normal,
            "adjudication" => Termination::Adjudication,
            // "time forfeit", "abandoned", "illegal move", "rules infraction", "stalled connection", "unterminated".
            _ => Termination::Fault,
        }
    }
}

/// Parses pawns with or without decimals, rounded to centipawns. Returns them with the rest of the text.
fn centipawns(text: &[u8]) -> Option<(i32, &[u8])> {
    let (pawns, rest) = number(text)?;
    let pawns = i32::try_from(pawns).ok().filter(|&pawns| pawns <= MAX_PAWNS)?;
    let [b'.', decimals @ ..] = rest else { return Some((pawns * 100, rest)) };
    let length = decimals.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (decimals, rest) = decimals.split_at(length);
    let digit = |index: usize| decimals.get(index).map_or(0, |byte| i32::from(byte - b'0'));
    let rounding = i32::from(digit(2) >= 5);
    Some((pawns * 100 + digit(0) * 10 + digit(1) + rounding, rest))
}

/// Parses the digits at the start of a text. Returns the number with the rest of the text; `None` without a digit.
fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(length);
    let add = |sum: u64, byte: &u8| sum.saturating_mul(10).saturating_add(u64::from(byte - b'0'));
    (length > 0).then(|| (digits.iter().fold(0, add), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_from_comments() {
        for score in
            [InfoScore::Centipawns(-31), InfoScore::Centipawns(0), InfoScore::Mate(5), InfoScore::Mate(-2)]
        {
            let score_text = score_text(score);
            // By selfplay, fastchess, OpenBench and cutechess.
            for rest in ["0.053s n=5021", "0.053s, n=5021, sd=20", "0.053s, White mates", "0.05s"] {
                let text = format!(" {score_text}/12 {rest}");
                assert_eq!(parse_comment(text.as_bytes()), Some((score, Some(12))), "{text}");
            }
            let compact = format!("{score_text}/12, line=x");
            assert_eq!(parse_comment(compact.as_bytes()), Some((score, Some(12))), "{compact}");
        }
        for (text, score) in [
            ("-9.99", InfoScore::Centipawns(-999)),
            ("0.00 ", InfoScore::Centipawns(0)),
            ("12.3, x", InfoScore::Centipawns(1230)),
            ("7", InfoScore::Centipawns(700)),
            ("0.415", InfoScore::Centipawns(42)),
        ] {
            assert_eq!(parse_comment(text.as_bytes()), Some((score, None)), "{text}");
        }
        for none in [
            "book", "unknown", "?", "", "checkmate", "NaN/2", "inf/2", "Mate", "xM5/3", "+M/3", "1e300/2",
            "123456/2", "+M99999/2", ".5/2", "ERR/0",
        ] {
            assert_eq!(parse_comment(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn mates_count_plies() {
        assert_eq!(score_text(InfoScore::Mate(3)), "+M5");
        assert_eq!(score_text(InfoScore::Mate(-2)), "-M4");
        assert_eq!(score_text(InfoScore::Mate(0)), "-M0");
    }
}
