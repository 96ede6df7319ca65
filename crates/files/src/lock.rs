//! Locks that let only one process write to a file or a folder.
//!
//! They are locks of the operating system on open files. The system releases them when the process ends, even if it is killed, so a
//! lock is never stale.

use same_file::Handle;
use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Name of the lock file of a folder.
const FOLDER_LOCK: &str = "lock";

/// Largest size of a lock file, in bytes: a process ID and the end of the line.
const MAX_SIZE: u64 = 16;

/// Locks an open file. Returns false if another process has locked it. Some network file systems have no locks; there the result
/// is true.
///
/// # Errors
/// Any other error of the operating system.
pub fn lock_file(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Exclusive access to a file or folder by means of a lock file, released on drop.
///
/// The lock file contains the process ID for the error message. It is removed with the lock; that of a killed process stays behind
/// and locks nothing.
#[must_use = "the lock is released when it is dropped"]
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    file: File,
}

/// The error of a [`Lock`].
#[derive(Debug)]
#[non_exhaustive]
pub enum LockError {
    /// Another process holds the lock.
    Held {
        /// The file or folder.
        subject: PathBuf,
        /// The ID of the process, where the system lets others read a locked file.
        process: Option<String>,
    },
    /// A file with the name of the lock file is something else.
    Foreign {
        /// The lock file.
        path: PathBuf,
        /// The file or folder.
        subject: PathBuf,
    },
    /// The lock file cannot be locked, read or written.
    Io {
        /// The lock file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LockError::Held { subject, process } => {
                let id = process.as_ref().map_or_else(String::new, |id| format!(" (process {id})"));
                let subject = subject.display();
                write!(
                    f,
                    "another process{id} is writing to {subject}; wait until it ends, or stop it with Ctrl-C"
                )
            }
            LockError::Foreign { path, subject } => write!(
                f,
                "{} is not a lock file, but has its name; rename it to write to {}",
                path.display(),
                subject.display()
            ),
            LockError::Io { path, .. } => write!(f, "cannot lock {}", path.display()),
        }
    }
}

impl std::error::Error for LockError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LockError::Io { error, .. } => Some(error),
            LockError::Held { .. } | LockError::Foreign { .. } => None,
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Remove the file while it is locked: afterwards it could be that of another process.
        let _ = fs::remove_file(&self.path);
        // Closing the file alone would not release the lock while a process that another thread is just starting has a copy of it. An
        // error means that there is no lock.
        let _ = self.file.unlock();
    }
}

impl Lock {
    /// Locks a folder by means of the file `lock` in it.
    ///
    /// # Errors
    /// As [`acquire`](Lock::acquire).
    pub fn of_folder(folder: &Path) -> Result<Lock, LockError> {
        Lock::acquire(&folder.join(FOLDER_LOCK), folder)
    }

    /// Returns true if a process holds the lock of a folder.
    pub fn is_folder_locked(folder: &Path) -> bool {
        let would_block = |file: File| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
        File::open(folder.join(FOLDER_LOCK)).is_ok_and(would_block)
    }

    /// Locks `subject` by means of the lock file `path`.
    ///
    /// # Errors
    /// If another process holds the lock (the message says which), or the lock file cannot be written.
    pub fn acquire(path: &Path, subject: &Path) -> Result<Lock, LockError> {
        let failed = |error| LockError::Io { path: path.to_owned(), error };
        let Some(mut file) = open_locked(path).map_err(failed)? else {
            let mut holder = String::new();
            // Windows forbids reading a locked file; the message then omits the process.
            let _ = File::open(path).and_then(|mut file| file.read_to_string(&mut holder));
            let process = Some(holder.trim().to_owned()).filter(|holder| !holder.is_empty());
            return Err(LockError::Held { subject: subject.to_owned(), process });
        };
        if !is_lock_file(&mut file).map_err(failed)? {
            return Err(LockError::Foreign { path: path.to_owned(), subject: subject.to_owned() });
        }
        let lock = Lock { path: path.to_owned(), file };
        let mut file = &lock.file;
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .map_err(failed)?;
        Ok(lock)
    }
}

/// Maximum number of attempts to lock a file, because [`Lock::is_folder_locked`] in another process holds a lock for a moment.
const ATTEMPTS: u32 = 5;
/// Time between two attempts.
const ATTEMPT_INTERVAL: Duration = Duration::from_millis(10);

/// Creates and locks the file; `None` if another process holds the lock.
fn open_locked(path: &Path) -> io::Result<Option<File>> {
    let mut attempts = 0;
    loop {
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        if !lock_file(&file)? {
            attempts += 1;
            if attempts == ATTEMPTS {
                return Ok(None);
            }
            thread::sleep(ATTEMPT_INTERVAL);
            continue;
        }
        // The former holder may have removed the file after it was opened here; then the lock excludes nobody.
        let same =
            Handle::from_path(path).and_then(|found| Ok(found == Handle::from_file(file.try_clone()?)?));
        match same {
            Ok(true) => return Ok(Some(file)),
            Ok(false) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
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
        let first = Lock::of_folder(folder.path()).unwrap();
        let text = Lock::of_folder(folder.path()).unwrap_err().to_string();
        assert!(text.starts_with("another process") && text.contains("is writing to"), "{text}");
        if cfg!(unix) {
            assert!(text.contains(&format!("(process {})", std::process::id())), "{text}");
        }
        assert!(Lock::is_folder_locked(folder.path()));
        drop(first);
        assert!(!Lock::is_folder_locked(folder.path()));
        drop(Lock::of_folder(folder.path()).unwrap());
    }

    #[test]
    fn lock_file_is_removed_with_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        drop(Lock::of_folder(folder.path()).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn at_most_one_thread_holds_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let held = AtomicBool::new(false);
        let acquired = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        if let Ok(_lock) = Lock::of_folder(folder.path()) {
                            assert!(!held.swap(true, Ordering::SeqCst));
                            acquired.fetch_add(1, Ordering::SeqCst);
                            thread::yield_now();
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
            fs::write(folder.path().join(FOLDER_LOCK), text).unwrap();
            let error = Lock::of_folder(folder.path()).unwrap_err().to_string();
            assert!(error.contains("lock is not a lock file"), "{error}");
            assert_eq!(fs::read_to_string(folder.path().join(FOLDER_LOCK)).unwrap(), text);
        }
    }

    #[test]
    fn leftover_lock_file_does_not_lock() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FOLDER_LOCK), "123456789\n").unwrap();
        assert!(!Lock::is_folder_locked(folder.path()));
        let _lock = Lock::of_folder(folder.path()).unwrap();
        #[cfg(unix)]
        assert_eq!(
            fs::read_to_string(folder.path().join(FOLDER_LOCK)).unwrap(),
            format!("{}\n", std::process::id())
        );
    }

    #[test]
    fn missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = Lock::of_folder(&folder.path().join("none")).unwrap_err();
        assert!(error.to_string().starts_with("cannot lock "), "{error}");
        assert!(std::error::Error::source(&error).is_some(), "{error}");
    }

    #[test]
    fn lock_is_released_while_a_child_has_a_copy_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let lock = Lock::acquire(&path, folder.path()).unwrap();
        let _copy = lock.file.try_clone().unwrap();
        // Another process may have opened the file before it is removed.
        #[cfg(unix)]
        let other = File::open(&path).unwrap();
        drop(lock);
        #[cfg(unix)]
        other.try_lock().unwrap();
        drop(Lock::acquire(&path, folder.path()).unwrap());
    }
}
