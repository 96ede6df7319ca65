//! `cargo xtask web`: builds the page of `tabiya-web` as a folder for any static web host, with the engine in a web worker.

use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use tabiya_workspace::build::cargo;
use tabiya_workspace::lab_commands::MATCHES;
use tabiya_workspace::repository;

/// Command-line arguments of `web`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder to write [default: web in the target folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Leave out the packed set of puzzles (0.5 MB)
    #[arg(long)]
    without_puzzles: bool,

    /// Build without link-time optimisation, and compress the engine less: sooner, but it is slower and larger
    #[arg(long)]
    fast: bool,
}

const TARGET: &str = "wasm32-unknown-unknown";
/// Folders whose files the page consists of. The last one is that of the HTML reports, too.
const FOLDERS: [&str; 3] = ["crates/web/page", "crates/wasm/page", "crates/review/page/shared"];
/// The drawings of the pieces.
const PIECES: &str = "crates/core/src/board/pieces.svg";
/// The packed set of puzzles.
const PUZZLES: &str = "crates/web/puzzles/puzzles.txt";
/// The names of the page's files, so that the next build can remove those that are no longer part of it.
const LIST: &str = "page-files.txt";
const PIECES_PLACE: &str = "@@pieces@@";
/// The script of the service worker, whose places are for the list of files and a number that changes with them.
const SERVICE_WORKER: &str = "service-worker.js";
const FILES_PLACE: &str = "[\"@@files@@\"]";
const VERSION_PLACE: &str = "@@version@@";
/// The engine, whose size the page needs for the progress of loading.
const ENGINE: &str = "tabiya_wasm_bg.wasm";
const SIZE_PLACE: &str = "@@size@@";
/// A line of the page, after which the elements of [`HEAD`] belong.
const HEAD_PLACE: &str = "<meta charset=\"utf-8\">\n";
/// Tells the page's scripts that there is no server, forbids the page what a server's header would, and loads the engine at once.
const HEAD: &str = concat!(
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; ",
    "style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'\">\n",
    "<meta name=\"tabiya-engine\" content=\"worker\" data-size=\"@@size@@\">\n",
    "<link rel=\"manifest\" href=\"manifest.webmanifest\">\n",
    "<link rel=\"preload\" href=\"tabiya_wasm_bg.wasm\" as=\"fetch\" type=\"application/wasm\" crossorigin>\n",
    "<link rel=\"modulepreload\" href=\"worker-socket.js\">\n<link rel=\"modulepreload\" href=\"worker-queue.js\">\n",
);

/// Runs the command.
///
/// # Errors
/// If the engine cannot be built or a file cannot be written.
pub(crate) fn run(args: &Args) -> Result<()> {
    let folder = args.out.clone().unwrap_or_else(default_folder);
    build(&folder, args.fast, !args.without_puzzles)?;
    println!("{} has the page: put it on any static web host.", folder.display());
    Ok(())
}

/// The folder that the command writes by default.
pub(crate) fn default_folder() -> PathBuf {
    repository::target_folder().join("web")
}

/// Builds the page in this folder.
fn build(folder: &Path, fast: bool, has_puzzles: bool) -> Result<()> {
    let (profile, quality) = if fast { (MATCHES.profile, "5") } else { ("release", "11") };
    run_cargo(&["build", "--profile", profile, "--locked", "--target", TARGET, "--package", "tabiya-wasm"])
        .with_context(|| {
        format!("cannot build the engine for browsers (it needs `rustup target add {TARGET}`)")
    })?;
    let built = repository::target_folder().join(TARGET).join(profile);
    let parts = built.join("page");
    if parts.exists() {
        fs::remove_dir_all(&parts).with_context(|| format!("cannot remove {}", parts.display()))?;
    }
    create_folder(&parts)?;
    let [module, output] = [&built.join("tabiya_wasm.wasm"), &parts].map(|path| path.display().to_string());
    let builder = ["run", "--quiet", "--locked", "--package", "tabiya-wasm-builder", "--"];
    run_cargo(&[&builder[..], &["generate", &module, &output]].concat())?;
    for (name, data) in joined(FOLDERS.map(|source| repository::root().join(source)))? {
        let path = parts.join(name);
        fs::write(&path, data).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if has_puzzles {
        copy(&repository::root().join(PUZZLES), &parts.join("puzzles.txt"))?;
    }
    let index = parts.join("index.html");
    let engine = parts.join(ENGINE);
    let size = fs::metadata(&engine).with_context(|| format!("cannot read {}", engine.display()))?.len();
    let page = page(&read(&index)?, &read(&repository::root().join(PIECES))?, size)?;
    write(&index, &page)?;
    let worker = parts.join(SERVICE_WORKER);
    write(&worker, &service_worker(&read(&worker)?, &contents(&parts)?)?)?;
    run_cargo(&[&builder[..], &["compress", "--quality", quality, &output]].concat())?;
    publish(&parts, folder)
}

/// Copies the page to its folder and removes the files of an earlier page that this one does not have. Other files stay: the
/// folder may be that of a website.
fn publish(parts: &Path, folder: &Path) -> Result<()> {
    create_folder(folder)?;
    let list = folder.join(LIST);
    let former = if list.exists() { read(&list)? } else { String::new() };
    let current = copy_files(parts, folder)?;
    // A list that has been edited must not name a file elsewhere.
    let is_plain = |name: &&str| Path::new(name).file_name().is_some_and(|plain| plain == *name);
    for name in former.lines().filter(is_plain).filter(|name| !current.contains(*name)) {
        let stale = folder.join(name);
        if stale.is_file() {
            fs::remove_file(&stale).with_context(|| format!("cannot remove {}", stale.display()))?;
        }
    }
    let names: Vec<_> = current.iter().map(String::as_str).collect();
    write(&list, &(names.join("\n") + "\n"))
}

/// Returns the page without a server. The engine has this size in bytes.
fn page(page: &str, pieces: &str, engine_size: u64) -> Result<String> {
    let head = [HEAD_PLACE, HEAD].concat();
    fill(page, &[(PIECES_PLACE, pieces), (HEAD_PLACE, &head), (SIZE_PLACE, &engine_size.to_string())])
}

/// Returns the script of the service worker for files with these names and contents.
fn service_worker(script: &str, files: &BTreeMap<String, Vec<u8>>) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    // The folder's address has the page itself.
    let names: Vec<_> = files
        .keys()
        .filter(|name| *name != SERVICE_WORKER)
        .map(|name| if name == "index.html" { "./" } else { name })
        .collect();
    let list = serde_json::to_string(&names).context("cannot write the list of files")?;
    fill(script, &[(FILES_PLACE, &list), (VERSION_PLACE, &format!("{:016x}", hasher.finish()))])
}

/// Puts texts into their places, of which the text must have one each.
fn fill(text: &str, parts: &[(&str, &str)]) -> Result<String> {
    let mut filled = text.to_owned();
    for (place, part) in parts {
        if filled.matches(place).count() != 1 {
            bail!("the page must have {place:?} once");
        }
        filled = filled.replace(place, part);
    }
    Ok(filled)
}

/// The contents of the files of a folder, by name.
fn contents(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let read_entry = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
        let path = entry.path();
        let data = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok((entry.file_name().to_string_lossy().into_owned(), data))
    };
    entries.map(read_entry).collect()
}

/// The files of the page from those of its source folders, with joined scripts and style sheets.
fn joined(folders: [PathBuf; 3]) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for folder in folders {
        files.extend(contents(&folder)?);
    }
    tabiya_bundle::bundle(files).context("cannot join the scripts of the page")
}

/// Copies the files of a folder and returns their names.
fn copy_files(source: &Path, folder: &Path) -> Result<BTreeSet<String>> {
    let entries = fs::read_dir(source).with_context(|| format!("cannot read {}", source.display()))?;
    let copy_entry = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.with_context(|| format!("cannot read {}", source.display()))?;
        copy(&entry.path(), &folder.join(entry.file_name()))?;
        Ok(entry.file_name().to_string_lossy().into_owned())
    };
    entries.map(copy_entry).collect()
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to)
        .map(drop)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

fn create_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("cannot create {}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn run_cargo(arguments: &[&str]) -> Result<()> {
    let status =
        cargo().args(arguments).current_dir(repository::root()).status().context("cannot run cargo")?;
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
        let page = page(&source, &pieces, 5_644_461).unwrap();
        assert!(page.contains("piece-k") && page.contains("Content-Security-Policy") && !page.contains("@@"));
        // The policy holds for what follows it.
        assert!(page.find("Content-Security-Policy") < page.find("<link"));
        assert!(page.contains("data-size=\"5644461\"") && page.contains("manifest.webmanifest"));
        assert!(super::page("", "", 0).is_err());
    }

    #[test]
    fn service_worker_changes_with_each_file() {
        let script = read(&repository::root().join("crates/wasm/page").join(SERVICE_WORKER)).unwrap();
        let files = |text: &str| {
            ["index.html", "main.js", SERVICE_WORKER]
                .map(|name| (name.to_owned(), text.as_bytes().to_vec()))
                .into()
        };
        let [first, same, other] = ["a", "a", "b"].map(|text| service_worker(&script, &files(text)).unwrap());
        assert!(first.contains(r#"["./","main.js"]"#) && !first.contains("@@"), "{first}");
        assert!(first == same && first != other);
        assert!(service_worker("", &files("a")).is_err());
    }

    #[test]
    fn scripts_import_files_of_the_page() {
        let files = joined(FOLDERS.map(|source| repository::root().join(source))).unwrap();
        for (name, data) in files.iter().filter(|(name, _)| name.ends_with(".js")) {
            let script = String::from_utf8_lossy(data);
            let other =
                ["\"#page/", "\"#shared/", "\"#worker/"].iter().find(|folder| script.contains(**folder));
            assert_eq!(other, None, "{name} imports from another folder");
            for import in script.lines().filter_map(|line| line.strip_prefix("import ")?.split('"').nth(1)) {
                // The build generates this one.
                assert!(
                    import == "./tabiya_wasm.js" || files.contains_key(import.strip_prefix("./").unwrap()),
                    "{name} imports {import}"
                );
            }
        }
    }

    #[test]
    fn files_of_an_earlier_page_are_removed() {
        let root = tempfile::tempdir().unwrap();
        let [parts, folder] = ["parts", "site"].map(|name| root.path().join(name));
        let put = |path: &Path| write(path, "text").unwrap();
        let publish_files = |names: &[&str]| {
            create_folder(&parts).unwrap();
            names.iter().for_each(|name| put(&parts.join(name)));
            publish(&parts, &folder).unwrap();
            fs::remove_dir_all(&parts).unwrap();
        };
        publish_files(&["index.html", "old.js"]);
        put(&folder.join("robots.txt"));
        put(&root.path().join("elsewhere.js"));
        let listed = read(&folder.join(LIST)).unwrap();
        assert_eq!(listed, "index.html\nold.js\n");
        write(&folder.join(LIST), &(listed + "../elsewhere.js\nmissing.js\n")).unwrap();
        publish_files(&["index.html", "new.js"]);
        let exists = |name: &str| folder.join(name).exists();
        assert_eq!(
            ["index.html", "new.js", "old.js", "robots.txt", "../elsewhere.js"].map(exists),
            [true, true, false, true, true]
        );
    }
}
