//! The module graph of each crate: rejects import circles and outdated pictures.

mod circles;
mod graph;
mod layout;
mod picture;
mod source;

use super::{File, Finding};
use anyhow::{Context, Result};
use circles::Siblings;
use graph::Crate;
use std::fmt::Write as _;
use std::path::Path;

/// Folder of the pictures in the repository.
const PICTURES: &str = "docs/modules";

/// Checks the modules of every crate.
pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let crates = graph::crates(files);
    let mut findings: Vec<_> = crates.iter().flat_map(check_circles).collect();
    findings.extend(check_pictures(&crates, files));
    findings
}

/// Writes the pictures: one with all crates if `path` ends in `.svg`, else one for each crate into the folder `path`.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn write_pictures(files: &[File], path: &Path) -> Result<()> {
    let crates = graph::crates(files);
    let write = |path: &Path, text: String| {
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    if path.extension().is_some_and(|extension| extension == "svg") {
        return write(path, picture::draw(&crates.iter().collect::<Vec<_>>()));
    }
    std::fs::create_dir_all(path).with_context(|| format!("cannot create {}", path.display()))?;
    crates
        .iter()
        .filter(|krate| has_picture(krate))
        .try_for_each(|krate| write(&path.join(format!("{}.svg", krate.name)), picture::draw(&[krate])))
}

/// Returns true for crates with more than one module.
fn has_picture(krate: &Crate) -> bool {
    krate.modules.len() > 1
}

/// Returns a finding for each circle, with one reference for each of its edges.
fn check_circles(krate: &Crate) -> Vec<Finding> {
    let mut findings = Vec::new();
    for siblings in Siblings::all(krate) {
        let name = |index: usize| siblings.names[index].as_str();
        for circle in siblings.circles() {
            let names: Vec<_> = circle.iter().map(|&index| name(index)).collect();
            let mut message = format!("import circle of sibling modules: {}", names.join(", "));
            let mut first = None;
            for (&(from, to), reference) in &siblings.references {
                if circle.contains(&from) && circle.contains(&to) {
                    let file = &krate.modules[reference.from].file;
                    first.get_or_insert((file, reference.line));
                    // Writing to a string cannot fail.
                    let _ = write!(
                        message,
                        "\n    {} -> {}: {file}:{}: {}",
                        name(from),
                        name(to),
                        reference.line,
                        reference.text
                    );
                }
            }
            let (file, line) =
                first.map_or((krate.modules[0].file.as_str(), 0), |(file, line)| (file.as_str(), line));
            findings.push(Finding::error(file, line, message));
        }
    }
    findings
}

/// Reports pictures that are missing, outdated, or belong to no crate.
fn check_pictures(crates: &[Crate], files: &[File]) -> Vec<Finding> {
    let drawn: Vec<_> = crates.iter().filter(|krate| has_picture(krate)).collect();
    let path = |krate: &Crate| format!("{PICTURES}/{}.svg", krate.name);
    let mut findings = Vec::new();
    for krate in &drawn {
        let path = path(krate);
        let file = files.iter().find(|file| file.path == path);
        // Git may have converted the line ends.
        if file.is_none_or(|file| file.text.replace('\r', "") != picture::draw(&[krate])) {
            let message = format!("not up to date: run `cargo xtask tidy --graph {PICTURES}`");
            findings.push(Finding::error(&path, 0, message));
        }
    }
    for file in files.iter().filter(|file| file.path.starts_with(PICTURES)) {
        if !drawn.iter().any(|krate| path(krate) == file.path) {
            findings.push(Finding::error(&file.path, 0, "belongs to no crate: remove it"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: &[(&str, &str)]) -> Vec<File> {
        texts.iter().map(|&(path, text)| File { path: path.to_owned(), text: text.to_owned() }).collect()
    }

    #[test]
    fn reports_a_circle_with_its_references() {
        let files = files(&[
            ("crates/a/src/lib.rs", "mod b;\nmod c;"),
            ("crates/a/src/b.rs", "use std::fmt;\nuse crate::c::C;"),
            ("crates/a/src/c.rs", "fn f() { crate::b::g() }"),
        ]);
        let findings = check_circles(&graph::crates(&files)[0]);
        assert_eq!(findings.len(), 1);
        let expected = "import circle of sibling modules: b, c\n    \
                        b -> c: crates/a/src/b.rs:2: crate::c::C\n    \
                        c -> b: crates/a/src/c.rs:1: crate::b::g";
        assert_eq!(findings[0], Finding::error("crates/a/src/b.rs", 2, expected));
    }

    #[test]
    fn reports_pictures_that_are_out_of_date() {
        let mut files = files(&[
            ("crates/a/src/lib.rs", "mod b;\nmod c;"),
            ("crates/a/src/b.rs", ""),
            ("crates/a/src/c.rs", ""),
            ("docs/modules/gone.svg", ""),
        ]);
        let crates = graph::crates(&files);
        let paths = |files: &[File]| {
            check_pictures(&crates, files).into_iter().map(|finding| finding.path).collect::<Vec<_>>()
        };
        assert_eq!(paths(&files), ["docs/modules/a.svg", "docs/modules/gone.svg"]);
        files.push(File { path: "docs/modules/a.svg".to_owned(), text: picture::draw(&[&crates[0]]) });
        assert_eq!(paths(&files), ["docs/modules/gone.svg"]);
    }
}
