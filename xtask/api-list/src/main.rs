//! Writes the public items of libraries, as `cargo xtask api` compares them: for each file `NAME.json` of rustdoc given as an argument,
//! `NAME.txt` beside it, an item per line.
//!
//! Blanket and automatic trait implementations are left out: there are dozens for each type, and nearly all are the same. So
//! are details of derive macros, which depend on their versions.

use anyhow::{Context, Result};
use public_api::Builder;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    for argument in std::env::args_os().skip(1) {
        let json = PathBuf::from(argument);
        let text = list(&json).with_context(|| {
            format!("cannot read {} (is it of another version of rustdoc?)", json.display())
        })?;
        let output = json.with_extension("txt");
        fs::write(&output, text).with_context(|| format!("cannot write {}", output.display()))?;
    }
    Ok(())
}

/// Returns the items of a crate, in order.
fn list(json: &Path) -> Result<String> {
    let api =
        Builder::from_rustdoc_json(json).omit_blanket_impls(true).omit_auto_trait_impls(true).build()?;
    let mut text = String::new();
    for item in api.items().map(|item| item.to_string()).filter(|item| !is_derive_detail(item)) {
        writeln!(text, "{item}")?;
    }
    Ok(text)
}

/// Returns true for the marker that `derive(PartialEq)` adds, and for functions with type parameters such as `__H`.
fn is_derive_detail(item: &str) -> bool {
    item.contains("StructuralPartialEq") || item.contains("__")
}
