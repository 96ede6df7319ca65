//! Locks that let only one process write to a folder or a file.
//!
//! It is an operating-system lock on an open file. The system releases it when the process ends, even if it is
//! killed, so a lock is never stale. The lock file contains the process ID for the error message. It is removed with
//! the lock; that of a killed process stays behind.

use anyhow::{Context, Result, bail};
use same_file::Handle;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

/// Name of the lock file.
const LOCK: &str = "lock";

/// Largest size of a lock file, in bytes: a process ID and the end of the line.
const MAX_SIZE: u64 = 16;

/// Exclusive access to a folder, released on drop.
#[derive(Debug)]
pub struct FolderLock {
    _lock: FileLock,
}

impl FolderLock {
    /// Locks the folder.
    ///
    /// # Errors
    /// If another process holds the lock (the message says which), or the lock file cannot be written.
    pub fn acquire(folder: &Path) -> Result<FolderLock> {
        FileLock::acquire(&folder.join(LOCK), folder).map(|lock| FolderLock { _lock: lock })
    }

    /// Returns true if a process holds the lock of a folder.
    pub fn is_held(folder: &Path) -> bool {
        let would_block = |file: File| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
        File::open(folder.join(LOCK)).is_ok_and(would_block)
    }

    /// Creates the folder of a new run, if it does not exist, and locks it. `state` is the file from which a run is
    /// resumed, `others` are the other files that a run writes.
    ///
    /// # Errors
    /// If one of the files exists, and as [`acquire`](FolderLock::acquire).
    pub fn create(folder: &Path, state: &str, others: &[&str]) -> Result<FolderLock> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        let lock = FolderLock::acquire(folder)?;
        // A symbolic link is a file, too, wherever it points.
        let exists = |name: &str| folder.join(name).symlink_metadata().is_ok();
        if exists(state) {
            bail!(
                "{0} already contains a run; continue it with --resume {0}, or choose another --out",
                folder.display()
            );
        }
        if let Some(name) = others.iter().find(|name| exists(name)) {
            bail!(
                "{} exists and is not of a run that can be resumed ({state} is missing); choose another --out",
                folder.join(name).display()
            );
        }
        Ok(lock)
    }
}

/// Exclusive access to a file or folder, released on drop.
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    file: File,
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Before the lock is released, so that no lock file of another process is removed.
        let _ = std::fs::remove_file(&self.path);
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
    pub fn acquire(path: &Path, subject: &Path) -> Result<FileLock> {
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
        if !is_lock_file(&mut file).with_context(|| format!("cannot read {}", path.display()))? {
            bail!(
                "{} is not a lock file, but has its name; rename it to write to {}",
                path.display(),
                subject.display()
            );
        }
        let lock = FileLock { path: path.to_owned(), file };
        let mut file = &lock.file;
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(lock)
    }
}

/// Creates and locks the file; `None` if another process holds the lock.
fn try_lock(path: &Path) -> io::Result<Option<File>> {
    loop {
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            // Some network file systems do not support locks; continue without one there.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // The former holder may have removed the file after it was opened here; then the lock excludes nobody.
        let same =
            Handle::from_path(path).and_then(|found| Ok(found == Handle::from_file(file.try_clone()?)?));
        match same {
            Ok(true) => return Ok(Some(file)),
            Ok(false) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
}

/// Returns true if the file is regular and contains a process ID or nothing.
fn is_lock_file(file: &mut File) -> io::Result<bool> {
    // Reading a named pipe would block.
    if !file.metadata()?.is_file() {
        return Ok(false);
    }
    let mut contents = Vec::new();
    file.take(MAX_SIZE + 1).read_to_end(&mut contents)?;
    let is_id = contents.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace());
    Ok(is_id && contents.len() as u64 <= MAX_SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    #[test]
    fn second_lock_fails() {
        let folder = tempfile::tempdir().unwrap();
        let first = FolderLock::acquire(folder.path()).unwrap();
        let text = FolderLock::acquire(folder.path()).unwrap_err().to_string();
        assert!(text.starts_with("another process") && text.contains("is writing to"), "{text}");
        if cfg!(unix) {
            assert!(text.contains(&format!("(process {})", std::process::id())), "{text}");
        }
        assert!(FolderLock::is_held(folder.path()));
        drop(first);
        assert!(!FolderLock::is_held(folder.path()));
        FolderLock::acquire(folder.path()).unwrap();
    }

    #[test]
    fn lock_file_is_removed_with_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        drop(FolderLock::acquire(folder.path()).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn at_most_one_thread_holds_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let held = AtomicBool::new(false);
        let acquired = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        if let Ok(_lock) = FolderLock::acquire(folder.path()) {
                            assert!(!held.swap(true, Ordering::SeqCst));
                            acquired.fetch_add(1, Ordering::SeqCst);
                            std::thread::yield_now();
                            held.store(false, Ordering::SeqCst);
                        }
                    }
                });
            }
        });
        assert!(acquired.into_inner() > 0);
    }

    #[test]
    fn other_file_of_that_name_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["bicycle", "12345678901234567890\n"] {
            std::fs::write(folder.path().join(LOCK), text).unwrap();
            let error = FolderLock::acquire(folder.path()).unwrap_err().to_string();
            assert!(error.contains("lock is not a lock file"), "{error}");
            assert_eq!(std::fs::read_to_string(folder.path().join(LOCK)).unwrap(), text);
        }
    }

    #[test]
    fn folder_with_files_of_a_run_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let create = |name: &str| FolderLock::create(&folder.path().join(name), "state", &["a", "b"]);
        drop(create("new/deep").unwrap());
        drop(create("new/deep").unwrap());
        for (name, message) in [("state", "--resume "), ("b", "choose another --out")] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
            std::fs::write(folder.path().join(name).join(name), "mine").unwrap();
            let error = create(name).unwrap_err().to_string();
            assert!(error.contains(message) && error.contains(name), "{error}");
            assert_eq!(std::fs::read_dir(folder.path().join(name)).unwrap().count(), 1);
        }
    }

    #[test]
    fn leftover_lock_file_does_not_lock() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(LOCK), "123456789\n").unwrap();
        assert!(!FolderLock::is_held(folder.path()));
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
        // Another process may have opened the file before it is removed.
        #[cfg(unix)]
        let other = File::open(&path).unwrap();
        drop(lock);
        #[cfg(unix)]
        other.try_lock().unwrap();
        FileLock::acquire(&path, folder.path()).unwrap();
    }
}
