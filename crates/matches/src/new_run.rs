//! The folders of new runs.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use tabiya_files::lock::Lock;

/// Creates the folder of a new run, if it does not exist, and locks it. `state` is the file from which a run is resumed, `others` are
/// the other files that a run writes.
///
/// # Errors
/// If one of the files exists, or the folder cannot be created or locked.
pub(crate) fn lock_new_run(folder: &Path, state: &str, others: &[&str]) -> Result<Lock> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let lock = Lock::of_folder(folder)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_with_files_of_a_run_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let create = |name: &str| lock_new_run(&folder.path().join(name), "state", &["a", "b"]);
        drop(create("new/deep").unwrap());
        drop(create("new/deep").unwrap());
        for (name, message) in [("state", "--resume "), ("b", "choose another --out")] {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join(name), "mine").unwrap();
            let error = create(name).unwrap_err().to_string();
            assert!(error.contains(message) && error.contains(name), "{error}");
            assert_eq!(fs::read_dir(folder.path().join(name)).unwrap().count(), 1);
        }
    }
}
