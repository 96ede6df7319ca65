//! [`HtmlReport`]: a report as one HTML page, without anything from outside.
//!
//! The data is a JSON block in the page, and a script shows it. The page's content security policy admits this script and this
//! style sheet by their hashes, and nothing else.

use super::{Heading, ReportGame};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use std::io::{self, Write};

/// The page, with places for the parts below.
const TEMPLATE: &str = include_str!("../../page/review.html");
const STYLE: &str = include_str!("../../page/review.css");
const SCRIPT: &str = include_str!("../../page/review.js");

/// The style sheet and the modules that the page of a report shares with other pages, by file name. A module comes after those
/// that it imports.
pub const SHARED_FILES: [(&str, &str); 11] = [
    ("common.css", include_str!("../../page/shared/common.css")),
    ("words.js", include_str!("../../page/shared/words.js")),
    ("position.js", include_str!("../../page/shared/position.js")),
    ("elements.js", include_str!("../../page/shared/elements.js")),
    ("notation.js", include_str!("../../page/shared/notation.js")),
    ("game-tree.js", include_str!("../../page/shared/game-tree.js")),
    ("board-drawing.js", include_str!("../../page/shared/board-drawing.js")),
    ("graph.js", include_str!("../../page/shared/graph.js")),
    ("move-list.js", include_str!("../../page/shared/move-list.js")),
    ("game-list.js", include_str!("../../page/shared/game-list.js")),
    ("summary.js", include_str!("../../page/shared/summary.js")),
];

/// The drawings of the pieces: SVG symbols named `piece-p` to `piece-k`, 45 units wide and high, for use within a `defs` element.
/// The strokes of class `detail` and the dots of class `dot` take the text colour.
pub const PIECES: &str = tabiya_core::PIECE_SYMBOLS;

/// Maximum size of the games in a page, in bytes. Browsers take seconds to open larger ones.
const MAX_BYTES: u64 = 64 << 20;

/// Writes a report as an HTML page, one game at a time.
///
/// The page needs no network and no other file. Games after the first 64 MiB of data, about six thousand games, are left out
/// and counted.
#[derive(Debug)]
pub struct HtmlReport<W: Write> {
    out: W,
    /// The page after the data.
    end: String,
    games: u64,
    omitted: u64,
    bytes: u64,
    max_bytes: u64,
}

impl<W: Write> HtmlReport<W> {
    /// Begins a page.
    ///
    /// # Errors
    /// Returns the errors of the writer.
    pub fn new(out: W, heading: &Heading) -> io::Result<HtmlReport<W>> {
        HtmlReport::with_limit(out, heading, MAX_BYTES)
    }

    fn with_limit(mut out: W, heading: &Heading, max_bytes: u64) -> io::Result<HtmlReport<W>> {
        let [template, pieces] = [TEMPLATE, PIECES].map(unix_lines);
        let [style, script] = [style(), script()];
        let page = template
            .replace("@@style-hash@@", &hash(&style))
            .replace("@@script-hash@@", &hash(&script))
            .replace("@@pieces@@", &pieces)
            .replace("@@style@@", &style)
            .replace("@@script@@", &script);
        let (beginning, end) = page.split_once("@@data@@").unwrap_or((&page, ""));
        // Last, because a title may contain a placeholder.
        let beginning = beginning.replace("@@title@@", &escaped(&heading.title));
        let mut data = embedded_json(heading)?;
        // Continues the heading's object.
        data.truncate(data.len() - 1);
        write!(out, "{beginning}{data},\"games\":[")?;
        Ok(HtmlReport { out, end: end.to_owned(), games: 0, omitted: 0, bytes: 0, max_bytes })
    }

    /// Adds a game. Returns false if it is left out because the page would be too large.
    ///
    /// # Errors
    /// Returns the errors of the writer.
    pub fn add(&mut self, game: &ReportGame) -> io::Result<bool> {
        let data = embedded_json(game)?;
        self.bytes = self.bytes.saturating_add(data.len() as u64);
        if self.bytes > self.max_bytes {
            self.omitted += 1;
            return Ok(false);
        }
        let separator = if self.games == 0 { "\n" } else { ",\n" };
        self.games += 1;
        write!(self.out, "{separator}{data}")?;
        Ok(true)
    }

    /// The number of games left out.
    pub fn omitted(&self) -> u64 {
        self.omitted
    }

    /// Completes the page.
    ///
    /// # Errors
    /// Returns the errors of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        write!(self.out, "\n],\"omitted\":{}}}{}", self.omitted, self.end)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// The shared files with this extension, and then `last`.
fn with_shared(extension: &str, last: &'static str) -> impl Iterator<Item = &'static str> {
    let shared = SHARED_FILES.iter().filter(move |(name, _)| name.ends_with(extension));
    shared.map(|(_, text)| *text).chain([last])
}

/// The style sheet, with the shared one in front.
fn style() -> String {
    unix_lines(&with_shared(".css", STYLE).collect::<Vec<_>>().join("\n"))
}

/// The script, with the modules that it uses in front: in one script, nothing is imported or exported.
fn script() -> String {
    let lines = with_shared(".js", SCRIPT).flat_map(str::lines).filter(|line| !line.starts_with("import "));
    lines.map(|line| line.strip_prefix("export ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// JSON in which no text can end the `script` element around it.
fn embedded_json(value: &impl serde::Serialize) -> io::Result<String> {
    // `<` occurs only in strings, where it may be written as an escape sequence.
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}

/// Replaces the line breaks of a checkout on Windows, which browsers replace before they compute hashes.
fn unix_lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// The hash of an element's text in a content security policy.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
pub(super) fn page_with_limit(heading: &Heading, games: &[ReportGame], max_bytes: u64) -> String {
    let mut report = HtmlReport::with_limit(Vec::new(), heading, max_bytes).unwrap();
    for game in games {
        report.add(game).unwrap();
    }
    String::from_utf8(report.finish().unwrap()).unwrap()
}
