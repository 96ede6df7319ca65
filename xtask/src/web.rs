//! `cargo xtask web`: builds the page of `tabiya-web` as a folder for any static web host, with the engine in a web worker.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tabiya_workspace::repository;

/// Build the page with the engine in a web worker, as a folder for any static web host
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder to write [default: web in the target folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

const TARGET: &str = "wasm32-unknown-unknown";
/// Folders whose files the page consists of. The last one is that of the HTML reports, too.
const FOLDERS: [&str; 3] = ["crates/web/page", "crates/wasm/page", "crates/review/page/shared"];
/// The drawings of the pieces.
const PIECES: &str = "crates/core/src/board/pieces.svg";
const PIECES_PLACE: &str = "@@pieces@@";
/// A line of the page, after which the elements of [`HEAD`] belong.
const HEAD_PLACE: &str = "<meta charset=\"utf-8\">\n";
/// Tells the page's scripts that there is no server, and forbids the page what a server's header would.
const HEAD: &str = concat!(
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; ",
    "style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'\">\n",
    "<meta name=\"tabiya-engine\" content=\"worker\">\n",
);

/// Runs the command.
///
/// # Errors
/// If the engine cannot be built or a file cannot be written.
pub(crate) fn run(args: &Args) -> Result<()> {
    let folder = args.out.clone().unwrap_or_else(default_folder);
    build(&folder)?;
    println!("{} has the page: put it on any static web host.", folder.display());
    Ok(())
}

/// The folder that the command writes by default.
pub(crate) fn default_folder() -> PathBuf {
    repository::target_folder().join("web")
}

/// Builds the page in this folder.
fn build(folder: &Path) -> Result<()> {
    run_cargo(&["build", "--release", "--locked", "--target", TARGET, "--package", "tabiya-wasm"])
        .with_context(|| {
            format!("cannot build the engine for browsers (it needs `rustup target add {TARGET}`)")
        })?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let module = repository::target_folder().join(TARGET).join("release/tabiya_wasm.wasm");
    let [module, output] = [&module, folder].map(|path| path.display().to_string());
    let builder =
        ["run", "--quiet", "--locked", "--profile", "xtask", "--package", "tabiya-wasm-builder", "--"];
    run_cargo(&[&builder[..], &[&module, &output]].concat())?;
    for source in FOLDERS {
        copy_files(&repository::root().join(source), folder)?;
    }
    let index = folder.join("index.html");
    let page = page(&read(&index)?, &read(&repository::root().join(PIECES))?)?;
    fs::write(&index, page).with_context(|| format!("cannot write {}", index.display()))
}

/// Returns the page without a server.
fn page(page: &str, pieces: &str) -> Result<String> {
    let mut page = page.to_owned();
    for (place, text) in [(PIECES_PLACE, pieces), (HEAD_PLACE, &[HEAD_PLACE, HEAD].concat())] {
        if page.matches(place).count() != 1 {
            bail!("index.html must have {place:?} once");
        }
        page = page.replace(place, text);
    }
    Ok(page)
}

fn copy_files(source: &Path, folder: &Path) -> Result<()> {
    let entries = fs::read_dir(source).with_context(|| format!("cannot read {}", source.display()))?;
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot read {}", source.display()))?;
        copy(&entry.path(), &folder.join(entry.file_name()))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to)
        .map(drop)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn run_cargo(arguments: &[&str]) -> Result<()> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(program)
        .args(arguments)
        .current_dir(repository::root())
        .status()
        .context("cannot run cargo")?;
    if !status.success() {
        bail!("cargo {}: {status}", arguments.join(" "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_without_a_server_has_pieces_and_policy() {
        let source = read(&repository::root().join(FOLDERS[0]).join("index.html")).unwrap();
        let pieces = read(&repository::root().join(PIECES)).unwrap();
        let page = page(&source, &pieces).unwrap();
        assert!(page.contains("piece-k") && page.contains("Content-Security-Policy") && !page.contains("@@"));
        // The policy holds for what follows it.
        assert!(page.find("Content-Security-Policy") < page.find("<link"));
        assert!(super::page("", "").is_err());
    }
}
