//! The repository on disk and in git.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// The root of the working tree, or the current folder for an [installed](is_installed) program.
///
/// `cargo run` puts the package's folder into the environment; a binary started without cargo uses the folder it was
/// compiled in.
pub fn root() -> PathBuf {
    // Not `.`, because paths below it also go to commands that run in other folders.
    if is_installed() { std::env::current_dir().unwrap_or_else(|_| ".".into()) } else { checkout() }
}

/// Returns true if this program runs apart from the repository, as after `cargo install`: it was not started by cargo, and its file is
/// neither in the working tree in which it was compiled nor in the folder for build output.
pub fn is_installed() -> bool {
    let is_in = |folder: &Path, program: &Path| {
        program.starts_with(folder.canonicalize().unwrap_or_else(|_| folder.to_owned()))
    };
    let is_outside = |program: PathBuf| {
        let checkout = checkout();
        !is_in(&checkout, &program) && !is_in(&target_folder_of(&checkout), &program)
    };
    std::env::var_os("CARGO_MANIFEST_DIR").is_none()
        && std::env::current_exe().and_then(|program| program.canonicalize()).is_ok_and(is_outside)
}

/// Returns the root of the working tree.
///
/// # Errors
/// If this program is [installed](is_installed). The caller adds what the sources were needed for.
pub fn sources() -> Result<PathBuf> {
    if is_installed() {
        bail!("this program is installed without the sources of Tabiya");
    }
    Ok(checkout())
}

fn checkout() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    let root = package.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    root.unwrap_or(&package).to_path_buf()
}

/// The folder for build output: `CARGO_TARGET_DIR` if set, otherwise `target` in the root.
pub fn target_folder() -> PathBuf {
    target_folder_of(&root())
}

fn target_folder_of(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}

/// The folder of the runs of a kind of command, such as matches.
pub fn runs_folder(kind: &str) -> PathBuf {
    target_folder().join("runs").join(kind)
}

/// Returns an unused folder name in [`runs_folder`].
///
/// # Errors
/// If the clock is set before 1970.
pub fn new_run_folder(kind: &str) -> Result<PathBuf> {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is before 1970")?;
    Ok(runs_folder(kind).join(format!("{}-{}", since_epoch.as_secs(), std::process::id())))
}

/// Returns the folder in [`runs_folder`] that [`new_run_folder`] named last.
///
/// # Errors
/// If there is none.
pub fn last_run_folder(kind: &str) -> Result<PathBuf> {
    let folder = runs_folder(kind);
    let seconds = |path: &Path| path.file_name()?.to_str()?.split_once('-')?.0.parse::<u64>().ok();
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let last = entries.map(|entry| entry.path()).filter_map(|path| Some((seconds(&path)?, path))).max();
    last.map(|(_, path)| path).with_context(|| format!("no run to resume in {}", folder.display()))
}

/// Runs `git` in the root of the working tree and returns its trimmed output.
///
/// # Errors
/// If there are no [`sources`], or git cannot be started or fails; the message includes git's error output.
pub fn git(arguments: &[&str]) -> Result<String> {
    git_in(&sources()?, arguments)
}

fn git_in(folder: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .output()
        .with_context(|| format!("cannot run git {}", arguments.join(" ")))?;
    if !output.status.success() {
        bail!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Returns the full hash of a revision (a hash, tag, branch, `HEAD~3` ...).
///
/// # Errors
/// If there is no such commit, or there are no [`sources`].
pub fn commit(revision: &str) -> Result<String> {
    commit_in(&sources()?, revision)
}

/// Returns the full hash of a revision of another repository.
///
/// # Errors
/// If the folder is not in a repository, or there is no such commit.
pub fn commit_in(folder: &Path, revision: &str) -> Result<String> {
    git_in(folder, &["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])
        .with_context(|| format!("{revision:?} is not a revision of the repository in {}", folder.display()))
}

/// Returns git's own folder of a repository, as an absolute path.
///
/// # Errors
/// If the folder is not in a repository.
pub(crate) fn git_folder(folder: &Path) -> Result<PathBuf> {
    git_in(folder, &["rev-parse", "--absolute-git-dir"]).map(PathBuf::from)
}

/// Returns the files of a folder with the given extension, sorted by name.
///
/// # Errors
/// If the folder cannot be read or contains no such file.
pub fn files_with_extension(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>())
        .with_context(|| format!("cannot read the folder {}", folder.display()))?;
    files.retain(|path: &PathBuf| path.extension().is_some_and(|found| found == extension));
    if files.is_empty() {
        bail!("no .{extension} file in {}", folder.display());
    }
    files.sort();
    Ok(files)
}

/// Returns the path of the file `name.extension` in `folder` of the [`sources`] or, if there is none, `name` as a path.
///
/// # Errors
/// If neither exists; the message lists the names in `folder`.
pub fn find_data(folder: &str, name: &str, extension: &str) -> Result<PathBuf> {
    let folder = sources().map(|root| root.join(folder));
    let in_folder = folder.iter().map(|folder| folder.join(format!("{name}.{extension}")));
    if let Some(path) = in_folder.into_iter().find(|path| path.is_file()) {
        return Ok(path);
    }
    let path = PathBuf::from(name);
    if !path.is_file() {
        let folder = folder
            .with_context(|| format!("no file {name:?}, and a suite is found by name only in the sources"))?;
        let names: Vec<_> = files_with_extension(&folder, extension)?
            .iter()
            .filter_map(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()))
            .collect();
        bail!("no file or suite {name:?} (suites: {})", names.join(", "));
    }
    Ok(path)
}

/// Number of processors available to this process.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
