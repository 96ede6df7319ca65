//! `genfens`: random openings for games from which something is to be learnt.

use crate::command::GenFens;
use anyhow::{Context, Result, bail};
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use tabiya_core::Epd;
use tabiya_movegen::Position;
use tabiya_play::RandomOpening;
use tabiya_search::{Engine, Options};

/// A request that does not borrow from its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    count: u64,
    seed: u64,
    book: Option<String>,
}

impl From<GenFens<'_>> for Request {
    fn from(command: GenFens<'_>) -> Request {
        Request { count: command.count, seed: command.seed, book: command.book.map(str::to_owned) }
    }
}

/// How many seeds are tried for an opening: from some positions of a book no game can be balanced.
const MOST_TRIES: u64 = 100;

/// Hands over one opening after the other, until all are made or `stop` is set: the same for the same
/// seed and book. Each request has its own engine, so that the one that plays forgets nothing.
///
/// # Errors
/// If the book cannot be read, the engine cannot be set up, or nothing balanced can be found.
pub(crate) fn generate(request: &Request, stop: &AtomicBool, mut each: impl FnMut(&Position)) -> Result<()> {
    let starts = match &request.book {
        None => vec![Position::startpos()],
        Some(path) => read_book(path)?,
    };
    let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() })?;
    let opening = RandomOpening::default();
    // Seeds that follow each other share nothing: each draws from a stretch of numbers of its own.
    let mut seed = request.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for _ in 0..request.count {
        let found = (0..MOST_TRIES).find_map(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let start = &starts[((u128::from(seed) * starts.len() as u128) >> 64) as usize];
            let stopped = stop.load(Ordering::Relaxed);
            if stopped { Some(None) } else { opening.play(&mut engine, start, seed).map(Some) }
        });
        match found {
            Some(Some(game)) => each(game.position()),
            Some(None) => break,
            None => bail!("no balanced opening can be found"),
        }
    }
    Ok(())
}

/// Reads a book with an EPD or FEN in each line.
fn read_book(path: &str) -> Result<Vec<Position>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read the book {path:?}"))?;
    let position = |(line, record): (usize, Result<Epd, _>)| {
        let record = record.with_context(|| format!("{path:?}, line {line}"))?;
        Position::new(record.board).with_context(|| format!("{path:?}, line {line}"))
    };
    let positions = Epd::parse_lines(&text).map(position).collect::<Result<Vec<_>>>()?;
    if positions.is_empty() {
        bail!("there is no position in the book {path:?}");
    }
    Ok(positions)
}
