//! The `genfens` command of the testing framework OpenBench.

use super::Problem;
use super::tokens::{Token, Tokens};

/// `genfens N seed S book None|FILE`: a request for random openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GenFens<'a> {
    /// The number of openings.
    pub(crate) count: u64,
    /// The same seed gives the same openings.
    pub(crate) seed: u64,
    /// An EPD file with positions to start from.
    pub(crate) book: Option<&'a str>,
}

/// Parses the arguments of `genfens`. Tokens after the book are ignored: OpenBench passes extra arguments to
/// some engines there.
pub(super) fn parse<'a>(tokens: &mut Tokens<'a>) -> Result<GenFens<'a>, Problem> {
    const COMMAND: &str = "genfens";
    let count = tokens.next();
    let Some(count) = count.and_then(number) else {
        return Err(tokens.unexpected(count, COMMAND, "the number of openings"));
    };
    let (mut seed, mut book) = (0, None);
    while let Some(token) = tokens.next() {
        match token.text {
            "seed" => {
                let found = tokens.next();
                seed = found
                    .and_then(number)
                    .ok_or_else(|| tokens.unexpected(found, COMMAND, "a whole number as seed"))?;
            }
            "book" => {
                let found =
                    tokens.next().ok_or_else(|| tokens.unexpected(None, COMMAND, "a file name or None"))?;
                book = (!found.text.eq_ignore_ascii_case("none")).then_some(found.text);
                tokens.rest();
            }
            _ => return Err(tokens.unexpected(Some(token), COMMAND, "seed or book")),
        }
    }
    Ok(GenFens { count, seed, book })
}

fn number(token: Token<'_>) -> Option<u64> {
    token.text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::{Command, parse as parse_line};
    use super::GenFens;

    #[test]
    fn parses_requests() {
        for (line, count, seed, book) in [
            ("genfens 5 seed 7 book None", 5, 7, None),
            ("genfens 5 seed 18446744073709551615 book none extra words", 5, u64::MAX, None),
            ("genfens 0 book books/a.epd seed 3", 0, 0, Some("books/a.epd")),
            ("genfens 1", 1, 0, None),
        ] {
            let parsed = parse_line(line).unwrap();
            assert_eq!(parsed.command, Command::GenFens(GenFens { count, seed, book }), "{line}");
            assert_eq!(parsed.notices, [], "{line}");
        }
        for (line, message) in [
            ("genfens", "genfens: expected the number of openings at byte 7, where the line ends"),
            ("genfens x", "genfens: expected the number of openings at byte 8, found \"x\""),
            ("genfens 3 seed -1", "genfens: expected a whole number as seed at byte 15, found \"-1\""),
            ("genfens 3 book", "genfens: expected a file name or None at byte 14, where the line ends"),
            ("genfens 3 joho", "genfens: expected seed or book at byte 10, found \"joho\""),
        ] {
            assert_eq!(parse_line(line).unwrap_err().to_string(), message);
        }
    }
}
