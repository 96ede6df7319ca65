//! FENs in the addresses of web pages.

use alloc::string::String;
use alloc::vec::Vec;

/// Returns true for the address of a web page.
pub(super) fn is_link(word: &str) -> bool {
    word.contains("://") || ["www.", "lichess.org/"].iter().any(|start| word.starts_with(start))
}

/// The FEN in a parameter `fen`, as in `?fen=…` and `#fen=…`, or in the path, as in `/analysis/…`. Its fields may be separated by spaces or
/// underscores.
pub(super) fn fen(link: &str) -> Option<String> {
    let parameter = link.split(['?', '#', '&']).skip(1).find_map(|part| part.strip_prefix("fen="));
    if let Some(value) = parameter {
        return Some(decoded(&value.replace('+', " "))).filter(|fen| fen.contains('/'));
    }
    let path = decoded(link.split(['?', '#']).next()?);
    let path = path.trim_end_matches(['>', ')', ',', '.', '"', '\'']);
    let parts: Vec<&str> = path.split('/').collect();
    // The first seven ranks have nothing but pieces and digits; fields follow the eighth.
    let is_rank = |part: &&str| !part.is_empty() && part.chars().all(|c| "pnbrqkPNBRQK12345678".contains(c));
    let ranks = parts.windows(8).find(|ranks| ranks.iter().take(7).all(is_rank))?;
    Some(ranks.join("/"))
}

/// The text with its escapes, such as `%20`, replaced. Damaged escapes stay.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = match (first, after) {
            (b'%', [high, low, after @ ..]) => hexadecimal(*high, *low).map(|byte| (byte, after)),
            _ => None,
        };
        let (byte, after) = escaped.unwrap_or((*first, after));
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hexadecimal(high: u8, low: u8) -> Option<u8> {
    let digit = |byte| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}
