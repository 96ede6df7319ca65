//! Sessions with third-party clients, python-chess in its own virtual environment and xboard if it is installed, and
//! short fuzzing and endurance sessions, and the documents' pictures of sessions.

use super::line::{Line, engine, line, programs};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use tabiya_workspace::repository;

/// The Python packages of the clients, with versions.
const REQUIREMENTS: &str = "tests/clients/requirements.txt";

/// The sessions: a script and its arguments after the engine's path.
const SESSIONS: [(&str, &[&str]); 9] = [
    ("tests/clients/session.py", &[]),
    ("tests/clients/set_ups.py", &["--positions", "5000"]),
    ("tests/clients/levels.py", &[]),
    ("docs/pictures/make.py", &["--check"]),
    ("docs/pictures/screenshots.py", &["--check"]),
    ("tests/clients/xboard_session.py", &["--seconds", "5"]),
    ("tests/clients/fuzz_session.py", &["--protocol", "uci", "--seconds", "5"]),
    ("tests/clients/fuzz_session.py", &["--protocol", "xboard", "--seconds", "5"]),
    ("tests/clients/endurance.py", &["--seconds", "5"]),
];

/// The folder of the virtual environment.
fn environment() -> PathBuf {
    repository::target_folder().join("ci-venv")
}

/// The environment's Python.
fn python() -> String {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    let file = format!("python{}", std::env::consts::EXE_SUFFIX);
    environment().join(folder).join(file).display().to_string()
}

/// The command lines that create the virtual environment, if needed.
pub(super) fn packages() -> Result<Vec<Line>> {
    let environment = environment();
    // A copy of the requirements, written last, marks the environment as complete.
    let marker = environment.join("requirements.txt");
    if is_up_to_date(&marker)? {
        return Ok(Vec::new());
    }
    let system = if cfg!(windows) { "python" } else { "python3" };
    let python = python();
    let copy =
        format!("import shutil; shutil.copyfile({REQUIREMENTS:?}, {:?})", marker.display().to_string());
    Ok(vec![
        line(system, &["-m", "venv", "--clear", &environment.display().to_string()]),
        line(&python, &["-m", "pip", "install", "--quiet", "--requirement", REQUIREMENTS]),
        line(&python, &["-c", &copy]),
    ])
}

/// The command lines that build the programs, create the virtual environment if needed, and run the sessions.
pub(super) fn lines() -> Result<Vec<Line>> {
    let (python, engine) = (python(), engine());
    let mut lines = vec![programs()];
    lines.extend(packages()?);
    lines
        .extend(SESSIONS.map(|(script, arguments)| line(&python, &[&[script, &engine], arguments].concat())));
    Ok(lines)
}

/// Returns true if the environment was created from the current requirements.
fn is_up_to_date(marker: &Path) -> Result<bool> {
    let requirements = std::fs::read(repository::root().join(REQUIREMENTS))
        .with_context(|| format!("cannot read {REQUIREMENTS}"))?;
    Ok(std::fs::read(marker).is_ok_and(|installed| installed == requirements))
}
