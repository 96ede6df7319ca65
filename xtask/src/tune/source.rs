//! Where positions come from: files and standard input, read in blocks that all processors share.

use super::line::{self, Entry};
use crate::parallel::map_stretches;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::path::Path;

/// The name of standard input.
pub(super) const STDIN: &str = "-";

/// A line that is longer is none of a file with positions.
const LONGEST_LINE: u64 = 1 << 14;

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
    let mut lines = Lines::open(name)?;
    let mut block = Vec::new();
    loop {
        block.clear();
        while block.len() < STRETCH * threads.max(1) {
            let Some(line) = lines.next()? else { break };
            block.push(line);
        }
        if block.is_empty() {
            break;
        }
        let verdicts = map_stretches(&block, threads, |lines| {
            lines.iter().map(|(_, line)| judge(line, &prepare)).collect::<Vec<_>>()
        });
        for ((number, _), verdict) in block.iter().zip(verdicts.into_iter().flatten()) {
            counts.lines += u64::from(!matches!(verdict, Verdict::Nothing));
            match verdict {
                Verdict::Nothing => {}
                Verdict::Taken(sample) => {
                    counts.taken += 1;
                    take(sample);
                }
                Verdict::Unfit => counts.unfit += 1,
                Verdict::Malformed(why) if strict => bail!("{name}, line {number}: {why}"),
                Verdict::Malformed(why) => {
                    counts.malformed += 1;
                    if counts.malformed <= SHOWN_PROBLEMS {
                        // Nobody may be listening; that is no reason to stop.
                        let _ = writeln!(std::io::stderr(), "{name}, line {number}: {why}; skipped");
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

fn judge<S>(line: &[u8], prepare: &impl Fn(&Entry) -> Option<S>) -> Verdict<S> {
    let Ok(text) = std::str::from_utf8(line) else {
        return Verdict::Malformed("it is not text (UTF-8)".to_owned());
    };
    match line::parse(text) {
        Ok(None) => Verdict::Nothing,
        Ok(Some(entry)) => prepare(&entry).map_or(Verdict::Unfit, Verdict::Taken),
        Err(why) => Verdict::Malformed(why),
    }
}

/// The lines of a file with their numbers.
struct Lines {
    name: String,
    reader: Box<dyn BufRead>,
    number: u64,
}

impl Lines {
    fn open(name: &str) -> Result<Lines> {
        let reader: Box<dyn BufRead> = if name == STDIN {
            Box::new(BufReader::new(std::io::stdin()))
        } else {
            let file = File::open(Path::new(name)).with_context(|| format!("cannot read {name}"))?;
            Box::new(BufReader::with_capacity(1 << 18, file))
        };
        Ok(Lines { name: name.to_owned(), reader, number: 0 })
    }

    fn next(&mut self) -> Result<Option<(u64, Vec<u8>)>> {
        let mut line = Vec::new();
        self.number += 1;
        let place = || format!("{}, line {}", self.name, self.number);
        let length =
            self.reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).with_context(place)?;
        if length as u64 == LONGEST_LINE {
            bail!("{}: longer than {LONGEST_LINE} bytes; this is no file of positions", place());
        }
        Ok((length > 0).then_some((self.number, line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
