//! Dependencies: the crate layers, versions in the workspace manifest only, packages from crates.io only.

use super::Finding;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use tabiya_workspace::{build, repository};

/// The layers, lowest first: each package of the workspace with the workspace packages that it may use.
const LAYERS: &[(&str, &[&str])] = &[
    ("tabiya-files", &[]),
    ("tabiya-signals", &[]),
    ("tabiya-processor", &[]),
    ("tabiya-bundle", &[]),
    ("tabiya-core", &[]),
    ("tabiya-movegen", &["tabiya-core"]),
    ("tabiya-motifs", &["tabiya-core", "tabiya-movegen"]),
    ("tabiya-syzygy", &["tabiya-files", "tabiya-core", "tabiya-movegen"]),
    ("tabiya-book", &["tabiya-files", "tabiya-core", "tabiya-movegen"]),
    ("tabiya-eval", &["tabiya-core", "tabiya-movegen"]),
    ("tabiya-search", &["tabiya-core", "tabiya-movegen", "tabiya-eval", "tabiya-syzygy"]),
    ("tabiya-player", &["tabiya-core", "tabiya-movegen", "tabiya-book", "tabiya-eval", "tabiya-search"]),
    ("tabiya-review", &["tabiya-core", "tabiya-movegen", "tabiya-motifs", "tabiya-search"]),
    ("tabiya-terminal", LIBRARIES),
    ("tabiya", PROGRAM),
    ("tabiya-web", LIBRARIES),
    ("tabiya-wasm", &["tabiya-eval", "tabiya-search", "tabiya-web"]),
    ("tabiya-wasm-builder", &[]),
    // The developer tools. Matches drive engines by their protocol; training searches in its own process. xtask must build quickly.
    ("tabiya-uci-engine", &[]),
    ("uci-conformance", &["tabiya-files", "tabiya-core", "tabiya-movegen", "tabiya-uci-engine"]),
    ("tabiya-workspace", &[]),
    (
        "tabiya-lab-common",
        &[
            "tabiya-files", "tabiya-core", "tabiya-movegen", "tabiya-eval", "tabiya-search",
            "tabiya-signals", "tabiya-syzygy", "tabiya-uci-engine", "tabiya-workspace",
        ],
    ),
    (
        "tabiya-matches",
        &[
            "tabiya-files", "tabiya-core", "tabiya-movegen", "tabiya-book", "tabiya-eval", "tabiya-search",
            "tabiya-review", "tabiya-uci-engine", "uci-conformance", "tabiya-workspace", "tabiya-lab-common",
        ],
    ),
    (
        "tabiya-training",
        &[
            "tabiya-files", "tabiya-core", "tabiya-movegen", "tabiya-eval", "tabiya-search", "tabiya-player",
            "tabiya-uci-engine", "tabiya-workspace", "tabiya-lab-common",
        ],
    ),
    ("xtask", &["tabiya-signals", "tabiya-bundle", "tabiya-workspace"]),
    ("tabiya-api-list", &[]),
];

/// The libraries that a front end may use.
const LIBRARIES: &[&str] = &[
    "tabiya-files", "tabiya-signals", "tabiya-processor", "tabiya-bundle", "tabiya-core", "tabiya-movegen",
    "tabiya-motifs", "tabiya-syzygy", "tabiya-book", "tabiya-eval", "tabiya-search", "tabiya-player",
    "tabiya-review",
];

/// The libraries below the engine's program.
const PROGRAM: &[&str] = &[
    "tabiya-files", "tabiya-processor", "tabiya-core", "tabiya-movegen", "tabiya-motifs", "tabiya-syzygy",
    "tabiya-book", "tabiya-eval", "tabiya-search", "tabiya-player", "tabiya-terminal",
];

/// The only permitted package source, as written in Cargo.lock.
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The part of the output of `cargo metadata` that is used here.
#[derive(Deserialize)]
pub(super) struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
}

/// Runs `cargo metadata`.
///
/// # Errors
/// If cargo cannot be run, fails, or prints unexpected output.
pub(super) fn metadata() -> Result<Metadata> {
    let output = build::cargo()
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(repository::root())
        .output()
        .context("cannot run cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    serde_json::from_slice(&output.stdout).context("cannot parse the output of cargo metadata")
}

/// Reports dependencies between workspace packages that the layers do not allow, including those of tests and build
/// scripts, and packages without a layer.
pub(super) fn check_layers(metadata: &Metadata) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &metadata.packages {
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == package.name) else {
            findings.push(Finding::error(
                &package.name,
                0,
                "this package is not in the layers of xtask/src/tidy/dependencies.rs",
            ));
            continue;
        };
        for dependency in &package.dependencies {
            let is_member = LAYERS.iter().any(|(name, _)| *name == dependency.name);
            if is_member && !allowed.contains(&dependency.name.as_str()) {
                let message = format!("{} must not depend on {}", package.name, dependency.name);
                findings.push(Finding::error(&package.name, 0, message));
            }
        }
    }
    findings
}

/// Checks a `Cargo.toml`: members inherit versions and lints from the workspace.
pub(super) fn check_manifest(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut section = "";
    let mut has_lints = false;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        } else if !line.is_empty() && !line.starts_with('#') {
            let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
            has_lints |= section == "lints" && compact == "workspace=true";
            let key = compact.split('=').next().unwrap_or_default();
            // In a section of one dependency, such as `[dependencies.serde]`, only these keys name its source.
            let is_source = section.contains("dependencies.") && ["version", "path", "git"].contains(&key);
            let is_dependency = section.ends_with("dependencies") && line.contains('=') || is_source;
            if is_dependency && !section.starts_with("workspace.") && !compact.contains("workspace=true") {
                let message =
                    "declare the version in [workspace.dependencies] and write `.workspace = true` here";
                findings.push(Finding::error(path, index + 1, message));
            }
        }
    }
    if path != "Cargo.toml" && !has_lints {
        findings.push(Finding::error(
            path,
            0,
            "does not inherit the lints of the workspace: add `[lints] workspace = true`",
        ));
    }
    findings
}

/// Checks `Cargo.lock`: all packages must come from crates.io, which everybody can reach.
pub(super) fn check_lock(path: &str, text: &str) -> Vec<Finding> {
    text.lines()
        .enumerate()
        .filter_map(|(index, line)| {
            let source = line.strip_prefix("source = \"")?.trim_end_matches('"');
            (source != CRATES_IO).then(|| {
                Finding::error(path, index + 1, format!("package source {source} (expected crates.io)"))
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(metadata: &str) -> Vec<String> {
        let findings = check_layers(&serde_json::from_str(metadata).unwrap());
        findings.into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn rejects_dependencies_against_the_layers() {
        let package = |name, dependency| {
            format!(r#"{{"packages":[{{"name":"{name}","dependencies":[{{"name":"{dependency}"}}]}}]}}"#)
        };
        assert!(messages(&package("tabiya-search", "tabiya-eval")).is_empty());
        assert!(messages(&package("tabiya-core", "serde")).is_empty());
        assert_eq!(
            messages(&package("tabiya-eval", "tabiya-search")),
            ["tabiya-eval must not depend on tabiya-search"]
        );
        assert_eq!(
            messages(&package("tabiya-matches", "tabiya")),
            ["tabiya-matches must not depend on tabiya"]
        );
        assert_eq!(
            messages(&package("newcomer", "serde")),
            ["this package is not in the layers of xtask/src/tidy/dependencies.rs"]
        );
    }

    #[test]
    fn requires_versions_and_lints_of_the_workspace() {
        let member = "[lints]\nworkspace = true\n[dependencies]\nclap.workspace = true\n";
        assert_eq!(check_manifest("a/Cargo.toml", member), []);
        let features = "serde = { workspace = true, features = [\"rc\"] }\n";
        assert_eq!(check_manifest("a/Cargo.toml", &format!("{member}{features}")), []);
        let findings =
            check_manifest("a/Cargo.toml", &format!("{member}[dev-dependencies]\nrand = \"0.10\"\n"));
        assert_eq!((findings.len(), findings[0].line), (1, 6));
        let section = "[target.'cfg(unix)'.dependencies.rand]\nversion = \"0.10\"\nfeatures = []\n";
        let findings = check_manifest("a/Cargo.toml", &format!("{member}{section}"));
        assert_eq!((findings.len(), findings[0].line), (1, 6));
        let inherited = "[dependencies.rand]\nworkspace = true\nfeatures = []\n";
        assert_eq!(check_manifest("a/Cargo.toml", &format!("{member}{inherited}")), []);
        assert!(check_manifest("Cargo.toml", "[workspace.dependencies]\nrand = \"0.10\"\n").is_empty());
        assert!(
            check_manifest("a/Cargo.toml", "[package]\n")[0].message.contains("does not inherit the lints")
        );
    }

    #[test]
    fn rejects_other_package_sources() {
        let lock = |source| format!("name = \"a\"\nsource = \"{source}\"\n");
        assert_eq!(check_lock("Cargo.lock", &lock(CRATES_IO)), []);
        assert_eq!(check_lock("Cargo.lock", &lock("registry+https://example.org/index"))[0].line, 2);
        assert_eq!(check_lock("Cargo.lock", &lock("git+https://example.org/a"))[0].line, 2);
    }
}
