//! Reads labelled positions from files and standard input, in blocks that are parsed in parallel.

use super::line::{self, LabelledPosition};
use crate::datagen::{file, packed};
use crate::parallel::map_chunks;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::path::Path;
use tabiya_files::input;

/// File name that stands for standard input.
pub(super) const STDIN: &str = "-";

/// Maximum length of a line, in bytes. A longer line means that the file has another format.
const MAX_LINE: u64 = 1 << 14;

/// Size of the read buffer, in bytes.
const BUFFER: usize = 1 << 18;

/// Positions per thread and block.
const CHUNK: usize = 4096;

/// Malformed lines reported per file; all are counted.
const MAX_REPORTED: u64 = 10;

/// Numbers of positions read from a file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(super) struct FileCounts {
    pub(super) file: String,
    /// Lines that are neither blank nor comments, or packed positions.
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

/// The outcome of parsing a line or a packed position.
enum Parsed<S> {
    /// A blank line or a comment.
    Blank,
    Used(S),
    Filtered,
    Malformed(String),
}

/// Reads the positions of a file and passes the result of `prepare` for each to `on_sample`, in order.
/// `prepare` returns `None` to filter a position out. Malformed positions are reported on standard error.
///
/// # Errors
/// If the file cannot be read or contains no position; with `strict`, at the first malformed position.
pub(super) fn read<S: Send>(
    name: &str,
    threads: usize,
    strict: bool,
    prepare: impl Fn(&LabelledPosition) -> Option<S> + Sync,
    mut on_sample: impl FnMut(S),
) -> Result<FileCounts> {
    let mut counts = FileCounts { file: name.to_owned(), ..FileCounts::default() };
    let mut items = Items::open(name)?;
    let mut block = Vec::new();
    loop {
        block.clear();
        while block.len() < CHUNK * threads.max(1) && items.add_to(&mut block)? {}
        if block.is_empty() {
            break;
        }
        let parsed = map_chunks(&block, threads, |items| {
            items.iter().map(|item| parse(&item.content, &prepare)).collect::<Vec<_>>()
        });
        for (item, outcome) in block.iter().zip(parsed.into_iter().flatten()) {
            counts.lines += u64::from(!matches!(outcome, Parsed::Blank));
            match outcome {
                Parsed::Blank => {}
                Parsed::Used(sample) => {
                    counts.used += 1;
                    on_sample(sample);
                }
                Parsed::Filtered => counts.filtered += 1,
                Parsed::Malformed(error) if strict => bail!("{name}, {item}: {error}"),
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

fn parse<S>(content: &Content, prepare: &impl Fn(&LabelledPosition) -> Option<S>) -> Parsed<S> {
    let labelled = match content {
        Content::Line(line) => match std::str::from_utf8(line) {
            Ok(text) => line::parse(text),
            Err(_) => Err("not UTF-8 text".to_owned()),
        },
        Content::Packed(bytes) => packed::Sample::from_bytes(bytes).map(|sample| {
            Some(LabelledPosition {
                position: sample.position,
                result: f32::from(sample.half_points) / 2.0,
                score: Some(sample.score.into()),
            })
        }),
    };
    match labelled {
        Ok(None) => Parsed::Blank,
        Ok(Some(labelled)) => prepare(&labelled).map_or(Parsed::Filtered, Parsed::Used),
        Err(error) => Parsed::Malformed(error),
    }
}

/// An unparsed position and its place in the file.
struct Item {
    /// Number of the line or, in a datagen file, of the game.
    number: u64,
    content: Content,
}

enum Content {
    Line(Vec<u8>),
    Packed([u8; packed::SIZE]),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.content {
            Content::Line(_) => "line",
            Content::Packed(_) => "game",
        };
        write!(f, "{unit} {}", self.number)
    }
}

/// The items of a file of either format, which its first bytes determine.
enum Items {
    Lines { name: String, reader: Box<dyn BufRead>, number: u64 },
    Games { name: String, reader: Box<file::Reader<Box<dyn BufRead>>> },
}

impl Items {
    fn open(name: &str) -> Result<Items> {
        let mut reader: Box<dyn BufRead> = if name == STDIN {
            Box::new(BufReader::with_capacity(BUFFER, std::io::stdin()))
        } else {
            let file = input::open(Path::new(name)).with_context(|| format!("cannot read {name}"))?;
            Box::new(BufReader::with_capacity(BUFFER, file))
        };
        let start = reader.fill_buf().with_context(|| format!("cannot read {name}"))?;
        let name = name.to_owned();
        if start.starts_with(&file::MAGIC) {
            let reader = file::Reader::new(reader).with_context(|| name.clone())?;
            Ok(Items::Games { name, reader: Box::new(reader) })
        } else {
            Ok(Items::Lines { name, reader, number: 0 })
        }
    }

    /// Appends the next line, or the positions of the next game, to the block. Returns false at the end.
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
            Items::Games { name, reader } => {
                let game = reader.next().with_context(|| name.clone())?;
                if game.is_none() && reader.incomplete_bytes() > 0 {
                    let _ = writeln!(std::io::stderr(), "{name}: ignoring the incomplete game at its end");
                }
                let number = game.as_ref().map_or(0, |game| game.number);
                let samples = game.iter().flat_map(|game| &game.samples);
                block.extend(samples.map(|&bytes| Item { number, content: Content::Packed(bytes) }));
                Ok(game.is_some())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_movegen::Position;

    fn counts(contents: &[u8], strict: bool) -> Result<(FileCounts, Vec<f32>)> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), contents).unwrap();
        let name = file.path().display().to_string();
        let mut results = Vec::new();
        let prepare =
            |labelled: &LabelledPosition| (!labelled.position.in_check()).then_some(labelled.result);
        let counts = read(&name, 2, strict, prepare, |result| results.push(result))?;
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
    fn reads_datagen_files_and_reports_damage() {
        let sample = packed::Sample { position: Position::startpos(), score: 7, half_points: 1 };
        let check = packed::Sample {
            position: Position::from_fen("4k3/8/8/8/8/8/8/K3R3 b - - 0 1").unwrap(),
            ..sample.clone()
        };
        let bytes = file::tests::file(&[vec![sample.to_bytes(), check.to_bytes()], vec![sample.to_bytes()]]);
        let (read, results) = counts(&bytes, true).unwrap();
        let expected = FileCounts { lines: 3, used: 2, filtered: 1, ..FileCounts::default() };
        assert_eq!((read, results), (expected, vec![0.5, 0.5]));

        let error = |bytes: &[u8]| format!("{:#}", counts(bytes, false).unwrap_err());
        let mut damaged = bytes.clone();
        damaged[70] ^= 1;
        assert!(error(&damaged).contains("the game at byte 64 is damaged"));
        assert!(error(&bytes[..64]).contains("contains no position"));
        let nonsense = file::tests::file(&[vec![[0; packed::SIZE]]]);
        assert!(error(&nonsense).contains("(1 malformed lines)"));
    }

    #[test]
    fn rejects_files_without_positions() {
        let error = |contents: &[u8], strict| format!("{:#}", counts(contents, strict).unwrap_err());
        assert!(error(b"", false).contains("contains no position with a result"));
        assert!(error(b"\n# nothing\n", false).contains("contains no position"));
        assert!(error(b"4k3 w\n\xff\xfe\n", false).contains("(2 malformed lines)"));
        assert!(error(&[b'x'; 40_000], false).contains("line 1: longer than"));
        assert!(error(b"4k3/8/8/8/8/8/8/4K2R w K - 1-0\nx\n", true).contains(", line 2: "));
        assert!(
            format!("{:#}", read("no/such/file", 1, false, |_| Some(()), |()| {}).unwrap_err())
                .contains("cannot read no/such/file")
        );
    }

    #[test]
    fn reads_regular_files_only() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().display().to_string();
        let error = Items::open(&name).err().expect("a directory");
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
