//! Reads labelled positions from files and standard input, in blocks that are parsed in parallel.

use super::line::{self, LabelledPosition};
use crate::parallel::map_chunks;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::path::Path;
use tabiya_files::input;
use tabiya_lab_common::games::{Damage, GameFile, RawGame, Selection};

/// File name that stands for standard input.
pub(super) const STDIN: &str = "-";

/// Maximum length of a line, in bytes. A longer line means that the file has another format.
const MAX_LINE: u64 = 1 << 14;

/// Size of the read buffer, in bytes.
const BUFFER: usize = 1 << 18;

/// Lines per thread and block.
const CHUNK: usize = 4096;

/// The number of lines that a game counts for: its usual number of selected positions.
const GAME_WEIGHT: usize = 32;

/// Extension of the names of files of games, which have no other mark.
const GAMES: &str = "vf";

/// Malformed lines reported per file; all are counted.
const MAX_REPORTED: u64 = 10;

/// Numbers of positions read from a file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(super) struct FileCounts {
    pub(super) file: String,
    /// Lines that are neither blank nor comments, or positions of games.
    pub(super) lines: u64,
    /// Positions in the training set or the held-out set.
    #[serde(rename = "taken")]
    pub(super) used: u64,
    /// Positions that could not be parsed.
    pub(super) malformed: u64,
    /// Positions left out: in check, stalemate or, with `--quiet-only`, not quiet.
    #[serde(rename = "unfit")]
    pub(super) filtered: u64,
}

/// The choice among the positions of a file.
#[derive(Clone, Copy)]
pub(super) struct Choice<'a> {
    /// Fail at the first malformed line instead of skipping it.
    pub(super) strict: bool,
    /// The positions to use of a file of games.
    pub(super) selection: &'a Selection,
}

/// The outcome of parsing a line or a game.
enum Parsed<S> {
    /// A blank line or a comment.
    Blank,
    Used(S),
    Filtered,
    Malformed(String),
    /// The positions in use and the number of others.
    Game(Vec<S>, u64),
    /// A damaged game. Unlike a line, it says nothing about where the next one begins.
    Damaged(anyhow::Error),
}

/// Reads the positions of a file and passes the result of `prepare` for each to `on_sample`, in order.
/// `prepare` returns `None` to filter a position out. Malformed positions are reported on standard error.
///
/// # Errors
/// If the file cannot be read, contains no position or a damaged game; with `strict`, at the first malformed line.
pub(super) fn read<S: Send>(
    path: &Path,
    threads: usize,
    choice: Choice<'_>,
    prepare: impl Fn(&LabelledPosition) -> Option<S> + Sync,
    mut on_sample: impl FnMut(S),
) -> Result<FileCounts> {
    let name = &path.display().to_string();
    let mut counts = FileCounts { file: name.clone(), ..FileCounts::default() };
    let mut items = Items::open(path)?;
    let mut block = Vec::new();
    loop {
        block.clear();
        while block.len() * items.weight() < CHUNK * threads.max(1) && items.add_to(&mut block)? {}
        if block.is_empty() {
            break;
        }
        let parsed = map_chunks(&block, threads, |items| {
            items.iter().map(|item| parse(&item.content, choice.selection, &prepare)).collect::<Vec<_>>()
        });
        for (item, outcome) in block.iter().zip(parsed.into_iter().flatten()) {
            counts.lines += match &outcome {
                Parsed::Blank => 0,
                Parsed::Game(used, filtered) => used.len() as u64 + filtered,
                _ => 1,
            };
            match outcome {
                Parsed::Blank => {}
                Parsed::Game(used, filtered) => {
                    counts.used += used.len() as u64;
                    counts.filtered += filtered;
                    used.into_iter().for_each(&mut on_sample);
                }
                Parsed::Damaged(error) => return Err(error.context(name.clone())),
                Parsed::Used(sample) => {
                    counts.used += 1;
                    on_sample(sample);
                }
                Parsed::Filtered => counts.filtered += 1,
                Parsed::Malformed(error) if choice.strict => bail!("{name}, {item}: {error}"),
                Parsed::Malformed(error) => {
                    counts.malformed += 1;
                    if counts.malformed <= MAX_REPORTED {
                        // Ignore errors: a closed standard error must not end the run.
                        let _ = writeln!(std::io::stderr(), "{name}, {item}: {error}; skipped");
                    }
                }
            }
        }
    }
    if counts.lines == counts.malformed {
        bail!("{name}: contains no position with a result ({} malformed lines)", counts.malformed);
    }
    Ok(counts)
}

fn parse<S>(
    content: &Content,
    selection: &Selection,
    prepare: &impl Fn(&LabelledPosition) -> Option<S>,
) -> Parsed<S> {
    let labelled = match content {
        Content::Line(line) => match std::str::from_utf8(line) {
            Ok(text) => line::parse(text),
            Err(_) => Err("not UTF-8 text".to_owned()),
        },
        Content::Game(game) => return select(game, selection, prepare),
    };
    match labelled {
        Ok(None) => Parsed::Blank,
        Ok(Some(labelled)) => prepare(&labelled).map_or(Parsed::Filtered, Parsed::Used),
        Err(error) => Parsed::Malformed(error),
    }
}

fn select<S>(
    game: &RawGame,
    selection: &Selection,
    prepare: &impl Fn(&LabelledPosition) -> Option<S>,
) -> Parsed<S> {
    let replay = match game.replay() {
        Ok(replay) => replay,
        Err(error) => return Parsed::Damaged(error.into()),
    };
    let identity = game.identity();
    let mut used = Vec::new();
    let selected = selection.visit(&replay, identity, |position, _, scored| {
        let labelled = LabelledPosition {
            position: position.clone(),
            result: f32::from(replay.half_points) / 2.0,
            score: Some(scored.score.into()),
            game: Some(identity),
        };
        used.extend(prepare(&labelled));
    });
    if let Err(error) = selected {
        return Parsed::Damaged(error.into());
    }
    let filtered = replay.len() - used.len();
    Parsed::Game(used, filtered as u64)
}

/// An unparsed line or game and its place in the file.
struct Item {
    /// Number of the line; unused for games, whose errors have the byte.
    number: u64,
    content: Content,
}

enum Content {
    Line(Vec<u8>),
    Game(RawGame),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.content {
            Content::Line(_) => write!(f, "line {}", self.number),
            Content::Game(game) => write!(f, "byte {}", game.offset),
        }
    }
}

/// The items of a text file or of a file of games.
enum Items {
    Lines { name: String, reader: Box<dyn BufRead>, number: u64 },
    Games(Box<GameFile>),
}

impl Items {
    fn open(path: &Path) -> Result<Items> {
        if path.extension().is_some_and(|extension| extension == GAMES) {
            return Ok(Items::Games(Box::new(GameFile::open(path, Damage::Unchecked)?)));
        }
        let reader: Box<dyn BufRead> = if path == Path::new(STDIN) {
            Box::new(BufReader::with_capacity(BUFFER, std::io::stdin()))
        } else {
            let file = input::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            Box::new(BufReader::with_capacity(BUFFER, file))
        };
        Ok(Items::Lines { name: path.display().to_string(), reader, number: 0 })
    }

    /// The number of lines that one of the items counts for.
    fn weight(&self) -> usize {
        match self {
            Items::Lines { .. } => 1,
            Items::Games(_) => GAME_WEIGHT,
        }
    }

    /// Appends the next line or game to the block. Returns false at the end.
    fn add_to(&mut self, block: &mut Vec<Item>) -> Result<bool> {
        match self {
            Items::Lines { name, reader, number } => {
                *number += 1;
                let location = || format!("{name}, line {number}");
                let mut line = Vec::new();
                let length =
                    reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).with_context(location)?;
                if length as u64 == MAX_LINE {
                    bail!("{}: longer than {MAX_LINE} bytes; not a file of positions", location());
                }
                if length > 0 {
                    block.push(Item { number: *number, content: Content::Line(line) });
                }
                Ok(length > 0)
            }
            Items::Games(file) => {
                let game = file.next_or_note()?;
                let more = game.is_some();
                block.extend(game.map(|game| Item { number: 0, content: Content::Game(game) }));
                Ok(more)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_lab_common::games::GameRecord;
    use tabiya_lab_common::games::test_games::random_games;

    fn counts(contents: &[u8], strict: bool) -> Result<(FileCounts, Vec<f32>)> {
        counts_of(contents, "", strict)
    }

    fn counts_of(contents: &[u8], suffix: &str, strict: bool) -> Result<(FileCounts, Vec<f32>)> {
        let file = tempfile::Builder::new().suffix(suffix).tempfile().unwrap();
        std::fs::write(file.path(), contents).unwrap();
        let mut results = Vec::new();
        let prepare =
            |labelled: &LabelledPosition| (!labelled.position.in_check()).then_some(labelled.result);
        let selection = Selection { every_ply: true, ..Selection::default() };
        let choice = Choice { strict, selection: &selection };
        let counts = read(file.path(), 2, choice, prepare, |result| results.push(result))?;
        Ok((FileCounts { file: String::new(), ..counts }, results))
    }

    #[test]
    fn counts_lines_by_outcome() {
        let text = "# a remark\n\n4k3/8/8/8/8/8/8/4K2R w K - 1-0\r\n4k3/8/8/8/8/8/8/4K2R w K - NaN\n\
                    4k3/8/8/8/8/8/8/K3R3 b - - [0.5]\nrubbish\n4k3/8/8/8/8/8/8/4K2R b K - c9 \"0-1\";";
        let (counts, results) = counts(text.as_bytes(), false).unwrap();
        let expected = FileCounts { lines: 5, used: 2, malformed: 2, filtered: 1, ..FileCounts::default() };
        assert_eq!((counts, results), (expected, vec![1.0, 0.0]));
    }

    #[test]
    fn reads_games_and_reports_damage() {
        let games = random_games(30, 8);
        let bytes: Vec<u8> = games.iter().flat_map(GameRecord::to_bytes).collect();
        let positions: usize = games.iter().map(|game| game.moves.len()).sum();
        let (read, results) = counts_of(&bytes, ".vf", true).unwrap();
        assert_eq!(read.lines, positions as u64);
        assert_eq!((read.used, read.filtered), (results.len() as u64, read.lines - read.used));
        let expected: Vec<f32> = games
            .iter()
            .flat_map(|game| {
                let mut results = Vec::new();
                game.visit(|position, _, _| {
                    if !position.in_check() {
                        results.push(f32::from(game.half_points) / 2.0);
                    }
                });
                results
            })
            .collect();
        assert_eq!(results, expected);

        let error = |bytes: &[u8]| format!("{:#}", counts_of(bytes, ".vf", false).unwrap_err());
        let mut damaged = bytes.clone();
        damaged[32..34].copy_from_slice(&[0xff, 0x0f]);
        assert!(error(&damaged).contains(".vf: byte 32: 0x0fff is not a legal move"), "{}", error(&damaged));
        assert!(error(&bytes[..20]).contains("contains no position"), "{}", error(&bytes[..20]));
    }

    #[test]
    fn rejects_files_without_positions() {
        let error = |contents: &[u8], strict| format!("{:#}", counts(contents, strict).unwrap_err());
        let choice = Choice { strict: false, selection: &Selection::default() };
        assert!(error(b"", false).contains("contains no position with a result"));
        assert!(error(b"\n# nothing\n", false).contains("contains no position"));
        assert!(error(b"4k3 w\n\xff\xfe\n", false).contains("(2 malformed lines)"));
        assert!(error(&[b'x'; 40_000], false).contains("line 1: longer than"));
        assert!(error(b"4k3/8/8/8/8/8/8/4K2R w K - 1-0\nx\n", true).contains(", line 2: "));
        assert!(
            format!("{:#}", read(Path::new("no/such/file"), 1, choice, |_| Some(()), |()| {}).unwrap_err())
                .contains("cannot read no/such/file")
        );
    }

    #[test]
    fn reads_regular_files_only() {
        let folder = tempfile::tempdir().unwrap();
        let error = Items::open(folder.path()).err().expect("a directory");
        assert!(format!("{error:#}").ends_with("it is a directory, not a regular file"), "{error:#}");
    }

    #[test]
    fn keeps_the_order_of_the_file() {
        let mut text = String::new();
        for number in 0..20_000 {
            text += if number % 3 == 0 {
                "4k3/8/8/8/8/8/8/4K2R w K - 1-0\n"
            } else {
                "4k3/8/8/8/8/8/8/4K2R w K - 0-1\n"
            };
        }
        let (counts, results) = counts(text.as_bytes(), false).unwrap();
        assert_eq!((counts.used, results.len()), (20_000, 20_000));
        assert!(
            results.iter().enumerate().all(|(index, &result)| result == f32::from(u8::from(index % 3 == 0)))
        );
    }
}
