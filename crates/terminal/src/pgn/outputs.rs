//! The outputs of `tabiya pgn annotate`: annotated games, HTML page and summary.

use super::digest::Digest;
use super::journal::FinishedGame;
use super::summary::Summary;
use anyhow::Result;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tabiya_files::output::{Existing, OutputFile, check};
use tabiya_review::report::{Heading, HtmlReport};

/// The destinations of the annotated games.
pub(super) struct Destinations<'a> {
    /// The PGN file. `None` for standard output, or for no PGN if there is a page.
    pub(super) pgn: Option<&'a Path>,
    /// The HTML page.
    pub(super) html: Option<&'a Path>,
    pub(super) existing: Existing,
    /// True if an earlier run may have written some of the files before it was killed. Those are then complete.
    pub(super) may_be_written: bool,
    /// The files that the command reads.
    pub(super) inputs: Vec<&'a Path>,
}

impl Destinations<'_> {
    fn create(&self, path: &Path) -> Result<Target> {
        if self.may_be_written && self.existing == Existing::Refuse && path.is_file() {
            return Ok(Target::Written { path: path.to_owned(), digest: Digest::default() });
        }
        Ok(Target::New(OutputFile::create(path, self.existing, &self.inputs)?))
    }
}

/// A file to write.
enum Target {
    New(OutputFile),
    /// A file that exists and should have the same contents.
    Written {
        path: PathBuf,
        digest: Digest,
    },
}

impl Target {
    /// Completes the file.
    fn commit(self) -> Result<()> {
        match self {
            Target::New(file) => file.commit()?,
            Target::Written { path, digest } => {
                if Digest::of_reader(File::open(&path)?)? != digest.hex() {
                    check(&path, Existing::Refuse, &[])?;
                }
            }
        }
        Ok(())
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::New(file) => file.write(bytes),
            Target::Written { digest, .. } => {
                digest.update(bytes);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::New(file) => file.flush(),
            Target::Written { .. } => Ok(()),
        }
    }
}

/// The outputs while they are written. Files appear under their names when they are complete.
pub(super) struct Outputs<'a> {
    pgn: PgnOutput<'a>,
    html: Option<HtmlReport<Target>>,
    summary: Summary,
    skipped: u64,
    shortened: u64,
}

enum PgnOutput<'a> {
    Nothing,
    Stream(&'a mut dyn Write),
    File(Target),
}

/// The contents of the outputs.
pub(super) struct Written {
    pub(super) summary: Summary,
    /// The number of invalid games.
    pub(super) skipped: u64,
    /// The number of games that end before a move that cannot be played.
    pub(super) shortened: u64,
    /// The number of games that are not in the HTML page.
    pub(super) omitted: u64,
}

impl<'a> Outputs<'a> {
    /// Opens the outputs; `stream` is standard output.
    ///
    /// # Errors
    /// If a file cannot be created.
    pub(super) fn open(
        destinations: &Destinations<'_>,
        heading: &Heading,
        stream: &'a mut dyn Write,
    ) -> Result<Outputs<'a>> {
        let pgn = match destinations.pgn {
            Some(path) => PgnOutput::File(destinations.create(path)?),
            None if destinations.html.is_some() => PgnOutput::Nothing,
            None => PgnOutput::Stream(stream),
        };
        let html = match destinations.html {
            Some(path) => Some(HtmlReport::new(destinations.create(path)?, heading)?),
            None => None,
        };
        Ok(Outputs { pgn, html, summary: Summary::default(), skipped: 0, shortened: 0 })
    }

    /// Writes a game. Invalid games are counted and left out.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn write(&mut self, game: &FinishedGame) -> Result<()> {
        let Ok(game) = &game.game else {
            self.skipped += 1;
            return Ok(());
        };
        match &mut self.pgn {
            PgnOutput::Nothing => {}
            PgnOutput::Stream(stream) => {
                stream.write_all(game.pgn.as_bytes())?;
                // A game takes long enough that its reader should have it at once.
                stream.flush()?;
            }
            PgnOutput::File(file) => file.write_all(game.pgn.as_bytes())?,
        }
        if let Some(html) = &mut self.html {
            html.add(&game.report)?;
        }
        self.summary.add(&game.report);
        self.shortened += u64::from(game.is_shortened);
        Ok(())
    }

    /// Completes the outputs.
    ///
    /// # Errors
    /// If a file cannot be written or renamed.
    pub(super) fn commit(self) -> Result<Written> {
        let Outputs { pgn, html, summary, skipped, shortened } = self;
        let mut written = Written { summary, skipped, shortened, omitted: 0 };
        if written.skipped > 0 && !written.summary.has_games() {
            // An empty file would only be in the way of the next try.
            return Ok(written);
        }
        // The page first: the PGN file is the one that tells whether the command is done.
        if let Some(html) = html {
            written.omitted = html.omitted();
            html.finish()?.commit()?;
        }
        match pgn {
            PgnOutput::Nothing => {}
            PgnOutput::Stream(stream) => stream.flush()?,
            PgnOutput::File(file) => file.commit()?,
        }
        Ok(written)
    }
}
