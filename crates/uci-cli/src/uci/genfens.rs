//! `genfens`: random openings for generating training games.

use super::command::GenFens;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use tabiya_core::{Epd, SplitMix64};
use tabiya_files::input;
use tabiya_movegen::Position;
use tabiya_player::RandomOpening;
use tabiya_search::{Engine, Options};

/// An owned `genfens` request.
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

/// Maximum number of seeds to try for one opening. Some book positions have no balanced continuation.
const MAX_ATTEMPTS: u64 = 100;

/// The size limit of the book, in bytes: 1 GiB.
const MAX_BOOK: u64 = 1 << 30;

/// Calls `each` with one opening after the other until all are generated or `stop` is set. The same seed and
/// book give the same openings. The openings are checked by a separate engine, so that the main engine keeps
/// its transposition table.
///
/// # Errors
/// If the book cannot be read, the engine cannot be set up, or no balanced opening is found.
pub(crate) fn generate(request: &Request, stop: &AtomicBool, mut each: impl FnMut(&Position)) -> Result<()> {
    let starts = match &request.book {
        None => vec![Position::startpos()],
        Some(path) => read_book(path)?,
    };
    let mut engine = Engine::new(Options::default().with_hash_mb(1))?;
    let opening = RandomOpening::default();
    let mut random = SplitMix64::new(request.seed);
    for _ in 0..request.count {
        let found = (0..MAX_ATTEMPTS).find_map(|_| {
            let start = &starts[random.below(starts.len())];
            let stopped = stop.load(Ordering::Relaxed);
            if stopped { Some(None) } else { opening.play(&mut engine, start, random.next_u64()).map(Some) }
        });
        match found {
            Some(Some(game)) => each(game.position()),
            Some(None) => break,
            None => bail!("no balanced opening found"),
        }
    }
    Ok(())
}

/// Reads a book with one EPD or FEN per line.
fn read_book(path: &str) -> Result<Vec<Position>> {
    let text = input::read_text(Path::new(path), MAX_BOOK)
        .with_context(|| format!("cannot read the book {path:?}"))?;
    let position = |(line, record): (usize, Result<Epd, _>)| {
        let record = record.with_context(|| format!("{path:?}, line {line}"))?;
        Position::new(record.board).with_context(|| format!("{path:?}, line {line}"))
    };
    let positions = Epd::parse_lines(&text).map(position).collect::<Result<Vec<_>>>()?;
    if positions.is_empty() {
        bail!("the book {path:?} has no positions");
    }
    Ok(positions)
}
