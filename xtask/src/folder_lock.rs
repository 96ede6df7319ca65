//! A folder that only one process may write to.
//!
//! The lock is the operating system's, on an open file: it goes with the process, however that ends, so
//! that there is no such thing as a stale one. The file stays behind and means nothing by itself; what is in it
//! is for the message.

use anyhow::{Context, Result, bail};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

const LOCK: &str = "lock";

/// The folder is ours until this is dropped.
#[derive(Debug)]
pub(crate) struct FolderLock {
    /// Never read: it is open, which is all it is for.
    _file: File,
}

impl FolderLock {
    /// Takes the folder.
    ///
    /// # Errors
    /// When another process has it (the message says which), or the lock cannot be written.
    pub(crate) fn take(folder: &Path) -> Result<FolderLock> {
        let path = folder.join(LOCK);
        let Some(mut file) = open(&path).with_context(|| format!("cannot lock {}", path.display()))? else {
            let mut holder = String::new();
            // Where even reading is forbidden, the message does without.
            let _ = File::open(&path).and_then(|mut file| file.read_to_string(&mut holder));
            let holder = holder.trim();
            let by = if holder.is_empty() { String::new() } else { format!(" (process {holder})") };
            bail!(
                "another process{by} is writing to {}; wait for its end, or stop it with Ctrl-C",
                folder.display()
            );
        };
        file.set_len(0)
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(FolderLock { _file: file })
    }
}

/// Opens the file for nobody but us; `None` if somebody else has it.
fn open(path: &Path) -> io::Result<Option<File>> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        // Some network file systems know no locks; there one has to look after oneself.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(Some(file)),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = FolderLock::take(folder.path()).unwrap();
        let text = FolderLock::take(folder.path()).unwrap_err().to_string();
        assert!(text.starts_with("another process") && text.contains("is writing to"), "{text}");
        if cfg!(unix) {
            assert!(text.contains(&format!("(process {})", std::process::id())), "{text}");
        }
        drop(first);
        FolderLock::take(folder.path()).unwrap();
    }

    #[test]
    fn what_a_killed_process_left_is_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(LOCK), "123456789\n").unwrap();
        let _lock = FolderLock::take(folder.path()).unwrap();
        #[cfg(unix)]
        assert_eq!(
            std::fs::read_to_string(folder.path().join(LOCK)).unwrap(),
            format!("{}\n", std::process::id())
        );
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("{:#}", FolderLock::take(&folder.path().join("none")).unwrap_err());
        assert!(text.starts_with("cannot lock "), "{text}");
    }
}
