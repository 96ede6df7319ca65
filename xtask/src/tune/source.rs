//! Where positions come from: files and standard input, read in blocks that all processors share.

use super::line::{self, Entry};
use crate::datagen::{file, packed};
use crate::parallel::map_chunks;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::path::Path;

/// The name of standard input.
pub(super) const STDIN: &str = "-";

/// A line that is longer is none of a file with positions.
const LONGEST_LINE: u64 = 1 << 14;

/// How much is read at a time.
const BUFFER: usize = 1 << 18;

/// How many lines a processor gets at a time.
const STRETCH: usize = 4096;

/// How many bad lines of a file are shown; all are counted.
const SHOWN_PROBLEMS: u64 = 10;

/// What became of the lines of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(super) struct FileCounts {
    pub(super) file: String,
    /// Lines with something in them.
    pub(super) lines: u64,
    /// Those that are learnt from or tested with.
    pub(super) taken: u64,
    /// Those that could not be read.
    pub(super) malformed: u64,
    /// Those that were read, but are of no use: in check, decided, not quiet.
    pub(super) unfit: u64,
}

/// What a line comes to.
enum Verdict<S> {
    Nothing,
    Taken(S),
    Unfit,
    Malformed(String),
}

/// Reads all the positions of one file, handing over in their order what `prepare` makes of each; it
/// returns `None` for positions that are unfit. What is wrong with the file is told on standard error.
///
/// # Errors
/// When the file cannot be read or there is no position in it; with `strict`, when there is anything else
/// in it.
pub(super) fn read<S: Send>(
    name: &str,
    threads: usize,
    strict: bool,
    prepare: impl Fn(&Entry) -> Option<S> + Sync,
    mut take: impl FnMut(S),
) -> Result<FileCounts> {
    let mut counts = FileCounts { file: name.to_owned(), ..FileCounts::default() };
    let mut items = Items::open(name)?;
    let mut block = Vec::new();
    loop {
        block.clear();
        while block.len() < STRETCH * threads.max(1) && items.add_to(&mut block)? {}
        if block.is_empty() {
            break;
        }
        let verdicts = map_chunks(&block, threads, |items| {
            items.iter().map(|item| judge(&item.content, &prepare)).collect::<Vec<_>>()
        });
        for (item, verdict) in block.iter().zip(verdicts.into_iter().flatten()) {
            counts.lines += u64::from(!matches!(verdict, Verdict::Nothing));
            match verdict {
                Verdict::Nothing => {}
                Verdict::Taken(sample) => {
                    counts.taken += 1;
                    take(sample);
                }
                Verdict::Unfit => counts.unfit += 1,
                Verdict::Malformed(why) if strict => bail!("{name}, {item}: {why}"),
                Verdict::Malformed(why) => {
                    counts.malformed += 1;
                    if counts.malformed <= SHOWN_PROBLEMS {
                        // Nobody may be listening; that is no reason to stop.
                        let _ = writeln!(std::io::stderr(), "{name}, {item}: {why}; skipped");
                    }
                }
            }
        }
    }
    if counts.lines == counts.malformed {
        bail!("{name}: there is no position with a result in it ({} malformed lines)", counts.malformed);
    }
    Ok(counts)
}

fn judge<S>(content: &Content, prepare: &impl Fn(&Entry) -> Option<S>) -> Verdict<S> {
    let entry = match content {
        Content::Line(line) => match std::str::from_utf8(line) {
            Ok(text) => line::parse(text),
            Err(_) => Err("it is not text (UTF-8)".to_owned()),
        },
        Content::Packed(bytes) => packed::Sample::from_bytes(bytes).map(|sample| {
            Some(Entry {
                position: sample.position,
                result: f32::from(sample.half_points) / 2.0,
                score: Some(sample.score.into()),
            })
        }),
    };
    match entry {
        Ok(None) => Verdict::Nothing,
        Ok(Some(entry)) => prepare(&entry).map_or(Verdict::Unfit, Verdict::Taken),
        Err(why) => Verdict::Malformed(why),
    }
}

/// What a position is read from, and where it stands.
struct Item {
    /// Of the line or, in packed data, of the game.
    number: u64,
    content: Content,
}

enum Content {
    Line(Vec<u8>),
    Packed([u8; packed::SIZE]),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.content {
            Content::Line(_) => "line",
            Content::Packed(_) => "game",
        };
        write!(f, "{what} {}", self.number)
    }
}

/// The items of a file, whose first bytes tell which of its two kinds it is of.
enum Items {
    Lines { name: String, reader: Box<dyn BufRead>, number: u64 },
    Games { name: String, reader: Box<file::Reader<Box<dyn BufRead>>> },
}

impl Items {
    fn open(name: &str) -> Result<Items> {
        let mut reader: Box<dyn BufRead> = if name == STDIN {
            Box::new(BufReader::with_capacity(BUFFER, std::io::stdin()))
        } else {
            let file = File::open(Path::new(name)).with_context(|| format!("cannot read {name}"))?;
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

    /// Adds the next line, or the positions of the next game; `false` at the end.
    fn add_to(&mut self, block: &mut Vec<Item>) -> Result<bool> {
        match self {
            Items::Lines { name, reader, number } => {
                *number += 1;
                let place = || format!("{name}, line {number}");
                let mut line = Vec::new();
                let length =
                    reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).with_context(place)?;
                if length as u64 == LONGEST_LINE {
                    bail!("{}: longer than {LONGEST_LINE} bytes; this is no file of positions", place());
                }
                if length > 0 {
                    block.push(Item { number: *number, content: Content::Line(line) });
                }
                Ok(length > 0)
            }
            Items::Games { name, reader } => {
                let game = reader.next().with_context(|| name.clone())?;
                if game.is_none() && reader.incomplete() > 0 {
                    let _ = writeln!(std::io::stderr(), "{name}: an unfinished game at its end is left out");
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
        let prepare = |entry: &Entry| (!entry.position.in_check()).then_some(entry.result);
        let counts = read(&name, 2, strict, prepare, |result| results.push(result))?;
        Ok((FileCounts { file: String::new(), ..counts }, results))
    }

    #[test]
    fn lines_are_counted_by_what_they_are() {
        let text = "# a remark\n\n4k3/8/8/8/8/8/8/4K2R w K - 1-0\r\n4k3/8/8/8/8/8/8/4K2R w K - NaN\n\
                    4k3/8/8/8/8/8/8/K3R3 b - - [0.5]\nrubbish\n4k3/8/8/8/8/8/8/4K2R b K - c9 \"0-1\";";
        let (counts, results) = counts(text.as_bytes(), false).unwrap();
        let expected = FileCounts { lines: 5, taken: 2, malformed: 2, unfit: 1, ..FileCounts::default() };
        assert_eq!((counts, results), (expected, vec![1.0, 0.0]));
    }

    #[test]
    fn packed_data_are_read_and_damage_is_told() {
        let sample = packed::Sample { position: Position::startpos(), score: 7, half_points: 1 };
        let check = packed::Sample {
            position: Position::from_fen("4k3/8/8/8/8/8/8/K3R3 b - - 0 1").unwrap(),
            ..sample.clone()
        };
        let bytes = file::tests::file(&[vec![sample.to_bytes(), check.to_bytes()], vec![sample.to_bytes()]]);
        let (read, results) = counts(&bytes, true).unwrap();
        let expected = FileCounts { lines: 3, taken: 2, unfit: 1, ..FileCounts::default() };
        assert_eq!((read, results), (expected, vec![0.5, 0.5]));

        let error = |bytes: &[u8]| format!("{:#}", counts(bytes, false).unwrap_err());
        let mut damaged = bytes.clone();
        damaged[70] ^= 1;
        assert!(error(&damaged).contains("the game that starts at byte 64 is damaged"));
        assert!(error(&bytes[..64]).contains("there is no position"));
        let nonsense = file::tests::file(&[vec![[0; packed::SIZE]]]);
        assert!(error(&nonsense).contains("(1 malformed lines)"));
    }

    #[test]
    fn useless_files_are_refused() {
        let error = |contents: &[u8], strict| format!("{:#}", counts(contents, strict).unwrap_err());
        assert!(error(b"", false).contains("there is no position with a result in it"));
        assert!(error(b"\n# nothing\n", false).contains("there is no position"));
        assert!(error(b"4k3 w\n\xff\xfe\n", false).contains("(2 malformed lines)"));
        assert!(error(&[b'x'; 40_000], false).contains("line 1: longer than"));
        assert!(error(b"4k3/8/8/8/8/8/8/4K2R w K - 1-0\nx\n", true).contains(", line 2: "));
        assert!(
            format!("{:#}", read("no/such/file", 1, false, |_| Some(()), |()| {}).unwrap_err())
                .contains("cannot read no/such/file")
        );
    }

    #[test]
    fn the_order_does_not_depend_on_the_number_of_threads() {
        let mut text = String::new();
        for number in 0..20_000 {
            text += if number % 3 == 0 {
                "4k3/8/8/8/8/8/8/4K2R w K - 1-0\n"
            } else {
                "4k3/8/8/8/8/8/8/4K2R w K - 0-1\n"
            };
        }
        let (counts, results) = counts(text.as_bytes(), false).unwrap();
        assert_eq!((counts.taken, results.len()), (20_000, 20_000));
        assert!(
            results.iter().enumerate().all(|(index, &result)| result == f32::from(u8::from(index % 3 == 0)))
        );
    }
}
