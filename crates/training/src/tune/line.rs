//! Text formats of labelled positions, one position per line.
//!
//! | format | content |
//! |---|---|
//! | `FEN c9 "1-0"; ce 25;` | EPD: result, score for the side to move |
//! | `FEN;1-0`, `FEN "0-1"`, `FEN 1/2-1/2` | result |
//! | `FEN [0.5]`, `FEN [0.5] 25` | White's points, score for White |
//! | `FEN \| 25 \| 0.5` | score for White, White's points |
//!
//! The FEN may omit its two counters.

use tabiya_core::{Color, Epd, EpdOperand, EpdOperation};
use tabiya_movegen::Position;

/// A position with its game result and, if known, a search score.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct LabelledPosition {
    pub(super) position: Position,
    /// Game result as White's points: 0, 0.5 or 1.
    pub(super) result: f32,
    /// Search score in centipawns, from White's point of view.
    pub(super) score: Option<i32>,
    /// Identity of the game that the position is from, if known.
    pub(super) game: Option<u64>,
}

/// Parses a line; `None` for a blank line or a comment.
///
/// # Errors
/// A message that says what is malformed.
pub(super) fn parse(line: &str) -> Result<Option<LabelledPosition>, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let rest = &line[end_of_fen(line)?..];
    let has_operations = rest.trim_start().starts_with(|c: char| c.is_ascii_alphabetic());
    if has_operations { parse_epd(line) } else { parse_fields(&line[..line.len() - rest.len()], rest) }
        .map(Some)
}

fn parse_epd(line: &str) -> Result<LabelledPosition, String> {
    let record: Epd = line.parse().map_err(|error| format!("{error}"))?;
    let result = record.operations.iter().find_map(|operation| match operation {
        EpdOperation::Comment(_, Some(text)) => points(text),
        EpdOperation::Other { operands, .. } => operands.iter().find_map(|operand| match operand {
            EpdOperand::Word(text) | EpdOperand::String(text) => points(text),
        }),
        _ => None,
    });
    let result = result.ok_or("no result: expected an operation such as c9 \"1-0\"")?;
    let score = record.centipawn_evaluation();
    let position = Position::new(record.board).map_err(|error| format!("illegal position: {error}"))?;
    let side = position.board().side_to_move();
    let score = score.map(|score| if side == Color::White { score } else { score.saturating_neg() });
    Ok(LabelledPosition { position, result, score, game: None })
}

fn parse_fields(fen: &str, rest: &str) -> Result<LabelledPosition, String> {
    let position = Position::from_fen(fen.trim_end()).map_err(|error| error.to_string())?;
    let fields: Vec<&str> = rest.split(is_separator).filter(|field| !field.is_empty()).collect();
    let [result, score] = match *fields.as_slice() {
        [] => return Err("no result after the position".to_owned()),
        [result] => [result, ""],
        [first, second] if first.starts_with(['[', '"']) => [first, second],
        [score, result] => [result, score],
        [_, _, field, ..] => return Err(format!("unexpected {field:?} after a result and a score")),
    };
    let result =
        points(result).ok_or_else(|| format!("invalid result {result:?} (expected 1-0, [0.5] or 0.0)"))?;
    if score.is_empty() {
        return Ok(LabelledPosition { position, result, score: None, game: None });
    }
    let score = score.parse().map_err(|_| format!("invalid score {score:?} (expected whole centipawns)"))?;
    Ok(LabelledPosition { position, result, score: Some(score), game: None })
}

/// Returns the end of the FEN as a byte offset: after its counters, or after the fourth field if it has none.
fn end_of_fen(line: &str) -> Result<usize, String> {
    let mut end = 0;
    for field in 0..6 {
        let rest = &line[end..];
        let start = rest.len() - rest.trim_start().len();
        let length = rest[start..].find(is_separator).unwrap_or(rest.len() - start);
        let text = &rest[start..start + length];
        if field < 4 && length == 0 {
            return Err(format!("incomplete FEN: {field} fields (expected at least 4)"));
        }
        // A single number may be a result; only two are counters.
        if field == 4 && !has_counters(rest) {
            break;
        }
        debug_assert!(field < 5 || is_number(text));
        end += start + length;
    }
    Ok(end)
}

/// Returns true if two numbers follow before the next separator other than white space.
fn has_counters(rest: &str) -> bool {
    let field = &rest[..rest.find([';', '|', ',']).unwrap_or(rest.len())];
    let mut numbers = field.split_whitespace();
    numbers.next().is_some_and(is_number) && numbers.next().is_some_and(is_number)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ';' | '|' | ',')
}

/// Parses a result as White's points.
fn points(text: &str) -> Option<f32> {
    match text.trim_matches(['[', ']', '(', ')', '"', ' ']) {
        "1-0" | "1.0" | "1" => Some(1.0),
        "0-1" | "0.0" | "0" => Some(0.0),
        "1/2-1/2" | "1/2" | "½" | "½-½" | "0.5" | ".5" => Some(0.5),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: &str = "4k3/8/8/8/8/8/8/4K2R w K -";
    const BLACK: &str = "4k3/8/8/8/8/8/8/4K2R b K -";

    fn read(line: &str) -> (f32, Option<i32>) {
        let labelled = parse(line).unwrap_or_else(|error| panic!("{line}: {error}")).unwrap();
        assert!(labelled.position.board().has_standard_castling(), "{line}");
        (labelled.result, labelled.score)
    }

    #[test]
    fn parses_every_format() {
        for (rest, expected) in [
            ("c9 \"1-0\"; ce 25;", (1.0, Some(25))),
            ("c9 \"1/2-1/2\";", (0.5, None)),
            ("hmvc 3; c0 \"0-1\"", (0.0, None)),
            ("bm Rh8+; result \"0.5\"; ce -7", (0.5, Some(-7))),
            (";1-0", (1.0, None)),
            ("0 1;0-1", (0.0, None)),
            ("\"1/2-1/2\"", (0.5, None)),
            ("1-0", (1.0, None)),
            ("0 1 1-0", (1.0, None)),
            ("[1.0]", (1.0, None)),
            ("5 30 [0.5] -31", (0.5, Some(-31))),
            ("| 25 | 0.0", (0.0, Some(25))),
            ("0 1 | -250 | 1", (1.0, Some(-250))),
            (",0.5", (0.5, None)),
        ] {
            assert_eq!(read(&format!("{WHITE} {rest}")), expected, "{rest}");
        }
        // The score of an EPD is for the side to move; other formats give White's.
        assert_eq!(read(&format!("{BLACK} c9 \"1-0\"; ce 25;")), (1.0, Some(-25)));
        assert_eq!(read(&format!("{BLACK} | 25 | 1.0")), (1.0, Some(25)));
        assert_eq!(parse("  # a remark").unwrap(), None);
        assert_eq!(parse("").unwrap(), None);
    }

    #[test]
    fn errors_name_the_problem() {
        for (line, message) in [
            ("4k3/8/8/8/8/8/8/4K2R w K", "incomplete FEN: 3 fields"),
            (WHITE, "no result after"),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "no result after"),
            ("4k3/9/8/8/8/8/8/4K2R w K - 0 1 1-0", "'9'"),
            ("4k3/8/8/8/8/8/8/7R w K - 0 1 1-0", "king"),
            ("4k3/8/8/8/8/8/8/4K2R w K - c9 \"2-0\";", "no result: expected"),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1 [0.7]", "invalid result"),
            ("4k3/8/8/8/8/8/8/4K2R w K - | NaN | 1.0", "invalid score"),
            ("4k3/8/8/8/8/8/8/4K2R w K - | 99999999999 | 1.0", "invalid score"),
            ("4k3/8/8/8/8/8/8/4K2R w K - | 1 | 1.0 | 5", "unexpected \"5\""),
            ("4k3/8/8/8/8/8/8/4K2R w K - bm", ""),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(message), "{line}: {error}");
        }
    }

    #[test]
    fn arbitrary_text_never_panics() {
        let line = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 | 25 | 0.5 c9 \"1-0\";";
        for (at, _) in line.char_indices() {
            for odd in ["", " ", "é", "\0", "½", "[", "|;", "\"", " 9 9 9 "] {
                // The test passes if nothing panics.
                let _ = parse(&format!("{}{odd}{}", &line[..at], &line[at..]));
                let _ = parse(&format!("{}{odd}", &line[..at]));
            }
        }
    }
}
