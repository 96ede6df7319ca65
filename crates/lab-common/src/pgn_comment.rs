//! Scores in the comments of PGN games, as match runners write them.

use tabiya_uci_engine::InfoScore;

/// The largest score that is read from a comment, in centipawns.
const MAX_CENTIPAWNS: i32 = 1_000_000;

/// Formats a score as in `+0.31` and `-M5`.
pub fn score_text(score: InfoScore) -> String {
    match score {
        InfoScore::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
        InfoScore::Mate(moves) if moves > 0 => format!("+M{moves}"),
        InfoScore::Mate(moves) => format!("-M{}", moves.unsigned_abs()),
    }
}

/// Parses the score and the depth of a comment as in `+0.31/12 0.053s` and `-M5/20`, which other match runners
/// write, too. `None` without a score.
pub fn parse_comment(comment: &str) -> Option<(InfoScore, Option<u32>)> {
    let first = comment.split_whitespace().next()?;
    let (score, depth) = first.split_once('/').unwrap_or((first, ""));
    let score = match score.split_once('M') {
        Some((sign @ ("+" | "-" | ""), moves)) => {
            let moves: u16 = moves.parse().ok()?;
            InfoScore::Mate(if sign == "-" { -i32::from(moves) } else { i32::from(moves) })
        }
        Some(_) => return None,
        None => {
            let centipawns = (score.parse::<f64>().ok()? * 100.0).round();
            InfoScore::Centipawns(
                (centipawns.abs() <= f64::from(MAX_CENTIPAWNS)).then_some(centipawns as i32)?,
            )
        }
    };
    Some((score, depth.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_from_comments() {
        for score in
            [InfoScore::Centipawns(-31), InfoScore::Centipawns(0), InfoScore::Mate(5), InfoScore::Mate(-2)]
        {
            let text = format!(" {}/12 0.053s n=5021", score_text(score));
            assert_eq!(parse_comment(&text), Some((score, Some(12))), "{text}");
        }
        assert_eq!(parse_comment("-9.99"), Some((InfoScore::Centipawns(-999), None)));
        for none in ["book", "?", "", "checkmate", "NaN/2", "inf/2", "Mate", "xM5/3", "+M/3", "1e300/2"] {
            assert_eq!(parse_comment(none), None, "{none}");
        }
        assert_eq!(score_text(InfoScore::Mate(3)), "+M3");
        assert_eq!(score_text(InfoScore::Mate(0)), "-M0");
    }
}
