use super::{Problem, Word, Words};

/// `genfens N seed S book None|FILE`: random openings, as the testing framework OpenBench asks for them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GenFens<'a> {
    /// How many.
    pub(crate) count: u64,
    /// Which ones.
    pub(crate) seed: u64,
    /// The file with the positions that they start from.
    pub(crate) book: Option<&'a str>,
}

/// Reads what follows `genfens`. Words behind the book are for engines that know what to do with them.
pub(super) fn parse<'a>(words: &mut Words<'a>) -> Result<GenFens<'a>, Problem> {
    const COMMAND: &str = "genfens";
    let count = words.next();
    let Some(count) = count.and_then(number) else {
        return Err(words.unexpected(count, COMMAND, "how many, a whole number"));
    };
    let (mut seed, mut book) = (0, None);
    while let Some(word) = words.next() {
        match word.text {
            "seed" => {
                let found = words.next();
                seed = found
                    .and_then(number)
                    .ok_or_else(|| words.unexpected(found, COMMAND, "a seed, a whole number"))?;
            }
            "book" => {
                let found = words.next().ok_or_else(|| words.unexpected(None, COMMAND, "a file or None"))?;
                book = (!found.text.eq_ignore_ascii_case("none")).then_some(found.text);
                words.rest();
            }
            _ => return Err(words.unexpected(Some(word), COMMAND, "seed or book")),
        }
    }
    Ok(GenFens { count, seed, book })
}

fn number(word: Word<'_>) -> Option<u64> {
    word.text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::{Command, parse as parse_line};
    use super::GenFens;

    #[test]
    fn requests() {
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
            ("genfens", "genfens: expected how many, a whole number at byte 7, where the line ends"),
            ("genfens x", "genfens: expected how many, a whole number at byte 8, found \"x\""),
            ("genfens 3 seed -1", "genfens: expected a seed, a whole number at byte 15, found \"-1\""),
            ("genfens 3 book", "genfens: expected a file or None at byte 14, where the line ends"),
            ("genfens 3 joho", "genfens: expected seed or book at byte 10, found \"joho\""),
        ] {
            assert_eq!(parse_line(line).unwrap_err().to_string(), message);
        }
    }
}
