//! The archive of a release, packed, unpacked and started.

use super::line::{Line, engine, line, programs, programs_folder};
use anyhow::Result;
use tabiya_workspace::repository;

/// The command lines that build the programs, write the manual pages, completions and licences, and pack them.
pub(super) fn lines() -> Result<Vec<Line>> {
    let target = repository::target_folder();
    let text = |path: std::path::PathBuf| path.display().to_string();
    let documents = text(target.join("ci-archive/documents"));
    let folder = text(target.join("ci-archive"));
    let python = if cfg!(windows) { "python" } else { "python3" };
    Ok(vec![
        programs(),
        line(python, &["packaging/documents.py", "--program", &engine(), "--out", &documents]),
        line(
            python,
            &[
                "packaging/archive.py",
                "--programs",
                &text(programs_folder()),
                "--documents",
                &documents,
                "--name",
                "test",
                "--out",
                &folder,
                "--check",
            ],
        ),
    ])
}
