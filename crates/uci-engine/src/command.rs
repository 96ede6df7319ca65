//! The command that starts an engine, as text and as a program on this system.

use std::env::consts::{EXE_EXTENSION, EXE_SUFFIX};
use std::error::Error;
use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The program to run, its arguments and its display name.
///
/// As text, it is the program and its arguments, separated by white space outside quotes of either kind. The path of an existing file
/// needs no quotes.
///
/// ```
/// use tabiya_uci_engine::EngineCommand;
///
/// let command: EngineCommand = "bin/engine --log 'my log'".parse()?;
/// assert_eq!((command.name.as_str(), command.arguments.as_slice()), ("engine", &["--log".into(), "my log".into()][..]));
/// assert_eq!(command.to_string(), r#"bin/engine --log "my log""#);
/// # Ok::<(), tabiya_uci_engine::EngineCommandError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EngineCommand {
    /// The name used in messages and results.
    pub name: String,
    /// The program: a path, or a name looked up in `PATH`. If it is relative, it is looked up in `folder` first.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Working directory; `None` inherits the caller's.
    pub folder: Option<PathBuf>,
}

/// A command that is no command, or whose program does not exist.
#[derive(Debug)]
#[non_exhaustive]
pub enum EngineCommandError {
    /// The text has no program.
    Empty,
    /// A quote in this text is not closed.
    UnclosedQuote(String),
    /// There is no file with this path.
    NotFound(PathBuf),
    /// No folder of `PATH` has a file with this name.
    NotInPath(PathBuf),
    /// The program is not in the command's folder, and not where it is looked up without one.
    NotInFolder {
        /// The program.
        program: PathBuf,
        /// The command's folder.
        folder: PathBuf,
    },
    /// The path of the program is relative, and there is no current folder.
    CurrentFolder(io::Error),
}

impl fmt::Display for EngineCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineCommandError::Empty => {
                write!(f, "the engine command is empty (expected a program, with arguments after it)")
            }
            EngineCommandError::UnclosedQuote(text) => write!(f, "{text:?}: unclosed quote"),
            EngineCommandError::NotFound(program) => write!(f, "program {} not found", program.display()),
            EngineCommandError::NotInPath(program) => {
                write!(f, "program {} not found in PATH", program.display())
            }
            EngineCommandError::NotInFolder { program, folder } => {
                let other = if is_path(program) { "the current directory" } else { "PATH" };
                write!(f, "program {} not found in {} or {other}", program.display(), folder.display())
            }
            EngineCommandError::CurrentFolder(_) => write!(f, "the current directory does not exist"),
        }
    }
}

impl Error for EngineCommandError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            EngineCommandError::CurrentFolder(error) => Some(error),
            _ => None,
        }
    }
}

impl EngineCommand {
    /// Returns a command without arguments, named after the program's file without an extension such as `.exe` or `.sh`.
    pub fn new(program: impl AsRef<Path>) -> EngineCommand {
        let program = program.as_ref();
        let name = if has_program_extension(program) { program.file_stem() } else { program.file_name() };
        let name = name.unwrap_or(program.as_os_str()).to_string_lossy();
        EngineCommand { name: name.into_owned(), program: program.to_owned(), ..EngineCommand::default() }
    }

    /// Splits text at white space outside quotes of either kind. The quotes are left out.
    ///
    /// # Errors
    /// If a quote is not closed.
    pub fn split_arguments(text: &str) -> Result<Vec<String>, EngineCommandError> {
        let mut arguments = Vec::new();
        let mut current: Option<String> = None;
        let mut quote = None;
        for c in text.chars() {
            match quote {
                Some(open) if c == open => quote = None,
                Some(_) => current.get_or_insert_default().push(c),
                None if matches!(c, '"' | '\'') => {
                    quote = Some(c);
                    current.get_or_insert_default();
                }
                None if c.is_whitespace() => arguments.extend(current.take()),
                None => current.get_or_insert_default().push(c),
            }
        }
        if quote.is_some() {
            return Err(EngineCommandError::UnclosedQuote(text.to_owned()));
        }
        arguments.extend(current);
        Ok(arguments)
    }

    /// Returns the absolute path of the program. A relative one is looked up in the command's folder first, as if it were started from
    /// there; then a path counts from the current directory, and a name without a folder is looked up in `PATH`. The executable suffix of
    /// this system may be omitted.
    ///
    /// # Errors
    /// If there is no such file.
    pub fn find_program(&self) -> Result<PathBuf, EngineCommandError> {
        let program = &self.program;
        // Joining an absolute path leaves it as it is.
        let own = self.folder.iter().find_map(|folder| existing(&folder.join(program)));
        let path = own.or_else(|| if is_path(program) { existing(program) } else { find_in_path(program) });
        let path = path.ok_or_else(|| match &self.folder {
            Some(folder) if program.is_relative() => {
                EngineCommandError::NotInFolder { program: program.clone(), folder: folder.clone() }
            }
            _ if is_path(program) => EngineCommandError::NotFound(program.clone()),
            _ => EngineCommandError::NotInPath(program.clone()),
        })?;
        std::path::absolute(path).map_err(EngineCommandError::CurrentFolder)
    }
}

/// Returns true if the program is not a mere name.
fn is_path(program: &Path) -> bool {
    program.components().count() > 1 || program.is_absolute()
}

/// Returns the path of the program if it is a file, with the executable suffix of this system if that is missing.
fn existing(program: &Path) -> Option<PathBuf> {
    let mut with_suffix = program.as_os_str().to_owned();
    with_suffix.push(EXE_SUFFIX);
    [program.to_owned(), PathBuf::from(with_suffix)].into_iter().find(|path| path.is_file())
}

fn find_in_path(name: &Path) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).find_map(|folder| existing(&folder.join(name)))
}

impl FromStr for EngineCommand {
    type Err = EngineCommandError;

    fn from_str(text: &str) -> Result<EngineCommand, EngineCommandError> {
        if Path::new(text).is_file() {
            return Ok(EngineCommand::new(text));
        }
        let mut words = EngineCommand::split_arguments(text)?.into_iter();
        let program = words.next().filter(|word| !word.is_empty()).ok_or(EngineCommandError::Empty)?;
        Ok(EngineCommand { arguments: words.collect(), ..EngineCommand::new(program) })
    }
}

/// Writes the program and its arguments, with quotes where [`FromStr`] needs them.
impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_word(f, &self.program.to_string_lossy())?;
        for argument in &self.arguments {
            f.write_str(" ")?;
            write_word(f, argument)?;
        }
        Ok(())
    }
}

/// Extensions of programs and scripts, besides this system's [`EXE_EXTENSION`].
const PROGRAM_EXTENSIONS: [&str; 6] = ["exe", "bat", "cmd", "sh", "py", "jar"];

/// Returns true if the file name ends with the extension of a program. The text after another dot is often part of a version, as in
/// `stockfish-16.1`.
fn has_program_extension(program: &Path) -> bool {
    let extension = program.extension().and_then(OsStr::to_str).unwrap_or_default();
    // `EXE_EXTENSION` is empty on Unix.
    !extension.is_empty()
        && PROGRAM_EXTENSIONS
            .iter()
            .chain([&EXE_EXTENSION])
            .any(|known| known.eq_ignore_ascii_case(extension))
}

fn write_word(f: &mut fmt::Formatter<'_>, word: &str) -> fmt::Result {
    if word.is_empty() || word.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')) {
        // A quote ends the text in double quotes, and stands alone in single ones.
        write!(f, "\"{}\"", word.replace('"', "\"'\"'\""))
    } else {
        f.write_str(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> EngineCommand {
        text.parse().unwrap()
    }

    #[test]
    fn splits_at_white_space_outside_quotes() {
        let command = parse(" 'my engine'  --uci \"\" 'a \"b\"' c'd e'f\t");
        assert_eq!((command.name.as_str(), command.program.as_path()), ("my engine", Path::new("my engine")));
        assert_eq!(command.arguments, ["--uci", "", "a \"b\"", "cd ef"]);
        for (text, message) in [
            (" ", "the engine command is empty (expected a program, with arguments after it)"),
            ("'' a", "the engine command is empty (expected a program, with arguments after it)"),
            ("engine 'a", "\"engine 'a\": unclosed quote"),
        ] {
            assert_eq!(text.parse::<EngineCommand>().unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn names_lose_the_extension_of_a_program_only() {
        for (program, name) in [
            ("bin/stockfish-16.0", "stockfish-16.0"),
            ("stockfish-16.1", "stockfish-16.1"),
            ("stockfish-16.1.exe", "stockfish-16.1"),
            ("a/ENGINE.EXE", "ENGINE"),
            ("engine.Bat", "engine"),
            ("engine.cmd", "engine"),
            ("engine.sh", "engine"),
            ("engine.py", "engine"),
            ("engine.jar", "engine"),
            (".sh", ".sh"),
            ("engine.", "engine."),
            ("..", ".."),
        ] {
            assert_eq!(EngineCommand::new(program).name, name, "{program}");
        }
        let program = format!("engine-1.2{EXE_SUFFIX}");
        assert_eq!(EngineCommand::new(program).name, "engine-1.2");
    }

    #[test]
    fn text_is_read_back() {
        for text in ["engine", "bin/engine --uci x", "\"my engine\" \"\" \"it's\" \"a\"'\"'\"b\""] {
            assert_eq!(parse(text).to_string(), text);
        }
    }

    #[test]
    fn existing_file_needs_no_quotes() {
        let file = tempfile::Builder::new().prefix("an engine ").tempfile().unwrap();
        let command: EngineCommand = file.path().to_string_lossy().parse().unwrap();
        assert_eq!((command.program.as_path(), command.arguments.len()), (file.path(), 0));
    }

    #[test]
    fn finds_programs() {
        let find = |program: &Path| EngineCommand::new(program).find_program();
        let own = std::env::current_exe().unwrap();
        assert_eq!(find(&own).unwrap(), own);
        assert_eq!(find(&own.with_extension("")).unwrap(), own);
        let error = find(Path::new("no/such/engine")).unwrap_err().to_string();
        assert_eq!(error, "program no/such/engine not found");
        let error = find(Path::new("no-such-engine-anywhere")).unwrap_err().to_string();
        assert_eq!(error, "program no-such-engine-anywhere not found in PATH");
    }

    #[test]
    fn relative_programs_are_looked_up_in_the_folder_first() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("bin")).unwrap();
        let find = |program: &Path| {
            let folder = Some(folder.path().to_owned());
            EngineCommand { folder, ..EngineCommand::new(program) }.find_program()
        };
        // `src/lib.rs` is in the current directory, too.
        std::fs::create_dir(folder.path().join("src")).unwrap();
        for program in ["engine-of-the-folder", "bin/engine", "src/lib.rs"] {
            let path = folder.path().join(program);
            std::fs::write(&path, "").unwrap();
            assert_eq!(find(Path::new(program)).unwrap(), path);
        }
        assert_eq!(find(Path::new("Cargo.toml")).ok(), None);
        assert_eq!(
            find(Path::new("src/command.rs")).unwrap(),
            std::path::absolute("src/command.rs").unwrap()
        );
        let own = std::env::current_exe().unwrap();
        assert_eq!(find(&own).unwrap(), own);
        let place = folder.path().display();
        for (program, other) in [("no/such", "the current directory"), ("no-such-engine", "PATH")] {
            let error = find(Path::new(program)).unwrap_err().to_string();
            assert_eq!(error, format!("program {program} not found in {place} or {other}"));
        }
    }
}
