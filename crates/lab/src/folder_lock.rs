//! Locks that let only one process write to a folder or a file.
//!
//! It is an operating-system lock on an open file. The system releases it when the process ends, even if it is
//! killed, so a lock is never stale. The lock file stays behind; it contains the process ID for the error
//! message.

use anyhow::{Context, Result, bail};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// Name of the lock file.
const LOCK: &str = "lock";

/// Exclusive access to a folder, released on drop.
#[derive(Debug)]
pub(crate) struct FolderLock {
    _lock: FileLock,
}

impl FolderLock {
    /// Locks the folder.
    ///
    /// # Errors
    /// If another process holds the lock (the message says which), or the lock file cannot be written.
    pub(crate) fn acquire(folder: &Path) -> Result<FolderLock> {
        FileLock::acquire(&folder.join(LOCK), folder).map(|lock| FolderLock { _lock: lock })
    }
}

/// Exclusive access to a file or folder, released on drop.
#[derive(Debug)]
pub(crate) struct FileLock {
    file: File,
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Closing the file alone would not release the lock while a process that another thread is just starting has a
        // copy of it. An error means that there is no lock.
        let _ = self.file.unlock();
    }
}

impl FileLock {
    /// Locks `subject` by means of the lock file `path`.
    ///
    /// # Errors
    /// If another process holds the lock (the message says which), or the lock file cannot be written.
    pub(crate) fn acquire(path: &Path, subject: &Path) -> Result<FileLock> {
        let Some(mut file) = try_lock(path).with_context(|| format!("cannot lock {}", path.display()))?
        else {
            let mut holder = String::new();
            // Windows forbids reading a locked file; the message then omits the process.
            let _ = File::open(path).and_then(|mut file| file.read_to_string(&mut holder));
            let holder = holder.trim();
            let id = if holder.is_empty() { String::new() } else { format!(" (process {holder})") };
            bail!(
                "another process{id} is writing to {}; wait until it ends, or stop it with Ctrl-C",
                subject.display()
            );
        };
        file.set_len(0)
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(FileLock { file })
    }
}

/// Creates and locks the file; `None` if another process holds the lock.
fn try_lock(path: &Path) -> io::Result<Option<File>> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        // Some network file systems do not support locks; continue without one there.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(Some(file)),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_lock_fails() {
        let folder = tempfile::tempdir().unwrap();
        let first = FolderLock::acquire(folder.path()).unwrap();
        let text = FolderLock::acquire(folder.path()).unwrap_err().to_string();
        assert!(text.starts_with("another process") && text.contains("is writing to"), "{text}");
        if cfg!(unix) {
            assert!(text.contains(&format!("(process {})", std::process::id())), "{text}");
        }
        drop(first);
        FolderLock::acquire(folder.path()).unwrap();
    }

    #[test]
    fn leftover_lock_file_does_not_lock() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(LOCK), "123456789\n").unwrap();
        let _lock = FolderLock::acquire(folder.path()).unwrap();
        #[cfg(unix)]
        assert_eq!(
            std::fs::read_to_string(folder.path().join(LOCK)).unwrap(),
            format!("{}\n", std::process::id())
        );
    }

    #[test]
    fn missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("{:#}", FolderLock::acquire(&folder.path().join("none")).unwrap_err());
        assert!(text.starts_with("cannot lock "), "{text}");
    }

    #[test]
    fn lock_is_released_while_a_child_has_a_copy_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let lock = FileLock::acquire(&path, folder.path()).unwrap();
        let _copy = lock.file.try_clone().unwrap();
        drop(lock);
        FileLock::acquire(&path, folder.path()).unwrap();
    }
}
