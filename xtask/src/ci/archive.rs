//! The archive of a release, packed, unpacked and started.

use super::client;
use super::line::{Line, package};
use anyhow::Result;
use tabiya_workspace::{build, repository};

/// The command lines that build the programs, write the engine's manual pages and completions, and pack them.
pub(super) fn lines() -> Result<Vec<Line>> {
    let target = repository::target_folder();
    let text = |path: std::path::PathBuf| path.display().to_string();
    let programs = target.join("release");
    let program = text(programs.join(build::binary_name()));
    let documents = text(target.join("ci-archive/documents"));
    let folder = text(target.join("ci-archive"));
    let python = if cfg!(windows) { "python" } else { "python3" };
    Ok(vec![
        package("tabiya"),
        package("tabiya-web"),
        client::line(python, &["packaging/documents.py", "--program", &program, "--out", &documents]),
        client::line(
            python,
            &[
                "packaging/archive.py",
                "--programs",
                &text(programs),
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
