//! FENs in the addresses of web pages.

use alloc::string::String;
use alloc::vec::Vec;

/// Returns true for the address of a web page, also without `https://`.
pub(super) fn is_link(word: &str) -> bool {
    word.contains("://") || word.starts_with("www.") || starts_with_host(word) || parameter(word).is_some()
}

/// Returns true for a word such as `lichess.org/editor`. In `1.e8/Q`, which has a dot and a slash too, `e8` is no name of a domain.
fn starts_with_host(word: &str) -> bool {
    let host = word.split_once('/').map(|(host, _)| host);
    let domain = host.and_then(|host| host.rsplit_once('.')).map_or("", |(_, domain)| domain);
    domain.len() >= 2 && domain.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// The value of the parameter `fen`.
fn parameter(link: &str) -> Option<&str> {
    link.split(['?', '#', '&']).skip(1).find_map(|part| part.strip_prefix("fen="))
}

/// The FEN in a parameter `fen`, as in `?fen=…` and `#fen=…`, or in the path, as in `/analysis/…`. Its fields may be separated by spaces or
/// underscores.
pub(super) fn fen(link: &str) -> Option<String> {
    if let Some(value) = parameter(link) {
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
