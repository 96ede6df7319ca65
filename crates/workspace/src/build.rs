//! Builds of the engine, from the working tree or from a revision.

mod other_repository;

pub use other_repository::OtherRepository;

use crate::eprintln;
use crate::fingerprint::fingerprint;
use crate::repository;
use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The optimisation of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Optimisation {
    /// The release profile of the shipped program, with link-time optimisation.
    #[default]
    Shipped,
    /// The profile `lab`: built sooner, with two thirds of the speed.
    Fast,
}

/// The profile `lab`, also for revisions that do not have it.
const FAST: [&str; 10] = [
    "--profile",
    "lab",
    "--config",
    "profile.lab.inherits='release'",
    "--config",
    "profile.lab.lto='off'",
    "--config",
    "profile.lab.codegen-units=16",
    "--config",
    "profile.lab.incremental=true",
];

impl Optimisation {
    /// The arguments of `cargo build`.
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Optimisation::Shipped => &["--release"],
            Optimisation::Fast => &FAST,
        }
    }

    /// Name of the profile, and of its folder.
    fn profile(self) -> &'static str {
        match self {
            Optimisation::Shipped => "release",
            Optimisation::Fast => "lab",
        }
    }

    /// Builds the working tree and returns the path of the binary.
    ///
    /// # Errors
    /// If cargo fails; its messages go to stderr.
    pub fn worktree(self) -> Result<PathBuf> {
        let root = repository::sources()?;
        eprintln!("building the engine of the working tree (profile {})", self.profile());
        let target = repository::target_folder();
        cargo_build(&root, &target, self.arguments())
    }

    /// Builds `revision`, unless it has been built before with the same flags and compiler, and returns the path of the binary.
    ///
    /// The sources are exported, and built in a target folder of their own: the working tree, its target folder, git's index
    /// and its list of worktrees are not touched.
    ///
    /// # Errors
    /// If there is no such revision, or it does not build.
    pub fn revision(self, revision: &str) -> Result<PathBuf> {
        let root = repository::sources()?;
        let commit = repository::commit(revision)?;
        let (text, conditions, program) =
            (format!("profile {}", self.profile()), self.conditions()?, binary_name());
        let way = Way { text: &text, conditions: &conditions, program: Path::new(&program) };
        kept(&root, [revision, &commit], &way, |source| {
            let target = engines_folder().join("build");
            cargo_build(source, &target, self.arguments())
        })
    }

    /// The conditions of a build besides the sources: compiler, profile and flags.
    fn conditions(self) -> Result<String> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = Command::new(&rustc)
            .arg("-vV")
            .current_dir(repository::root())
            .output()
            .with_context(|| format!("cannot run {}", rustc.display()))?;
        if !output.status.success() {
            bail!("{} -vV: {}", rustc.display(), output.status);
        }
        let mut variables: Vec<_> = std::env::vars_os().filter(|(name, _)| affects_builds(name)).collect();
        variables.sort();
        Ok(format!(
            "{} {variables:?} {}",
            self.arguments().join(" "),
            String::from_utf8_lossy(&output.stdout)
        ))
    }
}

/// Returns true for environment variables that change what cargo builds.
fn affects_builds(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.contains("RUSTFLAGS") || name.starts_with("CARGO_PROFILE_") || name == "CARGO_BUILD_TARGET"
}

/// File name of the engine's binary on this system.
pub fn binary_name() -> String {
    format!("tabiya{}", std::env::consts::EXE_SUFFIX)
}

/// The folder of the engines that are kept for matches.
pub fn engines_folder() -> PathBuf {
    repository::target_folder().join("engines")
}

/// Builds the working tree in release mode and returns the path of the binary.
///
/// # Errors
/// If cargo fails; its messages go to stderr.
pub fn worktree() -> Result<PathBuf> {
    Optimisation::Shipped.worktree()
}

/// Builds the working tree with a UCI option for every search parameter, in a separate target folder, and returns the
/// path of the binary.
///
/// # Errors
/// If cargo fails; its messages go to stderr.
pub fn with_tunables() -> Result<PathBuf> {
    let root = repository::sources()?;
    eprintln!(
        "building the engine of the working tree with its search parameters as options (profile release)"
    );
    let target = engines_folder().join("tune");
    cargo_build(&root, &target, &["--release", "--features", "tune"])
}

/// Builds `revision` in release mode, unless it has been built before; see [`Optimisation::revision`].
///
/// # Errors
/// If there is no such revision, or it does not build.
pub fn revision(revision: &str) -> Result<PathBuf> {
    Optimisation::Shipped.revision(revision)
}

/// The way to build a revision.
struct Way<'a> {
    /// The way in words.
    text: &'a str,
    /// Whatever the program depends on besides the sources.
    conditions: &'a str,
    /// The path of the program, whose last part names the file that is kept.
    program: &'a Path,
}

/// Returns the program that is kept of a revision, given as the user did and by its commit. If there is none, the sources are exported,
/// and `build` returns the path of the program that it builds in them.
fn kept(
    repository: &Path,
    [revision, commit]: [&str; 2],
    way: &Way<'_>,
    build: impl FnOnce(&Path) -> Result<PathBuf>,
) -> Result<PathBuf> {
    let engines = engines_folder();
    let folder = engines.join(format!("{commit}-{:016x}", fingerprint(way.conditions.as_bytes())));
    let kept = folder.join(way.program.file_name().context("--program has no file name")?);
    if kept.is_file() {
        return Ok(kept);
    }
    let _lock = lock(&engines)?;
    // Another process may have built it in the meantime.
    if kept.is_file() {
        return Ok(kept);
    }
    eprintln!(
        "building the engine of the revision {revision:.40}, commit {commit:.12} of {} ({}); it is kept in {}",
        repository.display(),
        way.text,
        folder.display()
    );
    let source = engines.join("source");
    let built = export(repository, commit, &source)
        .and_then(|()| build(&source))
        .and_then(|program| copy_atomically(&program, &kept))
        .with_context(|| format!("cannot build the revision {revision:.40}, commit {commit:.12}"));
    let removed = remove(&source);
    built?;
    removed?;
    Ok(kept)
}

/// Waits until no other process builds a revision. The system releases the lock at the end of the process.
fn lock(engines: &Path) -> Result<File> {
    let path = engines.join("lock");
    let cannot_lock = || format!("cannot lock {}", path.display());
    fs::create_dir_all(engines).with_context(cannot_lock)?;
    let file = File::create(&path).with_context(cannot_lock)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            eprintln!("waiting for another process that builds a revision (it holds {})", path.display());
            file.lock().with_context(cannot_lock)?;
        }
        // Some network file systems do not support locks; continue without one there.
        Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {}
        Err(TryLockError::Error(error)) => return Err(error).with_context(cannot_lock),
    }
    Ok(file)
}

/// Exports the files of a commit of a repository to `folder`, through a temporary index.
fn export(repository: &Path, commit: &str, folder: &Path) -> Result<()> {
    // A killed process may have left one.
    if folder.exists() {
        remove(folder)?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    // In a subfolder of a working tree, git would export only that subfolder.
    let git_folder = repository::git_folder(repository)?;
    let index = folder.join(".index");
    for arguments in [&["read-tree", commit][..], &["checkout-index", "--all"]] {
        let status = Command::new("git")
            .args([
                OsStr::new("--git-dir"),
                git_folder.as_os_str(),
                OsStr::new("--work-tree"),
                folder.as_os_str(),
            ])
            .args(arguments)
            .current_dir(folder)
            .env("GIT_INDEX_FILE", &index)
            .status()
            .context("cannot run git")?;
        if !status.success() {
            bail!("git {}: {status}", arguments.join(" "));
        }
    }
    Ok(())
}

fn remove(source: &Path) -> Result<()> {
    fs::remove_dir_all(source).with_context(|| format!("cannot remove the sources in {}", source.display()))
}

/// Copies a binary to `kept` by way of a temporary file, because a partial copy would be used from then on.
///
/// # Errors
/// If it cannot be copied.
pub fn copy_atomically(binary: &Path, kept: &Path) -> Result<()> {
    let partial = kept.with_file_name(format!("partial-{}", std::process::id()));
    fs::create_dir_all(kept.parent().unwrap_or(kept))
        .and_then(|()| fs::copy(binary, &partial))
        // A power failure must not leave the name without the content.
        .and_then(|_| File::options().read(true).write(cfg!(windows)).open(&partial)?.sync_all())
        .and_then(|()| fs::rename(&partial, kept))
        .with_context(|| format!("cannot copy {} to {}", binary.display(), kept.display()))
}

/// Returns the command of the cargo that runs this program, or of the one in `PATH`.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Builds the engine and returns its path, which depends on cargo's settings: with `build.target` it has a folder for that. Cargo shows its
/// progress, and says that it waits if another process builds in the same folder.
fn cargo_build(source: &Path, target: &Path, arguments: &[&str]) -> Result<PathBuf> {
    let mut child = cargo()
        // Not `--locked`: an old revision whose Cargo.lock is out of date must still build.
        .args(["build", "--package", "tabiya", "--message-format", "json-render-diagnostics"])
        .args(arguments)
        .current_dir(source)
        .env("CARGO_TARGET_DIR", target)
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run cargo")?;
    let messages = child.stdout.take().map(BufReader::new);
    let mut executable = None;
    // Until the end, which an error of reading is, too.
    for message in messages.into_iter().flat_map(|messages| messages.split(b'\n')).map_while(Result::ok) {
        executable = engine_of(&message).or(executable);
    }
    let status = child.wait().context("cannot wait for cargo")?;
    if !status.success() {
        bail!("cargo build in {}: {status}", source.display());
    }
    executable.with_context(|| format!("cargo build in {} has built no program tabiya", source.display()))
}

/// The path of the engine, if this message of cargo has it.
fn engine_of(message: &[u8]) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_slice(message).ok()?;
    let target = &message["target"];
    let is_engine = target["name"] == "tabiya" && target["kind"] == serde_json::json!(["bin"]);
    if is_engine { message["executable"].as_str().map(PathBuf::from) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_the_engine_is_cargos() {
        let artifact = |kind: &str, name: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","target":{{"kind":["{kind}"],"name":"{name}"}},"executable":"/t/x86/release/tabiya"}}"#
            )
        };
        assert_eq!(
            engine_of(artifact("bin", "tabiya").as_bytes()),
            Some(PathBuf::from("/t/x86/release/tabiya"))
        );
        for other in [artifact("lib", "tabiya"), artifact("bin", "other"), "{}".to_owned(), "x".to_owned()] {
            assert_eq!(engine_of(other.as_bytes()), None, "{other}");
        }
    }
}
