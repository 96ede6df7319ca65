//! Rejects import circles of the modules of each crate.

mod circles;
mod graph;
mod source;

use super::{File, Finding};
use circles::Siblings;
use graph::Crate;
use std::fmt::Write as _;

/// Checks the modules of every crate.
pub(super) fn check(files: &[File]) -> Vec<Finding> {
    graph::crates(files).iter().flat_map(check_circles).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: &[(&str, &str)]) -> Vec<File> {
        texts.iter().map(|&(path, text)| File::new(path.to_owned(), text.to_owned())).collect()
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
}
