//! Texts and times in checks.

use std::time::Duration;

/// Splits `text within 2s` at the last occurrence of `word`.
pub(super) fn split_time<'a>(text: &'a str, word: &str) -> Result<(&'a str, Option<Duration>), String> {
    let mut words = text.rsplitn(3, ' ');
    match (words.next(), words.next()) {
        (Some(time), Some(found)) if found == word => {
            Ok((words.next().unwrap_or_default(), Some(read_time(time)?)))
        }
        _ => Ok((text, None)),
    }
}

pub(super) fn read_time(text: &str) -> Result<Duration, String> {
    let number = |digits: &str| digits.parse::<u64>().ok();
    text.strip_suffix("ms")
        .and_then(number)
        .map(Duration::from_millis)
        .or_else(|| text.strip_suffix('s').and_then(number).map(Duration::from_secs))
        .ok_or_else(|| format!("{text:?} is not a time such as 500ms or 2s"))
}

/// Expands `{shuffle N}` to N plies of knight moves back and forth, `{repeat N TEXT}` to N copies of the
/// text, and escape sequences. Other braces stay as they are.
pub(super) fn expand(text: &str) -> Result<Vec<u8>, String> {
    const KNIGHTS: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let mut expanded = String::new();
    let mut rest = text;
    while let Some(start) =
        ["{shuffle ", "{repeat "].iter().filter_map(|macro_start| rest.find(macro_start)).min()
    {
        let (macro_text, after) = rest[start + 1..].split_once('}').ok_or("unclosed {")?;
        expanded.push_str(&rest[..start]);
        let mut words = macro_text.splitn(3, ' ');
        let name = words.next().unwrap_or_default();
        let count: usize = words
            .next()
            .and_then(|count| count.parse().ok())
            .ok_or_else(|| format!("{macro_text:?} has no count"))?;
        match (name, words.next()) {
            ("shuffle", None) => {
                let moves: Vec<_> = (0..count).map(|ply| KNIGHTS[ply % KNIGHTS.len()]).collect();
                expanded.push_str(&moves.join(" "));
            }
            ("repeat", Some(text)) => expanded.push_str(&text.repeat(count)),
            _ => return Err(format!("{macro_text:?} is neither `shuffle N` nor `repeat N TEXT`")),
        }
        rest = after;
    }
    expanded.push_str(rest);
    bytes(&expanded)
}

/// Replaces `\t`, `\r` and `\xHH` by their bytes.
fn bytes(text: &str) -> Result<Vec<u8>, String> {
    let mut parts = text.split('\\');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let mut characters = part.chars();
        match characters.next() {
            Some('t') => bytes.push(b'\t'),
            Some('r') => bytes.push(b'\r'),
            Some('x') => {
                let number = part.get(1..3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
                bytes.push(
                    number.ok_or_else(|| format!("\\{part:.3} is not \\x and two hexadecimal digits"))?,
                );
                characters = part[3..].chars();
            }
            _ => return Err(format!("\\{part:.1} is none of \\t, \\r and \\xHH")),
        }
        bytes.extend_from_slice(characters.as_str().as_bytes());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expands_macros_and_escapes() {
        for (text, expected) in [
            ("  go\\tdepth 1\\r", "  go\tdepth 1\r"),
            ("", ""),
            ("m {shuffle 5}.", "m g1f3 g8f6 f3g1 f6g8 g1f3."),
            ("{repeat 3 ab }x", "ab ab ab x"),
            ("result 1-0 {White mates} {", "result 1-0 {White mates} {"),
        ] {
            assert_eq!(expand(text).as_deref(), Ok(expected.as_bytes()), "{text}");
        }
        assert_eq!(expand("\\xff\\x00é"), Ok(vec![0xff, 0, 0xc3, 0xa9]));
        for text in ["{shuffle x}", "{shuffle 3", "\\q", "\\xg0", "{repeat 3}"] {
            assert!(expand(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_are_at_the_end() {
        let ms = Duration::from_millis;
        assert_eq!(split_time("info string x within 20ms", "within"), Ok(("info string x", Some(ms(20)))));
        assert_eq!(split_time("within 2s", "within"), Ok(("", Some(ms(2000)))));
        assert_eq!(split_time("readyok", "within"), Ok(("readyok", None)));
        assert!(split_time("readyok within 5", "within").is_err());
    }
}
