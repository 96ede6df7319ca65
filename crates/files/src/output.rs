//! Writing files atomically.
//!
//! The contents go to a temporary file in the folder of the destination, which is synchronised with the disk and then renamed. If
//! the process is killed, the temporary file remains, as `.NAME.<random>.partial`; the next process that writes the file removes it and
//! says so. A temporary file is locked while its process lives.

use same_file::Handle;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, PersistError};

/// The treatment of an existing file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// Report an error of the kind [`ErrorKind::AlreadyExists`], which names the option `--force`.
    Refuse,
    /// Replace it.
    Replace,
}

impl Existing {
    /// Returns `Replace` if the option `--force` is set.
    pub fn from_force(force: bool) -> Existing {
        if force { Existing::Replace } else { Existing::Refuse }
    }
}

/// A file being written, buffered. It appears under its name with [`OutputFile::commit`]; if dropped before, it is removed.
///
/// Its errors name the file; their source is the error of the operating system.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    writer: BufWriter<Target>,
}

impl OutputFile {
    /// Starts to write a file. `inputs` are the files that the same command reads, `-` for standard input.
    ///
    /// # Errors
    /// As [`check`], or if no file can be created in its folder.
    pub fn create(path: &Path, existing: Existing, inputs: &[&Path]) -> io::Result<OutputFile> {
        let target = destination(path, existing, inputs).and_then(|destination| match destination {
            Destination::Regular { path, replaced } => Target::temporary(path, existing, replaced),
            // Appends, because writing to `/dev/stdout` redirected to a file would otherwise begin at the file's start.
            Destination::OwnStream => OpenOptions::new().append(true).open(path).map(Target::Direct),
            Destination::Special => OpenOptions::new().write(true).open(path).map(Target::Direct),
        });
        let target = target.map_err(|error| cannot_write(path, error))?;
        Ok(OutputFile { path: path.to_owned(), writer: BufWriter::new(target) })
    }

    /// Completes the file: writes the rest, synchronises it with the disk and renames it.
    ///
    /// # Errors
    /// If one of these fails, or if another process has meanwhile created the file. If only the renaming fails, the error says
    /// where the contents are.
    pub fn commit(self) -> io::Result<()> {
        let OutputFile { path, writer } = self;
        let target = writer.into_inner().map_err(io::IntoInnerError::into_error);
        target.and_then(Target::commit).map_err(|error| cannot_write(&path, error))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes).map_err(|error| cannot_write(&self.path, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(|error| cannot_write(&self.path, error))
    }
}

/// Writes a whole file.
///
/// # Errors
/// As [`OutputFile`].
pub fn write(path: &Path, contents: &[u8], existing: Existing, inputs: &[&Path]) -> io::Result<()> {
    let mut file = OutputFile::create(path, existing, inputs)?;
    file.write_all(contents)?;
    file.commit()
}

/// Checks that [`OutputFile::create`] would accept the arguments, for commands that run for a long time before they write.
///
/// # Errors
/// If the file is a directory or one of `inputs`, if it exists and `existing` is [`Existing::Refuse`], or if its folder does not
/// exist.
pub fn check(path: &Path, existing: Existing, inputs: &[&Path]) -> io::Result<()> {
    destination(path, existing, inputs).map(drop).map_err(|error| cannot_write(path, error))
}

/// Checks that the outputs of a command, named by their options, are different files, which need not exist. Streams and devices
/// may be named repeatedly.
///
/// # Errors
/// If two of them are the same file, under whatever spelling of its name: the second would replace the first.
pub fn check_distinct(outputs: &[(&str, &Path)]) -> io::Result<()> {
    for (index, &(option, path)) in outputs.iter().enumerate() {
        let same = outputs[..index].iter().find(|(_, other)| is_same(path, other) && is_replaced(path));
        if let Some((other, _)) = same {
            return Err(refused(&format!("{other} and {option} are the same file, {}", path.display())));
        }
    }
    Ok(())
}

/// Returns true if both paths name the same file, which need not exist.
pub fn is_same(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| Some((folder(path).canonicalize().ok()?, comparable(path.file_name()?)));
    same_file::is_same_file(a, b).unwrap_or(false)
        || place(a).is_some_and(|place_a| Some(place_a) == place(b))
}

/// A file name in the form in which names of the same file are equal: most file systems of Windows and macOS ignore the case.
fn comparable(name: &OsStr) -> OsString {
    let ignores_case = cfg!(any(windows, target_vendor = "apple"));
    if ignores_case { name.to_string_lossy().to_lowercase().into() } else { name.to_owned() }
}

/// Returns true if [`OutputFile`] would write a new file and rename it, and false if it would write directly, to a stream, a named
/// pipe or a device.
pub fn is_replaced(path: &Path) -> bool {
    !is_own_stream(path) && fs::metadata(path).map_or(true, |metadata| metadata.is_file())
}

/// Checks that standard output is not redirected to one of `inputs`, `-` for standard input: with `command FILE >> FILE` the
/// command would read its own output.
///
/// # Errors
/// If standard output is one of the inputs.
pub fn check_stdout(inputs: &[&Path]) -> io::Result<()> {
    let Some(stdout) = Handle::stdout().ok().filter(is_regular) else { return Ok(()) };
    differs_from_all(&stdout, inputs).map_err(|error| cannot_write(Path::new("standard output"), error))
}

/// The file or stream behind a path.
enum Destination {
    /// A regular file, to be created or replaced.
    Regular { path: PathBuf, replaced: bool },
    /// A stream of this process, such as `/dev/stdout`, which may be redirected to a regular file.
    OwnStream,
    /// A named pipe or a device.
    Special,
}

/// Checks the arguments of [`OutputFile::create`].
fn destination(path: &Path, existing: Existing, inputs: &[&Path]) -> io::Result<Destination> {
    if path.file_name().is_none() && !path.is_dir() {
        return Err(refused("it is not the name of a file"));
    }
    // Inputs are read from standard input under this name; a file of the name is hardly meant.
    if path == Path::new("-") {
        return Err(refused("use /dev/stdout for standard output, ./- for a file of this name"));
    }
    let metadata = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if fs::symlink_metadata(path).is_ok() {
                return Err(refused("it is a symbolic link to a file that does not exist"));
            }
            // The error of the missing folder is reported here, not when the temporary file is created.
            if !folder(path).is_dir() {
                return Err(error);
            }
            return Ok(Destination::Regular { path: path.to_owned(), replaced: false });
        }
        result => result?,
    };
    if metadata.is_dir() {
        return Err(refused("it is a directory"));
    }
    if metadata.is_file() {
        differs_from_all(&Handle::from_path(path)?, inputs)?;
    }
    if is_own_stream(path) {
        return Ok(Destination::OwnStream);
    }
    if !metadata.is_file() {
        return Ok(Destination::Special);
    }
    match existing {
        Existing::Refuse => Err(already_exists()),
        // Canonical, so that a symbolic link stays and the file that it points to is replaced.
        Existing::Replace => Ok(Destination::Regular { path: path.canonicalize()?, replaced: true }),
    }
}

/// Returns an error if the file is one of `inputs`, compared by device and inode.
fn differs_from_all(file: &Handle, inputs: &[&Path]) -> io::Result<()> {
    for input in inputs {
        let handle = if *input == Path::new("-") {
            Handle::stdin()
        } else if input.is_file() {
            Handle::from_path(input)
        } else {
            // Opening a named pipe would block.
            continue;
        };
        if handle.is_ok_and(|handle| is_regular(&handle) && handle == *file) {
            let name =
                if *input == Path::new("-") { "standard input".into() } else { input.to_string_lossy() };
            return Err(refused(&format!("it is the same file as the input {name}")));
        }
    }
    Ok(())
}

fn is_regular(handle: &Handle) -> bool {
    handle.as_file().metadata().is_ok_and(|metadata| metadata.is_file())
}

/// Returns true if the path names an open file of this process. It is not replaced, even if it is redirected to a regular file.
fn is_own_stream(path: &Path) -> bool {
    ["/dev/stdout", "/dev/stderr"].into_iter().any(|stream| path == Path::new(stream))
        || ["/dev/fd", "/proc/self/fd"].into_iter().any(|folder| path.starts_with(folder))
}

/// Returns true if the path names the standard output of this process.
pub fn is_stdout(path: &Path) -> bool {
    ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].into_iter().any(|stream| path == Path::new(stream))
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Destination of the written bytes.
#[derive(Debug)]
enum Target {
    Temporary { file: NamedTempFile, destination: PathBuf, existing: Existing },
    Direct(File),
}

impl Target {
    fn temporary(destination: PathBuf, existing: Existing, replaced: bool) -> io::Result<Target> {
        let mut prefix = OsString::from(".");
        let name = destination.file_name().unwrap_or_default().to_string_lossy();
        prefix.push(name.chars().take(MAX_NAME).collect::<String>());
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(PARTIAL);
        // The permissions of any new file, which the umask restricts. The default of `tempfile` is 0600.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        remove_left_over(folder(&destination), &prefix);
        let file = loop {
            let file = builder.tempfile_in(folder(&destination))?;
            // Fails on file systems without locks, where files that are left over stay.
            let _ = file.as_file().lock();
            // Another process may have taken the file for one that is left over before it was locked.
            if file.path().exists() {
                break file;
            }
        };
        if replaced {
            // Fails on file systems without permissions.
            let _ = fs::metadata(&destination)
                .and_then(|metadata| file.as_file().set_permissions(metadata.permissions()));
        }
        Ok(Target::Temporary { file, destination, existing })
    }

    fn commit(self) -> io::Result<()> {
        let Target::Temporary { file, destination, existing } = self else { return Ok(()) };
        file.as_file().sync_all()?;
        let persisted = match existing {
            Existing::Refuse => {
                file.persist_noclobber(&destination).or_else(|failed| persist_reserved(failed, &destination))
            }
            Existing::Replace => file.persist(&destination),
        };
        let Err(failed) = persisted else { return Ok(()) };
        let kind = failed.error.kind();
        let error = if kind == ErrorKind::AlreadyExists { already_exists() } else { failed.error };
        // The contents may have taken hours to compute.
        match keep_complete(failed.file) {
            Ok(kept) => Err(io::Error::new(kind, format!("{error}; the contents are in {}", kept.display()))),
            Err(_) => Err(error),
        }
    }
}

/// Renames a file that could not be renamed without the risk of replacing another one: some file systems, such as exFAT on macOS, have no
/// such operation. An empty file reserves the name instead.
fn persist_reserved(failed: PersistError, destination: &Path) -> Result<File, PersistError> {
    if failed.error.kind() == ErrorKind::AlreadyExists {
        return Err(failed);
    }
    let PersistError { file, error } = failed;
    match File::create_new(destination) {
        Ok(_) => file.persist(destination).inspect_err(|_| {
            let _ = fs::remove_file(destination);
        }),
        Err(reserved) if reserved.kind() == ErrorKind::AlreadyExists => {
            Err(PersistError { error: reserved, file })
        }
        Err(_) => Err(PersistError { error, file }),
    }
}

/// The end of the names of temporary files.
const PARTIAL: &str = ".partial";

/// Maximum part of a file name in that of its temporary file, in characters: most systems allow 255 bytes.
const MAX_NAME: usize = 50;

/// Keeps a temporary file whose contents are complete, under a name that nobody takes for one that is left over.
fn keep_complete(file: NamedTempFile) -> io::Result<PathBuf> {
    // Open, and so locked, until it has the other name: another process would take it for one that is left over.
    let (_file, path) = file.keep()?;
    let complete = path.with_extension("complete");
    match fs::rename(&path, &complete) {
        Ok(()) => Ok(complete),
        Err(_) if path.exists() => Ok(path),
        Err(error) => Err(error),
    }
}

/// Removes the temporary files that killed processes have left, and tells the user. Their names begin with `prefix`.
fn remove_left_over(folder: &Path, prefix: &OsStr) {
    let is_left_over = |name: &OsStr| {
        let (name, prefix) = (name.as_encoded_bytes(), prefix.as_encoded_bytes());
        let random = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(PARTIAL.as_bytes()));
        random.is_some_and(|random| !random.is_empty() && random.iter().all(u8::is_ascii_alphanumeric))
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if !is_left_over(&entry.file_name()) {
            continue;
        }
        // The process that writes the file has locked it. Writing is not needed for a lock, but on some systems for asking for one.
        let Ok(file) = OpenOptions::new().write(true).open(&path) else { continue };
        // Removed under the lock, for which a process that has just made the file waits.
        if file.try_lock().is_ok() && fs::remove_file(&path).is_ok() {
            // A closed standard error must not fail the command.
            let _ = writeln!(io::stderr(), "removed {}, which a killed run has left", path.display());
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Temporary { file, .. } => file.as_file_mut().write(bytes),
            Target::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn refused(message: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, message)
}

fn already_exists() -> io::Error {
    io::Error::new(ErrorKind::AlreadyExists, "the file exists (--force overwrites it)")
}

/// An error of the same kind that names the file, with `error` as its source.
fn cannot_write(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), WriteError { path: path.to_owned(), error })
}

#[derive(Debug)]
struct WriteError {
    path: PathBuf,
    error: io::Error,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write {}", self.path.display())
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

#[cfg(test)]
mod tests;
