//! The modules of a crate and the references between them.

use super::source::{Path, Source};
use crate::tidy::{File, rust_source::RustSource};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Limit for chains of re-exports, which may be circular.
const MAX_REEXPORTS: usize = 16;

/// The modules of one crate. A module is a source file; modules inside a file count as a part of it.
pub(super) struct Crate {
    /// The root first.
    pub(super) modules: Vec<Module>,
    indices: HashMap<Vec<String>, usize>,
}

/// One module.
pub(super) struct Module {
    /// Names from the root to this module; empty for the root itself.
    pub(super) path: Vec<String>,
    /// Path of the source file in the repository.
    pub(super) file: String,
    source: Source,
}

/// A reference from one module to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reference {
    /// Index of the module that refers to the other one.
    pub(super) from: usize,
    /// Index of the module that defines the referent.
    pub(super) to: usize,
    pub(super) line: usize,
    /// The path as written in the source.
    pub(super) text: String,
}

/// The referent of a path.
#[derive(Clone, Copy)]
enum Target {
    Module(usize),
    /// An item, represented by the module that defines it.
    Item(usize),
}

impl Target {
    fn module(self) -> usize {
        match self {
            Target::Module(module) | Target::Item(module) => module,
        }
    }
}

/// Finds the crates of the workspace: every `src/lib.rs` and `src/main.rs` of `crates/*` and `xtask`.
pub(super) fn crates(files: &[File]) -> Vec<Crate> {
    let sources: BTreeMap<&str, &RustSource> =
        files.iter().filter_map(|file| Some((file.path.as_str(), file.rust.as_ref()?))).collect();
    let mut crates = Vec::new();
    for path in sources.keys() {
        for root in ["lib", "main"] {
            let Some(folder) = path.strip_suffix(&format!("/src/{root}.rs")) else { continue };
            if folder != "xtask" && !folder.starts_with("crates/") {
                continue;
            }
            crates.push(Crate::read(path, &sources));
        }
    }
    crates
}

impl Crate {
    /// Follows the `mod` declarations from the root file `root`.
    fn read(root: &str, sources: &BTreeMap<&str, &RustSource>) -> Crate {
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let mut krate = Crate { modules: Vec::new(), indices: HashMap::new() };
        let mut open = vec![(Vec::new(), root.to_owned(), folder)];
        while let Some((path, file, folder)) = open.pop() {
            let source =
                sources.get(file.as_str()).map_or_else(Source::default, |source| Source::read(source));
            for child in &source.children {
                let below = format!("{folder}/{child}");
                let candidates = [format!("{below}.rs"), format!("{below}/mod.rs")];
                if let Some(file) = candidates.into_iter().find(|file| sources.contains_key(file.as_str())) {
                    let mut path: Vec<_> = path.clone();
                    path.push(child.clone());
                    open.push((path, file, below));
                }
            }
            krate.indices.insert(path.clone(), krate.modules.len());
            krate.modules.push(Module { path, file, source });
        }
        krate
    }

    /// Returns the references between modules, one for each pair; imports are preferred to other paths.
    pub(super) fn references(&self) -> Vec<Reference> {
        let mut pairs = BTreeSet::new();
        let mut references = Vec::new();
        let mut add = |from: usize, target: Option<Target>, line: usize, text: String| {
            if let Some(to) = target.map(Target::module)
                && to != from
                && pairs.insert((from, to))
            {
                references.push(Reference { from, to, line, text });
            }
        };
        for (from, module) in self.modules.iter().enumerate() {
            for import in &module.source.imports {
                let Path { segments, line } = &import.path;
                let target = self.resolve(from, segments, 0);
                let text = segments.join("::");
                match (&import.name, target) {
                    (Some(_), target) => add(from, target, *line, text),
                    // A glob import refers to the names that are used.
                    (None, Some(Target::Module(glob))) => {
                        for name in self.names(glob) {
                            let is_used = module.source.words.contains(name)
                                && !module.source.definitions.contains(name);
                            if is_used {
                                add(from, self.step(glob, name, 0), *line, format!("{text}::{name}"));
                            }
                        }
                    }
                    (None, target) => add(from, target, *line, format!("{text}::*")),
                }
            }
            for path in &module.source.paths {
                add(from, self.resolve(from, &path.segments, 0), path.line, path.segments.join("::"));
            }
        }
        references
    }

    /// Returns the names that a glob import of a module brings into scope.
    fn names(&self, module: usize) -> BTreeSet<&str> {
        let source = &self.modules[module].source;
        let imported = source.imports.iter().filter_map(|import| import.name.as_deref());
        let own = source.definitions.iter().chain(&source.children).map(String::as_str);
        own.chain(imported).collect()
    }

    /// Resolves a path written in the module `from` to a module of this crate or to the module that defines the item.
    /// `None` for paths to other crates.
    fn resolve(&self, from: usize, segments: &[String], reexports: usize) -> Option<Target> {
        let mut rest = segments;
        let mut module = from;
        match segments.first()?.as_str() {
            "crate" => {
                module = 0;
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|segment| segment == "super") {
                    let path = &self.modules[module].path;
                    module = *self.indices.get(&path[..path.len().checked_sub(1)?])?;
                    rest = &rest[1..];
                }
            }
            // The name of a child, or an imported one; anything else is defined here or in another crate.
            name => {
                let is_own = self.modules[from].source.definitions.contains(name);
                if is_own || self.step(from, name, reexports).is_none() {
                    return None;
                }
            }
        }
        for segment in rest {
            match self.step(module, segment, reexports) {
                Some(Target::Module(next)) => module = next,
                Some(item) => return Some(item),
                // Re-exported from another crate, or defined by a macro.
                None => return Some(Target::Item(module)),
            }
        }
        Some(Target::Module(module))
    }

    /// Resolves `name` in a module. `None` if it is not found there.
    fn step(&self, module: usize, name: &str, reexports: usize) -> Option<Target> {
        if reexports > MAX_REEXPORTS {
            return None;
        }
        let Module { path, source, .. } = &self.modules[module];
        let child: Vec<_> = path.iter().cloned().chain([name.to_owned()]).collect();
        if let Some(&child) = self.indices.get(&child) {
            return Some(Target::Module(child));
        }
        if source.definitions.contains(name) {
            return Some(Target::Item(module));
        }
        let named = source.imports.iter().find(|import| import.name.as_deref() == Some(name));
        if let Some(import) = named {
            // `use name::x as name` of another crate would resolve to itself.
            let is_external = import.path.segments.first().is_some_and(|first| first == name);
            return if is_external {
                None
            } else {
                self.resolve(module, &import.path.segments, reexports + 1)
            };
        }
        source.imports.iter().filter(|import| import.name.is_none()).find_map(|glob| {
            match self.resolve(module, &glob.path.segments, reexports + 1)? {
                Target::Module(found) if found != module => self.step(found, name, reexports + 1),
                _ => None,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<_> = files
            .iter()
            .map(|&(path, text)| File::new(format!("crates/a/src/{path}"), text.to_owned()))
            .collect();
        let krate = &crates(&files)[0];
        let name = |index: usize| match krate.modules[index].path.as_slice() {
            [] => "crate".to_owned(),
            path => path.join("::"),
        };
        let mut all: Vec<_> = krate
            .references()
            .into_iter()
            .map(|reference| format!("{} -> {}", name(reference.from), name(reference.to)))
            .collect();
        all.sort();
        all
    }

    #[test]
    fn follows_imports_and_paths() {
        let files = [
            ("lib.rs", "mod b;\nmod c;\nmod d;"),
            ("b.rs", "use crate::c::X;\nfn f() { super::d::g() }"),
            ("c.rs", "pub struct X;"),
            ("d.rs", "use std::fmt;\npub fn g() { std::mem::take(x) }"),
        ];
        assert_eq!(references(&files), ["b -> c", "b -> d"]);
    }

    #[test]
    fn reexports_lead_to_the_defining_module() {
        let files = [
            ("lib.rs", "mod b;\nmod c;\npub use c::X;"),
            ("b.rs", "use crate::{X, c::Y};"),
            ("c.rs", "mod d;\npub use d::*;\npub struct X;"),
            ("c/d.rs", "use super::X;\npub struct Y;"),
        ];
        assert_eq!(references(&files), ["b -> c", "b -> c::d", "c::d -> c", "crate -> c"]);
    }

    #[test]
    fn glob_imports_refer_to_the_names_used() {
        let files = [
            ("lib.rs", "mod b;\nmod c;"),
            ("b.rs", "mod e;\nuse crate::c::{X, Y};\nstruct Z;"),
            ("b/e.rs", "use super::*;\nfn f(_: X) {}"),
            ("c.rs", "pub struct X;\npub struct Y;"),
        ];
        assert_eq!(references(&files), ["b -> c", "b::e -> c"]);
    }

    #[test]
    fn circular_reexports_end() {
        let files = [
            ("lib.rs", "mod b;\nmod c;\nuse c::X;"),
            ("b.rs", "pub use crate::c::X;"),
            ("c.rs", "pub use crate::b::X;"),
        ];
        // No module defines `X`: resolving it gives up in the crate's root.
        assert_eq!(references(&files), ["b -> crate", "c -> crate"]);
    }
}
