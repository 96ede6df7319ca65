//! A file of games that a command writes as a whole.

use super::sidecar;
use super::store::lock;
use anyhow::{Context, Result};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tabiya_files::lock::Lock;
use tabiya_files::output::{self, Existing, OutputFile};

/// An [`OutputFile`] of games, packed or not.
///
/// The lock of a [`Store`](super::Store) keeps it from replacing a file to which another process appends. The settings beside a
/// replaced file are removed, because they are those of other games.
pub struct GamesOutput {
    output: OutputFile,
    /// The settings beside a file that may be replaced.
    sidecar: Option<PathBuf>,
    /// `None` for a stream or a device. Released after `output` has been removed.
    lock: Option<Lock>,
}

impl GamesOutput {
    /// Starts to write a file. `inputs` are the files that the same command reads.
    ///
    /// # Errors
    /// As [`OutputFile::create`], if another process writes to the file, or if there are settings beside it and `existing` is
    /// [`Existing::Refuse`].
    pub fn create(path: &Path, existing: Existing, inputs: &[&Path]) -> Result<GamesOutput> {
        let output = OutputFile::create(path, existing, inputs)?;
        if !output::is_replaced(path) {
            return Ok(GamesOutput { output, sidecar: None, lock: None });
        }
        let lock = lock(path)?;
        let sidecar = sidecar::path(path);
        output::check(&sidecar, existing, inputs)
            .with_context(|| format!("{} would have the settings of other games", path.display()))?;
        Ok(GamesOutput {
            output,
            sidecar: (existing == Existing::Replace).then_some(sidecar),
            lock: Some(lock),
        })
    }

    /// Completes the file.
    ///
    /// # Errors
    /// As [`OutputFile::commit`], or if the settings of the replaced file cannot be removed.
    pub fn commit(self) -> Result<()> {
        let GamesOutput { mut output, sidecar, lock } = self;
        if let Some(path) = sidecar {
            // A full disk shows here and leaves the old file with its settings.
            output.flush()?;
            // Before the file is replaced: if the process is killed in between, the old games have no settings and are not
            // continued. The new games with the settings of the old ones would be.
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(error).with_context(|| format!("cannot remove {}", path.display()));
                }
                _ => {}
            }
        }
        output.commit()?;
        drop(lock);
        Ok(())
    }
}

impl Write for GamesOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Store;

    fn write(path: &Path, existing: Existing) -> Result<()> {
        let mut output = GamesOutput::create(path, existing, &[])?;
        output.write_all(b"new")?;
        output.commit()
    }

    fn names(folder: &Path) -> Vec<String> {
        let names =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn file_that_games_are_appended_to_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.vf");
        let store = Store::open(&path).unwrap();
        let error = write(&path, Existing::Replace).unwrap_err().to_string();
        assert!(error.contains("is writing to") && error.contains("games.vf"), "{error}");
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink("games.vf", &link).unwrap();
            let error = write(&link, Existing::Replace).unwrap_err().to_string();
            assert!(error.contains("is writing to"), "{error}");
            fs::remove_file(link).unwrap();
        }
        drop(store);
        let output = GamesOutput::create(&path, Existing::Replace, &[]).unwrap();
        assert!(Store::open(&path).err().unwrap().to_string().contains("is writing to"));
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"");
        write(&path, Existing::Replace).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["games.vf"]);
    }

    #[test]
    fn settings_of_replaced_games_do_not_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.vf");
        let settings = folder.path().join("games.vf.toml");
        fs::write(&path, "old").unwrap();
        fs::write(&settings, "seed = 1\n").unwrap();
        // Without a commit, nothing changes.
        drop(GamesOutput::create(&path, Existing::Replace, &[]).unwrap());
        assert_eq!(names(folder.path()), ["games.vf", "games.vf.toml"]);
        write(&path, Existing::Replace).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["games.vf"]);
        // Settings without games.
        fs::remove_file(&path).unwrap();
        fs::write(&settings, "seed = 1\n").unwrap();
        let error = format!("{:#}", write(&path, Existing::Refuse).unwrap_err());
        assert!(error.contains("games.vf would have the settings of other games"), "{error}");
        assert!(error.ends_with("games.vf.toml: the file exists (--force overwrites it)"), "{error}");
        assert_eq!(names(folder.path()), ["games.vf.toml"]);
    }

    #[test]
    fn streams_and_devices_are_not_locked() {
        if Path::new("/dev/null").exists() {
            write(Path::new("/dev/null"), Existing::Refuse).unwrap();
        }
    }
}
