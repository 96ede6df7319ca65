//! Reads a hostile PGN text and prints the time and, on Linux, the peak memory of the process.
//!
//! `cargo run --release -p tabiya-movegen --example pgn_limits -- TEXT READER [SIZE]`. TEXT is `tags` (SIZE different
//! tags), `variations` (SIZE inside each other), `line` (SIZE moves on one line) or `comment` (of SIZE bytes). READER is
//! `events` (the reader alone), `game` (a `PgnGame`) or `tree` (a `GameTree`). The text is generated while it is read and
//! takes no memory.

use std::error::Error;
use std::io::{self, Read};
use std::time::Instant;
use tabiya_core::notation::{Next, PgnError, PgnReader, PgnVisitor};
use tabiya_movegen::GameTreeBuilder;

/// A text that is generated while it is read.
struct Text {
    parts: Box<dyn Iterator<Item = String>>,
    part: String,
    /// Number of bytes of `part` that have been read.
    read: usize,
}

impl Text {
    fn new(kind: &str, size: usize) -> Option<Text> {
        let one = |text: &str| std::iter::once(text.to_owned());
        let many = |text: &str, count: usize| std::iter::repeat_n(text.to_owned(), count);
        let parts: Box<dyn Iterator<Item = String>> = match kind {
            "tags" => {
                Box::new((0..size).map(|number| format!("[Tag{number} \"x\"]\n")).chain(one("\n1. e4 *")))
            }
            "variations" => {
                let opening = |depth| if depth % 2 == 0 { "(1. d4 " } else { "(1. e4 " }.to_owned();
                Box::new(one("1. e4 ").chain((0..size).map(opening)).chain(many(")", size)).chain(one(" *")))
            }
            "line" => {
                let moves = ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "].map(str::to_owned);
                Box::new(moves.into_iter().cycle().take(size).chain(one("*")))
            }
            "comment" => {
                let line = "x".repeat(99) + " ";
                Box::new(one("1. e4 {").chain(many(&line, size / line.len())).chain(one("} *")))
            }
            _ => return None,
        };
        Some(Text { parts, part: String::new(), read: 0 })
    }
}

impl Read for Text {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut length = 0;
        while length < buffer.len() {
            let rest = &self.part.as_bytes()[self.read..];
            if rest.is_empty() {
                let Some(part) = self.parts.next() else { break };
                (self.part, self.read) = (part, 0);
                continue;
            }
            let count = rest.len().min(buffer.len() - length);
            buffer[length..length + count].copy_from_slice(&rest[..count]);
            (length, self.read) = (length + count, self.read + count);
        }
        Ok(length)
    }
}

/// A visitor that counts errors and keeps nothing.
struct Errors(usize);

impl PgnVisitor for Errors {
    type Output = usize;

    fn error(&mut self, _: PgnError) -> Next {
        self.0 += 1;
        Next::Read
    }

    fn end_game(&mut self) -> usize {
        self.0
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let usage = "usage: pgn_limits tags|variations|line|comment events|game|tree [SIZE]";
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (kind, reader) = (arguments.first().ok_or(usage)?, arguments.get(1).ok_or(usage)?);
    let size = match (arguments.get(2), &**kind) {
        (Some(size), _) => size.parse()?,
        (None, "tags") => 100_000,
        (None, "variations") => 200_000,
        (None, "line") => 1_000_000,
        (None, _) => 100_000_000,
    };
    let text = Text::new(kind, size).ok_or(usage)?;

    let start = Instant::now();
    let mut pgn = PgnReader::new(text);
    let errors = match &**reader {
        "events" => pgn.read_game(&mut Errors(0))?.map_or(0, |errors| errors),
        "game" => match pgn.games().next() {
            Some(Err(error)) => report(&error),
            _ => 0,
        },
        "tree" => match pgn.read_game(&mut GameTreeBuilder::new())? {
            Some(Err(error)) => report(&error),
            _ => 0,
        },
        _ => return Err(usage.into()),
    };
    println!("{kind} of size {size}, {reader}: {:.3} s, {errors} errors", start.elapsed().as_secs_f64());
    if let Ok(status) = std::fs::read_to_string("/proc/self/status")
        && let Some(peak) = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))
    {
        println!("peak memory: {}", peak.trim());
    }
    Ok(())
}

/// Prints the error of a game and counts it.
fn report(error: &dyn Error) -> usize {
    println!("{error}");
    1
}
