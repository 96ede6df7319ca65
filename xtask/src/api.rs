//! `cargo xtask api`: the public items of the published libraries, compared with the lists in `docs/api`.
//!
//! A change of the interface shows in a commit's diff, and none happens unnoticed. Rustdoc writes the items as JSON, which only
//! unstable options of the compiler do; `tabiya-api-list` turns them into text.

use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use tabiya_workspace::{build, repository};

/// Command-line arguments of `api`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write the lists again
    #[arg(long)]
    bless: bool,
}

/// The libraries with a list, which are those published for others to use.
const LIBRARIES: &[&str] = &[
    "tabiya-files", "tabiya-signals", "tabiya-core", "tabiya-movegen", "tabiya-motifs", "tabiya-syzygy",
    "tabiya-book", "tabiya-eval", "tabiya-search", "tabiya-player", "tabiya-review", "tabiya-uci-engine",
];

/// The folder of the lists.
const LISTS: &str = "docs/api";

/// Set where this program runs in the place of rustdoc.
const AS_RUSTDOC: &str = "TABIYA_XTASK_IS_RUSTDOC";

/// The number of differences printed for a library.
const SHOWN: usize = 40;

/// Runs the command.
///
/// # Errors
/// If the items cannot be listed, or a list is not up to date.
pub(crate) fn run(args: &Args) -> Result<()> {
    let folder = repository::target_folder().join("doc");
    let file = |library: &str| folder.join(format!("{}.json", library.replace('-', "_")));
    write_json()?;
    let files: Vec<PathBuf> = LIBRARIES.iter().map(|library| file(library)).collect();
    let program = ["run", "--quiet", "--locked", "--package", "tabiya-api-list", "--"];
    check(cargo().args(program).args(&files))?;
    let mut outdated = Vec::new();
    for (library, file) in LIBRARIES.iter().zip(files) {
        let items = read(&file.with_extension("txt"))?;
        let name = format!("{LISTS}/{library}.txt");
        let list = repository::root().join(&name);
        if args.bless {
            fs::write(&list, items).with_context(|| format!("cannot write {name}"))?;
            continue;
        }
        let differences = differences(&read(&list).unwrap_or_default(), &items);
        if !differences.is_empty() {
            println!("{library}:");
            differences.iter().take(SHOWN).for_each(|line| println!("  {line}"));
            if differences.len() > SHOWN {
                println!("  and {} more", differences.len() - SHOWN);
            }
            outdated.push(name);
        }
    }
    if !outdated.is_empty() {
        bail!(
            "the public interface differs from {} (`cargo xtask api --bless` writes it)",
            outdated.join(", ")
        );
    }
    Ok(())
}

/// Makes rustdoc write its JSON for each library, with all features.
fn write_json() -> Result<()> {
    // Only rustdoc may see RUSTC_BOOTSTRAP: build scripts depend on it, so in cargo's environment it would make all
    // dependencies be built again. Hence this program stands for rustdoc.
    let itself = std::env::current_exe().context("cannot find this program's path")?;
    let packages = LIBRARIES.iter().flat_map(|library| ["--package", library]);
    let mut command = cargo();
    command.args(["doc", "--quiet", "--no-deps", "--locked", "--all-features", "--lib"]).args(packages);
    command.env("RUSTDOC", itself).env(AS_RUSTDOC, "1");
    command.env("RUSTDOCFLAGS", "-Zunstable-options --output-format=json");
    check(&mut command)
}

/// Runs rustdoc with these arguments if this program was started in its place.
pub(crate) fn run_as_rustdoc(arguments: &[OsString]) -> Option<Result<ExitCode>> {
    std::env::var_os(AS_RUSTDOC)?;
    let status = Command::new("rustdoc").args(arguments).env("RUSTC_BOOTSTRAP", "1").status();
    let code = |success| if success { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    Some(status.map(|status| code(status.success())).context("cannot run rustdoc"))
}

/// Returns the lines that are in only one of two lists, marked with `-` if in the first and `+` if in the second.
fn differences(old: &str, new: &str) -> Vec<String> {
    let [old_lines, new_lines] = [old, new].map(|text| text.lines().collect::<BTreeSet<_>>());
    let removed = old_lines.difference(&new_lines).map(|line| format!("- {line}"));
    removed.chain(new_lines.difference(&old_lines).map(|line| format!("+ {line}"))).collect()
}

fn cargo() -> Command {
    let mut command = build::cargo();
    command.current_dir(repository::root());
    command
}

fn check(command: &mut Command) -> Result<()> {
    let status = command.status().context("cannot run cargo")?;
    if !status.success() {
        bail!("cargo failed: {status}");
    }
    Ok(())
}

fn read(path: &std::path::Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_lines_of_one_list() {
        assert_eq!(differences("a\nb\nc\n", "b\nd\n"), ["- a", "- c", "+ d"]);
        assert!(differences("a\n", "a\n").is_empty());
    }

    #[test]
    fn every_list_belongs_to_a_library() {
        let files = fs::read_dir(repository::root().join(LISTS)).unwrap();
        let names: BTreeSet<_> =
            files.map(|file| file.unwrap().path().file_stem().unwrap().to_owned()).collect();
        assert_eq!(names, LIBRARIES.iter().map(OsString::from).collect());
    }
}
